package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/memory/bounds"
)

func writeFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// load reads a file that must be there.
func load(path string, required bool, env []string) (Config, Origins, error) {
	l, err := Load(Source{Path: path, Required: required, Env: env})
	if l == nil { // a fault leaves no configuration
		return Default(), nil, err
	}
	return l.Config, l.From, err
}

// I5: without a file and variables everything has its default.
func TestDefaultsWithoutFile(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.toml")
	cfg, from, err := load(missing, false, nil)
	if err != nil || len(from) > 0 {
		t.Fatal(from, err)
	}
	if diff := cmp.Diff(Default(), cfg); diff != "" {
		t.Error(diff)
	}
	var ce *Error
	if _, _, err := load(missing, true, nil); !errors.As(err, &ce) || ce.File != missing {
		t.Errorf("a file that was named and is missing: %v", err)
	}
}

// I5: a file counts more than a default, a variable more than a file; the two
// names from elsewhere work, and the full name counts more.
func TestWhatCounts(t *testing.T) {
	path := writeFile(t, "[memory]\nrag_top_n = 7\nmin_relevance = 0.3\n[memory.weights]\nkeyword = 0.5\n[chat]\npassive_timeout = \"1h\"\n")
	cfg, from, err := load(path, true, []string{
		"MEMORIA_CHAT_PASSIVE_TIMEOUT=10m", "MEMORIA_CHAT_PASSIVE_TIMEOUT=20m", "MEMORY_RETRIEVAL_LIMIT=9",
		"MEMORIA_MEMORY_WEIGHTS_RECENCY=0.2", "MEMORIA_CONTEXT_ORDER=persona, window", "MEMORIA_UI_MOUSE=false", "MEMORIA_MODEL_NAME=",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Memory.TopN, want.Memory.MinRelevance = 9, 0.3
	want.Memory.Weights.Keyword, want.Memory.Weights.Recency = 0.5, 0.2
	want.Chat.PassiveTimeout, want.UI.Mouse = 20*time.Minute, false
	want.Context.Order = []string{"persona", "window"}
	if diff := cmp.Diff(want, cfg); diff != "" {
		t.Error(diff)
	}
	if from["memory.rag_top_n"] != FromEnvironment || from["memory.min_relevance"] != FromFile || from["model.name"] != FromDefault {
		t.Error(from)
	}
	cfg, _, err = load(path, true, []string{"MEMORY_RETRIEVAL_LIMIT=9", "MEMORIA_MEMORY_RAG_TOP_N=3"})
	if err != nil || cfg.Memory.TopN != 3 {
		t.Error(cfg.Memory.TopN, err)
	}
}

// I5: a mistake is told with its file, its line, and what was probably meant.
func TestMistakesInTheFile(t *testing.T) {
	for _, c := range []struct {
		text, want string
	}{
		{"agent = 3", ":1: agent: is a number; text in quotes is wanted"},
		{"[ui]\npanel_width = \"wide\"", ":2: ui.panel_width: is text; a whole number from 20 to 70 is wanted"},
		{"[ui]\nmouse = \"yes\"", ":2: ui.mouse: is text; true or false is wanted"},
		{"[memory]\nmin_relevance = true", ":2: memory.min_relevance: is true; a number from 0 to 1 is wanted"},
		{"[chat]\npassive_timeout = [1]", ":2: chat.passive_timeout: is a list; a duration such as \"30m\" is wanted"},
		{"[context]\norder = \"persona\"", ":2: context.order: is text; a list such as"},
		{"model = 5", ":1: model: is a number; a table, [model], is wanted"},
		{"[agents.\"x.y\"]\nname = 1", ":2: agents."},
		{"agent = \"A B\"", ":1: agent: \"A B\" is no agent's id"},
		{"\n[memory]\nrag_top_n = 500", ":3: memory.rag_top_n is 500; allowed are 0 to 100"},
		{"memory.rag_top_n = 500", ":1: memory.rag_top_n is 500"},
		{"[memory]\n\"rag_top_n\" = 500", ":2: memory.rag_top_n is 500"},
		{"[ memory ] # here\n rag_top_n=500", ":2: memory.rag_top_n is 500"},
		{"[memory]\nweights = { keyword = 2 }", ":2: memory.weights.keyword is 2"},
		{"[memory.weights]\nkeywrd = 1", ":2: memory.weights.keywrd: no such setting; did you mean memory.weights.keyword?"},
		{"rag_top_n = 5", ":1: rag_top_n: no such setting; did you mean memory.rag_top_n?"},
		{"[mdoel]\nname = \"x\"", ":1: mdoel: no such setting; did you mean model?"},
		{"[agents.luna]\nnme = \"x\"", ":2: agents.luna.nme: no such setting; did you mean agents.luna.name?"},
		{"[agents.\"Lu na\"]\nname = \"x\"", ":1: agents.\"Lu na\": no agent's id"},
		{"[model]\nBase_URL = \"http://other/v1\"", ":2: model.Base_URL: no such setting; did you mean model.base_url?"},
		{"[Model]\nname = \"x\"", ":1: Model: no such setting; did you mean model?"},
		{"[agents.luna]\nNAME = \"x\"", ":2: agents.luna.NAME: no such setting; did you mean agents.luna.name?"},
		{"[model.prices.\"m-4.1\"]\ninput = 1\noutput = -2", ":3: model.prices.\"m-4.1\".output is -2; allowed are 0 to 1000000"},
		{"[model.prices.m]\ninptu = 1", ":2: model.prices.m.inptu: no such setting; did you mean model.prices.m.input?"},
		{"[model.prices.m]\nInput = 1", ":2: model.prices.m.Input: no such setting; did you mean model.prices.m.input?"},
		{"[model.prices.\"m-4.1\"]\ninput = \"1\"", ":2: model.prices.\"m-4.1\".input: is text; a number is wanted"},
		{"[model.price.m]\ninput = 1", ":1: model.price.m: no such setting; did you mean model.prices?"},
		{"[model]\ncurrency = \"dollars and cents\"", ":2: model.currency must be at most 8 bytes"},
		{"zzzzzzzzzzzzzz = 1", ":1: zzzzzzzzzzzzzz: no such setting"},
		{"[api]\nmodel = \"x\"", ":2: api.model: no such setting"},
		{"[api]\nlisten = \"0.0.0.0:7411\"", ":2: api.listen must be an address of this computer with a port"},
		{"[chat]\npassive_timeout = \"soon\"", ":2: chat.passive_timeout: \"soon\" is no duration"},
		{"[chat]\npassive_timeout = 30", ":2: chat.passive_timeout: a duration is a string such as \"30m\""},
		{"[chat]\npassive_timeout = \"1ms\"", ":2: chat.passive_timeout is 1ms; allowed are 1s to 720h"},
		{"[chat]\ncontext_limit = 99999999999999999999", ":2: chat.context_limit: "},
		{"[model]\nretries = 50", ":2: model.retries is 50; allowed are 0 to 10"},
		{"[model]\nname = \"\"\nbase_url = \"ftp://x\"", ":3: model.base_url must begin with http"},
		{"[context]\norder = [\"persona\", \"persna\"]", ":2: context.order has \"persna\"; allowed are persona,"},
		{"[chat\nx = 1", ":1: "},
		{"a = 1\na = 2", ":2: "},
		{"\b", ":1: "},
		{"[ui]\ntheme = \"pink\"", ":2: ui.theme is \"pink\"; allowed are auto, dark, light, contrast and none"},
	} {
		path := writeFile(t, c.text)
		cfg, from, err := load(path, true, nil)
		if err == nil || !strings.HasPrefix(err.Error(), path+c.want) {
			t.Errorf("%q: %v", c.text, err)
		}
		if from != nil || !cmp.Equal(cfg, Default()) {
			t.Errorf("%q: half a configuration was returned", c.text)
		}
	}
}

func TestMistakesInTheEnvironment(t *testing.T) {
	for _, c := range []struct{ variable, want string }{
		{"MEMORIA_CHAT_PASSIVE_TIMEOUT=soon", `MEMORIA_CHAT_PASSIVE_TIMEOUT: "soon" is no duration such as 30m`},
		{"MEMORY_RETRIEVAL_LIMIT=x", `MEMORY_RETRIEVAL_LIMIT: "x" is no whole number`},
		{"MEMORY_RETRIEVAL_LIMIT=101", "MEMORY_RETRIEVAL_LIMIT: memory.rag_top_n is 101; allowed are 0 to 100"},
		{"MEMORIA_MEMORY_MIN_RELEVANCE=half", `MEMORIA_MEMORY_MIN_RELEVANCE: "half" is no number`},
		{"MEMORIA_UI_MOUSE=maybe", `MEMORIA_UI_MOUSE: "maybe" is neither true nor false`},
		{"MEMORIA_AGENT=A B", `MEMORIA_AGENT: "A B" is no agent's id; allowed are 1 to 64 of a-z, 0-9, - and _`},
		{"MEMORIA_MODEL_NAEM=x", "MEMORIA_MODEL_NAEM: no such setting; did you mean MEMORIA_MODEL_NAME?"},
	} {
		_, _, err := load("/dev/null", true, []string{c.variable})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v", c.variable, err)
		}
	}
	// What is not shaped like a setting belongs to somebody else.
	if _, _, err := load("/dev/null", true, []string{"MEMORIA_DATA_DIR=x", "MEMORIA=1", "MODEL_NAME=x", "nothing"}); err != nil {
		t.Error(err)
	}
}

func TestConfigTooLarge(t *testing.T) {
	var ce *Error
	if _, _, err := load("/dev/zero", true, nil); !errors.As(err, &ce) || !strings.Contains(ce.Text, "larger than 1 MB") {
		t.Error(err)
	}
}

// I5: config.example.toml names every setting and equals the defaults.
func TestExampleEqualsDefaults(t *testing.T) {
	var cfg Config
	md, err := toml.Decode(Example, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	if left := md.Undecoded(); len(left) > 0 {
		t.Errorf("no settings: %v", left)
	}
	for _, key := range keys() {
		if !md.IsDefined(strings.Split(key, ".")...) {
			t.Errorf("%s is missing", key)
		}
	}
	want := Default()
	want.Memory.Archive = cfg.Memory.Archive // no settings
	if diff := cmp.Diff(want, cfg); diff != "" {
		t.Error(diff)
	}
	// The examples in the comments work.
	var lines []string
	example := false
	for line := range strings.SplitSeq(Example, "\n") {
		if example = strings.HasPrefix(line, "# [") || example && strings.HasPrefix(line, "#"); example {
			line = strings.TrimPrefix(line, "# ")
		}
		lines = append(lines, line)
	}
	cfg, _, err = load(writeFile(t, strings.Join(lines, "\n")), true, nil)
	if err != nil || cfg.Agents["luna"].Persona == "" || cfg.Model.Prices["gpt-4.1-mini"].CachedInput == nil {
		t.Error(cfg.Agents, cfg.Model.Prices, err)
	}
}

// What the environment sets is what a file sets: for every key, assigning the
// printed value of a field gives that value back.
func TestAssignRoundTrip(t *testing.T) {
	keys := keys()
	rapid.Check(t, func(t *rapid.T) {
		cfg := Default()
		key := rapid.SampledFrom(keys).Draw(t, "key")
		v := cfg.field(key)
		if !v.IsValid() || !v.CanSet() {
			t.Fatalf("%s: no field", key)
		}
		var text string
		var want any
		switch p := v.Addr().Interface().(type) {
		case *time.Duration:
			d := time.Duration(rapid.Int64().Draw(t, "duration"))
			text, want = d.String(), d
		case *[]string:
			list := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,9}`), 1, 5).Draw(t, "list")
			text, want = strings.Join(list, " , "), list
		default:
			switch v.Kind() {
			case reflect.String:
				text = rapid.String().Draw(t, "string")
				want = reflect.ValueOf(text).Convert(v.Type()).Interface()
			case reflect.Bool:
				b := rapid.Bool().Draw(t, "bool")
				text, want = strconv.FormatBool(b), b
			case reflect.Float64:
				f := rapid.Float64().Draw(t, "float")
				text, want = strconv.FormatFloat(f, 'g', -1, 64), f
			case reflect.Int, reflect.Int64:
				n := rapid.IntRange(-1e9, 1e9).Draw(t, "int")
				text, want = strconv.Itoa(n), reflect.ValueOf(n).Convert(v.Type()).Interface()
			default:
				t.Fatalf("%s: a %T cannot be set", key, p)
			}
		}
		if err := assign(v, text); err != nil {
			t.Fatalf("%s=%q: %v", key, text, err)
		}
		if !reflect.DeepEqual(v.Interface(), want) {
			t.Fatalf("%s=%q: %v", key, text, v.Interface())
		}
	})
}

func TestFieldOfUnknownKey(t *testing.T) {
	v := reflect.ValueOf(Default())
	for _, key := range []string{"", ".", "model", "model.", "model.nme", "memory.weights.x", "agents.x.name", "agent.x", "memory.rag_top_n.x"} {
		if got := bounds.Field(v, key); key != "model" && got.IsValid() {
			t.Errorf("%q: %v", key, got)
		}
	}
}

// Whatever lies in the file, loading it gives a valid configuration or an error
// with its place.
func FuzzLoadConfig(f *testing.F) {
	f.Add(Example, "")
	f.Add("[memory]\nrag_top_n = 500\n", "5")
	f.Add("agents.\"a\\nb\".name = 'x'\n[[model]]\n", "30m")
	f.Add("chat = 3\n", "a,b")
	f.Add("[context]\norder = [[]]\n", "\x00")
	f.Add("[memorY]\nrAg_top_n = 0", "")
	f.Add("\b", "0")
	f.Add("\xff\xfe", "")
	f.Add("[model.prices.\"a b\"]\ninput = -1\n[model.prices.c]\nx = nan\ninput = nan", "")
	f.Add("agents.a.name = 1\nagents.b.name = 2\nchat.context_limit = []\nagents.c = 3", "")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text, value string) {
		path := filepath.Join(dir, fmt.Sprintf("config-%d.toml", os.Getpid()))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		env := []string{"MEMORIA_CONTEXT_ORDER=" + value}
		cfg, from, err := load(path, true, env)
		faults := Read(Source{Path: path, Required: true, Env: env}).Faults
		if (len(faults) == 0) != (err == nil) || len(faults) > maxFaults {
			t.Fatalf("%d faults, but %v", len(faults), err)
		}
		for _, ce := range faults {
			switch {
			case ce.File != path && ce.Key != "MEMORIA_CONTEXT_ORDER", ce.Text == "":
				t.Fatalf("no place: %v", ce)
			case ce.Line < 0 || ce.Line > 1+strings.Count(text, "\n"):
				t.Fatalf("line %d of %q", ce.Line, text)
			}
		}
		if err == nil {
			if faults := cfg.faults(); len(faults) > 0 {
				t.Fatalf("an invalid configuration: %v", faults)
			}
			for key := range from {
				if !strings.HasPrefix(key, "agents") && !strings.HasPrefix(key, "model.prices.") && !bounds.Field(reflect.ValueOf(cfg), key).IsValid() {
					t.Fatalf("%q was set and is no setting", key)
				}
			}
			return
		}
		var ce *Error
		if !errors.As(err, &ce) || !slices.ContainsFunc(faults, func(f *Error) bool { return *f == *ce }) {
			t.Fatalf("not one of the faults: %v", err)
		}
	})
}

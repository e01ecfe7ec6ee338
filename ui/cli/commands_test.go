package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/ui/config"
	"memoria/ui/words"
)

// I5: what config show prints is a configuration with the same settings,
// whatever the user wrote into it.
func TestShownConfigurationIsTheSame(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		cfg := config.Default()
		cfg.Memory.MinRelevance = rapid.Float64Range(0, 1).Draw(t, "relevance")
		cfg.Chat.PassiveTimeout = time.Duration(rapid.Int64Range(int64(time.Second), int64(time.Hour)).Draw(t, "timeout"))
		cfg.Agents = rapid.MapOfN(rapid.StringMatching(`[a-z][a-z0-9_-]{0,9}`), rapid.Custom(func(t *rapid.T) config.Agent {
			return config.Agent{
				Name: rapid.StringMatching(`[^\pC\pZ]{0,40}`).Draw(t, "name"), Persona: rapid.StringMatching(`[^\pC]{0,80}`).Draw(t, "persona"),
				Model: rapid.StringMatching(`[^\pC\pZ]{0,40}`).Draw(t, "model"), Color: rapid.SampledFrom(append(memory.AgentColors(),
					"")).Draw(t, "color"),
			}
		}), 1, 3).Draw(t, "agents")
		cfg.Model.Prices = rapid.MapOfN(rapid.String(), rapid.Custom(func(t *rapid.T) model.Price {
			p := model.Price{Input: rapid.Float64Range(0, 100).Draw(t, "input"), Output: rapid.Float64Range(0, 100).Draw(t, "output")}
			if rapid.Bool().Draw(t, "cached") {
				p.CachedInput = &p.Input
			}
			return p
		}), 1, 3).Draw(t, "prices")
		var b strings.Builder
		for _, one := range shownSettings(&config.Loaded{Config: cfg}) {
			fmt.Fprintf(&b, "%s = %s # %s\n", one.Key, config.Literal(one.Value), one.From)
		}
		path := filepath.Join(dir, "config.toml")
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := config.Load(config.Source{Path: path, Required: true})
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		if diff := cmp.Diff(cfg, got.Config); diff != "" {
			t.Fatal(diff)
		}
	})
}

// A part of a message is one short line, around the word that was looked for.
func TestExcerpt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := rapid.String().Draw(t, "before"), rapid.String().Draw(t, "after")
		got := words.Excerpt(before+" 部署 "+after, "nothing 部署")
		if n := len([]rune(got)); n > 96+2 || strings.ContainsAny(got, "\n\t") {
			t.Fatalf("%d characters: %q", n, got)
		}
	})
	long := strings.Repeat("a b ", 100) + "needle" + strings.Repeat(" c d", 100)
	if got := words.Excerpt(long, "Needle"); !strings.Contains(got, "needle") || !strings.HasPrefix(got, "…") ||
		!strings.HasSuffix(got, "…") {
		t.Errorf("%q", got)
	}
}

// No text becomes a request of troff or an escape of its own.
func TestManualEscapesTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.StringOf(rapid.RuneFrom([]rune("a.'\\-\n \"^~`看"))).Draw(t, "text")
		var m page
		m.examples(said)
		m.text(said)
		for l := range strings.Lines(m.String()) {
			switch l = strings.TrimSuffix(l, "\n"); l {
			case ".PP", ".RS", ".nf", ".fi", ".RE":
				continue
			}
			if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
				t.Fatalf("%q is a request", l)
			}
			plain := strings.NewReplacer(`\e`, "", `\-`, "", `\(aq`, "", `\(ga`, "", `\(ha`, "", `\(ti`, "", `\&`, "").Replace(l)
			if strings.Contains(plain, `\`) {
				t.Fatalf("%q has an escape of its own", l)
			}
		}
	})
}

// Completing waits for nobody: while another memoria has the memory open, there
// are no ids, and no error.
func TestCompletionWhileOpenElsewhere(t *testing.T) {
	h := newHome(t)
	if code, _, errs := h.run(t, nil, "memory", "add", "Likes tea"); code != ExitDone {
		t.Fatal(errs)
	}
	_, out, _ := h.run(t, nil, "__complete", "memory", "show", "")
	if !strings.Contains(out, "Likes tea") {
		t.Fatalf("%q", out)
	}
	m, err := manager.Open(t.Context(), manager.Options{
		Dir: filepath.Join(h.dir, "XDG_DATA_HOME", "memoria"), Config: write.DefaultConfig(), Now: func() time.Time { return h.now }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.Close() }()
	for _, what := range []string{"memory", "session"} {
		code, out, _ := h.run(t, nil, "__complete", what, "show", "")
		if code != ExitDone || !strings.HasPrefix(out, ":") {
			t.Errorf("%s: code %d, %q", what, code, out)
		}
	}
}

// Without a key, servers of this computer are offered.
func TestModelsOfThisComputer(t *testing.T) {
	h := newHome(t)
	for _, c := range []struct {
		found []model.Found
		args  []string
		out   []string
		errs  []string
	}{
		{nil, []string{"models"}, nil, []string{"no model is configured (OPENAI_API_KEY is not set)", "No model server was found"}},
		{nil, []string{"models", "--json"}, []string{`"local": []`, `"models": []`}, nil},
		{[]model.Found{{Name: "Ollama", BaseURL: "http://127.0.0.1:11434/v1", Models: []string{"qwen3", "\x1b[2Jevil"}}}, []string{"models"},
			[]string{"Ollama at http://127.0.0.1:11434/v1\n  qwen3\n  ␛[2Jevil\n"},
			[]string{"MEMORIA_MODEL_BASE_URL=http://127.0.0.1:11434/v1 MEMORIA_MODEL_NAME=qwen3 memoria"}},
		{[]model.Found{{Name: "Ollama", BaseURL: "http://127.0.0.1:11434/v1", Models: []string{"qwen3"}}}, []string{"models", "--json"},
			[]string{`"base_url": "http://127.0.0.1:11434/v1"`, `"qwen3"`}, nil},
		{[]model.Found{{Name: "Ollama", BaseURL: "http://127.0.0.1:11434/v1"}}, []string{"doctor"},
			[]string{"warn   endpoint", "Ollama runs on this computer"}, nil},
	} {
		p, out, errs := h.program(c.args...)
		p.Find = func(context.Context) []model.Found { return c.found }
		if code := p.Run(t.Context()); code != ExitDone {
			t.Errorf("%q: code %d, %s", c.args, code, errs)
		}
		for _, want := range c.out {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q: %q has no %q", c.args, out, want)
			}
		}
		for _, want := range c.errs {
			if !strings.Contains(errs.String(), want) {
				t.Errorf("%q: %q has no %q", c.args, errs, want)
			}
		}
		if len(c.errs) == 0 && errs.Len() > 0 && c.args[0] != "doctor" {
			t.Errorf("%q: stderr %q", c.args, errs)
		}
	}
}

// What an endpoint answers instead of a list is told in words, without the key
// and without commands for the terminal.
func TestModelsRefused(t *testing.T) {
	for _, c := range []struct {
		status     int
		body, want string
	}{
		{http.StatusUnauthorized, "{\"error\": {\"message\": \"bad key " + testKey + " \\u001b[2J\"}}", "refused the key"},
		{http.StatusOK, "<html>Sign in</html>", "no proper answer"},
		{http.StatusInternalServerError, "", "failed"},
		{http.StatusNotFound, "{}", "memoria: "},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		}))
		h := newHome(t, "OPENAI_BASE_URL="+srv.URL+"/v1", "OPENAI_API_KEY="+testKey)
		for _, command := range []string{"models", "doctor"} {
			code, out, errs := h.run(t, nil, command)
			if code != ExitFailed || command == "models" && (out != "" || !strings.Contains(errs, c.want)) {
				t.Errorf("%d %s: code %d, %q, %q", c.status, command, code, out, errs)
			}
			if all := out + errs; strings.Contains(all, testKey) || strings.Contains(all, "\x1b") {
				t.Errorf("%d %s: %q", c.status, command, all)
			}
		}
		srv.Close()
	}
}

// L1: nothing is a confidence too.
func TestAddWithoutConfidence(t *testing.T) {
	h := newHome(t)
	for args, want := range map[string][2]string{
		"--confidence=0 --importance=0": {`"confidence": 0,`, `"importance": 0,`},
		"--confidence=0.2":              {`"confidence": 0.2,`, `"importance": 0.5,`},
		"--importance=1":                {`"confidence": 1,`, `"importance": 1,`},
	} {
		all := append([]string{"memory", "add", "--json"}, strings.Fields(args)...)
		code, out, errs := h.run(t, nil, append(all, "Likes tea")...)
		if code != ExitDone || !strings.Contains(out, want[0]) || !strings.Contains(out, want[1]) {
			t.Errorf("%s: %q %q", args, out, errs)
		}
	}
}

// D4: doctor sees who else may read, and leaves what is not its business.
func TestOpenToOthers(t *testing.T) {
	if !modesMatter {
		t.Skip("files have no modes here")
	}
	dir := filepath.Join(t.TempDir(), "data")
	for name, mode := range map[string]os.FileMode{"a": 0o600, "b": 0o604, "sub/c": 0o660, "sub/d": 0o400} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Chmod(filepath.Join(dir, "sub"), 0o755), os.Symlink("/etc/passwd", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	found, err := openToOthers(link, anyRight)
	if err != nil || len(found) != 3 {
		t.Fatal(found, err)
	}
	if found, err := openToOthers(dir, writeRight); err != nil || len(found) != 1 {
		t.Error(found, err)
	}
	if left, err := closeToOthers(append(found, filepath.Join(dir, "gone"))); len(left) > 0 || err != nil {
		t.Error(left, err)
	}
	if found, err := openToOthers(dir, anyRight); err != nil || len(found) > 0 {
		t.Error(found, err)
	}
	if found, err := openToOthers(filepath.Join(dir, "nowhere"), anyRight); err != nil || len(found) > 0 {
		t.Error(found, err)
	}
}

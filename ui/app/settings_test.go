package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/bounds"
	"memoria/memory/recall"
	"memoria/ui/config"
)

// options returns options whose files are in a folder of the test.
func options(t *testing.T, env ...string) *Options {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
		env = append(env, name+"="+filepath.Join(dir, name))
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return &Options{Env: env, Now: func() time.Time { return now }, Version: "test", Notify: func(string, ...any) {}}
}

// running is an open program with a session.
type running struct {
	*Session
	app  *App
	t    *testing.T
	path string
}

// start opens a session with a configuration file; an empty one is none.
func start(t *testing.T, o *Options, file string) *running {
	t.Helper()
	path := o.Paths().Config
	if file != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(o.PrepareDemo(t.Context()))
	a, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := a.Session(true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		open := s.Conversations.Chat()
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		for range open.Events() { // unread events
		}
	})
	return &running{Session: s, app: a, t: t, path: path}
}

// to goes to another agent.
func (r *running) to(id string) {
	was := r.Conversations.Chat()
	if _, err := r.Conversations.Switch(r.t.Context(), id); err != nil {
		r.t.Error(err)
	}
	for range was.Events() { // what nobody has read
	}
}

func (r *running) set(key, value string) Change {
	r.t.Helper()
	c, err := r.Settings.Set(key, value)
	if err != nil {
		r.t.Fatalf("%s = %s: %v", key, value, err)
	}
	return c
}

func (r *running) file() string {
	b, err := os.ReadFile(r.path)
	if err != nil && !os.IsNotExist(err) {
		r.t.Fatal(err)
	}
	return string(b)
}

// info is a setting as the panel lists it.
func (r *running) info(key string) config.Setting {
	r.t.Helper()
	all, err := r.Settings.List()
	if err != nil {
		r.t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(one config.Setting) bool { return one.Key == key })
	if i < 0 {
		r.t.Fatalf("%s is not listed", key)
	}
	return all[i]
}

// inRooms is the configuration that the rooms have.
func (r *running) inRooms() config.Config {
	c := r.Settings.now.Config
	c.Chat, c.Context = r.Conversations.Chat().Config()
	c.Memory = r.Memory.Config()
	c.Journal = r.Memory.Journals().JournalConfig()
	c.Memory.AgenticSearch = r.Conversations.Chat().Searches()
	c.Model = r.Models.used()
	return c
}

// another is a value that a setting may have and has not: the next one.
func another(t *testing.T, i config.Setting) string {
	switch i.Kind {
	case config.Switch:
		return map[string]string{"true": "false", "false": "true"}[i.Value]
	case config.Choice, config.List:
		if i.Choices[0] != i.Value {
			return i.Choices[0]
		}
		return i.Choices[1]
	case config.Duration:
		d, err := time.ParseDuration(i.Value)
		if err != nil {
			t.Fatal(err)
		}
		return bounds.Duration(d + time.Second)
	case config.Number:
		if strings.HasSuffix(i.Allowed, "to 1") {
			return sum(t, i.Value, "0.01")
		}
		if strings.HasSuffix(i.Allowed, "to "+i.Value) {
			return sum(t, i.Value, "-1")
		}
		return sum(t, i.Value, "1")
	}
	switch {
	case strings.HasSuffix(i.Key, "base_url"):
		return "http://127.0.0.1:9/v1"
	case i.Key == "api.listen":
		return config.DefaultListen
	}
	return "other"
}

// I5: every setting is listed, with its help; each can be changed, which counts at
// once or is said to count from the next start on, stands in the file behind the
// comments that were there, and can be taken back.
func TestEverySettingChanges(t *testing.T) {
	const file = "# mine\n\n# about the chat\n[chat] # the table\ncontext_limit = 12 # messages\n\n[agents.luna]\nname = \"Luna\"\n\n[model.prices.\"m\"]\ninput = 0.5\n"
	for _, declared := range config.Settings() {
		key, atStart := declared.Key, declared.AtStart
		t.Run(key, func(t *testing.T) {
			h := options(t)
			text := file
			if key == "embedding.api_key_env" { // it belongs to an address
				text += "\n[embedding]\nbase_url = \"http://127.0.0.1:9/v1\"\n"
			}
			r := start(t, h, text)
			was, before := r.info(key), r.inRooms()
			if was.Help == "" {
				t.Error("it has no help")
			}
			value := another(t, was)
			c := r.set(key, value)
			if got := fileValue(t, r.path, key); got != value {
				t.Errorf("the file says %q, want %q", got, value)
			}
			for _, kept := range []string{"# mine\n", "# about the chat\n[chat] # the table\n", "# messages\n", "[agents.luna]\nname = \"Luna\"", "[model.prices.\"m\"]\ninput = 0.5"} {
				if !strings.Contains(r.file(), kept) {
					t.Errorf("%q is lost:\n%s", kept, r.file())
				}
			}
			after := r.inRooms()
			changed := !cmp.Equal(before.Value(key), after.Value(key))
			if changed == atStart {
				t.Errorf("in force changed: %v; told: %s", changed, c.Words())
			}
			if is := r.info(key); atStart != (is.Later == value) || is.AtStart != atStart || !atStart && (is.Value != value || is.From != config.FromFile) {
				t.Errorf("listed as %+v", is)
			}
			if _, err := r.Settings.Undo(); err != nil {
				t.Fatal(err)
			}
			if is := r.info(key); is.Value != was.Value || is.From != was.From || is.Later != "" {
				t.Errorf("taken back it is %+v", is)
			}
			if diff := cmp.Diff(before, r.inRooms()); diff != "" {
				t.Error(diff)
			}
			if fileValue(t, r.path, key) != was.Value {
				t.Errorf("taken back the file is\n%s", r.file())
			}
			if _, err := r.Settings.Undo(); !errors.Is(err, ErrNothing) {
				t.Error(err)
			}
		})
	}
}

// fileValue returns what the file alone says of a setting.
func fileValue(t *testing.T, path, key string) string {
	t.Helper()
	l, err := config.Load(config.Source{Path: path, Required: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range l.Describe(l) {
		if one.Key == key {
			return one.Value
		}
	}
	return ""
}

// inFile returns the configuration in the file.
func inFile(t *testing.T, path string) config.Config {
	t.Helper()
	l, err := config.Load(config.Source{Path: path, Required: true})
	if err != nil {
		t.Fatal(err)
	}
	return l.Config
}

// R1: changing the number takes effect on the next retrieval.
func TestTheNumberCountsAtOnce(t *testing.T) {
	r := start(t, options(t), "")
	for _, text := range []string{"Likes green tea.", "Drinks tea at noon.", "Buys tea in Hangzhou."} {
		if _, err := r.Memory.Learning().AddItem(t.Context(), r.app.Agent.ID, memory.Item{Type: memory.TypeFact, Content: text}); err != nil {
			t.Fatal(err)
		}
	}
	chosen := func() int {
		t.Helper()
		got, err := r.Memory.Recall().Retrieve(t.Context(), r.app.Agent.ID, recall.Query{Text: "tea?"})
		if err != nil {
			t.Fatal(err)
		}
		return len(got.Chosen)
	}
	if n := chosen(); n != 3 {
		t.Fatalf("%d are recalled", n)
	}
	if c := r.set("rag_top_n", "1"); c.Words() != "memory.rag_top_n is 1 now" {
		t.Error(c.Words())
	}
	if n := chosen(); n != 1 {
		t.Errorf("with 1 %d are recalled", n)
	}
	if c, err := r.Settings.Unset("memory.rag_top_n"); err != nil || c.Setting.From != config.FromDefault || chosen() != 3 {
		t.Errorf("%+v, %v", c, err)
	}
	if !strings.HasPrefix(r.file(), "# The configuration of memoria.") {
		t.Errorf("the new file begins with\n%s", r.file())
	}
}

// I5: a variable counts at the start; a change counts in this run and says that the
// variable counts again at the next one.
func TestVariableAndFlag(t *testing.T) {
	h := options(t, "MEMORY_RETRIEVAL_LIMIT=9")
	h.Model = "of-the-flag"
	r := start(t, h, "[memory]\nrag_top_n = 4\n")
	if i := r.info("memory.rag_top_n"); i.Value != "9" || i.Source() != "environment, MEMORY_RETRIEVAL_LIMIT" {
		t.Errorf("%+v", i)
	}
	if i := r.info("model.name"); i.Value != "of-the-flag" || i.Source() != "flag, --model" {
		t.Errorf("%+v", i)
	}
	c := r.set("memory.rag_top_n", "2")
	if !strings.Contains(c.Words(), "is 2 now · MEMORY_RETRIEVAL_LIMIT is set, and overrides") || r.Memory.Config().TopN != 2 || c.Setting.Later != "9" {
		t.Errorf("%q, %d, %+v", c.Words(), r.Memory.Config().TopN, c.Setting)
	}
	if c, err := r.Settings.Unset("memory.rag_top_n"); err != nil || r.Memory.Config().TopN != 9 || !strings.Contains(c.Words(), "MEMORY_RETRIEVAL_LIMIT is set") || strings.Contains(r.file(), "rag_top_n") {
		t.Errorf("%q, %v, %d", c.Words(), err, r.Memory.Config().TopN)
	}
	for range 2 {
		if _, err := r.Settings.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	if r.file() != "[memory]\nrag_top_n = 4\n" || r.Memory.Config().TopN != 9 {
		t.Errorf("%q, %d", r.file(), r.Memory.Config().TopN)
	}
	r.set("model.name", "of-the-panel")
	if r.Models.used().Name != "of-the-panel" {
		t.Error(r.Models.used().Name)
	}
}

// D4, I5: a key goes to no address but the one it was set beside, also when the
// address is changed while the program runs.
func TestKeyStaysBehind(t *testing.T) {
	own, other := modeltest.NewServer(t), modeltest.NewServer(t)
	h := options(t, "KEY_A=sk-secret-a", "OPENAI_API_KEY=sk-secret-o")
	text := "[model]\nbase_url = \"" + own.URL + "\" # mine\napi_key_env = \"KEY_A\" # its key\nname = \"m\"\n"
	r := start(t, h, text+"\n[memory]\nanalysis = \"rules\"\n")
	if err := r.Conversations.Chat().Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	go func() {
		for range r.Conversations.Chat().Events() {
		}
	}()
	asked := func(s *modeltest.Server, n int, want string) {
		t.Helper()
		if _, err := r.Conversations.Chat().Send(t.Context(), "hello", nil); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		got := s.Wait(ctx, n)
		if len(got) != n || got[n-1].Header.Get("Authorization") != want {
			t.Fatalf("%d requests, the last with %q, want %q", len(got), got[len(got)-1].Header.Get("Authorization"), want)
		}
	}
	asked(own, 1, "Bearer sk-secret-a")
	r.set("model.retries", "1")
	asked(own, 2, "Bearer sk-secret-a")
	c := r.set("model.base_url", other.URL)
	if !strings.Contains(c.Words(), "model.api_key_env was taken out") || strings.Contains(r.file(), "KEY_A") || !strings.Contains(r.file(), "# its key\n") {
		t.Errorf("%s\n%s", c.Words(), r.file())
	}
	asked(other, 1, "")
	r.set("model.api_key_env", "KEY_A") // now it was set beside this one
	asked(other, 2, "Bearer sk-secret-a")
	for range 2 {
		if _, err := r.Settings.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	asked(own, 3, "Bearer sk-secret-a")
	if cfg := inFile(t, r.path); cfg.Model.APIKeyEnv != "KEY_A" || cfg.Model.BaseURL != own.URL {
		t.Errorf("taken back:\n%s", r.file())
	}
	for _, bad := range []string{"sk-secret-a", "\"sk-secret-a\""} {
		if _, err := r.Settings.Set("model.api_key_env", bad); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("a key in the place of its variable: %v", err)
		}
	}
	all, err := r.Settings.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range all {
		if strings.Contains(strings.Join([]string{i.Value, i.Note, i.Where, i.Help, i.Later}, " "), "secret") {
			t.Errorf("%s shows a key", i.Key)
		}
	}
}

// I4, I5: settings change while the user goes from one agent to another, and count
// for both.
func TestSettingsWhileGoing(t *testing.T) {
	r := start(t, options(t), "")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := range 20 {
			r.to([]string{"sol", "luna"}[n%2])
		}
	}()
	limit := time.After(time.Minute)
	for n := 1; ; n++ {
		changed := make(chan error, 1)
		go func() {
			_, err := r.Settings.Set("memory.rag_top_n", []string{"2", "3"}[n%2])
			if err == nil {
				_, err = r.Settings.Set("chat.context_limit", []string{"7", "8"}[n%2])
			}
			changed <- err
		}()
		select {
		case err := <-changed:
			if err != nil {
				t.Fatal(err)
			}
		case <-limit:
			t.Fatal("a change and the way to another agent wait for each other")
		}
		if cfg, _ := r.Conversations.Chat().Config(); cfg.ContextLimit != 7+n%2 {
			t.Errorf("round %d: the open conversation has %d", n, cfg.ContextLimit)
		}
		select {
		case <-done:
			return
		default:
		}
	}
}

// I4: an agent's own model is asked also when the server came after the agent was
// gone to, when it is the usual one by chance, and when its model was changed.
func TestOwnModel(t *testing.T) {
	server := modeltest.NewServer(t)
	r := start(t, options(t), "[agents.luna]\nmodel = \"luna-model\"\n")
	used := func(want string) {
		t.Helper()
		if got := r.Models.used().Name; got != want {
			t.Errorf("%s is asked, want %s", got, want)
		}
	}
	r.to("luna")
	if !r.Conversations.Chat().Info().Offline {
		t.Fatal("there is a server")
	}
	r.set("model.base_url", server.URL)
	used("luna-model")
	if _, err := r.Settings.Undo(); err != nil {
		t.Fatal(err)
	}
	r.to("sol")
	r.set("model.base_url", server.URL)
	r.set("model.name", "usual")
	used("usual")
	r.to("luna")
	r.set("model.name", "luna-model")
	used("luna-model")

	h := options(t)
	h.Agent = "luna"
	r = start(t, h, "[model]\nbase_url = \""+server.URL+"\"\nname = \"same\"\n[agents.luna]\nmodel = \"same\"\n")
	r.set("model.name", "usual")
	used("same")
	r.to("sol")
	used("usual")
}

// I5: a change that the model's client refuses leaves nothing behind: agents can be
// gone to as before.
func TestRefusedByClient(t *testing.T) {
	r := start(t, options(t, "KEY_A=sk-secret-a"), "[model]\nbase_url = \"http://model.example/v1\"\nallow_http = true\napi_key_env = \"KEY_A\"\n")
	if _, err := r.Settings.Set("model.allow_http", "false"); err == nil {
		t.Fatal("the key may travel unencrypted")
	}
	r.to("sol")
	if !r.Models.used().AllowHTTP || r.Conversations.Chat().Agent().ID != "sol" {
		t.Errorf("%+v", r.Models.used())
	}
}

// D4: of two variables and a change in between, the key of the first address does
// not go to the second.
func TestKeyOfAVariableStaysBehind(t *testing.T) {
	h := options(t, "MEMORIA_MODEL_BASE_URL=http://127.0.0.1:9/v1", "MEMORIA_MODEL_API_KEY_ENV=KEY_A", "KEY_A=sk-secret-a")
	r := start(t, h, "")
	if r.Models.key != "sk-secret-a" {
		t.Fatal("it has no key")
	}
	r.set("model.base_url", "http://127.0.0.1:8/v1")
	if r.Models.key != "" {
		t.Error("the key went along")
	}
	r.set("model.base_url", "https://api.openai.com/v1")
	if r.Models.key != "" || !r.Conversations.Chat().Info().Offline {
		t.Error("the key went along to OpenAI")
	}
	if _, err := r.Settings.Unset("model.base_url"); err != nil || r.Models.key != "sk-secret-a" {
		t.Error("the variables do not hold again", err)
	}
}

// I5: what cannot be is refused in words and changes nothing; so is a file that
// somebody broke meanwhile, which stays as it is.
func TestRefusedChange(t *testing.T) {
	r := start(t, options(t), "[memory]\nrag_top_n = 4\n")
	for key, c := range map[string]struct{ value, want string }{
		"memory.rag_top_n":     {"101", "allowed are 0 to 100"},
		"chat.passive_timeout": {"soon", "no duration such as 30m"},
		"ui.mouse":             {"perhaps", "neither true nor false"},
		"ui.theme":             {"blue", "allowed are auto"},
		"context.order":        {"persona, persona", "twice"},
		"model.base_url":       {"ftp://x", "must begin with"},
		"no.such":              {"1", "no setting"},
		"retries":              {"1", "embedding.retries or model.retries"},
		"model.name":           {"\"\"", "must name a model"},
	} {
		if _, err := r.Settings.Set(key, c.value); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", key, err)
		}
	}
	broken := "[memory]\nrag_top_n = 4\nrag_top = 3\n"
	if err := os.WriteFile(r.path, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Settings.Set("memory.rag_top_n", "5"); err == nil || !strings.Contains(err.Error(), "config.toml:3: memory.rag_top: no such setting") {
		t.Error(err)
	}
	if all, err := r.Settings.List(); err == nil || len(all) != len(config.Settings()) {
		t.Error("the list does not say that the file is broken", err)
	}
	if r.file() != broken || r.Memory.Config().TopN != 4 {
		t.Error("something was changed")
	}
	if err := os.WriteFile(r.path, []byte("[memory]\nrag_top_n = 6\n"), 0o400); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(r.path, 0o400); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Settings.Set("memory.rag_top_n", "5"); err == nil || !strings.Contains(err.Error(), "read-only") || r.Memory.Config().TopN != 4 {
		t.Error(err)
	}
	// What somebody wrote meanwhile counts from the next start on, and is listed so.
	if i := r.info("memory.rag_top_n"); i.Value != "4" || i.Later != "6" {
		t.Errorf("%+v", i)
	}
}

// I5: the demo writes nothing of the user's.
func TestDemoWritesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("to fill a demo is long")
	}
	h := options(t, "TMPDIR="+t.TempDir())
	h.Demo = true
	r := start(t, h, "[memory]\nrag_top_n = 4\n")
	c := r.set("memory.rag_top_n", "2")
	if r.Memory.Config().TopN != 2 || !strings.Contains(c.Words(), "the demo writes nothing") || r.file() != "[memory]\nrag_top_n = 4\n" {
		t.Errorf("%s\n%s", c.Words(), r.file())
	}
	if _, err := r.Settings.Set("backup.daily", "1"); err == nil {
		t.Error("a change that comes to nothing is called one")
	}
	if _, err := r.Settings.Undo(); err != nil || r.Memory.Config().TopN != 4 {
		t.Error(err, r.Memory.Config().TopN)
	}
}

// I5: settings change while messages are answered and memories recalled.
func TestChangesWhileItWorks(t *testing.T) {
	r := start(t, options(t), "")
	if err := r.Conversations.Chat().Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	go func() {
		for range r.Conversations.Chat().Events() {
		}
	}()
	var all sync.WaitGroup
	for _, change := range [][]string{
		{"memory.rag_top_n", "1", "3"}, {"chat.context_limit", "4", "9"}, {"context.order", "persona, window", "persona, recall, window"},
		{"model.retries", "1", "2"}, {"memory.pii_policy", "keep", "drop"}, {"memory.enable_agentic_search", "on", "off"},
	} {
		all.Go(func() {
			for n := range 4 {
				if _, err := r.Settings.Set(change[0], change[1+n%2]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Go(func() {
		for range 6 {
			if _, err := r.Conversations.Chat().Send(t.Context(), "My name is Bo and I like tea.", nil); err != nil {
				t.Error(err)
			}
			if _, err := r.Memory.Recall().Retrieve(t.Context(), r.app.Agent.ID, recall.Query{Text: "tea"}); err != nil {
				t.Error(err)
			}
			if _, err := r.Settings.List(); err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
	cfg := inFile(t, r.path)
	if got := r.inRooms(); got.Memory.TopN != cfg.Memory.TopN || got.Chat != cfg.Chat || !slices.Equal(got.Context.Order, cfg.Context.Order) || got.Model.Retries != cfg.Model.Retries {
		t.Errorf("in force %+v\nin the file %+v", got, cfg)
	}
}

// sum adds to a number or a duration, of the latter nanoseconds.
func sum(t *testing.T, text, more string) string {
	t.Helper()
	if d, err := time.ParseDuration(text); err == nil && strings.ContainsAny(text, "hms") {
		if more == "-1" {
			return (d - 1).String()
		}
		return (d + 1).String()
	}
	var one, other struct{ X float64 }
	for in, to := range map[string]any{text: &one, more: &other} {
		if _, err := toml.Decode("X = "+in, to); err != nil {
			t.Fatal(err)
		}
	}
	if n := one.X + other.X; n == float64(int64(n)) {
		return strconv.FormatInt(int64(n), 10)
	}
	return fmt.Sprint(one.X + other.X)
}

// I5: what would make of the file and a variable together no configuration is
// refused.
func TestVariablesAreAskedToo(t *testing.T) {
	h := options(t, "MEMORIA_EMBEDDING_API_KEY_ENV=KEY_B")
	file := "[embedding]\nbase_url = \"http://127.0.0.1:9/v1\"\n"
	r := start(t, h, file)
	if _, err := r.Settings.Unset("embedding.base_url"); err == nil || !strings.Contains(err.Error(), "MEMORIA_EMBEDDING_API_KEY_ENV") || r.file() != file {
		t.Errorf("%v\n%s", err, r.file())
	}
}

func TestChangeInWords(t *testing.T) {
	for want, c := range map[string]Change{
		"a.b is 7 now":                  {Setting: config.Setting{Key: "a.b", Value: "7"}, Before: "5"},
		"a.b is 7 as before · X is set": {Setting: config.Setting{Key: "a.b", Value: "7"}, Before: "7", Notes: []string{"X is set"}},
		"a.b is 9 after restart":        {Setting: config.Setting{Key: "a.b", Value: "7", Later: "9", AtStart: true}, Before: "7"},
		"a.b is 7 now · X is set · it counts no longer": {
			Setting: config.Setting{Key: "a.b", Value: "7"}, Before: "5", Notes: []string{"X is set", "it counts no longer"},
		},
	} {
		if got := c.Words(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// I5: the settings say that the model they name is not asked, as the header does.
func TestOfflineIsSaid(t *testing.T) {
	server := modeltest.NewServer(t)
	r := start(t, options(t), "")
	note := func(key string) string {
		t.Helper()
		all, err := r.Settings.List()
		if err != nil {
			t.Fatal(err)
		}
		return all[slices.IndexFunc(all, func(s config.Setting) bool { return s.Key == key })].Note
	}
	if got := note("model.name"); !strings.Contains(got, "offline") || got != note("model.base_url") {
		t.Errorf("offline: %q, %q", got, note("model.base_url"))
	}
	r.set("model.base_url", server.URL)
	if got := note("model.name"); got != "" {
		t.Errorf("with a server: %q", got)
	}
}

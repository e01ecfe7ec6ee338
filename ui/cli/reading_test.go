package cli

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/chat/model/modeltest"
)

// terminal is standard input that a person types at.
type terminal struct{ *strings.Reader }

func (terminal) IsTerminal() bool { return true }

const importedChats = `{"session":"a","time":"2024-03-01T10:00:00Z","role":"user","text":"I like oolong tea."}
{"session":"b","time":"2024-03-02T10:00:00Z","role":"user","text":"Our new depot occupies the fifth floor near the river."}
{"session":"b","time":"2024-03-02T10:01:00Z","role":"user","text":"Which boxes fit there?"}
`

// concluding is a model that concludes something from every conversation.
var concluding = modeltest.Step{Repeat: true, ToolCalls: []modeltest.ToolCall{{Name: "consolidation", Arguments: `{"title": "", "snippet": "", "items": [
	{"type": "fact", "subject": "user", "about": "depot", "content": "New depot occupies the fifth floor", "quotes": ["depot occupies the fifth floor"],
	"confidence": 0.8, "importance": 0.5}]}`}}}

// homeWithImport has conversations of another program, and prices of the model.
func homeWithImport(t *testing.T, url string) *home {
	t.Helper()
	h := newHome(t, "OPENAI_BASE_URL="+url, "MEMORIA_MODEL_NAME=m1", "MEMORIA_MODEL_RETRIES=0")
	folder := filepath.Join(h.dir, "XDG_CONFIG_HOME", "memoria")
	file := filepath.Join(h.dir, "chats.jsonl")
	for name, text := range map[string]string{
		filepath.Join(folder, "config.toml"): "[model]\ncurrency = \"$\"\n[model.prices.m1]\ninput = 2.0\noutput = 8.0\n", file: importedChats,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, errs := h.run(t, nil, "import", "jsonl", file, "--yes"); code != ExitDone {
		t.Fatalf("code %d, %q %q", code, out, errs)
	}
	return h
}

func typing(answer string) terminal { return terminal{strings.NewReader(answer)} }

// TestImportReadAsks checks that no request is made before a yes to a question that names the
// model, its host, the number of messages and the cost, and that --yes is none (D1).
func TestImportReadAsks(t *testing.T) {
	server := modeltest.NewServer(t, concluding)
	h := homeWithImport(t, server.URL)
	file := filepath.Join(h.dir, "chats.jsonl")
	host := strings.TrimSuffix(strings.TrimPrefix(server.URL, "http://"), "/v1")
	for _, c := range []struct {
		typed string
		args  []string
		code  int
		want  []string
	}{
		{"", []string{"import", "read"}, ExitUsage, []string{host, "Add --send"}},
		{"", []string{"import", "read", "--dry-run"}, ExitDone, nil},
		{"", []string{"import", "read", "--yes"}, ExitUsage, nil},
		{"", []string{"import", "jsonl", file, "--yes"}, ExitDone, nil},
		{"", []string{"import", "jsonl", file, "--yes", "--read"}, ExitUsage, []string{"add --send"}},
		{"", []string{"import", "jsonl", file, "--send"}, ExitUsage, []string{"--send is for --read"}},
		{"", []string{"--no-memory", "import", "read", "--send"}, ExitUsage, nil},
		{"\n", []string{"import", "read"}, ExitFailed, []string{"m1 on this computer (" + host + ")", "3 messages", "2 conversations", "at most about $", "Send? [y/N]", "nothing was sent"}},
		{"no\n", []string{"import", "read"}, ExitFailed, nil},
		{"", []string{"import", "read"}, ExitUsage, nil},
		{"n\n", []string{"import", "jsonl", file, "--yes", "--read"}, ExitDone, []string{host, "3 messages", "nothing was sent"}},
	} {
		p, out, errs := h.program(c.args...)
		if c.typed != "" {
			p.Stdin = typing(c.typed)
		}
		code := p.Run(t.Context())
		if code != c.code || len(server.Requests()) != 0 {
			t.Errorf("%q %q: code %d, want %d; %d requests; %q %q", c.args, c.typed, code, c.code, len(server.Requests()), out, errs)
		}
		for _, want := range c.want {
			if !strings.Contains(errs.String(), want) {
				t.Errorf("%q %q: %q is not in %q", c.args, c.typed, want, errs)
			}
		}
	}
	p, out, errs := h.program("import", "read", "--json")
	p.Stdin = typing("y\n")
	if code := p.Run(t.Context()); code != ExitDone || len(server.Requests()) != 2 {
		t.Errorf("code %d, %d requests, %q", code, len(server.Requests()), errs)
	}
	for _, want := range []string{`"agreed": true`, `"messages": 3`, `"held": 1`, `"conversations": 2`, `"host": "` + host, `"cost_at_most"`, `"generation"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, out)
		}
	}
	if _, list, _ := h.run(t, nil, "memory", "list"); strings.Count(list, "\n") != strings.Count(list, "(held: ") {
		t.Errorf("remembered: %q", list)
	}
	if _, list, _ := h.run(t, nil, "inbox", "list"); strings.Count(list, "\n") != 2 {
		t.Errorf("the inbox has %q", list)
	}
	if code, _, errs := h.run(t, nil, "import", "read", "--send"); code != ExitDone || len(server.Requests()) != 2 || !strings.Contains(errs, "nothing to read") {
		t.Errorf("again: code %d, %d requests, %q", code, len(server.Requests()), errs)
	}
}

// TestImportReadNamesAHost checks the question about a model elsewhere, without a price.
func TestImportReadNamesAHost(t *testing.T) {
	h := homeWithImport(t, "https://models.example:8443/v1")
	p, _, errs := h.program("import", "read", "--model", "m2")
	p.Stdin = typing("n\n")
	code := p.Run(t.Context())
	for _, want := range []string{"send 3 messages of yours from 2 conversations to m2 at models.example:8443", "the price of m2 is not in the configuration"} {
		if code != ExitFailed || !strings.Contains(errs.String(), want) {
			t.Errorf("code %d: %q is not in %q", code, want, errs)
		}
	}
	none := newHome(t)
	if code, _, errs := none.run(t, nil, "import", "read", "--send"); code != ExitFailed || !strings.Contains(errs, "a model is needed") {
		t.Errorf("without a model: code %d, %q", code, errs)
	}
}

// TestImportReadInterrupted checks that an interrupted reading says what it did, and that the
// next one reads the rest alone.
func TestImportReadInterrupted(t *testing.T) {
	scripted := modeltest.New(concluding)
	ctx, interrupt := context.WithCancel(t.Context())
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n++; n == 2 {
			interrupt() // the answer comes too late
			return
		}
		scripted.ServeHTTP(w, r)
	}))
	defer server.Close()
	h := homeWithImport(t, server.URL+"/v1")
	p, _, errs := h.program("import", "read", "--send")
	if code := p.Run(ctx); code != ExitInterrupted || !strings.Contains(errs.String(), "1 conversation not read yet") {
		t.Errorf("code %d, %q", code, errs)
	}
	if code, out, errs := h.run(t, nil, "import", "read", "--send"); code != ExitDone || len(scripted.Requests()) != 2 || !strings.Contains(out, "1 conversation") {
		t.Errorf("code %d, %d answered, %q %q", code, len(scripted.Requests()), out, errs)
	}
}

// TestImportReadFails checks that a server that refuses ends the reading at once, with the
// reason, and that nothing is marked as read.
func TestImportReadFails(t *testing.T) {
	server := modeltest.NewServer(t, modeltest.Step{Status: http.StatusUnauthorized, Body: `{"error":{"message":"bad key"}}`}, concluding)
	h := homeWithImport(t, server.URL)
	code, _, errs := h.run(t, nil, "import", "read", "--send")
	if code != ExitFailed || len(server.Requests()) != 1 || !strings.Contains(errs, "2 conversations not read yet") || !strings.Contains(errs, "key") {
		t.Errorf("code %d, %d requests, %q", code, len(server.Requests()), errs)
	}
	if code, _, errs := h.run(t, nil, "import", "read", "--send"); code != ExitDone || len(server.Requests()) != 3 {
		t.Errorf("code %d, %d requests, %q", code, len(server.Requests()), errs)
	}
}

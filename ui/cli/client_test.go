package cli

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/ui/config"
)

const testKey = "sk-test-4242"

func TestOpenAIBaseURLIsChecked(t *testing.T) {
	h := newHome(t, "OPENAI_BASE_URL=ftp://x")
	code, _, errs := h.run(t, nil, "ask", "x")
	if code != ExitUsage || !strings.Contains(errs, "OPENAI_BASE_URL: base_url must begin with http") {
		t.Errorf("code %d, stderr %q", code, errs)
	}
}

// D4: the key is sent beside the address and shown nowhere.
func TestKeyIsSentOnlyToItsEndpoint(t *testing.T) {
	server := modeltest.NewServer(t, modeltest.Step{Status: http.StatusUnauthorized, Body: `{"error":{"message":"bad key ` + testKey + `"}}`})
	h := newHome(t, "OPENAI_API_KEY="+testKey, "OPENAI_BASE_URL="+server.URL)
	code, out, errs := h.run(t, nil, "--debug", "ask", "hello")
	if code != ExitFailed || strings.Contains(out+errs, testKey) {
		t.Errorf("code %d, %q %q", code, out, errs)
	}
	other := modeltest.NewServer(t)
	h.env = append(h.env, "MEMORIA_MODEL_BASE_URL="+other.URL)
	if code, _, errs := h.run(t, nil, "ask", "hello"); code != ExitDone {
		t.Errorf("code %d, %q", code, errs)
	}
	if got := server.Requests(); len(got) != 1 || got[0].Header.Get("Authorization") != "Bearer "+testKey {
		t.Errorf("%d requests", len(got))
	}
	if got := other.Requests(); len(got) != 1 || got[0].Header.Get("Authorization") != "" {
		t.Errorf("the other server had %d requests, with %q", len(got), got[0].Header.Get("Authorization"))
	}
}

// A1: a message that an earlier process kept and did not answer is answered
// first; its answer is not the one that was asked for.
func TestUnansweredGoesFirst(t *testing.T) {
	server := modeltest.NewServer(t, modeltest.Step{Text: "to the old one"}, modeltest.Step{Text: "to the new one"})
	h := newHome(t, "OPENAI_BASE_URL="+server.URL)
	p, _, _ := h.program()
	data := p.Paths().Data
	m, err := manager.Open(t.Context(), manager.Options{Dir: data, Config: write.DefaultConfig(), Now: p.Now})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.KeepIncoming(t.Context(), config.DefaultAgent, "the same question", nil, ""); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	code, out, errs := h.run(t, nil, "ask", "the same question")
	if code != ExitDone || out != "to the new one\n" || !strings.Contains(errs, "1 message that an earlier run left unanswered") {
		t.Errorf("code %d, stdout %q, stderr %q", code, out, errs)
	}
}

// A1: what is added from standard input is marked, byte for byte.
func TestStdinIsASpan(t *testing.T) {
	for _, c := range []struct{ typed, added, want string }{
		{"看这个", "一行\n二行\n", "看这个\n\n一行\n二行"},
		{"", "only this\r\n", "only this"},
		{"only that", " \n", "only that"},
		{"bytes", "a\xffb", "bytes\n\na\uFFFDb"},
	} {
		p := &Program{Stdin: strings.NewReader(c.added)}
		got, spans, err := p.addStdin(t.Context(), c.typed)
		if err != nil || got != c.want {
			t.Errorf("%q + %q: %q, %v", c.typed, c.added, got, err)
		}
		r := memory.Record{Content: got, Spans: spans}
		if typed := strings.TrimSpace(r.Typed()); typed != c.typed {
			t.Errorf("%q + %q: typed %q", c.typed, c.added, typed)
		}
		kind := memory.SpanStdin
		if c.typed == "" {
			kind = memory.SpanPiped
		}
		for _, s := range spans {
			if s.Kind != kind {
				t.Errorf("%q + %q: kind %q", c.typed, c.added, s.Kind)
			}
		}
	}
}

// Without a model the answer comes first; what to say about the model comes
// after it, also where local servers are being looked for.
func TestOfflineAnswersFirst(t *testing.T) {
	p, out, _ := newHome(t).program("ask", "what is a kiln?")
	p.Stderr = out
	if code := p.Run(t.Context()); code != ExitDone {
		t.Errorf("code %d", code)
	}
	answer, notice := strings.Index(out.String(), "No language model"), strings.Index(out.String(), "nothing was sent anywhere")
	if answer != 0 || notice < answer {
		t.Errorf("%q", out)
	}
	if said := <-offer(context.Background(), p, ""); said != "" {
		t.Errorf("with a model: %q", said)
	}
}

// A model's name from a local server is only put into a command line when a
// shell takes it as it is.
func TestPlainName(t *testing.T) {
	for name, want := range map[string]bool{
		"llama3.2:3b": true, "org/model-7B@q4": true, "": false, "-x": false, "a b": false,
		"a;rm": false, "$(x)": false, "a'b": false, "模型": false,
	} {
		if plainName.MatchString(name) != want {
			t.Errorf("%q", name)
		}
	}
}

// --no-memory leaves what there is to analyse for later.
func TestNoMemoryLearnsNothing(t *testing.T) {
	server := modeltest.NewServer(t)
	h := newHome(t, "OPENAI_BASE_URL="+server.URL)
	h.run(t, nil, "--no-memory", "ask", "Remember that I like tea.")
	if _, out, errs := h.run(t, nil, "memory", "list"); out != "" {
		t.Errorf("%q %q", out, errs)
	}
}

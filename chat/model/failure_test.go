package model_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"unicode"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
)

// I3, A1: whatever goes wrong is an error of a known kind with a hint, and never a finished answer; what had come is
// kept.
func TestFailures(t *testing.T) {
	part := `{"id":"x","choices":[{"index":0,"delta":{"content":"half "}}]}`
	long := strings.Repeat("很长的错误 ", 2000)
	for _, tt := range []struct {
		name string
		step modeltest.Step
		kind model.Kind
		text string // that was kept
		says string
	}{
		{name: "no finish reason", step: modeltest.Step{Text: "half an answer", NoFinish: true}, kind: model.KindIncomplete, text: "half an answer"},
		{name: "neither finish reason nor mark", step: modeltest.Step{Text: "half", NoFinish: true, NoDone: true}, kind: model.KindIncomplete, text: "half"},
		{name: "last event without its empty line", step: modeltest.Step{Raw: "data: " + part + "\n\ndata: " + stop}, kind: model.KindIncomplete, text: "half "},
		{name: "nothing at all", step: modeltest.Step{Raw: "\n"}, kind: model.KindIncomplete},
		{name: "plain words", step: modeltest.Step{Raw: "Internal trouble"}, kind: model.KindIncomplete},
		{name: "a compression that is not known", step: modeltest.Step{Raw: "x", Encoding: "br"}, kind: model.KindBadResponse},
		{name: "gzip that is none", step: modeltest.Step{Raw: "data: x\n\n", Encoding: "gzip"}, kind: model.KindNetwork},
		{name: "only the mark", step: modeltest.Step{Raw: "data: [DONE]\n\n"}, kind: model.KindIncomplete},
		{name: "events that are no chunks", step: events(`{"hello":"world"}`, `{}`, `null`), kind: model.KindIncomplete},
		{name: "broken JSON", step: modeltest.Step{Text: "half ", Malformed: `{"choices":[{"delta":{"content":"x`}, kind: model.KindBadResponse, text: "half "},
		{name: "a list for an event", step: events(part, `[]`), kind: model.KindBadResponse, text: "half "},
		{name: "a number for an event", step: events(part, `7`), kind: model.KindBadResponse, text: "half "},
		{name: "wrong types", step: events(part, `{"choices":"none"}`), kind: model.KindIncomplete, text: "half "},
		{name: "connection lost before the answer", step: modeltest.Step{Text: "x", DropAfter: modeltest.After(0)}, kind: model.KindNetwork},
		{name: "connection lost in the answer", step: modeltest.Step{Text: "one two three", DropAfter: modeltest.After(2)}, kind: model.KindNetwork, text: "one two "},
		{name: "web page with 200", step: modeltest.Step{Status: 200, ContentType: "text/html", Body: "<!doctype html><h1>Sign in</h1>"}, kind: model.KindBadResponse, says: "web page"},
		{name: "web page as an event stream", step: modeltest.Step{Raw: "\n\n  <html>Sign in</html>"}, kind: model.KindBadResponse, says: "web page"},
		{name: "error with 200", step: modeltest.Step{Status: 200, Body: `{"error":{"message":"no such thing","type":"invalid"}}`}, kind: model.KindBadResponse, says: "no such thing"},
		{name: "error with 200 that gives a status", step: modeltest.Step{Status: 200, Body: `{"error":{"message":"slow down","code":429}}`}, kind: model.KindRate, says: "slow down"},
		{name: "error with 200 that is a string", step: modeltest.Step{Status: 200, Body: `{"error":"model is asleep"}`}, kind: model.KindBadResponse, says: "asleep"},
		{name: "answer in one piece", step: modeltest.Step{Status: 200, Body: `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`}, kind: model.KindBadResponse, says: "one piece"},
		{name: "error as an event", step: events(part, `{"error":{"message":"GPU fell off","code":503}}`), kind: model.KindServer, text: "half ", says: "GPU"},
		{name: "error as the first event", step: events(`{"error":{"message":"GPU fell off","type":"server_error"}}`), kind: model.KindServer, says: "GPU"},
		{name: "wrong key", step: modeltest.Step{Status: 401}, kind: model.KindAuth},
		{name: "forbidden", step: modeltest.Step{Status: 403, Body: "<html>no</html>"}, kind: model.KindAuth},
		{name: "nothing left to spend", step: modeltest.Step{Status: 429, Body: `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`}, kind: model.KindQuota},
		{name: "too many requests", step: modeltest.Step{Status: 429}, kind: model.KindRate},
		{name: "server trouble", step: modeltest.Step{Status: 502, ContentType: "text/html", Body: "<html>Bad gateway</html>"}, kind: model.KindServer, says: "web page"},
		{name: "unknown model", step: modeltest.Step{Status: 404, Body: `{"error":{"message":"The model 'x' does not exist","code":"model_not_found"}}`}, kind: model.KindModelNotFound, says: "'x'"},
		{name: "too long", step: modeltest.Step{Status: 400, Body: `{"error":{"message":"This model's maximum context length is 4096 tokens","code":"context_length_exceeded"}}`}, kind: model.KindContextLength},
		{name: "too long, llama.cpp", step: modeltest.Step{Status: 400, Body: `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`}, kind: model.KindContextLength},
		{name: "refused, FastAPI", step: modeltest.Step{Status: 422, Body: `{"detail":[{"loc":["body"],"msg":"bad"}]}`}, kind: model.KindRequest, says: "bad"},
		{name: "refused, Google", step: modeltest.Step{Status: 400, Body: `[{"error":{"code":400,"message":"bad argument","status":"INVALID_ARGUMENT"}}]`}, kind: model.KindRequest, says: "bad argument"},
		{name: "refused at great length", step: modeltest.Step{Status: 501, Body: long + "\x1b[31m"}, kind: model.KindRequest, says: "很长的错误"},
		{name: "one giant event", step: modeltest.Step{Giant: 3 << 20}, kind: model.KindTooLarge},
		{name: "too many tool calls", step: events(strings.Repeat(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a"},{"index":0,"id":"b"}]}}]}`+"\n\ndata: ", 200)), kind: model.KindBadResponse},
		{name: "moved elsewhere", step: modeltest.Step{Status: 307, Location: "https://elsewhere.example/v1/chat/completions?a=b"}, kind: model.KindBadResponse, says: "https://elsewhere.example/v1/chat/completions,"},
		{name: "moved to a page", step: modeltest.Step{Status: 302, Location: "/login"}, kind: model.KindBadResponse, says: "/login"},
		{name: "moved in circles", step: modeltest.Step{Status: 307, Location: "/v1/chat/completions", Repeat: true}, kind: model.KindBadResponse, says: "circles"},
		{name: "moved nowhere", step: modeltest.Step{Status: 302, Body: "data: " + part + "\n\n"}, kind: model.KindBadResponse},
		{name: "not modified", step: modeltest.Step{Status: 304}, kind: model.KindBadResponse},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := config()
			cfg.Retries = 0
			tt.step.Repeat = true
			srv := modeltest.New(tt.step)
			var rec recorder
			reply, err := inProcess(t, srv, cfg).Stream(background(t), ask("?"), rec.on)
			e := failure(t, err, tt.kind)
			if reply.Complete() || reply.FinishReason != "" {
				t.Errorf("the answer counts as finished: %+v", reply)
			}
			if tt.kind != model.KindTooLarge && (reply.Text != tt.text || rec.text() != tt.text) {
				t.Errorf("kept %q and told %q, want %q", reply.Text, rec.text(), tt.text)
			}
			if !strings.Contains(e.Message, tt.says) {
				t.Errorf("message is %q, want %q in it", e.Message, tt.says)
			}
			if e.Hint == "" || e.Message == "" || e.Host != "127.0.0.1:4000" {
				t.Errorf("error is not whole: %#v", e)
			}
			if n := len([]rune(e.Message)); n > 500 || strings.ContainsFunc(e.Error(), unicode.IsControl) {
				t.Errorf("message of %d characters: %q", n, e.Error())
			}
		})
	}
}

// countingTransport counts what is read of bodies.
type countingTransport struct {
	next http.RoundTripper
	read atomic.Int64
}

func (c *countingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := c.next.RoundTrip(r)
	if err == nil {
		res.Body = &countingBody{res.Body, &c.read}
	}
	return res, err
}

type countingBody struct {
	io.ReadCloser
	n *atomic.Int64
}

func (b *countingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n.Add(int64(n))
	return n, err
}

// I3: memory is bounded whatever comes: of 400 MB in one event, of an endless page and of an endless answer, no more is
// read than the limit and one buffer of at most its size.
func TestBoundedReading(t *testing.T) {
	endless := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := map[string]string{"/v1/page": "<html>", "/v1/json": `{"error":{"message":"`, "/v1/status": "{"}
		for path, h := range head {
			if strings.HasPrefix(r.URL.Path, path) {
				if path == "/v1/status" {
					w.WriteHeader(http.StatusInternalServerError)
				}
				_, _ = io.WriteString(w, h)
			}
		}
		line := "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + strings.Repeat("y", 1000) + "\"}}]}\n\n"
		if strings.HasPrefix(r.URL.Path, "/v1/lines") {
			line = "data: x\n"
		}
		for {
			if _, err := io.WriteString(w, line); err != nil {
				return
			}
		}
	})
	const maxEvent, maxAnswer = 256 << 10, 1 << 20
	for _, tt := range []struct {
		path  string
		h     http.Handler
		kind  model.Kind
		limit int64
	}{
		{"/v1", modeltest.New(modeltest.Step{Giant: 400_000_000}), model.KindTooLarge, 2 * maxEvent},
		{"/v1/answer", endless, model.KindTooLarge, maxAnswer + maxEvent},
		{"/v1/lines", endless, model.KindTooLarge, 2 * maxEvent},
		{"/v1/page", endless, model.KindBadResponse, 128 << 10},
		{"/v1/json", endless, model.KindBadResponse, 128 << 10},
		{"/v1/status", endless, model.KindServer, 128 << 10},
	} {
		t.Run(tt.path, func(t *testing.T) {
			cfg := config()
			cfg.BaseURL += strings.TrimPrefix(tt.path, "/v1")
			cfg.Retries, cfg.MaxEventBytes, cfg.MaxAnswerBytes = 0, maxEvent, maxAnswer
			count := &countingTransport{next: modeltest.Transport(tt.h)}
			c, err := model.NewOpenAI(cfg, model.WithTransport(count))
			if err != nil {
				t.Fatal(err)
			}
			reply, err := c.Stream(background(t), ask("?"), nil)
			mustFail(t, err, tt.kind)
			if n := count.read.Load(); n > tt.limit {
				t.Errorf("%d bytes were read, at most %d may be", n, tt.limit)
			}
			if int64(len(reply.Text)) > maxAnswer {
				t.Errorf("%d bytes of text were kept", len(reply.Text))
			}
		})
	}
}

func TestNoServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cfg := config()
	cfg.BaseURL, cfg.Retries = "http://"+l.Addr().String()+"/v1", 0
	_ = l.Close()
	c, err := model.NewOpenAI(cfg)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Stream(background(t), ask("?"), nil)
	e := failure(t, err, model.KindNetwork)
	if !strings.Contains(e.Message, "refused") {
		t.Errorf("message is %q", e.Message)
	}
}

// A cancelled call keeps the cause, and what had come.
func TestCancelInTheAnswer(t *testing.T) {
	srv := modeltest.NewServer(t, modeltest.Step{Text: "one two three", StallAfter: modeltest.After(2)})
	cfg := config()
	cfg.BaseURL = srv.URL
	c, err := model.NewOpenAI(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	byUser := errors.New("the user pressed Esc")
	ctx, cancel := context.WithCancelCause(background(t))
	reply, err := c.Stream(ctx, ask("?"), func(e model.Event) {
		if d, ok := e.(model.Delta); ok && d.Text == "two " {
			cancel(byUser)
		}
	})
	mustFail(t, err, model.KindCancelled)
	if !errors.Is(err, byUser) || !errors.Is(err, context.Canceled) {
		t.Errorf("the cause is lost: %v", err)
	}
	if reply.Text != "one two " || reply.Complete() {
		t.Errorf("reply is %+v", reply)
	}
}

// A certificate that is not trusted does not get better by asking again.
func TestCertificate(t *testing.T) {
	var log bytes.Buffer
	srv := httptest.NewUnstartedServer(modeltest.New())
	srv.Config.ErrorLog = stdlog.New(&log, "", 0)
	srv.StartTLS()
	defer srv.Close()
	cfg := config()
	cfg.BaseURL = srv.URL + "/v1"
	c, err := model.NewOpenAI(cfg, model.WithKey(testKey))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	var rec recorder
	_, err = c.Stream(background(t), ask("?"), rec.on)
	e := failure(t, err, model.KindNetwork)
	if !strings.Contains(e.Message, "certificate") || !strings.Contains(e.Hint, "clock") || len(rec.events) != 0 {
		t.Errorf("%#v, events %v", e, rec.events)
	}
}

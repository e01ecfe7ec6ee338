package model_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
)

// FuzzAnswer throws any body at the client: it never panics, never counts an answer as finished that names no finish
// reason, gives valid UTF-8, and its events join to its reply.
func FuzzAnswer(f *testing.F) {
	delta := `data: {"id":"a","choices":[{"index":0,"delta":{"content":"好 \ud83d\ude00"}}]}` + "\n\n"
	f.Add([]byte(delta+"data: "+stop+"\n\ndata: [DONE]\n\n"), 200)
	f.Add([]byte(delta), 200)
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"\xE5\x8C\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"\\ud83d\"}}]}\n\n"), 200)
	f.Add([]byte(`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":-1,"id":"a","function":{"name":"f","arguments":"{"}}]},"finish_reason":"tool_calls"}],"usage":{"total_tokens":-5}}`+"\n\n"), 200)
	f.Add([]byte(`{"error":{"message":"no","code":"x","param":["a"]}}`), 200)
	f.Add([]byte(`[{"error":null}]`), 429)
	f.Add([]byte("<html>"), 503)
	f.Add([]byte(""), 513)
	f.Add([]byte("\xEF\xBB\xBF: x\r\r\r\n"), 200)
	f.Fuzz(func(t *testing.T, page []byte, status int) {
		if status < 200 || status > 599 {
			status = 200
		}
		cfg := config()
		cfg.Retries, cfg.MaxEventBytes, cfg.MaxAnswerBytes = 0, 4<<10, 64<<10
		net := modeltest.Transport(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write(page)
		}))
		c, err := model.NewOpenAI(cfg, model.WithTransport(net), model.WithKey(testKey))
		if err != nil {
			t.Fatal(err)
		}
		var rec recorder
		reply, err := c.Stream(t.Context(), ask("?"), rec.on)
		var e *model.Error
		switch {
		case err == nil && (!reply.Complete() || len(reply.ToolCalls) == 0 && !strings.Contains(string(page), "finish_reason")):
			t.Errorf("finished without a finish reason: %+v", reply)
		case err != nil && !errors.As(err, &e):
			t.Errorf("error is a %T", err)
		case err != nil && (e.Message == "" || e.Hint == "" || reply.Complete()):
			t.Errorf("error is %#v, reply %+v", e, reply)
		}
		if !utf8.ValidString(reply.Text) || rec.text() != reply.Text {
			t.Errorf("text %q, deltas %q", reply.Text, rec.text())
		}
	})
}

package chat_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory/learn"
	"memoria/memory/manager/write"
)

// L2: what a server of the user's own has in its cache is the conversation. It is asked for
// an analysis only when no key was pressed and nothing streamed for twenty seconds; servers of
// providers are asked at once, and a conversation of one answer leaves it to others.
func TestAnalysisWaitsForRest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		url   string
		brief bool
		typed time.Duration // after the answer, one key; 0: none
		asked time.Duration // after the answer; 0: never
	}{
		"own":      {url: "http://localhost:8080/v1", asked: 20 * time.Second},
		"typing":   {url: "http://localhost:8080/v1", typed: 15 * time.Second, asked: 35 * time.Second},
		"provider": {url: "https://models.example/v1", asked: time.Nanosecond},
		"ask":      {url: "http://localhost:8080/v1", brief: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := modeltest.New(reply("I see."))
				server.Reply = func(*modeltest.Request) modeltest.Step { return modeltest.Step{Text: `{"items": []}`} }
				h := &house{
					t: t, dir: filepath.Join(t.TempDir(), "data"), server: server, bubble: true, analysis: write.AnalysisAuto,
					change: func(o *chat.Options) {
						cfg := model.DefaultConfig()
						cfg.BaseURL, cfg.Name, cfg.ContextTokens = c.url, "test-model", 8192
						client, err := model.NewOpenAI(cfg, model.WithTransport(server.Transport()))
						if err != nil {
							t.Fatal(err)
						}
						o.Model, o.Rest, o.Brief = client, chat.DefaultRest, c.brief
					},
				}
				h.open()
				read := make(chan struct{})
				go func() {
					defer close(read)
					for range h.chat.Events() { // until Close
					}
				}()
				defer func() { h.close(); <-read }()
				if _, err := h.chat.Send(t.Context(), flat, nil); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				asked := func() (n int) {
					synctest.Wait()
					for _, r := range server.Requests() {
						if r.Offers(learn.ToolName) {
							n++
						}
					}
					return n
				}
				if c.typed > 0 {
					time.Sleep(c.typed)
					h.chat.Touch()
					synctest.Wait()
				}
				if c.asked > time.Second {
					time.Sleep(c.asked - c.typed - time.Second)
					if n := asked(); n != 0 {
						t.Errorf("%d requests before the user has rested", n)
					}
					time.Sleep(2 * time.Second)
				}
				if c.asked == 0 {
					time.Sleep(time.Hour)
				}
				if n := asked(); n > 0 != (c.asked > 0) {
					t.Errorf("%d requests for an analysis", n)
				}
			})
		})
	}
}

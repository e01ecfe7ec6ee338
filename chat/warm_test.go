package chat_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
)

// S4: the first key after a pause lets a server of the user's own load the model: one
// request for one token that begins like the last turn's, and nothing of it is kept or
// told. Servers of others are not asked.
func TestWarm(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		url   string
		pause time.Duration
		asked int
	}{
		"own":          {"http://localhost:8080/v1", 10 * time.Minute, 1},
		"own, at once": {"http://localhost:8080/v1", time.Minute, 0},
		"provider":     {"https://models.example/v1", 10 * time.Minute, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := modeltest.New(reply("I see."), reply("W"), reply("Fine."))
				h := &house{
					t: t, dir: filepath.Join(t.TempDir(), "data"), server: server, bubble: true,
					change: func(o *chat.Options) {
						cfg := model.DefaultConfig()
						cfg.BaseURL, cfg.Name, cfg.ContextTokens = c.url, "test-model", 8192
						client, err := model.NewOpenAI(cfg, model.WithTransport(server.Transport()))
						if err != nil {
							t.Fatal(err)
						}
						o.Model, o.Rest = client, chat.DefaultRest
					},
				}
				h.open()
				defer func() {
					go func() {
						for range h.chat.Events() { // until Close
						}
					}()
					h.close()
				}()
				h.say("The kiln is in the yard.")
				time.Sleep(c.pause)
				for range 3 {
					h.chat.Touch()
					synctest.Wait()
				}
				all := server.Requests()
				if n := len(all) - 1; n != c.asked {
					t.Fatalf("asked ahead %d times, want %d", n, c.asked)
				}
				if c.asked == 1 {
					if diff := cmp.Diff(all[0].Messages, all[1].Messages); diff != "" || all[1].Fields["max_tokens"] != 1.0 {
						t.Errorf("%v tokens are asked for, and the request is another: %s", all[1].Fields["max_tokens"], diff)
					}
				}
				if kept, err := h.manager.Lookup().Records(t.Context(), luna, h.chat.Session().ID); err != nil || len(kept) != 2 {
					t.Errorf("%d messages are kept, %v", len(kept), err)
				}
			})
		})
	}
}

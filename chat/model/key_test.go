package model_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/BurntSushi/toml"
	"pgregory.net/rapid"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
)

// pieceOf reports whether s contains eight characters of the key in a row.
func pieceOf(key, s string) bool {
	for i := 0; i+8 <= len(key); i++ {
		if strings.Contains(s, key[i:i+8]) {
			return true
		}
	}
	return false
}

// The key goes into no log, error or printed value, also when the server repeats it, whole, cut, masked or encoded.
func TestKeyNeverShows(t *testing.T) {
	echo := func(as string) string {
		out, _ := json.Marshal(map[string]any{"error": map[string]any{"message": "key " + as + " is wrong", "param": as, "code": as}})
		return string(out)
	}
	for _, tt := range []struct {
		name string
		step modeltest.Step
	}{
		{"whole", modeltest.Step{Status: 401, Body: echo(testKey)}},
		{"in quotes", modeltest.Step{Status: 500, Body: echo("'" + testKey + "'")}},
		{"cut", modeltest.Step{Status: 401, Body: echo(testKey[:14] + "...")}},
		{"masked", modeltest.Step{Status: 401, Body: echo("sk-test-*********" + testKey[len(testKey)-4:])}},
		{"encoded", modeltest.Step{Status: 400, Body: echo(base64.StdEncoding.EncodeToString([]byte(testKey)) + url.QueryEscape(testKey))}},
		{"with its word", modeltest.Step{Status: 403, Body: "Authorization: Bearer " + testKey}},
		{"in a page with 200", modeltest.Step{Status: 200, Body: "{ \"" + testKey}},
		{"in an event", events(`{"error":"` + testKey + `"}`)},
		{"in a malformed event", events(`{"` + testKey)},
		{"in a redirect", modeltest.Step{Status: 307, Location: "https://evil.example/" + testKey + "?k=" + testKey}},
		{"in a redirect's host", modeltest.Step{Status: 307, Location: "https://" + testKey + ".example/"}},
		{"in a redirect's user", modeltest.Step{Status: 307, Location: "https://" + testKey + "@evil.example/"}},
		{"in a redirect without sense", modeltest.Step{Status: 307, Location: "https://%zz" + testKey}},
		{"dropped", modeltest.Step{Text: "x", DropAfter: modeltest.After(0)}},
		{"answered", modeltest.Step{Text: "fine"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tt.step.Repeat = true
				cfg := config()
				cfg.Retries = 1
				var log bytes.Buffer
				logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
				c := inProcess(t, modeltest.New(tt.step), cfg, model.WithLogger(logger))
				var seen strings.Builder
				reply, err := c.Stream(t.Context(), ask("secret words of mine"), func(e model.Event) { fmt.Fprintf(&seen, "%#v\n", e) })
				asJSON, _ := json.Marshal(err)
				var conf bytes.Buffer
				if err := toml.NewEncoder(&conf).Encode(cfg); err != nil {
					t.Fatal(err)
				}
				logger.Error("as people do", "err", err, "client", c, "info", c.Info(), "config", cfg)
				fmt.Fprintf(&seen, "%v %+v %#v %q %s %#v %s", err, err, err, fmt.Sprint(err), asJSON, reply, conf.String())
				fmt.Fprintf(&seen, "%v %+v %#v %s %#v", c, c, c, c, c.Info())
				for what, text := range map[string]string{"output": seen.String(), "log": log.String()} {
					if pieceOf(testKey, text) {
						t.Errorf("the key is in the %s: %s", what, text)
					}
				}
				if strings.Contains(log.String(), "secret words") {
					t.Errorf("the conversation is in the log: %s", log.String())
				}
				if !strings.Contains(log.String(), `"endpoint":"127.0.0.1:4000"`) {
					t.Errorf("the log says nothing: %s", log.String())
				}
			})
		})
	}
}

// No text that a server makes of the key gets through.
func TestRedactionProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(`[A-Za-z0-9_\-]{8,60}`).Draw(t, "key")
		from := rapid.IntRange(0, len(key)-8).Draw(t, "from")
		to := rapid.IntRange(from+8, len(key)).Draw(t, "to")
		message := rapid.String().Draw(t, "before") + key[from:to] + rapid.String().Draw(t, "after")
		body, err := json.Marshal(map[string]any{"error": message})
		if err != nil {
			t.Fatal(err)
		}
		cfg := config()
		cfg.Retries = 0
		srv := modeltest.New(modeltest.Step{Status: 500, Body: string(body)})
		c, err := model.NewOpenAI(cfg, model.WithKey(key), model.WithTransport(srv.Transport()))
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Stream(t.Context(), ask("?"), nil)
		if e := failure(t, err, model.KindServer); pieceOf(key, e.Message) {
			t.Fatalf("message %q shows the key %q", e.Message, key)
		}
	})
}

// A placeholder in place of a key is masked as a word and spoils no other words.
func TestShortKey(t *testing.T) {
	cfg := config()
	cfg.Retries = 0
	srv := modeltest.New(modeltest.Step{Status: 401, Body: `{"error":"key none is not known nonetheless"}`})
	_, err := inProcess(t, srv, cfg, model.WithKey("none")).Stream(background(t), ask("?"), nil)
	if e := failure(t, err, model.KindAuth); e.Message != "key [key] is not known nonetheless" {
		t.Errorf("message is %q", e.Message)
	}
}

// The key, and the conversation, go to the configured scheme, host and port alone.
func TestRedirectsDoNotCarryTheKey(t *testing.T) {
	other := modeltest.NewServer(t)
	for name, to := range map[string]string{
		"another port":   other.URL + "/chat/completions",
		"another host":   "http://localhost" + strings.TrimPrefix(other.URL, "http://127.0.0.1") + "/chat/completions",
		"another scheme": "https" + strings.TrimPrefix(other.URL, "http") + "/chat/completions",
	} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			srv := modeltest.NewServer(t, modeltest.Step{Status: status, Location: to})
			cfg := config()
			cfg.BaseURL, cfg.Retries = srv.URL, 0
			c, err := model.NewOpenAI(cfg, model.WithKey(testKey))
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Stream(background(t), ask("?"), nil)
			if e := failure(t, err, model.KindBadResponse); !strings.Contains(e.Message, "redirects to another place") {
				t.Errorf("%s, %d: %v", name, status, err)
			}
			_ = c.Close()
		}
	}
	if n := len(other.Requests()); n != 0 {
		t.Errorf("%d requests arrived at another place", n)
	}
}

// A redirect within the server that keeps the request is followed, with the key.
func TestRedirectWithinTheServer(t *testing.T) {
	srv := modeltest.NewServer(t, modeltest.Step{Status: 308, Location: "/v2/chat/completions"})
	cfg := config()
	cfg.BaseURL = srv.URL
	c, err := model.NewOpenAI(cfg, model.WithKey(testKey))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	reply, err := c.Stream(background(t), ask("hello"), nil)
	if err != nil || reply.Text != "hello" {
		t.Fatalf("%+v, %v", reply, err)
	}
	for _, r := range srv.Requests() {
		if r.Header.Get("Authorization") != "Bearer "+testKey {
			t.Errorf("authorization is %q", r.Header.Get("Authorization"))
		}
	}
}

// openai-go's own client reads these; what the screen shows must be what is used.
func TestEnvironmentIsNotRead(t *testing.T) {
	other := modeltest.NewServer(t)
	for name, value := range map[string]string{
		"OPENAI_BASE_URL": other.URL, "OPENAI_API_KEY": "sk-from-the-environment", "OPENAI_ADMIN_KEY": "sk-admin",
		"OPENAI_ORG_ID": "org", "OPENAI_PROJECT_ID": "project", "OPENAI_CUSTOM_HEADERS": "X-Leak: yes",
	} {
		t.Setenv(name, value)
	}
	srv := modeltest.New()
	if _, err := inProcess(t, srv, config(), model.WithKey("")).Stream(background(t), ask("?"), nil); err != nil {
		t.Fatal(err)
	}
	h := srv.Requests()[0].Header
	for _, name := range []string{"Authorization", "OpenAI-Organization", "OpenAI-Project", "X-Leak"} {
		if v := h.Get(name); v != "" {
			t.Errorf("%s is %q", name, v)
		}
	}
	if len(other.Requests()) != 0 {
		t.Error("the request went where the environment says")
	}
}

// The key does not travel unencrypted to another computer unless that is wished.
func TestPlainHTTP(t *testing.T) {
	for _, tt := range []struct {
		url   string
		key   string
		allow bool
		ok    bool
	}{
		{"http://192.168.1.5:8000/v1", testKey, false, false},
		{"http://models.example/v1", testKey, false, false},
		{"http://localhost.example/v1", testKey, false, false},
		{"http://127.0.0.1.example/v1", testKey, false, false},
		{"http://192.168.1.5:8000/v1", testKey, true, true},
		{"http://192.168.1.5:8000/v1", "", false, true},
		{"http://localhost:11434/v1", testKey, false, true},
		{"http://127.8.8.8/v1", testKey, false, true},
		{"http://[::1]:8080/v1", testKey, false, true},
		{"https://models.example/v1", testKey, false, true},
	} {
		cfg := config()
		cfg.BaseURL, cfg.AllowHTTP = tt.url, tt.allow
		_, err := model.NewOpenAI(cfg, model.WithKey(tt.key))
		if (err == nil) != tt.ok {
			t.Errorf("%s, key %q, allowed %v: %v", tt.url, tt.key, tt.allow, err)
		}
		if err != nil && pieceOf(testKey, err.Error()) {
			t.Errorf("the key is in %v", err)
		}
	}
}

func TestKeyThatIsNone(t *testing.T) {
	for _, key := range []string{"sk-abc\ndef-ghi-jkl", "sk-abc def-ghi-jkl", "sk-密钥-abcdefgh", "sk-\x00abcdefgh"} {
		_, err := model.NewOpenAI(config(), model.WithKey(key))
		if err == nil || pieceOf(key, err.Error()) {
			t.Errorf("key %q: %v", key, err)
		}
	}
	srv := modeltest.New()
	if _, err := inProcess(t, srv, config(), model.WithKey(" "+testKey+"\n")).Stream(background(t), ask("?"), nil); err != nil {
		t.Fatal(err)
	}
	if got := srv.Requests()[0].Header.Get("Authorization"); got != "Bearer "+testKey {
		t.Errorf("authorization is %q", got)
	}
}

// The model list is asked for with the key, at the same place.
func TestModelsCarryTheKey(t *testing.T) {
	var got http.Header
	srv := modeltest.New()
	net := transportFunc(func(r *http.Request) (*http.Response, error) {
		got = r.Header
		return srv.Transport().RoundTrip(r)
	})
	if _, err := inProcess(t, srv, config(), model.WithTransport(net)).Models(background(t)); err != nil {
		t.Fatal(err)
	}
	if got.Get("Authorization") != "Bearer "+testKey {
		t.Errorf("authorization is %q", got.Get("Authorization"))
	}
}

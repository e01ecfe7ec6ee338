package model_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
)

func TestModels(t *testing.T) {
	srv := modeltest.New()
	srv.Models = []string{"b", "a", "gpt-4.1-mini"}
	names, err := inProcess(t, srv, config()).Models(background(t))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(srv.Models, names); d != "" {
		t.Error(d)
	}
}

func TestModelsFail(t *testing.T) {
	endless := `{"object":"list","data":[` + strings.Repeat(`{"id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},`, 100_000)
	page := func(status int, body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})
	}
	for _, tt := range []struct {
		name string
		h    http.Handler
		kind model.Kind
	}{
		{"wrong key", page(401, `{"error":"no"}`), model.KindAuth},
		{"web page", page(200, "<html>"), model.KindBadResponse},
		{"other JSON", page(200, `{"status":"ok"}`), model.KindBadResponse},
		{"too long", page(200, endless), model.KindTooLarge},
		{"trouble", page(500, ""), model.KindServer},
		{"a name without end", page(200, `{"object":"list","data":[{"id":"`+strings.Repeat("x", 1000)+`"}]}`), model.KindBadResponse},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := model.NewOpenAI(config(), model.WithTransport(modeltest.Transport(tt.h)))
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Models(background(t))
			if e := failure(t, err, tt.kind); e.Host == "" {
				t.Error("the error does not say where")
			}
		})
	}
	t.Run("silence", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c, err := model.NewOpenAI(config(), model.WithTransport(never(true)))
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			_, err = c.Models(t.Context())
			mustFail(t, err, model.KindFirstTokenTimeout)
			if took := time.Since(start); took != 130*time.Second {
				t.Errorf("took %v", took)
			}
		})
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(background(t))
		cancel()
		_, err := inProcess(t, modeltest.New(), config()).Models(ctx)
		mustFail(t, err, model.KindCancelled)
	})
}

// Servers on this computer are found, and what is none is not, in the order of the places and without a key.
func TestDiscover(t *testing.T) {
	var authorized atomic.Bool
	serve := func(body string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "" {
				authorized.Store(true)
			}
			_, _ = io.WriteString(w, body)
		}))
		t.Cleanup(s.Close)
		return s.URL + "/v1"
	}
	moved := httptest.NewServer(http.RedirectHandler(serve(`{"object":"list","data":[]}`)+"/models", http.StatusFound))
	t.Cleanup(moved.Close)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()

	real := modeltest.NewServer(t)
	real.Models = []string{"tinyllama", "qwen3"}
	good := []model.Found{
		{Name: "with models", BaseURL: real.URL, Models: []string{"tinyllama", "qwen3"}},
		{Name: "without models", BaseURL: serve(`{"object":"list","data":null}`), Models: []string{}},
	}
	found := model.Discover(background(t), nil,
		model.Found{Name: "web page", BaseURL: serve("<html>hello</html>")},
		model.Found{Name: "with models", BaseURL: real.URL},
		model.Found{Name: "other JSON", BaseURL: serve(`{"data":{"id":1}}`)},
		model.Found{Name: "a list of something else", BaseURL: serve(`{"object":"list","data":[{"name":"x"}]}`)},
		model.Found{Name: "an empty object", BaseURL: serve(`{}`)},
		model.Found{Name: "moved", BaseURL: moved.URL + "/v1"},
		model.Found{Name: "closed", BaseURL: "http://" + closed.Addr().String() + "/v1"},
		model.Found{Name: "not an address", BaseURL: "::"},
		model.Found{Name: "without models", BaseURL: good[1].BaseURL},
	)
	if d := cmp.Diff(good, found); d != "" {
		t.Error(d)
	}
	if authorized.Load() {
		t.Error("a key was sent")
	}

	cfg := found[0].Config(model.DefaultConfig())
	if cfg.BaseURL != real.URL || cfg.Name != "tinyllama" || cfg.APIKeyEnv != "" || cfg.Validate() != nil || !cfg.Local() {
		t.Errorf("config is %+v", cfg)
	}
}

// 300 ms at most, whatever listens there; what has answered by then counts.
func TestDiscoverEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := modeltest.New()
		deaf := make(chan struct{})
		client := &http.Client{Transport: transportFunc(func(r *http.Request) (*http.Response, error) {
			switch r.URL.Port() {
			case "11434":
				return srv.Transport().RoundTrip(r)
			case "8080":
				<-deaf // does not even obey its context
				return nil, context.Canceled
			default:
				return never(false)(r)
			}
		})}
		start := time.Now()
		found := model.Discover(t.Context(), client)
		if took := time.Since(start); took != 300*time.Millisecond {
			t.Errorf("took %v", took)
		}
		want := []model.Found{{Name: "Ollama", BaseURL: "http://127.0.0.1:11434/v1", Models: []string{"scripted"}}}
		if d := cmp.Diff(want, found); d != "" {
			t.Error(d)
		}
		close(deaf)
	})
}

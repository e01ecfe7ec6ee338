package model_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
)

// paths answers "METHOD /path" with fixed JSON and counts what is asked.
type paths struct {
	pages map[string]string
	asked map[string]int
}

func (p *paths) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.Method + " " + r.URL.Path
	p.asked[key]++
	page, ok := p.pages[key]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_, _ = w.Write([]byte(page))
}

// C7: the size of the context is the setting, then what the server has loaded, then that of the table, then 8,192.
func TestContextOf(t *testing.T) {
	for name, c := range map[string]struct {
		setting int
		model   string
		url     string
		pages   map[string]string
		want    int
		from    string
		again   int // questions that a second request costs
	}{
		"the setting": {setting: 5000, model: "m", pages: map[string]string{"GET /v1/models": `{"data":[{"id":"m","max_model_len":16384}]}`},
			want: 5000, from: "setting"},
		"vLLM": {model: "m", pages: map[string]string{"GET /v1/models": `{"data":[{"id":"x","max_model_len":1024},{"id":"m","max_model_len":16384}]}`},
			want: 16384, from: "server", again: 1},
		"llama.cpp, not what it was trained with": {model: "m", pages: map[string]string{
			"GET /v1/models": `{"data":[{"id":"m","meta":{"n_ctx_train":131072}}]}`,
			"GET /props":     `{"default_generation_settings":{"n_ctx":6144},"total_slots":4}`},
			want: 6144, from: "server", again: 1},
		"Ollama, loaded": {model: "qwen3", pages: map[string]string{
			"GET /v1/models": `{"object":"list","data":[{"id":"qwen3:latest"}]}`,
			"GET /api/ps":    `{"models":[{"name":"llama3:8b","context_length":2048},{"name":"qwen3:latest","context_length":12288}]}`},
			want: 12288, from: "server", again: 1},
		"Ollama, not loaded, with a parameter": {model: "qwen3:8b", pages: map[string]string{
			"GET /api/ps": `{"models":[]}`, "POST /api/show": `{"parameters":"stop \"<|end|>\"\nnum_ctx    10240\n"}`},
			want: 10240, from: "server", again: 2},
		"Ollama, not loaded": {model: "qwen3:8b", pages: map[string]string{"GET /api/ps": `{"models":[]}`, "POST /api/show": `{}`},
			want: 4096, from: "server", again: 2},
		"LM Studio": {model: "phi-4", pages: map[string]string{
			"GET /api/v0/models": `{"data":[{"id":"phi-4","state":"loaded","max_context_length":16384,"loaded_context_length":5120}]}`},
			want: 5120, from: "server", again: 1},
		"the table":                   {model: "GPT-4o-mini-2024-07-18", want: 128000, from: "table"},
		"the table's longest row":     {model: "meta-llama/Llama-3.1-8B-Instruct", want: 131072, from: "table"},
		"nothing is known":            {model: "my-own", want: 8192, from: "assumed"},
		"a size that cannot be":       {model: "m", pages: map[string]string{"GET /props": `{"default_generation_settings":{"n_ctx":-1}}`}, want: 8192, from: "assumed"},
		"a page that is no JSON":      {model: "m", pages: map[string]string{"GET /props": `<html>`, "GET /v1/models": `[1]`}, want: 8192, from: "assumed"},
		"a provider's list":           {model: "z/new", url: "https://models.example/api/v1", pages: map[string]string{"GET /api/v1/models": `{"data":[{"id":"z/new","context_length":65000}]}`}, want: 65000, from: "server", again: 1},
		"a provider's known model":    {model: "gpt-4o", url: "https://models.example/v1", pages: map[string]string{"GET /v1/models": `{"data":[{"id":"gpt-4o","context_length":9}]}`}, want: 128000, from: "table"},
		"a provider is asked no more": {model: "new", url: "https://models.example/v1", pages: map[string]string{"GET /props": `{"default_generation_settings":{"n_ctx":6144}}`}, want: 8192, from: "assumed"},
	} {
		t.Run(name, func(t *testing.T) {
			srv := &paths{c.pages, map[string]int{}}
			cfg := config()
			cfg.Name, cfg.ContextTokens = c.model, c.setting
			if c.url != "" {
				cfg.BaseURL = c.url
			}
			client, err := model.NewOpenAI(cfg, model.WithTransport(oneByOne(srv)))
			if err != nil {
				t.Fatal(err)
			}
			tokens, from := model.ContextOf(t.Context(), client)
			if tokens != c.want || from != c.from {
				t.Errorf("%d from the %s, want %d from the %s", tokens, from, c.want, c.from)
			}
			clear(srv.asked)
			if again, _ := model.ContextOf(t.Context(), client); again != tokens {
				t.Errorf("then %d", again)
			}
			n := 0
			for _, k := range srv.asked {
				n += k
			}
			if n != c.again {
				t.Errorf("a second request asks %v", srv.asked)
			}
		})
	}
}

// oneByOne answers with h, one request at a time.
func oneByOne(h http.Handler) http.RoundTripper {
	turn := make(chan struct{}, 1)
	return modeltest.Transport(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		turn <- struct{}{}
		defer func() { <-turn }()
		h.ServeHTTP(w, r)
	}))
}

// C7: a server that does not answer costs a request 300 ms, and not every request.
func TestContextOfASilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, err := model.NewOpenAI(config(), model.WithTransport(modeltest.Transport(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
		}))))
		if err != nil {
			t.Fatal(err)
		}
		var waits []time.Duration
		for range 5 {
			began := time.Now()
			if n, from := model.ContextOf(t.Context(), client); n != 8192 || from != "assumed" {
				t.Errorf("%d from the %s", n, from)
			}
			waits = append(waits, time.Since(began))
		}
		if waits[0] != 300*time.Millisecond || waits[3] != 0 || waits[4] != 0 {
			t.Errorf("it waited %v", waits)
		}
	})
}

// C7: a model that is named beside the configured one is asked about by its own name.
func TestContextOfANamedModel(t *testing.T) {
	srv := &paths{map[string]string{"GET /v1/models": `{"data":[{"id":"a","max_model_len":1000},{"id":"b","max_model_len":2000}]}`}, map[string]int{}}
	cfg := config()
	cfg.Name = "a"
	client, err := model.NewOpenAI(cfg, model.WithTransport(oneByOne(srv)))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"a": 1000, "b": 2000} {
		if n, _ := model.ContextOf(t.Context(), model.Named(client, name)); n != want {
			t.Errorf("%s: %d, want %d", name, n, want)
		}
	}
}

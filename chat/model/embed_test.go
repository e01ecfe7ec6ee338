package model_test

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/index/vector"
	"memoria/memory/indexer"
)

func embedConfig() model.EmbedConfig {
	cfg := model.DefaultEmbedConfig()
	cfg.BaseURL, cfg.Name = "http://127.0.0.1:9/v1", "bge-small"
	return cfg
}

func newEmbedder(t testing.TB, s *modeltest.Server, change func(*model.EmbedConfig), opts ...model.Option) *model.Embedder {
	t.Helper()
	cfg := embedConfig()
	if change != nil {
		change(&cfg)
	}
	half := func() float64 { return 0.5 }
	e, err := model.NewEmbedder(cfg, append([]model.Option{model.WithTransport(s.Transport()), model.WithRandom(half)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// I3: the texts go to the server with their prefix, and a vector of length 1
// comes back for each, in their order.
func TestEmbed(t *testing.T) {
	s := modeltest.New()
	e := newEmbedder(t, s, func(c *model.EmbedConfig) {
		c.Dimensions, c.ItemPrefix, c.QueryPrefix = 16, "passage: ", "query: "
	}, model.WithKey("sk-mine-123456"))
	s.AddEmbed(modeltest.EmbedStep{Change: func(a *modeltest.EmbedAnswer) { // another order is allowed: they are numbered
		a.Data[0], a.Data[1] = a.Data[1], a.Data[0]
	}})
	got, err := e.Embed(context.Background(), indexer.ForItem, []string{"Likes tea", "住在杭州"})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{"passage: Likes tea", "passage: 住在杭州"} {
		want := make([]float32, 16)
		for j, x := range modeltest.Words(text, 16, "") {
			want[j] = float32(x)
		}
		if err := vector.Normalise(want); err != nil {
			t.Fatal(err)
		}
		if d := vector.Dot(got[i], want); math.Abs(float64(d)-1) > 1e-5 {
			t.Errorf("vector %d is not that of %q: %v", i, text, d)
		}
		if d := vector.Dot(got[i], got[i]); math.Abs(float64(d)-1) > 1e-5 {
			t.Errorf("vector %d has not the length 1: %v", i, d)
		}
	}
	if _, err := e.Embed(context.Background(), indexer.ForQuery, []string{"tea?"}); err != nil {
		t.Fatal(err)
	}
	r := s.Embeddings()
	if len(r) != 2 || r[0].Model != "bge-small" || r[0].Dimensions != 16 || r[0].Format != "float" || r[1].Input[0] != "query: tea?" {
		t.Errorf("requests %+v", r)
	}
	if got := r[0].Header.Get("Authorization"); got != "Bearer sk-mine-123456" {
		t.Errorf("the key was sent as %q", got)
	}
	if got := r[0].Header.Get("X-Stainless-Os"); got != "" {
		t.Errorf("the library describes this computer: %q", got)
	}
}

// I3: what is no proper answer is refused whole, whatever it is.
func TestEmbedRefuses(t *testing.T) {
	change := func(f func(a *modeltest.EmbedAnswer)) modeltest.EmbedStep { return modeltest.EmbedStep{Change: f} }
	raw := func(body string) modeltest.EmbedStep { return modeltest.EmbedStep{Status: 200, Body: body} }
	for name, c := range map[string]struct {
		step modeltest.EmbedStep
		kind model.Kind
		says string
	}{
		"too few":   {change(func(a *modeltest.EmbedAnswer) { a.Data = a.Data[:1] }), model.KindBadResponse, "1 vectors came where 2"},
		"too many":  {change(func(a *modeltest.EmbedAnswer) { a.Data = append(a.Data, a.Data[0]) }), model.KindBadResponse, "3 vectors"},
		"twice one": {change(func(a *modeltest.EmbedAnswer) { a.Data[1].Index = 0 }), model.KindBadResponse, "numbered"},
		"behind":    {change(func(a *modeltest.EmbedAnswer) { a.Data[1].Index = 7 }), model.KindBadResponse, "numbered"},
		"another size": {change(func(a *modeltest.EmbedAnswer) {
			for i := range a.Data {
				a.Data[i].Embedding = a.Data[i].Embedding[:9]
			}
		}), model.KindBadResponse, "vectors of 9 numbers came where 16"},
		"empty":    {change(func(a *modeltest.EmbedAnswer) { a.Data[0].Embedding = nil }), model.KindBadResponse, "0 numbers"},
		"zeros":    {change(func(a *modeltest.EmbedAnswer) { clear(a.Data[0].Embedding) }), model.KindBadResponse, "finite"},
		"too high": {change(func(a *modeltest.EmbedAnswer) { a.Data[0].Embedding[0] = 1e300 }), model.KindBadResponse, "finite"},
		"NaN": {raw(`{"object":"list","data":[{"index":0,"embedding":[NaN,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]},{"index":1,"embedding":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}]}`),
			model.KindBadResponse, ""},
		"an error with 200": {raw(`{"error":{"message":"no such model","code":"model_not_found"}}`), model.KindModelNotFound, "no such model"},
		"no JSON":           {raw(`{"object":"list","data":[{"ind`), "", ""},
		"a list":            {raw(`[1,2]`), "", ""},
		"too long a text":   {modeltest.EmbedStep{Status: 400, Body: `{"error":{"message":"maximum context length is 512"}}`}, model.KindContextLength, "512"},
	} {
		t.Run(name, func(t *testing.T) {
			s := modeltest.New()
			s.Embed = func(*modeltest.EmbedRequest) modeltest.EmbedStep { return c.step }
			e := newEmbedder(t, s, func(c *model.EmbedConfig) { c.Dimensions, c.Retries = 16, 0 })
			got, err := e.Embed(context.Background(), indexer.ForItem, []string{"one", "two"})
			var said *model.Error
			if got != nil || !errors.As(err, &said) || c.kind != "" && said.Kind != c.kind || !strings.Contains(said.Message, c.says) {
				t.Errorf("%v, %v", got, err)
			}
			if c.kind == model.KindBadResponse && errors.Is(err, indexer.ErrUnavailable) {
				t.Errorf("another text is not asked for after: %v", err)
			}
		})
	}
}

// I3: no more of an answer is read than vectors of the texts can take.
func TestEmbedIsBounded(t *testing.T) {
	s := modeltest.New()
	s.AddEmbed(modeltest.EmbedStep{Giant: 1 << 40})
	e := newEmbedder(t, s, nil)
	_, err := e.Embed(context.Background(), indexer.ForItem, []string{"one"})
	var said *model.Error
	if !errors.As(err, &said) || said.Kind != model.KindTooLarge {
		t.Errorf("an answer without end gives %v", err)
	}
}

// I3: failures are repeated with growing pauses, the server's wish for a pause is
// obeyed, and a slow server is given up at the timeout.
func TestEmbedRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := modeltest.New()
		s.AddEmbed(modeltest.EmbedStep{Status: 500}, modeltest.EmbedStep{Status: 503}, modeltest.EmbedStep{})
		e := newEmbedder(t, s, nil)
		start := time.Now()
		if _, err := e.Embed(context.Background(), indexer.ForItem, []string{"one"}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != 1500*time.Millisecond || len(s.Embeddings()) != 3 {
			t.Errorf("%d requests in %v", len(s.Embeddings()), took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := modeltest.New()
		s.Embed = func(*modeltest.EmbedRequest) modeltest.EmbedStep { return modeltest.EmbedStep{Before: time.Hour} }
		e := newEmbedder(t, s, func(c *model.EmbedConfig) { c.Timeout = 5 * time.Second })
		start := time.Now()
		_, err := e.Embed(context.Background(), indexer.ForItem, []string{"one"})
		if took := time.Since(start); took != 5*time.Second || !errors.Is(err, indexer.ErrUnavailable) {
			t.Errorf("after %v: %v", took, err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := modeltest.New()
		s.Embed = func(*modeltest.EmbedRequest) modeltest.EmbedStep { return modeltest.EmbedStep{Status: 401} }
		_, err := newEmbedder(t, s, nil).Embed(context.Background(), indexer.ForItem, []string{"one"})
		if !errors.Is(err, indexer.ErrUnavailable) || len(s.Embeddings()) != 1 {
			t.Errorf("a wrong key: %v after %d requests", err, len(s.Embeddings()))
		}
	})
}

// I3: the caller's context ends a request at once, and the wait before another.
func TestEmbedIsCancelled(t *testing.T) {
	for name, step := range map[string]modeltest.EmbedStep{"a request": {Before: time.Hour}, "a pause": {Status: 500}} {
		synctest.Test(t, func(t *testing.T) {
			s := modeltest.New()
			s.Embed = func(*modeltest.EmbedRequest) modeltest.EmbedStep { return step }
			ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
			defer cancel()
			start := time.Now()
			_, err := newEmbedder(t, s, nil).Embed(ctx, indexer.ForQuery, []string{"one"})
			if took := time.Since(start); took != 300*time.Millisecond || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v after %v", name, err, took)
			}
		})
	}
}

// I3: at most so many requests begin in a minute.
func TestEmbedRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEmbedder(t, modeltest.New(), func(c *model.EmbedConfig) { c.Rate = 4 })
		start := time.Now()
		for range 9 {
			if _, err := e.Embed(context.Background(), indexer.ForItem, []string{"one"}); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took < 2*time.Minute {
			t.Errorf("9 requests at 4 a minute took %v", took)
		}
	})
}

// I3: a key goes to its own address alone, and not unencrypted to another
// computer unless that was allowed.
func TestEmbedKey(t *testing.T) {
	cfg := embedConfig()
	cfg.BaseURL = "http://10.0.0.7:8080/v1"
	if _, err := model.NewEmbedder(cfg, model.WithKey("sk-mine-123456")); err == nil || strings.Contains(err.Error(), "sk-mine") {
		t.Errorf("unencrypted: %v", err)
	}
	cfg.AllowHTTP = true
	if _, err := model.NewEmbedder(cfg, model.WithKey("sk-mine-123456")); err != nil {
		t.Errorf("allowed: %v", err)
	}
	s := modeltest.New()
	s.AddEmbed(modeltest.EmbedStep{Status: 401, Body: `{"error":{"message":"wrong key sk-mine-123456"}}`})
	e := newEmbedder(t, s, nil, model.WithKey("sk-mine-123456"))
	if _, err := e.Embed(context.Background(), indexer.ForItem, []string{"one"}); err == nil || strings.Contains(err.Error(), "sk-mine") {
		t.Errorf("the server's words: %v", err)
	}
	redirect := roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.URL.Host != "127.0.0.1:9" {
			t.Errorf("%s was asked, with key %q", r.URL.Host, r.Header.Get("Authorization"))
		}
		h := http.Header{"Location": {"https://elsewhere.example/v1/embeddings"}}
		return &http.Response{StatusCode: http.StatusTemporaryRedirect, Header: h, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
	})
	e, err := model.NewEmbedder(embedConfig(), model.WithTransport(redirect), model.WithKey("sk-mine-123456"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(context.Background(), indexer.ForItem, []string{"one"}); err == nil {
		t.Error("a redirect to another place was followed")
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestEmbedConfig(t *testing.T) {
	if cfg := model.DefaultEmbedConfig(); cfg.On() || cfg.Validate() != nil {
		t.Errorf("the default is %+v, %v", cfg, cfg.Validate())
	}
	for key, change := range map[string]func(*model.EmbedConfig){
		"base_url":     func(c *model.EmbedConfig) { c.BaseURL = "https://api.example/v1/embeddings" },
		"api_key_env":  func(c *model.EmbedConfig) { c.BaseURL, c.APIKeyEnv = "", "KEY" },
		"timeout":      func(c *model.EmbedConfig) { c.Timeout = 0 },
		"retries":      func(c *model.EmbedConfig) { c.Retries = 11 },
		"rate":         func(c *model.EmbedConfig) { c.Rate = -1 },
		"batch":        func(c *model.EmbedConfig) { c.Batch = 0 },
		"dimensions":   func(c *model.EmbedConfig) { c.Dimensions = -1 },
		"query_prefix": func(c *model.EmbedConfig) { c.QueryPrefix = strings.Repeat("x", 1001) },
		"item_prefix":  func(c *model.EmbedConfig) { c.ItemPrefix = strings.Repeat("x", 1001) },
	} {
		cfg := embedConfig()
		change(&cfg)
		if err := cfg.Validate(); err == nil || !strings.HasPrefix(err.Error(), key+" ") {
			t.Errorf("%s: %v", key, err)
		}
	}
	a, b := embedConfig(), embedConfig()
	b.ItemPrefix = "passage: "
	s := modeltest.New()
	if one, two := newEmbedder(t, s, func(c *model.EmbedConfig) { *c = a }), newEmbedder(t, s, func(c *model.EmbedConfig) { *c = b }); one.About().Key == two.About().Key {
		t.Error("vectors that were asked for in different ways count as comparable")
	}
}

// I3: whatever a server answers, what comes out is proper vectors or an error.
func FuzzEmbedAnswer(f *testing.F) {
	f.Add(`{"data":[{"index":0,"embedding":[1,2]}]}`)
	f.Add(`{"data":[{"index":0,"embedding":["1",null,NaN]}]}`)
	f.Add(`{"data":[{"index":0,"embedding":"AACAPwAAAEA="}]}`)
	f.Add(`{"data":[{"embedding":[1e400,-1e-400]}],"error":7}`)
	f.Fuzz(func(t *testing.T, body string) {
		s := modeltest.New()
		s.AddEmbed(modeltest.EmbedStep{Status: 200, Body: body})
		e := newEmbedder(t, s, func(c *model.EmbedConfig) { c.Retries = 0 })
		got, err := e.Embed(context.Background(), indexer.ForItem, []string{"one"})
		if err != nil {
			return
		}
		if len(got) != 1 || math.Abs(float64(vector.Dot(got[0], got[0]))-1) > 1e-4 {
			t.Errorf("%q gives %v", body, got)
		}
	})
}

package model

import (
	"bytes"
	"context"
	_ "embed" // contexts.toml
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/BurntSushi/toml"
)

const (
	// assumedContext is the context size in tokens when nothing else is known (C7).
	assumedContext = 8192

	ollamaContext  = 4096 // tokens; Ollama's default when it loads a model
	leastContext   = 256  // tokens; smaller sizes, or sizes above mostContext, are ignored
	mostContext    = 100_000_000
	sizeLimit      = 300 * time.Millisecond // for all questions about the size together
	sizeUnanswered = 3                      // timeouts after which the questions are given up
	maxSizePage    = 4 << 20
)

// Sources of a context size.
const (
	contextFromSetting = "setting"
	contextFromServer  = "server"
	contextFromTable   = "table"
	contextAssumed     = "assumed"
)

// sizer is a [Client] that can ask its server for the context size.
type sizer interface {
	// contextSize returns the context size with which the server has loaded the model, in tokens. It returns 0
	// when the server gives none within 300 ms.
	contextSize(ctx context.Context, model string) int
}

// ContextOf returns the context size of c's model in tokens and its source, one of the Context constants. The
// sources are the setting, the server, the table of well-known models, and [assumedContext] (C7). It may ask
// the server, for at most 300 ms.
func ContextOf(ctx context.Context, c Client) (tokens int, from string) {
	info := c.Info()
	if info.ContextTokens > 0 {
		return info.ContextTokens, contextFromSetting
	}
	if s, ok := c.(sizer); ok {
		if n := s.contextSize(ctx, info.Model); n > 0 {
			return n, contextFromServer
		}
	}
	if n := knownContext(info.Model); n > 0 {
		return n, contextFromTable
	}
	return assumedContext, contextAssumed
}

//go:embed contexts.toml
var contextTable string

var contexts = sync.OnceValue(func() map[string]int {
	var table map[string]int
	if _, err := toml.Decode(contextTable, &table); err != nil {
		panic("model: contexts.toml: " + err.Error()) // a test reads it
	}
	return table
})

// knownContext returns the size from the table of well-known models, 0 for others.
func knownContext(name string) (tokens int) {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	longest := 0
	for begin, n := range contexts() {
		if len(begin) > longest && strings.HasPrefix(name, begin) {
			longest, tokens = len(begin), n
		}
	}
	return tokens
}

// sizes caches how a server tells its context sizes.
type sizes struct {
	mu    sync.Mutex
	tells map[string]sizeSource // by model; nil: no source answers
	slow  map[string]int        // by model, the number of timeouts
}

type sizeSource func(c *OpenAI, ctx context.Context, model string) (int, error)

// sizeSources are the ways to ask a server for the size, most reliable first. All but the first belong to
// self-hosted programs.
var sizeSources = []sizeSource{
	(*OpenAI).modelsSize, (*OpenAI).llamaSize, (*OpenAI).ollamaSize, (*OpenAI).studioSize,
}

// contextSize implements [sizer]. It asks providers, which are reached over https, only for their model list,
// and not about models in the table. It also asks other servers the ways of llama.cpp, Ollama and LM Studio,
// before every request, because they can reload a model with another size.
func (c *OpenAI) contextSize(ctx context.Context, model string) int {
	ask := sizeSources
	if !c.info.SelfHosted {
		if ask = sizeSources[:1]; knownContext(model) > 0 {
			return 0
		}
	}
	c.sizes.mu.Lock()
	tells, asked := c.sizes.tells[model]
	slow := c.sizes.slow[model]
	c.sizes.mu.Unlock()
	switch {
	case asked && tells == nil, slow >= sizeUnanswered:
		return 0
	case asked:
		ask = []sizeSource{tells}
	}
	ctx, cancel := context.WithTimeout(ctx, sizeLimit)
	defer cancel()
	sizes, errs := make([]int, len(ask)), make([]error, len(ask))
	var all sync.WaitGroup
	for i, source := range ask {
		all.Go(func() { sizes[i], errs[i] = source(c, ctx, model) })
	}
	all.Wait()

	c.sizes.mu.Lock()
	defer c.sizes.mu.Unlock()
	for i, n := range sizes {
		if n >= leastContext && n <= mostContext {
			c.sizes.tells[model] = ask[i]
			return n
		}
	}
	if ctx.Err() != nil {
		c.sizes.slow[model]++
	} else if !asked && errors.Join(errs...) == nil {
		c.sizes.tells[model] = nil
	}
	return 0
}

// modelsSize reads the size that vLLM and several providers give in the model list.
func (c *OpenAI) modelsSize(ctx context.Context, model string) (int, error) {
	return c.listedSize(ctx, c.guard.origin.JoinPath("models"), model)
}

// studioSize reads the size with which LM Studio has loaded the model.
func (c *OpenAI) studioSize(ctx context.Context, model string) (int, error) {
	return c.listedSize(ctx, c.root("api/v0/models"), model)
}

func (c *OpenAI) listedSize(ctx context.Context, at *url.URL, model string) (int, error) {
	var list struct {
		Data []struct {
			ID     string `json:"id"`
			Loaded int    `json:"max_model_len"`         // vLLM
			Length int    `json:"context_length"`        // OpenRouter and others
			Window int    `json:"context_window"`        // Groq
			Studio int    `json:"loaded_context_length"` // LM Studio
		} `json:"data"`
	}
	err := c.askSize(ctx, http.MethodGet, at, nil, &list)
	for _, m := range list.Data {
		if m.ID == model {
			return max(m.Loaded, m.Length, m.Window, m.Studio), err
		}
	}
	return 0, err
}

// llamaSize reads the slot size of llama.cpp's server; the model's training length says nothing.
func (c *OpenAI) llamaSize(ctx context.Context, _ string) (int, error) {
	var props struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	err := c.askSize(ctx, http.MethodGet, c.root("props"), nil, &props)
	return props.Settings.Context, err
}

// ollamaSize reads the size with which Ollama has loaded the model, or will load it.
func (c *OpenAI) ollamaSize(ctx context.Context, model string) (int, error) {
	var running struct {
		Models []struct {
			Name    string `json:"name"`
			Context int    `json:"context_length"`
		} `json:"models"`
	}
	if err := c.askSize(ctx, http.MethodGet, c.root("api/ps"), nil, &running); err != nil || running.Models == nil {
		return 0, err
	}
	for _, m := range running.Models {
		if (m.Name == model || m.Name == model+":latest") && m.Context > 0 {
			return m.Context, nil
		}
	}
	var show struct {
		Parameters string `json:"parameters"` // "num_ctx    8192", one a line
	}
	if err := c.askSize(ctx, http.MethodPost, c.root("api/show"), map[string]string{"model": model}, &show); err != nil {
		return 0, err
	}
	for line := range strings.Lines(show.Parameters) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			if n, err := strconv.Atoi(f[1]); err == nil {
				return n, nil
			}
		}
	}
	return ollamaContext, nil
}

// root returns an address of the server outside its chat API.
func (c *OpenAI) root(path string) *url.URL {
	at := *c.guard.origin
	at.Path = strings.TrimSuffix(at.Path, "v1/")
	return at.JoinPath(path)
}

// askSize asks one question. A server without an answer, or with an unknown one, is no error and leaves into
// unchanged.
func (c *OpenAI) askSize(ctx context.Context, method string, at *url.URL, question, into any) error {
	var body io.Reader
	if question != nil {
		b, err := json.Marshal(question)
		if err != nil {
			return err
		}
		body = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, at.String(), body)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	var refused *Error
	switch {
	case errors.As(err, &refused) && refused.Status > 0 && refused.Status < http.StatusInternalServerError:
		return nil
	case err != nil:
		return err
	}
	defer func() { _ = res.Body.Close() }()
	page, err := io.ReadAll(io.LimitReader(res.Body, maxSizePage))
	if err != nil {
		return err
	}
	_ = json.Unmarshal(page, into) // another kind of server
	return nil
}

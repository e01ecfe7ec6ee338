package model

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"
)

const (
	maxModelList  = 4 << 20 // bytes of a model list
	maxModels     = 2000    // entries kept
	maxModelName  = 256     // bytes of one name
	discoverLimit = 300 * time.Millisecond
)

// Models asks the server for the names of its models and returns them in the server's order. It reads at most 4
// MiB and keeps at most 2,000 names. Every error is an [*Error]. It takes at most connect_timeout and
// first_token_timeout together and never retries.
func (c *OpenAI) Models(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.cfg.ConnectTimeout+c.cfg.FirstTokenTimeout,
		timeout(KindFirstTokenTimeout, c.cfg.ConnectTimeout+c.cfg.FirstTokenTimeout))
	defer cancel()
	names, err := listModels(ctx, c.http, c.guard.origin)
	if err == nil {
		return names, nil
	}
	var e *Error
	switch {
	case errors.As(context.Cause(ctx), &e), ctx.Err() == nil && errors.As(err, &e):
	case ctx.Err() != nil:
		e = cancelled(ctx)
	case errors.Is(err, errNoList):
		e = newError(KindBadResponse, "the server's list of models cannot be read")
	default:
		e = networkError(err, c.guard.redact)
	}
	e.Host = c.info.Endpoint
	return nil, e
}

// Found is a model server on this computer.
type Found struct {
	Name    string   // the program usually at this port: "Ollama"
	BaseURL string   // for Config.BaseURL
	Models  []string // its models, perhaps none yet
}

// Config returns base set to use f with its first model and without a key.
func (f Found) Config(base Config) Config {
	base.BaseURL, base.APIKeyEnv = f.BaseURL, ""
	if len(f.Models) > 0 {
		base.Name = f.Models[0]
	}
	return base
}

// localServers returns the usual addresses of local model servers.
func localServers() []Found {
	return []Found{
		{Name: "Ollama", BaseURL: "http://127.0.0.1:11434/v1"},
		{Name: "llama.cpp", BaseURL: "http://127.0.0.1:8080/v1"},
		{Name: "LM Studio", BaseURL: "http://127.0.0.1:1234/v1"},
		{Name: "vLLM", BaseURL: "http://127.0.0.1:8000/v1"},
	}
}

// Discover asks all places at once for their models. It returns those that answered with a model list in the
// OpenAI form, in the order of places. It takes at most 300 ms, sends no key and follows no redirect. Other
// programs use such ports too, so only a valid list counts. A nil client means a default one; no places means
// [localServers].
func Discover(ctx context.Context, client *http.Client, places ...Found) []Found {
	ctx, cancel := context.WithTimeout(ctx, discoverLimit)
	defer cancel()
	if client == nil {
		t := newTransport()
		t.Proxy, t.DisableKeepAlives = nil, true
		client = &http.Client{Transport: t}
	}
	own := *client
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if len(places) == 0 {
		places = localServers()
	}

	type answer struct {
		i      int
		models []string
		err    error
	}
	answers := make(chan answer, len(places))
	for i, p := range places {
		go func() {
			models, err := discoverOne(ctx, &own, p.BaseURL)
			answers <- answer{i, models, err}
		}()
	}
	good := make([]bool, len(places))
	found := append([]Found(nil), places...)
wait:
	for range places {
		select {
		case a := <-answers:
			good[a.i] = a.err == nil
			found[a.i].Models = a.models
		case <-ctx.Done():
			break wait
		}
	}
	out := found[:0]
	for i, f := range found {
		if good[i] {
			out = append(out, f)
		}
	}
	return out
}

func discoverOne(ctx context.Context, client *http.Client, baseURL string) ([]string, error) {
	base, err := parseBaseURL(baseURL)
	if err != nil {
		return nil, err
	}
	return listModels(ctx, client, base)
}

var errNoList = errors.New("not a list of models")

// listModels reads {"object": "list", "data": [{"id": …}, …]}; data may be null where no model is installed.
func listModels(ctx context.Context, client *http.Client, base *url.URL) ([]string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base.JoinPath("models").String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, errNoList
	}
	page, err := io.ReadAll(io.LimitReader(res.Body, maxModelList+1))
	if err != nil {
		return nil, err
	}
	if len(page) > maxModelList {
		return nil, newError(KindTooLarge, "the list of models is over 4 MiB")
	}
	var list struct {
		Object string `json:"object"`
		Data   []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.Unmarshal(page, &list) != nil || (list.Object != "list" && len(list.Data) == 0) {
		return nil, errNoList
	}
	names := make([]string, 0, min(len(list.Data), maxModels))
	for _, m := range list.Data {
		name := oneLine(m.ID)
		if name == "" || len(name) > maxModelName {
			return nil, errNoList
		}
		if len(names) < maxModels {
			names = append(names, name)
		}
	}
	return names, nil
}

// endpoint formats an address for screens and marks an unencrypted connection to another computer.
func endpoint(u *url.URL) string {
	if u.Scheme == "http" && !isLoopback(u.Hostname()) {
		return "http://" + u.Host
	}
	return u.Host
}

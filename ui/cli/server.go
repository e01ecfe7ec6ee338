package cli

import (
	"context"
	"errors"
	"reflect"
	"sync"

	"memoria/chat/model"
	"memoria/memory"
)

// server is where the terminal program's models come from: the configured
// endpoint at first, later the one found on this computer when the user takes
// it. Its methods may be called from any goroutine.
type server struct {
	p *Program
	o *open

	mu     sync.Mutex
	cfg    model.Config // of the client
	key    string
	client model.Client
	made   []func() error // closes what was made here
}

func newServer(p *Program, o *open, client model.Client) *server {
	key, _ := p.keyFor(o.settings)
	return &server{p: p, o: o, cfg: o.cfg.Model, key: key, client: client}
}

// errOffline: there is no server to ask.
var errOffline = errors.New("no model is connected")

// models lists what the server offers.
func (s *server) models(ctx context.Context) ([]string, error) {
	s.mu.Lock()
	client := s.client
	s.mu.Unlock()
	lister, ok := client.(interface {
		Models(context.Context) ([]string, error)
	})
	if !ok {
		return nil, errOffline
	}
	ctx, stop := context.WithTimeout(ctx, listTime)
	defer stop()
	return lister.Models(ctx)
}

// use makes a client for another model of the server.
func (s *server) use(name string) (model.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client.Info().Offline {
		return nil, errOffline
	}
	cfg := s.cfg
	cfg.Name = name
	return s.build(cfg, s.key)
}

// connect makes a client for a server that was found on this computer. It gets
// no key.
func (s *server) connect(f model.Found) (model.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.build(f.Config(s.cfg), "")
}

// follow takes a changed setting of [model] over from the configuration in force
// and makes the client anew, nil where the setting is none of the client's. What was
// chosen for this run otherwise stays, and so does the key, unless the change is
// about the address or about the key: a key goes to no address but the one it was
// set beside.
func (s *server) follow(now settings, changed string) (model.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, key := Config{Model: s.cfg}, s.key
	field(reflect.ValueOf(&all).Elem(), changed).Set(field(reflect.ValueOf(now.cfg), changed))
	cfg := all.Model
	switch changed {
	case "model.currency": // it changes how costs are shown
		s.cfg = cfg
		return nil, nil
	case "model.base_url", "model.api_key_env", "model.allow_http":
		cfg.APIKeyEnv, cfg.AllowHTTP, key = now.cfg.Model.APIKeyEnv, now.cfg.Model.AllowHTTP, ""
		if sameURL(cfg.BaseURL, now.cfg.Model.BaseURL) {
			key, _ = s.p.keyFor(now)
		}
	}
	if offline(cfg, key) {
		s.cfg, s.key, s.client = cfg, "", model.NewOffline(s.p.Now)
		return s.client, nil
	}
	return s.build(cfg, key)
}

// build makes a client; s.mu is held.
func (s *server) build(cfg model.Config, key string) (model.Client, error) {
	c, err := model.NewOpenAI(cfg, model.WithKey(key), model.WithLogger(s.o.logger), model.WithClock(s.p.Now))
	if err != nil {
		return nil, err
	}
	s.cfg, s.key, s.client, s.made = cfg, key, c, append(s.made, c.Close)
	return c, nil
}

// used is how the model is asked now.
func (s *server) used() model.Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cfg
}

// cost is what a use of a model costs, money writes such an amount.
func (s *server) cost(name string, used memory.Usage) (float64, bool) {
	return s.used().Cost(name, used)
}

func (s *server) money(amount float64) string { return s.used().Money(amount) }

func (s *server) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.made {
		_ = f()
	}
}

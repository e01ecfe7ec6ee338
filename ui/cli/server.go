package cli

import (
	"context"
	"errors"
	"reflect"
	"sync"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/bounds"
	"memoria/ui/config"
)

// server is where the terminal program's models come from: the configured
// endpoint at first, later the one found on this computer when the user takes
// it. Its methods may be called from any goroutine.
type server struct {
	p *Program
	o *open

	settings func() settings // those in force

	mu     sync.Mutex
	base   model.Config // how an agent is answered that names no model
	cfg    model.Config // of the client
	key    string       // for both: they differ in the model's name alone
	own    bool         // the agent names the model
	client model.Client
	made   []func() error // closes what was made here
}

func newServer(p *Program, o *open, client model.Client) *server {
	key, _ := p.keyFor(o.settings)
	cfg := o.modelOf(o.agent)
	return &server{
		p: p, o: o, settings: func() settings { return o.settings },
		base: o.cfg.Model, cfg: cfg, key: key, own: o.ownModel(o.agent), client: client,
	}
}

// now is who answers now.
func (s *server) now() model.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

// modelFor makes who answers as an agent: the agent's own model of the same server,
// or the usual one.
func (s *server) modelFor(a memory.Agent) (model.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cfg := s.base
	if s.own = s.o.ownModel(a); s.own {
		cfg.Name = a.Model
	}
	if s.client.Info().Offline { // it is asked once there is a server
		s.cfg = cfg
		return s.client, nil
	}
	return s.build(cfg, s.key)
}

// talk makes the conversation of another agent, as everything is set now.
func (s *server) talk(a memory.Agent) (*chat.Chat, error) {
	client, err := s.modelFor(a)
	if err != nil {
		return nil, err
	}
	s.o.quiet.Store(false)
	return s.p.chatWith(s.o, s.settings(), a, client, chatKind{})
}

// temporary is talk for a conversation of which nothing is kept.
func (s *server) temporary(a memory.Agent) (*chat.Chat, error) {
	client, err := s.modelFor(a)
	if err != nil {
		return nil, err
	}
	s.o.quiet.Store(true)
	return s.p.chatWith(s.o, s.settings(), a, client, chatKind{temporary: true})
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
	s.base, s.own = f.Config(s.base), false
	return s.build(s.base, "")
}

// follow takes a changed setting of [model] over from the configuration in force
// and makes the client anew, nil where the setting is none of the client's. What was
// chosen for this run otherwise stays, and so does the key, unless the change is
// about the address or about the key: a key goes to no address but the one it was
// set beside.
func (s *server) follow(now settings, changed string) (model.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	base, asked, key := s.base, s.cfg, s.key // in force when nothing fails
	for _, cfg := range []*model.Config{&base, &asked} {
		if cfg == &asked && s.own && changed == "model.name" {
			continue // the agent's own counts more
		}
		all := config.Config{Model: *cfg}
		bounds.Field(reflect.ValueOf(&all).Elem(), changed).Set(bounds.Field(reflect.ValueOf(now.cfg), changed))
		*cfg = all.Model
		switch changed {
		case "model.base_url", "model.api_key_env", "model.allow_http":
			cfg.APIKeyEnv, cfg.AllowHTTP, key = now.cfg.Model.APIKeyEnv, now.cfg.Model.AllowHTTP, ""
			if config.SameURL(cfg.BaseURL, now.cfg.Model.BaseURL) {
				key, _ = s.p.keyFor(now)
			}
		}
	}
	switch {
	case changed == "model.currency": // it changes how costs are shown
		s.base, s.cfg = base, asked
		return nil, nil
	case offline(asked, key):
		s.base, s.cfg, s.key, s.client = base, asked, "", model.NewOffline(s.p.Now)
		return s.client, nil
	}
	client, err := s.build(asked, key)
	if err == nil {
		s.base = base
	}
	return client, err
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

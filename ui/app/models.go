package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/ui/config"
)

// ModelOptions configures [NewModels].
type ModelOptions struct {
	// Config is the configured model, and Key its API key.
	Config model.Config
	Key    string
	// Client answers first.
	Client model.Client
	// Find looks for model servers on this computer.
	Find   func(context.Context) []model.Found
	Logger *slog.Logger
	Now    func() time.Time
}

// Models makes the clients of a session: of the configured endpoint at first, later of
// a server on this computer that the user chose. Its methods may be called from any
// goroutine.
type Models struct {
	o ModelOptions

	mu     sync.Mutex
	base   model.Config // for an agent that names no model
	cfg    model.Config // of the client
	key    string       // for both: they differ only in the model's name
	own    bool         // the agent names the model
	client model.Client
	made   []func() error // close the clients made here
}

// NewModels returns Models with o.Client in use.
func NewModels(o ModelOptions) *Models {
	return &Models{o: o, base: o.Config, cfg: o.Config, key: o.Key, client: o.Client}
}

// forAgent returns a client for an agent, with its own model when own is set, or with the
// usual one.
func (m *Models) forAgent(a memory.Agent, own bool) (model.Client, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	cfg := m.base
	if m.own = own; own {
		cfg.Name = a.Model
	}
	if m.client.Info().Offline { // used once there is a server
		m.cfg = cfg
		return m.client, nil
	}
	return m.build(cfg, m.key)
}

// Discover looks for model servers on this computer.
func (m *Models) Discover(ctx context.Context) []model.Found { return m.o.Find(ctx) }

// List lists the models that the server offers.
func (m *Models) List(ctx context.Context) ([]string, error) {
	m.mu.Lock()
	client := m.client
	m.mu.Unlock()
	return list(ctx, client)
}

// Use returns a client for another model of the server.
func (m *Models) Use(name string) (model.Client, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.client.Info().Offline {
		return nil, errOffline
	}
	cfg := m.cfg
	cfg.Name = name
	return m.build(cfg, m.key)
}

// Connect returns a client for a server on this computer. No key is sent to it.
func (m *Models) Connect(f model.Found) (model.Client, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.base, m.own = f.Config(m.base), false
	return m.build(m.base, "")
}

// Cost returns what a use of a model costs, in the configured currency; ok is false
// when no price is known.
func (m *Models) Cost(name string, used memory.Usage) (amount float64, ok bool) {
	return m.used().Cost(name, used)
}

// Money formats an amount in the configured currency.
func (m *Models) Money(amount float64) string { return m.used().Money(amount) }

// follow applies a changed setting of [model], and returns the new client; nil when
// the setting does not concern it. Other choices of the session stay. The key stays
// unless the change is about the address or the key: a key is sent only to the address
// that it was set beside.
func (m *Models) follow(now *config.Loaded, changed string) (model.Client, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	base, asked, key := m.base, m.cfg, m.key // replaced when nothing fails
	for _, cfg := range []*model.Config{&base, &asked} {
		if cfg == &asked && m.own && changed == "model.name" {
			continue // the agent's own is stronger
		}
		all := config.Config{Model: *cfg}
		all.SetValue(changed, now.Config.Value(changed))
		*cfg = all.Model
		switch changed {
		case "model.base_url", "model.api_key_env", "model.allow_http":
			cfg.APIKeyEnv, cfg.AllowHTTP, key = now.Config.Model.APIKeyEnv, now.Config.Model.AllowHTTP, ""
			if config.SameURL(cfg.BaseURL, now.Config.Model.BaseURL) {
				key, _ = keyFor(now)
			}
		}
	}
	switch {
	case changed == "model.currency": // only changes how costs are shown
		m.base, m.cfg = base, asked
		return nil, nil
	case isOffline(asked, key):
		m.base, m.cfg, m.key, m.client = base, asked, "", model.NewOffline(m.o.Now)
		return m.client, nil
	}
	client, err := m.build(asked, key)
	if err == nil {
		m.base = base
	}
	return client, err
}

// build makes a client and uses it; m.mu is held.
func (m *Models) build(cfg model.Config, key string) (model.Client, error) {
	c, err := model.NewOpenAI(cfg, model.WithKey(key), model.WithLogger(m.o.Logger), model.WithClock(m.o.Now))
	if err != nil {
		return nil, err
	}
	m.cfg, m.key, m.client, m.made = cfg, key, c, append(m.made, c.Close)
	return c, nil
}

// offline reports whether no language model is used.
func (m *Models) offline() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.client.Info().Offline
}

// used returns the configuration of the client in use.
func (m *Models) used() model.Config {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cfg
}

// Close closes the clients that were made.
func (m *Models) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.made {
		_ = f()
	}
	return nil
}

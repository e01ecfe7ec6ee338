package manager

import (
	"fmt"
	"slices"

	"memoria/memory/policy"
)

// settings is a configuration with the values derived from it. It is immutable; a change
// replaces it.
type settings struct {
	cfg    Config
	policy *policy.Policy
	decide policy.Decider
}

// Config returns the current configuration.
func (m *Manager) Config() Config { return m.cfg() }

// SetConfig replaces the configuration while the memory is in use (I5). Operations that
// begin after it returns use the new one. LoadOnStart and HotItems apply only at Open. It
// may be called at any time. An invalid configuration changes nothing.
func (m *Manager) SetConfig(cfg Config) error {
	if err := cfg.Validate(); err != nil {
		return fmt.Errorf("memory settings: %w", err)
	}
	was := m.cfg()
	cfg.LoadOnStart, cfg.HotItems = was.LoadOnStart, was.HotItems
	m.put(cfg)
	m.changed() // views may differ now
	return nil
}

// put makes a valid configuration current.
func (m *Manager) put(cfg Config) {
	cfg.Triggers = slices.Clone(cfg.Triggers)
	p := policy.New(cfg.Rules)
	next := &settings{cfg: cfg, policy: p, decide: p}
	if m.decider != nil {
		next.decide = m.decider
	}
	m.live.Store(next)
}

func (m *Manager) cfg() Config { return m.live.Load().cfg }

// Policy returns the current policy.
func (m *Manager) Policy() *policy.Policy { return m.live.Load().policy }

func (m *Manager) policy() *policy.Policy { return m.live.Load().policy }

// decide returns the current [policy.Decider], which may be a replacement of the policy.
func (m *Manager) decide() policy.Decider { return m.live.Load().decide }

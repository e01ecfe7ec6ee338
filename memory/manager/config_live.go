package manager

import (
	"fmt"
	"slices"

	"memoria/memory/policy"
)

// settings is the configuration with what is made of it. It is never changed, only
// replaced: whoever took one goes on with it.
type settings struct {
	cfg    Config
	policy *policy.Policy
	decide policy.Decider
}

// Config is the configuration in force.
func (m *Manager) Config() Config { return m.cfg() }

// SetConfig changes the configuration while the memory is in use (I5): whatever
// begins after it returns uses the new one. How much of the items lies in memory
// (LoadOnStart, HotItems) stays as it was when the memory was opened. It may be
// called at any time; a configuration that is not valid changes nothing.
func (m *Manager) SetConfig(cfg Config) error {
	if err := cfg.Validate(); err != nil {
		return fmt.Errorf("memory settings: %w", err)
	}
	was := m.cfg()
	cfg.LoadOnStart, cfg.HotItems = was.LoadOnStart, was.HotItems
	m.put(cfg)
	m.changed() // what is shown of the memory may be another now
	return nil
}

// put puts a valid configuration in force.
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

// Policy is the policy in force.
func (m *Manager) Policy() *policy.Policy { return m.live.Load().policy }

func (m *Manager) policy() *policy.Policy { return m.live.Load().policy }

// decide makes the decisions that somebody else than the policy may make.
func (m *Manager) decide() policy.Decider { return m.live.Load().decide }

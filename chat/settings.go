package chat

import (
	"fmt"

	"memoria/chat/compose"
	"memoria/memory/manager/write"
)

// settings are what holds for one turn. A turn takes them when it begins and goes
// on with them, also when the user changes something meanwhile.
type settings struct {
	Config
	context compose.Config
	memory  write.Config
}

// settings are those of now, for what begins now.
func (c *conversation) settings() settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := settings{Config: c.cfg, context: c.context, memory: c.memory.Config()}
	if c.ownMemory != nil {
		s.memory = *c.ownMemory
	}
	return s
}

// Config is the configuration in force.
func (c *Chat) Config() (Config, compose.Config) {
	s := c.settings()
	return s.Config, s.context
}

// SetConfig changes the configuration of the conversation (I5). It holds from the
// next message on that is taken from the queue; a turn that runs ends as it began.
// It may be called at any time; a configuration that is not valid changes nothing.
func (c *Chat) SetConfig(cfg Config, context compose.Config) error {
	if err := cfg.Validate(); err != nil {
		return fmt.Errorf("chat settings: %w", err)
	}
	if err := context.Validate(); err != nil {
		return fmt.Errorf("context settings: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cfg, c.context = cfg, context
	return nil
}

package chat

import (
	"context"
	"slices"
	"time"

	"memoria/memory"
)

// sweepEvery is how often sessions that were left are looked for (S6).
const sweepEvery = 30 * time.Second

// sweepAll sweeps until the conversation ends.
func (c *Chat) sweepAll() {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-c.ctx.Done():
			return
		}
		if err := c.guard("sweeping", func() error { return c.sweep(c.ctx) }); err != nil && c.ctx.Err() == nil {
			c.log.Warn("sweeping failed", "error", err)
		}
	}
}

// sweep ends sessions that were left for longer than hard_timeout, and the working
// memory of those that timed out (S6, W4). While a message is being answered or waits
// it does nothing: that message may have been sent before the session ended, and is
// resolved first. The ticket keeps every turn from beginning meanwhile (S7).
func (c *Chat) sweep(ctx context.Context) error {
	done, err := c.order.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	c.mu.Lock()
	cfg, waits := c.cfg, c.resting() != nil || len(c.stuck) > 0 || c.finished
	c.mu.Unlock()
	if waits {
		return nil
	}
	ended, err := c.memory.Sweep(ctx, c.agent.ID, cfg.PassiveTimeout, cfg.hard())
	// What the members know of the session ends, not what they heard. Their own sessions
	// stay while a message waits there, which this conversation cannot resolve.
	for _, m := range c.group.Members {
		if err == nil {
			_, err = c.memory.Sweep(ctx, m.ID, cfg.PassiveTimeout, cfg.hard())
		}
	}
	if err != nil || len(ended) == 0 {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.IndexFunc(ended, func(s memory.Session) bool { return s.ID == c.session.ID }); i >= 0 {
		c.session = ended[i]
		c.announceSession(WhyEnded)
	}
	poke(c.learn) // what they come to is found out in the background (S8)
	return nil
}

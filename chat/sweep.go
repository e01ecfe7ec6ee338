package chat

import (
	"context"
	"slices"
	"time"

	"memoria/memory"
)

// sweepEvery is how often idle sessions are looked for (S6).
const sweepEvery = 30 * time.Second

// sweeper ends sessions that have been idle for too long.
type sweeper struct {
	*conversation
	learner *learner
}

// run sweeps until the conversation ends.
func (s *sweeper) run() {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-s.ctx.Done():
			return
		}
		if err := s.guard("sweeping", func() error { return s.sweep(s.ctx) }); err != nil && s.ctx.Err() == nil {
			s.log.Warn("sweeping failed", "error", err)
		}
	}
}

// sweep ends sessions that have been idle for longer than hard_timeout, and the working
// memory of those that timed out (S6, W4). While a message is being answered or waits it
// does nothing: the message may have been sent before the session ended, and is resolved
// first. No turn begins meanwhile (S7).
func (s *sweeper) sweep(ctx context.Context) error {
	done, err := s.tickets.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	s.mu.Lock()
	cfg, skip := s.cfg, s.resting() != nil || len(s.queue.stuck) > 0 || s.closed
	s.mu.Unlock()
	if skip {
		return nil
	}
	ended, err := s.memory.Sweep(ctx, s.agent.ID, cfg.PassiveTimeout, cfg.hard())
	// The members' working memory of the session ends, not what they heard. Their own
	// sessions stay while a message waits there, which this conversation cannot resolve.
	for _, m := range s.group.Members {
		if err == nil {
			_, err = s.memory.Sweep(ctx, m.ID, cfg.PassiveTimeout, cfg.hard())
		}
	}
	if err != nil || len(ended) == 0 {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(ended, func(e memory.Session) bool { return e.ID == s.session.ID }); i >= 0 {
		s.session = ended[i]
		s.announceSession(WhyEnded)
	}
	s.learner.wake() // it sums them up in the background (S8)
	return nil
}

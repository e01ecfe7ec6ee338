package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// sweepStop is the number of consecutive ended sessions, counted from the most recently
// used, after which a sweep stops. Older sessions have ended too.
const sweepStop = 50

// Sweep handles the agent's idle sessions. It archives those whose last message is older
// than hard (S6), and queues their consolidation for [learning.Writer.Learn]. It ends the
// working memory of those whose last message is at least passive old (W4). It returns the
// archived sessions, most recently used first. If there is nothing to do, it writes nothing.
//
// A pending message, for example after a crash, may belong to any session of the agent or
// group it was sent to. Sweep skips these sessions.
func (m *Manager) Sweep(ctx context.Context, agentID string, passive, hard time.Duration) ([]memory.Session, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return nil, err
	}
	var idle, expired []string
	err = m.View(ctx, func(tx *store.Tx) error {
		idle, expired, err = idleSessions(tx, a.ID, m.Now(), passive, hard)
		return err
	})
	if err != nil || len(idle)+len(expired) == 0 {
		return nil, err
	}
	var ended []memory.Session
	err = m.Update(ctx, a, func(t *write.Tx) error {
		// Messages may have arrived since the read.
		if idle, expired, err = idleSessions(t.Tx, a.ID, t.Now(), passive, hard); err != nil {
			return err
		}
		ended = nil
		for _, id := range expired {
			if err := archiveSession(t, id); err != nil {
				return err
			}
			s, err := t.Session(a.ID, id)
			if err != nil {
				return err
			}
			ended = append(ended, s)
		}
		for _, id := range idle {
			s, err := t.Session(a.ID, id)
			if err == nil {
				err = errors.Join(endWorking(t, &s), t.PutSession(s))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("ending what was left: %w", err)
	}
	return ended, nil
}

// idleSessions returns the ids of the active sessions whose working memory is to end, and of
// those to archive.
func idleSessions(tx *store.Tx, agent string, now time.Time, passive, hard time.Duration) (idle, expired []string, err error) {
	seen := 0
	pending := map[string]bool{} // whether a message is pending, by the agent or group it was sent to
	for s, err := range tx.Sessions(agent) {
		if err != nil {
			return nil, nil, err
		}
		if s.State != memory.SessionActive {
			if seen++; seen == sweepStop {
				break
			}
			continue
		}
		seen = 0
		owner := cmp.Or(s.Group, agent)
		if _, known := pending[owner]; !known {
			incoming, err := tx.Incoming(owner)
			if err != nil {
				return nil, nil, err
			}
			pending[owner] = len(incoming) > 0
		}
		if pending[owner] {
			continue
		}
		switch quiet := now.Sub(s.LastMessageAt); {
		case quiet > hard && s.Group == "": // a member's copy of a group session ends with the original
			expired = append(expired, s.ID)
		case quiet >= passive:
			if _, err := tx.Working(agent, s.ID); err == nil {
				idle = append(idle, s.ID)
			} else if !lookup.Lacking(err) {
				return nil, nil, err
			}
		}
	}
	return idle, expired, nil
}

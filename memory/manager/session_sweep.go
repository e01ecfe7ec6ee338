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

// sweepStop is how many ended sessions in a row, from the most recently used, end a
// sweep. No older one is open.
const sweepStop = 50

// Sweep archives the agent's sessions without a message for longer than hard (S6), ends
// the working memory of those without one for passive or longer (W4), and returns the
// archived ones, most recently used first. Their generations are queued for
// [learning.Writer.Learn]. If there is nothing to do, it writes nothing. While a message waits
// for its session, for example after a crash, the sessions that it may belong to are
// skipped: the agent's own, or those of the group it was sent to.
func (m *Manager) Sweep(ctx context.Context, agentID string, passive, hard time.Duration) ([]memory.Session, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return nil, err
	}
	var idle, over []string
	err = m.View(ctx, func(tx *store.Tx) error {
		idle, over, err = idleSessions(tx, a.ID, m.Now(), passive, hard)
		return err
	})
	if err != nil || len(idle)+len(over) == 0 {
		return nil, err
	}
	var ended []memory.Session
	err = m.Update(ctx, a, func(t *write.Tx) error {
		// Messages may have arrived since the read.
		if idle, over, err = idleSessions(t.Tx, a.ID, t.Now(), passive, hard); err != nil {
			return err
		}
		ended = nil
		for _, id := range over {
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

// idleSessions returns the active sessions whose working memory ends, and those that end
// themselves.
func idleSessions(tx *store.Tx, agent string, now time.Time, passive, hard time.Duration) (idle, over []string, err error) {
	seen := 0
	waits := map[string]bool{} // pending messages, by the agent or group they were sent to
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
		of := cmp.Or(s.Group, agent)
		if _, known := waits[of]; !known {
			left, err := tx.Incoming(of)
			if err != nil {
				return nil, nil, err
			}
			waits[of] = len(left) > 0
		}
		if waits[of] {
			continue
		}
		switch quiet := now.Sub(s.LastMessageAt); {
		case quiet > hard && s.Group == "": // a heard session ends with the group's
			over = append(over, s.ID)
		case quiet >= passive:
			if _, err := tx.Working(agent, s.ID); err == nil {
				idle = append(idle, s.ID)
			} else if !lookup.Lacking(err) {
				return nil, nil, err
			}
		}
	}
	return idle, over, nil
}

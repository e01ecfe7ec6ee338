package store

import (
	"errors"
	"iter"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/counter"
)

// PutSession writes a session and its index entry by time. If the branch's end or the
// number of turns changed, it recomputes TurnsAside, so the branch's records must be
// written first.
func (tx *Tx) PutSession(s memory.Session) error {
	key := kv.Key(s.AgentID, s.ID)
	old, err := sessions.Get(tx.kv, key)
	if err == nil || errors.Is(err, ErrNotFound) {
		if s.TurnsAside = old.TurnsAside; s.LastRecordID != old.LastRecordID || s.Turns != old.Turns {
			shown, rerr := tx.turnsShown(s, old)
			if rerr != nil {
				return rerr
			}
			s.TurnsAside = max(0, s.Turns-shown)
		}
	}
	switch {
	case errors.Is(err, ErrNotFound):
		if err := tx.Add(s.AgentID, counter.Sessions, 1); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		if err := sessionTimes.Delete(tx.kv, kv.Key(old.AgentID, old.LastMessageAt, old.ID)); err != nil {
			return err
		}
	}
	return errors.Join(sessionTimes.Put(tx.kv, kv.Key(s.AgentID, s.LastMessageAt, s.ID), none{}), sessions.Put(tx.kv, key, s))
}

// turnsShown counts the session's own turns in its branch. It stops at the previous end
// of the branch if nothing else changed, which is one step for a new message.
func (tx *Tx) turnsShown(s, old memory.Session) (n int, err error) {
	for r, err := range tx.Path(s.AgentID, s.LastRecordID) {
		if err != nil {
			return 0, err
		}
		if r.ID == old.LastRecordID && n == s.Turns-old.Turns {
			return n + old.TurnsShown(), nil
		}
		if r.SessionID != s.ID {
			break
		}
		if r.Role == memory.RoleUser {
			n++
		}
	}
	return n, nil
}

// Session returns one session.
func (tx *Tx) Session(agent, id string) (memory.Session, error) {
	return sessions.Get(tx.kv, kv.Key(agent, id))
}

// HasSession reports whether a session exists.
func (tx *Tx) HasSession(agent, id string) (bool, error) {
	return sessions.Has(tx.kv, kv.Key(agent, id))
}

// SessionIDs yields the ids of the agent's sessions, readable or not, oldest first.
func (tx *Tx) SessionIDs(agent string) iter.Seq2[string, error] { return tx.ids(raw(sessions), agent) }

// Sessions yields the agent's sessions, most recently used first.
func (tx *Tx) Sessions(agent string) iter.Seq2[memory.Session, error] {
	return readable(tx, mapped(sessionTimes.ScanReverse(tx.kv, kv.Prefix(agent)), func(e kv.Entry[none]) (memory.Session, error) {
		parts, err := kv.ParseKey(e.Key)
		if err != nil {
			return memory.Session{}, err
		}
		id, _ := parts[len(parts)-1].(string)
		return tx.Session(agent, id)
	}))
}

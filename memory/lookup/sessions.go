package lookup

import (
	"context"
	"time"

	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// Sessions lists the agent's sessions, most recently used first, and returns their total
// number. limit 0 means all.
func (r *Reader) Sessions(ctx context.Context, agentID string, limit, offset int) ([]memory.Session, int, error) {
	out, total := []memory.Session{}, 0
	err := r.read(ctx, agentID, "listing sessions", func(tx *store.Tx) (err error) {
		if total, err = tx.Count(agentID, counter.Sessions); err != nil {
			return err
		}
		seen := 0
		for s, err := range tx.Sessions(agentID) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if seen++; seen <= offset {
				continue
			}
			if out = append(out, s); len(out) == limit {
				break
			}
		}
		return nil
	})
	return out, total, err
}

// Session returns one session. id may be an unambiguous beginning or end. For a session
// that cannot be read ([store.Unreadable]) the ids are returned with the error, so that it
// can be deleted.
func (r *Reader) Session(ctx context.Context, agentID, id string) (memory.Session, error) {
	var match memory.Session
	err := r.read(ctx, agentID, "session "+id, func(tx *store.Tx) (err error) {
		match, err = FindSession(tx, agentID, id)
		return err
	})
	return match, err
}

// LastSession returns the most recently used session, except those heard in groups; false
// if there is none.
func (r *Reader) LastSession(ctx context.Context, agentID string) (memory.Session, bool, error) {
	list, err := r.OwnSessions(ctx, agentID, 1)
	if err != nil || len(list) == 0 {
		return memory.Session{}, false, err
	}
	return list[0], true, nil
}

// OwnSessions returns the agent's n most recently used sessions, without those heard in
// groups.
func (r *Reader) OwnSessions(ctx context.Context, agentID string, n int) ([]memory.Session, error) {
	var out []memory.Session
	err := r.read(ctx, agentID, "listing sessions", func(tx *store.Tx) error {
		for s, err := range tx.Sessions(agentID) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if s.Group != "" {
				continue
			}
			if out = append(out, s); len(out) == n {
				return nil
			}
		}
		return nil
	})
	return out, err
}

// EndedSession is an ended session with its summary.
type EndedSession struct {
	memory.Summary
	LastMessageAt time.Time
}

// lookedForSummaries bounds the recently used sessions that are searched for ended ones.
const lookedForSummaries = 50

// Summaries returns the summaries of the sessions that ended last, newest first, at most
// limit, without the session except. total counts those among the fifty most recently
// used sessions.
func (r *Reader) Summaries(ctx context.Context, agentID string, limit int, except string) (out []EndedSession, total int, err error) {
	if limit <= 0 {
		return nil, 0, nil
	}
	err = r.read(ctx, agentID, "reading summaries", func(tx *store.Tx) error {
		seen := 0
		for s, err := range tx.Sessions(agentID) {
			if err != nil {
				return err
			}
			if seen++; seen > lookedForSummaries {
				break
			}
			if s.State == memory.SessionActive || s.ID == except || s.Summary == nil || s.Summary.Line() == "" {
				continue
			}
			if total++; len(out) < limit {
				out = append(out, EndedSession{Summary: *s.Summary, LastMessageAt: s.LastMessageAt})
			}
		}
		return nil
	})
	return out, total, err
}

// KeptSource reports whether the messages of a session were kept, as far as is known:
// false for a session that was erased at its end (A1).
func (r *Reader) KeptSource(ctx context.Context, agentID, session string) (kept bool, err error) {
	err = r.read(ctx, agentID, "", func(tx *store.Tx) error {
		unkept, err := tx.Unkept(agentID, session)
		kept = !unkept
		return err
	})
	return kept, err
}

// Working returns the working memory of a session, or ErrNotFound if that has ended.
func (r *Reader) Working(ctx context.Context, agentID, sessionID string) (memory.Working, error) {
	var w memory.Working
	err := r.read(ctx, agentID, "", func(tx *store.Tx) (err error) {
		w, err = tx.Working(agentID, sessionID)
		return err
	})
	return w, err
}

// Draft returns the text that the user typed and did not send; empty if none.
func (r *Reader) Draft(ctx context.Context, agentID string) (memory.Draft, error) {
	var d memory.Draft
	err := r.read(ctx, agentID, "", func(tx *store.Tx) (err error) {
		d, err = tx.Draft(agentID)
		return err
	})
	return d, err
}

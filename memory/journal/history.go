package journal

import (
	"errors"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// waiting is the set of messages that are in no file yet, without excluded ones.
type waiting struct {
	entries map[string]memory.HistoryEntry
	count   int
	oldest  time.Time
	total   int // entries of the history, including archived ones
	bytes   int
}

// waiting reads the history. Messages of a session that may not be kept yet count in no
// limit and no trigger (A1).
func (j *Journal) waiting(tx *store.Tx) (w waiting, err error) {
	w.entries = map[string]memory.HistoryEntry{}
	keeps := map[string]bool{}
	for id, e := range tx.Histories(j.Agent) {
		if e.Archived != memory.ArchivedYes {
			kept, known := keeps[e.Session]
			if !known {
				s, err := tx.Session(j.Agent, e.Session)
				if err != nil && !errors.Is(err, store.ErrNotFound) && !store.Unreadable(err) {
					return w, err
				}
				kept = err == nil && j.Keeps(s)
				keeps[e.Session] = kept
			}
			if !kept {
				continue
			}
			w.entries[id] = e
			w.count++
			if at, err := memory.IDTime(id); err == nil && (w.oldest.IsZero() || at.Before(w.oldest)) {
				w.oldest = at
			}
		}
		w.total++
		w.bytes += e.Bytes
	}
	return w, nil
}

// due reports whether archiving is due (J2, J3). A clock set back triggers it once.
func (w waiting) due(now, last time.Time, cfg Config) bool {
	switch {
	case w.count == 0:
		return false
	case w.count > cfg.Messages, w.count > softLimit, w.bytes > hardBytes:
		return true
	case last.IsZero():
		last = w.oldest
	}
	return now.Before(last) || now.Sub(last) > cfg.Every
}

// tidy ends an archiving. It removes the oldest archived messages from the history, down
// to 200, and reports an overflow of unarchived ones (J2). Those are never removed.
func (r *run) tidy(due bool) error {
	return r.Store.Update(func(tx *store.Tx) error {
		w, err := r.waiting(tx)
		if err != nil {
			return err
		}
		r.report.Waiting = w.count
		if err := r.trim(tx, w); err != nil {
			return err
		}
		if !due {
			return nil
		}
		over := w.count > hardLimit || w.count > 0 && w.waitingBytes() > hardBytes
		s, err := tx.JournalState(r.Agent)
		if err != nil && !store.Unreadable(err) {
			return err
		}
		if over && !s.Overflow {
			noteEvent(&s, memory.HistoryOverflow, r.now, fmt.Sprintf("%s are not in the journal yet.", counted(w.count, "message")))
		}
		if s.Overflow = over; !r.postponed {
			s.LastRun = r.now
		}
		return tx.PutJournalState(r.Agent, s)
	})
}

func (w waiting) waitingBytes() (n int) {
	for _, e := range w.entries {
		n += e.Bytes
	}
	return n
}

func (r *run) trim(tx *store.Tx, w waiting) error {
	over, bytes := w.total-softLimit, w.bytes
	var gone []string
	for id, e := range tx.Histories(r.Agent) { // oldest first
		if over <= 0 && bytes <= hardBytes {
			break
		}
		if e.Archived == memory.ArchivedYes {
			gone = append(gone, id)
			over--
			bytes -= e.Bytes
		}
	}
	for _, id := range gone {
		if err := tx.DeleteHistory(r.Agent, id); err != nil {
			return err
		}
	}
	return nil
}

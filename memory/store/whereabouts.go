package store

import (
	"errors"

	"memoria/kv"
	"memoria/memory"
)

// whereabouts finds the current session of messages. Evidence names a session for
// display and fast lookup. Messages move ([Tx.MoveRecords]) without updating references
// from other sessions, so whereabouts is used when packages are read and items are
// written. A deleted message keeps its recorded session.
type whereabouts struct {
	tx    *Tx
	agent string
	known map[string]string
}

// of updates the session in evidence.
func (w *whereabouts) of(ev *memory.Evidence) error {
	if ev.RecordID == "" {
		return nil
	}
	session, known := w.known[ev.RecordID]
	if !known {
		at, err := recordPlaces.Get(w.tx.kv, kv.Key(w.agent, ev.RecordID))
		if err != nil && !errors.Is(err, ErrNotFound) && !w.tx.skip(err) {
			return err
		}
		if w.known == nil {
			w.known = map[string]string{}
		}
		session = at.Session
		w.known[ev.RecordID] = session
	}
	if session != "" {
		ev.SessionID = session
	}
	return nil
}

// ofPackage is of for all evidence of a package.
func (w *whereabouts) ofPackage(p *memory.Package) error {
	for i := range p.Citations {
		if err := w.of(&p.Citations[i].Evidence); err != nil {
			return err
		}
	}
	for i := range p.Used {
		for k := range p.Used[i].Evidence {
			if err := w.of(&p.Used[i].Evidence[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofItem is of for an item, without changing the caller's evidence.
func (w *whereabouts) ofItem(it *memory.Item) error {
	var moved []memory.Evidence
	for i, ev := range it.Evidence {
		was := ev.SessionID
		if err := w.of(&ev); err != nil {
			return err
		}
		if ev.SessionID == was {
			continue
		}
		if moved == nil {
			moved = append(moved, it.Evidence...)
		}
		if moved[i] = ev; it.SessionID == was {
			it.SessionID = ev.SessionID
		}
	}
	if moved != nil {
		it.Evidence = moved
	}
	return nil
}

package store

import (
	"errors"

	"memoria/kv"
	"memoria/memory"
)

// whereabouts finds out in which session a message is now. Evidence names one to be
// shown and looked up quickly; messages move ([Tx.MoveRecords]), and what cites them
// from elsewhere is not written anew for that. So it is asked whenever a package is
// read and an item is written. One that is gone is where it was said to be.
type whereabouts struct {
	tx    *Tx
	agent string
	known map[string]string
}

// of lets evidence name the session that its words are in.
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

// ofPackage is of for all that a package cites and used.
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

// ofItem is of for an item, whose evidence is the caller's and stays as it is.
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

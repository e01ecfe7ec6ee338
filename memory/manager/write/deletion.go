package write

import (
	"errors"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/store"
)

// WorkingOf returns the current or kept working memory of a session, and a function to
// write it back.
func WorkingOf(t *Tx, session string) (w memory.Working, put func(memory.Working) error, err error) {
	w, err = t.Working(t.Owner.ID, session)
	if !errors.Is(err, lookup.ErrNotFound) {
		return w, func(w memory.Working) error { return t.SetWorking(t.Owner.ID, w) }, err
	}
	s, err := t.Session(t.Owner.ID, session)
	if err == nil && s.Kept == nil {
		err = lookup.ErrNotFound
	}
	if err != nil {
		return w, nil, err
	}
	return *s.Kept, func(w memory.Working) error {
		s, err := t.Session(t.Owner.ID, session)
		if err != nil {
			return err
		}
		s.Kept = &w
		return t.PutSession(s)
	}, nil
}

// Deletion describes a deletion and its undo time.
type Deletion struct {
	ID string `json:"id"`
	// Title is that of the session, or of the only item.
	Title    string `json:"title,omitempty"`
	Items    int    `json:"items"`
	Sessions int    `json:"sessions,omitempty"`
	Messages int    `json:"messages,omitempty"`
	// Redacted counts the answers from which words were removed.
	Redacted int       `json:"redacted,omitempty"`
	Profiles int       `json:"profiles,omitempty"` // versions
	At       time.Time `json:"at"`
	Until    time.Time `json:"until"` // end of the undo time
	// Agent is the id of a completely deleted agent, else empty.
	Agent string `json:"agent,omitempty"`
}

// DeletionOf describes a deletion of the store.
func DeletionOf(d store.Deleted) Deletion {
	return Deletion{
		ID: d.ID, Title: d.Title, Items: d.Items, Sessions: d.Sessions, Messages: d.Messages, Profiles: d.Profiles,
		Redacted: len(d.Redacted), At: d.At, Until: d.At.Add(DeletionUndoTime + d.Longer),
	}
}

// DeletionUndoTime is how long a deletion can be undone (D2).
const DeletionUndoTime = 10 * time.Second

// LongDeletionUndoTime is how long a deletion can be undone if the program that made it ends
// at once, so that there is no key to press (D2).
const LongDeletionUndoTime = 10 * time.Minute

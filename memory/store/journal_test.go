package store_test

import (
	"errors"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// J4, D2, C5: the files that are made of a message are found, what was quoted from them goes
// with the message and comes back with it, and what a deletion holds can be read until it is
// purged.
func TestJournalOfARecord(t *testing.T) {
	s := open(t)
	ids := memory.NewIDs(nil)
	a, b := ids.New(start), ids.New(start)
	const day, other = "memory/2026-01-28-tea.md", "memory/2026-01-29-kiln.md"
	var quote string
	update(t, s, func(tx *store.Tx) error {
		var err error
		quote, err = tx.PutPassage("luna", day, "I like tea")
		return errors.Join(err,
			tx.PutSession(memory.Session{ID: "S1", AgentID: "luna"}),
			tx.AppendRecord(memory.Record{ID: a, AgentID: "luna", SessionID: "S1", Role: memory.RoleUser, Content: "I like tea"}),
			tx.AppendRecord(memory.Record{ID: b, AgentID: "luna", SessionID: "S1", Role: memory.RoleUser, Content: "The kiln"}),
			tx.PutJournalIDs("luna", day, []string{a, b}), tx.PutJournalIDs("luna", other, []string{b}),
		)
	})
	quoted := func() (words string) {
		view(t, s, func(tx *store.Tx) (err error) {
			if words, err = tx.Passage("luna", store.JournalName(day), quote); errors.Is(err, store.ErrNotFound) {
				return nil
			}
			return err
		})
		return words
	}
	view(t, s, func(tx *store.Tx) error {
		lists, err := tx.JournalLists("luna")
		if got := lists.With(b); len(got) != 2 || len(lists.With(a)) != 1 || len(lists.With(ids.New(start))) != 0 || len(lists.With("x")) != 0 {
			t.Errorf("with %s: %v", b, got)
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Trash("luna", "D1", nil, nil, a)
		return err
	})
	if got := quoted(); got != "" {
		t.Errorf("a deleted message is still quoted: %q", got)
	}
	view(t, s, func(tx *store.Tx) error {
		r, err := tx.TrashedRecord("luna", a)
		if r.Content != "I like tea" {
			t.Errorf("in the trash: %+v", r)
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.RestoreTrash("luna", "D1", "C9")
		return err
	})
	if got := quoted(); got != "I like tea" {
		t.Errorf("a message that came back is quoted as %q", got)
	}
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.SetNotForMemory("luna", a, true)
		return err
	})
	if got := quoted(); got != "" {
		t.Errorf("a message that is not for memory is still quoted: %q", got)
	}
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Trash("luna", "D2", nil, nil, b)
		return err
	})
	update(t, s, func(tx *store.Tx) error {
		_, _, err := tx.PurgeTrash(tx.Now().Add(time.Hour))
		return err
	})
	view(t, s, func(tx *store.Tx) error {
		if _, err := tx.TrashedRecord("luna", b); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a purged record: %v", err)
		}
		return nil
	})
}

package chat

import (
	"context"
	"errors"

	"memoria/memory"
	"memoria/memory/manager"
)

// A temporary conversation keeps nothing (U5). Its turns are treated like those of a full
// disk (unsaved_turns.go), but are never written: they stay in memory in their order, and
// [manager.Manager.DryRun] shows each turn the store as if they were in it. It recalls
// like any other conversation. It is in no session, and nothing is learned, judged, swept
// or taken over from an earlier process.

// ErrTemporary is returned for a session operation in a temporary conversation.
var ErrTemporary = errors.New("this chat is temporary and nothing of it is kept; /temp ends it")

// Temporary reports whether nothing of the conversation is kept.
func (c *Chat) Temporary() bool { return c.temporary }

// beginTemporary begins a turn of a temporary conversation.
func (w *worker) beginTemporary(ctx context.Context, t *turn) error {
	t.why = WhyContinued
	t.late.Kept, t.late.Learn = false, false
	t.late.Place = manager.Place{Forgetful: true, First: t.first()}
	if len(t.before) == 0 {
		t.late.Place.NewID = w.memory.NewID()
	} else {
		t.late.Place.SessionID = sessionOf(t.before[len(t.before)-1])
	}
	return w.rehearse(ctx, t)
}

// finishTemporary ends a turn of a temporary conversation: its answer stays in a.late.
func (a *answer) finishTemporary(record memory.Record) memory.Record {
	record.ID, record.Timestamp = a.memory.NewID(), a.now()
	a.late.Reply = &record
	return record
}

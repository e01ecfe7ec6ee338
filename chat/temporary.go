package chat

import (
	"context"
	"errors"
	"slices"

	"memoria/memory"
	"memoria/memory/manager"
)

// A temporary conversation keeps nothing (U5). Its turns are those of a full disk
// (owed.go) that are never written: they stay in memory with their order, and each reads
// them through [manager.Manager.DryRun], which shows the store as it would be with
// them and writes nothing. It recalls as any other conversation does, in no session that
// was there before. Nothing is learned, judged, swept or taken up from an earlier
// process while it lasts.

// ErrTemporary says that a temporary conversation has no session to leave or to go on
// with.
var ErrTemporary = errors.New("this chat is temporary and nothing of it is kept; /temp ends it")

// Temporary reports whether nothing of the conversation is kept.
func (c *Chat) Temporary() bool { return c.temporary }

// beginTemporary begins a turn of a temporary conversation behind those before it.
func (c *Chat) beginTemporary(ctx context.Context, q queued, late *manager.UnsavedTurn, before owed) (turn manager.Turn, err error) {
	late.Kept, late.Learn = false, false
	late.Place = manager.Place{Forgetful: true, First: q.first()}
	if len(before) == 0 {
		late.Place.NewID = c.memory.NewID()
	} else {
		late.Place.SessionID = sessionOf(before[len(before)-1])
	}
	err = c.memory.DryRun(ctx, c.agent.ID, append(slices.Clone(before), *late), func(r *manager.DryRun) error {
		turn = r.Turn()
		return nil
	})
	return turn, err
}

// finishTemporary ends a turn of a temporary conversation: its answer stays in a.late.
func (a *attempt) finishTemporary(record memory.Record) memory.Record {
	record.ID, record.Timestamp = a.c.memory.NewID(), a.c.now()
	a.late.Reply = &record
	return record
}

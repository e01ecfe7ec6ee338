package chat

import (
	"context"

	"memoria/memory"
	"memoria/memory/manager"
)

// turn carries one message from [Chat.Send] to [Finished].
type turn struct {
	// late is what the memory is told of the turn, at once or when the disk takes writes
	// again. It has the message from the beginning; Kept says that the message is on disk.
	late manager.UnsavedTurn
	want destination // where the user wants the message
	// retry answers a stored message again; beside keeps the answers that it has.
	retry, beside bool
	tries         int      // to begin the turn, which failed
	releases      []func() // let go of the turn; see manager.HeldTurns

	// The worker sets these when it takes the turn. conversation.mu guards them.
	cancel     context.CancelCauseFunc
	settling   bool                    // it is not decided yet which session the message goes to
	hurried    bool                    // the user did not wait for that decision
	endJudging context.CancelCauseFunc // of the judge; nil when none is asked

	// What holds for the whole turn, once it begins. The worker owns these.
	set     settings
	members []Agent // of a group, that answer
	before  unsaved // the turns before this one that are not written
	begun   manager.Turn
	why     SessionWhy
}

// newTurn returns the turn of a message that is on disk.
func newTurn(message memory.Record) *turn {
	return &turn{late: manager.UnsavedTurn{Message: message, Kept: true}}
}

// retryOf returns a turn that answers a stored message again.
func retryOf(message memory.Record) *turn {
	t := newTurn(message)
	t.retry = true
	return t
}

// heading is the session that the message is known to go to; empty when it is not known.
func (t *turn) heading() string {
	if t.retry {
		return t.late.Message.SessionID
	}
	return t.want.sessionID
}

// first is, in a group, the member that answers first.
func (t *turn) first() string {
	if len(t.members) == 0 {
		return ""
	}
	return t.members[0].ID
}

// decided ends the search for the session, and reports whether the user did not wait for
// it; conversation.mu is held.
func (t *turn) decided() (hurried bool) {
	hurried = t.hurried
	t.settling, t.hurried = false, false
	return hurried
}

// hold keeps other conversations of this process from taking the turn up. It reports whether
// none of them has it.
func (c *conversation) hold(t *turn) (ok bool) {
	release, ok := c.memory.Held.Hold(t.late.Message.TurnID)
	if ok {
		t.releases = append(t.releases, release)
	}
	return ok
}

// letGo ends what hold began.
func (t *turn) letGo() {
	for _, release := range t.releases {
		release()
	}
}

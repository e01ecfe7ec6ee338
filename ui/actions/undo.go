package actions

import (
	"context"
	"errors"
	"slices"
	"time"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/ui/clean"
	"memoria/ui/words"
)

// offer is what /undo undoes while its time is not over.
type offer struct {
	id    string // of a deletion
	until time.Time
	// deletion says that it is told when its time is over, agent that an agent or a group
	// was deleted.
	deletion, agent bool
	undo            func(ctx context.Context, c *Console) (Result, error)
}

// OfferDeletion lets /undo undo a deletion. what names what was deleted.
func (c *Console) OfferDeletion(d write.Deletion, what string) {
	c.offers = append(c.offers, offer{id: d.ID, until: d.Until, deletion: true, agent: d.Agent != "",
		undo: func(ctx context.Context, c *Console) (Result, error) {
			var open *chat.Chat
			var err error
			switch {
			case d.Agent != "":
				open, err = c.Conversations.Restore(ctx, d.Agent, d.ID)
			case c.Chat != nil:
				_, err = c.Chat.UndoDeletion(ctx, d.ID)
			default:
				_, err = c.Memory.UndoDeletion(ctx, c.Agent.ID, d.ID)
			}
			if err != nil {
				return Result{Open: open}, err
			}
			return Result{Open: open, Notes: []string{c.Say("undo.restored", what)}}, nil
		}})
}

// Restored takes back the offer of c to undo a deletion, which was undone.
func Restored(c *Console, deletion string) {
	c.offers = slices.DeleteFunc(c.offers, func(o offer) bool { return o.id == deletion })
}

// OfferTurns lets /undo undo what an edited message undid of the turns that it left.
func (c *Console) OfferTurns(left manager.LeftTurns) {
	if id := left.Undone.ID; id != "" {
		c.offerUndo(func(ctx context.Context, c *Console) (Result, error) {
			u, err := c.Memory.Learning().Undo(ctx, c.Agent.ID, id)
			return c.undone(u), err
		})
	}
}

// offerUndo lets /undo do something for as long as a deletion can be undone.
func (c *Console) offerUndo(undo func(ctx context.Context, c *Console) (Result, error)) {
	c.offers = append(c.offers, offer{until: c.Now().Add(write.DeletionUndoTime), undo: undo})
}

// deleted tells of a deletion and lets the user undo it.
func (c *Console) deleted(id string, d write.Deletion, what string) Result {
	c.OfferDeletion(d, what)
	return Result{Notes: []string{c.Say(id, c.Words.Left(c.Now(), d.Until), what)}, Deletion: &d}
}

// undone tells what became of an undo, a line for each memory.
func (c *Console) undone(u learning.Undone) (r Result) {
	for _, line := range u.Lines() {
		r.Lines = append(r.Lines, c.Say("undo.did", words.Sentence(clean.Line(line))))
	}
	return r
}

// Unlearned tells what was undone with a turn.
func (c *Console) Unlearned(u learning.Undone) (lines []string) {
	for _, line := range u.Lines() {
		lines = append(lines, c.Say("undo.unlearned", words.Sentence(clean.Line(line))))
	}
	return lines
}

// undoAny undoes what was done last and can still be undone: a deletion, a turn, a message
// that waits, or else the last change of the memory (P9).
func undoAny(ctx context.Context, c *Console, _ string) (Result, error) {
	gone := false
	for n := len(c.offers) - 1; n >= 0; n-- {
		o := c.offers[n]
		c.offers = c.offers[:n]
		if c.Now().Before(o.until) {
			return o.undo(ctx, c)
		}
		gone = gone || o.deletion
	}
	switch n := len(c.Queue); {
	case n > 0:
		return unsend(ctx, c, c.Queue[n-1].ID)
	case gone:
		return Result{}, manager.ErrGone
	}
	return undoChange(ctx, c)
}

// undoChange undoes the last change of the memory. It asks first, unless the change is
// [Fresh].
func undoChange(ctx context.Context, c *Console) (Result, error) {
	change, err := c.Memory.Lookup().LastChange(ctx, c.Agent.ID)
	if errors.Is(err, lookup.ErrNotFound) {
		return c.note("undo.nothing"), nil
	} else if err != nil {
		return Result{}, err
	}
	packages, err := c.packages(ctx)
	if err != nil {
		return Result{}, err
	}
	turn := ""
	if n := len(packages); n > 0 {
		turn = packages[n-1].TurnID
	}
	do := func(ctx context.Context) (Result, error) {
		u, err := c.Memory.Learning().Undo(ctx, c.Agent.ID, change.ID)
		return c.undone(u), err
	}
	session := ""
	if c.Chat != nil {
		session = c.Chat.Session().ID
	}
	if Fresh(change, turn, c.Now()) && !AsksToForget(ctx, c.Memory.Lookup(), c.Agent.ID, session) {
		return do(ctx)
	}
	return c.confirm(c.Say("undo.older", clean.Line(change.Item.Content)), c.Say("ask.left"), do), nil
}

// Fresh reports whether a change came with the last turn, or was made by the user less than a
// minute ago: it is still in view. Any other one is named before it is undone.
func Fresh(c memory.Change, turn string, now time.Time) bool {
	if c.TurnID != "" {
		return c.TurnID == turn
	}
	return c.Origin == memory.OriginUser && now.Sub(c.Time) < time.Minute
}

// AsksToForget reports whether the memory has asked in a session which memories to forget, and was not answered: undoing
// something older is not what is meant then, so it is named before.
func AsksToForget(ctx context.Context, r *lookup.Reader, agent, session string) bool {
	if session == "" {
		return false
	}
	s, err := r.Session(ctx, agent, session)
	return err == nil && s.Question != nil && s.Question.AnsweredBy == "" && len(s.Question.Waiting) == 0
}

// Undoing names what a command undoes: a change, or all that a turn or a run in the
// background did. Without any it is the last change.
type Undoing struct{ Change, Turn, Generation string }

// List lists the changes that are going to be undone, and says what would be done.
func (u *Undoing) List(ctx context.Context, c *Console) (rows []words.Row, what string, err error) {
	var page lookup.ChangePage
	switch {
	case u.Turn != "":
		what = "undo.this-turn"
		page, err = c.Memory.Lookup().Changes(ctx, c.Agent.ID, lookup.ChangeFilter{TurnID: u.Turn})
	case u.Generation != "":
		what = "undo.this-run"
		page, err = c.Memory.Lookup().Changes(ctx, c.Agent.ID, lookup.ChangeFilter{Generation: u.Generation})
	default:
		what = "undo.this-change"
		var change memory.Change
		if u.Change == "" {
			change, err = c.Memory.Lookup().LastChange(ctx, c.Agent.ID)
		} else {
			change, err = c.Memory.Lookup().Change(ctx, c.Agent.ID, u.Change)
		}
		u.Change, page.Changes = change.ID, []memory.Change{change}
	}
	for _, ch := range page.Changes {
		rows = append(rows, c.Words.ChangeRow(ch, c.Now()))
	}
	return rows, c.Say("really.undo", c.Say(what)), err
}

// Undo undoes it. That nothing could be undone is a failure.
func (u *Undoing) Undo(ctx context.Context, c *Console) (r Result, err error) {
	var done learning.Undone
	switch {
	case u.Turn != "":
		done, err = c.Memory.Learning().UndoTurn(ctx, c.Agent.ID, u.Turn)
	case u.Generation != "":
		done, err = c.Memory.Learning().UndoGeneration(ctx, c.Agent.ID, u.Generation)
	default:
		done, err = c.Memory.Learning().Undo(ctx, c.Agent.ID, u.Change)
	}
	if err != nil {
		return r, err
	}
	r = c.undone(done)
	if r.Data = done; done.ID == "" {
		r.Failed = Refusal(c.Say("undo.none"))
		return r, nil
	}
	r.Notes = []string{c.Say("undo.redo", words.ShortID(done.ID))}
	return r, nil
}

// unsend withdraws a message that waits for its answer.
func unsend(ctx context.Context, c *Console, id string) (Result, error) {
	r, err := c.Chat.Unsend(ctx, id)
	if err != nil {
		return Result{}, err
	}
	c.Queue = slices.DeleteFunc(slices.Clone(c.Queue), func(w chat.Waiting) bool { return w.ID == id })
	return Result{Notes: []string{c.Say("undo.unsent", r.Content)}, Withdrawn: id}, nil
}

// undoTurn undoes the last turn.
func undoTurn(ctx context.Context, c *Console, _ string) (Result, error) {
	left, err := c.Chat.UndoTurn(ctx)
	if errors.Is(err, chat.ErrNothing) {
		return c.note("undo.no-turn"), nil
	} else if err != nil {
		return Result{}, err
	}
	c.LastAnswer = ""
	c.offerUndo(func(ctx context.Context, c *Console) (Result, error) {
		return c.note("undo.turn-restored"), c.Chat.RedoTurn(ctx, left)
	})
	return Result{Lines: append([]string{c.Say("undo.turn", clean.Line(left.Message.Content))}, c.Unlearned(left.Undone)...)}, nil
}

package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/manager"
)

// errUnsaved ends a turn that is answered and waits to be written.
var errUnsaved = errors.New("it is not on the disk yet")

// owed are the turns of which the disk did not take everything, in their order.
// Nothing of a later turn is written before them. Only the worker has them.
type owed []manager.UnsavedTurn

// write writes what the disk takes by now. Of a session that was deleted
// meanwhile nothing is kept.
func (o *owed) write(ctx context.Context, c *Chat) {
	before := len(*o)
	for len(*o) > 0 {
		err := c.memory.WriteUnsaved(context.WithoutCancel(ctx), (*o)[0])
		if err != nil && !errors.Is(err, manager.ErrNotFound) {
			c.log.Error("turn was not stored", "error", err)
			break
		}
		*o = (*o)[1:]
	}
	if len(*o) < before {
		poke(c.learn) // no other turn may come to see to it (L2)
	}
	c.owes(len(*o))
}

// owes takes note of how many turns are not written, and tells.
func (c *Chat) owes(n int) {
	c.mu.Lock()
	c.owing = n
	c.mu.Unlock()
	c.tellStorage()
}

// isOwing reports whether a turn is not written.
func (c *Chat) isOwing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.owing > 0
}

// sessionOf is the session of a turn, written or not.
func sessionOf(l manager.UnsavedTurn) string {
	for _, id := range []string{l.Message.SessionID, l.Place.SessionID, l.Place.NewID} {
		if id != "" {
			return id
		}
	}
	return ""
}

// begin resolves the session, which may be judged, and moves the message there (S7;
// S11: that is over before anything is sent). Behind turns that the disk did not take, or when
// it does not take this one, the turn begins without it; late says what became
// of it.
//
// A turn begins also when its answer is cancelled by then, or the conversation ends: ctx
// ends the judging alone.
func (c *Chat) begin(ctx context.Context, q queued, late *manager.UnsavedTurn, before owed) (manager.Turn, SessionWhy, error) {
	always := context.WithoutCancel(ctx)
	if c.temporary {
		turn, err := c.beginTemporary(always, q, late, before)
		return turn, WhyContinued, err
	}
	if !late.Kept {
		late.Kept = c.memory.Trouble() == nil && c.memory.KeepUnsaved(always, late.Message) == nil
	}
	last, has, err := c.lastSession(always, len(before) > 0)
	if err != nil {
		return manager.Turn{}, "", err
	}
	if q.again {
		p := resolve(next{sessionID: q.record.SessionID}, last, has, c.settings().Config, c.now())
		at := manager.Place{Archive: p.archive, Forgetful: c.noMemory, First: q.first()}
		if q.anew {
			turn, err := c.memory.RegenerateTurn(always, c.agent.ID, q.record.ID, at)
			late.Begun = err == nil
			return turn, WhyBranched, err
		}
		turn, err := c.memory.RetryTurn(always, q.record, at)
		late.Begun = err == nil
		return turn, WhyContinued, err
	}
	p, err := c.settle(ctx, resolve(q.want, last, has, c.settings().Config, q.record.Timestamp), last, q.record, before)
	if err != nil {
		return manager.Turn{}, "", err
	}
	late.Place = manager.Place{
		SessionID: p.sessionID, Archive: p.archive, Judgement: p.judgement, Forgetful: c.noMemory, First: q.first(),
		Passive: c.settings().PassiveTimeout,
	}
	if manager.EditedBy(q.record) != "" && p.sessionID != "" {
		p.why = WhyBranched
	}
	if late.Kept && len(before) == 0 {
		turn, err := c.memory.BeginTurn(always, c.agent.ID, q.record.ID, late.Place)
		if _, disk := manager.TroubleOf(err); !disk {
			late.Begun = err == nil
			return turn, p.why, err
		}
	}
	if p.sessionID == "" {
		late.Place.NewID = c.memory.NewID()
		if len(before) > 0 && p.archive == "" {
			late.Place.Archive = sessionOf(before[len(before)-1])
		}
	}
	var turn manager.Turn
	err = c.memory.DryRun(always, c.agent.ID, append(slices.Clone(before), *late), func(r *manager.DryRun) error {
		turn = r.Turn()
		return nil
	})
	if err == nil {
		c.owes(len(before) + 1)
	}
	return turn, p.why, err
}

// records returns the session's last messages, also those that wait to be
// written.
func (a *attempt) records(ctx context.Context) (out []memory.Record, err error) {
	c := a.c
	if a.late.Begun && len(a.before) == 0 {
		return c.memory.LastRecords(ctx, a.agent.ID, a.turn.Session.ID, a.lookBack())
	}
	err = a.rehearse(ctx, func(r *manager.DryRun) error {
		out, err = r.LastRecords(a.agent.ID, a.turn.Session.ID, a.lookBack())
		return err
	})
	return out, err
}

// lookBack is from how many records the window is made: some hold calls of tools, or
// are not sent.
func (a *attempt) lookBack() int { return max(lookBack, 3*a.set.ContextLimit) }

// lastSent is the package of the newest turn among records, also of one that waits to be
// written; nil when there is none that can be read.
func (a *attempt) lastSent(ctx context.Context, records []memory.Record) (last *memory.Package) {
	var turns []string
	for _, r := range slices.Backward(records) {
		if len(turns) == 0 || turns[len(turns)-1] != r.TurnID {
			turns = append(turns, r.TurnID)
		}
	}
	var err error
	if a.late.Begun && len(a.before) == 0 {
		last, err = a.c.memory.LastSent(ctx, a.agent.ID, turns)
	} else {
		err = a.rehearse(ctx, func(r *manager.DryRun) (err error) {
			last, err = r.LastSent(a.agent.ID, turns)
			return err
		})
	}
	if err != nil { // then the window begins where it would without it
		a.c.log.Warn("the package before was not read", "error", err)
	}
	return last
}

// pack stores the package, or leaves it to be stored with the turn, and returns
// what to send.
func (a *attempt) pack(ctx context.Context, comp composed) (sent memory.Rendered, err error) {
	if a.late.Begun && len(a.before) == 0 {
		sent, err = a.c.memory.SavePackage(ctx, comp.pkg, comp.texts)
		if _, disk := manager.TroubleOf(err); !disk {
			return sent, err
		}
	}
	err = a.rehearse(ctx, func(r *manager.DryRun) error {
		sent, err = r.Package(comp.pkg, comp.texts)
		return err
	})
	a.late.Package, a.late.Texts = &comp.pkg, comp.texts
	return sent, err
}

func (a *attempt) rehearse(ctx context.Context, fn func(*manager.DryRun) error) error {
	return a.c.memory.DryRun(ctx, a.c.agent.ID, append(slices.Clone(a.before), *a.late), fn)
}

// finish stores the answer, or leaves it in a.late; then the error says why.
func (a *attempt) finish(ctx context.Context, record memory.Record) (memory.Record, error) {
	c := a.c
	if c.temporary {
		return a.finishTemporary(record), nil
	}
	err := errUnsaved
	if t := c.memory.Trouble(); t != nil {
		err = t.Err
	}
	if a.late.Begun && a.late.Package == nil && len(a.late.Rounds) == 0 && len(a.before) == 0 {
		var stored memory.Record
		if stored, err = c.memory.FinishTurn(context.WithoutCancel(ctx), record, a.late.Learn, a.next...); err == nil {
			return stored, nil
		}
	}
	record.ID, record.Timestamp = c.memory.NewID(), c.now()
	a.late.Reply = &record
	c.log.Error("answer was not stored", "error", err)
	return record, err
}

// watchStorage tells how the disk is, and has everything written when it takes
// writes again.
func (c *Chat) watchStorage() {
	changed, stop := c.memory.Watch()
	defer stop()
	for {
		select {
		case <-changed:
		case <-c.ctx.Done():
			return
		}
		if c.memory.Trouble() == nil {
			c.keepWaiting()
			poke(c.wake)
		}
		c.tellStorage()
	}
}

// keepWaiting writes the messages that wait for their turn and are in memory
// only (A1), and returns how many the disk did not take.
func (c *Chat) keepWaiting() (left int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, list := range [][]queued{c.stuck, c.queue} {
		for i := range list {
			if !list[i].unkept {
				continue
			}
			if left > 0 || c.memory.KeepUnsaved(context.WithoutCancel(c.ctx), list[i].record) != nil {
				left++
				continue
			}
			list[i].unkept = false
		}
	}
	return left
}

// lastTry writes what it can when the conversation ends.
func (c *Chat) lastTry(o owed) {
	if c.temporary {
		return
	}
	waiting := c.keepWaiting()
	o.write(c.ctx, c)
	c.mu.Lock()
	c.lost = waiting + len(o)
	c.mu.Unlock()
}

// unsaved is the error of a conversation that ends with something in memory only.
func (c *Chat) unsaved() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost == 0 {
		return nil
	}
	err := errUnsaved
	if t := c.memory.Trouble(); t != nil {
		err = t.Err
	}
	return fmt.Errorf("what was said in the last %d turns could not be saved: %w", c.lost, err)
}

// tellStorage sends [StorageChanged] when there is something new to say.
func (c *Chat) tellStorage() {
	c.mu.Lock()
	defer c.mu.Unlock()
	var p *Problem
	waiting := c.owing
	for _, q := range append(slices.Clone(c.queue), c.stuck...) {
		if q.unkept {
			waiting++
		}
	}
	if t := c.memory.Trouble(); t != nil || waiting > 0 {
		words := explainStorage(t, waiting)
		p = &words
	}
	if p == c.told || p != nil && c.told != nil && *p == *c.told {
		return
	}
	c.told = p
	session := c.session.ID
	c.events.send(func(seq uint64) Event {
		return StorageChanged{Head: Head{Seq: seq, SessionID: session}, Problem: p}
	})
}

// explainStorage words trouble with the disk; waiting is how many turns are in
// memory only.
func explainStorage(t *manager.Trouble, waiting int) Problem {
	p := Problem{Title: "Not everything is written yet", Hint: "It is written by itself, in order."}
	if t != nil {
		p = Explain(t.Err)
		p.Text = map[manager.TroubleKind]string{
			manager.TroubleFull:     "Nothing can be written.",
			manager.TroubleReadOnly: "The data folder is read-only.",
			manager.TroubleGone:     "The data folder was moved or removed.",
		}[t.Kind]
		if p.Text == "" {
			p.Title, p.Text = "The disk does not take writes", t.Text+"."
		}
	}
	switch waiting {
	case 0:
		p.Text += " What was saved before is safe."
	case 1:
		p.Text += " The last message is in memory only."
	default:
		p.Text += fmt.Sprintf(" The last %d messages are in memory only.", waiting)
	}
	return p
}

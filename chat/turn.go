package chat

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"memoria/memory"
	"memoria/memory/manager"
)

const (
	lookBack = 60 // records from which a window is made
	maxTries = 3  // to begin the turn of a message; the next process tries again
)

// answerAll takes messages from the queue until the conversation ends.
func (c *Chat) answerAll() {
	var late owed
	defer func() { c.lastTry(late) }()
	for {
		q, ctx, ok := c.take()
		if len(late) > 0 && !c.temporary && c.memory.Trouble() == nil {
			late.write(c.ctx, c)
		}
		if !ok {
			select {
			case <-c.wake:
				continue
			case <-c.events.room:
				continue
			case <-c.ctx.Done():
				return
			}
		}
		if q.op != nil {
			q.op()
		} else {
			late = append(late, c.answer(ctx, q, late)...)
		}
		if !c.temporary {
			c.owes(len(late))
		}
		c.mu.Lock()
		c.cancel(nil) // lets go of the context
		c.running, c.cancel = false, nil
		c.mu.Unlock()
		poke(c.learn)
	}
}

// take returns the next message with the context of its turn. There is none while
// nobody reads what the turns before it told.
func (c *Chat) take() (queued, context.Context, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 || c.ctx.Err() != nil || c.events.full() {
		return queued{}, nil, false
	}
	c.makeWay()
	q := c.queue[0]
	c.queue = slices.Delete(c.queue, 0, 1)
	ctx, cancel := context.WithCancelCause(c.ctx)
	c.running, c.cancel, c.heading = true, cancel, q.heading()
	c.settling, c.hurried = q.op == nil && !q.again, false
	c.announceQueue()
	return q, ctx, true
}

// answer takes one message the whole way through, behind those before it that
// are not written. It returns what of the turn could not be.
func (c *Chat) answer(ctx context.Context, q queued, before owed) owed {
	late := &manager.UnsavedTurn{Message: q.record, Kept: !q.unkept, Learn: !c.noMemory}
	q.to = c.answerers(context.WithoutCancel(ctx), q)
	var turn manager.Turn
	var why SessionWhy
	err := c.guard("beginning a turn", func() (err error) {
		turn, why, err = c.begin(ctx, q, late, before)
		return err
	})
	if c.decided() { // there was nothing to judge: it is the answer that is not wanted
		c.Cancel()
	}
	q.unkept = !late.Kept
	if errors.Is(err, errShutdown) { // the next process resolves it
		c.mu.Lock()
		defer c.mu.Unlock()
		c.queue = slices.Insert(c.queue, 0, q)
		return nil
	}
	if err != nil {
		c.keepStuck(q, err)
		c.log.Error("turn did not begin", "error", err)
		c.end("", q.record.TurnID, true, func(h Head) Event {
			p := Explain(err)
			return Finished{Head: h, Record: memory.Record{
				AgentID: c.agent.ID, TurnID: q.record.TurnID, Role: memory.RoleAssistant, Status: memory.StatusError,
			}, Problem: &p}
		})
		return nil
	}
	if c.temporary { // it is in no session that a reader could open
	} else if c.Session().ID != turn.Session.ID || why != WhyContinued {
		c.enter(turn.Session, why)
	} else {
		c.mu.Lock()
		if s := c.session; s.ID == turn.Session.ID && s.Named { // perhaps renamed just now
			turn.Session.Title, turn.Session.Named = s.Title, true
		}
		c.session = turn.Session
		c.mu.Unlock()
	}
	if turn.Left != nil {
		c.emit(turn.Record.TurnID, func(h Head) Event { return TurnsLeft{Head: h, Left: *turn.Left} })
	}
	if !q.again {
		c.emit(turn.Record.TurnID, func(h Head) Event {
			e := UserStored{Head: h, Record: turn.Record, Unsaved: !late.Begun && !c.temporary}
			if !c.temporary { // nothing of it is stored
				e.Secrets = manager.SecretsIn(turn.Record)
			}
			return e
		})
	}
	if late.Begun { // what is not on disk is learned from when it is
		turn.Learned = c.learnTurn(ctx, q)
	}
	if c.inGroup() {
		return c.answerInGroup(ctx, q, turn, late, before)
	}
	a := &attempt{c: c, agent: c.agent.as(), set: c.settings(), client: c.client(), turn: turn, start: c.now(), late: late, before: before}
	return a.run(ctx)
}

// end tells the end of a turn. When it is free, the conversation rests from then
// on: who hears of the end may begin something new at once, and what they begin
// is told behind it.
func (c *Chat) end(session, turn string, free bool, make func(Head) Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = !free
	if session == "" {
		session = c.session.ID
	}
	c.events.send(func(seq uint64) Event {
		return make(Head{Seq: seq, SessionID: session, TurnID: turn})
	})
}

// keepStuck keeps a message whose turn could not begin until something is sent
// or [Chat.Retry] is called.
func (c *Chat) keepStuck(q queued, err error) {
	if q.tries++; q.again || q.tries == maxTries {
		return
	}
	if errors.Is(err, manager.ErrNotFound) {
		q.want = next{} // the session it was made for is gone
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stuck = append(c.stuck, q)
}

// guard makes an error of a fault of the program, so that the conversation goes
// on and the terminal stays as it should be. What a fault says may hold the
// user's words, so only the place and kind of it are logged.
func (c *Chat) guard(doing string, f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			kind := fmt.Sprintf("%T", v)
			if e, ok := v.(runtime.Error); ok {
				kind = e.Error()
			}
			c.log.Error("fault while "+doing, "fault", kind, "stack", string(debug.Stack()))
			err = fmt.Errorf("%s: %w", doing, errFault)
		}
	}()
	return f()
}

package chat

import (
	"context"
	"errors"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
)

const (
	lookBack = 60 // records from which a window is made
	maxTries = 3  // to begin the turn of a message; the next process tries again
)

// worker answers the messages of a conversation, one after the other.
type worker struct {
	*conversation
	learner *learner
	storage *storage
	unsaved unsaved
	ended   []*turn // that are still held
}

// run takes turns and operations from the queue until the conversation ends.
func (w *worker) run() {
	defer w.lastTry()
	for {
		left, entered, err := w.line()
		if err != nil {
			return
		}
		t, ctx, operation := w.take(entered)
		if len(w.unsaved) > 0 && !w.temporary && w.memory.Vault().Trouble() == nil {
			w.writeUnsaved()
		}
		switch {
		case operation != nil:
			operation()
		case t != nil:
			w.unsaved = append(w.unsaved, w.answer(ctx, t)...)
		default:
			left()
			select {
			case <-w.wake:
				continue
			case <-w.events.room:
				continue
			case <-w.ctx.Done():
				return
			}
		}
		if !w.temporary {
			w.storage.setUnsaved(len(w.unsaved))
		}
		w.mu.Lock()
		if t != nil {
			t.cancel(nil) // releases the context
		}
		w.queue.ended()
		w.letGoEnded()
		w.mu.Unlock()
		left()
		w.learner.wake()
		if t != nil && t.late.Begun {
			w.beside.tell(context.WithoutCancel(ctx), w.conversation, t.begun.Session)
		}
	}
}

// line waits for the turns of other conversations with the agent if something is to be
// done. Meanwhile the messages are in the queue, where they can be withdrawn. The error is the
// end of the conversation.
func (w *worker) line() (left func(), entered bool, err error) {
	w.mu.Lock()
	idle := w.queue.operation == nil && len(w.queue.waiting) == 0
	w.mu.Unlock()
	if idle {
		return func() {}, false, nil
	}
	left, err = w.beside.enter(w.ctx, w.conversation)
	return left, err == nil, err
}

// holdTurn holds one of the turns of an answer.
func (w *worker) holdTurn(t *turn, id string) {
	if id == "" {
		return
	}
	if release, ok := w.memory.Held.Hold(id); ok {
		t.releases = append(t.releases, release)
	}
	if len(w.ended) == 0 || w.ended[len(w.ended)-1] != t {
		w.ended = append(w.ended, t)
	}
}

// letGoEnded lets go of the turns that have ended and are written; w.mu is held.
func (w *worker) letGoEnded() {
	if len(w.unsaved) > 0 {
		return
	}
	for _, t := range w.ended {
		if !slices.Contains(w.queue.waiting, t) && !slices.Contains(w.queue.stuck, t) {
			t.letGo()
		}
	}
	w.ended = nil
}

// take returns the next turn, with its context, or operation. There is none while the
// reader of the events is far behind, and unless the conversation has entered.
func (w *worker) take(entered bool) (t *turn, ctx context.Context, operation func()) {
	defer w.tickets.next()() // no operation is under way when a turn begins
	w.mu.Lock()
	defer w.mu.Unlock()
	if !entered || w.ctx.Err() != nil || w.events.full() {
		return nil, nil, nil
	}
	if t, ctx, operation = w.queue.take(w.ctx); t == nil && operation == nil {
		return nil, nil, nil
	}
	w.learner.makeWay()
	w.announceQueue()
	return t, ctx, operation
}

// answer takes a turn from its beginning to its end. It returns what could not be written.
func (w *worker) answer(ctx context.Context, t *turn) unsaved {
	t.set, t.before = w.settings(), w.unsaved
	t.late = manager.UnsavedTurn{Message: t.late.Message, Kept: t.late.Kept, Learn: !w.noMemory}
	t.members = w.answering(context.WithoutCancel(ctx), t)
	w.holdTurn(t, t.late.Message.TurnID)
	err := w.guard("beginning a turn", func() error { return w.begin(ctx, t) })
	w.beside.note(t.begun.Record.TurnID, w.client().Info().Endpoint)
	w.holdTurn(t, t.begun.Record.TurnID) // another one if the message is answered beside an answer
	w.mu.Lock()
	if t.decided() { // nothing was judged, so the user meant the answer
		t.cancel(errUser)
	}
	w.mu.Unlock()
	if errors.Is(err, errShutdown) { // the next process answers it
		w.mu.Lock()
		defer w.mu.Unlock()
		w.queue.addFirst(t)
		return nil
	}
	if err != nil {
		w.notBegun(t, err)
		return nil
	}
	w.announce(t)
	if t.late.Begun { // an unsaved message is learned from when it is written
		t.begun.Learned = w.learner.learnTurn(ctx, t.late.Message.TurnID)
	}
	return w.answers(ctx, t)
}

// answering are the members of a group that answer a message: those that it is for, and on
// a retry those of them that gave no complete answer.
func (w *worker) answering(ctx context.Context, t *turn) []Agent {
	if !w.inGroup() {
		return nil
	}
	if t.retry {
		if missing := w.withoutAnswer(ctx, t.late.Message); len(missing) > 0 {
			return missing
		}
	}
	return Addressed(askedWithNames(t.late.Message), w.group.Members)
}

// announce tells of a turn that has begun.
func (w *worker) announce(t *turn) {
	if w.temporary { // its session is not one that a reader could open
	} else if w.currentSession().ID != t.begun.Session.ID || t.why != WhyContinued {
		w.enter(t.begun.Session, t.why)
	} else {
		w.mu.Lock()
		if s := w.session; s.ID == t.begun.Session.ID && s.Named { // it may have been renamed just now
			t.begun.Session.Title, t.begun.Session.Named = s.Title, true
		}
		w.session = t.begun.Session
		w.mu.Unlock()
	}
	id := t.begun.Record.TurnID
	if t.begun.Left != nil {
		w.emit(id, func(h Head) Event { return TurnsLeft{Head: h, Left: *t.begun.Left} })
	}
	if t.retry {
		return
	}
	w.emit(id, func(h Head) Event {
		e := UserStored{Head: h, Record: t.begun.Record, Unsaved: !t.late.Begun && !w.temporary}
		if !w.temporary { // nothing of it is stored
			e.Secrets = manager.SecretsIn(t.begun.Record)
		}
		return e
	})
}

// answers lets the agent, or those members of a group that a message is for, answer it one
// after the other, so that each hears the answers before its own. What members say to each
// other makes no member speak. A failed answer does not keep the others from answering;
// after the user cancels, no other member is asked.
func (w *worker) answers(ctx context.Context, t *turn) (left unsaved) {
	who, client, late := t.members, w.client(), &t.late
	if !w.inGroup() {
		who = []Agent{w.agent.as()}
	}
	for i, agent := range who {
		if i > 0 { // the first answer has begun the turn, or what is left of it will
			late = &manager.UnsavedTurn{Message: t.begun.Record, Kept: true, Begun: true, Place: late.Place, Learn: late.Learn}
		}
		a := &answer{
			conversation: w.conversation, turn: t, who: agent, client: w.clientOf(agent.ID, client), start: w.now(),
			late: late, before: slices.Concat(t.before, left),
		}
		for _, n := range who[i+1:] {
			a.next = append(a.next, n.ID)
		}
		left = append(left, a.run(ctx)...)
		if len(a.next) == 0 {
			break
		}
	}
	return left
}

// notBegun ends a turn that could not begin. Its message is tried again when something is
// sent or [Chat.Retry] is called.
func (w *worker) notBegun(t *turn, err error) {
	if t.tries++; !t.retry && t.tries < maxTries {
		if errors.Is(err, lookup.ErrNotFound) {
			t.want = destination{} // its session is gone
		}
		w.mu.Lock()
		w.queue.stuck = append(w.queue.stuck, t)
		w.mu.Unlock()
	}
	w.log.Error("turn did not begin", "error", err)
	w.end("", t.late.Message.TurnID, true, func(h Head) Event {
		p := Explain(err)
		return Finished{Head: h, Record: memory.Record{
			AgentID: w.agent.ID, TurnID: h.TurnID, Role: memory.RoleAssistant, Status: memory.StatusError,
		}, Problem: &p}
	})
}

// end sends the last event of an answer. If it was the last answer, the conversation is at
// rest from then on: a reader of the event may begin something new at once, whose events
// follow.
func (c *conversation) end(session, turn string, last bool, make func(Head) Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if last {
		c.queue.ended()
	}
	if session == "" {
		session = c.session.ID
	}
	c.events.send(func(seq uint64) Event {
		return make(Head{Seq: seq, SessionID: session, TurnID: turn})
	})
}

package chat

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
)

const (
	partialEvery = time.Second // how often what has arrived is kept on disk
	lookBack     = 60          // records from which a window is made
	maxTries     = 3           // to begin the turn of a message; the next process tries again
)

// answerAll takes messages from the queue until the conversation ends.
func (c *Chat) answerAll() {
	var late owed
	defer func() { c.lastTry(late) }()
	for {
		q, ctx, ok := c.take()
		if len(late) > 0 && c.memory.Trouble() == nil {
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
		c.owes(len(late))
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
	late := &manager.LateTurn{Message: q.record, Kept: !q.unkept, Learn: !c.noMemory}
	q.to = c.answerers(ctx, q)
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
	if c.Session().ID != turn.Session.ID || why != WhyContinued {
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
		c.emit(turn.Record.TurnID, func(h Head) Event { return UserStored{Head: h, Record: turn.Record, Unsaved: !late.Begun} })
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

// attempt is one try at an answer.
type attempt struct {
	c        *Chat
	agent    Agent        // who answers
	set      settings     // of the whole turn,
	client   model.Client // also when another is set meanwhile
	turn     manager.Turn
	start    time.Time
	text     strings.Builder
	saved    time.Time
	pkg      memory.Package
	estimate int // tokens of pkg without the calibration

	firstUsage model.Usage     // of the first request, which is the one that was estimated
	callIDs    map[string]bool // of the turn
	added      int             // tokens of the rounds

	late   *manager.LateTurn // what of the turn is not written yet
	before owed

	next []string // in a group, who answers after this one, until the turn is cancelled
}

// run returns the turn when not all of it could be stored.
func (a *attempt) run(ctx context.Context) owed {
	c := a.c
	var reply model.Reply
	err := c.guard("answering", func() (err error) {
		reply, err = a.ask(ctx)
		return err
	})
	if errors.Is(err, errFault) {
		reply.Text = a.text.String()
	}
	record := a.record(reply)
	if record.FinishReason == memory.FinishCalls {
		record.FinishReason = model.FinishStop // it is the end of an answer all the same
	}
	if reply.Usage.TotalTokens > 0 {
		u := memory.Usage(reply.Usage)
		record.Usage = &u
	}
	if n := a.firstUsage.PromptTokens; n > 0 {
		c.calibration.Observe(a.pkg.Model, a.estimate, n)
	}
	var problem *Problem
	if err != nil {
		problem = a.fail(ctx, &record, err)
	}
	if ctx.Err() != nil { // cancelled: nobody else is asked
		a.next = nil
	}
	a.late.Next = a.next
	stored, serr := a.finish(ctx, record)
	if serr != nil && problem == nil {
		p := Explain(serr)
		problem = &p
	}
	more := len(a.next) > 0
	c.end(record.SessionID, record.TurnID, serr == nil && !more, func(h Head) Event {
		h.Sender = a.sender()
		return Finished{
			Head: h, Record: stored, FirstToken: reply.FirstToken, Took: reply.Took, Problem: problem, Unsaved: serr != nil, More: more,
		}
	})
	if serr == nil {
		return nil
	}
	return owed{*a.late}
}

// record is a reply as it is kept.
func (a *attempt) record(reply model.Reply) memory.Record {
	return memory.Record{
		AgentID: a.c.agent.ID, SessionID: a.turn.Session.ID, TurnID: a.turn.Record.TurnID,
		Role: memory.RoleAssistant, Sender: a.sender(), Content: reply.Text, Model: a.modelName(reply), FinishReason: reply.FinishReason,
		Status: memory.StatusComplete,
	}
}

// ask composes, stores and sends the package, and reads the answer.
func (a *attempt) ask(ctx context.Context) (model.Reply, error) {
	c := a.c
	records, err := a.records(ctx)
	if err != nil {
		return model.Reply{}, err
	}
	heard := a.heard(records)
	records = slices.DeleteFunc(records, func(r memory.Record) bool {
		return r.TurnID == a.turn.Record.TurnID || r.ID == a.turn.Record.ID
	})
	tool, err := c.searchTool(a.client, a.set.memory.SearchLimit)
	if err != nil {
		return model.Reply{}, err
	}
	comp, err := c.compose(ctx, a.set, a.agent, a.turn, a.client.Info(), records, heard, tool)
	if err != nil {
		return model.Reply{}, err
	}
	sent, err := a.pack(ctx, comp)
	if err != nil {
		return model.Reply{}, err
	}
	a.pkg, a.estimate = sent.Package, comp.estimate
	if a.late.Package == nil {
		a.emit(func(h Head) Event { return PackageStored{Head: h, Package: sent.Package} })
	}
	req := model.Request{
		Asked: a.turn.Record.Content, Quotes: comp.quotes, Proofs: comp.proof, ProofAsked: comp.wanted, Told: slices.ContainsFunc(records, memory.Record.Own), Purpose: model.PurposeReply,
	}
	req.Messages = messages(sent.Messages())
	if tool != nil {
		req.Tools = []model.Tool{*tool}
	}
	reply, err := a.converse(ctx, req)
	var refused *model.Error
	if tool != nil && errors.As(err, &refused) && refused.Kind == model.KindTools && len(a.callIDs) == 0 {
		c.refuses(a.client)
		return a.ask(ctx) // once: no tool is offered now
	}
	return reply, err
}

// event passes on what the model's client says.
func (a *attempt) event(ctx context.Context, e model.Event) {
	switch e := e.(type) {
	case model.Delta:
		a.text.WriteString(e.Text)
		a.emit(func(h Head) Event { return Delta{Head: h, Text: e.Text} })
		a.savePartial(ctx)
	case model.Retrying:
		a.emit(func(h Head) Event {
			return Retrying{Head: h, Attempt: e.Attempt, Of: e.Of, Wait: e.Wait, Reason: e.Reason}
		})
	}
}

// savePartial keeps what has arrived, at most once a second.
func (a *attempt) savePartial(ctx context.Context) {
	if !a.late.Begun || len(a.before) > 0 {
		return // there is no turn to keep it with
	}
	now := a.c.now()
	if now.Sub(a.saved) < partialEvery && !a.saved.IsZero() {
		return
	}
	a.saved = now
	err := a.c.memory.SavePartial(ctx, memory.Record{
		AgentID: a.c.agent.ID, SessionID: a.turn.Session.ID, TurnID: a.turn.Record.TurnID,
		Role: memory.RoleAssistant, Sender: a.sender(), Content: a.text.String(), Model: a.modelName(model.Reply{}),
		Status: memory.StatusInterrupted,
	})
	if err != nil {
		a.c.log.Warn("partial answer was not kept", "error", err)
	}
}

// modelName marks the program's own words as such, whatever else is known.
func (a *attempt) modelName(r model.Reply) string {
	if info := a.client.Info(); info.Offline {
		return memory.ModelOffline
	} else if r.Model == "" {
		return info.Model
	}
	return r.Model
}

// fail marks a record by what ended it, and returns what to tell the user.
func (a *attempt) fail(ctx context.Context, record *memory.Record, err error) *Problem {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errUser):
		record.Status = memory.StatusCancelled
		return nil
	case errors.Is(cause, errShutdown):
		record.Status = memory.StatusInterrupted
		record.Metadata = map[string]string{"error": errShutdown.Error()}
		return nil
	}
	p := Explain(err)
	record.Status = memory.StatusError
	if record.Content != "" {
		record.Status = memory.StatusInterrupted
	}
	record.Metadata = map[string]string{"error": p.Title + ": " + p.Text}
	return &p
}

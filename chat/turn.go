package chat

import (
	"context"
	"errors"
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
)

// answerAll takes messages from the queue until the conversation ends.
func (c *Chat) answerAll() {
	for {
		q, ctx, ok := c.take()
		if !ok {
			select {
			case <-c.wake:
				continue
			case <-c.ctx.Done():
				return
			}
		}
		c.answer(ctx, q)
		c.mu.Lock()
		c.running, c.cancel = false, nil
		c.mu.Unlock()
		poke(c.learn)
	}
}

// take returns the next message with the context of its turn.
func (c *Chat) take() (queued, context.Context, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 || c.ctx.Err() != nil {
		return queued{}, nil, false
	}
	q := c.queue[0]
	c.queue = slices.Delete(c.queue, 0, 1)
	ctx, cancel := context.WithCancelCause(c.ctx)
	c.running, c.cancel = true, cancel
	c.announceQueue()
	return q, ctx, true
}

// answer takes one message the whole way through.
func (c *Chat) answer(ctx context.Context, q queued) {
	turn, why, err := c.begin(ctx, q)
	if err != nil {
		c.log.Error("turn did not begin", "error", err)
		c.emit(q.record.TurnID, func(h Head) Event {
			p := Explain(err)
			return Finished{Head: h, Record: memory.Record{
				AgentID: c.agent.ID, TurnID: q.record.TurnID, Role: memory.RoleAssistant, Status: memory.StatusError,
			}, Problem: &p}
		})
		return
	}
	if c.Session().ID != turn.Session.ID || why != WhyContinued {
		c.enter(turn.Session, why)
	} else {
		c.mu.Lock()
		c.session = turn.Session
		c.mu.Unlock()
	}
	if !q.again {
		c.emit(turn.Record.TurnID, func(h Head) Event { return UserStored{Head: h, Record: turn.Record} })
	}
	a := &attempt{c: c, turn: turn, start: c.now()}
	a.run(ctx)
}

// begin resolves the session and moves the message there (S11: the judging is
// over before anything is sent).
func (c *Chat) begin(ctx context.Context, q queued) (manager.Turn, SessionWhy, error) {
	if q.again {
		s, err := c.memory.Session(ctx, c.agent.ID, q.record.SessionID)
		if err != nil {
			return manager.Turn{}, "", err
		}
		w, err := c.memory.Working(ctx, c.agent.ID, s.ID)
		if err != nil && !errors.Is(err, manager.ErrNotFound) {
			return manager.Turn{}, "", err
		}
		return manager.Turn{Session: s, Record: q.record, Working: w}, WhyContinued, nil
	}
	last, has, err := c.memory.LastSession(ctx, c.agent.ID)
	if err != nil {
		return manager.Turn{}, "", err
	}
	p := resolve(q.want, last, has, c.cfg.PassiveTimeout, c.now())
	turn, err := c.memory.BeginTurn(ctx, c.agent.ID, q.record.ID, p.sessionID, p.archive)
	if err != nil {
		return manager.Turn{}, "", err
	}
	return turn, p.why, nil
}

// attempt is one try at an answer.
type attempt struct {
	c     *Chat
	turn  manager.Turn
	start time.Time
	text  strings.Builder
	saved time.Time
	pkg   memory.Package
}

func (a *attempt) run(ctx context.Context) {
	c := a.c
	reply, err := a.ask(ctx)
	record := memory.Record{
		AgentID: c.agent.ID, SessionID: a.turn.Session.ID, TurnID: a.turn.Record.TurnID,
		Role: memory.RoleAssistant, Content: reply.Text, Model: a.modelName(reply), FinishReason: reply.FinishReason,
		Status: memory.StatusComplete,
	}
	if reply.Usage.TotalTokens > 0 {
		u := memory.Usage(reply.Usage)
		record.Usage = &u
		c.calibration.Observe(a.pkg.Model, a.pkg.Tokens, u.PromptTokens)
	}
	var problem *Problem
	if err != nil {
		problem = a.fail(ctx, &record, err)
	}
	stored, serr := c.memory.FinishTurn(context.WithoutCancel(ctx), record, !c.noMemory)
	if serr != nil {
		c.log.Error("answer was not stored", "error", serr)
		p := Explain(serr)
		problem, stored = &p, record
	}
	c.emit(record.TurnID, func(h Head) Event {
		return Finished{Head: h, Record: stored, FirstToken: reply.FirstToken, Took: reply.Took, Problem: problem}
	})
}

// ask composes, stores and sends the package, and reads the answer.
func (a *attempt) ask(ctx context.Context) (model.Reply, error) {
	c := a.c
	records, err := c.memory.LastRecords(ctx, c.agent.ID, a.turn.Session.ID, lookBack)
	if err != nil {
		return model.Reply{}, err
	}
	records = slices.DeleteFunc(records, func(r memory.Record) bool { return r.TurnID == a.turn.Record.TurnID })
	comp, err := c.compose(ctx, a.turn, records)
	if err != nil {
		return model.Reply{}, err
	}
	sent, err := c.memory.SavePackage(ctx, comp.pkg, comp.texts)
	if err != nil {
		return model.Reply{}, err
	}
	a.pkg = sent.Package
	c.emit(a.turn.Record.TurnID, func(h Head) Event { return PackageStored{Head: h, Package: sent.Package} })
	req := model.Request{Asked: a.turn.Record.Content, Quotes: comp.quotes, Purpose: model.PurposeReply}
	for _, m := range sent.Messages() {
		req.Messages = append(req.Messages, model.Message{Role: string(m.Role), Content: m.Content})
	}
	return c.client().Stream(ctx, req, func(e model.Event) { a.event(ctx, e) })
}

// event passes on what the model's client says.
func (a *attempt) event(ctx context.Context, e model.Event) {
	turn := a.turn.Record.TurnID
	switch e := e.(type) {
	case model.Delta:
		a.text.WriteString(e.Text)
		a.c.emit(turn, func(h Head) Event { return Delta{Head: h, Text: e.Text} })
		a.savePartial(ctx)
	case model.Retrying:
		a.c.emit(turn, func(h Head) Event {
			return Retrying{Head: h, Attempt: e.Attempt, Of: e.Of, Wait: e.Wait, Reason: e.Reason}
		})
	}
}

// savePartial keeps what has arrived, at most once a second.
func (a *attempt) savePartial(ctx context.Context) {
	now := a.c.now()
	if now.Sub(a.saved) < partialEvery && !a.saved.IsZero() {
		return
	}
	a.saved = now
	err := a.c.memory.SavePartial(ctx, memory.Record{
		AgentID: a.c.agent.ID, SessionID: a.turn.Session.ID, TurnID: a.turn.Record.TurnID,
		Role: memory.RoleAssistant, Content: a.text.String(), Model: a.modelName(model.Reply{}),
		Status: memory.StatusInterrupted,
	})
	if err != nil {
		a.c.log.Warn("partial answer was not kept", "error", err)
	}
}

// modelName marks the program's own words as such, whatever else is known.
func (a *attempt) modelName(r model.Reply) string {
	if info := a.c.Info(); info.Offline {
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

// learnAll works off queued analysis whenever a turn has ended.
func (c *Chat) learnAll() {
	for {
		select {
		case <-c.learn:
		case <-c.ctx.Done():
			return
		}
		if err := c.learnNow(c.ctx); err != nil && c.ctx.Err() == nil {
			c.log.Warn("learning failed", "error", err)
		}
	}
}

func (c *Chat) learnNow(ctx context.Context) error {
	if c.noMemory {
		return nil
	}
	return c.memory.Learn(ctx, c.agent.ID, func(l manager.Learned) {
		c.events.send(func(seq uint64) Event {
			return Learned{Head: Head{Seq: seq, SessionID: l.SessionID, TurnID: l.TurnID}, Changes: l.Changes}
		})
	})
}

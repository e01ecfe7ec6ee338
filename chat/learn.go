package chat

import (
	"context"
	"errors"
	"slices"
	"time"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/manager"
)

// DefaultRest is how long people rest before a server of their own is asked something else
// than what they say: many have one slot, whose cache holds the conversation.
const DefaultRest = 20 * time.Second

// learnAll works off queued analysis whenever a turn has ended: by rules at once,
// and by the model while nothing else is to be done. What the rules make of a message
// itself was learned before its answer ([Chat.learnTurn]). Requests for the memories'
// vectors go on then, too.
func (c *Chat) learnAll() {
	asks := time.NewTimer(0)
	asks.Stop()
	due := false // there is something that a model may read
	for {
		select {
		case <-c.learn:
			due = true
			c.learning(c.learnByRules)
		case <-c.touched:
			c.mu.Lock()
			c.hold()
			c.mu.Unlock()
		case <-asks.C:
			if due {
				due = false
				c.learning(c.learnByModel)
			}
			c.mu.Lock()
			c.rest()
			c.mu.Unlock()
			continue
		case <-c.ctx.Done():
			asks.Stop()
			return
		}
		asks.Reset(c.restsFor())
	}
}

func (c *Chat) learning(learn func(context.Context) error) {
	if c.noMemory {
		return
	}
	if err := c.guard("learning", func() error { return learn(c.ctx) }); err != nil && c.ctx.Err() == nil {
		c.log.Warn("learning failed", "error", err)
	}
}

func (c *Chat) learnByRules(ctx context.Context) (err error) {
	for _, id := range c.rememberers() {
		err = errors.Join(err, c.memory.Learn(ctx, id, func(l manager.Learned) { c.tellLearned(id, l) }))
	}
	return err
}

func (c *Chat) learnByModel(ctx context.Context) (err error) {
	for _, id := range c.rememberers() {
		err = errors.Join(err, c.analyse(ctx, id), c.archiveByModel(ctx, id))
	}
	return err
}

// Touch says that the user has pressed a key: what the model is asked in the background
// waits until he rests, and a cold one is asked ahead of his message. It does not block.
func (c *Chat) Touch() {
	if c.pause > 0 {
		poke(c.touched)
		c.warm()
	}
}

// restsFor is how long the background waits without a key and a stream.
func (c *Chat) restsFor() time.Duration {
	if c.client().Info().SelfHosted {
		return c.pause
	}
	return 0
}

// learnTurn learns by rules from a message that has begun its turn, and tells what it
// did; nothing waits for a model (L2). It returns by agent what the message has taught
// so far, also when it is answered again. Failures leave it to [Chat.learnNow].
func (c *Chat) learnTurn(ctx context.Context, q queued) map[string][]memory.Change {
	if c.noMemory {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // a cancelled answer does not unsay the message
	out := map[string][]memory.Change{}
	for _, id := range c.rememberers() {
		err := c.guard("learning", func() error {
			l, err := c.memory.LearnTurn(ctx, id, q.record.TurnID)
			if len(l.Changes) > 0 {
				c.tellLearned(id, l)
			}
			if err != nil {
				return err
			}
			if out[id] = l.Changes; len(l.Changes) == 0 { // done before: by the other worker, or for an earlier answer
				out[id], err = c.memory.TurnChanges(ctx, id, q.record.TurnID)
			}
			// The reader of the events has l.Changes too.
			out[id] = slices.DeleteFunc(slices.Clone(out[id]), func(ch memory.Change) bool {
				return ch.Item == nil || ch.Undone || ch.Undo != "" || ch.Half()
			})
			return err
		})
		if err != nil {
			c.log.Warn("learning from the message failed", "error", err)
		}
	}
	return out
}

func (c *Chat) tellLearned(id string, l manager.Learned) {
	if id == c.agent.ID {
		id = ""
	}
	c.events.send(func(seq uint64) Event {
		return Learned{
			Head: Head{Seq: seq, SessionID: l.SessionID, TurnID: l.TurnID, Sender: id}, Changes: l.Changes,
			Generation: l.Generation, Summary: l.Summary, Waits: l.Waits,
		}
	})
}

// tellReading says that the model reads a session, or that it does not any more.
func (c *Chat) tellReading(s memory.Session, on bool) {
	c.events.send(func(seq uint64) Event {
		return Consolidating{Head: Head{Seq: seq, SessionID: s.ID}, Session: s, On: on}
	})
}

// analyse lets the model read the turns and sessions that wait for it, one request at a time,
// until a message comes: a local server has one slot, and it is the user's. What
// was cut off stays queued; the end of the next turn takes it up again.
func (c *Chat) analyse(ctx context.Context, id string) error {
	ctx, client, end, ok := c.goAside(ctx)
	if !ok {
		return nil
	}
	defer end()
	var reading memory.Session
	stop := func() {
		if reading.ID != "" {
			c.tellReading(reading, false)
			reading = memory.Session{}
		}
	}
	defer stop()
	by := manager.Analyst{Model: model.NewCompleter(c.clientOf(id, client)), Prompts: c.prompts, Begin: func(s memory.Session) {
		reading = s
		c.tellReading(s, true)
	}}
	err := c.memory.Analyse(ctx, id, by, func(l manager.Learned) {
		stop()
		c.tellLearned(id, l)
	})
	switch {
	case errors.Is(err, errTurn), errors.Is(err, errShutdown):
		return nil
	case errors.Is(err, learn.ErrUnavailable):
		c.log.Info("the model cannot be asked for analyses; they wait")
		return nil
	}
	return err
}

// goAside returns a context for work in the background that the next message
// ends, and the model for it. ok is false when there is no model or no time, when a
// message is being answered or waits, and while nothing can be written.
func (c *Chat) goAside(ctx context.Context) (_ context.Context, client model.Client, end func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.brief || c.running || len(c.queue) > 0 || c.finished || c.model.Info().Offline || c.memory.Trouble() != nil {
		return ctx, nil, nil, false
	}
	ctx, cancel := context.WithCancelCause(ctx)
	c.aside = cancel
	goOn := c.memory.Recall().HoldRequests(c.model.Info().Endpoint) // one at a time
	return ctx, c.model, func() {
		goOn()
		c.mu.Lock()
		defer c.mu.Unlock()
		cancel(nil)
		c.aside = nil
	}, true
}

// makeWay ends the model's work in the background, and keeps requests for the
// memories' vectors from the same server, until what was said is learned; c.mu is
// held.
func (c *Chat) makeWay() {
	if c.aside != nil {
		c.aside(errTurn)
	}
	c.hold()
}

// hold keeps requests for the memories' vectors from the model's server; c.mu is held.
func (c *Chat) hold() {
	if c.letGo == nil {
		c.letGo = c.memory.Recall().HoldRequests(c.model.Info().Endpoint)
	}
}

// rest lets requests for vectors go on when nothing is answered and nothing waits;
// c.mu is held.
func (c *Chat) rest() {
	if c.letGo != nil && !c.running && len(c.queue) == 0 {
		c.letGo()
		c.letGo = nil
	}
}

package chat

import (
	"context"
	"errors"
	"slices"
	"time"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/learn"
	"memoria/memory/manager/learning"
)

// DefaultRest is how long no key is pressed before a self-hosted server is asked something
// in the background: many have one slot, whose cache holds the conversation.
const DefaultRest = 20 * time.Second

// learner learns from finished turns in the background: by rules at once, and by the model
// while the conversation rests. A message interrupts it.
type learner struct {
	*conversation
	due     chan struct{}
	touched chan struct{} // a key was pressed
	pause   time.Duration // Options.Rest

	// conversation.mu guards these.
	interrupt context.CancelCauseFunc // the model's work; nil while there is none
	goOn      func()                  // lets requests for vectors go on; nil while they may
	warmed    time.Time               // when the model was last asked ahead of a message
}

func newLearner(c *conversation, pause time.Duration) *learner {
	return &learner{conversation: c, due: make(chan struct{}, 1), touched: make(chan struct{}, 1), pause: pause}
}

// wake tells that there may be something to learn.
func (l *learner) wake() { poke(l.due) }

// run works off queued analysis whenever a turn has ended. What the rules make of the
// message itself was learned before its answer ([learner.learnTurn]). Requests for the
// memories' vectors go on then, too.
func (l *learner) run() {
	rested := time.NewTimer(0)
	rested.Stop()
	due := false // there is something that a model may read
	for {
		select {
		case <-l.due:
			due = true
			l.learn(l.byRules)
		case <-l.touched:
			l.mu.Lock()
			l.hold()
			l.mu.Unlock()
		case <-rested.C:
			if due {
				due = false
				l.learn(l.byModel)
			}
			l.mu.Lock()
			l.release()
			l.mu.Unlock()
			continue
		case <-l.ctx.Done():
			rested.Stop()
			return
		}
		rested.Reset(l.restsFor())
	}
}

func (l *learner) learn(how func(context.Context) error) {
	if l.noMemory {
		return
	}
	if err := l.guard("learning", func() error { return how(l.ctx) }); err != nil && l.ctx.Err() == nil {
		l.log.Warn("learning failed", "error", err)
	}
}

func (l *learner) byRules(ctx context.Context) (err error) {
	for _, id := range l.learners() {
		err = errors.Join(err, l.memory.Learning().Learn(ctx, id, func(learned learning.Learned) { l.tell(id, learned) }))
	}
	return err
}

func (l *learner) byModel(ctx context.Context) (err error) {
	if !l.beside.reading.TryLock() { // another conversation with the agent does
		return nil
	}
	defer l.beside.reading.Unlock()
	for _, id := range l.learners() {
		err = errors.Join(err, l.analyse(ctx, id), l.archive(ctx, id))
	}
	return err
}

// restsFor is how long the background waits without a key and an answer.
func (l *learner) restsFor() time.Duration {
	if l.client().Info().SelfHosted {
		return l.pause
	}
	return 0
}

// learnTurn learns by rules from a message whose turn has begun, and tells what it did;
// nothing waits for a model (L2). It returns by agent what the message has taught so far,
// also if it is answered again. What fails is left to the background.
func (l *learner) learnTurn(ctx context.Context, turnID string) map[string][]memory.Change {
	if l.noMemory {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // a cancelled answer does not cancel the message
	out := map[string][]memory.Change{}
	for _, id := range l.learners() {
		err := l.guard("learning", func() error {
			learned, err := l.memory.Learning().LearnTurn(ctx, id, turnID)
			if len(learned.Changes) > 0 {
				l.tell(id, learned)
			}
			if err != nil {
				return err
			}
			if out[id] = learned.Changes; len(learned.Changes) == 0 { // done before: in the background, or for an earlier answer
				out[id], err = l.memory.Lookup().TurnChanges(ctx, id, turnID)
			}
			// The reader of the events has learned.Changes too.
			out[id] = slices.DeleteFunc(slices.Clone(out[id]), func(ch memory.Change) bool {
				return ch.Item == nil || ch.Undone || ch.Undo != "" || ch.Half()
			})
			return err
		})
		if err != nil {
			l.log.Warn("learning from the message failed", "error", err)
		}
	}
	return out
}

func (l *learner) tell(id string, learned learning.Learned) {
	if id == l.agent.ID {
		id = ""
	}
	l.events.send(func(seq uint64) Event {
		return Learned{
			Head: Head{Seq: seq, SessionID: learned.SessionID, TurnID: learned.TurnID, Sender: id}, Changes: learned.Changes,
			Generation: learned.Generation, Summary: learned.Summary, Waits: learned.Waits,
		}
	})
}

// tellReading says that the model begins or stops to read a session.
func (l *learner) tellReading(s memory.Session, on bool) {
	l.events.send(func(seq uint64) Event {
		return Consolidating{Head: Head{Seq: seq, SessionID: s.ID}, Session: s, On: on}
	})
}

// analyse lets the model read the turns and sessions that wait for it, one request at a
// time, until a message comes: a local server has one slot, and it is the user's. What was
// interrupted stays queued until the end of the next turn.
func (l *learner) analyse(ctx context.Context, id string) error {
	ctx, client, end, ok := l.atRest(ctx)
	if !ok {
		return nil
	}
	defer end()
	var reading memory.Session
	stop := func() {
		if reading.ID != "" {
			l.tellReading(reading, false)
			reading = memory.Session{}
		}
	}
	defer stop()
	asked := l.clientOf(id, client)
	by := learning.Analyst{
		Model: model.NewCompleter(asked), Name: asked.Info().Model, Prompts: l.prompts,
		Begin: func(s memory.Session) {
			reading = s
			l.tellReading(s, true)
		},
		Leave: func(turnID string) bool { return l.beside.askedElsewhere(turnID, client.Info().Endpoint) },
	}
	err := l.memory.Learning().Analyse(ctx, id, by, func(learned learning.Learned) {
		stop()
		l.tell(id, learned)
	})
	var stopped *learn.StoppedError
	switch {
	case errors.As(err, &stopped):
		if !stopped.Again {
			l.events.send(func(seq uint64) Event { return Notice{Head: Head{Seq: seq}, Problem: Explain(stopped)} })
		}
		return nil
	case errors.Is(err, errTurn), errors.Is(err, errShutdown):
		return nil
	case errors.Is(err, learn.ErrUnavailable):
		l.log.Info("the model cannot be asked for analyses; they wait")
		return nil
	}
	return err
}

// archive lets the model write the summaries of the journal that are due, one request at a
// time, until a message comes (J4). Without a model, rules write them.
func (l *learner) archive(ctx context.Context, id string) error {
	if l.client().Info().Offline {
		_, err := l.memory.Journals().RunJournal(ctx, id, l.memory.Journals().JournalRules())
		return err
	}
	if j, err := l.memory.Journals().Journal(id); err != nil || !j.Due(ctx) {
		return nil //nolint:nilerr // a group has none
	}
	ctx, client, end, ok := l.atRest(ctx)
	if !ok {
		return nil
	}
	defer end()
	_, err := l.memory.Journals().RunJournal(ctx, id, l.journalModel(l.clientOf(id, client)))
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// journalModel is a model that writes the summaries of the journal.
func (c *conversation) journalModel(client model.Client) journal.Model {
	return journal.Model{Ask: model.NewCompleter(client), Name: client.Info().Model, Prompts: c.prompts, Policy: c.memory.Policy()}
}

// atRest returns a context for work of the model in the background, which ends with the
// next message, and the model. ok is false if there is no model, while a message is being
// answered or waits, and while nothing can be written.
func (l *learner) atRest(ctx context.Context) (_ context.Context, client model.Client, end func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.brief || l.queue.busy() || l.closed || l.model.Info().Offline || l.memory.Vault().Trouble() != nil {
		return ctx, nil, nil, false
	}
	ctx, cancel := context.WithCancelCause(ctx)
	l.interrupt = cancel
	goOn := l.memory.Recall().HoldRequests(l.model.Info().Endpoint) // one at a time
	return ctx, l.model, func() {
		goOn()
		l.mu.Lock()
		defer l.mu.Unlock()
		cancel(nil)
		l.interrupt = nil
	}, true
}

// makeWay ends the model's work in the background, and holds requests for vectors until
// the message is learned from; conversation.mu is held.
func (l *learner) makeWay() {
	if l.interrupt != nil {
		l.interrupt(errTurn)
	}
	l.hold()
}

// hold keeps requests for the memories' vectors from the model's server; conversation.mu is
// held.
func (l *learner) hold() {
	if l.goOn == nil {
		l.goOn = l.memory.Recall().HoldRequests(l.model.Info().Endpoint)
	}
}

// release lets requests for vectors go on unless a message is being answered or waits;
// conversation.mu is held.
func (l *learner) release() {
	if !l.queue.busy() {
		l.letGo()
	}
}

func (l *learner) letGo() {
	if l.goOn != nil {
		l.goOn()
		l.goOn = nil
	}
}

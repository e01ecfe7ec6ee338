package chat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/prompts"
)

// Errors that a caller may branch on.
var (
	// ErrTooLate: the message is being answered and cannot be withdrawn.
	ErrTooLate = errors.New("the message has left the queue")
	// ErrBusy: an answer is arriving.
	ErrBusy = errors.New("an answer is still arriving")
	// ErrEmpty: there is nothing to send.
	ErrEmpty = errors.New("the message is empty")
	// ErrTooLarge: the message is longer than any can be.
	ErrTooLarge = errors.New("the message is too large")
	// ErrNothing: there is no message that waits for an answer.
	ErrNothing = errors.New("every message has its answer")
	// ErrNotJudged: it was not judged where this message belongs, or the message is
	// of another session than the conversation is in.
	ErrNotJudged = errors.New("nothing was judged of this message")
	// ErrClosed: the conversation was closed.
	ErrClosed = errors.New("the conversation is closed")

	errUser     = errors.New("cancelled by the user")
	errTurn     = errors.New("a message has come")
	errShutdown = errors.New("the program ends")
	errFault    = errors.New("a fault of the program")
)

// maxMessage is the longest message, in bytes. Longer ones are refused in words.
const maxMessage = 4 << 20

// Prompts are the texts that go to a model.
type Prompts = prompts.Set

// LoadPrompts returns the built-in prompts with the user's own from dir in their
// place. The prompts can be used also when the error is not nil: it names the
// files that could not take the place of a built-in text.
func LoadPrompts(dir string) (*Prompts, error) { return prompts.New(dir) }

// Options says what a conversation is made of.
type Options struct {
	// Agent is the agent that the user talks to; for a group, its id and name.
	Agent Agent
	// Members are, in the order in which they answer, the agents of a group that the
	// manager knows under the id of Agent; none when Agent is no group (S9). One that
	// names a model is answered by it, of the same server.
	Members []Agent
	// Names are those of former members of the group, by id.
	Names   map[string]string
	Manager *manager.Manager
	Model   model.Client
	Prompts *Prompts
	Config  Config
	Context compose.Config
	Now     func() time.Time
	Logger  *slog.Logger
	// Memory replaces the settings of the manager for what this conversation recalls; nil: they
	// hold.
	Memory *write.Config
	// NoMemory neither recalls nor learns; messages are still stored.
	NoMemory bool
	// Temporary starts a chat that is not stored and not learned from. It may recall (U5).
	Temporary bool
	// Brief says that the conversation ends with its first answer: what the model
	// may learn from it is left to the next process.
	Brief bool
	// Chinese says that the interface is in Chinese, for answers to messages without words.
	Chinese bool
	// Rest is how long no key is pressed and no answer streams before a self-hosted server is
	// asked in the background; 0: it is asked at once. See [DefaultRest] and [Chat.Touch].
	Rest time.Duration
	// Shared is that of all conversations of the process with this memory; nil: there is no other.
	Shared *Shared
	// Nonce makes the nonces of fences; nil means random ones (C6).
	Nonce func() string
}

// Chat is the conversation with one agent, or with a group.
type Chat struct {
	*conversation
	worker  *worker
	learner *learner
	storage *storage
	sweeper *sweeper
}

// New makes a conversation; Start begins it.
func New(o Options) (*Chat, error) {
	if err := o.Config.Validate(); err != nil {
		return nil, fmt.Errorf("chat settings: %w", err)
	}
	if err := o.Context.Validate(); err != nil {
		return nil, fmt.Errorf("context settings: %w", err)
	}
	if !memory.ValidAgentID(o.Agent.ID) {
		return nil, fmt.Errorf("agent %q: ids are 1 to 64 of a-z, 0-9, - and _", o.Agent.ID)
	}
	if o.Logger == nil || o.Temporary {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.Nonce == nil {
		o.Nonce = prompts.NewNonce
	}
	ctx, stop := context.WithCancelCause(context.Background())
	if o.Memory != nil {
		ctx = recall.WithConfig(ctx, o.Memory.Recall)
	}
	searches := o.Manager.Config().AgenticSearch
	c := &conversation{
		ownMemory: o.Memory, group: compose.NewGroup(o.Members, o.Names), memory: o.Manager, prompts: o.Prompts, now: o.Now,
		log: o.Logger.With("agent", o.Agent.ID), nonce: o.Nonce, noMemory: o.NoMemory, temporary: o.Temporary,
		brief: o.Brief, chinese: o.Chinese,
		events: newStream(), wake: make(chan struct{}, 1), ctx: ctx, stop: stop,
		state: state{cfg: o.Config, context: o.Context, model: o.Model},
	}
	c.agent.set(o.Agent)
	c.searches.Store(searches)
	if o.Shared == nil {
		o.Shared = &Shared{}
	}
	c.beside = o.Shared.join(c)
	c.composer = compose.New(compose.Options{
		Memory: c.memory, Prompts: c.prompts, Group: c.group, Now: c.now, Log: c.log, NoMemory: c.noMemory, Nonce: c.nonce,
		Explain: func(err error) string { return Explain(err).Text },
	})
	l, s := newLearner(c, o.Rest), &storage{conversation: c}
	return &Chat{
		conversation: c, learner: l, storage: s, worker: &worker{conversation: c, learner: l, storage: s},
		sweeper: &sweeper{conversation: c, learner: l},
	}, nil
}

// Start takes up what an earlier process left (A1): answers that were cut off
// become interrupted records, messages without a session go first into the
// queue, and queued analysis goes on. It announces the session to continue.
func (c *Chat) Start(ctx context.Context) error {
	c.mu.Lock()
	if c.started {
		c.mu.Unlock()
		return nil
	}
	c.started = true
	c.mu.Unlock()
	if c.temporary {
		c.workers.Go(c.worker.run)
		return nil
	}
	waiting, err := c.takeUp(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.queue.waiting = append(c.queue.waiting, waiting...)
	c.mu.Unlock()
	if err := c.sweeper.sweep(ctx); err != nil {
		c.log.Warn("sweeping failed", "error", err) // the next message finds the session ended all the same
	}
	if err := c.openLast(ctx); err != nil {
		return err
	}
	for _, id := range c.learners() {
		if c.noMemory || c.brief {
			break
		}
		if err := c.memory.Recall().FollowVectors(id); err != nil {
			return fmt.Errorf("beginning with vectors: %w", err)
		}
	}
	c.workers.Go(c.worker.run)
	c.workers.Go(c.storage.watch)
	c.workers.Go(c.learner.run)
	c.workers.Go(c.sweeper.run)
	c.learner.wake()
	return nil
}

// takeUp returns the turns of messages that no conversation of this process answers, and ends
// the answers that were cut off.
func (c *Chat) takeUp(ctx context.Context) (waiting []*turn, err error) {
	c.beside.keeping.Lock()
	defer c.beside.keeping.Unlock()
	if _, err := c.memory.Recover(ctx, c.agent.ID); err != nil {
		return nil, fmt.Errorf("taking up what was cut off: %w", err)
	}
	left, err := c.memory.Lookup().Incoming(ctx, c.agent.ID)
	if err != nil {
		return nil, fmt.Errorf("taking up unanswered messages: %w", err)
	}
	for _, r := range left {
		t := newTurn(r)
		if !c.hold(t) {
			continue
		}
		t.want = c.editedIn(context.WithoutCancel(ctx), r)
		waiting = append(waiting, t)
	}
	return waiting, nil
}

// Close cancels what runs, keeps what has arrived, and waits. Messages still in the queue
// stay on disk and are answered by the next process. The error says what the disk did not
// take to the end.
func (c *Chat) Close() error {
	done := c.tickets.next() // an operation under way ends first
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	done()
	c.stop(errShutdown)
	c.workers.Wait()
	c.beside.leave(c.conversation)
	c.mu.Lock()
	c.learner.letGo()
	c.queue.letGo()
	for _, t := range c.worker.ended {
		t.letGo()
	}
	c.mu.Unlock()
	c.events.close()
	return c.storage.lostError()
}

// Events is the one channel of everything that happens; it is closed after
// Close.
func (c *Chat) Events() <-chan Event { return c.events.out }

// Forgetful reports whether this conversation neither recalls nor learns.
func (c *Chat) Forgetful() bool { return c.noMemory }

// Info says which model answers; of a group's members see [Chat.InfoOf].
func (c *Chat) Info() model.Info { return c.client().Info() }

// SetModel lets another model answer from the next turn on; in a group as those
// members that name none of their own.
func (c *Chat) SetModel(client model.Client) { c.setModel(client, false) }

// SetModelForAll is SetModel, and from then on no member's own model is asked.
func (c *Chat) SetModelForAll(client model.Client) { c.setModel(client, true) }

func (c *Chat) setModel(client model.Client, all bool) {
	c.mu.Lock()
	c.model, c.oneModel = client, c.oneModel || all
	c.mu.Unlock()
	c.emit("", func(h Head) Event { return ModelChanged{Head: h, Info: client.Info()} })
	c.learner.wake() // turns may have waited for a model that can be asked
}

// Session is the one the conversation is in; zero if there is none yet.
func (c *Chat) Session() memory.Session { return c.currentSession() }

// Alone reports whether no other conversation of the process is with the same agent.
func (c *Chat) Alone() bool { return c.beside.alone() }

// Busy reports whether a message is being answered or waits.
func (c *Chat) Busy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.queue.busy()
}

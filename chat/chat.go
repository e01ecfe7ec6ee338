package chat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/prompts"
)

// Errors that a caller may branch on.
var (
	// ErrTooLate: the message is being answered and cannot be taken back.
	ErrTooLate = errors.New("the message has left the queue")
	// ErrBusy: an answer is arriving.
	ErrBusy = errors.New("an answer is still arriving")
	// ErrEmpty: there is nothing to send.
	ErrEmpty = errors.New("the message is empty")
	// ErrTooLarge: the message is longer than any can be.
	ErrTooLarge = errors.New("the message is too large")
	// ErrNothing: there is no message that waits for an answer.
	ErrNothing = errors.New("every message has its answer")
	// ErrClosed: the conversation was closed.
	ErrClosed = errors.New("the conversation is closed")

	errUser     = errors.New("cancelled by the user")
	errTurn     = errors.New("a message has come")
	errShutdown = errors.New("the program ends")
	errFault    = errors.New("a fault of the program")
)

// maxMessage is the longest message, in bytes. Longer ones are refused in words.
const maxMessage = 4 << 20

// Agent is the persona the user talks to.
type Agent struct {
	ID      string
	Name    string
	Persona string
}

// Prompts are the texts that go to a model.
type Prompts = prompts.Set

// LoadPrompts returns the built-in prompts with the user's own from dir in their
// place. The prompts can be used also when the error is not nil: it names the
// files that could not take the place of a built-in text.
func LoadPrompts(dir string) (*Prompts, error) { return prompts.New(dir) }

// Options says what a conversation is made of.
type Options struct {
	Agent   Agent
	Manager *manager.Manager
	Model   model.Client
	Prompts *Prompts
	Config  Config
	Context ContextConfig
	Now     func() time.Time
	Logger  *slog.Logger
	// NoMemory neither recalls nor learns; what is said is still kept.
	NoMemory bool
	// Brief says that the conversation ends with its first answer: what the model
	// may learn from it is left to the next process.
	Brief bool
	// Nonce makes the nonces of fences; nil means random ones (C6).
	Nonce func() string
}

// Chat is the conversation with one agent.
type Chat struct {
	agent       Agent
	memory      *manager.Manager
	prompts     *Prompts
	cfg         Config
	context     ContextConfig
	now         func() time.Time
	log         *slog.Logger
	noMemory    bool
	brief       bool
	nonce       func() string
	recallLimit int
	// frontNonce is that of the fences that stand first: as long as their lines stay,
	// so do their bytes, and a server's prompt cache reaches beyond them (C1).
	frontNonce  string
	searchLimit int         // calls of the search tool in a turn
	search      atomic.Bool // the model may search by itself
	calibration *prompts.Calibration
	events      *stream

	ctx   context.Context
	stop  context.CancelCauseFunc
	work  sync.WaitGroup
	wake  chan struct{}
	learn chan struct{}

	mu       sync.Mutex
	model    model.Client
	noTools  model.Client // its server takes no tools; nil: none does so
	session  memory.Session
	goingTo  next
	queue    []queued
	stuck    []queued // on disk, but their turn could not begin
	running  bool
	heading  string                  // the session that the running message is known to go to
	left     leaving                 // how the last deletion of the current session left it
	cancel   context.CancelCauseFunc // of the running turn; nil when none
	aside    context.CancelCauseFunc // of the model's work in the background; nil when none
	letGo    func()                  // lets requests for vectors go on; nil while they may
	started  bool
	finished bool
	owing    int      // turns of which not everything is written
	lost     int      // of them when the conversation ended
	told     *Problem // with the disk
}

// queued is a message that waits for its turn, or a turn to be answered
// again.
type queued struct {
	record memory.Record
	want   next // what the user decided about its session before sending it
	again  bool
	unkept bool // not on disk: that does not take it
	tries  int  // that failed before it was in its session
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
	if o.Agent.Name == "" {
		o.Agent.Name = o.Agent.ID
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.Nonce == nil {
		o.Nonce = prompts.NewNonce
	}
	ctx, stop := context.WithCancelCause(context.Background())
	searches, searchLimit := o.Manager.AgenticSearch()
	c := &Chat{
		agent: o.Agent, memory: o.Manager, prompts: o.Prompts, cfg: o.Config, context: o.Context, now: o.Now,
		log: o.Logger.With("agent", o.Agent.ID), noMemory: o.NoMemory, brief: o.Brief, nonce: o.Nonce,
		recallLimit: o.Manager.TopN(), frontNonce: o.Nonce(), calibration: &prompts.Calibration{}, events: newStream(),
		ctx: ctx, stop: stop, wake: make(chan struct{}, 1), learn: make(chan struct{}, 1), model: o.Model, searchLimit: searchLimit,
	}
	c.search.Store(searches)
	return c, nil
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
	if _, err := c.memory.Recover(ctx, c.agent.ID); err != nil {
		return fmt.Errorf("taking up what was cut off: %w", err)
	}
	left, err := c.memory.Incoming(ctx, c.agent.ID)
	if err != nil {
		return fmt.Errorf("taking up unanswered messages: %w", err)
	}
	if err := c.openLast(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	for _, r := range left {
		c.queue = append(c.queue, queued{record: r})
	}
	c.mu.Unlock()
	if !c.noMemory && !c.brief {
		if err := c.memory.FollowVectors(c.agent.ID); err != nil {
			return fmt.Errorf("beginning with vectors: %w", err)
		}
	}
	c.work.Go(c.answerAll)
	c.work.Go(c.watchStorage)
	c.work.Go(c.learnAll)
	poke(c.wake)
	poke(c.learn)
	return nil
}

// Close cancels what runs, keeps what has arrived, and waits. Messages still in
// the queue stay on disk and are answered by the next process. The error says
// what the disk did not take to the end.
func (c *Chat) Close() error {
	c.mu.Lock()
	c.finished = true
	c.mu.Unlock()
	c.stop(errShutdown)
	c.work.Wait()
	c.mu.Lock()
	if c.letGo != nil {
		c.letGo()
		c.letGo = nil
	}
	c.mu.Unlock()
	c.events.close()
	return c.unsaved()
}

// Events is the one channel of everything that happens; it is closed after
// Close.
func (c *Chat) Events() <-chan Event { return c.events.out }

// Agent is the persona of the conversation.
func (c *Chat) Agent() Agent { return c.agent }

// Forgetful reports whether this conversation neither recalls nor learns.
func (c *Chat) Forgetful() bool { return c.noMemory }

// Info says which model answers.
func (c *Chat) Info() model.Info { return c.client().Info() }

func (c *Chat) client() model.Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.model
}

// SetModel lets another model answer from the next turn on.
func (c *Chat) SetModel(client model.Client) {
	c.mu.Lock()
	c.model = client
	c.mu.Unlock()
	c.emit("", func(h Head) Event { return ModelChanged{Head: h, Info: client.Info()} })
	poke(c.learn) // turns may have waited for a model that can be asked
}

// Session is the one the conversation is in; zero when there is none yet.
func (c *Chat) Session() memory.Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// Busy reports whether a message is being answered or waits.
func (c *Chat) Busy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running || len(c.queue) > 0
}

// Send keeps a message and lets it be answered after those before it. When it
// returns, the text is on disk (A1), unless [StorageChanged] has said that the
// disk takes nothing: then it is answered all the same, and written when it can
// be. spans are the parts that were not typed.
func (c *Chat) Send(ctx context.Context, text string, spans []memory.Span) (id string, err error) {
	r, err := c.keep(ctx, text, spans)
	return r.ID, err
}

func (c *Chat) keep(ctx context.Context, text string, spans []memory.Span) (memory.Record, error) {
	switch {
	case blank(text):
		return memory.Record{}, ErrEmpty
	case len(text) > maxMessage:
		return memory.Record{}, fmt.Errorf("%w: it has %d bytes, and at most %d can be sent", ErrTooLarge, len(text), maxMessage)
	}
	// The lock makes the order on disk the order in the queue.
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.finished {
		return memory.Record{}, ErrClosed
	}
	c.makeWay()
	r, err := c.memory.KeepIncoming(ctx, c.agent.ID, text, spans)
	_, unkept := manager.TroubleOf(err)
	if unkept {
		r, err = c.memory.NewIncoming(c.agent.ID, text, spans)
	}
	if err != nil {
		c.rest()
		return memory.Record{}, err
	}
	c.queue = append(c.queue, queued{record: r, want: c.goingTo, unkept: unkept})
	c.goingTo = next{}
	if !c.requeue() {
		c.announceQueue()
		poke(c.wake)
	}
	return r, nil
}

func blank(s string) bool {
	for _, r := range s {
		if r > ' ' && r != '\u3000' && r != '\u00a0' {
			return false
		}
	}
	return true
}

// TakeBack takes a message out of the queue and returns it, text and spans (C8).
func (c *Chat) TakeBack(ctx context.Context, id string) (memory.Record, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.queue, func(q queued) bool { return q.record.ID == id && !q.again })
	if i < 0 {
		return memory.Record{}, ErrTooLate
	}
	if !c.queue[i].unkept {
		if _, err := c.memory.DropIncoming(ctx, c.agent.ID, id); err != nil {
			return memory.Record{}, err
		}
	}
	r := c.queue[i].record
	if c.goingTo == (next{}) {
		c.goingTo = c.queue[i].want
	}
	c.queue = slices.Delete(c.queue, i, i+1)
	c.rest()
	c.announceQueue()
	return r, nil
}

// announceQueue tells what waits; c.mu is held.
func (c *Chat) announceQueue() {
	waiting := make([]Waiting, 0, len(c.queue))
	for _, q := range c.queue {
		if !q.again {
			waiting = append(waiting, Waiting{ID: q.record.ID, Text: q.record.Content})
		}
	}
	session := c.session.ID
	c.events.send(func(seq uint64) Event {
		return QueueChanged{Head: Head{Seq: seq, SessionID: session}, Waiting: waiting}
	})
}

// Cancel ends the running answer; what has arrived is kept. It reports whether
// there was one.
func (c *Chat) Cancel() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel == nil || !c.running {
		return false
	}
	c.cancel(errUser)
	return true
}

// requeue puts the messages whose turn could not begin before all others and
// reports whether there were any; c.mu is held.
func (c *Chat) requeue() bool {
	if len(c.stuck) == 0 {
		return false
	}
	c.queue, c.stuck = append(c.stuck, c.queue...), nil
	c.announceQueue()
	poke(c.wake)
	return true
}

// Retry answers the session's last message again when it has no complete
// answer, or those messages whose turn could not begin.
func (c *Chat) Retry(ctx context.Context) error {
	c.mu.Lock()
	found := c.requeue()
	c.mu.Unlock()
	if found {
		return nil
	}
	s := c.Session()
	if s.ID == "" {
		return ErrNothing
	}
	records, err := c.memory.LastRecords(ctx, c.agent.ID, s.ID, 50)
	if err != nil {
		return err
	}
	for _, r := range slices.Backward(records) {
		switch {
		case r.Answers() && r.Status == memory.StatusComplete:
			return ErrNothing
		case r.Role == memory.RoleUser:
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.running || len(c.queue) > 0 {
				return ErrBusy
			}
			c.queue = append(c.queue, queued{record: r, again: true})
			poke(c.wake)
			return nil
		}
	}
	return ErrNothing
}

// emit sends an event with its head.
func (c *Chat) emit(turn string, make func(Head) Event) {
	c.mu.Lock()
	session := c.session.ID
	c.mu.Unlock()
	c.events.send(func(seq uint64) Event {
		return make(Head{Seq: seq, SessionID: session, TurnID: turn})
	})
}

// poke wakes a worker that may be waiting.
func poke(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

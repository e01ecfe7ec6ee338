package chat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
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
	// Agent is whom the user talks to; of a group its id and name.
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
	Context ContextConfig
	Now     func() time.Time
	Logger  *slog.Logger
	// NoMemory neither recalls nor learns; what is said is still kept.
	NoMemory bool
	// Temporary starts a chat that is not stored and not learned from. It may recall (U5).
	Temporary bool
	// Brief says that the conversation ends with its first answer: what the model
	// may learn from it is left to the next process.
	Brief bool
	// Rest is how long no key is pressed and no answer streams before a self-hosted server is
	// asked in the background; 0: it is asked at once. See [DefaultRest] and [Chat.Touch].
	Rest time.Duration
	// Nonce makes the nonces of fences; nil means random ones (C6).
	Nonce func() string
}

// Chat is the conversation with one agent.
type Chat struct {
	agent    persona
	members  []Agent // of a group
	names    names   // in a group, of who speaks
	memory   *manager.Manager
	prompts  *Prompts
	now      func() time.Time
	log      *slog.Logger
	noMemory bool
	// temporary is Options.Temporary.
	temporary bool
	brief     bool
	nonce     func() string
	// fenceNonce is that of the fences: as long as their lines stay, so do their bytes,
	// and a server's prompt cache reaches beyond them (C1, C2).
	fenceNonce  string
	search      atomic.Bool // the model may search by itself
	calibration *prompts.Calibration
	events      *stream

	ctx   context.Context
	stop  context.CancelCauseFunc
	work  sync.WaitGroup
	wake  chan struct{}
	learn chan struct{}
	// touched tells of a key, pause is Options.Rest.
	touched chan struct{}
	pause   time.Duration

	mu       sync.Mutex
	cfg      Config        // read it with settings
	context  ContextConfig // likewise
	model    model.Client
	oneModel bool         // it answers as every member of a group, whatever they name
	noTools  model.Client // its server takes no tools; nil: none does so
	session  memory.Session
	goingTo  next
	queue    []queued
	stuck    []queued // on disk, but their turn could not begin
	running  bool
	heading  string                  // the session that the running message is known to go to
	left     leaving                 // how the last deletion of the current session left it
	cancel   context.CancelCauseFunc // of the running turn; nil when none
	settling bool                    // it is not decided yet where the running message belongs
	hurried  bool                    // the user did not wait for that
	judging  context.CancelCauseFunc // of the judging that a turn begins with; nil when none
	aside    context.CancelCauseFunc // of the model's work in the background; nil when none
	warmed   time.Time               // when the model was last asked ahead of a message
	letGo    func()                  // lets requests for vectors go on; nil while they may
	started  bool
	finished bool
	owing    int      // turns of which not everything is written
	lost     int      // of them when the conversation ended
	told     *Problem // with the disk
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
	searches := o.Manager.Config().AgenticSearch
	c := &Chat{
		members: o.Members, names: namesOf(o.Members, o.Names),
		memory: o.Manager, prompts: o.Prompts, cfg: o.Config, context: o.Context, now: o.Now,
		log: o.Logger.With("agent", o.Agent.ID), noMemory: o.NoMemory, temporary: o.Temporary, brief: o.Brief, nonce: o.Nonce,
		fenceNonce: o.Nonce(), calibration: &prompts.Calibration{}, events: newStream(),
		ctx: ctx, stop: stop, wake: make(chan struct{}, 1), learn: make(chan struct{}, 1), model: o.Model,
		touched: make(chan struct{}, 1), pause: o.Rest,
	}
	c.agent.set(o.Agent)
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
	if c.temporary {
		c.work.Go(c.answerAll)
		poke(c.wake)
		return nil
	}
	if _, err := c.memory.Recover(ctx, c.agent.ID); err != nil {
		return fmt.Errorf("taking up what was cut off: %w", err)
	}
	left, err := c.memory.Incoming(ctx, c.agent.ID)
	if err != nil {
		return fmt.Errorf("taking up unanswered messages: %w", err)
	}
	c.mu.Lock()
	for _, r := range left {
		c.queue = append(c.queue, queued{record: r, want: c.editedIn(context.WithoutCancel(ctx), r)})
	}
	c.mu.Unlock()
	if err := c.sweep(ctx); err != nil {
		c.log.Warn("sweeping failed", "error", err) // the next message finds the session ended all the same
	}
	if err := c.openLast(ctx); err != nil {
		return err
	}
	for _, id := range c.rememberers() {
		if c.noMemory || c.brief {
			break
		}
		if err := c.memory.Recall().FollowVectors(id); err != nil {
			return fmt.Errorf("beginning with vectors: %w", err)
		}
	}
	c.work.Go(c.answerAll)
	c.work.Go(c.watchStorage)
	c.work.Go(c.learnAll)
	c.work.Go(c.sweepAll)
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

// Forgetful reports whether this conversation neither recalls nor learns.
func (c *Chat) Forgetful() bool { return c.noMemory }

// Info says which model answers; of a group's members see [Chat.InfoOf].
func (c *Chat) Info() model.Info { return c.client().Info() }

func (c *Chat) client() model.Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.model
}

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

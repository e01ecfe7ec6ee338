package term

import (
	"context"
	"runtime/debug"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/lookup"
	"memoria/ui/term/agents"
	"memoria/ui/term/archive"
	"memoria/ui/term/composer"
	"memoria/ui/term/health"
	"memoria/ui/term/help"
	"memoria/ui/term/inbox"
	"memoria/ui/term/journal"
	"memoria/ui/term/keys"
	"memoria/ui/term/layout"
	"memoria/ui/term/markdown"
	"memoria/ui/term/palette"
	"memoria/ui/term/profile"
	"memoria/ui/term/recall"
	"memoria/ui/term/sent"
	"memoria/ui/term/sessions"
	"memoria/ui/term/settings"
	"memoria/ui/term/theme"
	"memoria/ui/term/transcript"
	"memoria/ui/term/working"
)

// pane is what can have the keyboard.
type pane int

const (
	onInput pane = iota
	onPanel
	onTalk
)

// overlay is what can lie over everything.
type overlay int

const (
	noOverlay overlay = iota
	helpOverlay
	paletteOverlay
)

// How long things wait.
const (
	previewPause = 120 * time.Millisecond
	draftPause   = 500 * time.Millisecond
	spinPause    = 100 * time.Millisecond
	countPause   = 250 * time.Millisecond
)

// itemPage is how many memories the list loads at once.
const itemPage = 200

// previewBytes is the most of the input that is looked up while typing.
const previewBytes = 8 << 10

// root is the one model of the program.
type root struct {
	fx     effects
	titles map[string]string // of sessions that were here, by id
	// question waits for a yes; nil: none does.
	question *question
	// showing says that the panel was asked for while the keyboard stays in the input.
	showing bool
	opts    Options
	keys    keys.Map
	loc     *time.Location
	now     time.Time

	theme   theme.Kind // as chosen; the configuration's at first
	mouse   bool
	styles  theme.Styles
	dark    bool
	screen  layout.Screen
	width   int
	height  int
	focus   pane
	overlay overlay
	part    tab
	sides   []side

	input    *composer.Model
	talk     *transcript.Model
	recall   *recall.Model
	sent     *sent.Model
	sessions *sessions.Model
	archive  *archive.Model
	journal  *journal.Model
	working  *working.Model
	health   *health.Model
	inbox    *inbox.Model
	profile  *profile.Model
	agents   *agents.Model
	settings *settings.Model
	help     *help.Model
	palette  *palette.Model

	choosing   choosing // what the palette is open for
	pointAt    string   // a message to show when its session is there
	sessionsID int      // of the last look at the list of sessions
	searching  func()   // ends the search in the sessions; nil when none runs
	looking    func()   // ends the search in the archive; nil when none runs
	sought     string   // what /find looked for last
	codeOf     string   // the message whose code was copied
	codeAt     int      // its next block

	info    model.Info
	found   []model.Found
	linking bool // a client is being made for a found server

	branch   branching
	session  memory.Session
	aside    memory.Frame // of the last message (P5b)
	loaded   string       // the session whose messages are shown
	ready    bool         // the conversation has begun
	seq      uint64
	turn     *turn
	sources  sources
	lessons  lessons
	missing  bool   // a member of the group gave no whole answer to the last message
	lastTurn string // whose message was stored last; its learning is shown
	took     time.Duration
	cost     string         // of the last turn
	uses     map[string]use // what the session's answers used, by record
	queue    []chat.Waiting
	sending  []outgoing // handed over, not yet acknowledged
	handing  string     // acknowledged, its turn not yet begun
	judging  *judging   // it is being judged where that belongs; nil when it is not
	judged   string     // the last message of the session that was judged; empty: none
	secret   secret     // the last message that holds one
	over     bool       // the session ended by itself: the next message begins another
	locals   int
	looks    int            // asked for so far
	doing    chan struct{}  // closed when the last of what is done in order has been; nil: nothing was
	looked   map[string]int // by what was looked at, the newest that has arrived

	notices   []chat.Problem
	storage   *chat.Problem // why nothing can be written; nil when all can
	say       string        // in the last line until the next key
	leaving   bool          // ctrl+c again quits
	lossAsked bool          // quitting would lose something, and that was said
	status    lookup.Status
	counted   bool // status holds what was counted once

	reading   string // the session that the model reads in the background; empty: none
	heldWords string // how m.say last told that something new waits
	told      int    // how many of what waits were told by a turn and are not counted yet

	draftSaved string // what the store has
	draftTimer bool
	draftBusy  bool
	draftErr   error

	edited       bool // the input changed since the last look
	previewText  string
	previewID    int
	previewTimer bool
	endPreview   func() // of the last look-up
	itemsID      int
	itemsLimit   int
	ticking      bool

	base  context.Context // of all screens
	going bool            // to another agent: keys wait
	next  *root           // the screen that takes this one's place
	leave func()          // ends what this screen waits for
	abort func()          // asks the program to end, from anywhere
	crash any             // what a panic said; nil when there was none
}

// turn is the answer that is being given.
type turn struct {
	id        string
	sender    string // in a group, who answers; empty until it is known
	since     time.Time
	first     bool   // a first piece has arrived
	searching string // what the model searches for; empty when it does not
	retry     *retrying
}

// judging is a judgement that is waited for.
type judging struct {
	chat.Judging
	since time.Time
}

// retrying is a pause before the next try.
type retrying struct {
	attempt, of int
	until       time.Time
	reason      string
}

// outgoing is a message on its way to the disk.
type outgoing struct {
	local int
	text  string
	spans []memory.Span
	edits memory.Record // whose place it takes; without an id none
}

func newModel(ctx context.Context, o Options) *root {
	now := o.Now()
	changed, unwatch := o.Memory.Watch()
	work, end := context.WithCancel(ctx)
	m := &root{
		titles: map[string]string{},
		fx: effects{
			ctx: work, chat: o.chat, memory: o.Memory, agent: o.agent.ID, now: o.Now,
			models: o.Models, changed: changed, clipboard: o.Clipboard, conversations: o.Conversations,
		},
		base: ctx, leave: func() { end(); unwatch() },
		opts: o, keys: keys.Default(), loc: now.Location(), now: now, dark: true,
		theme: o.Config.Theme, mouse: o.Config.Mouse,
		info: o.chat.Info(), itemsLimit: itemPage,
		abort: func() {}, endPreview: func() {}, looked: map[string]int{},
	}
	m.fx.of = m
	m.input = composer.New()
	m.input.Focus()
	m.talk = transcript.New(&rendering{}, m.loc)
	m.talk.SetDay(now)
	m.recall = recall.New(m.keys, m.loc)
	m.recall.SetNow(now)
	m.sent = sent.New(m.keys, m.loc)
	m.sessions = sessions.New(m.keys, m.loc)
	m.archive = archive.New(m.keys, m.loc)
	m.journal = journal.New(m.keys)
	m.working = working.New(m.keys, m.loc)
	m.health = health.New(m.keys, m.loc)
	m.inbox = inbox.New(m.keys, m.loc)
	m.profile = profile.New(m.keys, m.loc)
	m.agents = agents.New(m.keys, m.loc)
	m.agents.SetCurrent(o.agent.ID)
	m.settings = settings.New(m.keys)
	m.palette = palette.New()
	m.recall.SetNobody(m.ownMemories())
	m.sent.SetNames(func(p memory.Package) string {
		if len(m.opts.chat.Members()) == 0 {
			return ""
		}
		return m.speaker(p.AgentID)
	})
	m.sides = m.panelParts()
	m.help = help.New(append(m.keys.Groups(), slashGroup()), m.about()...)
	m.restyle()
	return m
}

func (m *root) about() []string {
	out := []string{"memoria " + m.opts.Version}
	if m.opts.LogPath != "" {
		out = append(out, "The log lies in "+m.opts.LogPath+".")
	}
	return out
}

// Init implements [tea.Model]. The first frame waits for none of it.
func (m *root) Init() tea.Cmd {
	cmds := []tea.Cmd{
		m.fx.start(), m.fx.nextEvent(), m.fx.nextChange(), m.fx.draft(), m.loadItems(), m.fx.status(),
	}
	if m.theme.Asks() {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if m.info.Offline {
		cmds = append(cmds, m.fx.find())
	}
	return tea.Batch(cmds...)
}

// restyle makes all styles anew.
func (m *root) restyle() {
	m.styles = theme.New(m.theme, m.dark)
	md := &rendering{theme: markdown.Dark}
	switch {
	case m.styles.Plain || slices.ContainsFunc(m.opts.Env, noColour):
		md.theme = markdown.NoColor
	case !m.styles.Dark:
		md.theme = markdown.Light
	}
	m.input.SetStyles(m.styles)
	m.talk.SetStyles(m.styles, md)
	m.journal.SetMarkdown(md)
	for i := range m.sides {
		m.sides[i].size.SetStyles(m.styles)
	}
}

// noColour reports whether an entry of the environment asks for no colour, as
// https://no-color.org says: NO_COLOR, not empty.
func noColour(kv string) bool {
	return len(kv) > len("NO_COLOR=") && kv[:len("NO_COLOR=")] == "NO_COLOR="
}

// Update implements [tea.Model].
func (m *root) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer func() {
		if v := recover(); v != nil {
			m.fault(v, debug.Stack())
			cmd = tea.Quit
		}
	}()
	cmd = tea.Batch(m.handle(msg), m.settle())
	if m.next != nil {
		return m.next, tea.Batch(m.next.Init(), m.next.loadShown(), m.next.settle())
	}
	return m, cmd
}

// fault notes a panic; the program ends by it. What it said may hold the user's
// words and is not logged.
func (m *root) fault(v any, stack []byte) {
	if m.crash == nil {
		m.crash = v
		m.opts.Logger.Error("terminal program panicked", "panic", guard.Kind(v), "stack", string(stack))
	}
}

// handle brings one message into the state.
func (m *root) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ours:
		if msg.of != m { // it was for another agent's screen
			return nil
		}
		if msg.n < m.looked[msg.at] {
			return nil
		}
		if msg.n > 0 {
			m.looked[msg.at] = msg.n
		}
		return m.handle(msg.msg)
	case arrivedMsg:
		m.going = false
		return m.handle(msg.msg)
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		if m.theme.Asks() && msg.IsDark() != m.dark {
			m.dark = msg.IsDark()
			m.restyle()
		}
	case tea.KeyPressMsg:
		m.fx.chat.Touch()
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.MouseClickMsg:
		m.click(msg)
	case tickMsg:
		m.ticking = false
		m.setNow(msg.now)
	case eventMsg:
		return m.onEvent(msg)
	case faultMsg:
		m.fault(msg.value, msg.stack)
		return tea.Quit
	default:
		return m.result(msg)
	}
	return nil
}

func (m *root) setNow(now time.Time) {
	if now.IsZero() {
		return
	}
	m.now = now
	for i := range m.sides {
		if set := m.sides[i].setNow; set != nil {
			set(now)
		}
	}
	m.talk.SetDay(now)
}

// quit saves what must be saved and ends the program. While something that was
// said cannot be written, it asks first.
func (m *root) quit() tea.Cmd {
	if m.storage != nil && !m.lossAsked {
		m.lossAsked = true
		m.say = "what was said last is not saved and would be lost; make room, or quit again to leave all the same"
		return nil
	}
	if m.draftBusy {
		return tea.Quit // Run writes the last state
	}
	return tea.Sequence(m.saveDraft(), tea.Quit)
}

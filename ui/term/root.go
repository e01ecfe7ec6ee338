package term

import (
	"context"
	"runtime/debug"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/guard"
	"memoria/ui/term/composer"
	"memoria/ui/term/help"
	"memoria/ui/term/keys"
	"memoria/ui/term/layout"
	"memoria/ui/term/markdown"
	"memoria/ui/term/palette"
	"memoria/ui/term/pane"
	"memoria/ui/term/theme"
	"memoria/ui/term/transcript"
)

// focus is where the keyboard is.
type focus int

const (
	onInput focus = iota
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
	draftPause = 500 * time.Millisecond
	spinPause  = 100 * time.Millisecond
	countPause = 250 * time.Millisecond
)

// root is the model of the program for one agent: where the keyboard is, what is shown where,
// and what its components share. Each component embeds it.
type root struct {
	fx effects
	panel
	conv      *conversation
	branch    *branches
	sources   *sources
	lessons   *lessons
	drafts    *drafts
	commands  *commands
	reader    *reader
	switching *switching
	guided    *guided
	typed     *typed

	opts Options
	keys keys.Map
	loc  *time.Location
	now  time.Time

	input   *composer.Model
	talk    *transcript.Model
	help    *help.Model
	palette *palette.Model

	theme   theme.Kind // as chosen; the configuration's at first
	mouse   bool
	dark    bool // the background of the terminal
	styles  theme.Styles
	screen  layout.Screen
	width   int
	height  int
	focus   focus
	showing bool // the panel was asked for while the keyboard stays in the input
	overlay overlay

	info    model.Info
	found   []model.Found // model servers on this computer
	linking bool          // a client is being made for a found server

	say      string // in the last line until the next key
	problems problems
	leaving  bool // ctrl+c again quits
	edited   bool // the input changed since the last settling
	ticking  bool
	abort    func() // asks the program to end, from anywhere
	crash    any    // the value of a panic; nil when there was none
}

// problems are shown above the input.
type problems struct {
	notices []chat.Problem
	storage *chat.Problem // why nothing can be written; nil when all can
	warned  bool          // quitting would lose something, and that was said
}

func newModel(ctx context.Context, o Options) *root {
	now := o.Now()
	changed, unwatch := o.Memory.Watch()
	work, end := context.WithCancel(ctx)
	m := &root{
		fx: effects{
			Effects: &pane.Effects{Session: o.Session, Ctx: work, Chat: o.chat, Agent: o.agent.ID},
			changed: changed, clipboard: o.Clipboard, remote: o.Remote,
		},
		opts: o, keys: keys.Default(o.Words), loc: now.Location(), now: now, dark: true,
		theme: o.Config.Theme, mouse: o.Config.Mouse,
		info: o.chat.Info(), abort: func() {},
	}
	m.conv = &conversation{root: m, titles: map[string]string{}}
	m.branch = &branches{root: m}
	m.sources = &sources{root: m}
	m.lessons = &lessons{root: m}
	m.drafts = &drafts{root: m}
	m.commands = &commands{root: m}
	m.reader = &reader{root: m}
	m.switching = &switching{root: m, base: ctx, leave: func() { end(); unwatch() }}
	m.guided = &guided{root: m}
	m.typed = &typed{root: m}
	m.keys.Command = bareCommand
	m.input = composer.New(o.Words)
	m.input.Focus()
	m.talk = transcript.New(&transcript.Rendering{}, m.loc, m.keys.Words)
	m.talk.SetDay(now)
	m.panel = newPanel(m)
	m.recall.SetNow(now)
	m.memories.SetNow(now)
	m.palette = palette.New(m.keys.Words.Words)
	m.recall.SetUnavailable(m.conv.ownMemories())
	m.memories.SetUnavailable(m.conv.ownMemories())
	m.sent.SetNames(func(p memory.Package) string {
		if len(m.opts.chat.Members()) == 0 {
			return ""
		}
		return m.conv.speaker(p.AgentID)
	})
	m.help = help.New(m.keys.Words.Words, append(m.keys.Groups(), help.Commands(m.keys.Words.Words)), m.about()...)
	m.restyle()
	return m
}

func (m *root) about() []string {
	out := []string{"memoria " + m.opts.Version}
	if m.opts.LogPath != "" {
		out = append(out, m.keys.Words.Say("about.log", m.opts.LogPath))
	}
	return out
}

// Init implements [tea.Model]. The first frame waits for none of it.
func (m *root) Init() tea.Cmd {
	cmds := []tea.Cmd{
		m.conv.start(), m.fx.nextEvent(), m.fx.nextChange(), m.drafts.loadDraft(), m.recall.List(), m.memories.List(), m.fx.status(),
		m.guided.begin(),
	}
	if m.theme.Asks() {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if m.info.Offline {
		cmds = append(cmds, m.commands.findModels())
	}
	return tea.Batch(cmds...)
}

// restyle builds all styles.
func (m *root) restyle() {
	m.styles = theme.New(m.theme, m.dark).For(m.opts.Env)
	md := &transcript.Rendering{Theme: markdown.Dark, Image: m.keys.Words.Say("markdown.image")}
	switch {
	case m.styles.Plain || slices.ContainsFunc(m.opts.Env, noColour):
		md.Theme = markdown.NoColor
	case !m.styles.Dark:
		md.Theme = markdown.Light
	}
	m.input.SetStyles(m.styles)
	m.talk.SetStyles(m.styles, md)
	m.journal.SetMarkdown(md)
	for _, p := range m.panes {
		p.SetStyles(m.styles)
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
	cmd = tea.Batch(m.handle(msg), m.typed.watch(), m.guided.watch(), m.settle())
	if next := m.switching.next; next != nil {
		return next, tea.Batch(next.Init(), next.current().Load(), next.settle())
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
	case pane.Result:
		answer := m.fx.Accept(msg)
		if answer != nil && msg.At.After(m.now) {
			m.setNow(msg.At)
		}
		return m.handle(answer)
	case arrivedMsg:
		m.switching.going = false
		return m.handle(msg.msg)
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.FocusMsg:
		m.conv.away = false
	case tea.BlurMsg:
		m.conv.away = true
	case tea.ModeReportMsg: // Bubble Tea then counts clusters, too
		if msg.Mode == ansi.ModeUnicodeCore && !msg.Value.IsNotRecognized() && !msg.Value.IsPermanentlyReset() && m.opts.joined != nil {
			m.opts.joined()
			m.restyle()
		}
	case tea.BackgroundColorMsg:
		if m.theme.Asks() && msg.IsDark() != m.dark {
			m.dark = msg.IsDark()
			m.restyle()
		}
	case tea.KeyPressMsg:
		m.fx.Chat.Touch()
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.MouseClickMsg:
		return m.click(msg)
	case tickMsg:
		m.ticking = false
		m.setNow(msg.now)
	case eventMsg:
		return m.conv.onEvent(msg)
	case pane.Fault:
		m.fault(msg.Value, msg.Stack)
		return tea.Quit
	case pane.Callback:
		return msg()
	case sessionMsg:
		return m.conv.onSession(msg)
	case statusMsg:
		if msg.err == nil {
			m.lessons.tellHeld(msg.status.Held)
			m.conv.SetStatus(msg.status)
			m.conv.counted = true
		}
	case changedMsg:
		return m.onChanged(msg)
	case sentMsg:
		return m.conv.onSent(msg)
	case pane.Failed:
		m.conv.pointAt = ""
		m.Tell(msg.Err)
	case sourcesMsg:
		return m.sources.arrived(msg)
	}
	return nil
}

// onChanged reads again the memory that is shown.
func (m *root) onChanged(msg changedMsg) tea.Cmd {
	if msg.closed {
		return nil
	}
	m.lessons.tellAnnounced()
	cmds := []tea.Cmd{
		m.recall.Refresh(), m.memories.Refresh(), m.fx.status(), m.fx.nextChange(), m.sent.Do(m.sent.Stale()), m.sources.refresh(),
	}
	if m.screen.Panel.W > 0 {
		cmds = append(cmds, m.current().Load())
	}
	return tea.Batch(cmds...)
}

// quit saves what must be saved and ends the program. While something that was
// said cannot be written, it asks first.
func (m *root) quit() tea.Cmd {
	if m.problems.storage != nil && !m.problems.warned {
		m.problems.warned = true
		m.say = m.keys.Words.Say("quit.unsaved")
		return nil
	}
	if m.drafts.busy {
		return tea.Quit // Run writes the last state
	}
	return tea.Sequence(m.drafts.saveDraft(), tea.Quit)
}

package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	xterm "github.com/charmbracelet/x/term"

	"memoria/chat"
	"memoria/memory"
	"memoria/ui/app"
	"memoria/ui/clean"
	"memoria/ui/config"
	"memoria/ui/editor"
	"memoria/ui/term/refresh"
	"memoria/ui/words"
)

// Options configures [Run].
type Options struct {
	*app.Session
	// In and Out are the terminal; nil means the process's own.
	In  io.Reader
	Out io.Writer
	// Remote is the terminal of another process, of which In and Out are streams; nil means
	// that they are files.
	Remote *Remote
	// Env is the environment as "KEY=value": NO_COLOR, TERM and what tells how
	// many colours there are.
	Env    []string
	Config config.UI
	// Clipboard sets the system's clipboard in addition to the terminal's; nil where
	// there is none.
	Clipboard func(string) error

	chat  *chat.Chat // the open conversation
	agent chat.Agent // of chat

	joined func() // lets joined emoji be whole; nil where they are
}

// Remote is what a terminal of another process does. Its functions may be called from any
// goroutine.
type Remote struct {
	// Raw switches its raw mode on or off.
	Raw func(on bool)
	// Size returns its size in cells; Resized receives after each change of it.
	Size    func() (width, height int)
	Resized <-chan struct{}
	// Keep gets each draft, and Draft returns it to the program that is begun again for an
	// agent; ok is false if there is none.
	Keep  func(memory.Draft)
	Draft func(agent string) (d memory.Draft, ok bool)
}

// CrashError says that the program gave up because of a fault of its own. The
// terminal is as it was before.
type CrashError struct {
	Value   any
	LogPath string
}

// Error tells where to read on.
func (e *CrashError) Error() string {
	p := e.Told(words.Words{})
	return strings.TrimSpace(p.Title + ": " + p.Text + " " + p.Hint)
}

// Told words the error for the user.
func (e *CrashError) Told(w words.Words) chat.Problem {
	p := chat.Problem{Title: w.Say("crash"), Text: w.Say("crash.kept")}
	if e.LogPath != "" {
		p.Hint = w.Say("crash.log", clean.Line(e.LogPath))
	}
	return p
}

// Run shows the conversation until the user leaves it, ctx ends or something
// breaks. It starts the open conversation if needed, and closes nothing. The draft is kept
// on every way out. It returns [app.ErrNoTerminal] where nothing can be drawn, a
// [*CrashError] after a fault, and nil otherwise; an end by ctx is no error.
func Run(ctx context.Context, o Options) error {
	o = o.withDefaults()
	if err := o.Config.Validate(); err != nil {
		return fmt.Errorf("ui settings: %w", err)
	}
	if err := drawable(o); err != nil {
		return err
	}
	editor.RemoveLeft(o.Memory.Vault().Dir())
	// Effects end with the program: whatever they wait for is cancelled.
	work, stop := context.WithCancel(ctx)
	defer stop()
	o.joined = clean.Split() // until the terminal says that it counts clusters
	defer o.joined()
	m := newModel(work, o)
	// Signals end ctx. Bubble Tea's own handler would answer the same signal by a
	// message to a loop that has ended, and wait for that for ever; and a context
	// of its own ends it without waiting for the reader of the keyboard.
	var rate refresh.Rate
	options := []tea.ProgramOption{
		tea.WithoutSignalHandler(), tea.WithFPS(refresh.PerSecond), tea.WithFilter(rate.Filter),
		tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithEnvironment(o.Env),
	}
	if o.Remote != nil {
		width, height := o.Remote.Size()
		options = append(options, tea.WithWindowSize(width, height), tea.WithColorProfile(colorprofile.Env(o.Env)))
		o.Remote.Raw(true)
		defer o.Remote.Raw(false)
	}
	p := tea.NewProgram(m, options...)
	rate.Follow(p)
	defer rate.Stop()
	if o.Remote != nil {
		go o.Remote.follow(work, p)
	}
	m.abort = func() { go p.Quit() }
	defer context.AfterFunc(ctx, p.Quit)()
	last, err := p.Run()
	if r, ok := last.(*root); ok && r != nil { // another agent's, by now
		m = r
	}
	m.drafts.keepDraft()
	switch {
	case m.crash != nil:
		return &CrashError{Value: m.crash, LogPath: o.LogPath}
	case errors.Is(err, tea.ErrProgramPanic):
		return &CrashError{Value: err, LogPath: o.LogPath}
	case err == nil, errors.Is(err, tea.ErrInterrupted), ctx.Err() != nil:
		return nil
	}
	return fmt.Errorf("running the terminal: %w", err)
}

// follow tells the program of each new size.
func (r *Remote) follow(ctx context.Context, p *tea.Program) {
	for {
		select {
		case <-r.Resized:
			width, height := r.Size()
			p.Send(tea.WindowSizeMsg{Width: width, Height: height})
		case <-ctx.Done():
			return
		}
	}
}

func (o Options) withDefaults() Options {
	o.chat = o.Conversations.Chat()
	o.agent = o.chat.Agent()
	if o.In == nil {
		o.In = os.Stdin
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	return o
}

// drawable reports whether both ends are a terminal that can be drawn on.
func drawable(o Options) error {
	for _, end := range []any{o.In, o.Out} {
		terminal := false
		switch f := end.(type) {
		case interface{ Fd() uintptr }:
			terminal = xterm.IsTerminal(f.Fd())
		case interface{ IsTerminal() bool }: // of another process
			terminal = o.Remote != nil && f.IsTerminal()
		}
		if !terminal {
			return app.ErrNoTerminal
		}
	}
	for _, kv := range o.Env {
		if strings.EqualFold(kv, "TERM=dumb") {
			return fmt.Errorf("%w: TERM is dumb", app.ErrNoTerminal)
		}
	}
	return nil
}

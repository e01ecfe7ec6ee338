package cli

import (
	"context"
	"errors"
	"io"
	"os"

	"memoria/ui/app"
	"memoria/ui/config"
)

// FrontEnd runs a session until the user leaves it or ctx ends.
type FrontEnd func(context.Context, *app.Session, Terminal) error

// Terminal is what a front end gets besides the session.
type Terminal struct {
	In  io.Reader
	Out io.Writer
	Env []string
	UI  config.UI
	// Typed says that In is a terminal, and ByHand that a person types although it is
	// none.
	Typed, ByHand bool
	// Interrupts receives interrupts, which then do not end ctx; nil when they do.
	Interrupts <-chan os.Signal
}

// interactive runs the terminal program: on the screen, or line by line.
func (p *Program) interactive(ctx context.Context) (err error) {
	if !p.screenReader && (!isTerminal(p.Stdin) || !isTerminal(p.Stdout)) {
		return p.noScreen(p.lang().Say("screen.no-terminal"))
	}
	if err := p.elsewhere(ctx, false); err != nil {
		return err
	}
	if p.Lasts != nil {
		p.Lasts()
	}
	if p.Resume != "" {
		p.Agent = p.Resume
	}
	p.Temporary = p.Temporary || p.ResumeTemporary
	o, err := p.openOrMend(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	ctx = o.Scoped(ctx)
	linewise := p.screenReader || o.Config.UI.ScreenReader
	session, err := o.Session(!linewise)
	if err != nil {
		return err
	}
	defer p.serveBeside(ctx, o)()
	t := Terminal{In: p.Stdin, Out: p.Stdout, Env: p.Env, UI: o.Config.UI, Typed: isTerminal(p.Stdin), ByHand: p.typed}
	if linewise {
		return p.byLines(ctx, session, t)
	}
	err = p.Screen(ctx, session, t)
	if errors.Is(err, app.ErrNoTerminal) {
		return p.noScreen(p.lang().Say("screen.no-drawing", config.Lookup(p.Env, "TERM")))
	}
	if err == nil { // for the screen an end by a signal is no error; for the exit code it is
		err = context.Cause(ctx)
	}
	return err
}

// byLines runs the program line by line. The first interrupt ends an answer, not the
// program.
func (p *Program) byLines(ctx context.Context, session *app.Session, t Terminal) error {
	t.Out = p.out
	if p.lines != nil { // a question was asked before
		t.In = p.lines
	}
	if p.Interrupts != nil {
		interrupts, release := p.Interrupts()
		defer release()
		t.Interrupts = interrupts
	}
	return p.Lines(ctx, session, t)
}

// noScreen says what to do where nothing can be drawn.
func (p *Program) noScreen(why string) error {
	p.remark("screen.none", why)
	return errTold
}

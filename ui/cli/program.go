package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/vault"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/clean"
	"memoria/ui/config"
	"memoria/ui/words"
)

// Program is one run of the command line: its options, arguments and streams.
type Program struct {
	app.Options          // Notify is set by Run
	Args        []string // without the program's name
	Stdin       io.Reader
	Stdout      io.Writer
	Stderr      io.Writer
	// Interrupts takes over the interrupts, which end Run's ctx otherwise, until release
	// is called; nil means that they always end it.
	Interrupts func() (interrupts <-chan os.Signal, release func())
	// Elsewhere lets the process that has the memory of a data folder open run the program;
	// done is false if no process has. held says that one has, although it may not listen.
	// nil means that there are no other processes.
	Elsewhere func(ctx context.Context, p *Program, at app.Setup, held bool) (code int, done bool, err error)
	// Raw switches raw mode on or off if Stdin is the terminal of another process.
	Raw func(on bool)
	// Resume is what Talks was last called with before the program was begun again.
	Resume string
	// ResumeTemporary says that the conversation with it was a temporary one.
	ResumeTemporary bool
	// Lasts is called before a front end, which runs until its user ends it; it may be nil.
	Lasts func()
	// Screen and Lines are the front ends for a terminal: drawn, and line by line.
	Screen, Lines FrontEnd

	screenReader, typed bool // flags

	out   *sink
	lines *bufio.Reader // standard input, when it is read by lines
	began bool          // a command has begun: from here on a failure is no usage error
	piped *string       // what was read of standard input
	alone bool          // the command needs the memory for itself
}

// Exit codes.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitInterrupted = 130
)

// wrongUsage refuses what was typed, in a message of the catalogue.
func wrongUsage(id string, args ...any) error { return usageError{words.Later(id, args...)} }

// usageError is an [app.UsageError] that is put into words when it is told.
type usageError struct{ words.Message }

// As makes it one.
func (e usageError) As(target any) bool {
	usage, ok := target.(*app.UsageError)
	if ok {
		*usage = app.UsageError(e.Error())
	}
	return ok
}

// lang is the wording in the language of the run.
func (p *Program) lang() words.Words { return p.Words }

// errTold ends a command whose problem was already told.
var errTold = errors.New("told")

// elsewhereError ends a command that another process has run, with its exit code.
type elsewhereError int

func (e elsewhereError) Error() string { return "relayed" }

// elsewhere lets the process that has the memory open run the program. Its error is nil if
// this process is to go on by itself.
func (p *Program) elsewhere(ctx context.Context, held bool) error {
	if p.Elsewhere == nil || p.Demo || p.alone {
		return nil
	}
	at, err := p.Setup()
	if err != nil {
		return nil //nolint:nilerr // who opens the memory tells it
	}
	code, done, err := p.Elsewhere(ctx, p, at, held)
	if err == nil && done {
		err = elsewhereError(code)
	}
	return err
}

// Run runs the program and returns its exit code. Cancelling ctx interrupts it.
func (p *Program) Run(ctx context.Context) int {
	defer clean.Join()() // a screen splits joined emoji where it must
	p.out = &sink{w: p.Stdout}
	p.Notify = p.notify
	p.Speak()
	defer p.PrepareDemo(ctx)()
	root := p.rootCommand()
	root.SetArgs(p.Args)
	root.SetIn(p.Stdin)
	root.SetOut(p.out)
	root.SetErr(p.Stderr)
	c, err := root.ExecuteContextC(ctx)
	var locked *vault.LockedError
	if errors.As(err, &locked) && ctx.Err() == nil {
		if p.piped != nil {
			p.Stdin = strings.NewReader(*p.piped)
		}
		err = cmp.Or(p.elsewhere(ctx, true), err)
	}
	return p.conclude(ctx, c, err)
}

// conclude tells what there is to tell at the end, and finds the exit code.
func (p *Program) conclude(ctx context.Context, c *cobra.Command, err error) int {
	var usage app.UsageError
	var config *config.Error
	var refused actions.Refusal
	var ran elsewhereError
	var told interface {
		error
		Told(words.Words) chat.Problem
	}
	switch {
	case errors.As(err, &ran):
		return int(ran)
	case errors.As(err, &told):
		p.tell(told.Told(p.lang()))
		return ExitFailed
	case p.out.err != nil:
		if !errors.Is(p.out.err, syscall.EPIPE) { // a reader that has enough is no fault
			p.remark("output.broken", p.out.err)
		}
		return ExitFailed
	case err == nil:
		return ExitDone
	case ctx.Err() != nil:
		if !errors.Is(err, errTold) && !errors.Is(err, context.Cause(ctx)) && !errors.Is(err, context.Canceled) {
			p.tell(chat.Explain(err))
		}
		return ExitInterrupted
	case errors.Is(err, app.ErrInterrupted):
		return ExitInterrupted
	case errors.As(err, &refused):
		p.say("%s", refused)
		return ExitFailed
	case errors.Is(err, errTold):
		return ExitFailed
	case errors.Is(err, errRefused):
		return ExitUsage
	case !p.began, errors.As(err, &usage):
		p.remark("problem", p.lang().Error(err))
		if c.Name() == "help" {
			c = c.Root()
		}
		p.remark("usage.try", c.CommandPath())
		return ExitUsage
	case errors.As(err, &config):
		p.tellFaults(config)
		return ExitUsage
	}
	problem := chat.Explain(err)
	var file *fs.PathError
	switch {
	case problem.Hint != "":
	case errors.Is(err, lookup.ErrNotFound):
		problem.Hint = c.Annotations[ifNotFound]
	case errors.As(err, &file):
		problem.Hint = p.lang().Say("usage.folder")
	}
	p.tell(problem)
	if errors.Is(err, memory.ErrInvalid) {
		return ExitUsage
	}
	return ExitFailed
}

// ifNotFound is the annotation of a command that says how to find what its
// argument did not name.
const ifNotFound = "if-not-found"

// otherwise is the annotation of a group with the command that it runs without arguments.
const otherwise = "otherwise"

// wordsOf is the annotation of a command with the flag that its arguments are words for.
const wordsOf = "words-of"

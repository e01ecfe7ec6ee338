package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory/manager"
	"memoria/ui/config"
)

// Program is what a run may use of the world. It runs once.
type Program struct {
	Args   []string // without the program's name
	Env    []string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Now    func() time.Time
	// Version is shown by --version.
	Version string
	// Example is the example of the configuration file; its comments are the help of
	// the settings.
	Example string
	// Interrupts takes the interrupts over from Run's ctx, for a command that is
	// not ended by the first one, until the function is called; nil: ctx ends it.
	Interrupts func() (<-chan os.Signal, func())

	// What the flags say.
	configPath, dataDir, agent, modelName           string
	debug, noMemory, temporary, screenReader, typed bool
	demo                                            throwAway

	out   *sink
	lines *bufio.Reader                       // standard input, when it is read by lines
	find  func(context.Context) []model.Found // looks for model servers on this computer; nil is the usual way
	began bool                                // a command has begun: from here on a failure is no wrong usage
}

// Exit codes.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitInterrupted = 130
)

// usageError is a wrong call that only the command itself could notice.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func wrongUsage(format string, args ...any) error {
	return usageError{fmt.Sprintf(format, args...)}
}

// errTold ends a command whose problem was already told.
var errTold = errors.New("told")

// errInterrupted ends a command that took the interrupts over, by one of them.
var errInterrupted = errors.New("interrupted")

// Run runs the program and returns its exit code. Cancelling ctx interrupts it.
func (p *Program) Run(ctx context.Context) int {
	p.out = &sink{w: p.Stdout}
	defer p.prepareDemo(ctx)()
	root := p.rootCommand()
	root.SetArgs(p.Args)
	root.SetIn(p.Stdin)
	root.SetOut(p.out)
	root.SetErr(p.Stderr)
	c, err := root.ExecuteContextC(ctx)
	return p.conclude(ctx, c, err)
}

// conclude tells what there is to tell at the end, and finds the exit code.
func (p *Program) conclude(ctx context.Context, c *cobra.Command, err error) int {
	var usage usageError
	var config *config.Error
	switch {
	case p.out.err != nil:
		if !errors.Is(p.out.err, syscall.EPIPE) { // a reader that has enough is no fault
			p.say("memoria: standard output cannot be written: %s", p.out.err)
		}
		return ExitFailed
	case err == nil:
		return ExitDone
	case ctx.Err() != nil:
		if !errors.Is(err, errTold) && !errors.Is(err, context.Cause(ctx)) && !errors.Is(err, context.Canceled) {
			p.tell(chat.Explain(err))
		}
		return ExitInterrupted
	case errors.Is(err, errInterrupted):
		return ExitInterrupted
	case errors.Is(err, errTold):
		return ExitFailed
	case errors.Is(err, errRefused):
		return ExitUsage
	case !p.began, errors.As(err, &usage):
		p.say("memoria: %s", err)
		if c.Name() == "help" {
			c = c.Root()
		}
		p.say("Try '%s --help'.", c.CommandPath())
		return ExitUsage
	case errors.As(err, &config):
		p.tellFaults(config)
		return ExitUsage
	}
	problem := chat.Explain(err)
	var file *fs.PathError
	switch {
	case problem.Hint != "":
	case errors.Is(err, manager.ErrNotFound):
		problem.Hint = c.Annotations[ifNotFound]
	case errors.As(err, &file):
		problem.Hint = "Give another folder with --data-dir or MEMORIA_DATA_DIR."
	}
	p.tell(problem)
	if errors.Is(err, manager.ErrInvalid) {
		return ExitUsage
	}
	return ExitFailed
}

// ifNotFound is the annotation of a command that says how to find what its
// argument did not name.
const ifNotFound = "if-not-found"

const (
	findChange   = "'memoria memory history' shows what was done."
	findMemory   = "'memoria memory list --all' shows what there is."
	listAgents   = "'memoria agent list' shows what there is."
	listSessions = "'memoria session list' shows what there is."
	findMessage  = "'memoria archive search' shows what there is."
)

func hint(text string) map[string]string { return map[string]string{ifNotFound: text} }

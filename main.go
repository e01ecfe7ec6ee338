// Memoria is a chat client for the terminal whose memory can be seen, corrected
// and deleted. README.md says how to use it; the packages' comments say how it
// is built, beginning with ui/cli, chat and memory.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/atotto/clipboard"

	"memoria/ui/app"
	"memoria/ui/cli"
	"memoria/ui/config"
	"memoria/ui/owner"
	"memoria/ui/plain"
	"memoria/ui/term"
)

func main() { os.Exit(run(time.Now)) }

// run runs the program in this process with the given clock and returns the
// exit code.
func run(now func() time.Time) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, interrupts := interruptible(ctx)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	// A closed standard output is an error to handle, not a signal to die from:
	// the memory is closed properly.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	shared := &app.Shared{}
	o := owner.Options{Version: version(), Env: os.Environ(), Run: func(ctx context.Context, c *owner.Command) int {
		return relayed(ctx, c, app.Options{Now: now, Version: version(), Shared: shared})
	}}
	if !clipboard.Unsupported {
		o.Clipboard = clipboard.WriteAll
	}
	process := owner.New(o)
	shared.Opened = process.Opened
	p := cli.Program{
		Options: app.Options{Env: os.Environ(), Now: now, Version: version(), Shared: shared},
		Args:    os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Interrupts: interrupts, Screen: screen, Lines: lines,
		Elsewhere: func(ctx context.Context, p *cli.Program, at app.Setup, held bool) (int, bool, error) {
			return process.Relay(ctx, owner.Call{
				Args: p.Args, Stdin: p.Stdin, Stdout: p.Stdout, Stderr: p.Stderr, Interrupts: p.Interrupts,
				Dir: at.DataDir, Keys: []string{at.Config.Model.APIKeyEnv, at.Config.Embedding.APIKeyEnv}, Held: held,
			})
		},
	}
	return p.Run(ctx)
}

// relayed runs a command of another process, or one that this process took over from an
// owner that ended.
func relayed(ctx context.Context, c *owner.Command, o app.Options) int {
	o.Env, o.Dir, o.Began, o.Talks = c.Env, c.Dir, c.Began, c.KeepAgent
	o.Temporarily = c.KeepTemporary
	p := cli.Program{
		Options: o, Args: c.Args, Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr, Interrupts: c.Interrupts, Raw: c.Raw,
		Resume: c.Resume.Agent, ResumeTemporary: c.Resume.Temporary, Lasts: c.Lasts, Lines: lines,
		Screen: func(ctx context.Context, s *app.Session, t cli.Terminal) error {
			s.Remote = true
			return term.Run(ctx, term.Options{
				Session: s, In: t.In, Out: t.Out, Env: t.Env, Config: t.UI, Clipboard: c.Clipboard,
				Remote: &term.Remote{Raw: c.Raw, Size: c.Size, Resized: c.Resized(), Keep: c.KeepDraft, Draft: c.Draft},
			})
		},
		Elsewhere: func(_ context.Context, _ *cli.Program, _ app.Setup, held bool) (int, bool, error) {
			return cli.ExitFailed, held && c.Held(), nil
		},
	}
	return p.Run(ctx)
}

// residentGC is the garbage collector's percentage (runtime/debug) of the screen, which
// stays open: half of the usual one costs no measurable time and saves 40 MB.
const residentGC = 50

// screen runs the program on the screen.
func screen(ctx context.Context, s *app.Session, t cli.Terminal) error {
	if config.Lookup(t.Env, "GOGC") == "" {
		debug.SetGCPercent(residentGC)
	}
	go s.Memory.WarmRules() // while the first screen is read
	o := term.Options{Session: s, In: t.In, Out: t.Out, Env: t.Env, Config: t.UI}
	if !clipboard.Unsupported {
		o.Clipboard = clipboard.WriteAll
	}
	return term.Run(ctx, o)
}

// lines runs the program line by line.
func lines(ctx context.Context, s *app.Session, t cli.Terminal) error {
	return plain.Run(ctx, plain.Options{
		Session: s, In: t.In, Out: t.Out, Typed: t.Typed, ByHand: t.ByHand, Interrupts: t.Interrupts,
	})
}

// interruptible returns a context that an interrupt ends, and a function that
// takes the interrupts over: from then on they come on its channel and end
// nothing, until the function that it returns gives them up, and the next one
// ends the process.
func interruptible(ctx context.Context) (context.Context, func() (<-chan os.Signal, func())) {
	ctx, end := context.WithCancel(ctx)
	first := make(chan os.Signal, 1)
	signal.Notify(first, os.Interrupt)
	context.AfterFunc(ctx, func() { signal.Stop(first) })
	go func() {
		<-first
		end()
	}()
	return ctx, func() (<-chan os.Signal, func()) {
		own := make(chan os.Signal, 1)
		signal.Notify(own, os.Interrupt)
		signal.Stop(first)
		return own, func() { signal.Stop(own) }
	}
}

// version is the module's version, or the revision it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel " + s.Value
		}
	}
	return "devel"
}

// Memoria is a chat client for the terminal whose memory can be seen, corrected
// and deleted. README.md says how to use it; the packages' comments say how it
// is built, beginning with ui/cli, chat and memory.
package main

import (
	"context"
	_ "embed" // the example of the configuration
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"memoria/ui/cli"
)

// example says what every setting is for.
//
//go:embed config.example.toml
var example string

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
	p := cli.Program{
		Args: os.Args[1:], Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Now: now, Version: version(), Example: example, Interrupts: interrupts,
	}
	return p.Run(ctx)
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

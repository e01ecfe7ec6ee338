package owner

import (
	"context"
	"io"
	"os"
	"sync"
	"time"
)

// stopped is how long a caller waits for the end of a command that it has cancelled.
const stopped = 15 * time.Second

// Call is a command of this process that another one runs.
type Call struct {
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Interrupts is that of [memoria/ui/cli.Program].
	Interrupts func() (interrupts <-chan os.Signal, release func())
	// Dir is the data folder, and Keys are the variables that hold the keys of its configuration.
	Dir  string
	Keys []string
	// Held says that another process has the memory. Otherwise nothing is done unless one
	// listens.
	Held bool
}

// ending is how a command ended that runs elsewhere.
type ending int

const (
	exited ending = iota // with a code
	moved                // it is to be begun again
	lost                 // the owner is gone
)

// caller is this process's side of its command.
type caller struct {
	call    Call
	env     []string
	dir     string // of the process
	stdin   *stdin
	console *console
	clip    func(string) error

	resume State
	begun  bool // something may have been changed
	lasts  bool
}

// relay sends the command and passes its streams on until it ends.
func (c *caller) relay(ctx context.Context, to *link) (how ending, code int) {
	defer func() { _ = to.Close() }()
	c.begun, c.lasts = false, false
	in, out := asTerminal(c.call.Stdin), asTerminal(c.call.Stdout)
	if err := to.sendJSON(kindRun, request{
		Args: c.call.Args, Env: c.env, Dir: c.dir, Resume: c.resume,
		In: in != nil, Out: out != nil, Err: asTerminal(c.call.Stderr) != nil, Size: c.console.size(),
	}); err != nil {
		return lost, 0
	}
	defer c.cancels(ctx, to)()
	defer c.resizes(to)()
	release := func() {}
	defer func() { release() }()
	for {
		f, err := readFrame(to, maxRun)
		if err != nil {
			return lost, 0
		}
		switch f.kind {
		case kindStdout:
			if _, err := c.call.Stdout.Write(f.payload); err != nil {
				_ = to.send(kindBroken, nil)
			}
		case kindStderr:
			_, _ = c.call.Stderr.Write(f.payload)
		case kindWant:
			c.stdin.want(to)
		case kindBegun:
			c.begun = true
			c.stdin.begun()
		case kindLasts:
			c.lasts = true
		case kindKeep:
			var s State
			if f.into(&s) == nil {
				c.resume = s
			}
		case kindRaw:
			c.console.raw(len(f.payload) == 1 && f.payload[0] == 1)
		case kindInterrupts:
			release()
			release = func() {}
			if len(f.payload) == 1 && f.payload[0] == 1 {
				release = c.interrupts(to)
			}
		case kindClipboard:
			if c.clip != nil {
				go func() { _ = c.clip(string(f.payload)) }()
			}
		case kindMoved:
			var r rest
			if f.into(&r) != nil {
				return lost, 0
			}
			c.stdin.putBack(r)
			return moved, 0
		case kindExit:
			var e exit
			if f.into(&e) != nil {
				return lost, 0
			}
			return exited, e.Code
		default:
			return lost, 0
		}
	}
}

// cancels ends the command when ctx does, and the wait for it some time later.
func (c *caller) cancels(ctx context.Context, to *link) (stop func()) {
	var late *time.Timer
	var mu sync.Mutex
	undo := context.AfterFunc(ctx, func() {
		mu.Lock()
		late = time.AfterFunc(stopped, func() { _ = to.Close() })
		mu.Unlock()
		_ = to.send(kindCancel, nil)
	})
	return func() {
		undo()
		mu.Lock()
		defer mu.Unlock()
		if late != nil {
			late.Stop()
		}
	}
}

// resizes reports changes of the terminal's size.
func (c *caller) resizes(to *link) (stop func()) {
	changed, unwatch := c.console.changes()
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-changed:
				_ = to.sendJSON(kindSize, c.console.size())
			case <-done:
				return
			}
		}
	}()
	return func() {
		unwatch()
		close(done)
	}
}

// interrupts passes interrupts on, which otherwise end the command, until release is called.
func (c *caller) interrupts(to *link) (release func()) {
	if c.call.Interrupts == nil {
		return func() {}
	}
	breaks, free := c.call.Interrupts()
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-breaks:
				_ = to.send(kindInterrupt, nil)
			case <-done:
				return
			}
		}
	}()
	return func() {
		close(done)
		free()
	}
}

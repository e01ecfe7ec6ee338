package owner

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"memoria/memory"
	"memoria/memory/guard"
)

// The reasons for which a command of another process ends early.
var (
	errMove = errors.New("the memoria that has the memory ends")
	errGone = errors.New("the process that asked is gone")
	errStop = errors.New("interrupted")
)

// size is the size of a terminal in cells.
type size struct{ Width, Height int }

// request is a command as it is sent.
type request struct {
	Args   []string `json:"args"`
	Env    []string `json:"env"`
	Dir    string   `json:"dir"`
	Resume State    `json:"resume,omitzero"`
	// Which streams are terminals, and the size of the terminal.
	In   bool `json:"in"`
	Out  bool `json:"out"`
	Err  bool `json:"err"`
	Size size `json:"size"`
}

// State is where a command was that lasts.
type State struct {
	Agent string `json:"agent,omitempty"`
	// Temporary says that the conversation is not kept, and so not the one that follows.
	Temporary bool          `json:"temporary,omitempty"`
	Draft     *memory.Draft `json:"draft,omitempty"`
}

// rest is what is left of the standard input of a command that moves: how much of it the owner
// got, and what the command has not taken of that.
type rest struct {
	Got  int64  `json:"got"`
	Left []byte `json:"left"`
}

// exit is the end of a command.
type exit struct {
	Code int `json:"code"`
}

// Command is a command of another process, or one that this process took over, as the program
// runs it.
type Command struct {
	Args, Env []string
	// Dir is the folder of the caller, from which its relative paths start.
	Dir string
	// Resume is what the command kept before it was begun again.
	Resume         State
	Stdin          *Input
	Stdout, Stderr *Output

	link    *link
	raw     *atomic.Bool
	lasts   atomic.Bool
	held    atomic.Bool
	local   bool // it is of this process
	resized chan struct{}
	mu      sync.Mutex
	size    size
	state   State
	breaks  chan os.Signal // nil: interrupts end the command
}

// Began tells the caller that something may be changed from now on.
func (c *Command) Began() { _ = c.link.send(kindBegun, nil) }

// Lasts says that the command lasts until its user ends it: it may be ended and begun again
// elsewhere.
func (c *Command) Lasts() {
	c.lasts.Store(true)
	_ = c.link.send(kindLasts, nil)
}

// KeepAgent says which agent the user talks to, for the time when the command is begun again.
func (c *Command) KeepAgent(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = State{Agent: id}
	_ = c.link.sendJSON(kindKeep, c.state)
}

// KeepTemporary says whether the conversation with the agent is temporary.
func (c *Command) KeepTemporary(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state.Temporary = on
	_ = c.link.sendJSON(kindKeep, c.state)
}

// KeepDraft keeps what the user has typed and not sent.
func (c *Command) KeepDraft(d memory.Draft) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state.Agent, c.state.Draft = d.AgentID, &d
	_ = c.link.sendJSON(kindKeep, c.state)
}

// Draft returns the draft that was kept for an agent before the command was begun again.
func (c *Command) Draft(agent string) (d memory.Draft, ok bool) {
	if kept := c.Resume.Draft; kept != nil && kept.AgentID == agent {
		return *kept, true
	}
	return memory.Draft{}, false
}

// Held says that another process has the memory, so that nothing was done. It reports whether
// the command is tried again for that.
func (c *Command) Held() bool {
	c.held.Store(true)
	return c.local
}

// Raw switches the caller's terminal to raw mode, or back.
func (c *Command) Raw(on bool) {
	state := []byte{0}
	if on {
		state[0] = 1
	}
	c.raw.Store(on)
	_ = c.link.send(kindRaw, state)
}

// Size returns the size of the caller's terminal in cells.
func (c *Command) Size() (width, height int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size.Width, c.size.Height
}

// Resized receives after each change of the size.
func (c *Command) Resized() <-chan struct{} { return c.resized }

// Clipboard puts a text into the caller's clipboard.
func (c *Command) Clipboard(text string) error {
	if len(text) > maxRun {
		return errFrame
	}
	return c.link.send(kindClipboard, []byte(text))
}

// Interrupts takes the caller's interrupts over until release is called; they end the command
// otherwise.
func (c *Command) Interrupts() (interrupts <-chan os.Signal, release func()) {
	breaks := make(chan os.Signal, 1)
	c.mu.Lock()
	c.breaks = breaks
	c.mu.Unlock()
	_ = c.link.send(kindInterrupts, []byte{1})
	return breaks, func() {
		c.mu.Lock()
		c.breaks = nil
		c.mu.Unlock()
		_ = c.link.send(kindInterrupts, []byte{0})
	}
}

// serve runs a command that came on a connection, and closes it. It reports whether the
// command, one of this process, found that another process holds the memory.
func (o *Owner) serve(l *link, r request, local bool, log *slog.Logger) (held bool) {
	defer func() { _ = l.Close() }()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	raw, ended := &atomic.Bool{}, make(chan struct{})
	c := &Command{
		Args: r.Args, Env: r.Env, Dir: r.Dir, Resume: r.Resume, link: l, raw: raw, local: local, size: r.Size,
		resized: make(chan struct{}, 1), state: r.Resume,
		Stdin:  &Input{link: l, terminal: r.In, ended: ended, arrived: make(chan struct{}, 1)},
		Stdout: &Output{link: l, kind: kindStdout, terminal: r.Out, raw: raw},
		Stderr: &Output{link: l, kind: kindStderr, terminal: r.Err, raw: raw},
	}
	if !local {
		left, ok := o.enter(c, cancel)
		if !ok {
			_ = l.sendJSON(kindMoved, rest{})
			return false
		}
		defer left()
	}
	go func() { cancel(c.listen(cancel)) }()
	code := 1
	err := guard.Do(log, "running a command for another process", func() error {
		code = o.o.Run(ctx, c)
		return nil
	})
	close(ended)
	if err != nil {
		log.Error("a command of another process failed", "error", err, "stack", string(debug.Stack()))
		_, _ = c.Stderr.Write([]byte("memoria: " + err.Error() + "\n"))
	}
	if c.lasts.Load() && errors.Is(context.Cause(ctx), errMove) {
		_ = l.sendJSON(kindMoved, c.Stdin.rest())
	} else {
		_ = l.sendJSON(kindExit, exit{code})
	}
	return c.held.Load()
}

// listen takes the caller's frames until the connection ends, and returns why the command is
// to end then.
func (c *Command) listen(cancel context.CancelCauseFunc) error {
	for {
		f, err := readFrame(c.link, maxFrame)
		if err != nil {
			c.Stdin.put(nil, io.ErrUnexpectedEOF)
			return errGone
		}
		switch f.kind {
		case kindStdin:
			c.Stdin.put(f.payload, nil)
		case kindStdinEnd:
			end := io.EOF
			if len(f.payload) > 0 {
				end = errors.New(string(f.payload))
			}
			c.Stdin.put(nil, end)
		case kindSize:
			var s size
			if json.Unmarshal(f.payload, &s) == nil {
				c.resize(s)
			}
		case kindInterrupt:
			c.mu.Lock()
			if c.breaks != nil {
				select {
				case c.breaks <- os.Interrupt:
				default:
				}
			}
			c.mu.Unlock()
		case kindCancel:
			cancel(errStop)
		case kindBroken:
			c.Stdout.broken.Store(true)
		default:
			c.Stdin.put(nil, io.ErrUnexpectedEOF)
			return errGone
		}
	}
}

// resize notes a new size of the terminal.
func (c *Command) resize(s size) {
	c.mu.Lock()
	c.size = s
	c.mu.Unlock()
	select {
	case c.resized <- struct{}{}:
	default: // it reads the newest size when it comes to it
	}
}

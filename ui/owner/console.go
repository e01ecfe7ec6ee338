package owner

import (
	"io"
	"os"
	"sync"

	xterm "golang.org/x/term"
)

// console is the terminal of a process whose command runs elsewhere.
type console struct {
	in, out *os.File // nil: no terminal
	mu      sync.Mutex
	before  *xterm.State // nil: not in raw mode
}

// asTerminal returns the stream if it is a terminal.
func asTerminal(stream any) *os.File {
	if f, ok := stream.(*os.File); ok && xterm.IsTerminal(int(f.Fd())) { //nolint:gosec // a descriptor
		return f
	}
	return nil
}

func newConsole(in io.Reader, out io.Writer) *console {
	return &console{in: asTerminal(in), out: asTerminal(out)}
}

// raw switches raw mode on or off.
func (c *console) raw(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.in == nil || on == (c.before != nil) {
		return
	}
	fd := int(c.in.Fd()) //nolint:gosec // a descriptor
	if on {
		c.before, _ = xterm.MakeRaw(fd)
		return
	}
	_ = xterm.Restore(fd, c.before)
	c.before = nil
}

// leave is what ends everything that the terminal program switches on: colours, the mouse,
// pasting in brackets, the reports of keys, the cursor that is hidden, and the other screen.
const leave = "\x1b[0m\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?2026l\x1b[<u\x1b[>4m\x1b[?25h\x1b[?1049l"

// rescue makes a terminal usable after its command was lost.
func (c *console) rescue() {
	c.clear()
	c.raw(false)
}

// clear ends what a lost terminal program had switched on. Raw mode stays: keys that are
// pressed until the program runs again are for it, as they were pressed.
func (c *console) clear() {
	c.mu.Lock()
	lost := c.before != nil
	c.mu.Unlock()
	if lost && c.out != nil {
		_, _ = io.WriteString(c.out, leave)
	}
}

// size returns the size of the terminal; zero if there is none.
func (c *console) size() size {
	if c.out == nil {
		return size{}
	}
	w, h, err := xterm.GetSize(int(c.out.Fd())) //nolint:gosec // a descriptor
	if err != nil {
		return size{}
	}
	return size{w, h}
}

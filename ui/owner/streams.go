package owner

import (
	"bytes"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
)

// link is a connection on which several goroutines send.
type link struct {
	net.Conn
	mu sync.Mutex
}

// send writes one frame.
func (l *link) send(k kind, payload []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return writeFrame(l.Conn, k, payload)
}

// sendJSON writes a frame whose payload is a JSON value.
func (l *link) sendJSON(k kind, v any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return writeJSON(l.Conn, k, v)
}

// Input is the standard input of a caller. It asks the caller for bytes when it is read.
type Input struct {
	link     *link
	terminal bool
	ended    <-chan struct{} // with the command

	mu      sync.Mutex
	buf     []byte
	err     error // after buf
	wanted  bool
	stopped bool  // nothing is taken any more
	got     int64 // all that arrived, in bytes
	arrived chan struct{}
}

// IsTerminal reports whether the caller's standard input is a terminal.
func (in *Input) IsTerminal() bool { return in.terminal }

// Read waits for bytes of the caller, and fails when the command has ended.
func (in *Input) Read(p []byte) (int, error) {
	for {
		n, err := in.take(p)
		if n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
		select {
		case <-in.arrived:
		case <-in.ended:
			return 0, io.ErrClosedPipe
		}
	}
}

// take returns bytes that have arrived, or asks for some.
func (in *Input) take(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.stopped {
		return 0, nil
	}
	if len(in.buf) > 0 {
		n := copy(p, in.buf)
		in.buf = in.buf[n:]
		return n, nil
	}
	if in.err != nil || in.wanted {
		return 0, in.err
	}
	in.wanted = true
	return 0, in.link.send(kindWant, nil)
}

// put adds what has arrived.
func (in *Input) put(b []byte, err error) {
	in.mu.Lock()
	if in.wanted || err != nil { // else nobody asked
		in.buf, in.err, in.wanted = append(in.buf, b...), err, false
		in.got += int64(len(b))
	}
	in.mu.Unlock()
	select {
	case in.arrived <- struct{}{}:
	default:
	}
}

// stop leaves what the command has not taken for the next one.
func (in *Input) stop() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.stopped = true
}

// rest returns what the command has not taken.
func (in *Input) rest() rest {
	in.mu.Lock()
	defer in.mu.Unlock()
	return rest{Got: in.got, Left: in.buf}
}

// Output is standard output or standard error of a caller.
type Output struct {
	link     *link
	kind     kind
	terminal bool
	raw      *atomic.Bool // the terminal does not return to the first column by itself
	broken   atomic.Bool
}

// IsTerminal reports whether the stream is a terminal of the caller.
func (out *Output) IsTerminal() bool { return out.terminal }

// Write fails with syscall.EPIPE when the caller cannot write or is gone.
func (out *Output) Write(p []byte) (int, error) {
	for done := 0; done < len(p); {
		chunk := p[done:min(len(p), done+maxFrame/2)]
		sent := chunk
		if out.raw.Load() {
			sent = bytes.ReplaceAll(chunk, []byte("\n"), []byte("\r\n"))
		}
		if out.broken.Load() || out.link.send(out.kind, sent) != nil {
			return done, &os.PathError{Op: "write", Path: "standard output", Err: syscall.EPIPE}
		}
		done += len(chunk)
	}
	return len(p), nil
}

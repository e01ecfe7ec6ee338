package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// MaxLine is the maximum length of a message, in bytes.
const MaxLine = 1 << 20

// maxPending is how many calls of a client are answered at once. More are not read yet.
const maxPending = 16

const (
	lastAnswers = 20 * time.Second // bounds the wait for answers after the end of the input
	lastWrite   = time.Second      // bounds the wait for a write when the session ends
)

// ErrTooLong reports a message that is longer than [MaxLine].
var ErrTooLong = fmt.Errorf("a message is longer than %d bytes", MaxLine)

// transport connects the server to a connection that exists.
type transport struct{ c *connection }

func (t transport) Connect(context.Context) (sdk.Connection, error) { return t.c, nil }

// connection carries one JSON-RPC message a line. It implements [sdk.Connection].
type connection struct {
	life    context.Context // nothing is written after its end
	keep    func(string)    // takes the state of the session; may be nil
	keeping sync.Mutex      // states are kept in their order

	arrived chan struct{} // more of the input, or its end
	room    chan struct{} // the input may be read on
	pending chan struct{} // a value for each unanswered call
	closed  chan struct{}
	close   sync.Once

	sending chan struct{} // has a value while a message is written
	out     io.Writer

	mu     sync.Mutex
	in     lineBuffer
	again  [][]byte // lines to read before those of in; they are in open
	begun  []byte   // the client's first call, which begins the session
	silent jsonrpc.ID
	open   []unanswered
	end    error // why the connection failed
}

// unanswered is a call that waits for its answer.
type unanswered struct {
	id   jsonrpc.ID
	line []byte
}

// newConnection returns a connection of a session that begins, or goes on from a state.
func newConnection(life context.Context, in io.Reader, out io.Writer, keep func(string), resume string) *connection {
	c := &connection{
		life: life, keep: keep, out: out, arrived: make(chan struct{}, 1), room: make(chan struct{}, 1),
		pending: make(chan struct{}, maxPending), closed: make(chan struct{}), sending: make(chan struct{}, 1),
	}
	c.resume(resume)
	go c.receive(in)
	return c
}

// receive takes over what is read until in fails or the connection is closed.
func (c *connection) receive(in io.Reader) {
	chunk := make([]byte, 32<<10)
	for {
		n, err := in.Read(chunk)
		c.mu.Lock()
		c.in.add(chunk[:n], err)
		full := c.in.full()
		c.mu.Unlock()
		c.keepState()
		signal(c.arrived)
		if err != nil {
			return
		}
		for full {
			select {
			case <-c.room:
			case <-c.closed:
				return
			}
			c.mu.Lock()
			full = c.in.full()
			c.mu.Unlock()
		}
	}
}

func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// Read returns the next message. A line that is none is answered with an error. It waits
// while too many calls are unanswered.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, bad, err := c.next()
		switch {
		case errors.Is(err, errWait):
			if err := c.wait(ctx, c.arrived); err != nil {
				return nil, err
			}
			continue
		case err != nil:
			c.fail(err)
			if errors.Is(err, ErrTooLong) {
				_ = c.put(refusal(jsonrpc.CodeInvalidRequest, ErrTooLong.Error()))
			}
			c.settle(ctx)
			return nil, err
		case bad != nil:
			if err := c.put(bad); err != nil {
				return nil, err
			}
			continue
		}
		if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
			select {
			case c.pending <- struct{}{}:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			case <-c.closed:
				return nil, io.EOF
			}
		}
		return m, nil
	}
}

// wait waits for a signal.
func (c *connection) wait(ctx context.Context, what <-chan struct{}) error {
	select {
	case <-what:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-c.closed:
		return io.EOF
	}
}

// next takes the next message, without waiting. bad is the answer to a line that is none.
func (c *connection) next() (m jsonrpc.Message, bad *jsonrpc.Response, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.again) > 0 {
		m, bad = parse(c.again[0])
		c.again = c.again[1:]
		return m, bad, nil
	}
	line, err := c.in.next()
	if err != nil {
		return nil, nil, err
	}
	signal(c.room)
	m, bad = parse(line)
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && c.keep != nil {
		if r.Method == "initialize" && c.begun == nil {
			c.begun = line
		}
		c.open = append(c.open, unanswered{r.ID, line})
	}
	return m, bad, nil
}

// parse reads a message. bad is the answer to a line that is none.
func parse(line []byte) (m jsonrpc.Message, bad *jsonrpc.Response) {
	if !json.Valid(line) {
		return nil, refusal(jsonrpc.CodeParseError, "the line is not JSON")
	}
	m, err := jsonrpc.DecodeMessage(line)
	if err == nil {
		return m, nil
	}
	bad = refusal(jsonrpc.CodeInvalidRequest, "the line is not a JSON-RPC message")
	var call struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(line, &call) == nil {
		bad.ID, _ = jsonrpc.MakeID(call.ID) // a client waits for it
	}
	return nil, bad
}

func refusal(code int64, why string) *jsonrpc.Response {
	return &jsonrpc.Response{Error: &jsonrpc.Error{Code: code, Message: why}}
}

// Write writes a message. After the end of life it writes nothing: an unanswered call may
// be answered by another process.
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	c.sending <- struct{}{}
	defer func() { <-c.sending }()
	if err := cmp.Or(context.Cause(ctx), context.Cause(c.life)); err != nil {
		return err
	}
	r, ok := m.(*jsonrpc.Response)
	if !ok || !r.ID.IsValid() {
		return c.writeLine(m)
	}
	var err error
	if !c.isSilent(r.ID) {
		err = c.writeLine(m)
	}
	c.answered(r.ID)
	return err
}

// put writes an answer to what is no call.
func (c *connection) put(m jsonrpc.Message) error {
	c.sending <- struct{}{}
	defer func() { <-c.sending }()
	return c.writeLine(m)
}

// writeLine writes a message on one line, without control characters.
func (c *connection) writeLine(m jsonrpc.Message) error {
	b, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	if r, ok := m.(*jsonrpc.Response); ok && !r.ID.IsValid() {
		b = append([]byte(`{"id":null,`), b[1:]...) // JSON-RPC requires the field
	}
	if _, err := c.out.Write(append(escaped(b), '\n')); err != nil {
		c.fail(err)
		return fmt.Errorf("writing a message: %w", err)
	}
	return nil
}

// finish waits until the message that is being written is written and its state kept, but
// not for a client that takes nothing.
func (c *connection) finish() {
	select {
	case c.sending <- struct{}{}:
		<-c.sending
	case <-time.After(lastWrite):
	}
}

// answered notes that a call was answered.
func (c *connection) answered(id jsonrpc.ID) {
	c.mu.Lock()
	if i := slices.IndexFunc(c.open, func(u unanswered) bool { return u.id == id }); i >= 0 {
		c.open = slices.Delete(c.open, i, i+1)
	}
	c.mu.Unlock()
	c.keepState()
	select {
	case <-c.pending:
	default:
	}
}

// settle waits until all calls are answered, but not for those that never end.
func (c *connection) settle(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, lastAnswers)
	defer stop()
	for range maxPending {
		select {
		case c.pending <- struct{}{}:
		case <-ctx.Done():
			return
		case <-c.closed:
			return
		}
	}
}

// escaped escapes the characters of a JSON text that some clients take for the end of a
// line, and all other control characters. JSON has them only inside strings.
func escaped(b []byte) []byte {
	ends := func(r rune) bool { return r >= 0x7f && r <= 0x9f || r == '\u2028' || r == '\u2029' }
	if bytes.IndexFunc(b, ends) < 0 {
		return b
	}
	out := make([]byte, 0, len(b)+16)
	for _, r := range string(b) {
		if ends(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// Close ends reading. It closes no stream.
func (c *connection) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

// SessionID returns "": the streams carry one session.
func (c *connection) SessionID() string { return "" }

// fail records the first reason why the connection cannot be used any more.
func (c *connection) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end == nil {
		c.end = err
	}
}

func (c *connection) failed() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.end
}

// errWait says that the rest of a line has not come yet.
var errWait = errors.New("the line is not complete")

// lineBuffer cuts a stream into lines that are not empty, with bounded memory.
type lineBuffer struct {
	b    []byte
	from int   // of b; what is before it was returned
	seen int   // of b; there is no end of a line before it
	err  error // the end of the stream
}

// add adds what was read, and the end of the stream.
func (l *lineBuffer) add(b []byte, err error) {
	if l.from > len(l.b)/2 {
		l.b, l.seen, l.from = append(l.b[:0], l.b[l.from:]...), l.seen-l.from, 0
	}
	l.b, l.err = append(l.b, b...), err
}

// rest returns what was not returned yet.
func (l *lineBuffer) rest() []byte { return l.b[l.from:] }

// full reports whether the buffer has enough for a line of any allowed length.
func (l *lineBuffer) full() bool { return len(l.rest()) > MaxLine+len("\r\n") }

// next returns the next line without its end and surrounding blanks. The error is errWait,
// [ErrTooLong], or the end of the stream; a last line without an end is returned before it.
func (l *lineBuffer) next() ([]byte, error) {
	for {
		end := bytes.IndexByte(l.b[l.seen:], '\n')
		switch {
		case end >= 0:
			end += l.seen + 1
		case l.full():
			return nil, ErrTooLong
		case l.err == nil:
			l.seen = len(l.b)
			return nil, errWait
		case len(bytes.TrimSpace(l.rest())) == 0:
			return nil, l.err
		case !errors.Is(l.err, io.EOF):
			return nil, l.err // the line is cut
		default:
			end = len(l.b)
		}
		line := bytes.Clone(bytes.TrimSpace(l.b[l.from:end]))
		l.from, l.seen = end, end
		if len(line) > MaxLine {
			return nil, ErrTooLong
		}
		if len(line) > 0 {
			return line, nil
		}
	}
}

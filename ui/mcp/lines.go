package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// lastAnswers bounds the wait for answers after the end of the input.
const lastAnswers = 20 * time.Second

// ErrTooLong reports a message that is longer than [MaxLine].
var ErrTooLong = fmt.Errorf("a message is longer than %d bytes", MaxLine)

// transport connects the server to a connection that exists.
type transport struct{ c *connection }

func (t transport) Connect(context.Context) (sdk.Connection, error) { return t.c, nil }

// connection carries one JSON-RPC message a line. It implements [sdk.Connection].
type connection struct {
	incoming chan received
	closed   chan struct{}
	close    sync.Once
	pending  chan struct{} // a value for each unanswered call

	write sync.Mutex
	out   io.Writer

	mu  sync.Mutex
	end error // why the connection failed
}

type received struct {
	line []byte
	err  error
}

func newConnection(in io.Reader, out io.Writer) *connection {
	c := &connection{
		incoming: make(chan received), closed: make(chan struct{}), pending: make(chan struct{}, maxPending), out: out,
	}
	go c.receive(in)
	return c
}

// receive reads lines until in fails or the connection is closed.
func (c *connection) receive(in io.Reader) {
	r := newLineReader(in)
	for {
		line, err := r.next()
		select {
		case c.incoming <- received{line, err}:
		case <-c.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

// Read returns the next message. A line that is none is answered with an error. It waits
// while too many calls are unanswered.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		line, err := c.line(ctx)
		if err != nil {
			return nil, err
		}
		m, bad := parse(line)
		if bad != nil {
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

func (c *connection) line(ctx context.Context) ([]byte, error) {
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-c.closed:
		return nil, io.EOF
	case r := <-c.incoming:
		if r.err != nil {
			c.fail(r.err)
			c.settle(ctx)
		}
		if errors.Is(r.err, ErrTooLong) {
			_ = c.put(refusal(jsonrpc.CodeInvalidRequest, ErrTooLong.Error()))
		}
		return r.line, r.err
	}
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

// Write writes a message.
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Response); ok && r.ID.IsValid() {
		defer c.answered()
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return c.put(m)
}

// put writes a message on one line, without control characters.
func (c *connection) put(m jsonrpc.Message) error {
	b, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	if r, ok := m.(*jsonrpc.Response); ok && !r.ID.IsValid() {
		b = append([]byte(`{"id":null,`), b[1:]...) // JSON-RPC requires the field
	}
	b = append(escaped(b), '\n')
	c.write.Lock()
	defer c.write.Unlock()
	if _, err := c.out.Write(b); err != nil {
		c.fail(err)
		return fmt.Errorf("writing a message: %w", err)
	}
	return nil
}

// answered notes that a call was answered.
func (c *connection) answered() {
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

// lineReader reads lines that are not empty, with bounded memory.
type lineReader struct{ r *bufio.Reader }

func newLineReader(r io.Reader) *lineReader { return &lineReader{bufio.NewReader(r)} }

// next returns the next line without its end and surrounding blanks. The error is
// [ErrTooLong], or that of the reader; a last line without an end is returned before it.
func (l *lineReader) next() ([]byte, error) {
	for {
		var line []byte
		for {
			part, err := l.r.ReadSlice('\n')
			if len(line)+len(part) > MaxLine+len("\r\n") {
				return nil, ErrTooLong
			}
			line = append(line, part...)
			if err == nil {
				break
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if errors.Is(err, io.EOF) && len(bytes.TrimSpace(line)) > 0 {
				break // the next call returns it
			}
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) > MaxLine {
			return nil, ErrTooLong
		}
		if len(line) > 0 {
			return line, nil
		}
	}
}

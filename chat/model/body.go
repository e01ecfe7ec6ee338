package model

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
)

// maxErrorBody bounds how much is read of a page that is not an answer.
const maxErrorBody = 64 << 10

// body is the body of a 200 answer on its way to the event decoder. It refuses anything but an event stream,
// enforces the limits, tells the watchdog about silence, and closes as soon as the request's context ends.
type body struct {
	rc        io.ReadCloser
	watch     *watchdog
	notEvents func(page []byte) *Error // turns a page that is not a stream into an error

	ends                lineEnds
	maxEvent, maxAnswer int64
	event, answer       int64 // bytes so far
	line                int64 // bytes of the current line
	sniffed             bool
	err                 error

	closeOnce sync.Once
	closeErr  error
	unhook    func() bool
}

func newBody(ctx context.Context, rc io.ReadCloser, watch *watchdog, maxEvent, maxAnswer int64, notEvents func([]byte) *Error) *body {
	b := &body{rc: rc, watch: watch, maxEvent: maxEvent, maxAnswer: maxAnswer, notEvents: notEvents}
	b.unhook = context.AfterFunc(ctx, func() { _ = b.closeInner() })
	return b
}

// Read passes on what the server sent, up to the limits.
func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	b.watch.readBegins()
	n, err := b.rc.Read(p)
	b.watch.readEnds()
	n = b.ends.plain(p[:n])

	if !b.sniffed {
		if page, ok := b.sniff(p[:n]); !ok {
			b.err = b.notEvents(page)
			return 0, b.err
		}
	}
	b.count(p[:n])
	if b.err == nil {
		b.err = err
	}
	return n, b.err
}

// sniff looks at the first byte that is not white space. Events begin with a field name or a colon; JSON and
// HTML do not. For those it reads the rest of the page, up to maxErrorBody, and returns it.
func (b *body) sniff(p []byte) (page []byte, events bool) {
	head := bytes.TrimLeft(p, " \t\n")
	if len(head) == 0 {
		return nil, true
	}
	b.sniffed = true
	if !bytes.ContainsRune([]byte(`{[<"`), rune(head[0])) {
		return nil, true
	}
	page = bytes.Clone(head)
	b.watch.readBegins()
	rest, _ := io.ReadAll(io.LimitReader(b.rc, maxErrorBody-int64(min(len(page), maxErrorBody))))
	b.watch.readEnds()
	return append(page, rest...), false
}

// count adds p to the sizes and sets b.err when one exceeds its limit. An empty line ends an event.
func (b *body) count(p []byte) {
	b.answer += int64(len(p))
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		part := p
		if i >= 0 {
			part = p[:i]
		}
		b.event += int64(len(part)) + 1
		b.line += int64(len(part))
		if b.event > b.maxEvent {
			b.err = newError(KindTooLarge, fmt.Sprintf("one event of the answer is over %d bytes", b.maxEvent))
			return
		}
		if i < 0 {
			break
		}
		if b.line == 0 {
			b.event = 0
		}
		b.line = 0
		p = p[i+1:]
	}
	if b.answer > b.maxAnswer {
		b.err = newError(KindTooLarge, fmt.Sprintf("the answer is over %d bytes", b.maxAnswer))
	}
}

// Close closes the server's body once.
func (b *body) Close() error {
	b.unhook()
	return b.closeInner()
}

func (b *body) closeInner() error {
	b.closeOnce.Do(func() { b.closeErr = b.rc.Close() })
	return b.closeErr
}

// limitedBody is the body of an answer in one piece, read up to a limit.
type limitedBody struct {
	io.ReadCloser
	left int64
}

// Read passes on what the server sent, up to the limit.
func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, newError(KindTooLarge, "the answer is larger than what was asked for can be")
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// lineEnds turns every line end of an event stream into LF and removes a byte order mark. Streams may have
// both, and the decoder handles neither.
type lineEnds struct {
	begun int  // bytes of a byte order mark so far; past its length, there is none
	cr    bool // the last byte was a CR
}

// plain rewrites p in place and returns the number of bytes left.
func (l *lineEnds) plain(p []byte) int {
	const mark = "\xEF\xBB\xBF"
	n := 0
	for _, c := range p {
		if l.begun < len(mark) && c == mark[l.begun] {
			l.begun++
			continue
		}
		l.begun = len(mark)
		after := l.cr
		l.cr = c == '\r'
		switch {
		case c == '\r':
			c = '\n'
		case c == '\n' && after:
			continue
		}
		p[n] = c
		n++
	}
	return n
}

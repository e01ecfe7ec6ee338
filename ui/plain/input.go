package plain

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"time"
)

const (
	// maxEntry bounds one entry, in bytes; the conversation's own
	// limit, which has a message of its own, is lower.
	maxEntry = 8 << 20
	// together is the gap below which lines count as pasted. A person
	// who types fast, or whose keyboard repeats, needs longer.
	together = 25 * time.Millisecond
)

var errLong = errors.New("the input is too long")

// entry is what was entered: a line, or several that came together.
type entry struct {
	text   string // without the last line end
	pasted bool   // several lines
	more   bool   // the next line has arrived already
	err    error  // io.EOF at the end, errLong, or what broke the input
}

// listen reads entries until the input ends or ctx does. Lines less than gap
// apart are one entry; with no gap every line is one.
func listen(ctx context.Context, in io.Reader, gap time.Duration) <-chan entry {
	lines, entries := make(chan entry), make(chan entry)
	give := func(to chan<- entry, e entry) bool {
		select {
		case to <- e:
			return e.err == nil || errors.Is(e.err, errLong)
		case <-ctx.Done():
			return false
		}
	}
	go func() {
		r := bufio.NewReader(in)
		for give(lines, readLine(r)) {
		}
	}()
	go func() {
		for {
			for _, e := range gather(ctx, lines, gap) {
				if !give(entries, e) {
					return
				}
			}
		}
	}()
	return entries
}

// gather reads a line and the lines that follow it at once as one entry, and the end of
// the input if it follows.
func gather(ctx context.Context, lines <-chan entry, gap time.Duration) []entry {
	var first entry
	select {
	case first = <-lines:
	case <-ctx.Done():
		return []entry{{err: context.Cause(ctx)}}
	}
	if gap == 0 || first.err != nil {
		return []entry{first}
	}
	pasted, size, more := []string{first.text}, len(first.text), first.more
	for {
		late := time.After(gap)
		if more { // however long this program takes to get to it
			late = nil
		}
		select {
		case l := <-lines:
			if l.err != nil {
				return []entry{join(pasted, size), l}
			}
			if size += len(l.text) + 1; size <= maxEntry {
				pasted = append(pasted, l.text)
			}
			more = l.more
		case <-late:
			return []entry{join(pasted, size)}
		case <-ctx.Done():
			return []entry{{err: context.Cause(ctx)}}
		}
	}
}

func join(lines []string, size int) entry {
	if size > maxEntry {
		return entry{err: errLong}
	}
	return entry{text: strings.Join(lines, "\n"), pasted: len(lines) > 1}
}

// readLine reads a line, or the last one, which may have no end.
func readLine(r *bufio.Reader) entry {
	var b []byte
	for long := false; ; {
		piece, err := r.ReadSlice('\n')
		if len(b)+len(piece) > maxEntry {
			long, b = true, nil
		}
		if !long {
			b = append(b, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(b) == 0 && !long:
			return entry{err: err}
		case long:
			return entry{err: errLong}
		}
		line := strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
		return entry{text: strings.ToValidUTF8(line, "\uFFFD"), more: hasLine(r)}
	}
}

// hasLine reports whether a whole line can be read without waiting.
func hasLine(r *bufio.Reader) bool {
	held, err := r.Peek(r.Buffered())
	return err == nil && bytes.IndexByte(held, '\n') >= 0
}

// continues reports whether a typed line goes on in the next one: its last
// character is a backslash that no other one takes away.
func continues(line string) bool {
	n := len(line) - len(strings.TrimRight(line, `\`))
	return n%2 == 1
}

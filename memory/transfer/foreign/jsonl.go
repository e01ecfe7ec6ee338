package foreign

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"strings"

	"memoria/memory"
)

// line is a message as a line of JSON.
type line struct {
	Session string `json:"session"`
	Title   string `json:"title"`
	Time    moment `json:"time"`
	Role    string `json:"role"`
	Speaker string `json:"speaker"`
	Model   string `json:"model"`
	Text    string `json:"text"`
}

// session collects where the lines of a session are: reading a file twice needs less
// memory than all of its words, and the lines of sessions may alternate.
type session struct {
	id    string
	lines []place
}

type place struct {
	offset int64
	length int
	number int // of the line, from 1
}

// lines returns the sessions in the order of their first lines. A line that is not JSON
// belongs to no session and is an error of its own.
func (e *Export) lines(ctx context.Context) iter.Seq2[Conversation, error] {
	return func(yield func(Conversation, error) bool) {
		number := 0
		skip := func(id string, err error) bool {
			number++
			return yield(Conversation{}, &ConversationError{Number: number, ID: id, Err: err})
		}
		sessions, loose, err := e.findLines(ctx)
		if err != nil {
			yield(Conversation{}, err)
			return
		}
		for _, err := range loose {
			if !skip("", err) {
				return
			}
		}
		for _, s := range sessions {
			c, err := e.session(ctx, s)
			switch {
			case ctx.Err() != nil:
				yield(Conversation{}, context.Cause(ctx))
				return
			case err != nil:
				if !skip(s.id, err) {
					return
				}
				continue
			}
			if number++; !yield(c, nil) {
				return
			}
		}
	}
}

var utf8Mark = []byte("\ufeff")

// findLines reads the file once, for the places of its lines.
func (e *Export) findLines(ctx context.Context) (sessions []*session, loose []error, err error) {
	var start int64
	mark := make([]byte, len(utf8Mark))
	switch n, _ := e.file.ReadAt(mark, 0); {
	case bytes.Equal(mark, utf8Mark):
		start = int64(n)
	case n > 1 && (mark[0] == 0xfe && mark[1] == 0xff || mark[0] == 0xff && mark[1] == 0xfe):
		return nil, nil, errors.New("the file is UTF-16: save it as UTF-8")
	}
	left := e.limits.Total
	in := bufio.NewReaderSize(&bounded{ctx: ctx, in: io.NewSectionReader(e.file, start, e.limits.Total+1), left: &left}, 1<<16)
	byID := map[string]*session{}
	at := start
	for number := 1; ; number++ {
		text, size, err := readLine(in, e.limits.Conversation)
		if err != nil && (err != io.EOF || size == 0) {
			if err == io.EOF {
				return sessions, loose, nil
			}
			return nil, nil, err
		}
		p := place{offset: at, length: len(text), number: number}
		at += size
		if len(bytes.TrimSpace(text)) == 0 && size <= e.limits.Conversation {
			continue
		}
		var l line
		if err := parse(text, size, e.limits.Conversation, &l); err != nil && l.Session == "" {
			loose = append(loose, fmt.Errorf("line %d: %w", number, err))
			continue
		}
		s := byID[l.Session]
		if s == nil {
			s = &session{id: l.Session}
			byID[l.Session] = s
			sessions = append(sessions, s)
		}
		s.lines = append(s.lines, p)
	}
}

// readLine returns the next line up to limit bytes, and its whole size.
func readLine(in *bufio.Reader, limit int64) (text []byte, size int64, err error) {
	for {
		part, err := in.ReadSlice('\n')
		size += int64(len(part))
		if size <= limit {
			text = append(text, part...)
		}
		if err != bufio.ErrBufferFull {
			return text, size, err
		}
	}
}

func parse(text []byte, size, limit int64, l *line) error {
	if size > limit {
		return fmt.Errorf("%w: more than %d MB", errTooLarge, limit>>20)
	}
	return json.Unmarshal(text, l)
}

// session reads the messages of a session again.
func (e *Export) session(ctx context.Context, s *session) (Conversation, error) {
	c := Conversation{ID: s.id}
	var nodes []*node
	before := ""
	var sum int64
	for i, p := range s.lines {
		if ctx.Err() != nil {
			return c, context.Cause(ctx)
		}
		if sum += int64(p.length); sum > e.limits.Conversation {
			return c, fmt.Errorf("%w: more than %d MB", errTooLarge, e.limits.Conversation>>20)
		}
		text := make([]byte, p.length)
		if _, err := e.file.ReadAt(text, p.offset); err != nil && err != io.EOF {
			return c, err
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return c, fmt.Errorf("line %d: %w", p.number, err)
		}
		role, err := roleOf(l.Role)
		if err != nil {
			return c, fmt.Errorf("line %d: %w", p.number, err)
		}
		c.Title = cmp.Or(c.Title, l.Title)
		c.Model = cmp.Or(c.Model, l.Model)
		if strings.TrimSpace(l.Text) == "" {
			continue
		}
		id := lineID(i, l)
		m := &Message{Role: role, Speaker: l.Speaker, Text: l.Text, Model: l.Model}
		n := &node{id: id, parent: before, message: m, at: l.Time.within(e.now)}
		if c.Created.IsZero() {
			c.Created = n.at
		}
		if n.at.After(c.Updated) {
			c.Updated = n.at
		}
		nodes = append(nodes, n)
		before = id
	}
	return c, c.plant(nodes, before, e.start(c))
}

func roleOf(role string) (memory.Role, error) {
	switch strings.ToLower(role) {
	case "user", "human":
		return memory.RoleUser, nil
	case "assistant", "ai", "model":
		return memory.RoleAssistant, nil
	case "system":
		return memory.RoleSystem, nil
	}
	return "", fmt.Errorf("the role is %q; allowed are user, assistant and system", role)
}

// lineID identifies a message by its place and its words, so that the same lines have the
// same ids in a longer file.
func lineID(at int, l line) string {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s\x00%s\x00%s", l.Role, l.Speaker, l.Text)
	return fmt.Sprintf("%d-%016x", at, h.Sum64())
}

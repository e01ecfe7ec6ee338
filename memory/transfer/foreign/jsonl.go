package foreign

import (
	"bufio"
	"bytes"
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
	Session string          `json:"session"`
	Time    moment          `json:"time"`
	Role    string          `json:"role"`
	Speaker loose           `json:"speaker"`
	RawText json.RawMessage `json:"text"`
}

// errNoObject says that a line belongs to no session.
var errNoObject = errors.New("each line is one object with a session")

// session collects where the lines of a session are: reading a file twice needs less
// memory than keeping all words, and the lines of sessions may alternate.
type session struct {
	id    string
	lines []place
}

type place struct {
	offset int64
	length int
	number int // of the line, from 1
}

// lines returns the sessions in the order of their first lines.
func (e *Export) lines(ctx context.Context) iter.Seq2[Conversation, error] {
	return func(yield func(Conversation, error) bool) {
		sessions, err := e.findLines(ctx)
		if err != nil {
			yield(Conversation{}, err)
			return
		}
		for i, s := range sessions {
			c, err := e.session(ctx, s)
			if ctx.Err() != nil {
				yield(Conversation{}, context.Cause(ctx))
				return
			}
			if err != nil {
				c, err = Conversation{}, &Failure{Number: i + 1, ID: s.id, Err: explained(err)}
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// findLines reads the file once, for the places of its lines. A line without a session
// could belong to any, so that none can be called whole: the file is refused.
func (e *Export) findLines(ctx context.Context) ([]*session, error) {
	left := e.limits.Total
	in := bufferWithoutMark(&bounded{ctx: ctx, in: io.NewSectionReader(e.file, 0, e.limits.Total+1), left: &left})
	var at int64
	if start := make([]byte, 3); true {
		if _, err := e.file.ReadAt(start, 0); err == nil && string(start) == "\ufeff" {
			at = 3
		}
	}
	var sessions []*session
	byID := map[string]*session{}
	for number := 1; ; number++ {
		text, size, err := readLine(in, e.limits.Conversation)
		switch {
		case errors.Is(err, io.EOF) && size == 0 && len(sessions) == 0:
			return nil, errors.New("the file has no messages")
		case errors.Is(err, io.EOF) && size == 0:
			return sessions, nil
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case size > e.limits.Conversation:
			return nil, fmt.Errorf("line %d: %w: more than %d MB", number, errTooLarge, e.limits.Conversation>>20)
		}
		p := place{offset: at, length: len(text), number: number}
		at += size
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		var of struct {
			Session *string `json:"session"`
		}
		if err := json.Unmarshal(text, &of); err != nil || of.Session == nil || *of.Session == "" {
			return nil, fmt.Errorf("line %d: %w", number, errNoObject)
		}
		s := byID[*of.Session]
		if s == nil {
			s = &session{id: *of.Session}
			byID[s.id] = s
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
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, size, err
		}
	}
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
		if _, err := e.file.ReadAt(text, p.offset); err != nil && !errors.Is(err, io.EOF) {
			return c, err
		}
		m, at, err := readMessage(text)
		if err != nil {
			return c, fmt.Errorf("line %d: %w", p.number, err)
		}
		if blank(m.Text) {
			continue
		}
		n := &node{id: lineID(i, m), parent: before, message: m, at: at.within(e.now)}
		nodes = append(nodes, n)
		before = n.id
	}
	return c, c.plant(nodes, before, e.start(c, nodes))
}

func readMessage(text []byte) (*Message, moment, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, moment{}, err
	}
	m := &Message{Speaker: string(l.Speaker)}
	if err := json.Unmarshal(l.RawText, &m.Text); err != nil || string(l.RawText) == "null" {
		return nil, moment{}, errors.New("the text is missing, or is no text")
	}
	if l.Time.wrong {
		return nil, moment{}, errors.New("the time is not in the form of RFC 3339, like 2026-11-25T10:00:00Z")
	}
	var err error
	m.Role, err = roleOf(l.Role)
	return m, l.Time, err
}

func roleOf(role string) (memory.Role, error) {
	switch r := memory.Role(strings.ToLower(role)); r {
	case memory.RoleUser, memory.RoleAssistant, memory.RoleSystem, memory.RoleTool:
		return r, nil
	case "human":
		return memory.RoleUser, nil
	}
	return "", fmt.Errorf("the role is %q; allowed are user, assistant, tool and system", role)
}

// lineID identifies a message by its place and its words, so that the same lines have the
// same ids in a longer file.
func lineID(at int, m *Message) string {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s\x00%s\x00%s", m.Role, m.Speaker, m.Text)
	return fmt.Sprintf("%d-%016x", at, h.Sum64())
}

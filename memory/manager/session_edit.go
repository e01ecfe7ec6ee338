package manager

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

// Limits of session fields that the user edits, in characters.
const (
	maxGivenTitle = 120
	maxTopic      = 200
	maxEmotion    = 60
	maxVariables  = 50 // number of variables
	maxName       = 60 // of a variable
	maxVariable   = 500
)

// RenameSession sets a title by the user, which no process changes later. The title
// becomes one line of at most 120 characters. id may be partial, as for
// [lookup.Reader.Session].
func (m *Manager) RenameSession(ctx context.Context, agentID, id, title string) (memory.Session, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return memory.Session{}, err
	}
	if title, err = oneLine("a title", title); err != nil {
		return memory.Session{}, fmt.Errorf("renaming a session: %w", err)
	}
	if title == "" {
		return memory.Session{}, fmt.Errorf("renaming a session: %w: a title needs words", memory.ErrInvalid)
	}
	if err := write.WithoutSecrets("the title", "", title); err != nil {
		return memory.Session{}, fmt.Errorf("renaming a session: %w", err)
	}
	var out memory.Session
	err = m.Update(ctx, a, func(t *write.Tx) error {
		s, err := lookup.FindSession(t.Tx, a.ID, id)
		if err != nil {
			return err
		}
		s.Title, s.Named = cutTo(title, maxGivenTitle), true
		out = s
		return t.PutSession(s)
	})
	if err != nil {
		return memory.Session{}, fmt.Errorf("renaming session %s: %w", id, err)
	}
	return out, nil
}

// short is oneLine with a limit of n characters.
func short(what, s string, n int) (string, error) {
	s, err := oneLine(what, s)
	if err == nil && utf8.RuneCountInString(s) > n {
		err = fmt.Errorf("%w: %s has at most %d characters", memory.ErrInvalid, what, n)
	}
	return s, err
}

// oneLine returns the user's text as one line.
func oneLine(what, s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", fmt.Errorf("%w: %s is not UTF-8", memory.ErrInvalid, what)
	}
	spaced := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(spaced), " "), nil
}

// cutTo truncates a line to n characters.
func cutTo(line string, n int) string {
	if r := []rune(line); len(r) > n {
		return strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return line
}

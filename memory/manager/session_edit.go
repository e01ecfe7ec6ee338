package manager

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/memory"
)

// Bounds of what the user writes about a session, in characters.
const (
	maxGivenTitle = 120
	maxTopic      = 200
	maxEmotion    = 60
	maxVariables  = 50 // how many
	maxName       = 60 // of a variable
	maxVariable   = 500
)

// RenameSession gives a session a title of the user's, which no process changes
// any more. The title is made one line and cut to 120 characters. id may be the
// beginning or end of an id, as for [Manager.Session].
func (m *Manager) RenameSession(_ context.Context, agentID, id, title string) (memory.Session, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Session{}, err
	}
	if title, err = oneLine("a title", title); err != nil {
		return memory.Session{}, fmt.Errorf("renaming a session: %w", err)
	}
	if title == "" {
		return memory.Session{}, fmt.Errorf("renaming a session: %w: a title needs words", ErrInvalid)
	}
	var out memory.Session
	err = m.update(a, func(t *tx) error {
		s, err := findSession(t.Tx, a.id, id)
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

// EditWorking lets edit correct what a running session is about: its topic, its
// variables and the emotion; count and beginning stay. The next turn sees it, and
// its analysis may find another topic (W3); that of a turn before does not. The
// error is ErrNotFound when the
// session has no working memory.
func (m *Manager) EditWorking(_ context.Context, agentID, sessionID string, edit func(*memory.Working)) (memory.Working, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Working{}, err
	}
	var out memory.Working
	err = m.update(a, func(t *tx) error {
		if out, err = t.Working(a.id, sessionID); err != nil {
			return err
		}
		was, w := out, out
		w.ContextVariables = maps.Clone(out.ContextVariables)
		edit(&w)
		out.CurrentTopic, out.LastEmotion, out.ContextVariables = w.CurrentTopic, w.LastEmotion, w.ContextVariables
		out.UpdatedAt = t.Now()
		if err := checkWorking(&out); err != nil {
			return err
		}
		out.EditedAt = t.Now()
		out.From = fromBefore(was, out)
		return t.SetWorking(a.id, out)
	})
	if err != nil {
		return memory.Working{}, fmt.Errorf("editing working memory: %w", err)
	}
	return out, nil
}

// fromBefore keeps of what analyses wrote where it came from, unless the user
// has changed it.
func fromBefore(was, now memory.Working) map[string]string {
	from := maps.Clone(was.From)
	maps.DeleteFunc(from, func(name, _ string) bool {
		if name == memory.FieldTopic {
			return now.CurrentTopic != was.CurrentTopic
		}
		return now.ContextVariables[name] != was.ContextVariables[name]
	})
	return from
}

// checkWorking tidies what the user wrote, or says what is wrong with it.
func checkWorking(w *memory.Working) (err error) {
	if w.CurrentTopic, err = short("a topic", w.CurrentTopic, maxTopic); err != nil {
		return err
	}
	if w.LastEmotion, err = short("an emotion", w.LastEmotion, maxEmotion); err != nil {
		return err
	}
	if n := len(w.ContextVariables); n > maxVariables {
		return fmt.Errorf("%w: %d variables; at most %d", ErrInvalid, n, maxVariables)
	}
	tidy := make(map[string]string, len(w.ContextVariables))
	for name, value := range w.ContextVariables {
		if name, err = short("a variable's name", name, maxName); err != nil {
			return err
		}
		if value, err = short("the value of "+name, value, maxVariable); err != nil {
			return err
		}
		switch _, twice := tidy[name]; {
		case name == "":
			return fmt.Errorf("%w: a variable needs a name", ErrInvalid)
		case twice:
			return fmt.Errorf("%w: there are two variables %s", ErrInvalid, name)
		case name == memory.FieldTopic:
			return fmt.Errorf("%w: %s is not a variable but the topic", ErrInvalid, name)
		}
		tidy[name] = value
	}
	w.ContextVariables = tidy
	return nil
}

// short is oneLine for something of at most n characters.
func short(what, s string, n int) (string, error) {
	s, err := oneLine(what, s)
	if err == nil && utf8.RuneCountInString(s) > n {
		err = fmt.Errorf("%w: %s has at most %d characters", ErrInvalid, what, n)
	}
	return s, err
}

// oneLine makes one line of what the user wrote.
func oneLine(what, s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", fmt.Errorf("%w: %s is not UTF-8", ErrInvalid, what)
	}
	spaced := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(spaced), " "), nil
}

// cutTo shortens a line to n characters.
func cutTo(line string, n int) string {
	if r := []rune(line); len(r) > n {
		return strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return line
}

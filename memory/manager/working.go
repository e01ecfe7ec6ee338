package manager

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// countTurn creates a session's working memory or increments its count (W2, W3). The one
// kept from an earlier time is restored with its count (W4).
func countTurn(t *write.Tx, s memory.Session) (memory.Working, error) {
	w, err := t.Working(t.Owner.ID, s.ID)
	missing := errors.Is(err, lookup.ErrNotFound) || store.Unreadable(err)
	switch {
	case missing && s.Kept != nil:
		w = *s.Kept
	case missing:
		w = memory.Working{SessionID: s.ID, ContextVariables: map[string]string{}, TurnCount: s.Turns - 1, CreatedAt: t.Now()}
	case err != nil:
		return w, err
	}
	w.ContextVariables = maps.Clone(w.ContextVariables)
	w.TurnCount++
	w.UpdatedAt = t.Now()
	return w, t.PutWorking(t.Owner.ID, w)
}

// endWorking ends the working memory of a session and keeps it in the session's record
// (W4). The caller writes the session.
func endWorking(t *write.Tx, s *memory.Session) error {
	w, err := t.Working(t.Owner.ID, s.ID)
	switch {
	case errors.Is(err, lookup.ErrNotFound):
		return nil
	case err == nil:
		s.Kept = &w
	case !store.Unreadable(err):
		return err
	}
	return t.DeleteWorking(t.Owner.ID, s.ID)
}

// bringBack restores the working memory that a session kept when it ended (W4).
func bringBack(t *write.Tx, s *memory.Session) error {
	if s.Kept == nil {
		return nil
	}
	kept := *s.Kept
	s.Kept = nil
	return t.SetWorking(t.Owner.ID, kept)
}

// workingAt returns the working memory that a turn saw; empty if it is not kept.
func workingAt(t *write.Tx, session, turn string) memory.Working {
	p, err := t.Package(t.Owner.ID, turn)
	if err != nil {
		return memory.Working{}
	}
	w, err := t.WorkingVersion(t.Owner.ID, session, p.Turn)
	if err != nil {
		return memory.Working{}
	}
	return w
}

// rewindWorking restores topic, variables and emotion from before a turn. If the user edited
// them since, only what the turns' analyses wrote is removed. The count is not reset,
// because packages refer to versions by it. It returns the previous working memory, or
// nil if there was none.
func rewindWorking(t *write.Tx, s *memory.Session, turn string, turns []string) (*memory.Working, error) {
	w, err := t.Working(t.Owner.ID, s.ID)
	kept := lookup.Lacking(err) && s.Kept != nil
	switch {
	case kept:
		w = *s.Kept
	case lookup.Lacking(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	before := workingAt(t, s.ID, turn)
	next := w
	if w.EditedAt.IsZero() || w.EditedAt.Before(before.UpdatedAt) {
		next.CurrentTopic, next.LastEmotion, next.From = before.CurrentTopic, before.LastEmotion, before.From
		next.ContextVariables = maps.Clone(before.ContextVariables)
	} else {
		next.From, next.ContextVariables = maps.Clone(w.From), maps.Clone(w.ContextVariables)
		for name, by := range w.From {
			was, had := before.ContextVariables[name]
			switch {
			case !slices.Contains(turns, by):
				continue
			case name == memory.FieldTopic:
				next.CurrentTopic = before.CurrentTopic
			case had:
				next.ContextVariables[name] = was
			default:
				delete(next.ContextVariables, name)
			}
			delete(next.From, name)
		}
	}
	if next.ContextVariables == nil {
		next.ContextVariables = map[string]string{}
	}
	next.UpdatedAt = t.Now()
	if kept {
		s.Kept = &next
		return &w, nil
	}
	return &w, t.SetWorking(t.Owner.ID, next)
}

// EditWorking lets edit change the topic, variables and emotion of a running session;
// count and start time stay. The next turn sees the edit, and its analysis may find
// another topic (W3). The analysis of an earlier turn may not. The error is ErrNotFound
// if the session has no working memory.
func (m *Manager) EditWorking(ctx context.Context, agentID, sessionID string, edit func(*memory.Working)) (memory.Working, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return memory.Working{}, err
	}
	var out memory.Working
	err = m.Update(ctx, a, func(t *write.Tx) error {
		if out, err = t.Working(a.ID, sessionID); err != nil {
			return err
		}
		was, w := out, out
		w.ContextVariables = maps.Clone(out.ContextVariables)
		edit(&w)
		out.CurrentTopic, out.LastEmotion, out.ContextVariables = w.CurrentTopic, w.LastEmotion, w.ContextVariables
		out.UpdatedAt = t.Now()
		if err := errors.Join(checkWorking(&out), write.WithoutSecrets("working memory", workingText(was), workingText(out))); err != nil {
			return err
		}
		out.EditedAt = t.Now()
		out.From = fromBefore(was, out)
		return t.SetWorking(a.ID, out)
	})
	if err != nil {
		return memory.Working{}, fmt.Errorf("editing working memory: %w", err)
	}
	return out, nil
}

// workingText returns the contents of working memory, line by line.
func workingText(w memory.Working) string {
	lines := []string{w.CurrentTopic, w.LastEmotion}
	for _, name := range slices.Sorted(maps.Keys(w.ContextVariables)) {
		lines = append(lines, name+": "+w.ContextVariables[name])
	}
	return strings.Join(lines, "\n")
}

// fromBefore returns the sources of the values that the user has not changed.
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

// checkWorking validates and normalises the user's edit.
func checkWorking(w *memory.Working) (err error) {
	if w.CurrentTopic, err = short("a topic", w.CurrentTopic, maxTopic); err != nil {
		return err
	}
	if w.LastEmotion, err = short("an emotion", w.LastEmotion, maxEmotion); err != nil {
		return err
	}
	if n := len(w.ContextVariables); n > maxVariables {
		return fmt.Errorf("%w: %d variables; at most %d", memory.ErrInvalid, n, maxVariables)
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
			return fmt.Errorf("%w: a variable needs a name", memory.ErrInvalid)
		case twice:
			return fmt.Errorf("%w: there are two variables %s", memory.ErrInvalid, name)
		case name == memory.FieldTopic:
			return fmt.Errorf("%w: %s is not a variable but the topic", memory.ErrInvalid, name)
		}
		tidy[name] = value
	}
	w.ContextVariables = tidy
	return nil
}

package store

import (
	"errors"
	"maps"
	"time"

	"memoria/memory"
)

// loss is what working memory loses with single messages: results of their turns'
// analyses, and content with their words.
type loss struct {
	// At is the last update of that working memory. Nothing lost before a later turn is
	// restored.
	At        time.Time         `json:"at"`
	Topic     string            `json:"topic,omitempty"`
	Variables map[string]string `json:"variables,omitempty"`
	From      map[string]string `json:"from,omitempty"`
}

// without returns working memory without content derived from the messages; lost is nil
// if there is none.
func (l *Left) without(w memory.Working) (rest memory.Working, lost *loss) {
	gone := loss{At: w.UpdatedAt, Variables: map[string]string{}, From: map[string]string{}}
	made := func(name, said string) bool { return l.of[w.From[name]] || l.about(said) }
	rest = w
	rest.ContextVariables, rest.From = maps.Clone(w.ContextVariables), maps.Clone(w.From)
	if w.CurrentTopic != "" && made(memory.FieldTopic, w.CurrentTopic) {
		gone.Topic, rest.CurrentTopic = w.CurrentTopic, ""
	}
	for name, value := range w.ContextVariables {
		if made(name, name+" "+value) {
			gone.Variables[name] = value
			delete(rest.ContextVariables, name)
		}
	}
	if gone.Topic == "" && len(gone.Variables) == 0 {
		return w, nil
	}
	for name, turn := range w.From {
		if _, variable := gone.Variables[name]; variable || name == memory.FieldTopic && gone.Topic != "" {
			gone.From[name] = turn
			delete(rest.From, name)
		}
	}
	return rest, &gone
}

// regain restores what a session's working memory lost, where no turn has written it
// since.
func (tx *Tx) regain(s *memory.Session, lost *loss) error {
	if lost == nil {
		return nil
	}
	w, err := tx.Working(s.AgentID, s.ID)
	switch {
	case err == nil && w.UpdatedAt.Equal(lost.At):
		return tx.SetWorking(s.AgentID, lost.in(w))
	case err != nil && !errors.Is(err, ErrNotFound) && !Unreadable(err):
		return err
	case s.Kept != nil && s.Kept.UpdatedAt.Equal(lost.At):
		kept := lost.in(*s.Kept)
		s.Kept = &kept
	}
	return nil
}

// in returns working memory with the lost content.
func (l *loss) in(w memory.Working) memory.Working {
	if w.CurrentTopic == "" && l.Topic != "" {
		w.CurrentTopic = l.Topic
	} else {
		delete(l.From, memory.FieldTopic)
	}
	vars, from := maps.Clone(l.Variables), maps.Clone(l.From)
	if vars == nil {
		vars = map[string]string{}
	}
	maps.Copy(vars, w.ContextVariables)
	if len(from) > 0 || w.From != nil {
		if from == nil {
			from = map[string]string{}
		}
		maps.Copy(from, w.From)
		w.From = from
	}
	w.ContextVariables = vars
	return w
}

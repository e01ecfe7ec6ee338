package manager

import (
	"errors"
	"slices"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/store"
)

// Records that are not for memory (U2): the user had the program forget what they say.
// They stay in the history; [memory.Record.Withheld] keeps them from everything else.

// withholdAll marks messages as not for memory, and takes a title that was made of one
// from its session.
func (t *tx) withholdAll(ids ...string) error {
	for _, id := range ids {
		session, err := t.SessionOf(t.a.id, id)
		if lacking(err) {
			continue
		}
		if err == nil {
			_, err = t.SetNotForMemory(t.a.id, id, true)
		}
		if err == nil {
			err = t.retitleWithheld(session)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// withholdSources marks the messages that items rest on, and the answers in their
// sessions that say the same. It returns the records that were not marked before, and
// the sessions.
func (t *tx) withholdSources(items []memory.Item) (marked, sessions []string, err error) {
	mark := func(id string) error {
		changed, err := t.SetNotForMemory(t.a.id, id, true)
		if changed {
			marked = append(marked, id)
		}
		if lacking(err) {
			return nil
		}
		return err
	}
	for _, it := range items {
		for _, ev := range it.Evidence {
			if err := mark(ev.RecordID); err != nil {
				return nil, nil, err
			}
			if ev.SessionID != "" && !slices.Contains(sessions, ev.SessionID) {
				sessions = append(sessions, ev.SessionID)
			}
		}
	}
	for _, id := range sessions {
		answers, err := t.answersSaying(id, items)
		for _, r := range answers {
			err = errors.Join(err, mark(r))
		}
		if err != nil {
			return nil, nil, err
		}
	}
	for _, id := range sessions {
		if err := t.retitleWithheld(id); err != nil {
			return nil, nil, err
		}
	}
	return marked, sessions, nil
}

// answersSaying are the answers in a session that say what items say.
func (t *tx) answersSaying(session string, items []memory.Item) (ids []string, err error) {
	s, err := t.Session(t.a.id, session)
	if lacking(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	records, err := branch(t.Tx, s, mostRecords, true)
	for _, r := range records {
		if r.Role != memory.RoleAssistant && r.Role != memory.RoleTool || r.Withheld() {
			continue
		}
		said := t.m.recall.Fetch(r).Content
		if slices.ContainsFunc(items, func(it memory.Item) bool { return instruct.Mentions(said, it) }) {
			ids = append(ids, r.ID)
		}
	}
	return ids, err
}

// retitleWithheld gives a session whose title was made of a message that is not for
// memory that of its first other message; empty when there is none.
func (t *tx) retitleWithheld(session string) error {
	s, err := t.Session(t.a.id, session)
	if lacking(err) || err == nil && (s.Named || s.Title == "" || s.Summary != nil) {
		return nil // a summary gets a new title with its next version
	}
	if err != nil {
		return err
	}
	records, err := branch(t.Tx, s, 0, true)
	if err != nil {
		return err
	}
	made := slices.ContainsFunc(records, func(r memory.Record) bool {
		return r.NotForMemory && r.Role == memory.RoleUser && t.m.titledBy(s, t.m.recall.Fetch(r))
	})
	if !made {
		return nil
	}
	if s.Title, err = t.firstTitle(s); err != nil {
		return err
	}
	return t.PutSession(s)
}

// unmention takes the words of items out of what sessions are about.
func (t *tx) unmention(sessions []string, items []memory.Item) error {
	for _, id := range sessions {
		w, put, err := t.working(id)
		if lacking(err) {
			continue
		}
		if err != nil {
			return err
		}
		if !dropMentions(&w, items) {
			continue
		}
		if err := put(w); err != nil {
			return err
		}
	}
	return nil
}

// dropMentions takes topic and variables out of working memory that have words of items.
func dropMentions(w *memory.Working, items []memory.Item) (changed bool) {
	words := map[string]bool{}
	for _, it := range items {
		for _, k := range text.Keywords(it.Content) {
			words[text.Fold(k)] = true
		}
	}
	has := func(s string) bool {
		return slices.ContainsFunc(text.Keywords(s), func(k string) bool { return words[text.Fold(k)] })
	}
	if has(w.CurrentTopic) {
		w.CurrentTopic, changed = "", true
	}
	kept := map[string]string{}
	for name, value := range w.ContextVariables {
		if has(value) {
			changed = true
			continue
		}
		kept[name] = value
	}
	w.ContextVariables = kept
	return changed
}

// unwithhold takes the marks back that a deletion made.
func (t *tx) unwithhold(d store.Deleted) error {
	for _, id := range d.Marked {
		if _, err := t.SetNotForMemory(t.a.id, id, false); err != nil && !lacking(err) {
			return err
		}
	}
	return nil
}

// nextQuestion is what a session asks when another message begins a turn in it: a
// question holds for one message.
func nextQuestion(q *memory.Question, message string) *memory.Question {
	if q == nil || q.AnsweredBy != "" {
		return nil
	}
	next := *q
	next.AnsweredBy = message
	return &next
}

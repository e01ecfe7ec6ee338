package manager

import (
	"errors"
	"slices"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// Records that are not for memory (U2): the user asked the program to forget what they
// say. They stay in the history. [memory.Record.Withheld] excludes them everywhere else.

// withhold marks messages as not for memory, and removes a session title that was made
// from one.
func withhold(t *write.Tx, ids ...string) error {
	for _, id := range ids {
		session, err := t.SessionOf(t.Owner.ID, id)
		if lookup.Lacking(err) {
			continue
		}
		if err == nil {
			_, err = t.SetNotForMemory(t.Owner.ID, id, true)
		}
		if err == nil {
			err = retitleWithheld(t, session)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// withholdSources marks the source messages of items, and the answers in their sessions
// that repeat the items. It returns the newly marked records, and the sessions.
func withholdSources(t *write.Tx, items []memory.Item) (marked, sessions []string, err error) {
	mark := func(id string) error {
		changed, err := t.SetNotForMemory(t.Owner.ID, id, true)
		if changed {
			marked = append(marked, id)
		}
		if lookup.Lacking(err) {
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
		answers, err := answersSaying(t, id, items)
		for _, r := range answers {
			err = errors.Join(err, mark(r))
		}
		if err != nil {
			return nil, nil, err
		}
	}
	for _, id := range sessions {
		if err := retitleWithheld(t, id); err != nil {
			return nil, nil, err
		}
	}
	return marked, sessions, nil
}

// withholdTaught marks the messages of deleted and rejected items as not for memory, and notes that in
// the deletion, which unmarks them when it is undone. Messages of other items stay.
func withholdTaught(t *write.Tx, gone store.Deleted, d deletionSet) (store.Deleted, error) {
	var marked []string
	for _, id := range d.withheld {
		others, err := t.ItemsFromRecords(t.Owner.ID, []string{id})
		if err != nil {
			return gone, err
		}
		if slices.ContainsFunc(others, func(it memory.Item) bool { return it.State != memory.StateInactive }) {
			continue
		}
		session, err := t.SessionOf(t.Owner.ID, id)
		if lookup.Lacking(err) {
			continue
		}
		if err != nil {
			return gone, err
		}
		changed, err := t.SetNotForMemory(t.Owner.ID, id, true)
		if changed && err == nil {
			marked = append(marked, id)
			err = retitleWithheld(t, session)
		}
		if err != nil {
			return gone, err
		}
	}
	if len(marked) == 0 {
		return gone, nil
	}
	return t.Extend(t.Owner.ID, gone.ID, gone.Title, gone.Longer, marked)
}

// answersSaying returns the ids of the answers in a session that repeat items.
func answersSaying(t *write.Tx, session string, items []memory.Item) (ids []string, err error) {
	s, err := t.Session(t.Owner.ID, session)
	if lookup.Lacking(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	records, err := lookup.RecordsOf(t.Tx, s, learning.MostRecords, true)
	for _, r := range records {
		if r.Role != memory.RoleAssistant && r.Role != memory.RoleTool || r.Withheld() {
			continue
		}
		said := t.Core.Recall().Fetch(r).Content
		if slices.ContainsFunc(items, func(it memory.Item) bool { return instruct.Mentions(said, it) }) {
			ids = append(ids, r.ID)
		}
	}
	return ids, err
}

// retitleWithheld replaces a session title made from a message that is not for memory,
// using the first other message. It is empty if there is none.
func retitleWithheld(t *write.Tx, session string) error {
	s, err := t.Session(t.Owner.ID, session)
	if lookup.Lacking(err) || err == nil && (s.Named || s.Title == "" || s.Summary != nil) {
		return nil // the next summary sets the title
	}
	if err != nil {
		return err
	}
	records, err := lookup.RecordsOf(t.Tx, s, 0, true)
	if err != nil {
		return err
	}
	made := slices.ContainsFunc(records, func(r memory.Record) bool {
		return r.NotForMemory && r.Role == memory.RoleUser && t.Core.TitledBy(s, t.Core.Recall().Fetch(r))
	})
	if !made {
		return nil
	}
	if s.Title, err = firstTitle(t, s); err != nil {
		return err
	}
	return t.PutSession(s)
}

// unmention removes the words of items from the sessions' working memory.
func unmention(t *write.Tx, sessions []string, items []memory.Item) error {
	for _, id := range sessions {
		w, put, err := write.WorkingOf(t, id)
		if lookup.Lacking(err) {
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

// dropMentions removes the topic and variables that contain words of items.
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

// clearWithheld removes the marks that a deletion set.
func clearWithheld(t *write.Tx, d store.Deleted) error {
	for _, id := range d.Marked {
		if _, err := t.SetNotForMemory(t.Owner.ID, id, false); err != nil && !lookup.Lacking(err) {
			return err
		}
	}
	return nil
}

// nextQuestion returns a session's question after another message begins a turn. A
// question is valid for one message, a list of what waits for approval until the next one.
func nextQuestion(q *memory.Question, message string) *memory.Question {
	if q == nil || q.AnsweredBy != "" && len(q.Waiting) == 0 {
		return nil
	}
	next := *q
	if next.AnsweredBy != "" {
		return &next
	}
	next.AnsweredBy = message
	return &next
}

package manager

import (
	"errors"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

// ignoreQuotes adds the source words of deleted items to the ignore lists of their
// sessions: they are left out of new conclusions, and a summary that may contain them is
// replaced (D2).
func ignoreQuotes(t *write.Tx, d deletionSet) error {
	var items []memory.Item
	for _, id := range d.items {
		it, err := t.Item(t.Owner.ID, id)
		if err == nil {
			items = append(items, it)
		} else if !lookup.Lacking(err) {
			return err
		}
	}
	return ignoreQuotesOf(t, items, d.sessions, d.records)
}

// ignoreQuotesOf adds the source words of items to the ignore lists of their sessions,
// except those in sessions and records that are deleted with them.
func ignoreQuotesOf(t *write.Tx, items []memory.Item, sessions, records []string) error {
	return eachSession(t, items, func(s *memory.Session, words []memory.Evidence) {
		if slices.Contains(sessions, s.ID) {
			return
		}
		s.Silenced = slices.Clip(s.Silenced)
		for _, ev := range words {
			if !slices.Contains(records, ev.RecordID) && !slices.Contains(s.Silenced, ev) {
				s.Silenced = append(s.Silenced, ev)
			}
		}
	})
}

// ignoreInRestored adds to restored sessions the source words of items that were deleted
// while the sessions were in the trash.
func ignoreInRestored(t *write.Tx, back []memory.Session) error {
	for _, s := range back {
		items, err := t.TrashedItemsFrom(t.Owner.ID, s.ID)
		if err == nil {
			err = ignoreQuotesOf(t, items, nil, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unignore removes the source words of restored items from the ignore lists.
func unignore(t *write.Tx, back []memory.Item) error {
	return eachSession(t, back, func(s *memory.Session, words []memory.Evidence) {
		left := slices.DeleteFunc(slices.Clone(s.Silenced), func(ev memory.Evidence) bool { return slices.Contains(words, ev) })
		s.Silenced = left[:len(left):len(left)]
		if len(left) == 0 {
			s.Silenced = nil
		}
	})
}

// eachSession changes the sessions in which items have evidence.
func eachSession(t *write.Tx, items []memory.Item, change func(*memory.Session, []memory.Evidence)) error {
	words := map[string][]memory.Evidence{}
	for _, it := range items {
		for _, ev := range it.Evidence {
			words[ev.SessionID] = append(words[ev.SessionID], ev)
		}
	}
	for id, list := range words {
		s, err := t.Session(t.Owner.ID, id)
		if lookup.Lacking(err) {
			continue
		}
		if err != nil {
			return err
		}
		had := len(s.Silenced)
		if change(&s, list); len(s.Silenced) == had {
			continue
		}
		if err := errors.Join(replaceSummary(t, &s), t.PutSession(s)); err != nil {
			return err
		}
		for _, ev := range list {
			if err := errors.Join(t.Unquote(t.Owner.ID, ev.RecordID), t.Touch(t.Owner.ID, ev.RecordID)); err != nil {
				return err
			}
		}
	}
	return nil
}

// replaceSummary destroys a session's summary and queues a new one without the ignored
// words.
func replaceSummary(t *write.Tx, s *memory.Session) error {
	if s.Summary == nil {
		return nil
	}
	if err := t.Unsummarise(t.Owner.ID, s); err != nil {
		return err
	}
	if s.Title == "" {
		title, err := firstTitle(t, *s)
		if err != nil {
			return err
		}
		s.Title = title
	}
	if s.State == memory.SessionActive || s.Memories == memory.MemoriesNone {
		return nil
	}
	return readAgain(t, s)
}

package manager

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/instruct"
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
			again, err := repeated(t, it, ev)
			if err != nil {
				return err
			}
			words[ev.SessionID] = append(append(words[ev.SessionID], ev), again...)
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

// repeated returns the sentences of a source message, outside the source quote, that mention
// the item again, or have no other distinctive words than the item.
func repeated(t *write.Tx, it memory.Item, ev memory.Evidence) (out []memory.Evidence, err error) {
	r, err := t.Record(t.Owner.ID, ev.RecordID)
	if lookup.Lacking(err) || err == nil && ev.Length == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	said := t.Core.Recall().Fetch(r).Content
	keys := text.Keywords(text.Fold(it.Content))
	for lo, hi := 0, 0; lo < len(said); lo = hi {
		hi = len(said)
		if end := strings.IndexAny(said[lo:], "\n.!?。！？"); end >= 0 {
			_, size := utf8.DecodeRuneInString(said[lo+end:])
			hi = lo + end + size
		}
		folded := text.Fold(said[lo:hi]) // comparing all sentences is slow
		if lo < ev.Offset+ev.Length && hi > ev.Offset ||
			!slices.ContainsFunc(keys, func(k string) bool { return strings.Contains(folded, k) }) {
			continue
		}
		if instruct.Mentions(said[lo:hi], it) || instruct.Repeats(said[lo:hi], it) {
			again := ev
			again.Offset, again.Length = lo, hi-lo
			out = append(out, again)
		}
	}
	return out, nil
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

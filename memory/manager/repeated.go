package manager

import (
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// repeats finds what derived records, see [store.Derived], repeat of deleted messages
// and items (D2).
type repeats struct {
	phrases map[string]bool
	// answers are the derived records of the turns of messages.
	answers []string
	// from is the time of the first message or item; what repeats one is later.
	from time.Time
}

// withRepeats completes a deletion set: derived records of the turns of deleted messages are
// deleted, too, and others lose the phrases that repeat a message or an item. A session of which
// nothing else remains is deleted.
func withRepeats(t *write.Tx, d deletionSet) (deletionSet, error) {
	if len(d.sessions)+len(d.records)+len(d.items) == 0 {
		return d, nil
	}
	if any, err := anyDerived(t); err != nil {
		return d, err
	} else if !any {
		return withEmptied(t, d)
	}
	rep, err := repeatsOf(t, d)
	if err != nil {
		return d, err
	}
	for _, id := range rep.answers {
		if !slices.Contains(d.records, id) {
			d.records = append(d.records, id)
		}
	}
	for id, err := range t.DerivedIDs(t.Owner.ID, rep.from) {
		if err != nil {
			return d, err
		}
		r, err := t.Record(t.Owner.ID, id)
		if lookup.Lacking(err) || err == nil && r.Heard != "" { // its group removes them
			continue
		}
		if err != nil {
			return d, err
		}
		if slices.Contains(d.sessions, r.SessionID) || slices.Contains(d.records, id) {
			continue
		}
		switch rest, found := rep.redact(t.Core.Recall().Fetch(r).Content); {
		case found && r.ContentRef != "": // its words are in a file, which is never rewritten
			d.records = append(d.records, id)
		case found:
			d.redactions = append(d.redactions, store.Redaction{RecordID: id, Was: r.Content, Now: rest, Count: r.Metadata.Redacted + 1})
		}
	}
	return withEmptied(t, d)
}

// anyDerived reports whether the agent has derived records. With a model that calls no tools it
// has none, and the words of a deletion need not be read.
func anyDerived(t *write.Tx) (bool, error) {
	for _, err := range t.DerivedIDs(t.Owner.ID, time.Time{}) {
		return err == nil, err
	}
	return false, nil
}

// withEmptied replaces the records that are all of a session by the session.
func withEmptied(t *write.Tx, d deletionSet) (deletionSet, error) {
	in := map[string][]string{}
	var order []string
	for _, id := range d.records {
		session, err := t.SessionOf(t.Owner.ID, id)
		if err != nil {
			return d, err
		}
		if in[session] == nil {
			order = append(order, session)
		}
		in[session] = append(in[session], id)
	}
	d.records = nil
	for _, session := range order {
		whole, err := isWholeSession(t, session, len(in[session]))
		switch {
		case err != nil:
			return d, err
		case !whole:
			d.records = append(d.records, in[session]...)
		case !slices.Contains(d.sessions, session):
			d.sessions = append(d.sessions, session)
		}
	}
	return d, nil
}

// repeatsOf collects the turns and words of a deletion.
func repeatsOf(t *write.Tx, d deletionSet) (*repeats, error) {
	rep := &repeats{phrases: map[string]bool{}}
	files, err := t.JournalLists(t.Owner.ID)
	if err != nil {
		return nil, err
	}
	said := map[string][]memory.Record{} // the user's messages, by session
	for _, id := range d.records {
		r, err := t.Record(t.Owner.ID, id)
		if store.Unreadable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		rep.addRecord(t.Core.Recall().Fetch(r), files)
		if r.Role == memory.RoleUser {
			said[r.SessionID] = append(said[r.SessionID], r)
		}
	}
	for _, session := range slices.Sorted(maps.Keys(said)) {
		if err := rep.addAnswers(t, session, said[session]); err != nil {
			return nil, err
		}
	}
	for _, session := range d.sessions {
		records, err := t.SessionRecords(t.Owner.ID, session)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			rep.addRecord(t.Core.Recall().Fetch(r), files)
		}
	}
	for _, id := range d.items {
		if err := rep.addItem(t, id); err != nil {
			return nil, err
		}
	}
	return rep, nil
}

// addAnswers adds the derived records of the turns of a session's messages.
func (rep *repeats) addAnswers(t *write.Tx, session string, messages []memory.Record) error {
	nodes, err := t.Tree(t.Owner.ID, session)
	if err != nil {
		return err
	}
	turns := map[string]bool{}
	for _, r := range messages {
		for _, turn := range store.TurnsOf(nodes, r) {
			turns[turn] = true
		}
	}
	for _, n := range nodes {
		if !turns[n.TurnID] || n.Role == memory.RoleUser {
			continue
		}
		r, err := t.Record(t.Owner.ID, n.ID)
		if err != nil && !lookup.Lacking(err) {
			return err
		}
		if err == nil && store.Derived(r) {
			rep.answers = append(rep.answers, n.ID)
		}
	}
	return nil
}

// addRecord adds the words of a message, and the names of its journal files, which may have some
// of them. The words of derived records are those of others.
func (rep *repeats) addRecord(r memory.Record, files store.JournalLists) {
	rep.since(r.Timestamp)
	if store.Derived(r) {
		return
	}
	for p := range phrases(r.Content) {
		if p.end-p.start >= leastQuoted {
			rep.phrases[keyOf(r.Content[p.start:p.end])] = true
		}
	}
	for _, path := range files.With(r.ID) {
		rep.phrases[keyOf(path)] = true
	}
}

// addItem adds the words of all versions of an item.
func (rep *repeats) addItem(t *write.Tx, id string) error {
	it, err := t.Item(t.Owner.ID, id)
	if lookup.Lacking(err) {
		return nil // it is destroyed
	}
	if err != nil {
		return err
	}
	rep.since(it.CreatedAt)
	for version := it.Version; version > 0; version-- {
		was, err := t.ItemVersion(t.Owner.ID, id, version)
		if lookup.Lacking(err) {
			continue
		}
		if err != nil {
			return err
		}
		for p := range phrases(was.Content) {
			rep.phrases[keyOf(was.Content[p.start:p.end])] = true
		}
	}
	return nil
}

func (rep *repeats) since(at time.Time) {
	if rep.from.IsZero() || at.Before(rep.from) {
		rep.from = at
	}
}

// redact replaces the phrases of a deletion in the words of a derived record.
func (rep *repeats) redact(content string) (rest string, found bool) {
	var sb strings.Builder
	end := 0
	for p := range phrases(content) {
		said := content[p.start:p.end]
		if !rep.phrases[keyOf(said)] {
			continue
		}
		sb.WriteString(content[end:p.start])
		if strings.ContainsFunc(said, text.Han) {
			sb.WriteString("[已删除]")
		} else {
			sb.WriteString("[deleted]")
		}
		end, found = p.end, true
	}
	return sb.String() + content[end:], found
}

const (
	// leastQuoted is the length in bytes of the shortest phrase of a message that is compared:
	// shorter ones are repeated by chance.
	leastQuoted = 12
	// mostCompared is how many bytes of a phrase are compared: quotes may be cut after them.
	mostCompared = 48
)

// phrase is a part of a text, from start to end.
type phrase struct{ start, end int }

// phrases yields the text between marks that end a sentence or surround a quote. Derived
// records repeat whole phrases.
func phrases(said string) func(func(phrase) bool) {
	return func(yield func(phrase) bool) {
		start := 0
		take := func(end int) bool {
			p := phrase{start, end}
			for p.start < p.end && strings.ContainsRune("- \t", rune(said[p.start])) {
				p.start++
			}
			p.end = p.start + len(strings.TrimRightFunc(said[p.start:p.end], unicode.IsSpace))
			return p.start == p.end || yield(p)
		}
		for i, r := range said {
			after := i + utf8.RuneLen(r)
			inWord := strings.ContainsRune(".:", r) && after < len(said) && !unicode.IsSpace(rune(said[after]))
			if inWord || !strings.ContainsRune("\n.!?;:…·—→>*[]\"“”()。！？；：「」（）", r) {
				continue
			}
			if !take(i) {
				return
			}
			start = after
		}
		take(len(said))
	}
}

// keyOf returns the part of a phrase that is compared.
func keyOf(said string) string {
	for len(said) > mostCompared {
		_, n := utf8.DecodeLastRuneInString(said)
		said = said[:len(said)-n]
	}
	return said
}

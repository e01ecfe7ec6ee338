package portable

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/policy"
	"memoria/memory/profile"
	"memoria/memory/store"
	"memoria/memory/store/codec"
)

// conversation applies a session with its rows: whole, or not at all.
func (in *importing) conversation(group []row) error {
	s, err := decode[memory.Session](group[0])
	if err != nil {
		return err
	}
	c := conversation{importing: in, session: s, rows: group}
	if err := c.look(); err != nil {
		return err
	}
	sum, messages := &in.report.Conversations, &in.report.Messages
	sum.Total++
	messages.Total += len(c.records)
	messages.Known += len(c.known)
	in.step(len(c.records))
	switch {
	case c.unkept, len(c.records) > 0 && len(c.gone) == len(c.records) && !c.here:
		sum.Deleted++
		messages.Deleted += len(c.records) - len(c.known)
		for _, r := range c.records {
			in.forget(r.ID, r.Content)
		}
		return nil
	case c.here && len(c.added) == 0, !c.here && len(c.records) > 0 && len(c.known) == len(c.records):
		sum.Known++
		messages.Deleted += len(c.gone)
		return nil
	case c.differs:
		sum.Kept++
		messages.Kept += len(c.records) - len(c.known)
		in.report.Conflicts = append(in.report.Conflicts, Conflict{"session", s.ID})
		return nil
	case c.here:
		sum.Newer++
	default:
		sum.New++
	}
	messages.New += len(c.added)
	messages.Deleted += len(c.gone)
	return c.put()
}

// forget notes something that stays deleted, with its words.
func (in *importing) forget(id, words string) {
	in.deleted[id] = true
	if words = strings.TrimSpace(words); words != "" {
		in.words = append(in.words, words)
	}
}

// conversation is a session of an export, compared with what is here.
type conversation struct {
	*importing
	session memory.Session
	rows    []row
	records []memory.Record
	added   map[string]bool // ids of records
	gone    map[string]bool
	known   map[string]bool
	here    bool
	unkept  bool // its messages were not kept here (A1)
	differs bool // it went on in both places
}

func (c *conversation) look() (err error) {
	c.added, c.gone, c.known = map[string]bool{}, map[string]bool{}, map[string]bool{}
	if c.here, err = c.tx.HasSession(c.to, c.session.ID); err != nil {
		return err
	}
	if !c.here {
		if c.unkept, err = c.tx.Unkept(c.to, c.session.ID); err != nil {
			return err
		}
	}
	ids, places := map[string]bool{}, map[any]bool{}
	for _, r := range c.rows {
		if r.Bucket != "records" {
			continue
		}
		rec, err := decode[memory.Record](r)
		if err != nil {
			return err
		}
		if ids[rec.ID] || places[r.Key[1]] {
			return wrong(r, "it is there twice")
		}
		ids[rec.ID], places[r.Key[1]] = true, true
		c.records = append(c.records, rec)
		known, err := c.tx.HasRecord(c.to, rec.ID)
		if err != nil {
			return err
		}
		deleted, err := c.isGoneRecord(rec)
		switch {
		case err != nil:
			return err
		case known:
			c.known[rec.ID] = true
			continue
		case deleted:
			c.gone[rec.ID] = true
			continue
		}
		c.added[rec.ID] = true
		taken, err := c.has(r)
		if err != nil {
			return err
		}
		c.differs = c.differs || taken
	}
	if !c.here || c.differs {
		return nil
	}
	mine, err := c.tx.Tree(c.to, c.session.ID)
	for _, n := range mine { // the export must have all that is here
		c.differs = c.differs || !c.known[n.ID]
	}
	return err
}

// put writes what is new of a conversation.
func (c *conversation) put() error {
	s := c.session
	cut := false // words of the user are missing
	for _, r := range c.rows {
		if r.Bucket != "records" {
			continue
		}
		rec, err := decode[memory.Record](r)
		if err != nil {
			return err
		}
		switch {
		case c.added[rec.ID]:
			if r, err = c.local(r, rec); err == nil {
				err = c.importing.put(r)
			}
		case c.gone[rec.ID]:
			cut = true
			c.forget(rec.ID, rec.Content)
			err = c.leaveGap(r, rec)
		}
		if err != nil {
			return err
		}
		if !c.added[rec.ID] && !(c.here && c.known[rec.ID]) {
			s.Messages = max(0, s.Messages-1)
			if rec.Role == memory.RoleUser {
				s.Turns = max(0, s.Turns-1)
			}
		}
	}
	if !c.fresh && s.State != memory.SessionArchived { // the open session is another one
		s.State, s.Memories = memory.SessionArchived, memory.MemoriesNone
		s.ArchivedAt = cmp.Or(s.ArchivedAt, s.LastMessageAt)
	}
	if s.Group = ""; c.hold {
		s.Question = nil
	}
	if cut {
		c.clear(&s)
	}
	r, err := c.rows[0].with(s)
	if err == nil {
		err = c.importing.put(r)
	}
	if err != nil {
		return err
	}
	for _, r := range c.rows[1:] {
		if err := c.rest(r, cut); err != nil {
			return err
		}
	}
	return nil
}

// leaveGap keeps the place of a deleted message in its conversation.
func (c *conversation) leaveGap(r row, rec memory.Record) error {
	gap, err := row{Bucket: "gaps", Key: []any{rec.ID}}.with(map[string]any{
		"session": r.Key[0], "position": r.Key[1], "parent": rec.ParentID, "root": rec.Root,
	})
	if err != nil {
		return err
	}
	return c.putMissing(gap)
}

// clear removes what was made from words that stay deleted.
func (c *conversation) clear(s *memory.Session) {
	s.Summary, s.Kept, s.Question, s.Silenced = nil, nil, nil, nil
	if s.Named {
		return
	}
	s.Title = ""
	for _, r := range c.records {
		if r.Role == memory.RoleUser && !c.gone[r.ID] {
			s.Title = c.Core.Title(r.Asked())
			return
		}
	}
}

// rest writes a row of the conversation that is no message.
func (c *conversation) rest(r row, cut bool) error {
	switch r.Bucket {
	case "summaries", "working", "working_versions":
		if cut {
			return nil
		}
		if r.Bucket == "working" && c.here {
			return c.importing.put(r)
		}
	case "packages":
		if _, err := c.tx.Package(c.to, r.Key[1].(string)); err == nil || !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if !cut {
			break
		}
		p, err := decode[memory.Package](r)
		if err == nil {
			p.Keywords, p.Degraded = nil, ""
			r, err = r.with(p)
		}
		if err != nil {
			return err
		}
	case "records":
		return nil
	}
	return c.putMissing(r)
}

// item applies a memory with its versions and its ledger, or the ledger of a deleted one.
func (in *importing) item(group []row) error {
	if group[0].Bucket != "items" {
		return in.ledger(group)
	}
	it, err := decode[memory.Item](group[0])
	if err != nil {
		return err
	}
	sum := &in.report.Memories
	sum.Total++
	in.step(1)
	deleted, err := in.isGone(memory.KindItem, it.ID)
	if err != nil {
		return err
	}
	mine, err := in.tx.Item(in.to, it.ID)
	switch {
	case err == nil:
		return in.known(it, mine, group)
	case store.Unreadable(err):
		sum.Kept++
		return nil
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	if !deleted {
		if deleted, err = in.refused(it); err != nil {
			return err
		}
	}
	if deleted {
		sum.Deleted++
		in.forget(it.ID, it.Content)
		return nil
	}
	reason, known, err := in.holds(it)
	if err != nil {
		return err
	}
	if known {
		sum.Known++
		return nil
	}
	sum.New++
	if isRule(it) {
		in.report.Rules = append(in.report.Rules, Rule{Kind: RuleMemory, ID: it.ID, Text: it.Content})
	}
	if reason != "" {
		in.report.Held++
		it.State = memory.StateHeld
	}
	return in.putItem(it, group, reason)
}

// isRule reports whether a memory in force tells how to answer (C6).
func isRule(it memory.Item) bool {
	section, _ := profile.SectionOf(it)
	return it.State == memory.StateActive && (it.Type == memory.TypeRule || section == memory.SectionReply)
}

// refused reports whether the user refused what a memory says.
func (in *importing) refused(it memory.Item) (bool, error) {
	at, err := in.tx.RefusedAt(in.to, policy.RefusalKeys(it))
	return !at.IsZero(), err
}

// Reasons of an imported memory that waits in the inbox.
const (
	reasonRule  = "an instruction in an import"
	reasonRival = "imported; another memory differs"
)

// holds returns why a new memory must wait for the user, "" if it need not: it is an
// instruction of another memory, or contradicts a memory here. known says that a memory here
// says the same.
func (in *importing) holds(it memory.Item) (reason string, known bool, err error) {
	if in.hold && isRule(it) {
		reason = reasonRule
	}
	if in.fresh || it.State != memory.StateActive {
		return reason, false, nil
	}
	rivals, err := in.tx.ItemsLike(in.to, it.Key, it.Content)
	for _, r := range rivals {
		if r.State != memory.StateActive {
			continue
		}
		if codec.HashContent(r.Content) == codec.HashContent(it.Content) {
			return "", true, err
		}
		reason = cmp.Or(reason, reasonRival)
	}
	return reason, false, err
}

// known applies a memory that is here: the newer version of the same history is kept.
func (in *importing) known(it, mine memory.Item, group []row) error {
	sum := &in.report.Memories
	if sameItem(it, mine) {
		sum.Known++
		return nil
	}
	newer, older, err := in.compare(it, mine, group)
	switch {
	case err != nil:
		return err
	case older:
		sum.Known++
		return nil
	case newer && in.hold && isRule(it): // the version here stays in force
		newer = false
	}
	if newer {
		refused, err := in.refused(it)
		if err != nil {
			return err
		}
		if refused {
			sum.Deleted++
			in.forget(it.ID, it.Content)
			return nil
		}
	}
	if !newer {
		sum.Kept++
		in.report.Conflicts = append(in.report.Conflicts, Conflict{"memory", it.ID})
		return nil
	}
	sum.Newer++
	if isRule(it) {
		in.report.Rules = append(in.report.Rules, Rule{Kind: RuleMemory, ID: it.ID, Text: it.Content})
	}
	return in.putItem(it, group, "")
}

// sameItem reports whether two items say the same in the same version. Uses of an item, and
// where its words are, are not part of a version; a held item may be the same in the inbox.
func sameItem(a, b memory.Item) bool {
	plain := func(it memory.Item) string {
		var value any
		_ = json.Unmarshal(it.Value, &value)
		b, _ := json.Marshal([]any{it.Type, it.Key, it.Title, value, it.Content, it.Version})
		return string(b)
	}
	return plain(a) == plain(b) && (a.State == b.State || a.State == memory.StateHeld || b.State == memory.StateHeld)
}

// compare finds out whether an exported item descends from the one here, or the other way
// round: one's ledger or versions have the other's last change.
func (in *importing) compare(it, mine memory.Item, group []row) (newer, older bool, err error) {
	theirs := map[string]bool{} // ids of changes
	last := ""
	for _, r := range group {
		if id, ok := changeID(r); ok && r.Bucket == "item_changes" {
			theirs[id] = true
			last = max(last, id)
		}
		if r.Bucket == "item_versions" && it.Version > mine.Version {
			if v, err := decode[memory.Item](r); err != nil {
				return false, false, err
			} else if v.Version == mine.Version && sameItem(v, mine) {
				newer = true
			}
		}
	}
	changes, err := in.tx.Changes(in.to, it.ID)
	if err != nil && !store.Unreadable(err) {
		return false, false, err
	}
	if n := len(changes); n > 0 && it.Version > mine.Version {
		newer = newer || theirs[changes[n-1].ID]
	}
	if mine.Version > it.Version {
		was, err := in.tx.ItemVersion(in.to, it.ID, it.Version)
		if err != nil && !lookup.Lacking(err) {
			return false, false, err
		}
		older = err == nil && sameItem(was, it) ||
			slices.ContainsFunc(changes, func(c memory.Change) bool { return last != "" && c.ID == last })
	}
	return newer, older, nil
}

func changeID(r row) (string, bool) {
	if len(r.Key) != 2 {
		return "", false
	}
	id, ok := r.Key[1].(string)
	return id, ok
}

// putItem writes a memory with the versions and changes that are missing, and why it is
// held. The profile of an agent that had one follows; an import into an empty agent brings
// its own.
func (in *importing) putItem(it memory.Item, group []row, held string) error {
	for _, r := range group[1:] {
		if r.Bucket == "item_versions" {
			v, err := decode[memory.Item](r)
			if err != nil {
				return err
			}
			if refused, err := in.refused(v); err != nil {
				return err
			} else if refused {
				continue
			}
		}
		if err := in.putMissing(r); err != nil {
			return err
		}
	}
	if in.t == nil {
		r, err := group[0].with(it)
		return errors.Join(err, in.put(r))
	}
	news := in.t.News
	if held != "" {
		if err := in.t.Put(it, memory.Change{Action: memory.ActionHeld, Reason: held, Origin: memory.OriginImport}); err != nil {
			return err
		}
	} else {
		r, err := group[0].with(it)
		if err == nil {
			err = in.put(r)
		}
		if err != nil {
			return err
		}
		in.t.Written(it, memory.Change{Action: memory.ActionAdded, Origin: memory.OriginImport})
	}
	if in.fresh {
		in.t.News = news
	}
	return nil
}

// ledger applies the notes about a deleted memory.
func (in *importing) ledger(group []row) error {
	for _, r := range group {
		if r.Bucket != "item_changes" {
			return wrong(r, "it belongs to no memory")
		}
		if err := in.putMissing(r); err != nil {
			return err
		}
	}
	return nil
}

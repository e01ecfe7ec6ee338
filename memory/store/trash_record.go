package store

import (
	"errors"
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/codec"
	"memoria/memory/store/queue"
)

// ErrOrphaned says that a deleted message cannot be restored because its session was
// deleted after it.
var ErrOrphaned = errors.New("the session it belongs to was deleted since")

// Left describes what a session lost with single messages, for undo.
type Left struct {
	Session string `json:"session"`
	// Tail is the highest deleted position. It is not reused while undo is possible.
	Tail uint64 `json:"tail"`
	// The last message, if it was deleted.
	LastRecordID  string    `json:"last_record_id,omitempty"`
	LastMessageAt time.Time `json:"last_message_at,omitzero"`
	// Title and Lost, if they were made from the message's words.
	Title string `json:"title,omitempty"`
	Lost  *loss  `json:"lost,omitempty"`
	// Quoted says that the session lost no message, but what was made of the source words of
	// deleted items.
	Quoted bool `json:"quoted,omitempty"`

	messages, turns int
	of              map[string]bool // turns of the messages
	said            []string        // messages of the user; aside for one whose words are in a file
}

// aside is a placeholder for a message's words in a file.
const aside = "\x00"

// looseRecords moves single records into the bin, with their jobs, and updates their
// sessions.
func (b *bin) looseRecords(ids []string, d *Deleted) error {
	var left []*Left
	for _, id := range ids {
		at, err := recordPlaces.Get(b.tx.kv, kv.Key(b.agent, id))
		if err != nil {
			return err
		}
		i := slices.IndexFunc(left, func(l *Left) bool { return l.Session == at.Session })
		if i < 0 {
			i = len(left)
			left = append(left, &Left{Session: at.Session, of: map[string]bool{}})
		}
		if err := b.record(id, at, left[i], d); err != nil {
			return err
		}
	}
	for _, l := range left {
		if err := b.leave(l); err != nil {
			return err
		}
		d.Left = append(d.Left, *l)
	}
	return nil
}

// record moves one record. It also removes the keywords of its package, which are its
// words, and the server's error text, which may quote them.
func (b *bin) record(id string, at Place, l *Left, d *Deleted) error {
	d.Messages++
	l.messages++
	l.Tail = max(l.Tail, at.Position)
	turns, err := b.turnsOf(at)
	if err != nil {
		return err
	}
	v, err := b.take(raw(records), kv.Key(b.agent, at.Session, at.Position))
	if err != nil && !Unreadable(err) && !errors.Is(err, ErrNotFound) {
		return err
	}
	r, err := codec.DecodeRecord(v)
	if err != nil {
		r = memory.Record{} // it is deleted anyway
	}
	if r.ContentRef != "" {
		d.Files = append(d.Files, r.ContentRef)
	}
	if r.TurnID != "" {
		l.of[r.TurnID] = true
	}
	for _, turn := range turns {
		l.of[turn] = true
		if err := b.keywordsOf(turn); err != nil {
			return err
		}
	}
	if r.Role == memory.RoleUser {
		l.turns++
		said := b.tx.saidIn(r)
		l.said = append(l.said, said)
	}
	return errors.Join(b.jobsOf(id, r), b.recordGone(id), b.tx.leaveGap(b.agent, id, at, r))
}

// jobsOf moves the jobs that would read a record; a running job finds it gone.
func (b *bin) jobsOf(id string, r memory.Record) error {
	return takeOf(b, jobs, func(j queue.Job) bool {
		return j.RecordID == id || r.Role == memory.RoleUser && (j.TurnID == r.TurnID || j.SaidID == id)
	})
}

// turnsOf returns the turns of a user's message: the one it began, and those that
// regenerated its answer. For other messages there are none.
func (b *bin) turnsOf(at Place) ([]string, error) {
	r, err := records.Get(b.tx.kv, kv.Key(b.agent, at.Session, at.Position))
	if errors.Is(err, ErrNotFound) || Unreadable(err) || err == nil && r.Role != memory.RoleUser {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	tree, err := b.tx.Tree(b.agent, at.Session)
	return TurnsOf(tree, r), err
}

// keywordsOf removes the words of the user's message from a turn's package.
func (b *bin) keywordsOf(turn string) error {
	p, err := b.tx.Package(b.agent, turn)
	if errors.Is(err, ErrNotFound) || Unreadable(err) || err == nil && len(p.Keywords) == 0 && p.Degraded == "" {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := b.take(raw(packages), kv.Key(b.agent, p.SessionID, p.TurnID)); err != nil {
		return err
	}
	p.Keywords, p.Degraded = nil, ""
	return b.tx.PutPackage(p)
}

// leave updates a session after deletions.
func (b *bin) leave(l *Left) error {
	tx := b.tx
	s, err := tx.Session(b.agent, l.Session)
	if errors.Is(err, ErrNotFound) || Unreadable(err) {
		return nil // the records were orphans; no session counts them
	}
	if err != nil {
		return err
	}
	s.Messages, s.Turns = max(0, s.Messages-l.messages), max(0, s.Turns-l.turns)
	if there, err := recordPlaces.Has(tx.kv, kv.Key(b.agent, s.LastRecordID)); err != nil {
		return err
	} else if !there && s.LastRecordID != "" {
		l.LastRecordID, l.LastMessageAt = s.LastRecordID, s.LastMessageAt
		// The end stays: the next message follows the deleted one, even if that is
		// restored.
		for last, err := range tx.Path(b.agent, s.LastRecordID) {
			if err != nil {
				return err
			}
			s.LastMessageAt = last.Timestamp
			break
		}
	}
	made := slices.ContainsFunc(l.said, func(said string) bool { return titled(s.Title, said) })
	if !s.Named && (made || l.Quoted && l.about(s.Title)) {
		l.Title, s.Title = s.Title, ""
	}
	if s.Kept != nil {
		if kept, lost := l.without(*s.Kept); lost != nil {
			l.Lost, s.Kept = lost, &kept
		}
	}
	if err := b.topics(l); err != nil {
		return err
	}
	again := len(l.said) > 0
	if l.Quoted { // the caller may have replaced it
		if again, err = b.summarised(l); err != nil {
			return err
		}
	}
	if again {
		if err := b.unsummarise(&s); err != nil {
			return err
		}
	}
	return tx.PutSession(s)
}

// summarised reports whether a version of a session's summary contains a word of the messages.
func (b *bin) summarised(l *Left) (found bool, err error) {
	for e, err := range readable(b.tx, summaries.Scan(b.tx.kv, kv.Prefix(b.agent, l.Session))) {
		if err != nil {
			return false, err
		}
		words := e.Value.Title + "\n" + e.Value.Snippet
		for _, topic := range e.Value.Topics {
			words += "\n" + topic.Word
		}
		if l.about(words) {
			return true, nil
		}
	}
	return false, nil
}

// titled reports whether a title was taken from a message.
func titled(title, said string) bool {
	title = strings.TrimSuffix(title, "…")
	return title != "" && (said == aside || strings.Contains(strings.Join(strings.Fields(said), " "), title))
}

// about reports whether a topic contains a word of the messages.
func (l *Left) about(topic string) bool {
	words := map[string]bool{}
	for _, k := range text.Keywords(topic) {
		words[text.Fold(k)] = true
	}
	for _, said := range l.said {
		if said == aside && len(words) > 0 {
			return true
		}
		for _, k := range text.Keywords(said) {
			if words[text.Fold(k)] {
				return true
			}
		}
	}
	return false
}

// topics removes content derived from the messages from working memory and its
// versions.
func (b *bin) topics(l *Left) error {
	w, err := b.tx.Working(b.agent, l.Session)
	if err == nil {
		if rest, lost := l.without(w); lost != nil {
			l.Lost = lost
			err = b.tx.SetWorking(b.agent, rest)
		}
	}
	if err != nil && !errors.Is(err, ErrNotFound) && !Unreadable(err) {
		return err
	}
	var keys [][]byte
	for e, err := range readable(b.tx, workingVersions.Scan(b.tx.kv, kv.Prefix(b.agent, l.Session))) {
		if err != nil {
			return err
		}
		if _, lost := l.without(e.Value); lost != nil {
			keys = append(keys, e.Key)
		}
	}
	for _, key := range keys {
		if _, err := b.take(raw(workingVersions), key); err != nil {
			return err
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return b.tx.forget(b.agent, memory.KindWorking, l.Session)
}

func restoreWorkingVersion(tx *Tx, key []byte) error {
	parts, err := kv.ParseKey(key)
	if err != nil || len(parts) != 3 {
		return errors.Join(err, kv.ErrKey)
	}
	agent, _ := parts[0].(string)
	session, _ := parts[1].(string)
	return tx.remember(agent, memory.KindWorking, session)
}

// trashedTail returns the highest position of a session that a deleted record may need
// again; 0 for none.
func (tx *Tx) trashedTail(agent, session string) (tail uint64, err error) {
	for e, err := range readable(tx, deletions.Scan(tx.kv, kv.Prefix(agent))) {
		if err != nil {
			return 0, err
		}
		for _, l := range e.Value.Left {
			if l.Session == session {
				tail = max(tail, l.Tail)
			}
		}
	}
	return tail, nil
}

// came counts the restored records of one session.
type came struct {
	messages, turns int
	first, last     uint64 // lowest position of the user's messages, highest of all
}

func (r *Restored) came(session string) *came {
	if r.from[session] == nil {
		r.from[session] = &came{}
	}
	return r.from[session]
}

func (c *came) add(r memory.Record, position uint64) {
	c.messages++
	if r.Role == memory.RoleUser {
		if c.turns++; c.first == 0 || position < c.first {
			c.first = position
		}
	}
	c.last = max(c.last, position)
}

// firstSaid returns the position of the first readable message of the user.
func firstSaid(tx *Tx, agent, session string) (at uint64, err error) {
	for e, err := range readable(tx, records.Scan(tx.kv, kv.Prefix(agent, session))) {
		if err != nil {
			return 0, err
		}
		if e.Value.Role == memory.RoleUser {
			var agent, session string
			err := kv.Unpack(e.Key, &agent, &session, &at)
			return at, err
		}
	}
	return 0, nil
}

// rejoin restores what sessions lost with single messages.
func (tx *Tx) rejoin(agent string, left []Left, back map[string]*came) error {
	for _, l := range left {
		c := back[l.Session]
		if c == nil {
			c = &came{}
		}
		s, err := tx.Session(agent, l.Session)
		if errors.Is(err, ErrNotFound) && l.Quoted {
			continue
		}
		if errors.Is(err, ErrNotFound) {
			return ErrOrphaned
		}
		if Unreadable(err) {
			continue
		}
		if err != nil {
			return err
		}
		s.Messages += c.messages
		s.Turns += c.turns
		if first, err := firstSaid(tx, agent, l.Session); err != nil {
			return err
		} else if !s.Named && l.Title != "" && (l.Quoted || first == c.first) {
			s.Title = l.Title
		}
		if err := tx.regain(&s, l.Lost); err != nil {
			return err
		}
		last, err := recordPlaces.Get(tx.kv, kv.Key(agent, s.LastRecordID))
		if err != nil && !errors.Is(err, ErrNotFound) && !Unreadable(err) {
			return err
		}
		if l.LastRecordID != "" && c.last > last.Position {
			s.LastRecordID = l.LastRecordID
		}
		if l.LastMessageAt.After(s.LastMessageAt) {
			s.LastMessageAt = l.LastMessageAt
		}
		if err := tx.PutSession(s); err != nil {
			return err
		}
	}
	return nil
}

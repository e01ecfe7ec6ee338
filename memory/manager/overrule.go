package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// Overrule decides against the judgement of a message (S3): what was taken for a new
// topic goes on with the session that had timed out, which is revived, and what was
// taken for a part of that begins a session of its own. The message goes there with
// all that hangs from it, what that taught and what was sent; other branches stay.
// Where it was, all is as it would have been without it. Any other session that is open
// ends. It is one write, and overruling again takes it back: the message stands where it
// stood as long as nothing was said there since, and else behind that. The result is the
// session that the message is in now. The error is ErrInvalid when nothing was judged,
// and ErrNotFound when the old session is deleted.
func (m *Manager) Overrule(ctx context.Context, agentID, recordID string) (memory.Session, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Session{}, err
	}
	var to memory.Session
	err = m.update(ctx, a, func(t *tx) error {
		to, err = t.overrule(recordID)
		return err
	})
	if err != nil {
		return memory.Session{}, fmt.Errorf("overruling a judgement: %w", err)
	}
	return to, nil
}

func (t *tx) overrule(recordID string) (to memory.Session, err error) {
	r, err := t.Record(t.a.id, recordID)
	if err != nil {
		return to, err
	}
	if r.Judgement == nil {
		return to, fmt.Errorf("%w: where this message belongs was not judged", ErrInvalid)
	}
	// Memories of either session's end are gone before anything moves.
	from, err := t.openSession(r.SessionID, "", r)
	if err != nil {
		return to, err
	}
	if r.Judgement.InOld() {
		to, err = t.beside(r)
	} else if to, err = t.openSession(r.Judgement.SessionID, "", r); lacking(err) {
		err = fmt.Errorf("the earlier session is deleted: %w", err)
	}
	if err != nil {
		return to, err
	}
	came := r.Timestamp
	if at := r.Judgement.OverruledAt; !at.IsZero() {
		came = at
	}
	heard, _, err := t.behind(r)
	if err == nil {
		err = t.move(r, came, &from, &to)
	}
	for _, h := range t.hearers {
		if err == nil {
			err = h.moveHeard(heard, came, from.ID, to)
		}
	}
	if err == nil {
		err = t.endOthers(to.ID)
	}
	if err == nil {
		to, err = t.Session(t.a.id, to.ID)
	}
	return to, err
}

// endOthers ends what else is open: one looked at an old session, and goes on there.
func (t *tx) endOthers(but string) error {
	var open []string
	ended := 0
	for s, err := range t.Sessions(t.a.id) {
		if err != nil {
			return err
		}
		if s.State != memory.SessionActive {
			if ended++; ended == sweptAlong {
				break
			}
			continue
		}
		if ended = 0; s.ID != but {
			open = append(open, s.ID)
		}
	}
	for _, id := range open {
		if err := t.archive(id); err != nil {
			return err
		}
	}
	return nil
}

// beside is the session beside the old one in which a message goes on: that which it
// came from where there is something left of it, or a new one.
func (t *tx) beside(r memory.Record) (memory.Session, error) {
	if was := r.Judgement.From; was != nil && was.SessionID != r.SessionID {
		if s, err := t.openSession(was.SessionID, "", r); !lacking(err) {
			return s, err
		}
	}
	s, err := t.openSession("", "", r)
	s.CreatedAt = r.Timestamp
	return s, err
}

// behind are the ids of a message and of all that hangs from it in its session, and the
// newest record beside them.
func (t *tx) behind(first memory.Record) (ids map[string]bool, beside string, err error) {
	nodes, err := t.Tree(t.a.id, first.SessionID)
	ids = map[string]bool{first.ID: true}
	for _, n := range nodes {
		if ids[n.Parent] {
			ids[n.ID] = true
		} else if n.ID != first.ID {
			beside = n.ID
		}
	}
	return ids, beside, err
}

// moveHeard moves what a member of a group has of messages that have moved there.
func (t *tx) moveHeard(ids map[string]bool, came time.Time, from string, group memory.Session) error {
	was, err := t.Session(t.a.id, from)
	if errors.Is(err, ErrNotFound) {
		return nil // it joined later
	}
	if err != nil {
		return err
	}
	var first memory.Record
	for r, err := range t.RecordsOf(t.a.id, from) {
		if err != nil {
			return err
		}
		if ids[r.ID] {
			first = r
			break
		}
	}
	if first.ID == "" {
		return nil // it left before
	}
	if err := t.activate(&was); err != nil {
		return err
	}
	to, err := t.heardSession(group, first)
	if err != nil {
		return err
	}
	return t.move(first, came, &was, &to)
}

// move moves a message and all that hangs from it from one open session to another, and
// ends the first, or removes it when nothing is left of it. The message came there at a
// time.
func (t *tx) move(first memory.Record, came time.Time, from, to *memory.Session) error {
	about, err := t.aboutMove(first, *from, *to)
	if err != nil {
		return err
	}
	parent := to.LastRecordID
	if j := first.Judgement; j != nil && j.From != nil && j.From.SessionID == to.ID && j.From.End == parent {
		parent = j.From.ParentID
	}
	stood := memory.Stood{SessionID: from.ID, ParentID: first.ParentID, Root: first.Root, End: from.LastRecordID}
	if about.used {
		stood.End = cmp.Or(first.ParentID, about.parent) // also when that is deleted
	}
	if stood.End == "" && !first.Root { // what is left began beside it
		stood.End = about.beside
	}
	moved, left, err := t.MoveRecords(store.Moving{
		Agent: t.a.id, From: from.ID, First: first.ID, To: to.ID, Parent: parent, Shift: about.shift(),
		Edit: func(r *memory.Record) {
			if r.ID == first.ID && r.Judgement != nil { // a member has no words of it
				j := *r.Judgement
				j.Overruled, j.OverruledAt, j.From = !j.Overruled, t.Now(), &stood
				r.Judgement = &j
			}
		},
	})
	if err != nil {
		return err
	}
	t.count(from, moved, -1)
	t.count(to, moved, +1)
	if !left {
		to.LearnIn, to.LearnOut = to.LearnIn+from.LearnIn, to.LearnOut+from.LearnOut
	}
	to.LastRecordID = moved[len(moved)-1].ID
	if about.used {
		to.LastRecordID = about.end
	}
	turns, ids := map[string]bool{}, map[string]bool{}
	for _, r := range moved {
		turns[r.TurnID], ids[r.ID] = true, true
		if r.Timestamp.After(to.LastMessageAt) {
			to.LastMessageAt = r.Timestamp
		}
	}
	silencedAlong(from, to, ids)
	if about.has {
		to.Kept = nil
		err = t.SetWorking(t.a.id, about.along(turns))
	}
	err = errors.Join(err, t.dropConsolidations(from.ID), t.PutSession(*to), t.reparent(from.ID, to.ID, ids))
	if err != nil || !left {
		return errors.Join(err, t.DropSession(*from))
	}
	if about.has {
		err = t.stayBehind(from, about, turns)
	}
	return errors.Join(err, t.unsummariseSince(from, came), t.shorten(from, stood.End), t.titleBehind(from.ID, moved))
}

// silencedAlong moves the words of deleted memories that are not to be condensed into
// others (D2).
func silencedAlong(from, to *memory.Session, moved map[string]bool) {
	var stay []memory.Evidence
	to.Silenced = slices.Clip(to.Silenced)
	for _, ev := range from.Silenced {
		if !moved[ev.RecordID] {
			stay = append(stay, ev)
			continue
		}
		ev.SessionID = to.ID
		to.Silenced = append(to.Silenced, ev)
	}
	from.Silenced = stay
}

// unsummariseSince destroys the summaries in which words may stand that came at a time
// and are not in the session any more: nothing else would when those are deleted.
func (t *tx) unsummariseSince(s *memory.Session, at time.Time) error {
	for v := s.Summaries; v > 0; v-- {
		sum, err := t.Summary(t.a.id, s.ID, v)
		if err == nil && sum.CreatedAt.After(at) {
			return t.Unsummarise(t.a.id, s)
		}
		if err != nil && !lacking(err) {
			return err
		}
	}
	return nil
}

// reparent lets the sessions that were forked from moved messages name the session
// that these are in now.
func (t *tx) reparent(from, to string, ids map[string]bool) error {
	var forks []memory.Session
	for s, err := range t.Sessions(t.a.id) {
		if err != nil {
			return err
		}
		if f := s.ForkedFrom; f != nil && f.SessionID == from && ids[f.RecordID] {
			forks = append(forks, s)
		}
	}
	for _, s := range forks {
		f := *s.ForkedFrom
		f.SessionID, s.ForkedFrom = to, &f
		if err := t.PutSession(s); err != nil {
			return err
		}
	}
	return nil
}

// titleBehind gives a session another title when its own is of a message that has
// moved away: nothing else would when that is deleted (D2).
func (t *tx) titleBehind(session string, moved []memory.Record) error {
	s, err := t.Session(t.a.id, session)
	if err != nil || s.Named || s.Title == "" {
		return err
	}
	for _, r := range moved {
		if r.Role != memory.RoleUser {
			continue
		}
		said, err := t.Record(t.a.id, r.ID) // a member has no words of it
		if err != nil {
			return err
		}
		said = t.m.recall.Fetch(said)
		if !t.m.titledBy(s, said) {
			continue
		}
		if s.Title, err = t.firstTitle(s); err != nil {
			return err
		}
		return t.PutSession(s)
	}
	return nil
}

// count adds records to what a session counts, or takes them away. In a group a
// member counts the tokens of its own answers.
func (t *tx) count(s *memory.Session, records []memory.Record, sign int) {
	for _, r := range records {
		s.Messages += sign
		if r.Role == memory.RoleUser {
			s.Turns += sign
		}
		u := r.Usage
		if r.Heard != "" && r.Sender == t.a.id {
			if said, err := t.Record(t.a.id, r.ID); err == nil {
				u = said.Usage
			}
		}
		if u != nil {
			s.TokensIn += sign * u.PromptTokens
			s.TokensOut += sign * u.CompletionTokens
		}
	}
}

// shorten ends a session that messages have left: its branch ends where it would
// without them.
func (t *tx) shorten(s *memory.Session, end string) error {
	rest, err := t.LastRecords(t.a.id, s.ID, 1)
	if err != nil {
		return err
	}
	s.LastRecordID = end
	for _, r := range rest {
		s.LastMessageAt = r.Timestamp
	}
	for _, reach := range []*memory.Reach{&s.Covered, &s.CoveredBefore} {
		if reach.Turns > s.Turns {
			*reach = memory.Reach{Turns: s.Turns, To: s.LastRecordID}
		}
	}
	return errors.Join(t.PutSession(*s), t.archive(s.ID))
}

package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// Overrule reverses the judgement of a message (S3), in one write. A message taken for a
// new topic continues the session that had timed out, which is reopened. A message taken
// for a part of the old session starts a session of its own. The message moves with its
// descendants, what they taught and what was sent; other branches stay. The original
// session is then as if the message had never been there. Other open sessions end.
//
// Overruling again reverts it: the message returns to its old position if nothing was
// said there since, and else to the end. It returns the session that the message is now
// in. The error is memory.ErrInvalid if nothing was judged, and ErrNotFound if the old session
// is deleted.
func (m *Manager) Overrule(ctx context.Context, agentID, recordID string) (memory.Session, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return memory.Session{}, err
	}
	var to memory.Session
	err = m.Update(ctx, a, func(t *write.Tx) error {
		to, err = overrule(t, recordID)
		return err
	})
	if err != nil {
		return memory.Session{}, fmt.Errorf("overruling a judgement: %w", err)
	}
	return to, nil
}

func overrule(t *write.Tx, recordID string) (to memory.Session, err error) {
	r, err := t.Record(t.Owner.ID, recordID)
	if err != nil {
		return to, err
	}
	if r.Judgement == nil {
		return to, fmt.Errorf("%w: where this message belongs was not judged", memory.ErrInvalid)
	}
	// Both sessions' generations are rolled back before anything moves.
	from, err := openSession(t, r.SessionID, "", r)
	if err != nil {
		return to, err
	}
	if r.Judgement.InOld() {
		to, err = splitTarget(t, r)
	} else if to, err = openSession(t, r.Judgement.SessionID, "", r); lookup.Lacking(err) {
		err = fmt.Errorf("the earlier session is deleted: %w", err)
	}
	if err != nil {
		return to, err
	}
	came := r.Timestamp
	if at := r.Judgement.OverruledAt; !at.IsZero() {
		came = at
	}
	heard, _, err := descendants(t, r)
	if err == nil {
		err = moveRecords(t, r, came, &from, &to)
	}
	for _, h := range t.HearerTx {
		if err == nil {
			err = moveForMember(h, heard, came, from.ID, to)
		}
	}
	if err == nil {
		err = archiveOthers(t, to.ID)
	}
	if err == nil {
		to, err = t.Session(t.Owner.ID, to.ID)
	}
	return to, err
}

// archiveOthers archives the other open sessions.
func archiveOthers(t *write.Tx, but string) error {
	var open []string
	ended := 0
	for s, err := range t.Sessions(t.Owner.ID) {
		if err != nil {
			return err
		}
		if s.State != memory.SessionActive {
			if ended++; ended == sweepStop {
				break
			}
			continue
		}
		if ended = 0; s.ID != but {
			open = append(open, s.ID)
		}
	}
	for _, id := range open {
		if err := archiveSession(t, id); err != nil {
			return err
		}
	}
	return nil
}

// splitTarget returns the session that a message moves to from the old one: the one it
// came from, if something is left there, or a new one.
func splitTarget(t *write.Tx, r memory.Record) (memory.Session, error) {
	if was := r.Judgement.From; was != nil && was.SessionID != r.SessionID {
		if s, err := openSession(t, was.SessionID, "", r); !lookup.Lacking(err) {
			return s, err
		}
	}
	s, err := openSession(t, "", "", r)
	s.CreatedAt = r.Timestamp
	return s, err
}

// descendants returns the ids of a message and its descendants in its session, and the
// newest other record.
func descendants(t *write.Tx, first memory.Record) (ids map[string]bool, beside string, err error) {
	nodes, err := t.Tree(t.Owner.ID, first.SessionID)
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

// moveForMember moves a member's references to messages that were moved in the group.
func moveForMember(t *write.Tx, ids map[string]bool, came time.Time, from string, group memory.Session) error {
	was, err := t.Session(t.Owner.ID, from)
	if errors.Is(err, lookup.ErrNotFound) {
		return nil // joined later
	}
	if err != nil {
		return err
	}
	var first memory.Record
	for r, err := range t.RecordsOf(t.Owner.ID, from) {
		if err != nil {
			return err
		}
		if ids[r.ID] {
			first = r
			break
		}
	}
	if first.ID == "" {
		return nil // left before
	}
	if err := activate(t, &was); err != nil {
		return err
	}
	to, err := memberSession(t, group, first)
	if err != nil {
		return err
	}
	return moveRecords(t, first, came, &was, &to)
}

// moveRecords moves a message with its descendants between two open sessions. It ends the first,
// or removes it if empty. came is when the message entered the first.
func moveRecords(t *write.Tx, first memory.Record, came time.Time, from, to *memory.Session) error {
	about, err := workingOfMove(t, first, *from, *to)
	if err != nil {
		return err
	}
	parent := to.LastRecordID
	if j := first.Judgement; j != nil && j.From != nil && j.From.SessionID == to.ID && j.From.End == parent {
		parent = j.From.ParentID
	}
	stood := memory.Stood{SessionID: from.ID, ParentID: first.ParentID, Root: first.Root, End: from.LastRecordID}
	if about.inUse {
		stood.End = cmp.Or(first.ParentID, about.parent) // also if it was deleted
	}
	if stood.End == "" && !first.Root { // without a parent: the newest record that stays
		stood.End = about.newestLeft
	}
	moved, left, err := t.MoveRecords(store.Moving{
		Agent: t.Owner.ID, From: from.ID, First: first.ID, To: to.ID, Parent: parent, Shift: about.shift(),
		Edit: func(r *memory.Record) {
			if r.ID == first.ID && r.Judgement != nil { // references have no judgement
				j := *r.Judgement
				j.Overruled, j.OverruledAt, j.From = !j.Overruled, t.Now(), &stood
				r.Judgement = &j
			}
		},
	})
	if err != nil {
		return err
	}
	countMoved(t, from, moved, -1)
	countMoved(t, to, moved, +1)
	if !left {
		to.LearnIn, to.LearnOut = to.LearnIn+from.LearnIn, to.LearnOut+from.LearnOut
	}
	to.LastRecordID = moved[len(moved)-1].ID
	if about.inUse {
		to.LastRecordID = about.end
	}
	turns, ids := map[string]bool{}, map[string]bool{}
	for _, r := range moved {
		turns[r.TurnID], ids[r.ID] = true, true
		if r.Timestamp.After(to.LastMessageAt) {
			to.LastMessageAt = r.Timestamp
		}
	}
	moveIgnored(from, to, ids)
	if about.found {
		to.Kept = nil
		err = t.SetWorking(t.Owner.ID, about.atTarget(turns))
	}
	err = errors.Join(err, learning.DropConsolidations(t, from.ID), t.PutSession(*to), reparent(t, from.ID, to.ID, ids))
	if err != nil || !left {
		return errors.Join(err, t.DropSession(*from))
	}
	if about.found {
		err = writeSource(t, from, about, turns)
	}
	return errors.Join(err, dropSummariesSince(t, from, came), shorten(t, from, stood.End), retitleMoved(t, from.ID, moved))
}

// moveIgnored moves the ignored quotes of moved records, so that they stay out of
// summaries (D2).
func moveIgnored(from, to *memory.Session, moved map[string]bool) {
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

// dropSummariesSince destroys a session's summaries if one was created after the time at.
// They may contain words of messages that have moved away, whose deletion would not reach
// them.
func dropSummariesSince(t *write.Tx, s *memory.Session, at time.Time) error {
	for v := s.Summaries; v > 0; v-- {
		sum, err := t.Summary(t.Owner.ID, s.ID, v)
		if err == nil && sum.CreatedAt.After(at) {
			return t.Unsummarise(t.Owner.ID, s)
		}
		if err != nil && !lookup.Lacking(err) {
			return err
		}
	}
	return nil
}

// reparent updates the sessions that were forked from moved messages.
func reparent(t *write.Tx, from, to string, ids map[string]bool) error {
	var forks []memory.Session
	for s, err := range t.Sessions(t.Owner.ID) {
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

// retitleMoved replaces a session's title if it was made from a moved message, whose
// deletion would not reach it (D2).
func retitleMoved(t *write.Tx, session string, moved []memory.Record) error {
	s, err := t.Session(t.Owner.ID, session)
	if err != nil || s.Named || s.Title == "" {
		return err
	}
	for _, r := range moved {
		if r.Role != memory.RoleUser {
			continue
		}
		said, err := t.Record(t.Owner.ID, r.ID) // references have no words
		if err != nil {
			return err
		}
		said = t.Core.Recall().Fetch(said)
		if !t.Core.TitledBy(s, said) {
			continue
		}
		if s.Title, err = firstTitle(t, s); err != nil {
			return err
		}
		return t.PutSession(s)
	}
	return nil
}

// countMoved adds (sign 1) or subtracts (-1) records in a session's counts. In a group, a
// member counts only the tokens of its own answers.
func countMoved(t *write.Tx, s *memory.Session, records []memory.Record, sign int) {
	for _, r := range records {
		s.Messages += sign
		if r.Role == memory.RoleUser {
			s.Turns += sign
		}
		u := r.Usage
		if r.Heard != "" && r.Sender == t.Owner.ID {
			if said, err := t.Record(t.Owner.ID, r.ID); err == nil {
				u = said.Usage
			}
		}
		if u != nil {
			s.TokensIn += sign * u.PromptTokens
			s.TokensOut += sign * u.CompletionTokens
		}
	}
}

// shorten archives a session that lost messages, with its branch ending at end.
func shorten(t *write.Tx, s *memory.Session, end string) error {
	rest, err := t.LastRecords(t.Owner.ID, s.ID, 1)
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
	return errors.Join(t.PutSession(*s), archiveSession(t, s.ID))
}

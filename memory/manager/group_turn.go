package manager

import (
	"errors"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

// shareMessage lets the members hear a new user message in their copies of the session. A
// member without an active copy starts one, or reopens it with its memories rolled back
// (S5). It returns the members' working memories. Outside a group it does nothing.
func shareMessage(t *write.Tx, s memory.Session, r memory.Record) (map[string]memory.Working, error) {
	members, err := t.Members()
	if err != nil || members == nil {
		return nil, err
	}
	out := map[string]memory.Working{}
	for _, m := range members {
		mine, err := memberSession(m, s, r)
		if err != nil {
			return nil, err
		}
		mine.Turns++
		w, err := countTurn(m, mine)
		if err != nil {
			return nil, err
		}
		mine.Kept = nil
		if err := errors.Join(addReference(m, &mine, r), queueRules(m, r)); err != nil {
			return nil, err
		}
		out[m.Owner.ID] = w
	}
	return out, nil
}

// memberSession returns a member's open copy of a session.
func memberSession(t *write.Tx, s memory.Session, first memory.Record) (memory.Session, error) {
	mine, err := t.Session(t.Owner.ID, s.ID)
	if errors.Is(err, lookup.ErrNotFound) {
		mine = newSession(t, s.ID)
		if mine.Group = t.HeardIn; !first.NotForMemory {
			mine.Title = t.Core.Title(t.Core.Recall().Fetch(first).Asked())
		}
		return mine, nil
	}
	if err != nil {
		return mine, err
	}
	err = activate(t, &mine)
	return mine, err
}

// addReference appends a reference to a member's copy of a session.
func addReference(t *write.Tx, mine *memory.Session, r memory.Record) error {
	ref := r.Reference(t.Owner.ID)
	ref.ParentID = mine.LastRecordID
	mine.LastRecordID = r.ID
	if at := r.Timestamp; at.After(mine.LastMessageAt) {
		mine.LastMessageAt = at
	}
	mine.Messages++
	return errors.Join(t.AppendRecord(ref), t.PutSession(*mine))
}

// reopenForMembers reopens the members' copies of a session without a new message, and
// returns each one's working memory of the turn of r.
func reopenForMembers(t *write.Tx, s memory.Session, r memory.Record) (map[string]memory.Working, error) {
	members, err := t.Members()
	if err != nil || members == nil {
		return nil, err
	}
	out := map[string]memory.Working{}
	for _, m := range members {
		mine, err := m.Session(m.Owner.ID, s.ID)
		if errors.Is(err, lookup.ErrNotFound) {
			continue // joined later
		}
		if err == nil {
			err = activate(m, &mine)
		}
		if err != nil {
			return nil, err
		}
		if mine.Kept != nil {
			if err := m.SetWorking(m.Owner.ID, *mine.Kept); err != nil {
				return nil, err
			}
			mine.Kept = nil
		}
		w, err := m.Working(m.Owner.ID, s.ID)
		if p, perr := m.Package(m.Owner.ID, r.TurnID); perr == nil {
			w, err = m.WorkingVersion(m.Owner.ID, s.ID, p.Turn)
		}
		if err != nil && !lookup.Lacking(err) {
			return nil, err
		}
		out[m.Owner.ID] = w
		if err := m.PutSession(mine); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// shareReply lets the other members hear a member's answer. With the last answer of the
// turn it queues learning for the members who did not answer. next are the members still
// to answer. ruled means that the rules have read the message.
func shareReply(t *write.Tx, reply memory.Record, learn, ruled bool, next []string) error {
	members, err := t.Members()
	if err != nil {
		return err
	}
	for _, m := range members {
		mine, err := m.Session(m.Owner.ID, reply.SessionID)
		if errors.Is(err, lookup.ErrNotFound) {
			continue // joined after the question
		}
		if err == nil {
			err = activate(m, &mine)
		}
		if err == nil {
			err = addReference(m, &mine, reply)
		}
		if err != nil {
			return err
		}
		if m.Owner.ID != reply.Sender {
			continue
		}
		if u := reply.Usage; u != nil {
			mine.TokensIn += u.PromptTokens
			mine.TokensOut += u.CompletionTokens
		}
		if err := errors.Join(touchProfile(m, reply.TurnID), m.PutSession(mine)); err != nil {
			return err
		}
		if learn {
			if err := queueAnalysis(m, mine, reply, analysed{ruled: ruled}); err != nil {
				return err
			}
		}
	}
	if len(next) > 0 {
		return storeEmptyPartial(t, reply, next[0], !learn)
	}
	if !learn {
		return nil
	}
	return queueForListeners(t, members, reply, ruled)
}

// queueForListeners queues learning from the user's message for the members who heard it
// and did not answer.
func queueForListeners(t *write.Tx, members []*write.Tx, last memory.Record, ruled bool) error {
	var said memory.Record
	var spoke []string
	for r, err := range t.Path(t.Owner.ID, last.ID) {
		if err != nil {
			return err
		}
		if r.TurnID == last.TurnID && r.Role == memory.RoleUser {
			said = r
			break
		}
		if r.TurnID == last.TurnID {
			spoke = append(spoke, r.Sender)
		}
	}
	if said.ID == "" { // deleted
		return nil
	}
	for _, m := range members {
		if slices.Contains(spoke, m.Owner.ID) {
			continue
		}
		mine, err := m.Session(m.Owner.ID, said.SessionID)
		if errors.Is(err, lookup.ErrNotFound) {
			continue
		}
		var heard bool
		if err == nil {
			heard, err = m.HasRecord(m.Owner.ID, said.ID)
		}
		if err == nil && heard {
			err = queueAnalysis(m, mine, said, analysed{ruled: ruled})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// endForMembers ends the hearers' copies of a session. Each member condenses its own.
func endForMembers(t *write.Tx, session string) error {
	for _, h := range t.HearerTx {
		if err := archiveSession(h, session); err != nil {
			return err
		}
	}
	return nil
}

// endHeardSessions ends the sessions that an agent heard in a group that it leaves.
func endHeardSessions(t *write.Tx) error {
	var open []string
	for s, err := range t.Sessions(t.Owner.ID) {
		if err != nil {
			return err
		}
		if s.Group == t.HeardIn && s.State == memory.SessionActive {
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

package manager

import (
	"errors"
	"slices"

	"memoria/memory"
)

// tell lets the members of a group hear a message of the user that was just begun,
// each in what it has of the session; who has nothing of it, or only what has ended,
// begins it, or goes on with its memories rolled back (S5). It returns the working
// memories. Where there is no group nothing happens.
func (t *tx) tell(s memory.Session, r memory.Record) (map[string]memory.Working, error) {
	members, err := t.members()
	if err != nil || members == nil {
		return nil, err
	}
	out := map[string]memory.Working{}
	for _, m := range members {
		mine, err := m.heardSession(s, r)
		if err != nil {
			return nil, err
		}
		mine.Turns++
		w, err := m.countTurn(mine)
		if err != nil {
			return nil, err
		}
		mine.Kept = nil
		if err := errors.Join(m.hear(&mine, r), m.queueRules(r)); err != nil {
			return nil, err
		}
		out[m.a.id] = w
	}
	return out, nil
}

// heardSession is what a member has of a session, open.
func (t *tx) heardSession(s memory.Session, first memory.Record) (memory.Session, error) {
	mine, err := t.Session(t.a.id, s.ID)
	if errors.Is(err, ErrNotFound) {
		mine = t.newSession(s.ID)
		mine.Group, mine.Title = t.group, t.m.title(t.m.recall.Fetch(first).Asked())
		return mine, nil
	}
	if err != nil {
		return mine, err
	}
	err = t.activate(&mine)
	return mine, err
}

// hear writes a reference behind what a member has of a session.
func (t *tx) hear(mine *memory.Session, r memory.Record) error {
	ref := r.Reference(t.a.id)
	ref.ParentID = mine.LastRecordID
	mine.LastRecordID = r.ID
	if at := r.Timestamp; at.After(mine.LastMessageAt) {
		mine.LastMessageAt = at
	}
	mine.Messages++
	return errors.Join(t.AppendRecord(ref), t.PutSession(*mine))
}

// reopen lets the members go on with what they have of a session, without a new
// message, and returns the working memory that each had in the turn of r.
func (t *tx) reopen(s memory.Session, r memory.Record) (map[string]memory.Working, error) {
	members, err := t.members()
	if err != nil || members == nil {
		return nil, err
	}
	out := map[string]memory.Working{}
	for _, m := range members {
		mine, err := m.Session(m.a.id, s.ID)
		if errors.Is(err, ErrNotFound) {
			continue // it joined later
		}
		if err == nil {
			err = m.activate(&mine)
		}
		if err != nil {
			return nil, err
		}
		if mine.Kept != nil {
			if err := m.SetWorking(m.a.id, *mine.Kept); err != nil {
				return nil, err
			}
			mine.Kept = nil
		}
		w, err := m.Working(m.a.id, s.ID)
		if p, perr := m.Package(m.a.id, r.TurnID); perr == nil {
			w, err = m.WorkingVersion(m.a.id, s.ID, p.Turn)
		}
		if err != nil && !lacking(err) {
			return nil, err
		}
		out[m.a.id] = w
		if err := m.PutSession(mine); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// tellReply lets the members hear the answer of one of them. With the last answer of
// the turn, what it teaches is queued for those who gave none. next are those who
// still answer; ruled says that the rules have read the message.
func (t *tx) tellReply(reply memory.Record, learn, ruled bool, next []string) error {
	members, err := t.members()
	if err != nil {
		return err
	}
	for _, m := range members {
		mine, err := m.Session(m.a.id, reply.SessionID)
		if errors.Is(err, ErrNotFound) {
			continue // it joined after the question
		}
		if err == nil {
			err = m.activate(&mine)
		}
		if err == nil {
			err = m.hear(&mine, reply)
		}
		if err != nil {
			return err
		}
		if m.a.id != reply.Sender {
			continue
		}
		if u := reply.Usage; u != nil {
			mine.TokensIn += u.PromptTokens
			mine.TokensOut += u.CompletionTokens
		}
		if err := errors.Join(m.touchProfile(reply.TurnID), m.PutSession(mine)); err != nil {
			return err
		}
		if learn {
			if err := m.queueAnalysis(mine, reply, analysed{ruled: ruled}); err != nil {
				return err
			}
		}
	}
	if len(next) > 0 {
		return t.unanswered(reply, next[0], !learn)
	}
	if !learn {
		return nil
	}
	return t.teachHearers(members, reply, ruled)
}

// teachHearers queues what a turn teaches those members who heard it and did not
// answer: the user's message alone.
func (t *tx) teachHearers(members []*tx, last memory.Record, ruled bool) error {
	var said memory.Record
	var spoke []string
	for r, err := range t.Path(t.a.id, last.ID) {
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
	if said.ID == "" { // it was deleted
		return nil
	}
	for _, m := range members {
		if slices.Contains(spoke, m.a.id) {
			continue
		}
		mine, err := m.Session(m.a.id, said.SessionID)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		var heard bool
		if err == nil {
			heard, err = m.HasRecord(m.a.id, said.ID)
		}
		if err == nil && heard {
			err = m.queueAnalysis(mine, said, analysed{ruled: ruled})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// endHeard ends what the hearers of a group have of a session: each condenses its own.
func (t *tx) endHeard(session string) error {
	for _, h := range t.hearers {
		if err := h.archive(session); err != nil {
			return err
		}
	}
	return nil
}

// leave ends what an agent heard in a group that it leaves.
func (t *tx) leave() error {
	var open []string
	for s, err := range t.Sessions(t.a.id) {
		if err != nil {
			return err
		}
		if s.Group == t.group && s.State == memory.SessionActive {
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

// follows reports whether a turn is the last of what an agent heard of a session:
// behind its own answer others may have spoken.
func (t *tx) follows(s memory.Session, turn string) (bool, error) {
	if s.Group == "" {
		return false, nil
	}
	last, err := t.Record(t.a.id, s.LastRecordID)
	if lacking(err) {
		return false, nil
	}
	return last.TurnID == turn, err
}

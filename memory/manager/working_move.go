package manager

import (
	"cmp"
	"errors"
	"maps"

	"memoria/memory"
)

// about is what two sessions are about between which turns move.
type movedWorking struct {
	was, before, target memory.Working
	found               bool   // was and before are there
	inUse               bool   // the branch in use is among what moves
	end                 string // of that
	parent              string // the record before the first that moves; empty: none
	newestLeft          string // the newest record that stays; empty: none
}

// aboutMove is what two sessions are about between which a message and what hangs from
// it are to move.
func (t *tx) workingOfMove(first memory.Record, from, to memory.Session) (a movedWorking, err error) {
	a.was, _, err = t.working(from.ID)
	if err != nil && !lacking(err) {
		return a, err
	}
	a.found = err == nil
	if a.before, err = t.workingSeenBy(first, a.was); err != nil {
		return a, err
	}
	a.target, _, err = t.working(to.ID)
	if lacking(err) {
		a.target = memory.Working{SessionID: to.ID, ContextVariables: map[string]string{}, CreatedAt: first.Timestamp}
	} else if err != nil {
		return a, err
	}
	if _, a.newestLeft, err = t.descendants(first); err != nil {
		return a, err
	}
	for r, err := range t.Path(t.a.id, from.LastRecordID) {
		if err != nil {
			return a, err
		}
		if a.end = cmp.Or(a.end, r.ID); r.ID == first.ID {
			a.inUse = true
		} else if a.inUse {
			a.parent = r.ID
			break
		}
	}
	return a, nil
}

// shift is what is added to the number of a turn that moves.
func (a movedWorking) shift() int { return a.target.TurnCount - a.before.TurnCount }

// along is what the session is about that turns have moved to. Of a branch that was not
// in use nothing is known but what its turns were sent.
func (a movedWorking) atTarget(turns map[string]bool) memory.Working {
	if a.inUse {
		return mergeMoved(a.target, a.was, a.before, turns, a.shift())
	}
	out := a.target
	out.TurnCount = max(out.TurnCount, a.was.TurnCount+a.shift())
	return out
}

// stayBehind writes what the session is about that turns have left.
func (t *tx) writeSource(from *memory.Session, a movedWorking, turns map[string]bool) error {
	stays := a.was
	if a.inUse {
		stays = withoutMoved(a.was, a.before, turns)
	}
	// No two turns of a session have the same number.
	sent, err := t.Packages(t.a.id, from.ID)
	for _, p := range sent {
		stays.TurnCount = max(stays.TurnCount, p.Turn)
	}
	if from.Kept != nil {
		from.Kept = &stays
		return err
	}
	return errors.Join(err, t.SetWorking(t.a.id, stays))
}

// seenBy is the working memory that the turn of a message saw, without its count.
// Where that is not kept it is was, as far back as the session has turns since.
func (t *tx) workingSeenBy(r memory.Record, was memory.Working) (memory.Working, error) {
	p, err := t.Package(t.a.id, r.TurnID)
	if err == nil {
		var w memory.Working
		if w, err = t.WorkingVersion(t.a.id, r.SessionID, p.Turn); err == nil {
			w.TurnCount = p.Turn - 1
			return w, nil
		}
	}
	if !lacking(err) {
		return was, err
	}
	since := 0
	for o, err := range t.RecordsOf(t.a.id, r.SessionID) {
		if err != nil {
			return was, err
		}
		if o.Role == memory.RoleUser && (since > 0 || o.ID == r.ID) {
			since++
		}
	}
	was.TurnCount = max(0, was.TurnCount-since)
	return was, nil
}

// goesAlong is working memory of the session that turns have moved to: what they
// found out comes over what it knew.
func mergeMoved(there, was, before memory.Working, turns map[string]bool, shift int) memory.Working {
	out := there
	out.ContextVariables, out.From = maps.Clone(there.ContextVariables), maps.Clone(there.From)
	if out.ContextVariables == nil {
		out.ContextVariables = map[string]string{}
	}
	if out.From == nil {
		out.From = map[string]string{}
	}
	for name, value := range was.ContextVariables {
		if v, ok := before.ContextVariables[name]; ok && v == value && !turns[was.From[name]] {
			continue // it was known before
		}
		out.ContextVariables[name] = value
		if from := was.From[name]; from != "" {
			out.From[name] = from
		}
	}
	if was.CurrentTopic != "" && before.CurrentTopic != was.CurrentTopic {
		if out.CurrentTopic = was.CurrentTopic; was.From[memory.FieldTopic] != "" {
			out.From[memory.FieldTopic] = was.From[memory.FieldTopic]
		}
	}
	if was.LastEmotion != "" {
		out.LastEmotion = was.LastEmotion
	}
	if was.EditedAt.After(out.EditedAt) {
		out.EditedAt = was.EditedAt
	}
	out.SessionID, out.TurnCount, out.UpdatedAt = there.SessionID, was.TurnCount+shift, was.UpdatedAt
	return out
}

// staysBehind is working memory of the session that turns have left: as the first of
// them saw it, but for what the user wrote since.
func withoutMoved(was, before memory.Working, turns map[string]bool) memory.Working {
	if !was.EditedAt.After(before.UpdatedAt) {
		before.EditedAt = was.EditedAt
		return before
	}
	out := was
	out.TurnCount = before.TurnCount
	out.ContextVariables, out.From = maps.Clone(was.ContextVariables), maps.Clone(was.From)
	for name, turn := range was.From {
		if turns[turn] {
			delete(out.ContextVariables, name)
			delete(out.From, name)
		}
	}
	if turns[was.From[memory.FieldTopic]] {
		out.CurrentTopic = before.CurrentTopic
	}
	return out
}

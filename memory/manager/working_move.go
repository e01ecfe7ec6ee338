package manager

import (
	"cmp"
	"errors"
	"maps"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

// movedWorking holds the working memories of two sessions between which turns move.
type movedWorking struct {
	was, before, target memory.Working
	found               bool   // was and before exist
	inUse               bool   // the branch in use is moved
	end                 string // end of that branch
	parent              string // the parent of the first moved record; empty if none
	newestLeft          string // the newest record that stays; empty if none
}

// workingOfMove reads the working memories of two sessions before a message moves with
// its descendants.
func workingOfMove(t *write.Tx, first memory.Record, from, to memory.Session) (a movedWorking, err error) {
	a.was, _, err = write.WorkingOf(t, from.ID)
	if err != nil && !lookup.Lacking(err) {
		return a, err
	}
	a.found = err == nil
	if a.before, err = workingSeenBy(t, first, a.was); err != nil {
		return a, err
	}
	a.target, _, err = write.WorkingOf(t, to.ID)
	if lookup.Lacking(err) {
		a.target = memory.Working{SessionID: to.ID, ContextVariables: map[string]string{}, CreatedAt: first.Timestamp}
	} else if err != nil {
		return a, err
	}
	if _, a.newestLeft, err = descendants(t, first); err != nil {
		return a, err
	}
	for r, err := range t.Path(t.Owner.ID, from.LastRecordID) {
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

// shift is the offset added to the numbers of moved turns.
func (a movedWorking) shift() int { return a.target.TurnCount - a.before.TurnCount }

// atTarget returns the working memory of the target session. For a branch not in use,
// only what its turns were sent is known.
func (a movedWorking) atTarget(turns map[string]bool) memory.Working {
	if a.inUse {
		return mergeMoved(a.target, a.was, a.before, turns, a.shift())
	}
	out := a.target
	out.TurnCount = max(out.TurnCount, a.was.TurnCount+a.shift())
	return out
}

// writeSource writes the working memory of the session that the turns left.
func writeSource(t *write.Tx, from *memory.Session, a movedWorking, turns map[string]bool) error {
	stays := a.was
	if a.inUse {
		stays = withoutMoved(a.was, a.before, turns)
	}
	// Turn numbers are unique within a session.
	sent, err := t.Packages(t.Owner.ID, from.ID)
	for _, p := range sent {
		stays.TurnCount = max(stays.TurnCount, p.Turn)
	}
	if from.Kept != nil {
		from.Kept = &stays
		return err
	}
	return errors.Join(err, t.SetWorking(t.Owner.ID, stays))
}

// workingSeenBy returns the working memory that a message's turn saw, with the count
// before it. If that is not kept, it is derived from was, by the number of turns since.
func workingSeenBy(t *write.Tx, r memory.Record, was memory.Working) (memory.Working, error) {
	p, err := t.Package(t.Owner.ID, r.TurnID)
	if err == nil {
		var w memory.Working
		if w, err = t.WorkingVersion(t.Owner.ID, r.SessionID, p.Turn); err == nil {
			w.TurnCount = p.Turn - 1
			return w, nil
		}
	}
	if !lookup.Lacking(err) {
		return was, err
	}
	since := 0
	for o, err := range t.RecordsOf(t.Owner.ID, r.SessionID) {
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

// mergeMoved returns the target's working memory with the findings of the moved turns
// merged over it.
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
			continue // known before
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

// withoutMoved returns the source's working memory as the first moved turn saw it, with
// the user's later edits.
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

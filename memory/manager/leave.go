package manager

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/store"
)

// ErrEnded says that a session has ended: sending in it opens it again.
var ErrEnded = fmt.Errorf("%w: the session has ended; a message in it opens it again", ErrInvalid)

// LeftTurns is what became of turns that a session's branch does not go through any
// more, because the last was undone or a message was edited. The messages stay, in
// a branch of their own; what they had taught is taken back as by UndoTurn (P9).
type LeftTurns struct {
	SessionID string
	Message   memory.Record // the first of the user that was left
	Turns     int
	Undone    Undone // what they had taught; undoing Undone.ID brings it back

	from, to string          // where the branch ended and ends
	working  *memory.Working // as it was; nil: there was none
	jobs     []store.Job     // what was still to be learned from them
}

// UndoLastTurn lets a running session's branch end before the last message of the
// user, and takes back what that turn taught; what its analyses wrote into working
// memory goes too. Nothing is deleted: [Manager.RedoTurn] and [Manager.StepBranch]
// lead back. All of it is one write. The error is ErrNotFound when there is no turn
// of the session's own, ErrEnded when it is not running.
func (m *Manager) UndoLastTurn(_ context.Context, agentID, sessionID string) (LeftTurns, memory.Session, error) {
	var left LeftTurns
	s, err := m.inBranch(agentID, sessionID, func(t *tx, s *memory.Session) (err error) {
		if s.State != memory.SessionActive {
			return ErrEnded
		}
		left, err = t.leaveTo(s, "")
		return err
	})
	if err != nil {
		return LeftTurns{}, s, fmt.Errorf("undoing a turn: %w", err)
	}
	left.Message = m.fetch(left.Message)
	return left, s, nil
}

// RedoTurn takes an UndoLastTurn back, as long as nothing was said since: the branch,
// working memory, and what was learned. The error is ErrGone when it is too late.
func (m *Manager) RedoTurn(_ context.Context, agentID string, left LeftTurns) (memory.Session, error) {
	s, err := m.inBranch(agentID, left.SessionID, func(t *tx, s *memory.Session) error {
		if s.LastRecordID != left.to || left.from == "" {
			return ErrGone
		}
		s.LastRecordID = left.from
		if left.working != nil {
			if w, err := t.Working(t.a.id, s.ID); err == nil && w.EditedAt.Equal(left.working.EditedAt) {
				if err := t.SetWorking(t.a.id, *left.working); err != nil {
					return err
				}
			}
		}
		for _, j := range left.jobs {
			if err := t.PutJob(j); err != nil {
				return err
			}
		}
		if left.Undone.ID == "" {
			return nil
		}
		v := newLedger(t.Tx, t.a.id)
		c, err := v.change(left.Undone.ID)
		if lacking(err) || err == nil && c.Undone {
			return nil
		}
		if err != nil {
			return err
		}
		p, err := v.planOf(c)
		if err == nil {
			_, err = t.carryOut(p, memory.OriginUser)
		}
		return err
	})
	if errors.Is(err, ErrNotFound) {
		err = ErrGone
	}
	if err != nil {
		return s, fmt.Errorf("taking an undone turn back: %w", err)
	}
	return s, nil
}

// leaveTo lets a session's branch end before a message of the user, or before the
// last one where said is empty, and takes back what the turns from there on taught.
// When the message is not in the branch nothing happens. The caller writes the session.
func (t *tx) leaveTo(s *memory.Session, said string) (LeftTurns, error) {
	left := LeftTurns{SessionID: s.ID, from: s.LastRecordID}
	if err := t.alone(*s); err != nil {
		return left, err
	}
	var gone []memory.Record
	for r, err := range t.Path(t.a.id, s.LastRecordID) {
		if err != nil {
			return left, err
		}
		if left.Message.ID != "" { // what stands before it
			if left.to == "" && !left.Message.Root {
				left.to = r.ID
			}
			break
		}
		if r.SessionID != s.ID {
			break
		}
		if gone = append(gone, r); r.Role != memory.RoleUser {
			continue
		}
		if left.Turns++; said == "" || r.ID == said {
			left.Message, left.to = r, r.ParentID
		}
	}
	if left.Message.ID == "" {
		return LeftTurns{}, ErrNotFound
	}
	nodes, err := t.Tree(t.a.id, s.ID)
	if err != nil {
		return left, err
	}
	var turns []string
	for _, r := range gone {
		if r.Role == memory.RoleUser {
			turns = append(turns, store.TurnsOf(nodes, r)...)
		}
	}
	s.LastRecordID = left.to
	if left.working, err = t.rewind(s, left.Message.TurnID, turns); err != nil {
		return left, err
	}
	if left.jobs, err = t.dropTurnJobs(turns); err != nil {
		return left, err
	}
	left.Undone, err = t.unlearn(turns, gone)
	return left, err
}

// dropTurnJobs ends what is still to be learned from turns.
func (t *tx) dropTurnJobs(turns []string) ([]store.Job, error) {
	jobs, err := t.Jobs(t.a.id)
	jobs = slices.DeleteFunc(jobs, func(j store.Job) bool { return consolidates(j) || !slices.Contains(turns, j.TurnID) })
	for _, j := range jobs {
		err = errors.Join(err, t.DeleteJob(t.a.id, j.ID))
	}
	return jobs, err
}

// unlearn takes back what turns taught, and what a consolidation made of their
// records, as far as nobody has touched it since (P9).
func (t *tx) unlearn(turns []string, gone []memory.Record) (Undone, error) {
	var all []memory.Change
	for _, turn := range turns {
		did, err := t.TurnChanges(t.a.id, turn)
		if err != nil {
			return Undone{}, err
		}
		all = append(all, did...)
	}
	ids := make([]string, len(gone))
	for i, r := range gone {
		ids[i] = r.ID
	}
	made, err := t.ItemsFromRecords(t.a.id, ids)
	if err != nil {
		return Undone{}, err
	}
	for _, it := range made {
		if it.Generation == "" || it.State == memory.StateInactive {
			continue
		}
		did, err := t.GroupChanges(t.a.id, it.Generation)
		if err != nil {
			return Undone{}, err
		}
		for _, c := range did {
			if c.ItemID == it.ID || c.Action == memory.ActionSuperseded && c.Reason == memory.ReplacedBy(it.ID) {
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, func(x, y memory.Change) int { return strings.Compare(x.ID, y.ID) })
	all = slices.CompactFunc(all, func(x, y memory.Change) bool { return x.ID == y.ID && x.ItemID == y.ItemID })
	plan, err := newLedger(t.Tx, t.a.id).planGroup(all, nil)
	if errors.Is(err, ErrNotFound) {
		return Undone{}, nil
	}
	if err != nil {
		return Undone{}, err
	}
	return t.carryOut(plan, memory.OriginUser)
}

// rewind gives working memory the topic, variables and emotion again that it had
// before a turn. What the user corrected since stays; of that only goes what the
// turns' analyses wrote. Its count goes on: by it packages name what they showed.
// It returns working memory as it was, nil when there is none.
func (t *tx) rewind(s *memory.Session, turn string, turns []string) (*memory.Working, error) {
	w, err := t.Working(t.a.id, s.ID)
	kept := lacking(err) && s.Kept != nil
	switch {
	case kept:
		w = *s.Kept
	case lacking(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	before := t.workingAt(s.ID, turn)
	next := w
	if w.EditedAt.IsZero() || w.EditedAt.Before(before.UpdatedAt) {
		next.CurrentTopic, next.LastEmotion, next.From = before.CurrentTopic, before.LastEmotion, before.From
		next.ContextVariables = maps.Clone(before.ContextVariables)
	} else {
		next.From, next.ContextVariables = maps.Clone(w.From), maps.Clone(w.ContextVariables)
		for name, by := range w.From {
			was, had := before.ContextVariables[name]
			switch {
			case !slices.Contains(turns, by):
				continue
			case name == memory.FieldTopic:
				next.CurrentTopic = before.CurrentTopic
			case had:
				next.ContextVariables[name] = was
			default:
				delete(next.ContextVariables, name)
			}
			delete(next.From, name)
		}
	}
	if next.ContextVariables == nil {
		next.ContextVariables = map[string]string{}
	}
	next.UpdatedAt = t.Now()
	if kept {
		s.Kept = &next
		return &w, nil
	}
	return &w, t.SetWorking(t.a.id, next)
}

// edits names in a message the one whose place it takes.
const edits = "edits"

// Editing is the message r as one that takes the place of another of the user's, and
// goes on from there.
func Editing(r memory.Record, id string) memory.Record {
	r.Metadata = setting(r.Metadata, edits, id)
	return r
}

// EditedBy is the id of the message whose place an incoming one takes; empty when it
// takes none.
func EditedBy(r memory.Record) string { return r.Metadata[edits] }

// branchOff lets a message take the place of the one that it edits. When that is
// gone it is a message as any.
func (t *tx) branchOff(s *memory.Session, r *memory.Record) (*LeftTurns, error) {
	id := r.Metadata[edits]
	if id == "" {
		return nil, nil
	}
	old, err := t.Record(t.a.id, id)
	if lacking(err) || err == nil && (old.SessionID != s.ID || old.Role != memory.RoleUser) {
		r.Metadata = setting(r.Metadata, edits, "")
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	left, err := t.leaveTo(s, id)
	if errors.Is(err, ErrNotFound) { // it stands in another branch, which goes on from here
		s.LastRecordID = old.ParentID
		return nil, nil
	}
	return &left, err
}

// Fork begins a session behind a message: what was said until there is its
// beginning and lies only once, where it was. The session archive, unless it is
// empty, is archived by it as by a new session (S10). recordID may be the beginning
// or end of an id.
func (m *Manager) Fork(_ context.Context, agentID, recordID, archive string) (memory.Session, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Session{}, err
	}
	var s memory.Session
	err = m.update(a, func(t *tx) error {
		id, err := findRecordID(t.Tx, a.id, recordID)
		if err != nil {
			return err
		}
		r, err := t.Record(a.id, id)
		if err == nil && r.Heard != "" {
			err = ErrInGroup
		}
		if err == nil {
			err = t.alone(s)
		}
		if err != nil {
			return err
		}
		s = memory.Session{
			ID: t.newID(), AgentID: a.id, State: memory.SessionActive, CreatedAt: t.Now(), LastMessageAt: t.Now(),
			LastRecordID: r.ID, ForkedFrom: &memory.Fork{SessionID: r.SessionID, RecordID: r.ID},
		}
		for _, err := range t.Path(a.id, r.ID) {
			if err != nil {
				return err
			}
			s.ForkedFrom.Messages++
		}
		if archive != "" {
			if err := t.archive(archive); err != nil {
				return err
			}
		}
		return t.PutSession(s)
	})
	if err != nil {
		return memory.Session{}, fmt.Errorf("forking behind message %s: %w", recordID, err)
	}
	return s, nil
}

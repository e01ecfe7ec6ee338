package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/store"
	"memoria/memory/store/queue"
)

// ErrEnded reports that a session has ended. Sending a message reopens it.
var ErrEnded = fmt.Errorf("%w: the session has ended; a message in it opens it again", memory.ErrInvalid)

// LeftTurns describes turns that left the branch in use, because the last was undone or a
// message was edited. Their messages stay in a branch of their own; what they taught is
// undone as by UndoTurn (P9).
type LeftTurns struct {
	SessionID string
	Message   memory.Record // the first user message that left
	Turns     int
	Undone    learning.Undone // what they taught; undoing Undone.ID restores it

	from, to string          // the old and the new end of the branch
	records  []string        // all records that left, with every answer
	messages int             // the session's count before
	working  *memory.Working // as it was before; nil if there was none
	jobs     []queue.Job     // the pending jobs of the turns
}

// UndoLastTurn ends the branch of a running session before the last user message, in one
// write. It undoes what the turn taught and what its analyses wrote into working memory.
// Nothing is deleted: [Manager.RedoTurn] and [Manager.StepBranch] restore it. The error
// is ErrNotFound if the session has no turn of its own, and ErrEnded if it is not
// running.
func (m *Manager) UndoLastTurn(ctx context.Context, agentID, sessionID string) (LeftTurns, memory.Session, error) {
	var left LeftTurns
	s, err := m.editBranch(ctx, agentID, sessionID, func(t *write.Tx, s *memory.Session) (err error) {
		if s.State != memory.SessionActive {
			return ErrEnded
		}
		left, err = abandonFrom(t, s, "")
		return err
	})
	if err != nil {
		return LeftTurns{}, s, fmt.Errorf("undoing a turn: %w", err)
	}
	left.Message = m.Recall().Fetch(left.Message)
	return left, s, nil
}

// RedoTurn reverts an UndoLastTurn if nothing was said since: the branch, working memory,
// and what was learned. The error is ErrGone if it is too late or a message of the turn
// was deleted. If another message of the session was deleted, working memory stays as it
// is, because the old one may contain its words.
func (m *Manager) RedoTurn(ctx context.Context, agentID string, left LeftTurns) (memory.Session, error) {
	s, err := m.editBranch(ctx, agentID, left.SessionID, func(t *write.Tx, s *memory.Session) error {
		if s.LastRecordID != left.to || left.from == "" {
			return ErrGone
		}
		for _, id := range left.records {
			if there, err := t.HasRecord(t.Owner.ID, id); err != nil {
				return err
			} else if !there {
				return ErrGone
			}
		}
		s.LastRecordID = left.from
		if !s.Named && s.Summary == nil && !left.Message.NotForMemory && isGreeting(s.Title) {
			s.Title = t.Core.Title(left.Message.Asked())
		}
		if left.working != nil && s.Messages == left.messages {
			if w, err := t.Working(t.Owner.ID, s.ID); err == nil && w.EditedAt.Equal(left.working.EditedAt) {
				if err := t.SetWorking(t.Owner.ID, *left.working); err != nil {
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
		v := lookup.NewLedger(t.Tx, t.Owner.ID)
		c, err := v.Change(left.Undone.ID)
		if lookup.Lacking(err) || err == nil && c.Undone {
			return nil
		}
		if err != nil {
			return err
		}
		p, err := v.PlanOf(c)
		if err == nil {
			_, err = learning.ApplyPlan(t, p, memory.OriginUser)
		}
		return err
	})
	if errors.Is(err, lookup.ErrNotFound) {
		err = ErrGone
	}
	if err != nil {
		return s, fmt.Errorf("redoing a turn: %w", err)
	}
	return s, nil
}

// abandonFrom ends a session's branch before a user message, or before the last one if
// said is empty, and undoes what the turns from there taught. It does nothing if the
// message is not in the branch. The caller writes the session.
func abandonFrom(t *write.Tx, s *memory.Session, said string) (LeftTurns, error) {
	left := LeftTurns{SessionID: s.ID, from: s.LastRecordID, messages: s.Messages}
	if err := t.RefuseBranching(*s); err != nil {
		return left, err
	}
	var gone []memory.Record
	for r, err := range t.Path(t.Owner.ID, s.LastRecordID) {
		if err != nil {
			return left, err
		}
		if left.Message.ID != "" { // its predecessor
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
		return LeftTurns{}, lookup.ErrNotFound
	}
	nodes, err := t.Tree(t.Owner.ID, s.ID)
	if err != nil {
		return left, err
	}
	var turns []string
	for _, r := range gone {
		if r.Role == memory.RoleUser {
			turns = append(turns, store.TurnsOf(nodes, r)...)
		}
		left.records = append(left.records, r.ID)
	}
	for _, n := range nodes { // including answers outside the branch
		if slices.Contains(turns, n.TurnID) && !slices.Contains(left.records, n.ID) {
			left.records = append(left.records, n.ID)
		}
	}
	s.LastRecordID = left.to
	if !s.Named && s.Summary == nil && left.to != "" && t.Core.TitledBy(*s, t.Core.Recall().Fetch(left.Message)) {
		if s.Title, err = firstTitle(t, *s); err != nil { // a greeting before it
			return left, err
		}
	}
	if left.working, err = rewindWorking(t, s, left.Message.TurnID, turns); err != nil {
		return left, err
	}
	if left.jobs, err = dropTurnJobs(t, turns); err != nil {
		return left, err
	}
	left.Undone, err = unlearn(t, turns, gone)
	return left, err
}

// dropTurnJobs removes and returns the pending jobs of turns.
func dropTurnJobs(t *write.Tx, turns []string) ([]queue.Job, error) {
	jobs, err := t.Jobs(t.Owner.ID)
	jobs = slices.DeleteFunc(jobs, func(j queue.Job) bool { return learning.Consolidates(j) || !slices.Contains(turns, j.TurnID) })
	for _, j := range jobs {
		err = errors.Join(err, t.DeleteJob(t.Owner.ID, j.ID))
	}
	return jobs, err
}

// unlearn undoes what turns taught, and what a consolidation made of their records,
// except what was changed since (P9).
func unlearn(t *write.Tx, turns []string, gone []memory.Record) (learning.Undone, error) {
	var all []memory.Change
	for _, turn := range turns {
		did, err := t.TurnChanges(t.Owner.ID, turn)
		if err != nil {
			return learning.Undone{}, err
		}
		all = append(all, did...)
	}
	ids := make([]string, len(gone))
	for i, r := range gone {
		ids[i] = r.ID
	}
	made, err := t.ItemsFromRecords(t.Owner.ID, ids)
	if err != nil {
		return learning.Undone{}, err
	}
	for _, it := range made {
		if it.Generation == "" || it.State == memory.StateInactive {
			continue
		}
		did, err := t.GroupChanges(t.Owner.ID, it.Generation)
		if err != nil {
			return learning.Undone{}, err
		}
		for _, c := range did {
			if c.ItemID == it.ID || c.Action == memory.ActionSuperseded && c.Reason == memory.ReplacedBy(it.ID) {
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, func(x, y memory.Change) int { return strings.Compare(x.ID, y.ID) })
	all = slices.CompactFunc(all, func(x, y memory.Change) bool { return x.ID == y.ID && x.ItemID == y.ItemID })
	plan, err := lookup.NewLedger(t.Tx, t.Owner.ID).PlanChanges(all)
	if errors.Is(err, lookup.ErrNotFound) {
		return learning.Undone{}, nil
	}
	if err != nil {
		return learning.Undone{}, err
	}
	return learning.ApplyPlan(t, plan, memory.OriginUser)
}

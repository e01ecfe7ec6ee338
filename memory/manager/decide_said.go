package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
)

// Decided is the outcome of a decision in words about memories that wait for approval (P5).
type Decided struct {
	Accepted, Rejected []memory.Item
	// Deletion undoes a rejection, Undo is the change that undoes an acceptance.
	Deletion write.Deletion
	Undo     string
	// Unclear says that nothing was done: which of Waiting are meant is asked.
	Unclear bool
	Waiting lookup.InboxPage
}

// shownWaiting is how many memories that wait for approval are listed in an answer.
const shownWaiting = 12

// ShowWaiting returns what waits for approval, and notes with the session of a message that it is shown: its numbers stand
// for these memories until another list is shown.
func ShowWaiting(ctx context.Context, m *Manager, said memory.Record) (lookup.InboxPage, error) {
	page, err := m.Lookup().Inbox(ctx, said.AgentID, shownWaiting, 0)
	if err != nil || len(page.Items) == 0 {
		return page, err
	}
	a, err := m.Agent(said.AgentID)
	if err != nil {
		return page, err
	}
	q := memory.Question{Asked: []string{said.ID}}
	for _, h := range page.Items {
		q.Items, q.Waiting = append(q.Items, h.ID), append(q.Waiting, h.Version)
	}
	err = m.Update(ctx, a, func(t *write.Tx) error {
		s, err := t.Session(a.ID, said.SessionID)
		if err != nil {
			return err
		}
		s.Question = &q
		return t.PutSession(s)
	})
	if err != nil {
		return page, fmt.Errorf("showing what waits: %w", err)
	}
	return page, nil
}

// DecideSaid carries out a decision about memories that wait for approval, if a message is one: ok is false if it is not. q is
// the question of its session. alone says that no model answers: then a plain yes agrees to the one memory that the turn
// before held. The message is kept out of the memory. A rejection can be undone for longer by the given time.
func DecideSaid(
	ctx context.Context, m *Manager, said memory.Record, q *memory.Question, alone bool, longer time.Duration,
) (out Decided, ok bool, err error) {
	if _, ok := instruct.ReadDecision(said.Content, said.Spans, 1); !ok {
		return out, false, nil
	}
	c := choices{alone: alone}
	page, err := m.Lookup().Inbox(ctx, said.AgentID, 0, 0)
	if c.waiting = page.Items; err == nil && q != nil && len(q.Waiting) > 0 {
		c.shown, c.next = q, q.AnsweredBy == said.ID
	}
	if err == nil && !c.next {
		c.before, err = heldBefore(ctx, m, said, c.waiting)
	}
	if err != nil {
		return out, false, fmt.Errorf("understanding a decision: %w", err)
	}
	d, _ := instruct.ReadDecision(said.Content, said.Spans, len(c.listed()))
	known := true
	if d.Bare && c.next {
		asked, err := m.Lookup().FindRecord(ctx, said.AgentID, q.Asked[0])
		if err != nil && !lookup.Lacking(err) {
			return out, false, fmt.Errorf("understanding a decision: %w", err)
		}
		before, decided := instruct.ReadDecision(asked.Content, asked.Spans, 1)
		if known = decided || d.It; decided {
			d.Accept = before.Accept
		}
	}
	meant, decides := c.meant(d)
	switch {
	case !decides:
		return out, false, nil
	case known && len(meant) > 0:
		out, err = decide(ctx, m, said.AgentID, d.Accept, meant, longer)
		if errors.Is(err, learning.ErrChanged) || errors.Is(err, lookup.ErrNotFound) {
			out, err = Decided{Unclear: true}, nil
		}
	default:
		out.Unclear = true
	}
	if err == nil && out.Unclear {
		out.Waiting, err = ShowWaiting(ctx, m, said)
	}
	if err == nil {
		err = m.Withhold(ctx, said)
	}
	if err != nil {
		return Decided{}, false, fmt.Errorf("deciding what was said: %w", err)
	}
	return out, true, nil
}

// decide accepts or rejects memories as they were shown.
func decide(
	ctx context.Context, m *Manager, agentID string, accept bool, meant []lookup.HeldItem, longer time.Duration,
) (out Decided, err error) {
	var shown []learning.Shown
	for _, h := range meant {
		shown = append(shown, learning.Shown{ID: h.ID, Version: h.Version})
		out.Rejected = append(out.Rejected, h.Item)
	}
	if accept {
		out.Rejected = nil
		if out.Accepted, err = m.Learning().Accept(ctx, agentID, shown...); err != nil {
			return out, err
		}
		history, err := m.Lookup().History(ctx, agentID, out.Accepted[len(out.Accepted)-1].ID)
		if len(history) > 0 {
			out.Undo = history[len(history)-1].ID
		}
		return out, err
	}
	if out.Deletion, err = m.Reject(ctx, agentID, shown...); err == nil && longer > 0 {
		out.Deletion, err = m.Trash().Prolong(ctx, agentID, out.Deletion.ID, out.Deletion.Title, longer)
	}
	return out, err
}

// choices are the memories that a decision can be about.
type choices struct {
	waiting []lookup.HeldItem // all that wait
	before  []lookup.HeldItem // those that the turn before held
	shown   *memory.Question  // the last list of them
	next    bool              // it was shown in the answer before
	alone   bool
}

// listed are the memories that numbers stand for. One that was decided about since has no id.
func (c choices) listed() (out []lookup.HeldItem) {
	if c.shown == nil {
		if len(c.before) > 0 {
			return c.before
		}
		return c.waiting[:min(len(c.waiting), 1)]
	}
	for n, id := range c.shown.Items {
		var h lookup.HeldItem
		if i := slices.IndexFunc(c.waiting, func(o lookup.HeldItem) bool { return o.ID == id }); i >= 0 {
			h = c.waiting[i]
			h.Version = c.shown.Waiting[n] // as it was shown
		}
		out = append(out, h)
	}
	return out
}

// meant returns the memories that a decision is about: none if that is unclear. ok is false if it is none about what waits.
func (c choices) meant(d instruct.Decision) (out []lookup.HeldItem, ok bool) {
	near := c.next || len(c.before) > 0 && (c.alone || !d.Loose) // what waits was just shown or announced
	listed := c.listed()
	numbered := len(d.Picks) > 0 && c.shown != nil && c.alone
	switch sure := near || numbered || d.Sure && (c.alone || c.shown != nil); {
	case d.Words != "":
		var items []memory.Item
		for _, h := range c.waiting {
			items = append(items, h.Item)
		}
		for _, it := range d.Meant(items) {
			out = append(out, c.waiting[slices.IndexFunc(c.waiting, func(h lookup.HeldItem) bool { return h.ID == it.ID })])
		}
		if len(out) > 1 {
			return nil, true
		}
		return out, len(out) == 1 || c.next && d.Sure
	case d.Bare && !c.next && (!c.alone || len(c.before) != 1 || !d.It):
		return nil, false
	case !sure && !(d.All && d.Sure), len(c.waiting) == 0 && !d.Sure:
		return nil, false
	case d.All && d.Accept && d.Sure && !slices.ContainsFunc(c.waiting, foreign):
		return c.waiting, true
	case d.All && !c.next && len(c.waiting) > len(listed): // what is deleted, or was said by others, is listed before
		return nil, true
	case d.Both && len(listed) != 2 && len(c.waiting) == 2:
		return c.waiting, true
	case d.All:
		return slices.DeleteFunc(listed, func(h lookup.HeldItem) bool { return h.ID == "" }), true
	case d.Both && len(listed) == 2:
		out = listed
	case d.Both:
		return nil, true
	case d.It && c.next, d.It && len(c.before) > 0:
		if out = listed; !c.next {
			out = c.before
		}
		if len(out) > 1 {
			return nil, true
		}
	case d.It && len(c.waiting) == 1:
		return c.waiting, true
	case d.It:
		return nil, true
	case c.shown == nil && len(c.before) == 0 && len(c.waiting) > 1:
		return nil, true // no numbers were shown
	}
	for _, n := range d.Picks {
		if n > len(listed) {
			return nil, true
		}
		out = append(out, listed[n-1])
	}
	if slices.ContainsFunc(out, func(h lookup.HeldItem) bool { return h.ID == "" }) {
		return nil, true
	}
	return out, true
}

// foreign reports whether a memory that waits rests on words that the user has not typed.
func foreign(h lookup.HeldItem) bool { return h.Trust != memory.TrustUser }

// recordsBefore is how many records are read to find the message before.
const recordsBefore = 8

// heldBefore returns those of the waiting memories that the turn before a message held.
func heldBefore(ctx context.Context, m *Manager, said memory.Record, waiting []lookup.HeldItem) (out []lookup.HeldItem, err error) {
	last, err := m.Lookup().LastRecords(ctx, said.AgentID, said.SessionID, recordsBefore)
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	for _, r := range slices.Backward(last) {
		if r.TurnID == said.TurnID || r.Role != memory.RoleUser {
			continue
		}
		taught, err := m.Lookup().ChangesOfTurns(ctx, said.AgentID, []string{r.TurnID})
		for _, h := range waiting {
			if slices.ContainsFunc(taught[r.TurnID], func(c memory.Change) bool { return c.ItemID == h.ID }) {
				out = append(out, h)
			}
		}
		return out, err
	}
	return nil, nil
}

package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/store"
)

// Learned is what one turn did to the memory.
type Learned struct {
	SessionID string
	TurnID    string
	Changes   []memory.Change
}

const (
	maxAttempts = 5   // of one job, before it is given up
	topicLooks  = 3   // user messages before this one that make a topic
	topicWords  = 6   // at most, in a topic
	corrected   = 100 // items looked at for the value that a correction names
)

// Learn works off the agent's queued jobs, oldest first, each in one write, and
// calls done after each that changed something. A job that fails stays queued
// and is tried again by a later Learn, five times at most; the error is that of
// the first one that failed.
func (m *Manager) Learn(ctx context.Context, agentID string, done func(Learned)) error {
	a, err := m.agent(agentID)
	if err != nil {
		return err
	}
	var jobs []store.Job
	err = m.store.View(func(tx *store.Tx) error {
		jobs, err = tx.Jobs(a.id)
		return err
	})
	if err != nil {
		return fmt.Errorf("reading the queued jobs: %w", err)
	}
	var first error
	for _, j := range jobs {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		l, err := m.learn(a, j)
		if err != nil {
			m.log.Warn("analysis failed", "agent", a.id, "job", j.ID, "attempt", j.Attempts+1, "error", err)
			first = errors.Join(first, m.failed(a, j, err), err)
			continue
		}
		if done != nil {
			done(l)
		}
	}
	if err := m.trim(a); err != nil {
		m.log.Warn("old versions stay for now", "agent", a.id, "error", err)
	}
	return first
}

// failed counts an attempt, or gives the job up.
func (m *Manager) failed(a *agent, j store.Job, why error) error {
	return m.update(a, func(t *tx) error {
		j, err := t.Job(a.id, j.ID)
		if errors.Is(err, ErrNotFound) {
			return nil // another did it meanwhile
		}
		if err != nil {
			return err
		}
		if j.Attempts++; j.Attempts >= maxAttempts {
			return t.DeleteJob(a.id, j.ID)
		}
		j.Error = why.Error()
		return t.PutJob(j)
	})
}

// learn analyses one turn by rules (P6). The analysis itself runs before the
// transaction: nobody who writes has to wait for it (L2).
func (m *Manager) learn(a *agent, j store.Job) (Learned, error) {
	l := Learned{SessionID: j.SessionID, TurnID: j.TurnID}
	said, before, err := m.said(a, j)
	if err != nil {
		return l, err
	}
	var found []policy.Candidate
	var topic, emotion string
	if said.ID != "" {
		if m.policy.Route(policy.Event{Record: said}).ToRecall {
			found = m.policy.Extract(said.Typed())
		}
		topic, emotion = topicOf(said, before), policy.Emotion(said.Typed())
	}
	err = m.update(a, func(t *tx) error {
		l.Changes = nil
		if _, err := t.Job(a.id, j.ID); errors.Is(err, ErrNotFound) {
			return nil // another did it
		} else if err != nil {
			return err
		}
		for _, c := range found {
			change, err := t.upsert(c, said)
			if err != nil {
				return err
			}
			l.Changes = append(l.Changes, change)
		}
		if said.ID != "" {
			if err := t.follow(said.SessionID, topic, emotion); err != nil {
				return err
			}
		}
		return t.DeleteJob(a.id, j.ID)
	})
	return l, err
}

// said returns the user's message of a turn and those the user sent before it.
// However long the session is, only its end is read.
func (m *Manager) said(a *agent, j store.Job) (said memory.Record, before []memory.Record, err error) {
	err = m.store.View(func(tx *store.Tx) error {
		for r, err := range tx.RecordsUpTo(a.id, j.RecordID) {
			switch {
			case errors.Is(err, ErrNotFound):
				return nil
			case err != nil:
				return err
			case r.Role != memory.RoleUser:
			case said.ID != "":
				before = append(before, r)
			case r.TurnID == j.TurnID:
				said = r
			}
			if len(before) == topicLooks {
				return nil
			}
		}
		return nil
	})
	return m.fetch(said), m.fetchAll(before), err
}

// upsert brings one candidate into the memory, or says why not (P2–P5).
func (t *tx) upsert(c policy.Candidate, from memory.Record) (memory.Change, error) {
	skipped := func(reason string) memory.Change {
		return memory.Change{Action: memory.ActionSkipped, Reason: reason, Origin: memory.OriginTurn, TurnID: from.TurnID, Time: t.Now()}
	}
	existing, err := t.ItemsLike(t.a.id, c.Key, c.Content)
	if err != nil {
		return memory.Change{}, err
	}
	if c.Corrects != "" {
		more, err := t.holding(c.Corrects)
		if err != nil {
			return memory.Change{}, err
		}
		existing = append(existing, more...)
	}
	plan := t.m.policy.PlanUpsert(c, inForce(existing, c.Key))
	if plan.Action == policy.Skip {
		return skipped(plan.Reason), nil
	}
	admitted := t.m.policy.Admit(plan.Candidate, memory.TrustUser)
	if admitted.Verdict == policy.Dropped {
		return skipped(admitted.Reason), nil
	}
	plan.Candidate = admitted.Candidate
	reason := plan.Reason
	if c.Reason != "" {
		reason = c.Reason + "; " + reason
	}
	if plan.Action == policy.Update {
		if t.learnedFrom(plan.TargetID, from.ID) {
			return skipped("already learned from this message"), nil
		}
		return t.confirm(plan, from, reason)
	}
	if undone, err := t.undoneFrom(plan.Candidate, from); undone || err != nil {
		return skipped("it was undone"), err
	}
	return t.insert(plan, admitted, from, reason)
}

// inForce leaves out what does not count in a slot while another item does: the
// one that counts is to be confirmed or superseded.
func inForce(items []memory.Item, key string) []memory.Item {
	counts := func(it memory.Item) bool { return it.State == memory.StateActive && it.Key == key }
	if key == "" || !slices.ContainsFunc(items, counts) {
		return items
	}
	return slices.DeleteFunc(items, func(it memory.Item) bool { return it.Key == key && !counts(it) })
}

// undoneFrom reports whether the same was learned from this message before and
// undone: a message that is answered again does not bring it back.
func (t *tx) undoneFrom(c policy.Candidate, from memory.Record) (bool, error) {
	changes, err := t.TurnChanges(t.a.id, from.TurnID)
	if err != nil || len(changes) == 0 {
		return false, err
	}
	err = newLedger(t.Tx, t.a.id).complete(changes)
	return slices.ContainsFunc(changes, func(old memory.Change) bool {
		return old.Undone && old.Version == 1 && old.Item.Key == c.Key && old.Item.State == memory.StateInactive &&
			store.HashContent(old.Item.Content) == store.HashContent(c.Content)
	}), err
}

// learnedFrom reports whether an item has a record among its evidence: a message
// that is answered again is analysed again, and is no second saying.
func (t *tx) learnedFrom(id, record string) bool {
	it, err := t.Item(t.a.id, id)
	return err == nil && slices.ContainsFunc(it.Evidence, func(ev memory.Evidence) bool { return ev.RecordID == record })
}

// holding returns active items that may hold a value declared wrong.
func (t *tx) holding(value string) ([]memory.Item, error) {
	want := strings.TrimSpace(text.Fold(value))
	var out []memory.Item
	for it, err := range t.Items(t.a.id) {
		if err != nil {
			return nil, err
		}
		if it.State == memory.StateActive && want != "" && strings.Contains(text.Fold(it.Content), want) {
			if out = append(out, it); len(out) == corrected {
				break
			}
		}
	}
	return out, nil
}

func evidence(c policy.Candidate, from memory.Record) memory.Evidence {
	return memory.Evidence{
		SessionID: from.SessionID, TurnID: from.TurnID, RecordID: from.ID, Offset: c.Offset, Length: c.Length,
	}
}

// insert writes a new item, and ends the one it supersedes.
func (t *tx) insert(plan policy.Plan, admitted policy.Admission, from memory.Record, reason string) (memory.Change, error) {
	it := plan.Candidate.Item()
	it.ID, it.AgentID, it.SessionID = t.newID(), t.a.id, from.SessionID
	it.Origin, it.Trust, it.Version = memory.OriginTurn, memory.TrustUser, 1
	it.CreatedAt, it.UpdatedAt, it.LastConfirmedAt, it.ValidFrom = t.Now(), t.Now(), t.Now(), t.Now()
	it.Evidence = []memory.Evidence{evidence(plan.Candidate, from)}
	it.State, it.IsActive = memory.StateActive, true
	if rule := plan.Candidate.Rule; rule != "" {
		it.Metadata = map[string]string{"rule": rule}
	}
	change := memory.Change{ItemID: it.ID, Action: memory.ActionAdded, Reason: reason, Origin: memory.OriginTurn, TurnID: from.TurnID, Time: t.Now(), Version: 1}
	if admitted.Verdict == policy.Held {
		it.State, it.IsActive = memory.StateHeld, false
		change.Action, change.Reason = memory.ActionHeld, admitted.Reason
	}
	if err := t.m.check(&it); err != nil {
		if errors.Is(err, ErrInvalid) {
			change.ItemID, change.Action, change.Reason = "", memory.ActionSkipped, err.Error()
			return change, nil
		}
		return change, err
	}
	if plan.Action == policy.Supersede && it.State == memory.StateActive {
		it.Supersedes = plan.TargetID
		change.Action = memory.ActionSuperseded
		if err := t.end(plan.TargetID, it.ID, memory.OriginTurn, from.TurnID); err != nil {
			return change, err
		}
	}
	if _, err := t.endOther(it, from); err != nil { // a correction may lead into a slot that is filled
		return change, err
	}
	change.ID, change.Item = t.newID(), &it
	return change, t.put(it, change)
}

// endOther ends the active item that fills the slot of one that a turn makes
// active, and returns its id; empty when there is none (P4).
func (t *tx) endOther(it memory.Item, from memory.Record) (string, error) {
	rival, err := t.rival(it)
	if err != nil || rival.ID == "" || it.State != memory.StateActive {
		return "", err
	}
	return rival.ID, t.end(rival.ID, it.ID, memory.OriginTurn, from.TurnID)
}

// end deactivates an item in favour of another; its history stays readable (P4).
func (t *tx) end(id, by string, origin memory.Origin, turn string) error {
	old, err := t.Item(t.a.id, id)
	if err != nil {
		return err
	}
	old.IsActive, old.State, old.ValidTo, old.SupersededBy = false, memory.StateInactive, t.Now(), by
	old.UpdatedAt = t.Now()
	old.Version++
	return t.put(old, memory.Change{
		Action: memory.ActionSuperseded, Reason: "superseded by " + by, Origin: origin, TurnID: turn,
	})
}

// confirm strengthens the item that says the same (P4).
func (t *tx) confirm(plan policy.Plan, from memory.Record, reason string) (memory.Change, error) {
	it, err := t.Item(t.a.id, plan.TargetID)
	if err != nil {
		return memory.Change{}, err
	}
	it.Confidence, it.Importance = plan.Candidate.Confidence, plan.Candidate.Importance
	it.LastConfirmedAt, it.UpdatedAt = t.Now(), t.Now()
	if ev := evidence(plan.Candidate, from); !slices.Contains(it.Evidence, ev) && len(it.Evidence) < 20 {
		it.Evidence = append(it.Evidence, ev)
	}
	if it.State == memory.StateHeld && plan.Candidate.Explicit {
		it.State, it.IsActive = memory.StateActive, true
		if other, err := t.endOther(it, from); err != nil {
			return memory.Change{}, err
		} else if other != "" {
			it.Supersedes = other
		}
	}
	it.Version++
	c := memory.Change{
		ID: t.newID(), ItemID: it.ID, Action: memory.ActionConfirmed, Reason: reason, Origin: memory.OriginTurn,
		TurnID: from.TurnID, Time: t.Now(), Version: it.Version, Item: &it,
	}
	return c, t.put(it, c)
}

// topicOf says by rule what a message is about (W3): its words that were already
// said a moment ago. A message that takes none of them up leaves the topic.
func topicOf(said memory.Record, before []memory.Record) string {
	earlier := map[string]bool{}
	for _, r := range before {
		for _, k := range text.Keywords(r.Typed()) {
			earlier[text.Fold(k)] = true
		}
	}
	var topic []string
	for _, k := range text.Keywords(said.Typed()) {
		if earlier[text.Fold(k)] && len(topic) < topicWords {
			topic = append(topic, k)
		}
	}
	return strings.Join(topic, " ")
}

// follow writes down what the session is about and how the user feels, for the
// next turn (W3). A feeling stays until another is said.
func (t *tx) follow(session, topic, emotion string) error {
	w, err := t.Working(t.a.id, session)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	w.CurrentTopic, w.UpdatedAt = topic, t.Now()
	if emotion != "" {
		w.LastEmotion = emotion
	}
	return t.SetWorking(t.a.id, w)
}

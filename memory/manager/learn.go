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

// Learn works off the agent's queued jobs by rules, oldest first, each in one
// write, and calls done after each. What a model may read after that stays queued
// for [Manager.Analyse], in the same write. A job that fails stays queued and is
// tried again by a later Learn, five times at most; the error is that of the
// first one that failed.
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
		if j.Kind != store.JobAnalyse {
			continue
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
	said, reply, before, err := m.said(a, j)
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
			change, err := t.upsert(c, said, memory.TrustUser)
			if err != nil {
				return err
			}
			l.Changes = append(l.Changes, change)
		}
		if said.ID != "" {
			if err := t.follow(j, topic, emotion); err != nil {
				return err
			}
		}
		if m.asks(said, reply) {
			return t.queueAsk(j)
		}
		return t.DeleteJob(a.id, j.ID)
	})
	return l, err
}

// said returns the user's message of a turn, the reply, and the messages that the
// user sent before it, the latest first. However long the session is, only its
// end is read.
func (m *Manager) said(a *agent, j store.Job) (said, reply memory.Record, before []memory.Record, err error) {
	err = m.store.View(func(tx *store.Tx) error {
		for r, err := range tx.RecordsUpTo(a.id, j.RecordID) {
			switch {
			case errors.Is(err, ErrNotFound):
				return nil
			case err != nil:
				return err
			case r.ID == j.RecordID && r.Role == memory.RoleAssistant:
				reply = r
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
	return m.fetch(said), m.fetch(reply), m.fetchAll(before), err
}

// upsert brings one candidate into the memory, or says why not (P2–P5). trust is
// that of the words it is made of.
func (t *tx) upsert(c policy.Candidate, from memory.Record, trust memory.Trust) (memory.Change, error) {
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
	plan := t.m.policy.PlanUpsert(c, existing)
	if plan.Action == policy.Skip {
		return skipped(plan.Reason), nil
	}
	admitted := t.m.policy.Admit(plan.Candidate, trust)
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
	return t.insert(plan, admitted, from, trust, reason)
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
func (t *tx) insert(plan policy.Plan, admitted policy.Admission, from memory.Record, trust memory.Trust, reason string) (memory.Change, error) {
	it := plan.Candidate.Item()
	it.ID, it.AgentID, it.SessionID = t.newID(), t.a.id, from.SessionID
	it.Origin, it.Trust, it.Version = memory.OriginTurn, trust, 1
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
	change.Item = &it
	return change, t.put(it, change)
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
	}
	it.Version++
	c := memory.Change{
		ItemID: it.ID, Action: memory.ActionConfirmed, Reason: reason, Origin: memory.OriginTurn,
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
// next turn (W3). A feeling stays until another is said. What the user corrected
// after the turn stays as it is.
func (t *tx) follow(j store.Job, topic, emotion string) error {
	w, err := t.Working(t.a.id, j.SessionID)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil || correctedSince(w, j) {
		return err
	}
	w.CurrentTopic, w.UpdatedAt = topic, t.Now()
	if emotion != "" {
		w.LastEmotion = emotion
	}
	return t.SetWorking(t.a.id, w)
}

// correctedSince reports whether the user corrected working memory after a turn
// was to be analysed.
func correctedSince(w memory.Working, j store.Job) bool { return !w.EditedAt.Before(j.CreatedAt) }

package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/instruct"
	"memoria/memory/policy"
	"memoria/memory/store"
)

// Learned is what one turn did to the memory, or one generation: the
// consolidation of a session (P7), which has no turn.
type Learned struct {
	SessionID string
	TurnID    string
	Changes   []memory.Change
	// Generation is the id of a consolidation, Summary what it says of a session
	// that has ended; nil when it says nothing.
	Generation string
	Summary    *memory.Summary
	// Waits says that a model is to read the session beside that.
	Waits bool
}

const (
	maxAttempts = 5 // of one job, before it is given up
	topicLooks  = 3 // user messages before this one that make a topic
	topicWords  = 6 // at most, in a topic
	topicEnds   = 3 // messages in a row about something else that end a topic (R6)
)

// Learn works off the agent's queued jobs by rules, the turns before the sessions
// and each oldest first, each in one write, and calls done after each. What a model may read after that stays queued
// for [Manager.Analyse], in the same write. A job that fails stays queued and is
// tried again by a later Learn, five times at most; the error is that of the
// first one that failed.
func (m *Manager) Learn(ctx context.Context, agentID string, done func(Learned)) error {
	a, err := m.agent(agentID)
	if err != nil {
		return err
	}
	var jobs []store.Job
	err = m.view(ctx, func(tx *store.Tx) error {
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
		if !byRules(j) {
			continue
		}
		l, err := m.learnOrCount(ctx, a, j, false)
		if err != nil {
			first = errors.Join(first, err)
			continue
		}
		if done != nil {
			done(l)
		}
	}
	if err := m.consolidateAll(ctx, a, done); err != nil {
		first = errors.Join(first, err)
	}
	return errors.Join(first, m.eraseUnkept(ctx, a))
}

// failed counts an attempt, or gives the job up.
func (m *Manager) failed(ctx context.Context, a *agent, j store.Job, why error) error {
	return m.update(ctx, a, func(t *tx) error {
		j, err := t.Job(a.id, j.ID)
		if errors.Is(err, ErrNotFound) {
			return nil // another did it meanwhile
		}
		if err != nil {
			return err
		}
		if j.Attempts++; j.Attempts >= maxAttempts {
			return errors.Join(t.DeleteJob(a.id, j.ID), t.giveUp(j))
		}
		j.Error = why.Error()
		return t.PutJob(j)
	})
}

// giveUp ends the archiving of a session whose end could not be read: it stays
// without a summary.
func (t *tx) giveUp(j store.Job) error {
	s, err := t.Session(t.a.id, j.SessionID)
	if lacking(err) || err == nil && !ends(s, j) {
		return nil
	}
	if err != nil {
		return err
	}
	endRead(&s)
	return t.PutSession(s)
}

// turnWait is indexWait for a message that waits for its answer.
const turnWait = 80 * time.Millisecond

// byRules reports whether a job needs no model.
func byRules(j store.Job) bool { return j.Kind == store.JobRules || j.Kind == store.JobAnalyse }

// LearnTurn learns by rules from the message of a turn that has begun, in one write,
// before the message is answered (L2). The queued job makes it happen once: what
// another call has done, or a crash left to [Manager.Learn], is not done again, and
// there are no changes then. A failure leaves the job queued.
func (m *Manager) LearnTurn(ctx context.Context, agentID, turnID string) (Learned, error) {
	l := Learned{TurnID: turnID}
	a, err := m.agent(agentID)
	if err != nil {
		return l, err
	}
	var jobs []store.Job
	err = m.view(ctx, func(tx *store.Tx) error {
		jobs, err = tx.Jobs(a.id)
		return err
	})
	i := slices.IndexFunc(jobs, func(j store.Job) bool { return j.Kind == store.JobRules && j.TurnID == turnID })
	if err == nil && i >= 0 {
		l, err = m.learnOrCount(ctx, a, jobs[i], true)
	}
	if err != nil {
		return l, fmt.Errorf("learning from a message: %w", err)
	}
	return l, nil
}

// learnOrCount is learn, and counts an attempt that failed.
func (m *Manager) learnOrCount(ctx context.Context, a *agent, j store.Job, asked bool) (l Learned, err error) {
	err = guard.Do(m.log, "learning", func() error {
		l, err = m.learn(ctx, a, j, asked)
		return err
	})
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return l, err // that is no failure of the job
	}
	if err != nil {
		m.log.Warn("analysis failed", "agent", a.id, "job", j.ID, "attempt", j.Attempts+1, "error", err)
		err = errors.Join(m.failed(ctx, a, j, err), err)
	}
	return l, err
}

// learn does one job by rules (P6): what a message teaches, or what its turn leaves in
// working memory. The analysis itself runs before the transaction: no other write has
// to wait for it (L2). asked says that the message waits for its answer: the index is
// not waited for as long, and where there is nothing to learn nothing is written, so
// that the job stays for [Manager.Learn].
func (m *Manager) learn(ctx context.Context, a *agent, j store.Job, asked bool) (Learned, error) {
	l := Learned{SessionID: j.SessionID, TurnID: j.TurnID}
	said, reply, before, err := m.said(ctx, a, j)
	if err != nil {
		return l, err
	}
	in, wants := m.instruction(ctx, a, said)
	recorded := !wants || in.Kind != instruct.Unrecorded
	var found []proposal
	if !j.Ruled {
		wait := indexWait
		if asked {
			wait = turnWait
		}
		found = m.proposed(said)
		if wants {
			found = withoutInstruction(found, in)
		}
		m.findWrong(ctx, a, found, wait)
	}
	if asked && len(found) == 0 {
		return l, nil
	}
	err = m.update(ctx, a, func(t *tx) error {
		l.Changes = nil
		if still, err := t.queued(j); err != nil || !still {
			return err
		}
		for _, p := range found {
			changes, err := t.teach(p, found)
			if err != nil {
				return err
			}
			l.Changes = append(l.Changes, changes...)
		}
		if j.Kind == store.JobRules {
			return t.DeleteJob(a.id, j.ID)
		}
		return t.endTurn(j, said, reply, before, recorded)
	})
	return l, err
}

// withoutInstruction leaves out what the rules read in an instruction to the memory, which states nothing. What might be a
// statement all the same keeps what a rule names, and every instruction keeps what it ends.
func withoutInstruction(found []proposal, in instruct.Instruction) []proposal {
	if in.Kind == instruct.Correct {
		return found
	}
	sure := in.Kind == instruct.Unrecorded || !in.Unsure && !in.Guessed && in.Kind != instruct.Withdraw
	return slices.DeleteFunc(found, func(p proposal) bool {
		return !p.OnlyEnds() && !(in.Guessed && p.Explicit) && (sure || policy.AsSaid(p.Key))
	})
}

// proposed is what the rules find in a message; nothing in one that is gone.
func (m *Manager) proposed(said memory.Record) (found []proposal) {
	if said.ID == "" {
		return nil
	}
	for _, c := range m.decide().Route(policy.Event{Record: said}).Teaches {
		c = policy.Dated(c, said.Timestamp, m.now().Location())
		found = append(found, proposal{Candidate: c, from: said, origin: memory.OriginTurn, trust: memory.TrustUser})
	}
	return append(found, m.foreign(said)...)
}

// endTurn updates working memory after an answer, and leaves the turn to a model or
// ends its job. before are the user's messages before it; recorded says that the message may be learned from (U5).
func (t *tx) endTurn(j store.Job, said, reply memory.Record, before []memory.Record, recorded bool) error {
	if said.ID != "" {
		if err := t.follow(j, topicOf(said, before), policy.Emotion(said.Typed())); err != nil {
			return err
		}
	}
	if recorded && t.m.asks(said, reply) {
		return t.queueAsk(j)
	}
	return t.DeleteJob(t.a.id, j.ID)
}

// queued reports whether a job still waits as it was read: another may have done it,
// and a turn that is in another session by now is read again there.
func (t *tx) queued(j store.Job) (bool, error) {
	now, err := t.Job(t.a.id, j.ID)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil && now.Kind == j.Kind && now.SessionID == j.SessionID, err
}

// said returns the user's message of a turn, the reply, and the messages that the
// user sent before it, the latest first. However long the session is, only its
// end is read.
func (m *Manager) said(ctx context.Context, a *agent, j store.Job) (said, reply memory.Record, before []memory.Record, err error) {
	err = m.view(ctx, func(tx *store.Tx) error {
		for r, err := range tx.Path(a.id, j.RecordID) {
			switch {
			case err != nil:
				return err
			case r.SessionID != j.SessionID: // of a fork the session before taught that
				return nil
			case r.ID == j.RecordID && r.Role == memory.RoleAssistant:
				if reply = r; r.Status == memory.StatusInterrupted { // of what broke off nothing is learned (K8)
					reply.Content, reply.ContentRef = "", ""
				}
			case r.Role != memory.RoleUser || r.NotForMemory:
			case said.ID != "":
				before = append(before, r)
			case r.TurnID == j.TurnID || r.ID == j.SaidID:
				said = r
			}
			if len(before) == topicLooks {
				return nil
			}
		}
		return nil
	})
	return m.recall.Fetch(said), m.recall.Fetch(reply), m.recall.FetchAll(before), err
}

// byUser is the cause of what the user does.
var byUser = memory.Change{Origin: memory.OriginUser}

// end deactivates an item in favour of another; its history stays readable (P4).
// cause says what it comes from.
func (t *tx) end(id, by string, cause memory.Change) error {
	old, err := t.Item(t.a.id, id)
	if err != nil {
		return err
	}
	old.IsActive, old.State, old.ValidTo, old.SupersededBy = false, memory.StateInactive, t.Now(), by
	old.UpdatedAt = t.Now()
	old.Version++
	cause.Action, cause.Reason = memory.ActionSuperseded, memory.ReplacedBy(by)
	return t.put(old, cause)
}

// topicOf says by rule what a message is about (W3): its words that were already
// said a moment ago, or else the topic before, until three messages in a row have
// words of their own and none of the topic's (R6). before are the user's messages
// before it, newest first.
func topicOf(said memory.Record, before []memory.Record) func(old string) string {
	// What is secret or sensitive is no topic (P5a).
	own := text.Keywords(policy.Blank(said.Typed()))
	earlier, recent := map[string]bool{}, map[string]bool{}
	unrelated := 0 // messages with words of their own, this one among them
	for i, r := range append([]memory.Record{said}, before...) {
		words := text.Keywords(policy.Blank(r.Typed()))
		if len(words) > 0 {
			unrelated++
		}
		for _, k := range words {
			if i > 0 {
				earlier[text.Fold(k)] = true
			}
			if unrelated <= topicEnds {
				recent[text.Fold(k)] = true
			}
		}
	}
	var topic []string
	for _, k := range own {
		if earlier[text.Fold(k)] && len(topic) < topicWords {
			topic = append(topic, k)
		}
	}
	return func(old string) string {
		if len(topic) > 0 || old == "" {
			return strings.Join(topic, " ")
		}
		for _, k := range text.Keywords(old) {
			if recent[text.Fold(k)] {
				return old
			}
		}
		if unrelated < topicEnds {
			return old
		}
		return ""
	}
}

// follow writes down what the session is about and how the user feels, for the
// next turn (W3). A feeling stays until another is said. What the user corrected
// after the turn stays as it is, and the topic that a model gave until it has ended.
func (t *tx) follow(j store.Job, topic func(old string) string, emotion string) error {
	w, put, err := t.working(j.SessionID)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil || correctedSince(w, j) {
		return err
	}
	if now := topic(w.CurrentTopic); now != w.CurrentTopic && (now == "" || w.From[memory.FieldTopic] == "") {
		w.CurrentTopic = now
		delete(w.From, memory.FieldTopic) // it has the user's words, by which it is known
	}
	w.UpdatedAt = t.Now()
	if emotion != "" {
		w.LastEmotion = emotion
	}
	return put(w)
}

// correctedSince reports whether the user corrected working memory after a turn
// was to be analysed.
func correctedSince(w memory.Working, j store.Job) bool { return !w.EditedAt.Before(j.CreatedAt) }

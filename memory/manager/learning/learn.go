package learning

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
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/policy/sensitive"
	"memoria/memory/policy/subject"
	"memoria/memory/store"
	"memoria/memory/store/queue"
)

// Learned is the effect of one turn on the memory, or of one generation, which has no
// turn: the consolidation of a session (P7).
type Learned struct {
	SessionID string
	TurnID    string
	Changes   []memory.Change
	// Generation is the id of a consolidation. Summary is its summary of an ended
	// session, or nil.
	Generation string
	Summary    *memory.Summary
	// Waits reports that a model is still to analyse the session.
	Waits bool
}

const (
	maxAttempts = 5 // per job, before it is given up
	topicLooks  = 3 // earlier user messages that a topic is derived from
	topicWords  = 6 // maximum words of a topic
	topicEnds   = 3 // unrelated messages in a row that end a topic (R6)
)

// Learn processes the agent's queued jobs by rules: turns before sessions, oldest first,
// each in one write, calling done after each. Work left for a model is queued for
// [Writer.Analyse] in the same write. A failed job is retried by a later Learn, up to
// five attempts. The error is that of the first failed job.
func (w *Writer) Learn(ctx context.Context, agentID string, done func(Learned)) error {
	a, err := w.Agent(agentID)
	if err != nil {
		return err
	}
	var jobs []queue.Job
	err = w.View(ctx, func(tx *store.Tx) error {
		jobs, err = tx.Jobs(a.ID)
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
		l, err := w.learnOrCount(ctx, a, j, false)
		if err != nil {
			first = errors.Join(first, err)
			continue
		}
		// A message's rules may have been read for its answer meanwhile: that is no end of its turn.
		if done != nil && (j.Kind != queue.Rules || len(l.Changes) > 0) {
			done(l)
		}
	}
	if err := w.consolidateAll(ctx, a, done); err != nil {
		first = errors.Join(first, err)
	}
	return errors.Join(first, w.Core.EraseUnkept(ctx, a))
}

// failed counts an attempt, or gives the job up.
func (w *Writer) failed(ctx context.Context, a *write.Agent, j queue.Job, why error) error {
	return w.Update(ctx, a, func(t *write.Tx) error {
		j, err := t.Job(a.ID, j.ID)
		if errors.Is(err, lookup.ErrNotFound) {
			return nil // done meanwhile by another run
		}
		if err != nil {
			return err
		}
		if j.Attempts++; j.Attempts >= maxAttempts {
			return errors.Join(t.DeleteJob(a.ID, j.ID), giveUp(t, j))
		}
		j.Error = why.Error()
		return t.PutJob(j)
	})
}

// giveUp ends the archiving of a session whose generation failed for good. It has no
// summary.
func giveUp(t *write.Tx, j queue.Job) error {
	s, err := t.Session(t.Owner.ID, j.SessionID)
	if lookup.Lacking(err) || err == nil && !ends(s, j) {
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
func byRules(j queue.Job) bool { return j.Kind == queue.Rules || j.Kind == queue.Analyse }

// LearnTurn learns by rules from the message of a new turn, in one write, before it is
// answered (L2). The queued job ensures that this happens once: there are no changes if
// another call did it, or if a crash left it to [Writer.Learn]. After a failure the job
// stays queued.
func (w *Writer) LearnTurn(ctx context.Context, agentID, turnID string) (Learned, error) {
	l := Learned{TurnID: turnID}
	a, err := w.Agent(agentID)
	if err != nil {
		return l, err
	}
	var jobs []queue.Job
	err = w.View(ctx, func(tx *store.Tx) error {
		jobs, err = tx.Jobs(a.ID)
		return err
	})
	i := slices.IndexFunc(jobs, func(j queue.Job) bool { return j.Kind == queue.Rules && j.TurnID == turnID })
	if err == nil && i >= 0 {
		l, err = w.learnOrCount(ctx, a, jobs[i], true)
	}
	if err != nil {
		return l, fmt.Errorf("learning from a message: %w", err)
	}
	return l, nil
}

// learnOrCount is learn, and counts a failed attempt.
func (w *Writer) learnOrCount(ctx context.Context, a *write.Agent, j queue.Job, asked bool) (l Learned, err error) {
	err = guard.Do(w.Log, "learning", func() error {
		l, err = w.learn(ctx, a, j, asked)
		return err
	})
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return l, err // not a failure of the job
	}
	if err != nil {
		w.Log.Warn("analysis failed", "agent", a.ID, "job", j.ID, "attempt", j.Attempts+1, "error", err)
		err = errors.Join(w.failed(ctx, a, j, err), err)
	}
	return l, err
}

// learn runs one job by rules (P6): learning from a message, or updating working memory
// after a turn. The analysis runs before the transaction, so that other writes need not
// wait (L2). asked means that the message waits for its answer: the index is waited for
// less long, and if there is nothing to learn nothing is written, so that the job stays
// for [Writer.Learn].
func (w *Writer) learn(ctx context.Context, a *write.Agent, j queue.Job, asked bool) (Learned, error) {
	l := Learned{SessionID: j.SessionID, TurnID: j.TurnID}
	said, reply, before, people, err := w.said(ctx, a, j)
	if err != nil {
		return l, err
	}
	in, wants := w.instruction(ctx, a, said)
	recorded := !wants || in.Kind != instruct.Unrecorded
	var found, over []Proposal
	if !j.Ruled {
		if !wants || in.Kind == instruct.Correct {
			over = denied(ctx, w, a, said)
		}
		wait := indexWait
		if asked {
			wait = turnWait
		}
		meant, other := ofOther(ctx, w, a, said, before, people)
		if other {
			found, wants = ofOne(w, said, meant, people), false
		} else {
			found = proposed(w.Core, said, before, people)
		}
		if wants {
			found = withoutInstruction(found, in)
		}
		switch {
		case other, saysOther(said):
		case !wants:
			found = contrasted(ctx, w, a, said, found, nil)
		case in.Kind == instruct.Correct && rightsEarlier(ctx, w, a, said, in):
			found = contrasted(ctx, w, a, said, found, isNamed)
		case in.Kind == instruct.Correct && !in.Chinese:
			if _, _, ok := contrast(ctx, w, a, said, quotesOld(said)); ok { // the sentence is not kept beside what it puts right
				found, over = contrasted(ctx, w, a, said, found, quotesOld(said)), nil
			}
		}
		w.findWrong(ctx, a, found, wait)
		found = withoutCorrections(found)
		if !wants && len(found)+len(over) == 0 && said.ID != "" {
			found = related(ctx, w, a, said)
		}
	}
	if asked && len(found)+len(over) == 0 {
		return l, nil
	}
	err = w.Update(ctx, a, func(t *write.Tx) error {
		l.Changes = nil
		if still, err := isQueued(t, j); err != nil || !still {
			return err
		}
		for _, p := range found {
			changes, err := applyProposal(t, p, found)
			if err != nil {
				return err
			}
			l.Changes = append(l.Changes, changes...)
		}
		ended, err := endDenied(t, over)
		if err != nil {
			return err
		}
		l.Changes = append(l.Changes, ended...)
		if j.Kind == queue.Rules {
			return t.DeleteJob(a.ID, j.ID)
		}
		return endTurn(t, j, said, reply, before, recorded)
	})
	return l, err
}

// withoutInstruction removes the proposals made from an instruction to the memory, which
// states nothing. For a possible statement, proposals of named rules stay. Every
// instruction keeps what it ends.
func withoutInstruction(found []Proposal, in instruct.Instruction) []Proposal {
	if in.Kind == instruct.Correct {
		return found
	}
	sure := in.Kind == instruct.Unrecorded || !in.Unsure && !in.Guessed && in.Kind != instruct.Withdraw
	return slices.DeleteFunc(found, func(p Proposal) bool {
		return !p.OnlyEnds() && !(in.Guessed && p.Explicit) && (sure || policy.AsSaid(p.Key))
	})
}

// proposed returns the rules' proposals from a message; none if it is gone. before are the user's earlier messages,
// newest first, and people those known by name.
func proposed(w *write.Core, said memory.Record, before []memory.Record, people []subject.Person) (found []Proposal) {
	if said.ID == "" {
		return nil
	}
	e := policy.Event{Record: said, People: people}
	if len(before) > 0 {
		e.Before = before[0].Typed()
	}
	for _, c := range secondThought(said.Content, w.Decide().Route(e).Teaches) {
		c = policy.Dated(c, said.Timestamp, w.Now().Location())
		found = append(found, Proposal{Candidate: c, From: said, Origin: memory.OriginTurn, Trust: memory.TrustUser})
	}
	return append(found, foreign(w.Policy(), said)...)
}

// endTurn updates working memory after an answer and leaves the turn to a model or ends
// its job. before are the earlier user messages. recorded reports whether the message may
// be learned from (U5).
func endTurn(t *write.Tx, j queue.Job, said, reply memory.Record, before []memory.Record, recorded bool) error {
	if said.ID != "" {
		if err := updateWorking(t, j, topicOf(said, before), policy.Emotion(said.Typed())); err != nil {
			return err
		}
	}
	if recorded && needsModel(t.Core, said, reply) {
		return queueModelJob(t, j)
	}
	return t.DeleteJob(t.Owner.ID, j.ID)
}

// isQueued reports whether a job is still as it was read. It may be done, or its turn may
// have moved to another session, where it is read again.
func isQueued(t *write.Tx, j queue.Job) (bool, error) {
	now, err := t.Job(t.Owner.ID, j.ID)
	if errors.Is(err, lookup.ErrNotFound) {
		return false, nil
	}
	return err == nil && now.Kind == j.Kind && now.SessionID == j.SessionID, err
}

// said returns a turn's user message, its reply, the user's earlier messages, newest first,
// and the people known by name that rules may still read of. It reads only the end of a session.
func (w *Writer) said(
	ctx context.Context, a *write.Agent, j queue.Job,
) (said, reply memory.Record, before []memory.Record, people []subject.Person, err error) {
	err = w.View(ctx, func(tx *store.Tx) error {
		read := func() (err error) {
			if said.ID != "" && !j.Ruled {
				people, err = peopleIn(tx, a.ID, said)
			}
			return err
		}
		for r, err := range tx.Path(a.ID, j.RecordID) {
			switch {
			case err != nil:
				return err
			case r.SessionID != j.SessionID: // the original session of a fork learned it
				return read()
			case r.ID == j.RecordID && r.Role == memory.RoleAssistant:
				if reply = r; r.Status == memory.StatusInterrupted { // interrupted answers teach nothing (K8)
					reply.Content, reply.ContentRef = "", ""
				}
			case r.Role != memory.RoleUser || r.NotForMemory:
			case said.ID != "":
				before = append(before, r)
			case r.TurnID == j.TurnID || r.ID == j.SaidID:
				said = r
			}
			if len(before) == topicLooks {
				break
			}
		}
		return read()
	})
	return w.Recall().Fetch(said), w.Recall().Fetch(reply), w.Recall().FetchAll(before), people, err
}

// ByUser is the cause of changes by the user.
var ByUser = memory.Change{Origin: memory.OriginUser}

// EndItem deactivates an item in favour of another. Its history stays (P4). cause gives the
// origin.
func EndItem(t *write.Tx, id, by string, cause memory.Change) error {
	old, err := t.Item(t.Owner.ID, id)
	if err != nil {
		return err
	}
	old.State, old.ValidTo, old.SupersededBy = memory.StateInactive, t.Now(), by
	old.UpdatedAt = t.Now()
	old.Version++
	cause.Action, cause.Reason = memory.ActionSuperseded, memory.ReplacedBy(by)
	return t.Put(old, cause)
}

// topicOf returns the topic of a message by rule (W3): its words that also occur in
// recent messages. Otherwise the old topic stays, until three messages in a row have
// words of their own and none of the topic's (R6). before are the user's earlier
// messages, newest first.
func topicOf(said memory.Record, before []memory.Record) func(old string) string {
	// Secret and sensitive words are not topics (P5a).
	own := text.Keywords(sensitive.Blank(said.Typed()))
	earlier, recent := map[string]bool{}, map[string]bool{}
	unrelated := 0 // messages with words of their own, including this one
	for i, r := range append([]memory.Record{said}, before...) {
		words := text.Keywords(sensitive.Blank(r.Typed()))
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

// updateWorking stores the topic and the user's emotion for the next turn (W3). An
// emotion stays until another is stated. Later edits of the user have precedence, and so
// has a topic of a model until it has ended.
func updateWorking(t *write.Tx, j queue.Job, topic func(old string) string, emotion string) error {
	w, put, err := write.WorkingOf(t, j.SessionID)
	if errors.Is(err, lookup.ErrNotFound) {
		return nil
	}
	if err != nil || correctedSince(w, j) {
		return err
	}
	if now := topic(w.CurrentTopic); now != w.CurrentTopic && (now == "" || w.From[memory.FieldTopic] == "") {
		w.CurrentTopic = now
		delete(w.From, memory.FieldTopic) // the topic has the user's words, which identify it
	}
	w.UpdatedAt = t.Now()
	if emotion != "" {
		w.LastEmotion = emotion
	}
	return put(w)
}

// correctedSince reports whether the user edited working memory after a job was queued.
func correctedSince(w memory.Working, j queue.Job) bool { return !w.EditedAt.Before(j.CreatedAt) }

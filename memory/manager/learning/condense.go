package learning

import (
	"cmp"
	"context"
	"errors"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/memory/store/queue"
)

// condense asks a model about one session and writes its generation in one write.
func (w *Writer) condense(ctx context.Context, a *write.Agent, j queue.Job, by Analyst) (Learned, error) {
	l := Learned{SessionID: j.SessionID, Generation: j.Generation}
	d, err := w.dialogue(ctx, a, j)
	if err != nil {
		return l, err
	}
	if !d.needsModel { // deleted, or no model is needed any more
		return w.consolidate(ctx, a, j, true)
	}
	if by.Begin != nil {
		by.Begin(d.session)
	}
	req, err := learn.NewCondensing(by.Prompts, d.Dialogue)
	if err != nil && req.Prompt == "" {
		return l, err
	}
	answer, err := by.Model.Complete(ctx, req)
	switch {
	case err != nil && ctx.Err() != nil:
		return l, context.Cause(ctx)
	case err != nil:
		return l, WithoutServerText(err)
	}
	ctx = context.WithoutCancel(ctx) // the answer is paid for
	read, err := learn.ParseCondensed(answer)
	w.CountAnswer(by.Name, err != nil)
	if err != nil {
		return l, errors.Join(err, w.Update(ctx, a, func(t *write.Tx) error { return CountUsage(t, j, answer.Usage, counter.Unusable, 1) }))
	}
	ruling := learn.JudgeCondensed(w.Policy(), d.Dialogue, read)
	found := w.proposalsFrom(a, j, d, ruling.Concluded)
	err = w.Update(ctx, a, func(t *write.Tx) error {
		l.Changes, l.Summary = nil, nil
		s, ok, err := currentSession(t, j, d.session)
		if !ok || err != nil {
			return err
		}
		if d.Ended && (ruling.Title != "" || ruling.Snippet != "") {
			if l.Summary, err = summariseSession(t, &s, withModelSummary(s.Summary, ruling), true); err != nil {
				return err
			}
		}
		if l.Changes, err = applyGeneration(t, j, s, found, ruling.Refused); err != nil {
			return err
		}
		kept := 0
		for _, c := range l.Changes {
			if c.Action != memory.ActionSkipped {
				kept++
			}
		}
		return errors.Join(t.Add(a.ID, counter.Learned, kept), CountUsage(t, j, answer.Usage, "", 0))
	})
	return l, errors.Join(err, w.Core.EraseUnkept(ctx, a))
}

// withModelSummary returns a summary by rules with the model's wording.
func withModelSummary(plain *memory.Summary, by learn.Ruling) memory.Summary {
	out := memory.Summary{Title: by.Title, Snippet: by.Snippet, By: memory.ByModel}
	if plain != nil {
		out.Title, out.Snippet = cmp.Or(by.Title, plain.Title), cmp.Or(by.Snippet, plain.Snippet)
		out.Topics = plain.Topics
	}
	return out
}

// Concluded turns a model's conclusions from what was said into proposals. records are the messages of
// said.
func Concluded(w *Writer, a *write.Agent, said learn.Dialogue, records []memory.Record, found []learn.Conclusion) []Proposal {
	return w.proposalsFrom(a, queue.Job{}, &dialogue{Dialogue: said, records: records}, found)
}

// proposalsFrom turns conclusions into proposals. A conclusion that repeats an item gets
// that item's words.
func (w *Writer) proposalsFrom(a *write.Agent, j queue.Job, d *dialogue, found []learn.Conclusion) []Proposal {
	same := make([]learn.Proposal, len(found))
	for i, c := range found {
		same[i] = c.Proposal
	}
	w.recognise(a, same)
	out := make([]Proposal, len(found))
	for i, c := range found {
		c.Proposal = same[i]
		out[i] = d.proposal(j, c)
	}
	return out
}

// failedCondense counts a failed attempt, or lets the rules finish the job.
func (w *Writer) failedCondense(ctx context.Context, a *write.Agent, j queue.Job, why error) (Learned, error) {
	l := Learned{SessionID: j.SessionID, Generation: j.Generation}
	most := maxAttempts
	var unusable *learn.UnusableError
	if errors.As(why, &unusable) {
		most, why = MaxUnusable, unusable
	}
	w.Log.Warn("consolidation by the model failed", "agent", a.ID, "job", j.ID, "attempt", j.Attempts+1, "error", why)
	if j.Attempts++; j.Attempts < most {
		err := w.Update(ctx, a, func(t *write.Tx) error {
			now, err := t.Job(a.ID, j.ID)
			if errors.Is(err, lookup.ErrNotFound) {
				return nil
			}
			now.Attempts, now.Error = j.Attempts, why.Error()
			return errors.Join(err, t.PutJob(now))
		})
		l.Waits = err == nil
		return l, cmp.Or(err, why)
	}
	l, err := w.consolidate(ctx, a, j, true)
	if err == nil {
		l.Changes = append(l.Changes, memory.Change{
			Action: memory.ActionSkipped, Reason: why.Error(), Origin: memory.OriginSessionEnd, Generation: j.Generation, Time: w.Now(),
		})
	}
	return l, cmp.Or(err, why)
}

// Consolidation is the outcome of [Writer.Consolidate].
type Consolidation string

// Outcomes of a consolidation.
const (
	Consolidated      Consolidation = "consolidated"
	ConsolidatedNow   Consolidation = "already" // nothing was said since
	ConsolidatedLater Consolidation = "waiting" // waiting for an unavailable model
)

// Consolidate condenses a session now, after the pending turns and other sessions, and
// calls done after each. A nil by asks no model. Sessions already condensed stay
// unchanged. id may be the beginning or end of an id.
func (w *Writer) Consolidate(ctx context.Context, agentID, id string, by *Analyst, done func(Learned)) (Consolidation, error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return "", err
	}
	var s memory.Session
	err = w.Update(ctx, a, func(t *write.Tx) error {
		if s, err = lookup.FindSession(t.Tx, a.ID, id); err != nil {
			return err
		}
		queued, err := consolidations(t.Tx, t.Owner.ID, s.ID)
		switch {
		case err != nil || len(queued) > 0:
			return err
		case s.State != memory.SessionActive:
			return errors.Join(QueueEnd(t, &s), t.PutSession(s))
		case s.Turns > s.Covered.Turns:
			return QueueConsolidation(t, s, t.NewID())
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	out := ConsolidatedNow
	hear := func(l Learned) {
		if l.SessionID == s.ID && l.Generation != "" {
			out = Consolidated
			if l.Waits {
				out = ConsolidatedLater
			}
		}
		if done != nil {
			done(l)
		}
	}
	if err := w.Learn(ctx, agentID, hear); err != nil {
		return out, err
	}
	if by != nil {
		return out, w.Analyse(ctx, agentID, *by, hear)
	}
	return out, w.withoutModel(ctx, a, s.ID, hear)
}

// withoutModel finishes by rules the jobs of a session that wait for a model.
func (w *Writer) withoutModel(ctx context.Context, a *write.Agent, session string, done func(Learned)) error {
	var jobs []queue.Job
	err := w.View(ctx, func(tx *store.Tx) (err error) {
		jobs, err = consolidations(tx, a.ID, session)
		return err
	})
	for _, j := range jobs {
		var l Learned
		if err == nil {
			l, err = w.consolidate(ctx, a, j, true)
		}
		if err == nil {
			done(l)
		}
	}
	return err
}

package learning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/memory/store/queue"
	"memoria/prompts"
)

// Analyst is a model that analyses turns and sessions after the rules.
type Analyst struct {
	Model learn.Completer
	// Name is that of the model; answers are counted by it.
	Name    string
	Prompts *prompts.Set
	// Begin is called before each request about a whole session; it may be nil.
	Begin func(memory.Session)
	// Leave reports whether a turn is left to another model; it may be nil.
	Leave func(turnID string) bool
}

const (
	// maxWaiting bounds how many turns wait for a model, so that a program that runs for
	// long does not cause a thousand paid requests at once.
	maxWaiting = 100
	// MaxUnusable is how many unusable answers about one turn are accepted before it is
	// given up.
	MaxUnusable = 2
)

// needsModel reports whether a model should analyse a turn: a model took part in it and
// the user typed something to learn from.
func needsModel(c *write.Core, said, reply memory.Record) bool {
	if c.Config().Analysis != write.AnalysisAuto || said.ID == "" || reply.Model == "" || reply.Own() {
		return false
	}
	typed := said.Typed()
	return len(text.Keywords(typed)) > 0 && !c.Policy().Forbids(typed)
}

// queueModelJob turns a job that the rules have done into one that waits for a model.
func queueModelJob(t *write.Tx, j queue.Job) error {
	jobs, err := t.Jobs(t.Owner.ID)
	if err != nil {
		return err
	}
	jobs = slices.DeleteFunc(jobs, func(j queue.Job) bool { return j.Kind != queue.Ask })
	for _, old := range jobs[:max(0, len(jobs)+1-maxWaiting)] {
		if err := t.DeleteJob(t.Owner.ID, old.ID); err != nil {
			return err
		}
	}
	j.Kind, j.Attempts, j.Error = queue.Ask, 0, ""
	return t.PutJob(j)
}

// Analyse has a model analyse the waiting turns, then the waiting sessions, oldest first,
// one request at a time. It calls done after each, whatever the result. Each result is
// written together with the end of its job.
//
// Cancelling ctx ends the current request and leaves its job queued; the error is then
// ctx's cause. If the model is unavailable, the remaining jobs stay queued and the error
// wraps [learn.ErrUnavailable]. A job without an answer moves to the end of the queue. It
// counts as failed if the jobs before it were answered, so that one bad turn cannot block
// the others. After [learn.MaxFailing] unusable answers in a row the remaining jobs stay
// queued, and the error is a *[learn.StoppedError]. Errors never contain text of a conversation or of a server.
func (w *Writer) Analyse(ctx context.Context, agentID string, by Analyst, done func(Learned)) error {
	a, err := w.Agent(agentID)
	if err != nil {
		return err
	}
	jobs, err := w.modelJobs(ctx, a)
	if err != nil {
		return fmt.Errorf("reading the queued jobs: %w", err)
	}
	var first error
	answered := false                    // since the last job without an answer
	always := context.WithoutCancel(ctx) // records the result of a request even if ctx is done
	for _, j := range jobs {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := w.Stopped(by.Name); err != nil {
			return err
		}
		if by.Leave != nil && j.Kind != queue.Condense && by.Leave(j.TurnID) {
			continue
		}
		var l Learned
		ask, failed := w.analyse, w.failedAnalysis
		if j.Kind == queue.Condense {
			ask, failed = w.condense, w.failedCondense
		}
		err := guard.Do(w.Log, "analysing", func() (err error) {
			l, err = ask(ctx, a, j, by)
			return err
		})
		switch {
		case err == nil:
			answered = true
		case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
			return context.Cause(ctx)
		case errors.Is(err, learn.ErrNoAnswer):
			if perr := w.postpone(always, a, j); perr != nil || !answered {
				return errors.Join(err, perr)
			}
			answered = false
			l, err = failed(always, a, j, errNoAnswer)
			first = cmp.Or(first, err)
		case errors.Is(err, learn.ErrUnavailable):
			return learn.ErrUnavailable
		default:
			answered = true
			l, err = failed(always, a, j, err)
			first = cmp.Or(first, err)
		}
		if done != nil {
			done(l)
		}
	}
	return first
}

// modelJobs returns the jobs that wait for a model. If no model should be asked, it ends
// them.
func (w *Writer) modelJobs(ctx context.Context, a *write.Agent) (jobs []queue.Job, err error) {
	err = w.View(ctx, func(tx *store.Tx) error {
		jobs, err = tx.Jobs(a.ID)
		return err
	})
	jobs = slices.DeleteFunc(jobs, func(j queue.Job) bool { return j.Kind != queue.Ask && j.Kind != queue.Condense })
	slices.SortStableFunc(jobs, func(x, y queue.Job) int { // turns first
		return cmp.Or(x.PutOff.Compare(y.PutOff), cmp.Compare(x.Kind, y.Kind))
	})
	if err != nil || len(jobs) == 0 || w.Config().Analysis == write.AnalysisAuto {
		return jobs, err
	}
	for _, j := range jobs {
		if j.Kind == queue.Condense {
			if _, err := w.consolidate(ctx, a, j, true); err != nil {
				return nil, err
			}
		}
	}
	return nil, w.Update(ctx, a, func(t *write.Tx) error {
		for _, j := range jobs {
			if j.Kind == queue.Condense {
				continue
			}
			if err := t.DeleteJob(a.ID, j.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// errNoAnswer replaces errors of servers and clients, which may contain text of the
// conversation.
var errNoAnswer = errors.New("the model did not answer")

// WithoutServerText returns a completer's error without the server's text.
func WithoutServerText(err error) error {
	for _, known := range []error{learn.ErrNoAnswer, learn.ErrUnavailable} {
		if errors.Is(err, known) {
			return known
		}
	}
	return errNoAnswer
}

// postpone moves a job without an answer to the end of the queue.
func (w *Writer) postpone(ctx context.Context, a *write.Agent, j queue.Job) error {
	return w.Update(ctx, a, func(t *write.Tx) error {
		now, err := t.Job(a.ID, j.ID)
		if errors.Is(err, lookup.ErrNotFound) || err == nil && now.Kind != j.Kind {
			return nil
		}
		now.PutOff = t.Now()
		return errors.Join(err, t.PutJob(now))
	})
}

// analyse asks a model about one turn and writes the result.
func (w *Writer) analyse(ctx context.Context, a *write.Agent, j queue.Job, by Analyst) (Learned, error) {
	l := Learned{SessionID: j.SessionID, TurnID: j.TurnID}
	in, said, seen, err := w.analysisInput(ctx, a, j)
	if err != nil {
		return l, err
	}
	if said.ID == "" || len(text.Keywords(in.Said)) == 0 { // deleted meanwhile, or nothing left to learn from
		return l, w.Update(ctx, a, func(t *write.Tx) error {
			if still, err := isQueued(t, j); err != nil || !still {
				return err
			}
			return t.DeleteJob(a.ID, j.ID)
		})
	}
	req, err := learn.NewRequest(by.Prompts, in)
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
	read, err := learn.Parse(answer)
	w.CountAnswer(by.Name, err != nil)
	if err != nil {
		return l, errors.Join(err, w.Update(ctx, a, func(t *write.Tx) error { return CountUsage(t, j, answer.Usage, counter.Unusable, 1) }))
	}
	read = read.WithoutSecrets(said.Typed()).WithoutSensitive(w.Speakable(ctx, a)).Grounded(in)
	verdict := learn.Judge(w.Policy(), in, read)
	w.recognise(a, verdict.Proposed)
	err = w.Update(ctx, a, func(t *write.Tx) error {
		l.Changes = nil
		if still, err := isQueued(t, j); err != nil || !still {
			return err
		}
		if there, err := sourcesUnchanged(t, j, seen); err != nil || !there {
			return err // analysed again later, without the deleted text
		}
		l.Changes, err = learnFrom(t, j, said, read, verdict)
		if err != nil {
			return err
		}
		if err := CountUsage(t, j, answer.Usage, "", 0); err != nil {
			return err
		}
		return t.DeleteJob(a.ID, j.ID)
	})
	return l, err
}

// learnFrom writes the verdicts of an analysis. t must hold the job.
func learnFrom(t *write.Tx, j queue.Job, said memory.Record, read learn.Analysis, v learn.Verdict) ([]memory.Change, error) {
	var out []memory.Change
	corrected := 0
	for _, p := range v.Proposed {
		c, err := propose(t, said, p, &corrected)
		if err != nil {
			return nil, err
		}
		if c.Action == memory.ActionSkipped {
			v.Refused = append(v.Refused, learn.Refusal{Reason: c.Reason, Count: 1})
			continue
		}
		out = append(out, c)
	}
	if over, err := followModel(t, j, read); err != nil {
		return nil, err
	} else if over > 0 {
		v.Refused = append(v.Refused, learn.Refusal{Reason: "more variables than are kept", Count: over})
	}
	refused := 0
	for _, r := range v.Refused {
		refused += r.Count
		reason := "the model: " + r.Reason
		if r.Count > 1 {
			reason += fmt.Sprintf(" (%d times)", r.Count)
		}
		c, err := skipAnalysis(t, j, reason)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, errors.Join(t.Add(t.Owner.ID, counter.Learned, len(out)-len(v.Refused)), t.Add(t.Owner.ID, counter.Refused, refused))
}

// skipAnalysis records in the turn that a proposal was not stored (P9).
func skipAnalysis(t *write.Tx, j queue.Job, reason string) (memory.Change, error) {
	c := memory.Change{
		Action: memory.ActionSkipped, Reason: reason, Origin: memory.OriginTurn, TurnID: j.TurnID, Time: t.Now(),
	}
	if there, err := t.HasRecord(t.Owner.ID, j.RecordID); err != nil || !there {
		return c, err // the turn was deleted meanwhile
	}
	return c, t.AddTurnChange(t.Owner.ID, t.NewID(), c)
}

// followModel replaces the topic, variables and emotion found by rules with those of an
// analysis (W3). It does so only if the turn is still the last and the user has not
// edited them since. over is the number of variables that did not fit.
func followModel(t *write.Tx, j queue.Job, read learn.Analysis) (over int, err error) {
	s, err := t.Session(t.Owner.ID, j.SessionID)
	if err == nil && s.LastRecordID != j.RecordID {
		var last bool
		if last, err = isLastTurn(t, s, j.TurnID); !last {
			return 0, err
		}
	}
	if errors.Is(err, lookup.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	w, put, err := write.WorkingOf(t, j.SessionID)
	if errors.Is(err, lookup.ErrNotFound) {
		return 0, nil
	}
	if err != nil || correctedSince(w, j) {
		return 0, err
	}
	w.From = maps.Clone(w.From)
	if w.From == nil {
		w.From = map[string]string{}
	}
	if read.Topic != "" {
		w.CurrentTopic, w.From[memory.FieldTopic] = read.Topic, j.TurnID
	}
	if read.Emotion != "" {
		w.LastEmotion = read.Emotion
	}
	vars := maps.Clone(w.ContextVariables)
	if vars == nil {
		vars = map[string]string{}
	}
	for _, v := range read.Variables {
		_, has := vars[v.Name]
		switch {
		case v.Value == "":
			delete(vars, v.Name)
			delete(w.From, v.Name)
		case !has && len(vars) >= learn.MaxVariables:
			over++
		default:
			vars[v.Name], w.From[v.Name] = v.Value, j.TurnID
		}
	}
	w.ContextVariables = vars
	return over, put(w)
}

// failedAnalysis counts a failed attempt, or gives the turn up and records that. The
// error is why, or that of the store.
func (w *Writer) failedAnalysis(ctx context.Context, a *write.Agent, j queue.Job, why error) (Learned, error) {
	l := Learned{SessionID: j.SessionID, TurnID: j.TurnID}
	most := maxAttempts
	var unusable *learn.UnusableError
	if errors.As(why, &unusable) {
		most, why = MaxUnusable, unusable
	}
	w.Log.Warn("analysis by the model failed", "agent", a.ID, "job", j.ID, "attempt", j.Attempts+1, "error", why)
	err := w.Update(ctx, a, func(t *write.Tx) error {
		l.Changes = nil
		j, err := t.Job(a.ID, j.ID)
		if errors.Is(err, lookup.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		j.Error = why.Error()
		if j.Attempts++; j.Attempts < most {
			return t.PutJob(j)
		}
		c, err := skipAnalysis(t, j, j.Error)
		if err != nil {
			return err
		}
		l.Changes = append(l.Changes, c)
		return t.DeleteJob(a.ID, j.ID)
	})
	return l, cmp.Or(err, why)
}

// isLastTurn reports whether a turn is the last one in an agent's copy of a session.
// Other members may have spoken after its own answer.
func isLastTurn(t *write.Tx, s memory.Session, turn string) (bool, error) {
	if s.Group == "" {
		return false, nil
	}
	last, err := t.Record(t.Owner.ID, s.LastRecordID)
	if lookup.Lacking(err) {
		return false, nil
	}
	return last.TurnID == turn, err
}

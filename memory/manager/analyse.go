package manager

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
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/prompts"
)

// Analyst reads turns beside the rules.
type Analyst struct {
	Model   learn.Completer
	Prompts *prompts.Set
	// Begin is called before a model is asked about a whole session; it may be nil.
	Begin func(memory.Session)
}

const (
	// maxWaiting is how many turns wait for a model. Somebody who never leaves the
	// program running long enough must not pay for a thousand of them at once.
	maxWaiting = 100
	// maxUnusable is how often a model may answer about one turn in a way that
	// cannot be used. It will hardly do better the third time.
	maxUnusable = 2
)

// asks reports whether a model is to read a turn: one took part in it, and the
// user typed something in which there can be anything to learn.
func (m *Manager) asks(said, reply memory.Record) bool {
	if m.cfg().Analysis != AnalysisAuto || said.ID == "" || reply.Model == "" || reply.Own() {
		return false
	}
	typed := said.Typed()
	return len(text.Keywords(typed)) > 0 && !m.policy().Forbids(typed)
}

// queueAsk makes of a job that the rules have done one that waits for a model.
func (t *tx) queueAsk(j store.Job) error {
	jobs, err := t.Jobs(t.a.id)
	if err != nil {
		return err
	}
	jobs = slices.DeleteFunc(jobs, func(j store.Job) bool { return j.Kind != store.JobAsk })
	for _, old := range jobs[:max(0, len(jobs)+1-maxWaiting)] {
		if err := t.DeleteJob(t.a.id, old.ID); err != nil {
			return err
		}
	}
	j.Kind, j.Attempts, j.Error = store.JobAsk, 0, ""
	return t.PutJob(j)
}

// Analyse lets a model read the turns that wait for one, and then the sessions,
// each oldest first, with one request at a time, and calls done after each, whatever
// came of it. What a turn or a session teaches is one write with the end of its job. Cancelling ctx ends the request under way and leaves
// its job as it was; the error is then ctx's cause. When the model cannot be
// asked the rest stays queued and the error wraps [learn.ErrUnavailable]; what gave no
// answer then comes last the next time, and counts as failed when the others before it
// were answered, so that one turn that no server can read keeps nobody from being
// read. Errors hold no words of a conversation or a server.
func (m *Manager) Analyse(ctx context.Context, agentID string, by Analyst, done func(Learned)) error {
	a, err := m.agent(agentID)
	if err != nil {
		return err
	}
	jobs, err := m.asking(ctx, a)
	if err != nil {
		return fmt.Errorf("reading the queued jobs: %w", err)
	}
	var first error
	answered := false                    // since the last that was not
	always := context.WithoutCancel(ctx) // for what came of a request, which is noted though ctx is done by then
	for _, j := range jobs {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var l Learned
		ask, failed := m.analyse, m.failedAsk
		if j.Kind == store.JobCondense {
			ask, failed = m.condense, m.failedCondense
		}
		err := guard.Do(m.log, "analysing", func() (err error) {
			l, err = ask(ctx, a, j, by)
			return err
		})
		switch {
		case err == nil:
			answered = true
		case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
			return context.Cause(ctx)
		case errors.Is(err, learn.ErrNoAnswer):
			if perr := m.putOff(always, a, j); perr != nil || !answered {
				return errors.Join(err, perr)
			}
			answered = false
			l, err = failed(always, a, j, errUnanswered)
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

// asking returns the jobs that wait for a model. Where none is to be asked, they
// end here.
func (m *Manager) asking(ctx context.Context, a *agent) (jobs []store.Job, err error) {
	err = m.view(ctx, func(tx *store.Tx) error {
		jobs, err = tx.Jobs(a.id)
		return err
	})
	jobs = slices.DeleteFunc(jobs, func(j store.Job) bool { return j.Kind != store.JobAsk && j.Kind != store.JobCondense })
	slices.SortStableFunc(jobs, func(x, y store.Job) int { // turns first
		return cmp.Or(x.PutOff.Compare(y.PutOff), cmp.Compare(x.Kind, y.Kind))
	})
	if err != nil || len(jobs) == 0 || m.cfg().Analysis == AnalysisAuto {
		return jobs, err
	}
	for _, j := range jobs {
		if j.Kind == store.JobCondense {
			if _, err := m.consolidate(ctx, a, j, true); err != nil {
				return nil, err
			}
		}
	}
	return nil, m.update(ctx, a, func(t *tx) error {
		for _, j := range jobs {
			if j.Kind == store.JobCondense {
				continue
			}
			if err := t.DeleteJob(a.id, j.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// errUnanswered stands for what a server or a client said, which may hold words
// of the conversation.
var errUnanswered = errors.New("the model did not answer")

// unanswered is an error of a completer without what the server said.
func unanswered(err error) error {
	for _, known := range []error{learn.ErrNoAnswer, learn.ErrUnavailable} {
		if errors.Is(err, known) {
			return known
		}
	}
	return errUnanswered
}

// putOff lets others be asked about before a job that got no answer.
func (m *Manager) putOff(ctx context.Context, a *agent, j store.Job) error {
	return m.update(ctx, a, func(t *tx) error {
		now, err := t.Job(a.id, j.ID)
		if errors.Is(err, ErrNotFound) || err == nil && now.Kind != j.Kind {
			return nil
		}
		now.PutOff = t.Now()
		return errors.Join(err, t.PutJob(now))
	})
}

// analyse asks about one turn and writes down what came of it.
func (m *Manager) analyse(ctx context.Context, a *agent, j store.Job, by Analyst) (Learned, error) {
	l := Learned{SessionID: j.SessionID, TurnID: j.TurnID}
	in, said, seen, err := m.analysisInput(ctx, a, j)
	if err != nil {
		return l, err
	}
	if said.ID == "" || len(text.Keywords(in.Said)) == 0 { // it was deleted meanwhile, or what was learned from it
		return l, m.update(ctx, a, func(t *tx) error {
			if still, err := t.queued(j); err != nil || !still {
				return err
			}
			return t.DeleteJob(a.id, j.ID)
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
		return l, unanswered(err)
	}
	ctx = context.WithoutCancel(ctx) // the answer is paid for: it is not thrown away
	read, err := learn.Parse(answer)
	if err != nil {
		return l, errors.Join(err, m.update(ctx, a, func(t *tx) error { return t.spent(j, answer.Usage, counter.Unusable, 1) }))
	}
	read = read.WithoutSecrets(said.Typed()).WithoutSensitive(m.speakable(ctx, a)).Grounded(in)
	verdict := learn.Judge(m.policy(), in, read)
	m.recognise(a, verdict.Proposed)
	err = m.update(ctx, a, func(t *tx) error {
		l.Changes = nil
		if still, err := t.queued(j); err != nil || !still {
			return err
		}
		if there, err := t.stands(j, seen); err != nil || !there {
			return err // it is read again later, without what was deleted
		}
		l.Changes, err = t.learnFrom(j, said, read, verdict)
		if err != nil {
			return err
		}
		if err := t.spent(j, answer.Usage, "", 0); err != nil {
			return err
		}
		return t.DeleteJob(a.id, j.ID)
	})
	return l, err
}

// learnFrom writes what is left of an analysis. t holds the job.
func (t *tx) learnFrom(j store.Job, said memory.Record, read learn.Analysis, v learn.Verdict) ([]memory.Change, error) {
	var out []memory.Change
	corrected := 0
	for _, p := range v.Proposed {
		c, err := t.propose(said, p, &corrected)
		if err != nil {
			return nil, err
		}
		if c.Action == memory.ActionSkipped {
			v.Refused = append(v.Refused, learn.Refusal{Reason: c.Reason, Count: 1})
			continue
		}
		out = append(out, c)
	}
	if over, err := t.followModel(j, read); err != nil {
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
		c, err := t.skip(j, reason)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, errors.Join(t.Add(t.a.id, counter.Learned, len(out)-len(v.Refused)), t.Add(t.a.id, counter.Refused, refused))
}

// skip notes with a turn that something was proposed and not stored (P9).
func (t *tx) skip(j store.Job, reason string) (memory.Change, error) {
	c := memory.Change{
		Action: memory.ActionSkipped, Reason: reason, Origin: memory.OriginTurn, TurnID: j.TurnID, Time: t.Now(),
	}
	if there, err := t.HasRecord(t.a.id, j.RecordID); err != nil || !there {
		return c, err // the turn was deleted meanwhile, and nothing is kept of it
	}
	return c, t.AddTurnChange(t.a.id, t.newID(), c)
}

// followModel puts topic, variables and emotion of an analysis in the place of
// those of the rules (W3), when its turn is still the last and the user has not
// corrected them since. over is how many variables found no room.
func (t *tx) followModel(j store.Job, read learn.Analysis) (over int, err error) {
	s, err := t.Session(t.a.id, j.SessionID)
	if err == nil && s.LastRecordID != j.RecordID {
		var last bool
		if last, err = t.follows(s, j.TurnID); !last {
			return 0, err
		}
	}
	if errors.Is(err, ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	w, put, err := t.working(j.SessionID)
	if errors.Is(err, ErrNotFound) {
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

// failedAsk counts an attempt that came to nothing, or gives the turn up and says
// so. The error is the first, or that of the store.
func (m *Manager) failedAsk(ctx context.Context, a *agent, j store.Job, why error) (Learned, error) {
	l := Learned{SessionID: j.SessionID, TurnID: j.TurnID}
	most := maxAttempts
	var unusable *learn.UnusableError
	if errors.As(why, &unusable) {
		most, why = maxUnusable, unusable
	}
	m.log.Warn("analysis by the model failed", "agent", a.id, "job", j.ID, "attempt", j.Attempts+1, "error", why)
	err := m.update(ctx, a, func(t *tx) error {
		l.Changes = nil
		j, err := t.Job(a.id, j.ID)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		j.Error = why.Error()
		if j.Attempts++; j.Attempts < most {
			return t.PutJob(j)
		}
		c, err := t.skip(j, j.Error)
		if err != nil {
			return err
		}
		l.Changes = append(l.Changes, c)
		return t.DeleteJob(a.id, j.ID)
	})
	return l, cmp.Or(err, why)
}

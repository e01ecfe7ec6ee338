package imported

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/reread"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/memory/store/queue"
	"memoria/prompts"
)

const (
	// concludedFromImport is why a model's conclusion from an imported session is held.
	concludedFromImport = "a model concluded it from what you said in an imported conversation"
	// maxUnanswered is the number of failed requests in a row that end a reading.
	maxUnanswered = 3
)

// Reading has a model read imported sessions (D1). Its caller asks the user first, naming
// what [Reading.Plan] returns. A Reading serves one run and is not safe for concurrent use.
//
// Only what [reread.Parts] returns is sent, of what the user typed.
type Reading struct {
	run
	by      learning.Analyst
	planned []memory.Session // newest first
	silent  []memory.Session // with nothing to read
}

// Plan is what a reading sends.
type Plan struct {
	Conversations int `json:"conversations"`
	Messages      int `json:"messages"`
	Requests      int `json:"requests"`
	// TokensIn is estimated; TokensOut is the most that the answers may have.
	TokensIn  int `json:"tokens_in"`
	TokensOut int `json:"tokens_out"`
	// Room is the number of proposals that still fit into the inbox. No request is made
	// when the proposals of an answer might not fit.
	Room int `json:"room"`
}

// Full reports whether the inbox has no room for the proposals of an answer.
func (p Plan) Full() bool { return p.Room < learn.MaxItems }

// Read counts what a reading did.
type Read struct {
	Conversations int `json:"conversations"` // read whole
	Messages      int `json:"messages"`
	Requests      int `json:"requests"` // with an answer
	Held          int `json:"held"`     // in the inbox
	// Known were stored already, waiting, or rejected earlier. Refused do not rest on the
	// user's words, or must not be remembered.
	Known    int `json:"known"`
	Refused  int `json:"refused"`
	Unusable int `json:"unusable"` // answers
	// Left is the number of planned conversations that are not read whole.
	Left int `json:"left"`
	// Full says that the inbox has no more room.
	Full      bool `json:"full,omitempty"`
	TokensIn  int  `json:"tokens_in"`
	TokensOut int  `json:"tokens_out"`
	// Generation is the run that made the proposals; [learning.Writer.UndoGeneration] undoes it.
	Generation string `json:"generation,omitempty"`
}

// Reading returns a reading of the agent's imported sessions by a model.
func (w *Writer) Reading(agentID string, by learning.Analyst) (*Reading, error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return nil, err
	}
	return &Reading{run: run{w, a}, by: by}, nil
}

// Plan finds what no model has read, and sends nothing. progress, if not nil, is called
// after each session.
func (r *Reading) Plan(ctx context.Context, progress func(done, of int)) (out Plan, err error) {
	var sessions []memory.Session
	err = r.View(ctx, func(tx *store.Tx) error {
		waiting, err := countWaiting(tx, r.agent.ID)
		if err != nil {
			return err
		}
		out = Plan{Room: max(0, Max-waiting)}
		sessions, err = sessionsWith(tx, r.agent.ID, func(s memory.Imported) bool { return !s.Read })
		return err
	})
	if err != nil {
		return out, fmt.Errorf("finding imported conversations to read: %w", err)
	}
	r.planned, r.silent = nil, nil
	for n, s := range slices.Backward(sessions) {
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		parts, err := reread.Parts(ctx, r.Core, s, frames(r.Core))
		if err != nil {
			return out, fmt.Errorf("finding imported conversations to read: %w", err)
		}
		for _, p := range parts {
			req, err := learn.NewCondensing(r.by.Prompts, p.Sent)
			if err != nil && req.Prompt == "" {
				return out, err
			}
			out.Requests++
			out.Messages += p.New()
			out.TokensIn += tokensOf(req)
			out.TokensOut += req.MaxTokens
		}
		if len(parts) > 0 {
			out.Conversations++
			r.planned = append(r.planned, s)
		} else {
			r.silent = append(r.silent, s)
		}
		if progress != nil {
			progress(len(sessions)-n, len(sessions))
		}
	}
	return out, nil
}

// tokensOf estimates the tokens of a request.
func tokensOf(req learn.Request) int {
	schema, _ := json.Marshal(req.Tool.Schema) //nolint:errchkjson // built from literals
	return prompts.Tokens(req.Prompt) + prompts.Tokens(req.Tool.Description) + prompts.Tokens(string(schema))
}

// ReadImported reads what was planned, newest first, one request at a time, and puts the
// model's conclusions into the inbox. All are held, as those of [Writer.ProposeImported];
// both together are at most [Max]. Each answer is written before the next request,
// with a mark, so that a run that was interrupted continues in the next one. A session with
// more messages than planned is left for another plan. progress, if not nil, is called
// after each answer.
//
// It ends early when the inbox has no more room, when the model is unavailable, after
// several failed requests in a row, and after [learn.MaxFailing] unusable answers in a row
// with a *[learn.StoppedError]. What was read until then is in the counts, also with an error,
// which may be the completer's.
func (r *Reading) ReadImported(ctx context.Context, progress func(Read)) (Read, error) {
	out := Read{Left: len(r.planned)}
	for read := range slices.Chunk(r.silent, batch) {
		if err := r.Update(ctx, r.agent, func(t *write.Tx) error { return markSilent(t, read) }); err != nil {
			return out, err
		}
	}
	ends, err := r.endings(ctx)
	if err != nil {
		return out, err
	}
	tell := func() {
		if progress != nil {
			progress(out)
		}
	}
	var last error
	failed := 0 // requests in a row
	for _, s := range r.planned {
		answered := out.Requests
		err := guard.Do(r.Log, "reading an imported conversation", func() error { return r.read(ctx, s, ends, &out, tell) })
		if out.Requests > answered {
			failed = 0
		}
		var unusable *learn.UnusableError
		var stopped *learn.StoppedError
		switch {
		case out.Full:
			return out, nil
		case err == nil, errors.As(err, &unusable):
			continue
		case ctx.Err() != nil:
			return out, context.Cause(ctx)
		case errors.As(err, &stopped):
			return out, err
		}
		r.Log.Warn("reading an imported conversation failed", "agent", r.agent.ID, "error", learning.WithoutServerText(err))
		last = err
		failed++
		if errors.Is(err, learn.ErrUnavailable) && !errors.Is(err, learn.ErrNoAnswer) || failed == maxUnanswered {
			return out, err
		}
	}
	return out, last
}

// read reads the parts of a session.
func (r *Reading) read(ctx context.Context, planned memory.Session, ends []learning.Proposal, out *Read, tell func()) error {
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var s memory.Session
		err := r.View(ctx, func(tx *store.Tx) (err error) {
			waiting, err := countWaiting(tx, r.agent.ID)
			if err == nil {
				out.Full = Plan{Room: Max - waiting}.Full()
				s, err = tx.Session(r.agent.ID, planned.ID)
			}
			return err
		})
		switch {
		case lookup.Lacking(err):
			return nil // deleted meanwhile
		case err != nil || out.Full:
			return err
		case s.Imported == nil || s.Imported.Read || s.Messages != planned.Messages:
			return nil // read, or continued, by another process
		}
		parts, err := reread.Parts(ctx, r.Core, s, frames(r.Core))
		if err != nil || len(parts) == 0 {
			return err
		}
		more, err := r.ask(ctx, s, parts[0], len(parts) == 1, ends, out)
		tell()
		if err != nil || !more {
			return err
		}
	}
}

// ask asks the model about a part of a session and writes the result. more reports whether
// the session has another part to read.
func (r *Reading) ask(
	ctx context.Context, s memory.Session, p *reread.Part, last bool, ends []learning.Proposal, out *Read,
) (more bool, _ error) {
	if err := r.learning.Stopped(r.by.Name); err != nil {
		return false, err
	}
	req, err := learn.NewCondensing(r.by.Prompts, p.Sent)
	if err != nil && req.Prompt == "" {
		return false, err
	}
	if r.by.Begin != nil {
		r.by.Begin(s)
	}
	answer, err := r.by.Model.Complete(ctx, req)
	switch {
	case err != nil && ctx.Err() != nil:
		return false, context.Cause(ctx)
	case err != nil:
		return false, err
	}
	ctx = context.WithoutCancel(ctx) // the answer is paid for
	out.Requests++
	out.TokensIn += answer.Usage.PromptTokens
	out.TokensOut += answer.Usage.CompletionTokens
	read, err := learn.ParseCondensed(answer)
	r.learning.CountAnswer(r.by.Name, err != nil)
	if err != nil {
		out.Unusable++
		return false, errors.Join(err, r.Update(ctx, r.agent, func(t *write.Tx) error { return markUnusable(t, s, answer.Usage) }))
	}
	ruling := learn.JudgeCondensed(r.Policy(), p.Said, read)
	found := r.proposals(p, ruling.Concluded, ends)
	err = r.Update(ctx, r.agent, func(t *write.Tx) error {
		now := *out
		more = false
		if err := learning.CountUsage(t, queue.Job{SessionID: s.ID}, answer.Usage, "", 0); err != nil {
			return err
		}
		session, same, err := unchangedPart(t, s, p)
		if err != nil || !same {
			return err
		}
		refused := len(ruling.Concluded) - len(found)
		for _, one := range ruling.Refused {
			refused += one.Count
		}
		id := cmp.Or(now.Generation, t.NewID())
		for _, one := range found {
			one.Generation = id
			c, err := learning.Upsert(t, one)
			switch {
			case err != nil:
				return err
			case c.Action == memory.ActionHeld:
				now.Held++
				now.Generation = id
			case c.Action == memory.ActionConfirmed:
				now.Known++
				now.Generation = id
			default:
				now.Known++
			}
		}
		now.Refused += refused
		now.Messages += p.New()
		mark := *session.Imported
		mark.ReadTo, mark.Unusable = p.Records[len(p.Records)-1].ID, 0
		if mark.Read = last && session.Messages == s.Messages; mark.Read {
			now.Conversations++
			now.Left--
		}
		session.Imported = &mark
		*out, more = now, !last
		return errors.Join(t.PutSession(session), t.Add(r.agent.ID, counter.Refused, refused))
	})
	return more, err
}

// proposals turns conclusions into proposals for the inbox, except what is part of a role-play
// and what the user ended later.
func (r *Reading) proposals(p *reread.Part, found []learn.Conclusion, ends []learning.Proposal) (out []learning.Proposal) {
	for _, one := range learning.Concluded(r.learning, r.agent, p.Said, p.Records, found) {
		one.Origin, one.Trust, one.Hold = memory.OriginImport, memory.TrustForeign, concludedFromImport
		one.Candidate = policy.Dated(one.Candidate, one.From.Timestamp, r.Now().Location())
		one.Ends = nil
		over := slices.ContainsFunc(ends, func(e learning.Proposal) bool { return endsEarlier(e, one) })
		if one.SaidIn().Kind == "" && one.Risk != policy.RiskSecret && !over {
			out = append(out, one)
		}
	}
	return out
}

// endings returns what the user says to have ended in imported sessions, without the messages.
func (r *Reading) endings(ctx context.Context) (out []learning.Proposal, err error) {
	var sessions []memory.Session
	err = r.View(ctx, func(tx *store.Tx) (err error) {
		sessions, err = sessionsWith(tx, r.agent.ID, func(memory.Imported) bool { return len(r.planned) > 0 })
		return err
	})
	for _, s := range sessions {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var said []learning.Proposal
		if err == nil {
			said, err = r.statements(ctx, s)
		}
		for _, p := range said {
			if len(p.Ends) > 0 {
				p.From = memory.Record{ID: p.From.ID, Timestamp: p.From.Timestamp}
				out = append(out, p)
			}
		}
	}
	return out, err
}

// markSilent marks sessions without anything to read as read, unless messages were added since.
func markSilent(t *write.Tx, sessions []memory.Session) error {
	for _, was := range sessions {
		s, err := t.Session(t.Owner.ID, was.ID)
		if lookup.Lacking(err) || err == nil && (s.Imported == nil || s.Messages != was.Messages) {
			continue
		}
		if err != nil {
			return err
		}
		mark := *s.Imported
		mark.Read = true
		s.Imported = &mark
		if err := t.PutSession(s); err != nil {
			return err
		}
	}
	return nil
}

// markUnusable counts an unusable answer about a session. After [learning.MaxUnusable] the session is
// given up.
func markUnusable(t *write.Tx, read memory.Session, u memory.Usage) error {
	if err := learning.CountUsage(t, queue.Job{SessionID: read.ID}, u, counter.Unusable, 1); err != nil {
		return err
	}
	s, err := t.Session(t.Owner.ID, read.ID)
	if lookup.Lacking(err) || err == nil && s.Imported == nil {
		return nil
	}
	if err != nil {
		return err
	}
	mark := *s.Imported
	mark.Unusable++
	mark.Read = mark.Read || mark.Unusable >= learning.MaxUnusable
	s.Imported = &mark
	return t.PutSession(s)
}

// unchangedPart returns the session as it is now. same reports whether all that was read may
// still be remembered; otherwise it is read again by another run, without what was deleted.
func unchangedPart(t *write.Tx, read memory.Session, p *reread.Part) (s memory.Session, same bool, err error) {
	s, err = t.Session(t.Owner.ID, read.ID)
	if lookup.Lacking(err) || err == nil && (s.Imported == nil || !slices.Equal(s.Silenced, read.Silenced)) {
		return s, false, nil
	}
	for _, was := range p.Records {
		if err != nil {
			return s, false, err
		}
		var now memory.Record
		if now, err = t.Record(t.Owner.ID, was.ID); lookup.Lacking(err) || err == nil && now.NotForMemory {
			return s, false, nil
		}
	}
	return s, err == nil, err
}

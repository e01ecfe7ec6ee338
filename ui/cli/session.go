package cli

import (
	"context"
	"errors"
	"strings"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/recall"
	"memoria/ui/actions"
	"memoria/ui/export"
	"memoria/ui/words"
)

// listed is a session in session list --json.
type listed struct {
	memory.Session
	// What --find, --since and --until add: how well it matches, how many of its messages do, and the
	// best of them.
	Score   float64             `json:"score,omitempty"`
	Matches int                 `json:"matches,omitempty"`
	Hits    []recall.ArchiveHit `json:"hits,omitempty"`
}

// sessions is what session list --json prints.
type sessions struct {
	Sessions []listed `json:"sessions"`
	Total    int      `json:"total"`
	// Degraded says why sessions may be missing; empty when none is.
	Degraded string `json:"degraded,omitempty"`
	// Unreadable is how many records of the store cannot be read: something may be missing.
	Unreadable int `json:"unreadable,omitempty"`
}

func checkFind(_ context.Context, in *input) error {
	if in.given("find") && strings.TrimSpace(in.text("find")) == "" {
		return wrongUsage("usage.find")
	}
	return nil
}

func sessionList(ctx context.Context, in *input) (actions.Result, error) {
	all, err := in.lookUp(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	r := actions.Result{Data: all, List: &actions.List{Total: all.Total}}
	for _, s := range all.Sessions {
		var quotes []string
		for _, h := range s.Hits {
			quotes = append(quotes, h.Record.Content)
		}
		r.List.Rows = append(r.List.Rows, in.lang().SessionRow(s.Session, in.Console.Now(), false, in.text("find"), quotes...))
	}
	if all.Degraded != "" {
		r.Notes = []string{in.lang().Translate(all.Degraded)}
	}
	if all.Total == 0 {
		id := "session.none"
		if in.text("find") != "" || in.timed() {
			id = "session.no-match"
		}
		r.List, r.Notes = nil, append(r.Notes, in.Say(id))
	}
	return r, nil
}

// lookUp lists sessions, or searches them.
func (in *input) lookUp(ctx context.Context) (sessions, error) {
	out := sessions{Sessions: []listed{}, Unreadable: in.Memory.Vault().Unreadable()}
	limit, offset := in.count("limit"), in.count("offset")
	if in.text("find") == "" && !in.timed() {
		all, total, err := in.Memory.Lookup().Sessions(ctx, in.Agent.ID, limit, offset)
		for _, s := range all {
			out.Sessions = append(out.Sessions, listed{Session: s})
		}
		out.Total = total
		return out, err
	}
	actions.Settle(ctx, in.Console)
	q := recall.ArchiveQuery{Text: in.text("find"), From: in.from, To: in.to, Limit: mostFound}
	page, err := in.Memory.Recall().SearchSessions(ctx, in.Agent.ID, q)
	found := page.Sessions
	out.Total, out.Degraded = len(found), page.Degraded
	found = found[min(offset, len(found)):]
	if limit > 0 {
		found = found[:min(limit, len(found))]
	}
	for _, h := range found {
		out.Sessions = append(out.Sessions, listed{Session: h.Session, Score: h.Score, Matches: h.Total, Hits: h.Hits})
	}
	return out, err
}

// mostFound is how many sessions a search looks at.
const mostFound = 10_000

// onSession does something with the session that the first argument names.
func onSession(do func(context.Context, *input, memory.Session) (actions.Result, error)) func(context.Context,
	*input) (actions.Result, error) {
	return func(ctx context.Context, in *input) (actions.Result, error) {
		s, err := actions.FindSession(ctx, in.Console, in.args[0])
		if err != nil {
			return actions.Result{}, err
		}
		return do(ctx, in, s)
	}
}

func sessionKeep(ctx context.Context, in *input, s memory.Session) (actions.Result, error) {
	return actions.KeepSession(ctx, in.Console, s.ID, !in.on("not"))
}

func sessionRename(ctx context.Context, in *input, s memory.Session) (actions.Result, error) {
	return actions.RenameSession(ctx, in.Console, s.ID, strings.Join(in.args[1:], " "))
}

func sessionShow(ctx context.Context, in *input, s memory.Session) (actions.Result, error) {
	return actions.ShowSession(ctx, in.Console, s, in.count("last"))
}

func sessionFork(ctx context.Context, in *input, s memory.Session) (actions.Result, error) {
	return actions.ForkSession(ctx, in.Console, s, in.args[1])
}

func checkExport(_ context.Context, in *input) error {
	if in.on("force") && in.text("output") == "" {
		return wrongUsage("usage.force")
	}
	return nil
}

func sessionExport(ctx context.Context, in *input, s memory.Session) (actions.Result, error) {
	r, err := actions.ExportSession(ctx, in.Console, actions.Export{
		Session: s.ID, File: in.text("output"), Force: in.on("force"), All: in.on("all-branches"),
	})
	if errors.Is(err, export.ErrThere) {
		err = wrongUsage("usage.there", err)
	}
	return r, err
}

// consolidated is what session consolidate --json prints.
type consolidated struct {
	Session memory.Session         `json:"session"`
	Outcome learning.Consolidation `json:"outcome"`
	Changes []memory.Change        `json:"changes"`
}

func sessionConsolidate(ctx context.Context, in *input, s memory.Session) (r actions.Result, _ error) {
	by, offline, err := in.analyst()
	if err != nil {
		return r, err
	}
	if offline != "" {
		in.remark("learn.by-rules", words.Sentence(offline))
	}
	out := consolidated{Changes: []memory.Change{}}
	out.Outcome, err = in.Memory.Learning().Consolidate(ctx, in.Agent.ID, s.ID, by, func(l learning.Learned) {
		if l.SessionID == s.ID && l.Generation != "" {
			out.Changes = append(out.Changes, l.Changes...)
		}
	})
	if err != nil && !errors.Is(err, learn.ErrUnavailable) {
		return r, err
	}
	if out.Session, err = in.Memory.Lookup().Session(ctx, in.Agent.ID, s.ID); err != nil {
		return r, err
	}
	r.Data = out
	if sum := out.Session.Summary; sum != nil && out.Outcome != learning.ConsolidatedNow {
		r.Lines = []string{in.Say("learn.summed-up", oneLine(sum.Line()))}
	}
	switch out.Outcome {
	case learning.ConsolidatedNow:
		r.Notes = []string{in.Say("learn.done")}
		return r, nil
	case learning.ConsolidatedLater:
		r.Notes = []string{in.Say("learn.later")}
	}
	r.Lines = append(r.Lines, in.learnt(out.Changes)...)
	return r, nil
}

// mayLearn refuses to learn in a run without memory.
func mayLearn(_ context.Context, in *input) error {
	if in.NoMemory {
		return wrongUsage("usage.no-memory")
	}
	return nil
}

// analyst is the model that learns beside the rules; nil, with the reason, when there
// is none. It tells which session it reads.
func (in *input) analyst() (by *learning.Analyst, offline string, err error) {
	client, offline, err := in.app.Client()
	if err != nil || offline != "" {
		return nil, offline, err
	}
	return &learning.Analyst{
		Model: model.NewCompleter(client), Name: client.Info().Model, Prompts: in.app.Prompts,
		Begin: func(s memory.Session) { in.remark("learn.reads", words.ShortID(s.ID), oneLine(s.Title)) },
	}, "", nil
}

// learntTurns is what learn --json prints.
type learntTurns struct {
	Changes []memory.Change `json:"changes"`
	// Summaries are those of sessions that ended.
	Summaries []memory.Summary     `json:"summaries"`
	Analyses  lookup.AnalysisStats `json:"analyses"` // since the memory was made
}

func learnTurns(ctx context.Context, in *input) (r actions.Result, _ error) {
	by, offline, err := in.analyst()
	if err != nil {
		return r, err
	}
	out := learntTurns{Changes: []memory.Change{}, Summaries: []memory.Summary{}}
	for _, id := range in.app.Rememberers() {
		if by == nil || err != nil {
			break
		}
		err = in.Memory.Learning().Analyse(ctx, id, *by, func(l learning.Learned) {
			out.Changes = append(out.Changes, l.Changes...)
			if l.Summary != nil {
				out.Summaries = append(out.Summaries, *l.Summary)
			}
		})
	}
	if ctx.Err() != nil {
		return r, err
	}
	status, serr := in.Memory.Lookup().Status(ctx, in.Agent.ID)
	if serr != nil {
		return r, serr
	}
	out.Analyses = status.Asked
	r.Data = out
	for _, s := range out.Summaries {
		r.Lines = append(r.Lines, in.Say("learn.summed-up", oneLine(s.Line())))
	}
	r.Lines = append(r.Lines, in.learnt(out.Changes)...)
	var unusable *learn.UnusableError
	var stopped *learn.StoppedError
	what, verb := in.waiting(out.Analyses)
	switch {
	case offline != "":
		in.remark("learn.offline", words.Sentence(offline), what, verb)
	case errors.Is(err, learn.ErrUnavailable), errors.As(err, &unusable), errors.As(err, &stopped):
		in.remark("learn.failed", err, what, verb)
		r.Failed = errTold
	case err != nil:
		return r, err
	case len(out.Changes)+len(out.Summaries) == 0:
		in.remark("learn.nothing")
	}
	return r, nil
}

// waiting says what still has to be read, and the verb that follows.
func (in *input) waiting(a lookup.AnalysisStats) (what, verb string) {
	return waitingTurns(a).split(in.lang().Language)
}

// waitingTurns are the turns and sessions that wait for a model.
type waitingTurns lookup.AnalysisStats

// In says how much waits.
func (a waitingTurns) In(l words.Language) string {
	what, verb := a.split(l)
	return strings.TrimSpace(what + " " + verb)
}

func (a waitingTurns) split(l words.Language) (what, verb string) {
	what = l.Count(a.Waiting, "turn")
	if a.Sessions > 0 {
		what = l.Say("learn.and", what, l.Count(a.Sessions, "session"))
	}
	switch {
	case l == words.Chinese:
		return what, ""
	case a.Waiting+a.Sessions == 1:
		return what, "waits"
	}
	return what, "wait"
}

// learnt are changes that a model proposed, a line each.
func (in *input) learnt(changes []memory.Change) (lines []string) {
	for _, c := range changes {
		did, what := in.lang().Named("action", string(c.Action)), oneLine(in.lang().Translate(c.Reason))
		if c.Item != nil {
			what = c.Item.ID + "  " + oneLine(c.Item.Content)
		}
		if c.Item != nil && c.Replaced != nil {
			did, what = in.Say("learn.replaced"), c.Item.ID+"  "+oneLine(c.Replaced.Content)+" → "+oneLine(c.Item.Content)
		}
		lines = append(lines, in.Say("learn.change", words.Pad(did, 10), what))
	}
	return lines
}

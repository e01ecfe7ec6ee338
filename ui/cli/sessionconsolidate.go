package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/manager/learning"
	"memoria/ui/actions"
	"memoria/ui/app"
)

// consolidated is what session consolidate --json prints.
type consolidated struct {
	Session memory.Session         `json:"session"`
	Outcome learning.Consolidation `json:"outcome"`
	Changes []memory.Change        `json:"changes"`
}

func sessionConsolidate(p *Program) *cobra.Command {
	return onSession(p, &cobra.Command{
		Use: "consolidate ID", Short: "Sum a session up now, and keep what it taught",
		Long: `Sum a session up now: its summary when it has ended, and the memories that only
several of its messages together make. This is done by itself when a session ends,
and after many turns of a long one; doing it again changes nothing. ID is an id or
a part of it, or "last". Undo it with memoria memory undo --generation RUN.`,
		Example: `  memoria session consolidate last`,
		PreRunE: func(*cobra.Command, []string) error { return mayLearn(p) },
	}, func(ctx context.Context, o *app.App, c *actions.Console, s memory.Session, _ []string) (r actions.Result, _ error) {
		by, offline, err := analyst(p, o)
		if err != nil {
			return r, err
		}
		if offline != "" {
			p.say("memoria: %s; rules do it", offline)
		}
		out := consolidated{Changes: []memory.Change{}}
		out.Outcome, err = c.Memory.Learning().Consolidate(ctx, c.Agent.ID, s.ID, by, func(l learning.Learned) {
			if l.SessionID == s.ID && l.Generation != "" {
				out.Changes = append(out.Changes, l.Changes...)
			}
		})
		if err != nil && !errors.Is(err, learn.ErrUnavailable) {
			return r, err
		}
		if out.Session, err = c.Memory.Lookup().Session(ctx, c.Agent.ID, s.ID); err != nil {
			return r, err
		}
		r.Data = out
		if sum := out.Session.Summary; sum != nil && out.Outcome != learning.ConsolidatedNow {
			r.Lines = []string{"summed up  " + oneLine(sum.Line())}
		}
		switch out.Outcome {
		case learning.ConsolidatedNow:
			r.Notes = []string{"nothing to do: all of it was read before"}
			return r, nil
		case learning.ConsolidatedLater:
			r.Notes = []string{"the model cannot be asked now; it reads the session later"}
		}
		r.Lines = append(r.Lines, learnt(out.Changes)...)
		return r, nil
	})
}

// mayLearn refuses to learn in a run without memory.
func mayLearn(p *Program) error {
	if p.NoMemory {
		return wrongUsage("--no-memory learns nothing")
	}
	return nil
}

// analyst is the model that learns beside the rules; nil, with the reason, when there
// is none. It tells which session it reads.
func analyst(p *Program, o *app.App) (by *learning.Analyst, offline string, err error) {
	client, offline, err := o.Client()
	if err != nil || offline != "" {
		return nil, offline, err
	}
	return &learning.Analyst{Model: model.NewCompleter(client), Prompts: o.Prompts, Begin: func(s memory.Session) {
		p.say("the model reads session %s: %s", short(s.ID), oneLine(s.Title))
	}}, "", nil
}

package cli

import (
	"context"
	"errors"
	"memoria/ui/app"

	"github.com/spf13/cobra"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/manager"
)

// consolidated is what session consolidate --json prints.
type consolidated struct {
	Session memory.Session        `json:"session"`
	Outcome manager.Consolidation `json:"outcome"`
	Changes []memory.Change       `json:"changes"`
}

func sessionConsolidate(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "consolidate ID", Short: "Sum a session up now, and keep what it taught",
		Long: `Sum a session up now: its summary when it has ended, and the memories that only
several of its messages together make. This is done by itself when a session ends,
and after many turns of a long one; doing it again changes nothing. ID is an id or
a part of it, or "last". Undo it with memoria memory undo --generation RUN.`,
		Example: `  memoria session consolidate last`,
		Args:    need("the ID of a session", 1), Annotations: hint(listSessions), ValidArgsFunction: p.completeSession,
		RunE: func(c *cobra.Command, args []string) error {
			if p.NoMemory {
				return wrongUsage("--no-memory learns nothing")
			}
			return p.with(c.Context(), func(o *app.App) error { return consolidate(c.Context(), p, o, args[0], asJSON) })
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func consolidate(ctx context.Context, p *Program, o *app.App, id string, asJSON bool) error {
	s, err := findSession(ctx, p, o, id)
	if err != nil {
		return err
	}
	by, offline, err := analyst(p, o)
	if err != nil {
		return err
	}
	if offline != "" {
		p.say("memoria: %s; rules do it", offline)
	}
	out := consolidated{Changes: []memory.Change{}}
	out.Outcome, err = o.Memory.Consolidate(ctx, o.Agent.ID, s.ID, by, func(l manager.Learned) {
		if l.SessionID == s.ID && l.Generation != "" {
			out.Changes = append(out.Changes, l.Changes...)
		}
	})
	if err != nil && !errors.Is(err, learn.ErrUnavailable) {
		return err
	}
	if out.Session, err = o.Memory.Session(ctx, o.Agent.ID, s.ID); err != nil {
		return err
	}
	if asJSON {
		return p.printJSON(out)
	}
	if out.Outcome != manager.ConsolidatedNow {
		printSummary(p, out.Session)
		printLearnt(p, out.Changes)
	}
	switch out.Outcome {
	case manager.ConsolidatedNow:
		p.say("nothing to do: all of it was read before")
	case manager.ConsolidatedLater:
		p.say("the model cannot be asked now; it reads the session later")
	}
	return nil
}

// analyst is the model that learns beside the rules; nil, with the reason, when there
// is none. It tells which session it reads.
func analyst(p *Program, o *app.App) (by *manager.Analyst, offline string, err error) {
	client, offline, err := o.Client()
	if err != nil || offline != "" {
		return nil, offline, err
	}
	return &manager.Analyst{Model: model.NewCompleter(client), Prompts: o.Prompts, Begin: func(s memory.Session) {
		p.say("the model reads session %s: %s", short(s.ID), oneLine(s.Title))
	}}, "", nil
}

func printSummary(p *Program, s memory.Session) {
	if s.Summary != nil {
		p.print("summed up  " + oneLine(s.Summary.Line()) + "\n")
	}
}

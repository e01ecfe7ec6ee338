package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/manager"
)

// learnt is what learn --json prints.
type learnt struct {
	Changes  []memory.Change `json:"changes"`
	Analyses manager.Asked   `json:"analyses"` // since the memory was made
}

func (p *Program) learnCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "learn", Short: "Let the model read the turns that wait for it", Args: cobra.NoArgs,
		Long: `Let the model read the finished turns that wait for it, one request for each. The
terminal program does this by itself while nothing else is to be done; this is
for those who only use ask. What a turn states plainly is learned by rules, with
every command, and needs no model.`,
		RunE: func(c *cobra.Command, _ []string) error {
			if p.noMemory {
				return wrongUsage("--no-memory learns nothing")
			}
			return p.with(c.Context(), func(o *open) error { return p.learn(c, o, asJSON) })
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (p *Program) learn(c *cobra.Command, o *open, asJSON bool) error {
	ctx := c.Context()
	client, offline, err := p.client(o)
	if err != nil {
		return err
	}
	out := learnt{Changes: []memory.Change{}}
	if offline == "" {
		by := manager.Analyst{Model: model.NewCompleter(client), Prompts: o.prompts}
		err = o.manager.Analyse(ctx, o.agent.ID, by, func(l manager.Learned) {
			out.Changes = append(out.Changes, l.Changes...)
		})
	}
	if ctx.Err() != nil {
		return err
	}
	status, serr := o.manager.Status(ctx, o.agent.ID)
	if serr != nil {
		return serr
	}
	out.Analyses = status.Asked
	if asJSON {
		if err := p.printJSON(out); err != nil {
			return err
		}
	} else {
		p.printLearnt(out.Changes)
	}
	var unusable *learn.UnusableError
	switch {
	case offline != "":
		p.say("memoria: %s; %s for a model", offline, many(out.Analyses.Waiting, "turn waits", "turns wait"))
	case errors.Is(err, learn.ErrUnavailable), errors.As(err, &unusable):
		p.say("memoria: %s; %s", err, many(out.Analyses.Waiting, "turn still waits", "turns still wait"))
		return errTold
	case err != nil:
		return err
	case len(out.Changes) == 0:
		p.say("nothing new")
	}
	return nil
}

func (p *Program) printLearnt(changes []memory.Change) {
	for _, c := range changes {
		what := oneLine(c.Reason)
		if c.Item != nil {
			what = fmt.Sprintf("%s  %s", c.Item.ID, oneLine(c.Item.Content))
		}
		p.print(fmt.Sprintf("%-10s %s\n", c.Action, what))
	}
}

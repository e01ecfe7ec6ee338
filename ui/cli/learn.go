package cli

import (
	"errors"
	"fmt"
	"memoria/ui/app"
	"strings"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/manager"
)

// learnt is what learn --json prints.
type learnt struct {
	Changes []memory.Change `json:"changes"`
	// Summaries are those of sessions that ended.
	Summaries []memory.Summary      `json:"summaries"`
	Analyses  manager.AnalysisStats `json:"analyses"` // since the memory was made
}

func learnCommand(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "learn", Short: "Let the model read the turns and sessions that wait for it", Args: cobra.NoArgs,
		Long: `Let the model read the finished turns and the ended sessions that wait for it, one
request for each. The terminal program does this by itself while nothing else is
to be done; this is for those who only use ask. What a turn states plainly is
learned by rules, with every command, and so are plain summaries made: that needs
no model.`,
		RunE: func(c *cobra.Command, _ []string) error {
			if p.NoMemory {
				return wrongUsage("--no-memory learns nothing")
			}
			return p.with(c.Context(), func(o *app.App) error { return learnPending(p, c, o, asJSON) })
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func learnPending(p *Program, c *cobra.Command, o *app.App, asJSON bool) error {
	ctx := c.Context()
	by, offline, err := analyst(p, o)
	if err != nil {
		return err
	}
	out := learnt{Changes: []memory.Change{}, Summaries: []memory.Summary{}}
	for _, id := range o.Rememberers() {
		if by == nil || err != nil {
			break
		}
		err = o.Memory.Analyse(ctx, id, *by, func(l manager.Learned) {
			out.Changes = append(out.Changes, l.Changes...)
			if l.Summary != nil {
				out.Summaries = append(out.Summaries, *l.Summary)
			}
		})
	}
	if ctx.Err() != nil {
		return err
	}
	status, serr := o.Memory.Status(ctx, o.Agent.ID)
	if serr != nil {
		return serr
	}
	out.Analyses = status.Asked
	if asJSON {
		if err := p.printJSON(out); err != nil {
			return err
		}
	} else {
		for _, s := range out.Summaries {
			p.print("summed up  " + oneLine(s.Line()) + "\n")
		}
		printLearnt(p, out.Changes)
	}
	waiting := many(out.Analyses.Waiting, "turn", "turns")
	if n := out.Analyses.Sessions; n > 0 {
		waiting += " and " + many(n, "session", "sessions")
	}
	if n := out.Analyses.Waiting + out.Analyses.Sessions; n == 1 {
		waiting += " waits"
	} else {
		waiting += " wait"
	}
	var unusable *learn.UnusableError
	switch {
	case offline != "":
		p.say("memoria: %s; %s for a model", offline, waiting)
	case errors.Is(err, learn.ErrUnavailable), errors.As(err, &unusable):
		p.say("memoria: %s; %s", err, strings.Replace(waiting, " wait", " still wait", 1))
		return errTold
	case err != nil:
		return err
	case len(out.Changes)+len(out.Summaries) == 0:
		p.say("nothing new")
	}
	return nil
}

func printLearnt(p *Program, changes []memory.Change) {
	for _, c := range changes {
		did, what := string(c.Action), oneLine(c.Reason)
		if c.Item != nil {
			what = fmt.Sprintf("%s  %s", c.Item.ID, oneLine(c.Item.Content))
		}
		if c.Item != nil && c.Replaced != nil {
			did = "replaced"
			what = fmt.Sprintf("%s  %s → %s", c.Item.ID, oneLine(c.Replaced.Content), oneLine(c.Item.Content))
		}
		p.print(fmt.Sprintf("%-10s %s\n", did, what))
	}
}

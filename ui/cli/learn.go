package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/words"
)

// learntTurns is what learn --json prints.
type learntTurns struct {
	Changes []memory.Change `json:"changes"`
	// Summaries are those of sessions that ended.
	Summaries []memory.Summary     `json:"summaries"`
	Analyses  lookup.AnalysisStats `json:"analyses"` // since the memory was made
}

func learnCommand(p *Program) *cobra.Command {
	return acting(p, &cobra.Command{
		Use: "learn", Short: "Let the model read the turns and sessions that wait for it",
		Long: `Let the model read the finished turns and the ended sessions that wait for it, one
request for each. The terminal program does this by itself while nothing else is
to be done; this is for those who only use ask. What a turn states plainly is
learned by rules, with every command, and so are plain summaries made: that needs
no model.`,
		PreRunE: func(*cobra.Command, []string) error { return mayLearn(p) },
	}, func(ctx context.Context, o *app.App, c *actions.Console, _ []string) (r actions.Result, _ error) {
		by, offline, err := analyst(p, o)
		if err != nil {
			return r, err
		}
		out := learntTurns{Changes: []memory.Change{}, Summaries: []memory.Summary{}}
		for _, id := range o.Rememberers() {
			if by == nil || err != nil {
				break
			}
			err = c.Memory.Learning().Analyse(ctx, id, *by, func(l learning.Learned) {
				out.Changes = append(out.Changes, l.Changes...)
				if l.Summary != nil {
					out.Summaries = append(out.Summaries, *l.Summary)
				}
			})
		}
		if ctx.Err() != nil {
			return r, err
		}
		status, serr := c.Memory.Lookup().Status(ctx, c.Agent.ID)
		if serr != nil {
			return r, serr
		}
		out.Analyses = status.Asked
		r.Data = out
		for _, s := range out.Summaries {
			r.Lines = append(r.Lines, "summed up  "+oneLine(s.Line()))
		}
		r.Lines = append(r.Lines, learnt(out.Changes)...)
		var unusable *learn.UnusableError
		switch {
		case offline != "":
			p.say("memoria: %s; %s for a model", offline, waiting(out.Analyses, "waits"))
		case errors.Is(err, learn.ErrUnavailable), errors.As(err, &unusable):
			p.say("memoria: %s; %s", err, waiting(out.Analyses, "still waits"))
			r.Failed = errTold
		case err != nil:
			return r, err
		case len(out.Changes)+len(out.Summaries) == 0:
			p.say("nothing new")
		}
		return r, nil
	})
}

// waiting says what still has to be read.
func waiting(a lookup.AnalysisStats, verb string) string {
	out := words.Count(a.Waiting, "turn")
	if a.Sessions > 0 {
		out += " and " + words.Count(a.Sessions, "session")
	}
	if a.Waiting+a.Sessions != 1 {
		verb = strings.TrimSuffix(verb, "s")
	}
	return out + " " + verb
}

// learnt are changes that a model proposed, a line each.
func learnt(changes []memory.Change) (lines []string) {
	for _, c := range changes {
		did, what := string(c.Action), oneLine(c.Reason)
		if c.Item != nil {
			what = fmt.Sprintf("%s  %s", c.Item.ID, oneLine(c.Item.Content))
		}
		if c.Item != nil && c.Replaced != nil {
			did = "replaced"
			what = fmt.Sprintf("%s  %s → %s", c.Item.ID, oneLine(c.Replaced.Content), oneLine(c.Item.Content))
		}
		lines = append(lines, fmt.Sprintf("%-10s %s", did, what))
	}
	return lines
}

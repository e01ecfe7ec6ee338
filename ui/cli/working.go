package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/app"
)

// workingShown is what working --json prints.
type workingShown struct {
	// Working is null where a session has none.
	Working *memory.Working `json:"working"`
	Session memory.Session  `json:"session"`
	// Kept says that the session rests: this comes back when it goes on (W4).
	Kept bool `json:"kept,omitempty"`
}

func workingCommand(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "working [ID]", Short: "Show what a session is about right now",
		Long: `Show the working memory of a session: its topic, what it works with, and since when. It
begins with the session's first message; when the session rests it is kept for when that goes on. ID is an id
or a part of it; without one it is the session last used.`,
		Example: "  memoria working --json",
		Args:    cobra.MaximumNArgs(1), ValidArgsFunction: p.completeSession,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				id := "last"
				if len(args) > 0 {
					id = args[0]
				}
				return showWorking(c.Context(), p, o, id, asJSON)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func showWorking(ctx context.Context, p *Program, o *app.App, id string, asJSON bool) error {
	s, err := findSession(ctx, p, o, id)
	if err != nil {
		return err
	}
	out := workingShown{Session: s}
	w, err := o.Memory.Lookup().Working(ctx, o.Agent.ID, s.ID)
	switch {
	case err == nil:
		out.Working = &w
	case !errors.Is(err, lookup.ErrNotFound):
		return err
	case s.Kept != nil:
		out.Working, out.Kept = s.Kept, true
	}
	if asJSON {
		return p.printJSON(out)
	}
	if out.Working == nil {
		p.say("memoria: this session has no working memory")
		return nil
	}
	printWorking(p, out)
	return nil
}

func printWorking(p *Program, shown workingShown) {
	w := *shown.Working
	line := func(name, value string) { p.print(fmt.Sprintf("%-10s %s\n", oneLine(name), oneLine(value))) }
	topic := w.CurrentTopic
	if topic == "" {
		topic = "none yet"
	}
	line("topic", topic)
	for _, name := range slices.Sorted(maps.Keys(w.ContextVariables)) {
		line(name, w.ContextVariables[name])
	}
	if w.LastEmotion != "" {
		line("feeling", w.LastEmotion)
	}
	line("turns", strconv.Itoa(w.TurnCount))
	line("changed", w.UpdatedAt.In(p.Now().Location()).Format("2006-01-02 15:04"))
	if shown.Kept {
		p.say("memoria: the session rests; this comes back when it goes on")
	}
}

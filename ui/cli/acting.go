package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"memoria/ui/actions"
	"memoria/ui/app"
)

// act does one thing with an open memory.
type act func(ctx context.Context, o *app.App, c *actions.Console, args []string) (actions.Result, error)

// acting completes a command that opens the memory, does one thing and prints what came
// of it: in words, or as JSON.
func acting(p *Program, c *cobra.Command, do act) *cobra.Command {
	var asJSON bool
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	if c.Args == nil {
		c.Args = cobra.NoArgs
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		return p.with(c.Context(), func(o *app.App) error {
			r, err := do(c.Context(), o, p.console(o), args)
			if err != nil {
				return err
			}
			return cmp.Or(p.show(r, asJSON), r.Failed)
		})
	}
	return c
}

// console runs actions for a command.
func (p *Program) console(o *app.App) *actions.Console {
	return &actions.Console{Session: &app.Session{Memory: o.Memory, Now: p.Now}, Mode: actions.Shell, Agent: o.Agent}
}

// show prints what an action did: the answer to stdout, remarks to stderr.
func (p *Program) show(r actions.Result, asJSON bool) error {
	if each, ok := r.Data.(actions.Each); ok && asJSON {
		for _, v := range each {
			if err := p.printJSON(v); err != nil {
				return err
			}
		}
		return nil
	}
	if asJSON {
		return p.printJSON(r.Data)
	}
	if r.ID != "" {
		p.print(r.ID + "\n")
	}
	if r.Title != "" {
		p.print(r.Title + "\n\n")
	}
	for _, f := range r.Fields {
		p.print(fmt.Sprintf("%-12s %s\n", f.Name, f.Said))
	}
	if len(r.Fields) > 0 && len(r.Lines) > 0 {
		p.print("\n")
	}
	for _, l := range r.Lines {
		p.print(strings.TrimRight(l, "\n") + "\n")
	}
	if r.List != nil {
		for _, row := range r.List.Rows {
			p.print(row.Columns + "\n")
		}
	}
	for _, l := range r.Notes {
		p.say("%s", l)
	}
	if l := r.List; l != nil {
		p.say("%d of %d", len(l.Rows), l.Total)
	}
	return nil
}

// paging are the flags of a list.
type paging struct{ limit, offset int }

// flags adds --limit and --offset; limit is the default, 0 is all.
func (g *paging) flags(c *cobra.Command, limit int) {
	help := "at most `N`"
	if limit > 0 {
		help += "; 0 is all"
	}
	c.Flags().IntVar(&g.limit, "limit", limit, help)
	c.Flags().IntVar(&g.offset, "offset", 0, "leave out the first `N`")
	c.PreRunE = func(*cobra.Command, []string) error {
		if g.limit < 0 || g.offset < 0 {
			return wrongUsage("--limit and --offset are not negative")
		}
		return nil
	}
}

// yesFlag adds --yes.
func yesFlag(c *cobra.Command, yes *bool) { c.Flags().BoolVarP(yes, "yes", "y", false, "do not ask") }

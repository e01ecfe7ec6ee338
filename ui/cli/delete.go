package cli

import (
	"context"
	"memoria/ui/app"
	"slices"

	"github.com/spf13/cobra"

	"memoria/memory/manager"
)

// deleted is what delete and clear --json print.
type deleted struct {
	Deleted int      `json:"deleted"`
	IDs     []string `json:"ids,omitempty"`
}

func memoryDelete(p *Program) *cobra.Command {
	var yes, asJSON bool
	c := &cobra.Command{
		Use: "delete ID…", Short: "Delete memories for good",
		Long: "Delete memories for good: they are in no view and in no backup any more.\n" + untilReused,
		Args: need("the ID of a memory", 0), Annotations: hint(findMemory), ValidArgsFunction: p.completeMemory,
		Example: `  memoria memory delete 7K3M9Q2A --yes`,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *app.App) error { return deleteMemories(c.Context(), p, o, args, yes, asJSON) })
		},
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// deleteMemories deletes what is named, all of it or nothing.
func deleteMemories(ctx context.Context, p *Program, o *app.App, names []string, yes, asJSON bool) error {
	var ids []string
	for _, name := range names {
		it, err := o.Memory.Item(ctx, o.Agent.ID, name)
		if err != nil {
			return err
		}
		if slices.Contains(ids, it.ID) {
			continue
		}
		ids = append(ids, it.ID)
		p.say("%s  %s", short(it.ID), oneLine(it.Content))
	}
	if err := p.confirm(ctx, yes, "delete "+many(len(ids), "memory", "memories")+" for good"); err != nil {
		return err
	}
	d, err := o.Memory.DeleteItems(ctx, o.Agent.ID, ids...)
	if err != nil {
		return err
	}
	return destroy(ctx, p, o, d.Items, ids, asJSON)
}

func memoryClear(p *Program) *cobra.Command {
	var yes, asJSON bool
	c := &cobra.Command{
		Use: "clear", Short: "Delete everything that is remembered, for good", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c.Context(), func(o *app.App) error { return clearMemories(c.Context(), p, o, yes, asJSON) })
		},
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func clearMemories(ctx context.Context, p *Program, o *app.App, yes, asJSON bool) error {
	page, err := o.Memory.Items(ctx, o.Agent.ID, manager.ItemFilter{All: true, Limit: 1})
	if err != nil {
		return err
	}
	if page.Total > 0 {
		what := "delete all " + many(page.Total, "memory", "memories") + " of agent " + o.Agent.ID + " for good"
		if err := p.confirm(ctx, yes, what); err != nil {
			return err
		}
	}
	d, err := o.Memory.ClearItems(ctx, o.Agent.ID)
	if err != nil {
		return err
	}
	return destroy(ctx, p, o, d.Items, nil, asJSON)
}

// destroy finishes a deletion at once and says so.
func destroy(ctx context.Context, p *Program, o *app.App, n int, ids []string, asJSON bool) error {
	if err := finishDeletion(ctx, p, o); err != nil {
		return err
	}
	if asJSON {
		return p.printJSON(deleted{Deleted: n, IDs: ids})
	}
	p.say("deleted %s", many(n, "memory", "memories"))
	return nil
}

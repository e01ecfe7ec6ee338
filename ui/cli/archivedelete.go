package cli

import (
	"cmp"
	"context"
	"memoria/memory/recall"
	"slices"

	"github.com/spf13/cobra"
)

// messagesDeleted is what archive delete --json prints.
type messagesDeleted struct {
	IDs      []string `json:"ids"`
	Messages int      `json:"messages"`
	Memories int      `json:"memories"`
	// TakenBack is true when the user changed their mind: nothing is gone.
	TakenBack bool `json:"taken_back"`
}

func (p *Program) archiveDelete() *cobra.Command {
	var f deleting
	c := &cobra.Command{
		Use: "delete ID…", Short: "Delete messages, with or without the memories made from them",
		Long: `Delete single messages. What was sent to the model and quoted them shows that they
are forgotten. The memories that were made from them stay, unless --with-memories
is given; then those go that come from nowhere else. On a terminal it asks which,
and can be taken back for ten seconds; with --yes it is final at once.`,
		Example: `  memoria archive delete 7K3M9Q2A
  memoria archive delete 7K3M9Q2A 9XW2RT4C --with-memories --yes`,
		Args: need("the ID of a message", 0), Annotations: hint(findMessage), ValidArgsFunction: p.completeMessage,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *open) error { return p.deleteMessages(c.Context(), o, args, f) })
		},
	}
	c.Flags().BoolVar(&f.withMemories, "with-memories", false, "also delete the memories that were made from them alone")
	c.Flags().BoolVarP(&f.yes, "yes", "y", false, "do not ask")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return c
}

// deleteMessages deletes what is named, all of it or nothing.
func (p *Program) deleteMessages(ctx context.Context, o *open, names []string, f deleting) error {
	var ids []string
	for _, name := range names {
		r, err := o.manager.FindRecord(ctx, o.agent.ID, name)
		if err != nil {
			return err
		}
		if !slices.Contains(ids, r.ID) {
			ids = append(ids, r.ID)
			s, err := o.manager.Session(ctx, o.agent.ID, r.SessionID)
			if err != nil {
				return err
			}
			p.say("%s: %s", messageLine(recall.ArchiveHit{Record: r, Title: s.Title}, cmp.Or(oneLine(o.speaker(r)), o.agent.Name)), excerpt(r.Content, ""))
		}
	}
	if err := p.askWhat(ctx, len(ids), &f); err != nil {
		return err
	}
	d, err := o.manager.DeleteRecords(ctx, o.agent.ID, f.withMemories, ids...)
	if err != nil {
		return err
	}
	back, err := p.settleDeletion(ctx, o, d, f.yes)
	if err != nil {
		return err
	}
	if f.json {
		return p.printJSON(messagesDeleted{IDs: ids, Messages: d.Messages, Memories: d.Items, TakenBack: back})
	}
	p.sayDeleted(d, back)
	return nil
}

package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/words"
)

// messagesDeleted is what archive delete --json prints.
type messagesDeleted struct {
	IDs      []string `json:"ids"`
	Messages int      `json:"messages"`
	Memories int      `json:"memories"`
	// TakenBack is true when the user changed their mind: nothing is gone.
	TakenBack bool `json:"taken_back"`
}

func archiveDelete(p *Program) *cobra.Command {
	var f deleting
	c := &cobra.Command{
		Use: "delete ID…", Short: "Delete messages, with or without the memories made from them",
		Long: `Delete single messages. What was sent to the model and quoted them shows that they
are forgotten. The memories that were made from them stay, unless --with-memories
is given; then those go that come from nowhere else. On a terminal it asks which,
and can be undone for ten seconds; with --yes it is final at once.`,
		Example: `  memoria archive delete 7K3M9Q2A
  memoria archive delete 7K3M9Q2A 9XW2RT4C --with-memories --yes`,
		Args: need("the ID of a message", 0), Annotations: hint(findMessage), ValidArgsFunction: p.completeMessage,
	}
	f.flags(c, "them")
	return acting(p, c, func(ctx context.Context, o *app.App, c *actions.Console, args []string) (actions.Result, error) {
		var ids []string
		for _, name := range args { // all of them or none
			r, err := c.Memory.Lookup().FindRecord(ctx, c.Agent.ID, name)
			if err != nil {
				return actions.Result{}, err
			}
			if slices.Contains(ids, r.ID) {
				continue
			}
			ids = append(ids, r.ID)
			s, err := c.Memory.Lookup().Session(ctx, c.Agent.ID, r.SessionID)
			if err != nil {
				return actions.Result{}, err
			}
			p.say("%s", words.MessageRow(recall.ArchiveHit{Record: r, Title: s.Title}, answerer(o)(r), "", p.Now()).Columns)
		}
		d, back, err := deleteAsked(ctx, p, o, len(ids), &f, func() (write.Deletion, error) {
			return c.Memory.DeleteRecords(ctx, c.Agent.ID, f.withMemories, ids...)
		})
		return gone(d, back, messagesDeleted{IDs: ids, Messages: d.Messages, Memories: d.Items, TakenBack: back}), err
	})
}

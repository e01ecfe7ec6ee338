package cli

import (
	"fmt"
	"memoria/ui/app"
	"time"

	"github.com/spf13/cobra"
)

func memoryReview(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "review", Short: "List what today's rules would not remember", Args: cobra.NoArgs,
		Long: `Read the messages again from which rules made memories, and list the memories that
today's rules would not make of them. Nothing is changed: delete what is wrong with
memoria memory delete.`,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				found, err := o.Memory.Review(c.Context(), o.Agent.ID)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(found)
				}
				for _, r := range found {
					p.print(fmt.Sprintf("%s  %s  %-12s %s  %s  said: “%s”\n", short(r.ID), r.CreatedAt.Local().Format(time.DateOnly), r.Type,
						r.Key, oneLine(r.Content), oneLine(r.Said)))
				}
				if len(found) == 0 {
					p.say("Today's rules would remember all of it.")
				} else {
					p.say("%s; delete with: memoria memory delete ID", many(len(found), "memory", "memories"))
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

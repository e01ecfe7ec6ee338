package cli

import (
	"github.com/spf13/cobra"

	"memoria/memory/vault"
)

func adoptCommand(p *Program) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "adopt", Short: "Make a memory that was copied here the one of this folder", Args: cobra.NoArgs,
		Long: `A memory's file belongs to its data folder: one that was put there from another
computer, or another folder, is not opened, lest it take the place of yours by
mistake. With adopt it becomes the one of this folder. The backups that are here
stay; they are of the memory that was here before.`,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := p.Setup()
			if err != nil {
				return err
			}
			if err := p.agree(c.Context(), yes, "make the memory in "+s.DataDir+" the one of this folder"); err != nil {
				return err
			}
			last, err := vault.Adopt(s.DataDir)
			if err != nil {
				return err
			}
			p.say("adopted; it was last written on %s", last.In(p.Now().Location()).Format("2006-01-02 15:04"))
			return nil
		},
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return c
}

package cli

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory/vault"
	"memoria/ui/app"
	"memoria/ui/words"
)

func backupCommand(p *Program) *cobra.Command {
	return group("backup", "List the backups of the memory, or make one", backupList(p), backupNow(p))
}

// backups is what backup list --json prints.
type backups struct {
	Backups []vault.Backup `json:"backups"`
}

func backupList(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the backups, newest first", Args: cobra.NoArgs,
		Long: `List the backups, newest first. The memory is not opened, so that this works when
it is damaged; 'memoria doctor --repair' restores the newest good one.`,
		RunE: func(*cobra.Command, []string) error {
			s, err := p.Setup()
			if err != nil {
				return err
			}
			all, err := vault.Backups(s.DataDir)
			if err != nil {
				return err
			}
			if asJSON {
				return p.printJSON(backups{append([]vault.Backup{}, all...)})
			}
			for _, b := range all {
				p.print(backupLine(b))
			}
			if len(all) == 0 {
				p.say("There is no backup yet. They are made while memoria runs; at once: memoria backup now")
			} else {
				p.say("%s", many(len(all), "backup", "backups"))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func backupLine(b vault.Backup) string {
	return fmt.Sprintf("%s  %-9s  %8s  %s\n", words.Moment(b.Time, time.Local), b.Kind, size(b.Bytes), b.Path)
}

func backupNow(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "now", Short: "Make a backup, and check it", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				b, err := makeBackup(c.Context(), p, o)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(b)
				}
				p.print(backupLine(b))
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// makeBackup makes a backup and tells how far it is, when it takes long.
func makeBackup(ctx context.Context, p *Program, o *app.App) (b vault.Backup, err error) {
	var done, total atomic.Int64
	err = watched(func() (err error) {
		b, err = o.Memory.Vault().Backup(ctx, func(n, of int64) {
			done.Store(n)
			total.Store(of)
		})
		return err
	}, func() { p.say("memoria: backup: %s of %s…", size(done.Load()), size(total.Load())) })
	return b, err
}

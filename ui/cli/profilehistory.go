package cli

import (
	"context"
	"fmt"
	"memoria/ui/app"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"memoria/memory/manager"
	"memoria/memory/profile"
)

func profileHistory(p *Program) *cobra.Command {
	var limit, offset int
	var asJSON bool
	c := &cobra.Command{
		Use: "history", Short: "List the versions of the profile with what each changed, newest first", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 0 || offset < 0 {
				return wrongUsage("--limit and --offset are not negative")
			}
			return p.with(c.Context(), func(o *app.App) error {
				h, err := o.Memory.ProfileHistory(c.Context(), o.Agent.ID, limit, offset)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(h)
				}
				for _, v := range h.Versions {
					p.print(profileChangeLine(v) + "\n")
					for _, d := range v.Diff {
						p.print("    " + oneLine(d.String()) + "\n")
					}
				}
				p.say("%d of %s", len(h.Versions), many(h.Total, "version", "versions"))
				return nil
			})
		},
	}
	c.Flags().IntVar(&limit, "limit", 50, "at most `N`; 0 is all")
	c.Flags().IntVar(&offset, "offset", 0, "leave out the first `N`")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func profileChangeLine(v manager.ProfileChange) string {
	line := fmt.Sprintf("%4d  %s  %s", v.Version, v.Time.Local().Format("2006-01-02 15:04"), oneLine(v.Words()))
	for _, id := range v.Items {
		line += " " + short(id)
	}
	if v.Undone {
		line += " [undone]"
	}
	return line
}

// versionArg reads the number of a version.
func versionArg(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(s, "v"))
	if err != nil || n < 1 {
		return 0, wrongUsage("%q is no version; 'memoria profile history' lists them", s)
	}
	return n, nil
}

func profileDiff(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "diff [VERSION [VERSION]]", Short: "Say what the last change did, what was changed since a version, or between two",
		Args: cobra.MaximumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			var versions []int
			for _, a := range args {
				n, err := versionArg(a)
				if err != nil {
					return err
				}
				versions = append(versions, n)
			}
			return p.with(c.Context(), func(o *app.App) error {
				diff, err := diffOf(c.Context(), p, o, versions)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(diff)
				}
				printDiff(p, diff)
				if len(diff) == 0 {
					p.say("no difference")
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func diffOf(ctx context.Context, p *Program, o *app.App, versions []int) ([]profile.Difference, error) {
	if len(versions) == 0 {
		h, err := o.Memory.ProfileHistory(ctx, o.Agent.ID, 1, 0)
		if err != nil || len(h.Versions) == 0 {
			return []profile.Difference{}, err
		}
		return h.Versions[0].Diff, nil
	}
	before, err := o.Memory.ProfileVersion(ctx, o.Agent.ID, versions[0])
	if err != nil {
		return nil, err
	}
	after, err := o.Memory.Profile(ctx, o.Agent.ID)
	if err == nil && len(versions) == 2 {
		after, err = o.Memory.ProfileVersion(ctx, o.Agent.ID, versions[1])
	}
	return profile.Diff(before.Profile, after.Profile), err
}

func profileUndo(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "undo [VERSION]", Short: "Take back the last change of the profile, or what made a version",
		Long: `Take back the last change of the profile, or what made a version. What was changed
since stays. A line of what is remembered that goes by it does not come back from the
same memory. The undo is a version, too: undoing it brings back what it took.`,
		Args: cobra.MaximumNArgs(1), Annotations: hint("'memoria profile history' lists the versions."),
		RunE: func(c *cobra.Command, args []string) error {
			version := 0
			if len(args) == 1 {
				n, err := versionArg(args[0])
				if err != nil {
					return err
				}
				version = n
			}
			return p.with(c.Context(), func(o *app.App) error {
				v, err := o.Memory.UndoProfile(c.Context(), o.Agent.ID, version)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(v)
				}
				printDiff(p, v.Diff)
				p.say("version %d was taken back; to take this back: memoria profile undo %d", v.Undoes, v.Version)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// profileCleared is what clear --json prints.
type profileCleared struct {
	Versions int `json:"versions"`
}

func profileClear(p *Program) *cobra.Command {
	var yes, older, asJSON bool
	c := &cobra.Command{
		Use: "clear", Short: "Delete the profile with all its versions for good, or only the earlier versions",
		Long: `Delete the profile for good: what you wrote there is in no version and in no backup
any more. Your memories stay; they make no line any more, only what is learned from
now on does. With --history the profile stays and its earlier versions go.
` + untilReused,
		Example: `  memoria profile clear --history --yes`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				what := "delete the profile with all its versions for good"
				if older {
					what = "delete the earlier versions of the profile for good"
				}
				if err := p.confirm(c.Context(), yes, what); err != nil {
					return err
				}
				d, err := o.Memory.DeleteProfile(c.Context(), o.Agent.ID, older)
				if err == nil {
					err = finishDeletion(c.Context(), p, o)
				}
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(profileCleared{Versions: d.Profiles})
				}
				p.say("deleted %s of the profile", many(d.Profiles, "version", "versions"))
				return nil
			})
		},
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	c.Flags().BoolVar(&older, "history", false, "only the versions before the one of now")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

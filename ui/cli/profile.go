package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"memoria/memory/manager"
	"memoria/memory/profile"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/editor"
	"memoria/ui/words"
)

func profileCommand(p *Program) *cobra.Command {
	show := profileShow(p)
	c := group("profile", "See and edit the profile: a short page about you that goes with every message",
		show, profileEdit(p), profileSet(p), profileHistory(p), profileDiff(p), profileUndo(p), profileClear(p))
	c.Long = `The profile is a short Markdown page about you: how you want to be answered, your
languages, who you are. What is remembered of that kind stands in it by itself, one
line each, as long as it is remembered. What you write or change there is yours and
is never overwritten; a line that you take out does not come back.`
	return orElse(c, show)
}

func profileShow(p *Program) *cobra.Command {
	var version int
	c := &cobra.Command{
		Use: "show", Short: "Print the profile, or an earlier version of it",
		PreRunE: func(*cobra.Command, []string) error {
			if version < 0 {
				return wrongUsage("--version %d: versions are counted from 1", version)
			}
			return nil
		},
	}
	c.Flags().IntVar(&version, "version", 0, "the version with this `NUMBER`; 0 is the one of now")
	return acting(p, c, func(ctx context.Context, _ *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		return actions.ShowProfile(ctx, c, version)
	})
}

func profileEdit(p *Program) *cobra.Command {
	command := editor.Of(p.Env)
	return acting(p, &cobra.Command{
		Use: "edit", Short: "Write the profile in your editor ($VISUAL or $EDITOR)",
		PreRunE: func(*cobra.Command, []string) error {
			if command == "" {
				return wrongUsage("edit needs an editor: set VISUAL or EDITOR, or use memoria profile set --file FILE")
			}
			return nil
		},
	}, func(ctx context.Context, o *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		now, err := c.Memory.Profile(ctx, c.Agent.ID)
		if err != nil {
			return actions.Result{}, err
		}
		text, err := edited(ctx, p, o, command, now.Markdown)
		if err != nil {
			return actions.Result{}, err
		}
		return actions.SetProfile(ctx, c, now.Version, text)
	})
}

// edited lets the user's editor change a text.
func edited(ctx context.Context, p *Program, o *app.App, command, text string) (_ string, err error) {
	t, err := editor.Begin(o.Memory.Vault().Dir(), text)
	if err != nil {
		return "", err
	}
	defer func() { _ = t.Close() }()
	c := t.Command(ctx, command)
	c.Stdin, c.Stdout, c.Stderr, c.Env = p.Stdin, p.Stdout, p.Stderr, p.Env
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w; nothing was changed", command, err)
	}
	return t.Read()
}

func profileSet(p *Program) *cobra.Command {
	var file, text string
	c := &cobra.Command{
		Use: "set --file FILE", Short: "Take the profile from a file; - is standard input",
		Long: `Take the profile from a file. Lines of what is remembered that are in it go on
following their memory, those that are not are taken out for good, and everything
else is yours.`,
		Example: `  memoria profile show >me.md
  memoria profile set --file me.md`,
		PreRunE: func(c *cobra.Command, _ []string) (err error) {
			if file == "" {
				return wrongUsage("set needs --file FILE; - is standard input")
			}
			p.began = true
			text, err = readText(c.Context(), p, file)
			return err
		},
	}
	c.Flags().StringVar(&file, "file", "", "the `FILE` to read")
	return acting(p, c, func(ctx context.Context, _ *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		return actions.SetProfile(ctx, c, 0, text)
	})
}

// readText reads a file, or standard input when it is "-".
func readText(ctx context.Context, p *Program, name string) (string, error) {
	b, err := interruptible(ctx, func() ([]byte, error) {
		if name == "-" {
			return io.ReadAll(io.LimitReader(p.Stdin, maxStdin+1))
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }()
		return io.ReadAll(io.LimitReader(f, maxStdin+1))
	})
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", name, err)
	}
	if len(b) > maxStdin {
		return "", wrongUsage("%s is longer than %d MB", name, maxStdin>>20)
	}
	return string(b), nil
}

func profileHistory(p *Program) *cobra.Command {
	var page paging
	c := &cobra.Command{Use: "history", Short: "List the versions of the profile with what each changed, newest first"}
	page.flags(c, 50)
	return acting(p, c, func(ctx context.Context, _ *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		return actions.ProfileHistory(ctx, c, page.limit, page.offset)
	})
}

// versions reads numbers of versions.
func versions(args []string) (all []int, err error) {
	for _, s := range args {
		n, err := strconv.Atoi(strings.TrimPrefix(s, "v"))
		if err != nil || n < 1 {
			return nil, wrongUsage("%q is no version; 'memoria profile history' lists them", s)
		}
		all = append(all, n)
	}
	return all, nil
}

func profileDiff(p *Program) *cobra.Command {
	var between []int
	return acting(p, &cobra.Command{
		Use: "diff [VERSION [VERSION]]", Short: "Say what the last change did, what was changed since a version, or between two",
		Args: cobra.MaximumNArgs(2),
		PreRunE: func(_ *cobra.Command, args []string) (err error) {
			between, err = versions(args)
			return err
		},
	}, func(ctx context.Context, _ *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		if len(between) == 0 {
			h, err := c.Memory.ProfileHistory(ctx, c.Agent.ID, 1, 0)
			if err != nil || len(h.Versions) == 0 {
				return actions.ProfileDiff(c, []profile.Difference{}), err
			}
			return actions.ProfileDiff(c, h.Versions[0].Diff), nil
		}
		before, err := c.Memory.ProfileVersion(ctx, c.Agent.ID, between[0])
		if err != nil {
			return actions.Result{}, err
		}
		after, err := c.Memory.Profile(ctx, c.Agent.ID)
		if err == nil && len(between) == 2 {
			after, err = c.Memory.ProfileVersion(ctx, c.Agent.ID, between[1])
		}
		return actions.ProfileDiff(c, profile.Diff(before.Profile, after.Profile)), err
	})
}

func profileUndo(p *Program) *cobra.Command {
	version := 0
	return acting(p, &cobra.Command{
		Use: "undo [VERSION]", Short: "Undo the last change of the profile, or what made a version",
		Long: `Undo the last change of the profile, or what made a version. What was changed
since stays. A line of what is remembered that goes by it does not come back from the
same memory. The undo is a version, too: undoing it brings back what it took.`,
		Args: cobra.MaximumNArgs(1), Annotations: hint("'memoria profile history' lists the versions."),
		PreRunE: func(_ *cobra.Command, args []string) error {
			all, err := versions(args)
			if len(all) > 0 {
				version = all[0]
			}
			return err
		},
	}, func(ctx context.Context, _ *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		r, err := actions.UndoProfile(ctx, c, version)
		if v, ok := r.Data.(manager.ProfileChange); ok {
			r.Notes = []string{fmt.Sprintf("to undo this: memoria profile undo %d", v.Version)}
		}
		return r, err
	})
}

// profileCleared is what clear --json prints.
type profileCleared struct {
	Versions int `json:"versions"`
}

func profileClear(p *Program) *cobra.Command {
	var yes, older bool
	c := &cobra.Command{
		Use: "clear", Short: "Delete the profile with all its versions for good, or only the earlier versions",
		Long: `Delete the profile for good: what you wrote there is in no version and in no backup
any more. Your memories stay; they make no line any more, only what is learned from
now on does. With --history the profile stays and its earlier versions go.
` + untilReused,
		Example: `  memoria profile clear --history --yes`,
	}
	c.Flags().BoolVar(&older, "history", false, "only the versions before the one of now")
	yesFlag(c, &yes)
	return acting(p, c, func(ctx context.Context, o *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		what := "delete the profile with all its versions for good"
		if older {
			what = "delete the earlier versions of the profile for good"
		}
		if err := p.confirm(ctx, yes, what); err != nil {
			return actions.Result{}, err
		}
		d, err := c.Memory.DeleteProfile(ctx, c.Agent.ID, older)
		if err == nil {
			err = finishDeletion(ctx, p, o)
		}
		return actions.Result{Data: profileCleared{Versions: d.Profiles},
			Notes: []string{"deleted " + words.Count(d.Profiles, "version") + " of the profile"}}, err
	})
}

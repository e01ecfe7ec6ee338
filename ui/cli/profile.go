package cli

import (
	"context"
	"fmt"
	"io"
	"memoria/ui/app"
	"os"

	"github.com/spf13/cobra"

	"memoria/memory/manager"
	"memoria/memory/profile"
	"memoria/ui/editor"
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
	var asJSON bool
	c := &cobra.Command{
		Use: "show", Short: "Print the profile, or an earlier version of it", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				pr, err := profileAt(c.Context(), p, o, version)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(pr)
				}
				p.print(pr.Markdown)
				p.say("%s", profileLine(pr))
				return nil
			})
		},
	}
	c.Flags().IntVar(&version, "version", 0, "the version with this `NUMBER`; 0 is the one of now")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON: each line with where it comes from")
	return c
}

func profileAt(ctx context.Context, p *Program, o *app.App, version int) (manager.Profile, error) {
	if version < 0 {
		return manager.Profile{}, wrongUsage("--version %d: versions are counted from 1", version)
	}
	if version > 0 {
		return o.Memory.ProfileVersion(ctx, o.Agent.ID, version)
	}
	return o.Memory.Profile(ctx, o.Agent.ID)
}

// profileLine is what there is to say about a profile, in one line.
func profileLine(pr manager.Profile) string {
	s := fmt.Sprintf("version %d · ~%d tokens; it stays under %d", pr.Version, pr.Tokens, pr.Limit)
	if len(pr.Shown()) == 0 {
		s = "Nothing stands in it yet. Tell who you are and how you want to be answered, or: memoria profile edit"
	}
	if pr.Waiting > 0 {
		s += fmt.Sprintf(" · %s no room, or say the same as you", many(pr.Waiting, "line has", "lines have"))
	}
	if !pr.Sent {
		s += " · it is not sent (enable_user_profile)"
	}
	return s
}

func profileEdit(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "edit", Short: "Write the profile in your editor ($VISUAL or $EDITOR)", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			command := editor.Of(p.Env)
			if command == "" {
				return wrongUsage("edit needs an editor: set VISUAL or EDITOR, or use memoria profile set --file FILE")
			}
			return p.with(c.Context(), func(o *app.App) error {
				pr, err := o.Memory.Profile(c.Context(), o.Agent.ID)
				if err != nil {
					return err
				}
				text, err := edited(c.Context(), p, o, command, pr.Markdown)
				if err != nil {
					return err
				}
				return setProfile(c.Context(), p, o, pr.Version, text, asJSON)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the profile as JSON")
	return c
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

func setProfile(ctx context.Context, p *Program, o *app.App, shown int, text string, asJSON bool) error {
	before, err := o.Memory.Profile(ctx, o.Agent.ID)
	if err != nil {
		return err
	}
	now, err := o.Memory.SetProfile(ctx, o.Agent.ID, shown, text)
	if err != nil {
		return err
	}
	if asJSON {
		return p.printJSON(now)
	}
	printDiff(p, profile.Diff(before.Profile, now.Profile))
	if now.Version == before.Version {
		p.say("nothing was changed")
		return nil
	}
	p.say("%s", profileLine(now))
	return nil
}

func printDiff(p *Program, diff []profile.Difference) {
	for _, d := range diff {
		p.print(oneLine(d.String()) + "\n")
	}
}

func profileSet(p *Program) *cobra.Command {
	var file string
	var asJSON bool
	c := &cobra.Command{
		Use: "set --file FILE", Short: "Take the profile from a file; - is standard input",
		Long: `Take the profile from a file. Lines of what is remembered that are in it go on
following their memory, those that are not are taken out for good, and everything
else is yours.`,
		Example: `  memoria profile show >me.md
  memoria profile set --file me.md`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if file == "" {
				return wrongUsage("set needs --file FILE; - is standard input")
			}
			text, err := readText(c.Context(), p, file)
			if err != nil {
				return err
			}
			return p.with(c.Context(), func(o *app.App) error { return setProfile(c.Context(), p, o, 0, text, asJSON) })
		},
	}
	c.Flags().StringVar(&file, "file", "", "the `FILE` to read")
	c.Flags().BoolVar(&asJSON, "json", false, "print the profile as JSON")
	return c
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

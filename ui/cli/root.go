package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memoria/index/text"
	"memoria/ui/words"
)

func (p *Program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Version: p.Version, SilenceErrors: true, SilenceUsage: true,
		RunE: func(c *cobra.Command, _ []string) error { return p.interactive(c.Context()) },
	}
	p.addCommands(root)
	set, _, _ := root.Find([]string{"config", "set"})
	set.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return wrongUsage("usage.value", err, c.CommandPath())
	})
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(helpCommand())
	p.mark(root)
	return root
}

// mark lets every command note that it has begun. What cobra refuses before is
// wrong usage, whatever it is: flags, their values, arguments, commands.
func (p *Program) mark(c *cobra.Command) {
	if run := c.RunE; run != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			p.began = true
			return run(c, args)
		}
	}
	for _, sub := range c.Commands() {
		p.mark(sub)
	}
}

// helpCommand shows the help of a command. Cobra's own prints the words of the
// user as they are, and calls it a success when there is no such command.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: words.Say("help.short"),
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return wrongUsage("usage.command", strings.Join(args, " "))
			}
			found.InitDefaultHelpFlag()
			found.InitDefaultVersionFlag()
			return found.Help()
		},
	}
}

// isGroup makes a command a group. Without a sub-command it shows its help, or runs the
// sub-command that its annotation names.
func isGroup(c *cobra.Command) {
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			if c.Annotations[otherwise] == "" {
				return c.Help()
			}
			sub, _, _ := c.Find([]string{c.Annotations[otherwise]})
			sub.SetContext(c.Context())
			return sub.RunE(sub, nil)
		}
		c.SuggestionsMinimumDistance = 2
		near := ""
		if s := c.SuggestionsFor(args[0]); len(s) > 0 {
			nearest := slices.MinFunc(s, func(a, b string) int { return text.Distance(args[0], a) - text.Distance(args[0], b) })
			near = words.Say("usage.nearest", nearest)
		}
		return wrongUsage("usage.unknown", args[0], c.CommandPath(), near)
	}
}

package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memoria/index/text"
	"memoria/ui/words"
)

// heading matches what cobra's template of the help says in words.
var heading = regexp.MustCompile(`(?m)^[A-Z][A-Za-z ]+:|Use "\{\{\.CommandPath\}\}[^\n{]*\.`)

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
	root.SetHelpCommand(p.helpCommand())
	root.SetUsageTemplate(heading.ReplaceAllStringFunc(root.UsageTemplate(), p.lang().Translate))
	p.mark(root)
	return root
}

// mark lets every command note that it has begun. What cobra refuses before is
// wrong usage, whatever it is: flags, their values, arguments, commands.
func (p *Program) mark(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	c.Flags().Lookup("help").Usage = p.lang().Say("help.flag", c.Name())
	if run := c.RunE; run != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			p.began = true
			if p.ConfigFile != "" { // it may choose another language
				p.Speak()
			}
			return run(c, args)
		}
	}
	for _, sub := range c.Commands() {
		p.mark(sub)
	}
}

// helpCommand shows the help of a command, a topic of the manual, or both where they have
// the same name. Cobra's own prints the words of the user as they are, and calls it a success
// when there is no such command.
func (p *Program) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND | TOPIC]", Short: p.lang().Say("help.short"), Long: p.lang().Say("help.long"),
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) (out []string, _ cobra.ShellCompDirective) {
			above, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			for _, sub := range above.Commands() {
				if sub.IsAvailableCommand() {
					out = append(out, offerOf(sub.Name(), sub.Short))
				}
			}
			if len(args) > 0 {
				return out, cobra.ShellCompDirectiveNoFileComp
			}
			for _, t := range topics(p.lang()) {
				if !slices.Contains(commandNames(above), t.name) {
					out = append(out, offerOf(t.name, t.title))
				}
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			about, isTopic := findTopic(p.lang(), strings.Join(args, " "))
			found, rest, err := c.Root().Find(args)
			isCommand := err == nil && len(rest) == 0
			if !isTopic && !isCommand {
				typed := strings.Join(args, " ")
				return wrongUsage("usage.command.near", typed, nearTopic(p.lang(), typed, commandNames(c.Root())))
			}
			if isCommand {
				found.InitDefaultHelpFlag()
				found.InitDefaultVersionFlag()
				if err := found.Help(); err != nil {
					return err
				}
			}
			switch out := c.OutOrStdout(); {
			case isTopic && isCommand:
				_, err = fmt.Fprintf(out, "\n%s", about)
			case isTopic:
				_, err = fmt.Fprint(out, about)
			case len(args) == 0:
				_, err = fmt.Fprintf(out, "\n%s\n%s", p.lang().Say("help.topics"), topicList(p.lang()))
			default:
				err = nil
			}
			return err
		},
	}
}

// commandNames are the names of the commands below root.
func commandNames(root *cobra.Command) (out []string) {
	for _, c := range root.Commands() {
		out = append(out, c.Name())
	}
	return out
}

// isGroup makes a command a group. Without a sub-command it shows its help, or runs the
// sub-command that its annotation names.
func isGroup(c *cobra.Command) {
	c.Args = cobra.ArbitraryArgs
	c.ValidArgsFunction = func(c *cobra.Command, args []string, begun string) (out []string, _ cobra.ShellCompDirective) {
		for _, sub := range c.Commands() { // a shell offers the names themselves
			for _, other := range sub.Aliases {
				if len(args) == 0 && begun != "" && strings.HasPrefix(other, begun) {
					out = append(out, offerOf(other, sub.Short))
				}
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
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
		near := any("")
		if s := c.SuggestionsFor(args[0]); len(s) > 0 {
			nearest := slices.MinFunc(s, func(a, b string) int { return text.Distance(args[0], a) - text.Distance(args[0], b) })
			near = words.Later("usage.nearest", nearest)
		}
		return wrongUsage("usage.unknown", args[0], c.CommandPath(), near)
	}
}

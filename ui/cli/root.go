package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memoria/index/text"
)

func (p *Program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "memoria",
		Short: "Chat with a language model and see, correct and delete what it remembers",
		Long: `memoria is a chat client for the terminal whose memory you can see, correct and
delete. It runs on your own computer; nothing leaves it but what goes to the
model you choose. Without a model it answers by quoting what it remembers.

memoria 是一个终端聊天程序。它记住了什么，你看得见、改得了、删得掉。`,
		Example: `  memoria                                   start chatting
  memoria --demo                            look around in a made-up memory
  memoria ask "what did I say about tea?"   one question, one answer
  git diff | memoria ask "review this"      standard input is added
  memoria recall "tea"                      what would be recalled, and why
  memoria memory list                       everything that is remembered`,
		Version:       p.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(c *cobra.Command, _ []string) error { return p.interactive(c.Context()) },
	}
	f := root.PersistentFlags()
	f.StringVar(&p.ConfigFile, "config", "", "configuration `FILE`")
	f.StringVar(&p.DataDir, "data-dir", "", "`FOLDER` of the memory")
	f.StringVar(&p.Agent, "agent", "", "`ID` or name of the agent, or the group, to talk to")
	f.StringVar(&p.Model, "model", "", "`NAME` of the model to ask")
	f.BoolVar(&p.Debug, "debug", false, "log more (never what is said)")
	f.BoolVar(&p.Demo, "demo", false, "look around in a made-up memory that is thrown away at the end")
	f.BoolVar(&p.NoMemory, "no-memory", false, "neither recall nor learn in this run")
	f.BoolVar(&p.screenReader, "screen-reader", false, "talk line by line: nothing is drawn, nothing painted again")
	f.BoolVar(&p.typed, "typed", false, "with --screen-reader: a person types the lines, although standard input is no terminal")
	p.temporaryFlag(root)
	for _, kind := range []string{"agent", "model"} {
		completeFlag(root, kind, func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			return p.complete(c, kind, nil, begun)
		})
	}
	p.addCommands(root)
	ask, _, _ := root.Find([]string{"ask"})
	p.temporaryFlag(ask)
	set, _, _ := root.Find([]string{"config", "set"})
	set.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return wrongUsage("%s; a VALUE that begins with - stands behind --: %s KEY -- -1", err, c.CommandPath())
	})
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(helpCommand())
	p.mark(root)
	return root
}

// temporaryFlag adds --temp to a command that talks.
func (p *Program) temporaryFlag(c *cobra.Command) {
	c.Flags().BoolVar(&p.Temporary, "temp", false, "a temporary chat: nothing is kept and nothing is learned; memories may be read")
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
		Use: "help [COMMAND]", Short: "Show the help of a command",
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return wrongUsage("there is no command %q", strings.Join(args, " "))
			}
			found.InitDefaultHelpFlag()
			found.InitDefaultVersionFlag()
			return found.Help()
		},
	}
}

// isGroup lets a command only have sub-commands. Without one it shows its help, or does
// what one of them does without flags.
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
			near = "; did you mean " + slices.MinFunc(s, func(a, b string) int { return text.Distance(args[0], a) - text.Distance(args[0], b) }) + "?"
		}
		return wrongUsage("unknown command %q for %q%s", args[0], c.CommandPath(), near)
	}
}

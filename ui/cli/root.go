package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"memoria/chat/model"
	"memoria/ui/term"
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
  memoria ask "what did I say about tea?"   one question, one answer
  git diff | memoria ask "review this"      standard input is added
  memoria recall "tea"                      what would be recalled, and why
  memoria memory list                       everything that is remembered`,
		Version:       p.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(c *cobra.Command, _ []string) error { return p.runTerm(c.Context()) },
	}
	f := root.PersistentFlags()
	f.StringVar(&p.configPath, "config", "", "configuration `FILE`")
	f.StringVar(&p.dataDir, "data-dir", "", "`FOLDER` of the memory")
	f.StringVar(&p.agent, "agent", "", "`ID` of the agent to talk to")
	f.StringVar(&p.modelName, "model", "", "`NAME` of the model to ask")
	f.BoolVar(&p.debug, "debug", false, "log more (never what is said)")
	f.BoolVar(&p.noMemory, "no-memory", false, "neither recall nor learn in this run")
	root.AddCommand(p.askCommand(), p.recallCommand(), p.memoryCommand(), p.contextCommand())
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

// group is a command that only has sub-commands.
func group(use, short string, subs ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			c.SuggestionsMinimumDistance = 2
			near := ""
			if s := c.SuggestionsFor(args[0]); len(s) > 0 {
				near = "; did you mean " + s[0] + "?"
			}
			return wrongUsage("unknown command %q for %q%s", args[0], c.CommandPath(), near)
		},
	}
	c.AddCommand(subs...)
	return c
}

// need wants at least one argument, and says which.
func need(what string, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return wrongUsage("%s needs %s", c.CommandPath(), what)
		case most > 0 && len(args) > most:
			return wrongUsage("%s takes %s, not %q as well", c.CommandPath(), what, args[most])
		}
		return nil
	}
}

// runTerm starts the terminal program.
func (p *Program) runTerm(ctx context.Context) (err error) {
	if !isTerminal(p.Stdin) || !isTerminal(p.Stdout) {
		p.say("memoria: this is not a terminal")
		p.say("  For one question and one answer use: memoria ask TEXT")
		return errTold
	}
	o, err := p.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	client, _, err := p.client(o)
	if err != nil {
		return err
	}
	conversation, err := p.chat(o, client)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conversation.Close()) }()
	return term.Run(ctx, term.Options{
		Chat: conversation, Manager: o.manager, In: p.Stdin, Out: p.Stdout, Env: p.Env, LogPath: o.log,
		Config: o.cfg.UI, Now: p.Now, Version: p.Version,
		Discover: func(ctx context.Context) []model.Found {
			if !client.Info().Offline {
				return nil
			}
			return model.Discover(ctx, nil)
		},
		Connect: func(f model.Found) (model.Client, error) {
			return model.NewOpenAI(f.Config(o.cfg.Model), model.WithLogger(o.logger), model.WithClock(p.Now))
		},
	})
}

package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"memoria/chat/model"
	"memoria/memory/journal"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/words"
)

func journalCommand(p *Program) *cobra.Command {
	c := group("journal", "Read, search and write the journal: memory as files",
		journalStatusCommand(p), journalRunCommand(p), journalListCommand(p), journalShowCommand(p), journalSearchCommand(p), journalPathCommand(p))
	c.Long = `The journal keeps what was said as Markdown files: the last five days word for word, older
days of this month and the last as a summary of each day, older months as a summary of each month.
You may read, search and edit them with any program; memory.md is yours alone. Messages
that are marked "don't remember this", temporary chats and secrets are not in it.`
	return c
}

func journalStatusCommand(p *Program) *cobra.Command {
	return acting(p, &cobra.Command{
		Use: "status", Short: "Show what waits, what failed, and when it is tried again",
	}, func(ctx context.Context, _ *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		return actions.JournalStatus(ctx, c)
	})
}

func journalRunCommand(p *Program) *cobra.Command {
	var rules, redo bool
	c := &cobra.Command{
		Use: "run", Short: "Write now what waits for the journal",
		Long: `Write now what waits for the journal, without waiting for more messages or for a failed
summary's time. Summaries are made by the model; where there is none, or with --rules, of the sentences that
tell most. With --redo the model replaces those that rules have made.`,
		Example: "  memoria journal run\n  memoria journal run --redo",
	}
	c.Flags().BoolVar(&rules, "rules", false, "make the summaries by rules")
	c.Flags().BoolVar(&redo, "redo", false, "let the model replace those that rules have made")
	c.MarkFlagsMutuallyExclusive("rules", "redo")
	return acting(p, c, func(ctx context.Context, o *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		by, offline, err := summariser(o, rules)
		if err != nil {
			return actions.Result{}, err
		}
		if offline != "" && redo {
			return actions.Result{}, fmt.Errorf("there is no model to replace summaries: %s", offline)
		}
		return actions.WriteJournal(ctx, c, by, journal.Wanted{Now: true, Retry: true, Redo: redo})
	})
}

// summariser makes the summaries; offline says why it is not a model.
func summariser(o *app.App, rules bool) (by journal.Summariser, offline string, err error) {
	if rules {
		return o.Memory.JournalRules(), "", nil
	}
	client, offline, err := o.Client()
	if err != nil || offline != "" {
		return o.Memory.JournalRules(), offline, err
	}
	return journal.Model{Ask: model.NewCompleter(client), Name: client.Info().Model, Prompts: o.Prompts, Policy: o.Memory.Policy()}, "", nil
}

func journalListCommand(p *Program) *cobra.Command {
	return acting(p, &cobra.Command{
		Use: "list", Short: "List the files, the newest day first",
	}, func(ctx context.Context, _ *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		return actions.JournalFiles(ctx, c)
	})
}

func journalShowCommand(p *Program) *cobra.Command {
	return acting(p, &cobra.Command{
		Use: "show FILE", Short: "Print a file, without its header",
		Long: `Print a file of the journal without its header. FILE is its path, a part of it, or a day or month: for a day
with several files all of them are printed, and with --json one value for each.`,
		Example: "  memoria journal show 2026-01-28\n  memoria journal show memory.md",
		Args:    need("a FILE: a path, a day, or a month", 1), ValidArgsFunction: p.completeJournal,
	}, func(ctx context.Context, _ *app.App, c *actions.Console, args []string) (actions.Result, error) {
		r, err := actions.JournalText(ctx, c, args[0])
		if err == nil && len(r.Lines) == 0 {
			err = fmt.Errorf("the journal has no file %q; to see which there are: memoria journal list", args[0])
		}
		return r, err
	})
}

func journalSearchCommand(p *Program) *cobra.Command {
	return acting(p, &cobra.Command{
		Use: "search WORDS", Short: "Find passages, as a message with these words would", Args: need("WORDS to search for", -1),
	}, func(ctx context.Context, _ *app.App, c *actions.Console, args []string) (actions.Result, error) {
		return actions.SearchJournal(ctx, c, strings.Join(args, " "))
	})
}

func journalPathCommand(p *Program) *cobra.Command {
	return &cobra.Command{
		Use: "path", Short: "Print the folder of the files; memory.md in it is made if it is not there", Args: cobra.NoArgs,
		Example: `  $EDITOR "$(memoria journal path)/memory.md"`,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				j, err := p.console(o).Journal()
				if err == nil {
					err = j.Begin()
				}
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(p.out, filepath.Clean(j.Dir))
				return err
			})
		},
	}
}

// completeJournal offers the files.
func (p *Program) completeJournal(c *cobra.Command, args []string, _ string) (out []string, _ cobra.ShellCompDirective) {
	if len(args) == 0 {
		p.peek(c.Context(), func(o *app.App) error {
			j, err := o.Memory.Journal(o.Agent.ID)
			if err != nil {
				return err
			}
			files, err := j.Files(c.Context())
			for _, f := range files[:min(len(files), mostCompleted)] {
				out = append(out, offerOf(f.Path, words.JournalFile(f)))
			}
			return err
		})
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"memoria/ui/app"

	"github.com/spf13/cobra"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/manager"
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

// withJournal does something with the journal of the agent.
func withJournal(ctx context.Context, p *Program, do func(*app.App, *journal.Journal) error) error {
	return p.with(ctx, func(o *app.App) error {
		j, err := o.Memory.Journal(o.Agent.ID)
		if errors.Is(err, manager.ErrGroup) {
			return errors.New("a group has no journal of its own; what was said in it is in those of its members")
		}
		if err != nil {
			return err
		}
		return do(o, j)
	})
}

func journalStatusCommand(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "status", Short: "Show what waits, what failed, and when it is tried again", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withJournal(c.Context(), p, func(_ *app.App, j *journal.Journal) error {
				s, err := j.Status(c.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(s)
				}
				for _, l := range words.JournalStatus(s, p.Now()) {
					p.print(fmt.Sprintf("%-9s %s\n", l.Name, l.Said))
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// journalRun is what journal run --json prints.
type journalRun struct {
	Messages int             `json:"messages"`
	Files    []string        `json:"files"`
	Failed   []journalFailed `json:"failed"`
	Waiting  int             `json:"waiting"`
}

type journalFailed struct {
	Path  string `json:"path"`
	Error string `json:"error"`
	Next  string `json:"next"`
}

func journalRunCommand(p *Program) *cobra.Command {
	var asJSON, rules, redo bool
	c := &cobra.Command{
		Use: "run", Short: "Write now what waits for the journal", Args: cobra.NoArgs,
		Long: `Write now what waits for the journal, without waiting for more messages or for a failed
summary's time. Summaries are made by the model; where there is none, or with --rules, of the sentences that
tell most. With --redo the model makes those anew that rules have made.`,
		Example: "  memoria journal run\n  memoria journal run --redo",
		RunE: func(c *cobra.Command, _ []string) error {
			return withJournal(c.Context(), p, func(o *app.App, j *journal.Journal) error {
				by, offline, err := summariser(p, o, rules)
				if err != nil {
					return err
				}
				if offline != "" && redo {
					return fmt.Errorf("there is no model to make summaries anew: %s", offline)
				}
				r, err := j.RunWith(c.Context(), by, journal.Wanted{Now: true, Retry: true, Redo: redo})
				if err != nil {
					return err
				}
				return tellJournal(p, r, asJSON)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&rules, "rules", false, "make the summaries by rules")
	c.Flags().BoolVar(&redo, "redo", false, "let the model make those anew that rules have made")
	c.MarkFlagsMutuallyExclusive("rules", "redo")
	return c
}

// summariser makes the summaries; offline says why it is not a model.
func summariser(p *Program, o *app.App, rules bool) (by journal.Summariser, offline string, err error) {
	if rules {
		return o.Memory.JournalRules(), "", nil
	}
	client, offline, err := o.Client()
	if err != nil || offline != "" {
		return o.Memory.JournalRules(), offline, err
	}
	return journal.Model{Ask: model.NewCompleter(client), Name: client.Info().Model, Prompts: o.Prompts, Policy: o.Memory.Policy()}, "", nil
}

func tellJournal(p *Program, r journal.Report, asJSON bool) error {
	if asJSON {
		out := journalRun{Messages: r.Messages, Files: append([]string{}, r.Files...), Failed: []journalFailed{}, Waiting: r.Waiting}
		for _, f := range r.Failed {
			out.Failed = append(out.Failed, journalFailed{f.Path, f.Err.Error(), f.Next.Format("2006-01-02T15:04:05Z07:00")})
		}
		if err := p.printJSON(out); err != nil {
			return err
		}
	} else {
		for _, f := range r.Files {
			p.print(f + "\n")
		}
		p.say("memoria: %s", words.JournalReport(r))
	}
	for _, f := range r.Failed {
		p.say("memoria: %s was not written: %v", f.Path, f.Err)
	}
	if len(r.Failed) > 0 {
		return fmt.Errorf("%s failed; it is tried again at %s, or with: memoria journal run",
			many(len(r.Failed), "summary", "summaries"), r.Failed[0].Next.In(p.Now().Location()).Format("15:04 on 2006-01-02"))
	}
	return nil
}

// journalFiles is what journal list --json prints.
type journalFiles struct {
	Files []memory.JournalFile `json:"files"`
}

func journalListCommand(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the files, the newest day first", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withJournal(c.Context(), p, func(_ *app.App, j *journal.Journal) error {
				files, err := j.Files(c.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(journalFiles{append([]memory.JournalFile{}, files...)})
				}
				for _, f := range files {
					p.print(fmt.Sprintf("%-44s %s\n", f.Path, words.JournalFile(f)))
				}
				if len(files) == 0 {
					p.say("memoria: the journal is empty; messages are put there some hours after they were said, or with: memoria journal run")
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// journalShown is what journal show --json prints.
type journalShown struct {
	File    memory.JournalFile `json:"file"`
	Records []string           `json:"records"`
	Text    string             `json:"text"`
}

func journalShowCommand(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "show FILE", Short: "Print a file, without its header",
		Long: `Print a file of the journal without its header. FILE is its path, a part of it, or a day or month: for a day
with several files all of them are printed.`,
		Example: "  memoria journal show 2026-01-28\n  memoria journal show memory.md",
		Args:    need("a FILE: a path, a day, or a month", 1), ValidArgsFunction: p.completeJournal,
		RunE: func(c *cobra.Command, args []string) error {
			return withJournal(c.Context(), p, func(_ *app.App, j *journal.Journal) error {
				files, err := j.Files(c.Context())
				if err != nil {
					return err
				}
				found := words.JournalNamed(files, args[0])
				if len(found) == 0 {
					return fmt.Errorf("the journal has no file %q; to see which there are: memoria journal list", args[0])
				}
				for i, f := range found {
					text, err := j.Read(f.Path)
					if err != nil {
						return err
					}
					d := journal.Parse(text)
					if asJSON {
						if err := p.printJSON(journalShown{f, append([]string{}, d.Records...), d.Body}); err != nil {
							return err
						}
						continue
					}
					if i > 0 {
						p.print("\n")
					}
					p.print(strings.TrimRight(journal.Plain(d.Body), "\n") + "\n")
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, one value for each file")
	return c
}

// journalFound is what journal search --json prints.
type journalFound struct {
	Keywords []string      `json:"keywords"`
	Hits     []journal.Hit `json:"hits"`
}

func journalSearchCommand(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "search WORDS", Short: "Find passages, as a message with these words would", Args: need("WORDS to search for", -1),
		RunE: func(c *cobra.Command, args []string) error {
			return withJournal(c.Context(), p, func(_ *app.App, j *journal.Journal) error {
				text := strings.Join(args, " ")
				hits, err := j.Search(c.Context(), journal.Query{Text: text, Limit: journal.MostHits})
				if err != nil {
					return err
				}
				if asJSON {
					keys, _ := journal.Keywords(text, nil)
					return p.printJSON(journalFound{append([]string{}, keys...), append([]journal.Hit{}, hits...)})
				}
				for _, h := range hits {
					p.print(fmt.Sprintf("[%s] %s\n", h.Path, oneLine(h.Text[h.From:h.To])))
				}
				if len(hits) == 0 {
					p.say("memoria: nothing in the journal fits")
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func journalPathCommand(p *Program) *cobra.Command {
	return &cobra.Command{
		Use: "path", Short: "Print the folder of the files; memory.md in it is made if it is not there", Args: cobra.NoArgs,
		Example: `  $EDITOR "$(memoria journal path)/memory.md"`,
		RunE: func(c *cobra.Command, _ []string) error {
			return withJournal(c.Context(), p, func(_ *app.App, j *journal.Journal) error {
				if err := j.Begin(); err != nil {
					return err
				}
				_, err := fmt.Fprintln(p.out, filepath.Clean(j.Dir))
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

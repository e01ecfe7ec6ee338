package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
)

func (p *Program) memoryCommand() *cobra.Command {
	return group("memory", "List, show, add, edit and delete what is remembered, and undo what was done to it",
		p.memoryList(), p.memoryShow(), p.memoryAdd(), p.memoryEdit(), p.memoryDelete(), p.memoryClear(),
		p.memoryHistory(), p.memoryUndo(), p.memoryReview())
}

func (p *Program) memoryList() *cobra.Command {
	var f manager.ItemFilter
	var kind string
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List what is remembered, newest first", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.Type = memory.Type(kind); kind != "" && !f.Type.Valid() {
				return wrongUsage("--type %q: the types are %s", kind, typeNames())
			}
			if f.Limit < 0 || f.Offset < 0 {
				return wrongUsage("--limit and --offset are not negative")
			}
			return p.with(c.Context(), func(o *open) error { return p.list(c.Context(), o, f, asJSON) })
		},
	}
	c.Flags().StringVar(&f.Text, "filter", "", "only those with these `WORDS` (--find is the same)")
	alias(c, "find", "filter")
	c.Flags().StringVar(&kind, "type", "", "only those of this `TYPE`")
	completeTypes(c)
	c.Flags().BoolVar(&f.All, "all", false, "also what is no longer active")
	c.Flags().IntVar(&f.Limit, "limit", 0, "at most `N`")
	c.Flags().IntVar(&f.Offset, "offset", 0, "leave out the first `N`")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (p *Program) list(ctx context.Context, o *open, f manager.ItemFilter, asJSON bool) error {
	page, err := o.manager.Items(ctx, o.agent.ID, f)
	if err != nil {
		return err
	}
	if asJSON {
		page.Unreadable = max(page.Unreadable, o.manager.Unreadable())
		return p.printJSON(page)
	}
	for _, it := range page.Items {
		mark := ""
		if it.State != memory.StateActive {
			mark = " (" + string(it.State) + ")"
		}
		p.print(fmt.Sprintf("%s  %s  %-12s %s%s\n", short(it.ID), it.CreatedAt.Local().Format(time.DateOnly), it.Type, oneLine(it.Content), mark))
	}
	switch {
	case page.Total > 0:
		p.say("%d of %d", len(page.Items), page.Total)
	case f.Text != "" || f.Type != "":
		p.say("Nothing of this kind is remembered.")
	default:
		p.say("Nothing is remembered yet. Tell it something: memoria ask \"My name is …\", or: memoria memory add TEXT")
	}
	return nil
}

func typeNames() string {
	var names []string
	for _, t := range memory.Types() {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}

// completeTypes lets a shell complete --type.
func completeTypes(c *cobra.Command) {
	completeFlag(c, "type", cobra.FixedCompletions(strings.Split(typeNames(), ", "), cobra.ShellCompDirectiveNoFileComp))
}

// shown is what memory show --json prints.
type shown struct {
	memory.Item
	History []memory.Change `json:"history"`
	// Said are the words that the evidence points to.
	Said []said `json:"said"`
	// Gone is how many of its messages were deleted since, Unkept how many were not kept
	// when their session had ended (A1).
	Gone   int `json:"gone,omitempty"`
	Unkept int `json:"unkept,omitempty"`
}

type said struct {
	memory.Evidence
	Time time.Time `json:"time"`
	Text string    `json:"text"`
}

func (p *Program) memoryShow() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "show ID", Short: "Show one memory, the words it came from, and its history",
		Args: need("the ID of a memory", 1), Annotations: hint(findMemory), ValidArgsFunction: p.completeMemory,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *open) error {
				it, err := o.manager.Item(c.Context(), o.agent.ID, args[0])
				if err != nil {
					return err
				}
				sh, err := p.look(c.Context(), o, it)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(sh)
				}
				p.print(describe(sh))
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// look gathers what belongs to an item.
func (p *Program) look(ctx context.Context, o *open, it memory.Item) (shown, error) {
	sh := shown{Item: it, Said: []said{}}
	var err error
	if sh.History, err = o.manager.History(ctx, o.agent.ID, it.ID); err != nil {
		return sh, err
	}
	for _, ev := range it.Evidence {
		r, err := o.manager.Record(ctx, o.agent.ID, ev.RecordID)
		if errors.Is(err, manager.ErrNotFound) {
			kept, err := o.manager.KeptSource(ctx, o.agent.ID, ev.SessionID)
			if err != nil {
				return sh, err
			}
			if kept {
				sh.Gone++
			} else {
				sh.Unkept++
			}
			continue
		}
		if err != nil {
			return sh, err
		}
		sh.Said = append(sh.Said, said{Evidence: ev, Time: r.Timestamp, Text: recall.Quoted(r, ev)})
	}
	return sh, nil
}

func describe(sh shown) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-12s %s\n", name, value)
		}
	}
	at := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.Local().Format("2006-01-02 15:04")
	}
	fmt.Fprintf(&b, "%s\n\n", sh.Content)
	line("id", sh.ID)
	line("type", string(sh.Type))
	line("key", sh.Key)
	line("title", sh.Title)
	line("tags", strings.Join(sh.Tags, ", "))
	line("state", string(sh.State))
	line("confidence", fmt.Sprintf("%.2f", sh.Confidence))
	line("importance", fmt.Sprintf("%.2f", sh.Importance))
	line("source", string(sh.Source)+", trust "+sh.Trust.String())
	line("created", at(sh.CreatedAt))
	line("confirmed", at(sh.LastConfirmedAt))
	line("used", many(sh.AccessCount, "time", "times"))
	line("last used", at(sh.LastAccessed))
	line("replaces", sh.Supersedes)
	line("replaced by", sh.SupersededBy)
	for _, s := range sh.Said {
		fmt.Fprintf(&b, "\nsaid %s in session %s:\n  “%s”\n", at(s.Time), short(s.SessionID), oneLine(s.Text))
	}
	if sh.Gone > 0 {
		fmt.Fprintf(&b, "\n%s it came from deleted since\n", many(sh.Gone, "message", "messages"))
	}
	if sh.Unkept > 0 {
		fmt.Fprintf(&b, "\n%s it came from not kept\n", many(sh.Unkept, "message", "messages"))
	}
	b.WriteString("\nhistory\n")
	for _, c := range sh.History {
		what, why := c.Words()
		fmt.Fprintf(&b, "  %s  %s\n", at(c.Time), strings.TrimSuffix(fmt.Sprintf("%s, by %s: %s", what, c.Origin, why), ": "))
	}
	return b.String()
}

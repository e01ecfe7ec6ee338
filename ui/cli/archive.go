package cli

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/words"
)

func archiveCommand(p *Program) *cobra.Command {
	return group("archive", "Search, show, bookmark and delete single messages, and find the words behind a memory",
		archiveSearch(p), archiveShow(p), archiveWhy(p), archiveBookmark(p), archiveDelete(p))
}

// looking says which messages to look for.
type looking struct {
	words     string
	session   string
	times     times
	bookmarks bool
	paging
}

// foundMessages is what archive search --json prints.
type foundMessages struct {
	Messages []recall.ArchiveHit `json:"messages"`
	Total    int                 `json:"total"`
	// Since belongs to the time that was searched, Until does not; null is open.
	Since *time.Time `json:"since"`
	Until *time.Time `json:"until"`
	// Degraded says why messages may be missing; empty when none is.
	Degraded string `json:"degraded,omitempty"`
	// Unreadable is how many records of the store cannot be read: something may be missing.
	Unreadable int `json:"unreadable,omitempty"`
}

func archiveSearch(p *Program) *cobra.Command {
	var f looking
	c := &cobra.Command{
		Use: "search [WORDS]", Short: "Look for messages by their words and their time",
		Long: `Look for messages, the best first; without words the newest first. The words may
name the time as well ("pottery last week", 上周三的陶艺); --since and --until count
more.`,
		Example: `  memoria archive search pottery last week
  memoria archive search 部署 --since 2026-01 --session 7K3M9Q2A
  memoria archive search --bookmarks`,
		Args: cobra.ArbitraryArgs, Annotations: hint(listSessions),
	}
	f.paging.flags(c, 20)
	check := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		f.words = strings.Join(args, " ")
		return cmp.Or(check(c, args), readTimes(p, c, &f.times))
	}
	f.times.flags(c, "only messages")
	c.Flags().StringVar(&f.session, "session", "", "only in the session with this `ID`")
	c.Flags().BoolVar(&f.bookmarks, "bookmarks", false, "only bookmarked messages")
	completeFlag(c, "session", p.completeSession)
	return acting(p, c, func(ctx context.Context, o *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		q := recall.AskArchive(f.words, p.Now().Local(), time.Local)
		if f.times.some() {
			q.From, q.To = f.times.from, f.times.to
		}
		q.Collected, q.Limit, q.Offset = f.bookmarks, cmp.Or(f.limit, mostMessages), f.offset
		if f.session != "" {
			s, err := findSession(ctx, p, o, f.session)
			if err != nil {
				return actions.Result{}, err
			}
			q.SessionID = s.ID
		}
		settle(ctx, p, o)
		page, err := c.Memory.Recall().SearchArchive(ctx, c.Agent.ID, q)
		if err != nil {
			return actions.Result{}, err
		}
		out := foundMessages{Messages: page.Hits, Total: page.Total, Degraded: page.Degraded, Unreadable: c.Memory.Vault().Unreadable()}
		if out.Messages == nil {
			out.Messages = []recall.ArchiveHit{}
		}
		if !q.From.IsZero() {
			out.Since = &q.From
		}
		if !q.To.IsZero() {
			out.Until = &q.To
		}
		r := c.Messages(q, page, answerer(o))
		r.Notes, r.Lines, r.Data = append(r.Lines, r.Notes...), nil, out
		return r, nil
	})
}

// answerer names who answered.
func answerer(o *app.App) func(memory.Record) string {
	return func(r memory.Record) string { return cmp.Or(o.Speaker(r), o.Agent.Name) }
}

// mostMessages stands for all of them.
const mostMessages = 1 << 28

// shownMessage is what archive show --json prints.
type shownMessage struct {
	memory.Record
	Title    string        `json:"title"` // of the session
	Memories []memory.Item `json:"memories"`
}

func archiveShow(p *Program) *cobra.Command {
	return acting(p, &cobra.Command{
		Use: "show ID", Short: "Show a message and what was learned from it",
		Example: `  memoria archive show 7K3M9Q2A`,
		Args:    need("the ID of a message", 1), Annotations: hint(findMessage), ValidArgsFunction: p.completeMessage,
	}, func(ctx context.Context, o *app.App, c *actions.Console, args []string) (actions.Result, error) {
		r, err := c.Memory.Lookup().FindRecord(ctx, c.Agent.ID, args[0])
		if err != nil {
			return actions.Result{}, err
		}
		items, err := c.Memory.Lookup().LearnedFrom(ctx, c.Agent.ID, r.ID)
		if err != nil {
			return actions.Result{}, err
		}
		s, err := c.Memory.Lookup().Session(ctx, c.Agent.ID, r.SessionID)
		if err != nil {
			return actions.Result{}, err
		}
		m := message{Record: r, speaker: o.Speaker(r), Cost: costOf(o.Config.Model, r)}
		out := actions.Result{
			Data:   shownMessage{Record: r, Title: s.Title, Memories: append([]memory.Item{}, items...)},
			Fields: words.Fields{{Name: "id", Said: r.ID}, {Name: "session", Said: short(s.ID) + "  " + oneLine(s.Title)}},
			Lines:  []string{"── " + strings.Join(heading(m, o.Agent.Name, o.Config.Model), " · "), r.Content},
		}
		if r.Collected {
			out.Fields = append(out.Fields, words.Field{Name: "★", Said: "bookmarked"})
		}
		if len(items) == 0 {
			out.Notes = []string{"Nothing was learned from it."}
			return out, nil
		}
		out.Lines = append(out.Lines, "", "── learned from it")
		for _, it := range items {
			out.Lines = append(out.Lines, words.MemoryRow(it, p.Now()).Columns)
		}
		return out, nil
	})
}

func archiveBookmark(p *Program) *cobra.Command {
	var off bool
	c := &cobra.Command{
		Use: "bookmark ID", Short: "Bookmark a message, or take the bookmark away",
		Example: `  memoria archive bookmark 7K3M9Q2A
  memoria archive bookmark 7K3M9Q2A --off`,
		Args: need("the ID of a message", 1), Annotations: hint(findMessage), ValidArgsFunction: p.completeMessage,
	}
	c.Flags().BoolVar(&off, "off", false, "take the bookmark away")
	return acting(p, c, func(ctx context.Context, _ *app.App, c *actions.Console, args []string) (actions.Result, error) {
		r, err := c.Memory.CollectRecord(ctx, c.Agent.ID, args[0], !off)
		said := "bookmarked: "
		if off {
			said = "no bookmark any more: "
		}
		return actions.Result{Data: r, ID: r.ID, Notes: []string{said + words.Excerpt(r.Content, "")}}, err
	})
}

// completeMessage offers the ids of the newest messages.
func (p *Program) completeMessage(c *cobra.Command, _ []string, _ string) (out []string, _ cobra.ShellCompDirective) {
	p.peek(c.Context(), func(o *app.App) error {
		page, err := o.Memory.Recall().SearchArchive(c.Context(), o.Agent.ID, recall.ArchiveQuery{Limit: mostCompleted})
		for _, h := range page.Hits {
			out = append(out, offerOf(short(h.Record.ID), words.Excerpt(h.Record.Content, "")))
		}
		return err
	})
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/when"
)

func (p *Program) archiveCommand() *cobra.Command {
	return group("archive", "Search, show, bookmark and delete single messages, and find the words behind a memory",
		p.archiveSearch(), p.archiveShow(), p.archiveWhy(), p.archiveBookmark(), p.archiveDelete())
}

// looking says which messages to look for.
type looking struct {
	words         string
	session       string
	times         times
	bookmarks     bool
	limit, offset int
	json          bool
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

func (p *Program) archiveSearch() *cobra.Command {
	var f looking
	c := &cobra.Command{
		Use: "search [WORDS]", Short: "Look for messages by their words and their time",
		Long: `Look for messages, the best first; without words the newest first. The words may
name the time as well ("pottery last week", 上周三的陶艺); --since and --until count
more.`,
		Example: `  memoria archive search pottery last week
  memoria archive search 部署 --since 2026-01 --session 7K3M9Q2A
  memoria archive search --bookmarks`,
		RunE: func(c *cobra.Command, args []string) error {
			if f.limit < 0 || f.offset < 0 {
				return wrongUsage("--limit and --offset are not negative")
			}
			if err := p.readTimes(c, &f.times); err != nil {
				return err
			}
			f.words = strings.Join(args, " ")
			return p.with(c.Context(), func(o *open) error { return p.searchArchive(c.Context(), o, f) })
		},
		Annotations: hint(listSessions),
	}
	f.times.flags(c, "only messages")
	c.Flags().StringVar(&f.session, "session", "", "only in the session with this `ID`")
	c.Flags().BoolVar(&f.bookmarks, "bookmarks", false, "only bookmarked messages")
	c.Flags().IntVar(&f.limit, "limit", 20, "at most `N`; 0 is all")
	c.Flags().IntVar(&f.offset, "offset", 0, "leave out the first `N`")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	completeFlag(c, "session", p.completeSession)
	return c
}

func (p *Program) searchArchive(ctx context.Context, o *open, f looking) error {
	q := recall.AskArchive(f.words, p.Now().Local(), time.Local)
	if f.times.some() {
		q.From, q.To = f.times.from, f.times.to
	}
	q.Collected, q.Limit, q.Offset = f.bookmarks, f.limit, f.offset
	if q.Limit == 0 {
		q.Limit = mostMessages
	}
	if f.session != "" {
		s, err := p.findSession(ctx, o, f.session)
		if err != nil {
			return err
		}
		q.SessionID = s.ID
	}
	p.settle(ctx, o)
	page, err := o.manager.Recall().SearchArchive(ctx, o.agent.ID, q)
	if err != nil {
		return err
	}
	if f.json {
		out := foundMessages{Messages: page.Hits, Total: page.Total, Degraded: page.Degraded, Unreadable: o.manager.Unreadable()}
		if out.Messages == nil {
			out.Messages = []recall.ArchiveHit{}
		}
		if !q.From.IsZero() {
			out.Since = &q.From
		}
		if !q.To.IsZero() {
			out.Until = &q.To
		}
		return p.printJSON(out)
	}
	for _, h := range page.Hits {
		p.print(messageLine(h, cmp.Or(oneLine(o.speaker(h.Record)), o.agent.Name)) + "\n            " + excerpt(h.Record.Content, q.Text) + "\n")
	}
	if page.Degraded != "" {
		p.say("%s", page.Degraded)
	}
	time := when.Span(q.From, q.To, time.Local)
	if time != "" {
		time = " · " + time
	}
	if page.Total == 0 {
		p.say("No message is like that%s.", time)
		return nil
	}
	p.say("%d of %d%s", len(page.Hits), page.Total, time)
	return nil
}

// mostMessages stands for all of them.
const mostMessages = 1 << 28

// messageLine says of a message which it is, when, who and where.
func messageLine(h recall.ArchiveHit, agent string) string {
	who := "you"
	switch h.Record.Role {
	case memory.RoleUser:
	case memory.RoleTool:
		who = string(memory.RoleTool)
	default:
		who = cmp.Or(agent, h.Record.AgentID)
	}
	title := oneLine(h.Title)
	if title == "" {
		title = "(no title)"
	}
	mark := ""
	if h.Record.Collected {
		mark = "★ "
	}
	beside := ""
	if h.Neighbour {
		beside = " · next to a match"
	}
	return fmt.Sprintf("%s  %s  %s%s · %s%s", short(h.Record.ID), stamp(h.Record.Timestamp), mark, who, title, beside)
}

// shownMessage is what archive show --json prints.
type shownMessage struct {
	memory.Record
	Title    string        `json:"title"` // of the session
	Memories []memory.Item `json:"memories"`
}

func (p *Program) archiveShow() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "show ID", Short: "Show a message and what was learned from it",
		Example: `  memoria archive show 7K3M9Q2A`,
		Args:    need("the ID of a message", 1), Annotations: hint(findMessage), ValidArgsFunction: p.completeMessage,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *open) error { return p.showMessage(c.Context(), o, args[0], asJSON) })
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (p *Program) showMessage(ctx context.Context, o *open, id string, asJSON bool) error {
	r, err := o.manager.FindRecord(ctx, o.agent.ID, id)
	if err != nil {
		return err
	}
	items, err := o.manager.LearnedFrom(ctx, o.agent.ID, r.ID)
	if err != nil {
		return err
	}
	s, err := o.manager.Session(ctx, o.agent.ID, r.SessionID)
	if err != nil {
		return err
	}
	if asJSON {
		if items == nil {
			items = []memory.Item{}
		}
		return p.printJSON(shownMessage{Record: r, Title: s.Title, Memories: items})
	}
	m := message{Record: r, speaker: o.speaker(r), Cost: costOf(o.cfg.Model, r)}
	p.print(fmt.Sprintf("id       %s\nsession  %s  %s\n", r.ID, short(s.ID), oneLine(s.Title)))
	if r.Collected {
		p.print("★        bookmarked\n")
	}
	p.print("\n── " + strings.Join(heading(m, o.agent.Name, o.cfg.Model), " · ") + "\n" + strings.TrimRight(r.Content, "\n") + "\n")
	if len(items) == 0 {
		p.say("Nothing was learned from it.")
		return nil
	}
	p.print("\n── learned from it\n")
	for _, it := range items {
		p.print(fmt.Sprintf("%s  %-12s %s\n", short(it.ID), it.Type, oneLine(it.Content)))
	}
	return nil
}

func (p *Program) archiveBookmark() *cobra.Command {
	var off, asJSON bool
	c := &cobra.Command{
		Use: "bookmark ID", Short: "Bookmark a message, or take the bookmark away",
		Example: `  memoria archive bookmark 7K3M9Q2A
  memoria archive bookmark 7K3M9Q2A --off`,
		Args: need("the ID of a message", 1), Annotations: hint(findMessage), ValidArgsFunction: p.completeMessage,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *open) error {
				r, err := o.manager.CollectRecord(c.Context(), o.agent.ID, args[0], !off)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(r)
				}
				p.print(r.ID + "\n")
				if off {
					p.say("no bookmark any more: %s", excerpt(r.Content, ""))
				} else {
					p.say("bookmarked: %s", excerpt(r.Content, ""))
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&off, "off", false, "take the bookmark away")
	c.Flags().BoolVar(&asJSON, "json", false, "print the message as JSON")
	return c
}

// completeMessage offers the ids of the newest messages.
func (p *Program) completeMessage(c *cobra.Command, _ []string, _ string) (out []string, _ cobra.ShellCompDirective) {
	p.peek(c.Context(), func(o *open) error {
		page, err := o.manager.Recall().SearchArchive(c.Context(), o.agent.ID, recall.ArchiveQuery{Limit: mostCompleted})
		for _, h := range page.Hits {
			out = append(out, offerOf(short(h.Record.ID), excerpt(h.Record.Content, "")))
		}
		return err
	})
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

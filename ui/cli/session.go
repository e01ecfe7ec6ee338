package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/recall"
)

func (p *Program) sessionCommand() *cobra.Command {
	return group("session", "List, show, rename, fork, export, sum up and delete sessions",
		p.sessionList(), p.sessionShow(), p.sessionRename(), p.sessionKeep(), p.sessionFork(), p.sessionExport(), p.sessionConsolidate(), p.sessionDelete())
}

// listing says which sessions to list.
type listing struct {
	find          string
	times         times
	limit, offset int
	json          bool
}

// listed is a session in session list --json.
type listed struct {
	memory.Session
	// What --find, --since and --until add: how well it matches, how many of its messages do, and the
	// best of them.
	Score   float64             `json:"score,omitempty"`
	Matches int                 `json:"matches,omitempty"`
	Hits    []recall.ArchiveHit `json:"hits,omitempty"`
}

// sessions is what session list --json prints.
type sessions struct {
	Sessions []listed `json:"sessions"`
	Total    int      `json:"total"`
	// Degraded says why sessions may be missing; empty when none is.
	Degraded string `json:"degraded,omitempty"`
	// Unreadable is how many records of the store cannot be read: something may be missing.
	Unreadable int `json:"unreadable,omitempty"`
}

func (p *Program) sessionList() *cobra.Command {
	var f listing
	c := &cobra.Command{
		Use: "list", Short: "List the sessions, the last used first", Args: cobra.NoArgs,
		Example: `  memoria session list --limit 10
  memoria session list --find "pnpm 部署"
  memoria session list --since "last week"`,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case f.limit < 0 || f.offset < 0:
				return wrongUsage("--limit and --offset are not negative")
			case c.Flags().Changed("find") && strings.TrimSpace(f.find) == "":
				return wrongUsage("--find needs words")
			}
			if err := p.readTimes(c, &f.times); err != nil {
				return err
			}
			return p.with(c.Context(), func(o *open) error { return p.listSessions(c.Context(), o, f) })
		},
	}
	c.Flags().StringVar(&f.find, "find", "", "only those with these `WORDS` in their messages, title or summary, the best first (--filter is the same)")
	alias(c, "filter", "find")
	f.times.flags(c, "only those with messages")
	c.Flags().IntVar(&f.limit, "limit", 0, "at most `N`")
	c.Flags().IntVar(&f.offset, "offset", 0, "leave out the first `N`")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return c
}

func (p *Program) listSessions(ctx context.Context, o *open, f listing) error {
	list, err := p.lookUp(ctx, o, f)
	if err != nil {
		return err
	}
	if f.json {
		return p.printJSON(list)
	}
	for _, s := range list.Sessions {
		p.print(sessionLine(s.Session) + "\n")
		if sum := s.Summary; sum != nil && sum.Snippet != "" {
			p.print("            " + excerpt(sum.Snippet, f.find) + "\n")
		}
		for _, h := range s.Hits {
			p.print("            " + excerpt(h.Record.Content, f.find) + "\n")
		}
	}
	if list.Degraded != "" {
		p.say("%s", list.Degraded)
	}
	switch {
	case list.Total > 0:
		p.say("%d of %d", len(list.Sessions), list.Total)
	case f.find != "":
		p.say("No session has these words.")
	case f.times.some():
		p.say("No session has messages of that time.")
	default:
		p.say("There is no session yet. Say something: memoria ask TEXT")
	}
	return nil
}

// lookUp lists sessions, or searches them.
func (p *Program) lookUp(ctx context.Context, o *open, f listing) (sessions, error) {
	out := sessions{Sessions: []listed{}, Unreadable: o.manager.Unreadable()}
	if f.find == "" && !f.times.some() {
		all, total, err := o.manager.Sessions(ctx, o.agent.ID, f.limit, f.offset)
		for _, s := range all {
			out.Sessions = append(out.Sessions, listed{Session: s})
		}
		out.Total = total
		return out, err
	}
	p.settle(ctx, o)
	q := recall.ArchiveQuery{Text: f.find, From: f.times.from, To: f.times.to, Limit: mostFound}
	page, err := o.manager.Recall().SearchSessions(ctx, o.agent.ID, q)
	found := page.Sessions
	out.Total, out.Degraded = len(found), page.Degraded
	found = found[min(f.offset, len(found)):]
	if f.limit > 0 {
		found = found[:min(f.limit, len(found))]
	}
	for _, h := range found {
		out.Sessions = append(out.Sessions, listed{Session: h.Session, Score: h.Score, Matches: h.Total, Hits: h.Hits})
	}
	return out, err
}

// mostFound is how many sessions a search looks at.
const mostFound = 10_000

func sessionLine(s memory.Session) string {
	title := oneLine(s.Title)
	if title == "" {
		title = "(no title)"
	}
	return fmt.Sprintf("%s  %s  %-9s  %-8s  %s%s", short(s.ID), s.LastMessageAt.Local().Format("2006-01-02 15:04"),
		many(s.TurnsShown(), "turn", "turns"), s.State, title, forkOf(s)+inGroup(s))
}

// inGroup says that a session was held in a group.
func inGroup(s memory.Session) string {
	if s.Group == "" {
		return ""
	}
	return "  (in the group " + s.Group + ")"
}

// excerptWidth is about how many characters of a message a list shows.
const excerptWidth = 96

// excerpt is the part of a message around the first of the words that it has.
func excerpt(said, words string) string {
	line := []rune(oneLine(said))
	if len(line) <= excerptWidth {
		return string(line)
	}
	at := 0
	folded := strings.ToLower(string(line))
	for _, w := range strings.Fields(strings.ToLower(words)) {
		if i := strings.Index(folded, w); i >= 0 {
			at = len([]rune(folded[:i]))
			break
		}
	}
	from := min(max(at-excerptWidth/3, 0), len(line)-excerptWidth)
	out := string(line[from : from+excerptWidth])
	if from > 0 {
		out = "…" + out
	}
	if from+excerptWidth < len(line) {
		out += "…"
	}
	return out
}

func (p *Program) sessionKeep() *cobra.Command {
	var asJSON, not bool
	c := &cobra.Command{
		Use: "keep ID", Short: "Keep a session where sessions are not kept by default",
		Long: `Mark a session to be kept when it has ended, where [memory] archival_default_write is
false. Without the mark its messages and what its turns sent are erased then; what was
learned from it stays. --not takes the mark back.`,
		Args: need("the ID of a session", 1), Annotations: hint(listSessions), ValidArgsFunction: p.completeSession,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *open) error {
				s, err := p.findSession(c.Context(), o, args[0])
				if err != nil {
					return err
				}
				if s, err = o.manager.KeepSession(c.Context(), o.agent.ID, s.ID, !not); err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(s)
				}
				p.print(s.ID + "\n")
				if not {
					p.say("not kept: %s", oneLine(s.Title))
				} else {
					p.say("kept: %s", oneLine(s.Title))
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&not, "not", false, "take the mark back")
	c.Flags().BoolVar(&asJSON, "json", false, "print the session as JSON")
	return c
}

func (p *Program) sessionRename() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "rename ID TITLE", Short: "Give a session another title",
		Example:     `  memoria session rename 7K3M9Q2A Deploying to Fly`,
		Annotations: hint(listSessions),
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 || strings.TrimSpace(strings.Join(args[1:], "")) == "" {
				return wrongUsage("%s needs the ID of a session and a TITLE", c.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: p.completeSession,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *open) error {
				s, err := p.findSession(c.Context(), o, args[0])
				if err != nil {
					return err
				}
				s, err = o.manager.RenameSession(c.Context(), o.agent.ID, s.ID, strings.Join(args[1:], " "))
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(s)
				}
				p.print(s.ID + "\n")
				p.say("renamed: %s", oneLine(s.Title))
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the session as JSON")
	return c
}

// stamp is a time as the commands print it; empty for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("2006-01-02 15:04")
}

// forkOf names the session that one was forked from.
func forkOf(s memory.Session) string {
	if s.ForkedFrom == nil {
		return ""
	}
	return "  (fork of " + short(s.ForkedFrom.SessionID) + ")"
}

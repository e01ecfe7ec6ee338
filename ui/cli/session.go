package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/export"
	"memoria/ui/words"
)

func sessionCommand(p *Program) *cobra.Command {
	return group("session", "List, show, rename, fork, export, sum up and delete sessions",
		sessionList(p), sessionShow(p), sessionRename(p), sessionKeep(p), sessionFork(p), sessionExport(p), sessionConsolidate(p), sessionDelete(p))
}

// listing says which sessions to list.
type listing struct {
	find  string
	times times
	paging
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

func sessionList(p *Program) *cobra.Command {
	var f listing
	c := &cobra.Command{
		Use: "list", Short: "List the sessions, the last used first",
		Example: `  memoria session list --limit 10
  memoria session list --find "pnpm 部署"
  memoria session list --since "last week"`,
	}
	f.paging.flags(c, 0)
	check := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if c.Flags().Changed("find") && strings.TrimSpace(f.find) == "" {
			return wrongUsage("--find needs words")
		}
		return cmp.Or(check(c, args), readTimes(p, c, &f.times))
	}
	c.Flags().StringVar(&f.find, "find", "", "only those with these `WORDS` in their messages, title or summary, the best first (--filter is the same)")
	alias(c, "filter", "find")
	f.times.flags(c, "only those with messages")
	return acting(p, c, func(ctx context.Context, o *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		all, err := lookUp(ctx, p, o, f)
		if err != nil {
			return actions.Result{}, err
		}
		r := actions.Result{Data: all, List: &actions.List{Total: all.Total}}
		for _, s := range all.Sessions {
			var quotes []string
			for _, h := range s.Hits {
				quotes = append(quotes, h.Record.Content)
			}
			r.List.Rows = append(r.List.Rows, words.SessionRow(s.Session, p.Now(), false, f.find, quotes...))
		}
		if all.Degraded != "" {
			r.Notes = []string{all.Degraded}
		}
		if all.Total == 0 {
			id := "session.none"
			if f.find != "" || f.times.some() {
				id = "session.no-match"
			}
			r.List, r.Notes = nil, append(r.Notes, c.Say(id))
		}
		return r, nil
	})
}

// lookUp lists sessions, or searches them.
func lookUp(ctx context.Context, p *Program, o *app.App, f listing) (sessions, error) {
	out := sessions{Sessions: []listed{}, Unreadable: o.Memory.Vault().Unreadable()}
	if f.find == "" && !f.times.some() {
		all, total, err := o.Memory.Lookup().Sessions(ctx, o.Agent.ID, f.limit, f.offset)
		for _, s := range all {
			out.Sessions = append(out.Sessions, listed{Session: s})
		}
		out.Total = total
		return out, err
	}
	settle(ctx, p, o)
	q := recall.ArchiveQuery{Text: f.find, From: f.times.from, To: f.times.to, Limit: mostFound}
	page, err := o.Memory.Recall().SearchSessions(ctx, o.Agent.ID, q)
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

// onSession completes a command about a session that its first argument names.
func onSession(p *Program, c *cobra.Command, do func(context.Context, *app.App, *actions.Console,
	memory.Session, []string) (actions.Result, error)) *cobra.Command {
	if c.Args == nil {
		c.Args = need("the ID of a session", 1)
	}
	c.Annotations, c.ValidArgsFunction = hint(listSessions), p.completeSession
	return acting(p, c, func(ctx context.Context, o *app.App, c *actions.Console, args []string) (actions.Result, error) {
		s, err := findSession(ctx, p, o, args[0])
		if err != nil {
			return actions.Result{}, err
		}
		return do(ctx, o, c, s, args[1:])
	})
}

func sessionKeep(p *Program) *cobra.Command {
	var not bool
	c := &cobra.Command{
		Use: "keep ID", Short: "Keep a session where sessions are not kept by default",
		Long: `Mark a session to be kept when it has ended, where [memory] archival_default_write is
false. Without the mark its messages and what its turns sent are erased then; what was
learned from it stays. --not takes the mark back.`,
	}
	c.Flags().BoolVar(&not, "not", false, "take the mark back")
	return onSession(p, c, func(ctx context.Context, _ *app.App, c *actions.Console, s memory.Session, _ []string) (actions.Result, error) {
		return actions.KeepSession(ctx, c, s.ID, !not)
	})
}

func sessionRename(p *Program) *cobra.Command {
	return onSession(p, &cobra.Command{
		Use: "rename ID TITLE", Short: "Give a session another title",
		Example: `  memoria session rename 7K3M9Q2A Deploying to Fly`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 || strings.TrimSpace(strings.Join(args[1:], "")) == "" {
				return wrongUsage("%s needs the ID of a session and a TITLE", c.CommandPath())
			}
			return nil
		},
	}, func(ctx context.Context, _ *app.App, c *actions.Console, s memory.Session, title []string) (actions.Result, error) {
		return actions.RenameSession(ctx, c, s.ID, strings.Join(title, " "))
	})
}

func sessionExport(p *Program) *cobra.Command {
	var e actions.Export
	c := &cobra.Command{
		Use: "export ID", Short: "Write a session as Markdown",
		Long: `Write a session as a Markdown document: title and times, and every message with who said it and when.
ID is an id or a part of it, or "last". Without --output it goes to standard output, where characters that a
terminal would obey are made visible; in a file everything stands as it was said, readable by you alone.`,
		Example: `  memoria session export last
  memoria session export 7K3M9Q2A -o fly.md --all-branches`,
		Args: need("the ID of a session", 1), Annotations: hint(listSessions), ValidArgsFunction: p.completeSession,
		RunE: func(c *cobra.Command, args []string) error {
			if e.Force && e.File == "" {
				return wrongUsage("--force is for --output")
			}
			return p.with(c.Context(), func(o *app.App) error {
				s, err := findSession(c.Context(), p, o, args[0])
				if err != nil {
					return err
				}
				e.Session = s.ID
				r, err := actions.ExportSession(c.Context(), p.console(o), e)
				if errors.Is(err, export.ErrThere) {
					return wrongUsage("%v; --force writes over it", err)
				} else if err != nil {
					return err
				}
				return p.show(r, false)
			})
		},
	}
	c.Flags().StringVarP(&e.File, "output", "o", "", "write to this `FILE`")
	c.Flags().BoolVar(&e.Force, "force", false, "write over the file if it is there")
	c.Flags().BoolVar(&e.All, "all-branches", false, "append what lies in other branches: earlier answers, what was undone or edited")
	return c
}

func sessionFork(p *Program) *cobra.Command {
	return onSession(p, &cobra.Command{
		Use: "fork ID RECORD", Short: "Begin a new session behind a message of another",
		Long: `Begin a new session behind a message of another one. What was said until there is sent as before, and
stays where it is; the next message goes on from it. The session that was open is archived.`,
		Example: `  memoria session fork last 7K3M9Q2A`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return wrongUsage("%s needs the ID of a session and that of a message in it (see: memoria session show ID --json)", c.CommandPath())
			}
			return nil
		},
	}, func(ctx context.Context, _ *app.App, c *actions.Console, s memory.Session, args []string) (actions.Result, error) {
		r, err := c.Memory.Lookup().FindRecord(ctx, c.Agent.ID, args[0])
		if err != nil {
			return actions.Result{}, err
		}
		b, err := c.Memory.Lookup().Branch(ctx, c.Agent.ID, s.ID)
		if err != nil {
			return actions.Result{}, err
		}
		if r.SessionID != s.ID && !slices.ContainsFunc(b.Records, func(in memory.Record) bool { return in.ID == r.ID }) {
			return actions.Result{}, wrongUsage("message %s is not in session %s", args[0], short(s.ID))
		}
		latest, _, err := c.Memory.Lookup().Sessions(ctx, c.Agent.ID, mostOpen, 0)
		if err != nil {
			return actions.Result{}, err
		}
		archive := ""
		if i := slices.IndexFunc(latest, func(s memory.Session) bool { return s.State == memory.SessionActive }); i >= 0 {
			archive = latest[i].ID
		}
		fork, err := c.Memory.Fork(ctx, c.Agent.ID, r.ID, archive)
		return actions.Result{Data: fork, ID: fork.ID, Notes: []string{"forked from: " + words.SessionTitle(s)}}, err
	})
}

// mostOpen is how many of the sessions last used may be the open one.
const mostOpen = 20

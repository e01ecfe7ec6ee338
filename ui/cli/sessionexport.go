package cli

import (
	"errors"
	"memoria/ui/app"
	"slices"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/ui/export"
)

func sessionExport(p *Program) *cobra.Command {
	var file string
	var force, all bool
	c := &cobra.Command{
		Use: "export ID", Short: "Write a session as Markdown",
		Long: `Write a session as a Markdown document: title and times, and every message with who said it and when.
ID is an id or a part of it, or "last". Without --output it goes to standard output, where characters that a
terminal would obey are made visible; in a file everything stands as it was said, readable by you alone.`,
		Example: `  memoria session export last
  memoria session export 7K3M9Q2A -o fly.md --all-branches`,
		Args: need("the ID of a session", 1), Annotations: hint(listSessions), ValidArgsFunction: p.completeSession,
		RunE: func(c *cobra.Command, args []string) error {
			if force && file == "" {
				return wrongUsage("--force is for --output")
			}
			return p.with(c.Context(), func(o *app.App) error {
				s, err := findSession(c.Context(), p, o, args[0])
				if err != nil {
					return err
				}
				doc, err := export.Load(c.Context(), o.Memory, o.Agent.ID, s.ID, o.Agent.Name, all)
				if err != nil {
					return err
				}
				text := export.Markdown(doc, p.Now().Location())
				if file == "" {
					p.print(text)
					return nil
				}
				path, err := export.Write(file, "", text, force)
				if errors.Is(err, export.ErrThere) {
					return wrongUsage("%v; --force writes over it", err)
				}
				if err == nil {
					p.say("written: %s, %s", path, many(len(doc.Records), "message", "messages"))
				}
				return err
			})
		},
	}
	c.Flags().StringVarP(&file, "output", "o", "", "write to this `FILE`")
	c.Flags().BoolVar(&force, "force", false, "write over the file if it is there")
	c.Flags().BoolVar(&all, "all-branches", false, "append what lies in other branches: earlier answers, what was undone or edited")
	return c
}

func sessionFork(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "fork ID RECORD", Short: "Begin a new session behind a message of another",
		Long: `Begin a new session behind a message of another one. What was said until there is sent as before, and
stays where it is; the next message goes on from it. The session that was open is archived.`,
		Example:     `  memoria session fork last 7K3M9Q2A`,
		Annotations: hint(listSessions), ValidArgsFunction: p.completeSession,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return wrongUsage("%s needs the ID of a session and that of a message in it (see: memoria session show ID --json)", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				s, err := findSession(c.Context(), p, o, args[0])
				if err != nil {
					return err
				}
				r, err := o.Memory.FindRecord(c.Context(), o.Agent.ID, args[1])
				if err != nil {
					return err
				}
				b, err := o.Memory.Branch(c.Context(), o.Agent.ID, s.ID)
				if err != nil {
					return err
				}
				seen := func(in memory.Record) bool { return in.ID == r.ID }
				if r.SessionID != s.ID && !slices.ContainsFunc(b.Records, seen) {
					return wrongUsage("message %s is not in session %s", args[1], args[0])
				}
				latest, _, err := o.Memory.Sessions(c.Context(), o.Agent.ID, mostOpen, 0)
				if err != nil {
					return err
				}
				archive := ""
				for _, in := range latest {
					if in.State == memory.SessionActive {
						archive = in.ID
						break
					}
				}
				fork, err := o.Memory.Fork(c.Context(), o.Agent.ID, r.ID, archive)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(fork)
				}
				p.print(fork.ID + "\n")
				p.say("forked from: %s", oneLine(s.Title))
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the session as JSON")
	return c
}

// mostOpen is how many of the sessions last used may be the open one.
const mostOpen = 20

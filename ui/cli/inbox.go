package cli

import (
	"context"
	"fmt"
	"memoria/ui/app"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/manager"
)

func inboxCommand(p *Program) *cobra.Command {
	list := inboxList(p)
	c := group("inbox", "See and decide memories waiting for your approval",
		list, inboxAccept(p), inboxEdit(p), inboxReject(p))
	c.Long = `What waits here is not recalled before you say yes: personal data that you
mention without asking to have it remembered, what pasted text or another program
wants to have remembered, and what a machine concludes against your own words. Once
a month it asks of old homes, jobs, partners and goals whether they are still true:
accept says yes, reject ends them.`
	return orElse(c, list)
}

func inboxList(p *Program) *cobra.Command {
	var limit, offset int
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List what waits, newest first", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 0 || offset < 0 {
				return wrongUsage("--limit and --offset are not negative")
			}
			return p.with(c.Context(), func(o *app.App) error {
				page, err := o.Memory.Inbox(c.Context(), o.Agent.ID, limit, offset)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(page)
				}
				for _, h := range page.Items {
					p.print(heldLine(h) + "\n")
				}
				if page.Total == 0 {
					p.say("Nothing is waiting for your approval.")
				} else {
					p.say("%d of %d", len(page.Items), page.Total)
				}
				return nil
			})
		},
	}
	c.Flags().IntVar(&limit, "limit", 0, "at most `N`")
	c.Flags().IntVar(&offset, "offset", 0, "leave out the first `N`")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// heldLine is one line about a memory that waits.
func heldLine(h manager.HeldItem) string {
	s := fmt.Sprintf("%s  %s  %-12s %s (%s)", short(h.ID), h.Since.Local().Format(time.DateOnly), h.Type, oneLine(h.Content), h.Reason)
	if h.Replaces != nil {
		s += "; would replace: " + oneLine(h.Replaces.Content)
	}
	return s
}

const findHeld = "'memoria inbox list' shows what waits."

func inboxAccept(p *Program) *cobra.Command {
	var yes, all, asJSON bool
	c := &cobra.Command{
		Use: "accept ID…", Short: "Accept memories: they can be recalled now",
		Long: `Say yes to what waits in the inbox. It is shown, and accepted when you agree, word
for word as it was shown. What it contradicts is superseded by it.`,
		Example: `  memoria inbox accept 7K3M9Q2A --yes`,
		Args:    needUnless(&all, "the ID of a memory"), Annotations: hint(findHeld), ValidArgsFunction: p.completeMemory,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				shown, err := showHeld(c.Context(), p, o, args, all)
				if err != nil {
					return err
				}
				if len(shown) > 0 {
					if err := p.decide(c.Context(), yes, "accept "+many(len(shown), "memory", "memories"), "accepted"); err != nil {
						return err
					}
				}
				out, err := o.Memory.Accept(c.Context(), o.Agent.ID, shown...)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(append([]memory.Item{}, out...))
				}
				p.say("accepted %s", many(len(out), "memory", "memories"))
				return nil
			})
		},
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	c.Flags().BoolVar(&all, "all", false, "all that wait")
	c.Flags().BoolVar(&asJSON, "json", false, "print the accepted memories as JSON")
	return c
}

func inboxReject(p *Program) *cobra.Command {
	var yes, all, asJSON bool
	c := &cobra.Command{
		Use: "reject ID…", Short: "Reject memories: they are deleted for good and not proposed again",
		Long: `Say no to what waits in the inbox. Its words are destroyed. A keyed hash stays, so
that the same is not proposed again until you say it anew.`,
		Example: `  memoria inbox reject 7K3M9Q2A --yes`,
		Args:    needUnless(&all, "the ID of a memory"), Annotations: hint(findHeld), ValidArgsFunction: p.completeMemory,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				shown, err := showHeld(c.Context(), p, o, args, all)
				if err != nil {
					return err
				}
				if len(shown) > 0 {
					if err := p.decide(c.Context(), yes, "reject "+many(len(shown), "memory", "memories")+" for good", "rejected"); err != nil {
						return err
					}
				}
				d, err := o.Memory.Reject(c.Context(), o.Agent.ID, shown...)
				if err != nil {
					return err
				}
				// Nobody takes it back when the process has ended, also when an interrupt ends it.
				if err := o.Memory.Purge(context.WithoutCancel(c.Context())); err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(struct {
						Rejected int `json:"rejected"`
					}{d.Items})
				}
				p.say("rejected %s", many(d.Items, "memory", "memories"))
				return nil
			})
		},
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	c.Flags().BoolVar(&all, "all", false, "all that wait")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func inboxEdit(p *Program) *cobra.Command {
	var f itemFlags
	var asJSON bool
	c := &cobra.Command{
		Use: "edit ID [flags]", Short: "Correct one that waits; what is corrected is accepted",
		Example: `  memoria inbox edit 7K3M9Q2A --content "Email is bo@example.org"`,
		Args:    need("the ID of a memory", 1), Annotations: hint(findHeld), ValidArgsFunction: p.completeMemory,
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.ContainsFunc(editable, c.Flags().Changed) {
				return wrongUsage("edit needs at least one of --%s", strings.Join(editable, ", --"))
			}
			return p.with(c.Context(), func(o *app.App) error {
				shown, err := showHeld(c.Context(), p, o, args, false)
				if err != nil {
					return err
				}
				it, err := o.Memory.AcceptEdited(c.Context(), o.Agent.ID, shown[0], func(it *memory.Item) { f.apply(c, it) })
				if err != nil {
					return err
				}
				return changed(p, "accepted", it, asJSON)
			})
		},
	}
	f.register(c, 0, 0)
	c.Flags().StringVar(&f.content, "content", "", "the new text")
	c.Flags().BoolVar(&asJSON, "json", false, "print the item as JSON")
	return c
}

// showHeld tells what is going to be decided, and returns it as it was told.
func showHeld(ctx context.Context, p *Program, o *app.App, names []string, all bool) (shown []manager.Shown, err error) {
	page, err := o.Memory.Inbox(ctx, o.Agent.ID, 0, 0)
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, name := range names {
		it, err := o.Memory.Item(ctx, o.Agent.ID, name)
		if err != nil {
			return nil, err
		}
		if it.State != memory.StateHeld {
			return nil, fmt.Errorf("memory %s does not wait in the inbox: %w", short(it.ID), manager.ErrNotFound)
		}
		wanted[it.ID] = true
	}
	for _, h := range page.Items {
		if all || wanted[h.ID] {
			p.say("%s", heldLine(h))
			shown = append(shown, manager.Shown{ID: h.ID, Version: h.Version})
		}
	}
	if len(shown) < len(wanted) {
		return nil, fmt.Errorf("the inbox is another one by now: %w", manager.ErrChanged)
	}
	return shown, nil
}

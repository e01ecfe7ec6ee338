package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/words"
)

func inboxCommand(p *Program) *cobra.Command {
	list := inboxList(p)
	c := group("inbox", "See and decide memories waiting for your approval", list, inboxAccept(p), inboxEdit(p), inboxReject(p))
	c.Long = `What waits here is not recalled before you say yes: personal data that you
mention without asking to have it remembered, what pasted text or another program
wants to have remembered, and what a machine concludes against your own words. Once
a month it asks of old homes, jobs, partners and goals whether they are still true:
accept says yes, reject ends them.`
	return orElse(c, list)
}

func inboxList(p *Program) *cobra.Command {
	var page paging
	c := &cobra.Command{Use: "list", Short: "List what waits, newest first"}
	page.flags(c, 0)
	return acting(p, c, func(ctx context.Context, _ *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		return actions.Inbox(ctx, c, page.limit, page.offset)
	})
}

const findHeld = "'memoria inbox list' shows what waits."

// deciding completes a command that decides about memories of the inbox: it shows them and
// asks. did is the past of what.
func deciding(p *Program, c *cobra.Command, what, did string, do func(context.Context, *app.App,
	*actions.Console, []learning.Shown) (actions.Result, error)) *cobra.Command {
	var yes, all bool
	c.Args, c.Annotations, c.ValidArgsFunction = needUnless(&all, "the ID of a memory"), hint(findHeld), p.completeMemory
	c.Flags().BoolVar(&all, "all", false, "all that wait")
	yesFlag(c, &yes)
	return acting(p, c, func(ctx context.Context, o *app.App, c *actions.Console, args []string) (actions.Result, error) {
		shown, err := showHeld(ctx, p, c, args, all)
		if err == nil && len(shown) > 0 {
			err = p.decide(ctx, yes, fmt.Sprintf(what, words.Count(len(shown), "memory")), did)
		}
		if err != nil {
			return actions.Result{}, err
		}
		return do(ctx, o, c, shown)
	})
}

func inboxAccept(p *Program) *cobra.Command {
	return deciding(p, &cobra.Command{
		Use: "accept ID…", Short: "Accept memories: they can be recalled now",
		Long: `Say yes to what waits in the inbox. It is shown, and accepted when you agree, word
for word as it was shown. What it contradicts is superseded by it.`,
		Example: `  memoria inbox accept 7K3M9Q2A --yes`,
	}, "accept %s", "accepted", func(ctx context.Context, _ *app.App, c *actions.Console, shown []learning.Shown) (actions.Result, error) {
		return actions.Accept(ctx, c, shown...)
	})
}

func inboxReject(p *Program) *cobra.Command {
	return deciding(p, &cobra.Command{
		Use: "reject ID…", Short: "Reject memories: they are deleted for good and not proposed again",
		Long: `Say no to what waits in the inbox. Its words are destroyed. A keyed hash stays, so
that the same is not proposed again until you say it again.`,
		Example: `  memoria inbox reject 7K3M9Q2A --yes`,
	}, "reject %s for good", "rejected", func(ctx context.Context, _ *app.App, c *actions.Console, shown []learning.Shown) (actions.Result, error) {
		d, err := c.Memory.Reject(ctx, c.Agent.ID, shown...)
		if err == nil { // the process ends, and with it the chance to undo, also by an interrupt
			err = c.Memory.Purge(context.WithoutCancel(ctx))
		}
		if err != nil {
			return actions.Result{}, err
		}
		return actions.Result{Data: struct {
			Rejected int `json:"rejected"`
		}{d.Items}, Notes: []string{"rejected " + words.Count(d.Items, "memory")}}, nil
	})
}

func inboxEdit(p *Program) *cobra.Command {
	var f itemFlags
	c := &cobra.Command{
		Use: "edit ID [flags]", Short: "Correct one that waits; what is corrected is accepted",
		Example: `  memoria inbox edit 7K3M9Q2A --content "Email is bo@example.org"`,
		Args:    need("the ID of a memory", 1), Annotations: hint(findHeld), ValidArgsFunction: p.completeMemory,
	}
	f.editing(c)
	return acting(p, c, func(ctx context.Context, _ *app.App, c *actions.Console, args []string) (actions.Result, error) {
		shown, err := showHeld(ctx, p, c, args, false)
		if err != nil {
			return actions.Result{}, err
		}
		it, err := c.Memory.Learning().AcceptEdited(ctx, c.Agent.ID, shown[0], f.apply)
		return actions.Result{Data: it, ID: it.ID, Notes: []string{c.Say("inbox.accepted", words.Memory(it))}}, err
	})
}

// showHeld tells what is going to be decided, and returns it as it was told.
func showHeld(ctx context.Context, p *Program, c *actions.Console, names []string, all bool) (shown []learning.Shown, err error) {
	page, err := c.Memory.Lookup().Inbox(ctx, c.Agent.ID, 0, 0)
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, name := range names {
		it, err := c.Memory.Lookup().Item(ctx, c.Agent.ID, name)
		if err != nil {
			return nil, err
		}
		if it.State != memory.StateHeld {
			return nil, fmt.Errorf("memory %s does not wait in the inbox: %w", short(it.ID), lookup.ErrNotFound)
		}
		wanted[it.ID] = true
	}
	for _, h := range page.Items {
		if all || wanted[h.ID] {
			p.say("%s", words.HeldRow(h, p.Now()).Columns)
			shown = append(shown, learning.Shown{ID: h.ID, Version: h.Version})
		}
	}
	if len(shown) < len(wanted) {
		return nil, fmt.Errorf("the inbox is another one by now: %w", learning.ErrChanged)
	}
	return shown, nil
}

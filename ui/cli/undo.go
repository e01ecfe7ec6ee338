package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"memoria/ui/app"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/manager"
)

// processes are those whose changes can be listed.
var processes = []memory.Origin{
	memory.OriginTurn, memory.OriginSessionEnd, memory.OriginJournal, memory.OriginUser, memory.OriginImport, memory.OriginAPI,
}

func processNames() []string {
	var names []string
	for _, o := range processes {
		names = append(names, string(o))
	}
	return names
}

func memoryHistory(p *Program) *cobra.Command {
	var f manager.ChangeFilter
	var by, since string
	var asJSON bool
	c := &cobra.Command{
		Use: "history [ID]", Short: "List what was done to the memory, or to one memory, newest first",
		Args: cobra.MaximumNArgs(1), Annotations: hint(findMemory), ValidArgsFunction: p.completeMemory,
		Example: `  memoria memory history --by turn --since 2026-01-31
  memoria memory history 7K3M9Q2A`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := historyFlags(&f, by, since); err != nil {
				return err
			}
			if len(args) == 1 {
				f.ItemID = args[0]
			}
			return p.with(c.Context(), func(o *app.App) error { return printHistory(c.Context(), p, o, f, asJSON) })
		},
	}
	c.Flags().StringVar(&f.TurnID, "turn", "", "only what this `TURN` did")
	c.Flags().StringVar(&f.Generation, "generation", "", "only what this `RUN` in the background did, such as summing up a session")
	c.Flags().StringVar(&by, "by", "", "only what this `PROCESS` did: "+strings.Join(processNames(), ", "))
	completeFlag(c, "by", cobra.FixedCompletions(processNames(), cobra.ShellCompDirectiveNoFileComp))
	c.Flags().StringVar(&since, "since", "", "only since this `DAY`, such as 2026-01-31")
	c.Flags().IntVar(&f.Limit, "limit", 50, "at most `N`; 0 is all")
	c.Flags().StringVar(&f.Before, "before", "", "only what was done before this `CHANGE`: the next page")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// historyFlags puts what was given into a filter.
func historyFlags(f *manager.ChangeFilter, by, since string) error {
	if f.Limit < 0 {
		return wrongUsage("--limit %d: not negative", f.Limit)
	}
	f.Origin = memory.Origin(by)
	if by != "" && !strings.Contains(" "+strings.Join(processNames(), " ")+" ", " "+by+" ") {
		return wrongUsage("--by %q: the processes are %s", by, strings.Join(processNames(), ", "))
	}
	if since != "" {
		day, err := time.ParseInLocation(time.DateOnly, since, time.Local)
		if err != nil {
			return wrongUsage("--since %q: a day looks like 2026-01-31", since)
		}
		f.Since = day
	}
	return nil
}

func printHistory(ctx context.Context, p *Program, o *app.App, f manager.ChangeFilter, asJSON bool) error {
	page, err := o.Memory.Changes(ctx, o.Agent.ID, f)
	if err != nil {
		return err
	}
	if asJSON {
		return p.printJSON(page)
	}
	for _, c := range page.Changes {
		p.print(changeLine(c) + "\n")
	}
	switch {
	case page.Next != "":
		p.say("more: --before %s", page.Next)
	case len(page.Changes) == 0:
		p.say("Nothing of this kind was done.")
	}
	return nil
}

// changeLine is a change in one line, its id first.
func changeLine(c memory.Change) string {
	said := "(not there any more)"
	if c.Item != nil {
		said = short(c.ItemID) + " " + oneLine(c.Item.Content)
	}
	line := fmt.Sprintf("%s  %s  %-10s by %-5s %s", short(c.ID), c.Time.Local().Format("2006-01-02 15:04"), c.Action, c.Origin, said)
	if c.Reason != "" {
		line += " (" + oneLine(c.Reason) + ")"
	}
	if c.Undone {
		line += " [undone]"
	}
	return line
}

func memoryUndo(p *Program) *cobra.Command {
	var turn, generation string
	var last, yes, asJSON bool
	c := &cobra.Command{
		Use: "undo CHANGE | --last | --turn TURN | --generation RUN", Short: "Undo what was done to the memory in the last 30 days",
		Long: `Undo one change, the last one, or all that a turn or a run in the background did.
What was changed since is left alone, and so is what you did by hand unless you name
it. --last also undoes what you had "ask" forget in the last ten minutes. The undo is a change too: undoing it brings back what was undone.`,
		Args: cobra.MaximumNArgs(1), Annotations: hint(findChange),
		Example: `  memoria memory undo --last
  memoria memory undo 7K3M9Q2A --yes`,
		RunE: func(c *cobra.Command, args []string) error {
			given := len(args)
			for _, set := range []bool{last, turn != "", generation != ""} {
				if set {
					given++
				}
			}
			if given != 1 {
				return wrongUsage("%s needs one of CHANGE, --last, --turn and --generation; %s", c.CommandPath(), findChange)
			}
			change := strings.Join(args, "")
			return p.with(c.Context(), func(o *app.App) error {
				return undo(c.Context(), p, o, undoing{change: change, turn: turn, generation: generation, last: last, yes: yes, json: asJSON})
			})
		},
	}
	c.Flags().BoolVar(&last, "last", false, "the last change that is not undone yet")
	c.Flags().StringVar(&turn, "turn", "", "all that this `TURN` did")
	c.Flags().StringVar(&generation, "generation", "", "all that this `RUN` in the background did")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// undoing is what undo was asked for; all empty is the last change.
type undoing struct {
	change, turn, generation string
	last, yes, json          bool
}

// list returns the changes that are going to be undone, and how they are called.
func (u *undoing) list(ctx context.Context, o *app.App) (list []memory.Change, what string, err error) {
	var f manager.ChangeFilter
	switch {
	case u.turn != "":
		f.TurnID, what = u.turn, "what this turn did"
	case u.generation != "":
		f.Generation, what = u.generation, "what this run did"
	default:
		var c memory.Change
		if u.change == "" {
			c, err = o.Memory.LastChange(ctx, o.Agent.ID)
		} else {
			c, err = o.Memory.Change(ctx, o.Agent.ID, u.change)
		}
		u.change = c.ID
		return []memory.Change{c}, "this change", err
	}
	page, err := o.Memory.Changes(ctx, o.Agent.ID, f)
	return page.Changes, what, err
}

func undo(ctx context.Context, p *Program, o *app.App, u undoing) error {
	if u.last {
		done, err := undoDeletion(ctx, p, o, u)
		if done || err != nil {
			return err
		}
	}
	list, what, err := u.list(ctx, o)
	if err != nil {
		return err
	}
	for _, c := range list {
		p.say("%s", changeLine(c))
	}
	if err := p.agree(ctx, u.yes, "undo "+what); err != nil {
		return err
	}
	var done manager.Undone
	switch {
	case u.turn != "":
		done, err = o.Memory.UndoTurn(ctx, o.Agent.ID, u.turn)
	case u.generation != "":
		done, err = o.Memory.UndoGeneration(ctx, o.Agent.ID, u.generation)
	default:
		done, err = o.Memory.Undo(ctx, o.Agent.ID, u.change)
	}
	if err != nil {
		return err
	}
	return undone(p, done, u.json)
}

// undoDeletion undoes the last deletion when nothing was done to the memory since, and
// reports whether there was one (D2).
func undoDeletion(ctx context.Context, p *Program, o *app.App, u undoing) (done bool, err error) {
	d, err := o.Memory.LastDeletion(ctx, o.Agent.ID)
	if errors.Is(err, manager.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if c, err := o.Memory.LastChange(ctx, o.Agent.ID); err == nil && c.Time.After(d.At) {
		return false, nil
	}
	what := many(d.Items, "memory", "memories")
	p.say("deleted at %s: %s", d.At.Local().Format("15:04"), cmp.Or(oneLine(d.Title), what))
	if err := p.agree(ctx, u.yes, "undo this deletion"); err != nil {
		return false, err
	}
	back, err := o.Memory.UndoDeletion(ctx, o.Agent.ID, d.ID)
	if err != nil {
		return false, err
	}
	if u.json {
		return true, p.printJSON(back)
	}
	p.print("restored: " + cmp.Or(oneLine(d.Title), what) + "\n")
	return true, nil
}

// undone tells what became of an undo. That nothing could be undone is a failure.
func undone(p *Program, u manager.Undone, asJSON bool) error {
	if asJSON {
		if err := p.printJSON(u); err != nil {
			return err
		}
	} else {
		for _, line := range u.Lines() {
			p.print(oneLine(line) + "\n")
		}
	}
	if u.ID == "" {
		p.say("nothing was undone")
		return errTold
	}
	p.say("to take this back: memoria memory undo %s", short(u.ID))
	return nil
}

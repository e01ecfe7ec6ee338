package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/words"
)

func memoryCommand(p *Program) *cobra.Command {
	return group("memory", "List, show, add, edit and delete what is remembered, and undo what was done to it",
		memoryList(p), memoryShow(p), memoryAdd(p), memoryEdit(p), memoryDelete(p), memoryClear(p), memoryHistory(p), memoryUndo(p), memoryReview(p))
}

func memoryList(p *Program) *cobra.Command {
	var f lookup.ItemFilter
	var page paging
	var kind string
	c := &cobra.Command{Use: "list", Short: "List what is remembered, newest first"}
	page.flags(c, 0)
	check := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if f.Type = memory.Type(kind); kind != "" && !f.Type.Valid() {
			return wrongUsage("--type %q: the types are %s", kind, words.MemoryTypes())
		}
		f.Limit, f.Offset = page.limit, page.offset
		return check(c, args)
	}
	c.Flags().StringVar(&f.Text, "filter", "", "only those with these `WORDS` (--find is the same)")
	alias(c, "find", "filter")
	c.Flags().StringVar(&kind, "type", "", "only those of this `TYPE`")
	completeTypes(c)
	c.Flags().BoolVar(&f.All, "all", false, "also what is no longer active")
	return acting(p, c, func(ctx context.Context, _ *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		return actions.Memories(ctx, c, f)
	})
}

// completeTypes lets a shell complete --type.
func completeTypes(c *cobra.Command) {
	completeFlag(c, "type", cobra.FixedCompletions(strings.Split(words.MemoryTypes(), ", "), cobra.ShellCompDirectiveNoFileComp))
}

func memoryShow(p *Program) *cobra.Command {
	return acting(p, &cobra.Command{
		Use: "show ID", Short: "Show one memory, the words it came from, and its history",
		Args: need("the ID of a memory", 1), Annotations: hint(findMemory), ValidArgsFunction: p.completeMemory,
	}, func(ctx context.Context, _ *app.App, c *actions.Console, args []string) (actions.Result, error) {
		return actions.ShowMemory(ctx, c, args[0])
	})
}

// itemFlags are the fields of an item that the user may set.
type itemFlags struct {
	given                            func(flag string) bool
	kind, key, title, value, content string
	tags                             []string
	confidence, importance           float64
}

// editable are the flags of which edit needs one.
var editable = []string{"content", "type", "key", "title", "value", "tags", "confidence", "importance"}

// register adds the flags with their values when they are not given; zero for a number
// that then stays as it is.
func (f *itemFlags) register(c *cobra.Command, confidence, importance float64) {
	f.given = c.Flags().Changed
	c.Flags().StringVar(&f.kind, "type", "", "the `TYPE`: "+words.MemoryTypes())
	completeTypes(c)
	c.Flags().StringVar(&f.key, "key", "", "the slot it fills, such as name")
	c.Flags().StringVar(&f.title, "title", "", "a title")
	c.Flags().StringVar(&f.value, "value", "", "the conclusion as `JSON`")
	c.Flags().StringSliceVar(&f.tags, "tags", nil, "tags, separated by commas")
	c.Flags().Float64Var(&f.confidence, "confidence", confidence, "from 0 to 1")
	c.Flags().Float64Var(&f.importance, "importance", importance, "from 0 to 1")
}

// editing is register for a command that changes an item and needs one of the flags.
func (f *itemFlags) editing(c *cobra.Command) {
	f.register(c, 0, 0)
	c.Flags().StringVar(&f.content, "content", "", "the new text")
	c.PreRunE = func(*cobra.Command, []string) error {
		if !slices.ContainsFunc(editable, f.given) {
			return wrongUsage("edit needs at least one of --%s", strings.Join(editable, ", --"))
		}
		return nil
	}
}

// apply writes the flags that were given into an item.
func (f *itemFlags) apply(it *memory.Item) {
	for flag, set := range map[string]func(){
		"type": func() { it.Type = memory.Type(f.kind) }, "key": func() { it.Key = f.key }, "title": func() { it.Title = f.title },
		"value": func() { it.Value = json.RawMessage(f.value) }, "tags": func() { it.Tags = f.tags }, "content": func() { it.Content = f.content },
		"confidence": func() { it.Confidence = f.confidence }, "importance": func() { it.Importance = f.importance },
	} {
		if f.given(flag) {
			set()
		}
	}
}

func memoryAdd(p *Program) *cobra.Command {
	var f itemFlags
	c := &cobra.Command{
		Use: "add [flags] TEXT", Short: "Remember something", Args: need("a TEXT", 0),
		Example: `  memoria memory add --type preference "Prefers pnpm to npm"`,
	}
	f.register(c, 1, memory.DefaultImportance)
	return acting(p, c, func(ctx context.Context, _ *app.App, c *actions.Console, args []string) (actions.Result, error) {
		return actions.AddMemory(ctx, c, memory.Item{Content: strings.Join(args, " ")}, f.apply)
	})
}

func memoryEdit(p *Program) *cobra.Command {
	var f itemFlags
	c := &cobra.Command{
		Use: "edit ID [flags]", Short: "Correct what is remembered", Args: need("the ID of a memory",
			1), Annotations: hint(findMemory), ValidArgsFunction: p.completeMemory,
		Example: `  memoria memory edit 7K3M9Q --content "Prefers pnpm to yarn"`,
	}
	f.editing(c)
	return acting(p, c, func(ctx context.Context, _ *app.App, c *actions.Console, args []string) (actions.Result, error) {
		return actions.EditMemory(ctx, c, args[0], f.apply)
	})
}

// deleted is what delete and clear --json print.
type deleted struct {
	Deleted int      `json:"deleted"`
	IDs     []string `json:"ids,omitempty"`
}

func memoryDelete(p *Program) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "delete ID…", Short: "Delete memories for good",
		Long: "Delete memories for good: they are in no view and in no backup any more.\n" + untilReused,
		Args: need("the ID of a memory", 0), Annotations: hint(findMemory), ValidArgsFunction: p.completeMemory,
		Example: `  memoria memory delete 7K3M9Q2A --yes`,
	}
	yesFlag(c, &yes)
	return acting(p, c, func(ctx context.Context, o *app.App, c *actions.Console, args []string) (actions.Result, error) {
		ids, rows, err := actions.NameMemories(ctx, c, args)
		if err != nil {
			return actions.Result{}, err
		}
		for _, row := range rows {
			p.say("%s", row.Columns)
		}
		if err := p.confirm(ctx, yes, "delete "+words.Count(len(ids), "memory")+" for good"); err != nil {
			return actions.Result{}, err
		}
		d, err := c.Memory.DeleteItems(ctx, c.Agent.ID, ids...)
		return finished(ctx, p, o, d.Items, ids, err)
	})
}

func memoryClear(p *Program) *cobra.Command {
	var yes bool
	c := &cobra.Command{Use: "clear", Short: "Delete everything that is remembered, for good"}
	yesFlag(c, &yes)
	return acting(p, c, func(ctx context.Context, o *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		page, err := c.Memory.Lookup().Items(ctx, c.Agent.ID, lookup.ItemFilter{All: true, Limit: 1})
		if err == nil && page.Total > 0 {
			err = p.confirm(ctx, yes, "delete all "+words.Count(page.Total, "memory")+" of agent "+c.Agent.ID+" for good")
		}
		if err != nil {
			return actions.Result{}, err
		}
		d, err := c.Memory.ClearItems(ctx, c.Agent.ID)
		return finished(ctx, p, o, d.Items, nil, err)
	})
}

// finished carries a deletion of memories out at once and tells of it.
func finished(ctx context.Context, p *Program, o *app.App, n int, ids []string, err error) (actions.Result, error) {
	if err == nil {
		err = finishDeletion(ctx, p, o)
	}
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: deleted{Deleted: n, IDs: ids}, Notes: []string{"deleted " + words.Count(n, "memory")}}, nil
}

// processes are those whose changes can be listed.
var processes = []string{
	string(memory.OriginTurn), string(memory.OriginSessionEnd), string(memory.OriginJournal), string(memory.OriginUser),
	string(memory.OriginImport), string(memory.OriginAPI),
}

func memoryHistory(p *Program) *cobra.Command {
	var f lookup.ChangeFilter
	var by, since string
	c := &cobra.Command{
		Use: "history [ID]", Short: "List what was done to the memory, or to one memory, newest first",
		Args: cobra.MaximumNArgs(1), Annotations: hint(findMemory), ValidArgsFunction: p.completeMemory,
		Example: `  memoria memory history --by turn --since 2026-01-31
  memoria memory history 7K3M9Q2A`,
		PreRunE: func(*cobra.Command, []string) error {
			if f.Limit < 0 {
				return wrongUsage("--limit %d: not negative", f.Limit)
			}
			f.Origin = memory.Origin(by)
			if by != "" && !slices.Contains(processes, by) {
				return wrongUsage("--by %q: the processes are %s", by, strings.Join(processes, ", "))
			}
			if since == "" {
				return nil
			}
			day, err := time.ParseInLocation(time.DateOnly, since, time.Local)
			if err != nil {
				return wrongUsage("--since %q: a day looks like 2026-01-31", since)
			}
			f.Since = day
			return nil
		},
	}
	c.Flags().StringVar(&f.TurnID, "turn", "", "only what this `TURN` did")
	c.Flags().StringVar(&f.Generation, "generation", "", "only what this `RUN` in the background did, such as summing up a session")
	c.Flags().StringVar(&by, "by", "", "only what this `PROCESS` did: "+strings.Join(processes, ", "))
	completeFlag(c, "by", cobra.FixedCompletions(processes, cobra.ShellCompDirectiveNoFileComp))
	c.Flags().StringVar(&since, "since", "", "only since this `DAY`, such as 2026-01-31")
	c.Flags().IntVar(&f.Limit, "limit", 50, "at most `N`; 0 is all")
	c.Flags().StringVar(&f.Before, "before", "", "only what was done before this `CHANGE`: the next page")
	return acting(p, c, func(ctx context.Context, _ *app.App, c *actions.Console, args []string) (actions.Result, error) {
		f.ItemID = strings.Join(args, "")
		page, err := c.Memory.Lookup().Changes(ctx, c.Agent.ID, f)
		if err != nil {
			return actions.Result{}, err
		}
		r := actions.Result{Data: page}
		for _, ch := range page.Changes {
			r.Lines = append(r.Lines, words.ChangeRow(ch, p.Now()).Columns)
		}
		switch {
		case page.Next != "":
			r.Notes = []string{"more: --before " + page.Next}
		case len(page.Changes) == 0:
			r.Notes = []string{"Nothing of this kind was done."}
		}
		return r, nil
	})
}

// undoing is what undo was asked for; all empty is the last change.
type undoing struct {
	change, turn, generation string
	last, yes                bool
}

func memoryUndo(p *Program) *cobra.Command {
	var u undoing
	c := &cobra.Command{
		Use: "undo CHANGE | --last | --turn TURN | --generation RUN", Short: "Undo what was done to the memory in the last 30 days",
		Long: `Undo one change, the last one, or all that a turn or a run in the background did.
What was changed since is left alone, and so is what you did by hand unless you name
it. --last also undoes what you had "ask" forget in the last ten minutes. The undo is a change too: undoing it brings back what was undone.`,
		Args: cobra.MaximumNArgs(1), Annotations: hint(findChange),
		Example: `  memoria memory undo --last
  memoria memory undo 7K3M9Q2A --yes`,
		PreRunE: func(c *cobra.Command, args []string) error {
			given := len(args)
			for _, set := range []bool{u.last, u.turn != "", u.generation != ""} {
				if set {
					given++
				}
			}
			if given != 1 {
				return wrongUsage("%s needs one of CHANGE, --last, --turn and --generation; %s", c.CommandPath(), findChange)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&u.last, "last", false, "the last change that is not undone yet")
	c.Flags().StringVar(&u.turn, "turn", "", "all that this `TURN` did")
	c.Flags().StringVar(&u.generation, "generation", "", "all that this `RUN` in the background did")
	yesFlag(c, &u.yes)
	return acting(p, c, func(ctx context.Context, _ *app.App, c *actions.Console, args []string) (actions.Result, error) {
		u.change = strings.Join(args, "")
		if u.last {
			if r, done, err := undoDeletion(ctx, p, c, u); done || err != nil {
				return r, err
			}
		}
		return undo(ctx, p, c, u)
	})
}

// list returns the changes that are going to be undone, and how they are called.
func (u *undoing) list(ctx context.Context, c *actions.Console) (list []memory.Change, what string, err error) {
	var f lookup.ChangeFilter
	switch {
	case u.turn != "":
		f.TurnID, what = u.turn, "what this turn did"
	case u.generation != "":
		f.Generation, what = u.generation, "what this run did"
	default:
		var change memory.Change
		if u.change == "" {
			change, err = c.Memory.Lookup().LastChange(ctx, c.Agent.ID)
		} else {
			change, err = c.Memory.Lookup().Change(ctx, c.Agent.ID, u.change)
		}
		u.change = change.ID
		return []memory.Change{change}, "this change", err
	}
	page, err := c.Memory.Lookup().Changes(ctx, c.Agent.ID, f)
	return page.Changes, what, err
}

// undo undoes changes. That nothing could be undone is a failure.
func undo(ctx context.Context, p *Program, c *actions.Console, u undoing) (r actions.Result, err error) {
	list, what, err := u.list(ctx, c)
	if err != nil {
		return r, err
	}
	for _, ch := range list {
		p.say("%s", words.ChangeRow(ch, p.Now()).Columns)
	}
	if err := p.agree(ctx, u.yes, "undo "+what); err != nil {
		return r, err
	}
	var done learning.Undone
	switch {
	case u.turn != "":
		done, err = c.Memory.Learning().UndoTurn(ctx, c.Agent.ID, u.turn)
	case u.generation != "":
		done, err = c.Memory.Learning().UndoGeneration(ctx, c.Agent.ID, u.generation)
	default:
		done, err = c.Memory.Learning().Undo(ctx, c.Agent.ID, u.change)
	}
	if err != nil {
		return r, err
	}
	r.Data = done
	for _, l := range done.Lines() {
		r.Lines = append(r.Lines, oneLine(l))
	}
	if done.ID == "" {
		r.Notes, r.Failed = []string{"nothing was undone"}, errTold
		return r, nil
	}
	p.say("to undo this: memoria memory undo %s", short(done.ID))
	return r, nil
}

// undoDeletion undoes the last deletion when nothing was done to the memory since, and
// reports whether there was one (D2).
func undoDeletion(ctx context.Context, p *Program, c *actions.Console, u undoing) (r actions.Result, done bool, err error) {
	d, err := c.Memory.LastDeletion(ctx, c.Agent.ID)
	if errors.Is(err, lookup.ErrNotFound) {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	if last, err := c.Memory.Lookup().LastChange(ctx, c.Agent.ID); err == nil && last.Time.After(d.At) {
		return r, false, nil
	}
	what := cmp.Or(oneLine(d.Title), words.Count(d.Items, "memory"))
	p.say("deleted at %s: %s", d.At.Local().Format("15:04"), what)
	if err := p.agree(ctx, u.yes, "undo this deletion"); err != nil {
		return r, false, err
	}
	back, err := c.Memory.UndoDeletion(ctx, c.Agent.ID, d.ID)
	return actions.Result{Data: back, Lines: []string{"restored: " + what}}, true, err
}

func memoryReview(p *Program) *cobra.Command {
	return acting(p, &cobra.Command{
		Use: "review", Short: "List what today's rules would not remember",
		Long: `Read the messages again from which rules made memories, and list the memories that
today's rules would not make of them. Nothing is changed: delete what is wrong with
memoria memory delete.`,
	}, func(ctx context.Context, _ *app.App, c *actions.Console, _ []string) (actions.Result, error) {
		found, err := c.Memory.Learning().Review(ctx, c.Agent.ID)
		r := actions.Result{Data: found, Notes: []string{"Today's rules would remember all of it."}}
		for _, f := range found {
			r.Lines = append(r.Lines, words.MemoryRow(f.Item, p.Now()).Columns+"  "+f.Key+"  said: “"+oneLine(f.Said)+"”")
		}
		if len(found) > 0 {
			r.Notes = []string{words.Count(len(found), "memory") + "; delete with: memoria memory delete ID"}
		}
		return r, err
	})
}

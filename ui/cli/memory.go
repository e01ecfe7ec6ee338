package cli

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/ui/actions"
	"memoria/ui/words"
)

func memoryList(ctx context.Context, in *input) (actions.Result, error) {
	return actions.Memories(ctx, in.Console, lookup.ItemFilter{
		Text: in.text("filter"), Type: memory.Type(in.text("type")), All: in.on("all"),
		Limit: in.count("limit"), Offset: in.count("offset"),
	})
}

// describe writes the flags that were given into a memory.
func (in *input) describe(it *memory.Item) {
	for flag, set := range map[string]func(flag string){
		"type":       func(f string) { it.Type = memory.Type(in.text(f)) },
		"key":        func(f string) { it.Key = in.text(f) },
		"title":      func(f string) { it.Title = in.text(f) },
		"value":      func(f string) { it.Value = json.RawMessage(in.text(f)) },
		"tags":       func(f string) { it.Tags = in.list(f) },
		"content":    func(f string) { it.Content = in.text(f) },
		"confidence": func(f string) { it.Confidence = in.number(f) },
		"importance": func(f string) { it.Importance = in.number(f) },
	} {
		if in.given(flag) {
			set(flag)
		}
	}
}

func memoryAdd(ctx context.Context, in *input) (actions.Result, error) {
	return actions.AddMemory(ctx, in.Console, memory.Item{Content: in.words()}, in.describe)
}

func memoryEdit(ctx context.Context, in *input) (actions.Result, error) {
	return actions.EditMemory(ctx, in.Console, in.args[0], in.describe)
}

// checkDelete requires either IDs, or --type or --find.
func checkDelete(_ context.Context, in *input) error {
	if (len(in.args) > 0) == in.given("type", "find") {
		return wrongUsage("usage.delete", in.cmd.CommandPath())
	}
	if in.given("type") && in.text("type") == "" {
		return wrongUsage("usage.type.empty", words.MemoryTypes())
	}
	if in.given("find") && strings.TrimSpace(in.text("find")) == "" {
		return wrongUsage("usage.find.empty")
	}
	return nil
}

func memoryDelete(ctx context.Context, in *input) (actions.Result, error) {
	byID := len(in.args) > 0
	items, err := actions.NamedMemories(ctx, in.Console, in.args)
	if !byID {
		items, err = actions.FindMemories(ctx, in.Console, lookup.ItemFilter{
			Text: in.text("find"), Type: memory.Type(in.text("type")), All: true,
		})
	}
	if err != nil {
		return actions.Result{}, err
	}
	var ids, rows []string
	for _, it := range items {
		ids, rows = append(ids, it.ID), append(rows, in.lang().MemoryRow(it, in.Console.Now()).Columns)
	}
	if len(ids) == 0 {
		return in.result(deleted{IDs: ids}, "memory.no-match"), nil
	}
	if in.on("dry-run") {
		r := in.result(deleted{IDs: ids, DryRun: true, Items: items}, "gone.would", in.lang().Count(len(ids), "memory"))
		r.Lines = rows
		return r, nil
	}
	for _, row := range rows {
		in.say("%s", row)
	}
	if byID {
		if err := in.confirm(ctx, "really.delete", in.lang().Count(len(ids), "memory")); err != nil {
			return actions.Result{}, err
		}
		d, err := in.Memory.DeleteItems(ctx, in.Agent.ID, ids...)
		return in.deletedMemories(ctx, d, ids, err)
	}
	if err := in.confirm(ctx, "really.delete.found", in.lang().Count(len(ids), "memory")); err != nil {
		return actions.Result{}, err
	}
	d, err := in.Memory.DeleteItems(ctx, in.Agent.ID, ids...)
	if err == nil {
		d, err = in.Memory.Trash().Prolong(ctx, in.Agent.ID, d.ID, "", write.LongDeletionUndoTime-write.DeletionUndoTime)
	}
	r := in.result(deleted{Deleted: d.Items, IDs: ids}, "gone", in.lang().Count(d.Items, "memory"))
	r.Notes = append(r.Notes, in.Say("gone.last"))
	return r, err
}

func memoryClear(ctx context.Context, in *input) (actions.Result, error) {
	page, err := in.Memory.Lookup().Items(ctx, in.Agent.ID, lookup.ItemFilter{All: true, Limit: 1})
	if err == nil && page.Total > 0 {
		err = in.confirm(ctx, "really.clear", in.lang().Count(page.Total, "memory"), in.Agent.ID)
	}
	if err != nil {
		return actions.Result{}, err
	}
	d, err := in.Memory.ClearItems(ctx, in.Agent.ID)
	return in.deletedMemories(ctx, d, nil, err)
}

// deleted is what delete and clear --json print.
type deleted struct {
	Deleted int           `json:"deleted"`
	IDs     []string      `json:"ids,omitempty"`
	DryRun  bool          `json:"dry_run,omitempty"`
	Items   []memory.Item `json:"items,omitempty"` // of a dry run
}

// deletedMemories makes a deletion of memories final and reports it.
func (in *input) deletedMemories(ctx context.Context, d write.Deletion, ids []string, err error) (actions.Result, error) {
	if err == nil {
		err = in.finishDeletion(ctx)
	}
	return in.result(deleted{Deleted: d.Items, IDs: ids}, "gone", in.lang().Count(d.Items, "memory")), err
}

func memoryHistory(ctx context.Context, in *input) (actions.Result, error) {
	return actions.Changes(ctx, in.Console, lookup.ChangeFilter{
		ItemID: in.words(), TurnID: in.text("turn"), Generation: in.text("generation"), Origin: memory.Origin(in.text("by")),
		Since: in.from, Limit: in.count("limit"), Before: in.text("before"),
	})
}

// checkUndo requires exactly one of CHANGE, --last, --turn and --generation.
func checkUndo(_ context.Context, in *input) error {
	given := len(in.args)
	for _, f := range []string{"last", "turn", "generation"} {
		if in.given(f) {
			given++
		}
	}
	if given != 1 {
		return wrongUsage("usage.undo", in.cmd.CommandPath(), words.Sentence(in.cmd.Annotations[ifNotFound]))
	}
	return nil
}

// memoryUndo shows the changes, asks, and undoes them.
func memoryUndo(ctx context.Context, in *input) (actions.Result, error) {
	if in.on("last") {
		if r, done, err := in.undoDeletion(ctx); done || err != nil {
			return r, err
		}
	}
	u := actions.Undoing{Change: in.words(), Turn: in.text("turn"), Generation: in.text("generation")}
	rows, what, err := u.List(ctx, in.Console)
	if err != nil {
		return actions.Result{}, err
	}
	for _, row := range rows {
		in.say("%s", row.Columns)
	}
	if err := in.ask(ctx, what, "undo.none"); err != nil {
		return actions.Result{}, err
	}
	return u.Undo(ctx, in.Console)
}

// undoDeletion undoes the last deletion when nothing was done to the memory since, and
// reports whether there was one (D2).
func (in *input) undoDeletion(ctx context.Context) (r actions.Result, done bool, err error) {
	d, err := in.Memory.LastDeletion(ctx, in.Agent.ID)
	if errors.Is(err, lookup.ErrNotFound) {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	if last, err := in.Memory.Lookup().LastChange(ctx, in.Agent.ID); err == nil && last.Time.After(d.At) {
		return r, false, nil
	}
	what := oneLine(d.Title)
	if what == "" {
		what = in.lang().Count(d.Items, "memory")
	}
	in.remark("undo.deletion", d.At.Local().Format("15:04"), what)
	if err := in.ask(ctx, in.Say("really.undo", in.Say("undo.this-deletion")), "undo.none"); err != nil {
		return r, false, err
	}
	back, err := in.Memory.UndoDeletion(ctx, in.Agent.ID, d.ID)
	return actions.Result{Data: back, Lines: []string{in.Say("undo.restored", what)}}, true, err
}

func inboxList(ctx context.Context, in *input) (actions.Result, error) {
	return actions.Inbox(ctx, in.Console, in.count("limit"), in.count("offset"))
}

// checkInbox requires exactly one of IDs, --type and --all.
func checkInbox(_ context.Context, in *input) error {
	given := 0
	for _, is := range []bool{len(in.args) > 0, in.given("type"), in.on("all")} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return wrongUsage("usage.both", in.cmd.CommandPath())
	case given == 0:
		return wrongUsage("usage.inbox", in.cmd.CommandPath())
	}
	return nil
}

func inboxAccept(ctx context.Context, in *input) (actions.Result, error) {
	shown, err := in.decide(ctx, "really.accept", "nothing.accepted")
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Accept(ctx, in.Console, shown...)
}

func inboxReject(ctx context.Context, in *input) (actions.Result, error) {
	shown, err := in.decide(ctx, "really.reject", "nothing.rejected")
	if err != nil {
		return actions.Result{}, err
	}
	d, err := in.Memory.Reject(ctx, in.Agent.ID, shown...)
	if err == nil { // the process ends, and with it the chance to undo, also by an interrupt
		err = in.Memory.Trash().Purge(context.WithoutCancel(ctx))
	}
	return in.result(struct {
		Rejected int `json:"rejected"`
	}{d.Items}, "inbox.rejected", in.lang().Count(d.Items, "memory")), err
}

// decide shows memories of the inbox that are going to be decided about, and asks.
func (in *input) decide(ctx context.Context, what, refused string) ([]learning.Shown, error) {
	shown, err := in.showHeld(ctx, in.args)
	if err == nil && len(shown) > 0 {
		err = in.ask(ctx, in.Say(what, in.lang().Count(len(shown), "memory")), refused)
	}
	return shown, err
}

func inboxEdit(ctx context.Context, in *input) (actions.Result, error) {
	shown, err := in.showHeld(ctx, in.args)
	if err != nil {
		return actions.Result{}, err
	}
	it, err := in.Memory.Learning().AcceptEdited(ctx, in.Agent.ID, shown[0], in.describe)
	return actions.Result{Data: it, ID: it.ID, Notes: []string{in.Say("inbox.accepted", words.Memory(it))}}, err
}

// showHeld shows pending memories, those of --type or all if none are named, and returns
// them as shown.
func (in *input) showHeld(ctx context.Context, names []string) (shown []learning.Shown, err error) {
	held, err := actions.Held(ctx, in.Console, names, memory.Type(in.text("type")))
	for _, h := range held {
		in.say("%s", in.lang().HeldRow(h, in.Console.Now()).Columns)
		shown = append(shown, learning.Shown{ID: h.ID, Version: h.Version})
	}
	return shown, err
}

// result is what a command did: its JSON, and a message of the catalogue.
func (in *input) result(data any, id string, args ...any) actions.Result {
	return actions.Result{Data: data, Notes: []string{in.Say(id, args...)}}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

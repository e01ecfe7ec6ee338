package ledger

import (
	"slices"

	"memoria/memory"
)

// Entry is an item with its history.
type Entry struct {
	Item memory.Item
	// Changes are all its changes, oldest first, with their ids.
	Changes []memory.Change
	// Version returns an earlier version of the item; false if it is not kept. It is
	// called only for versions before that of Item.
	Version func(n int) (memory.Item, bool)
}

// version returns any version of the item.
func (e Entry) version(n int) (memory.Item, bool) {
	if n == e.Item.Version {
		return e.Item, true
	}
	if n < 1 || n > e.Item.Version {
		return memory.Item{}, false
	}
	return e.Version(n)
}

// made maps versions to the changes that made them.
func (e Entry) made() map[int]memory.Change {
	out := make(map[int]memory.Change, len(e.Changes))
	for _, c := range e.Changes {
		if !note(c) {
			out[c.Version] = c
		}
	}
	return out
}

// note reports whether a change only records a deletion or restoration, and made no
// version.
func note(c memory.Change) bool { return gone(c) || c.Action == memory.ActionRestored }

func gone(c memory.Change) bool {
	return c.Action == memory.ActionDeleted || c.Action == memory.ActionRejected
}

// stack returns the changes in force at a version, newest first.
func stack(made map[int]memory.Change, version int) (out []memory.Change) {
	for version > 0 {
		c, ok := made[version]
		switch {
		case !ok: // its note is unreadable: its effect is unknown
			return append(out, memory.Change{Version: version})
		case c.Action == memory.ActionRelinked:
			version--
		case c.Undo != "" && c.Restores > 0:
			version = c.Restores
		case c.Undo != "": // deactivated
			return append(out, c)
		default:
			out = append(out, c)
			version--
		}
	}
	return out
}

// same returns the version that a version equals: itself, or the one it restored.
func same(made map[int]memory.Change, version int) int {
	for {
		c, ok := made[version]
		if !ok || c.Undo == "" || c.Restores == 0 {
			return version
		}
		version = c.Restores
	}
}

// UndoneIn returns which of an item's changes, given oldest first, are undone.
func UndoneIn(changes []memory.Change) map[string]bool {
	out := map[string]bool{}
	for _, c := range slices.Backward(changes) {
		if !out[c.ID] {
			for _, id := range c.Undoes {
				out[id] = true
			}
		}
	}
	return out
}

// ended reports whether a change replaced this item by another.
func (e Entry) ended(c memory.Change) bool {
	after, ok := e.version(c.Version)
	if !ok || after.SupersededBy == "" || after.State != memory.StateInactive || c.Undo != "" {
		return false
	}
	before, ok := e.version(c.Version - 1)
	return ok && before.SupersededBy != after.SupersededBy
}

// replaced returns the item that a change of this one replaced; "" for none.
func (e Entry) replaced(c memory.Change) string {
	after, ok := e.version(c.Version)
	if !ok || c.Undo != "" {
		return ""
	}
	if before, ok := e.version(c.Version - 1); ok && before.Supersedes == after.Supersedes {
		return ""
	}
	return after.Supersedes
}

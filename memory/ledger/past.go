package ledger

import (
	"slices"

	"memoria/memory"
)

// Entry is one item with its past.
type Entry struct {
	Item memory.Item
	// Changes are all that happened to it, oldest first, with their ids.
	Changes []memory.Change
	// Version returns the item as a version was; false when that is not kept. It
	// is asked for versions before the one of Item only.
	Version func(n int) (memory.Item, bool)
}

// version is the item as any of its versions was.
func (e Entry) version(n int) (memory.Item, bool) {
	if n == e.Item.Version {
		return e.Item, true
	}
	if n < 1 || n > e.Item.Version {
		return memory.Item{}, false
	}
	return e.Version(n)
}

// made are the changes by the version that they made.
func (e Entry) made() map[int]memory.Change {
	out := make(map[int]memory.Change, len(e.Changes))
	for _, c := range e.Changes {
		if !note(c) {
			out[c.Version] = c
		}
	}
	return out
}

// note reports whether a change only says that an item went or came back, and
// made no version.
func note(c memory.Change) bool { return gone(c) || c.Action == memory.ActionRestored }

func gone(c memory.Change) bool {
	return c.Action == memory.ActionDeleted || c.Action == memory.ActionRejected
}

// stack is what is in force of a version, the newest first.
func stack(made map[int]memory.Change, version int) (out []memory.Change) {
	for version > 0 {
		c, ok := made[version]
		switch {
		case !ok: // its note cannot be read: nobody knows what it did
			return append(out, memory.Change{Version: version})
		case c.Action == memory.ActionRelinked:
			version--
		case c.Undo != "" && c.Restores > 0:
			version = c.Restores
		case c.Undo != "": // taken out of use
			return append(out, c)
		default:
			out = append(out, c)
			version--
		}
	}
	return out
}

// same is the version that a version is equal to: itself, or what it brought
// back.
func same(made map[int]memory.Change, version int) int {
	for {
		c, ok := made[version]
		if !ok || c.Undo == "" || c.Restores == 0 {
			return version
		}
		version = c.Restores
	}
}

// UndoneIn says which of an item's changes, given oldest first, are taken back.
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

// ended reports whether a change put another item in the place of this one.
func (e Entry) ended(c memory.Change) bool {
	after, ok := e.version(c.Version)
	if !ok || after.SupersededBy == "" || after.State != memory.StateInactive || c.Undo != "" {
		return false
	}
	before, ok := e.version(c.Version - 1)
	return ok && before.SupersededBy != after.SupersededBy
}

// replaced is the item that a change of this one put an end to; "" for none.
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

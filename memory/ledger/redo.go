package ledger

import (
	"memoria/memory"
)

// Redo plans the undo of an undo, given all its changes. Items that the undo linked or
// unlinked are restored together or not at all.
func Redo(w World, changes []memory.Change) (Plan, error) {
	p := newPlanner(w)
	for _, group := range p.connected(changes) {
		p.redo(group)
	}
	return p.finish()
}

// redo restores a group of items to their state before the undo.
func (p *planner) redo(group []memory.Change) {
	var why string
	for _, c := range group {
		if why = p.obstacle(c); why != "" {
			break
		}
	}
	was := map[*node]memory.Item{}
	if why == "" {
		for _, c := range group {
			n := p.node(c.ItemID)
			was[n] = n.now
			n.now, _ = n.version(c.Version - 1)
		}
		for _, c := range group {
			if n := p.node(c.ItemID); p.rival(n.now.ID, n.now) != nil {
				why = taken
			}
		}
	}
	if why != "" {
		for n, it := range was {
			n.now = it
		}
		for _, c := range group {
			p.leave(c, why)
		}
		return
	}
	for _, c := range group {
		p.node(c.ItemID).do(memory.ActionRedone, reasonRedone, c.Version-1, c.ID)
	}
}

// obstacle says why a change of an undo cannot be undone; "" if it can.
func (p *planner) obstacle(c memory.Change) string {
	n := p.node(c.ItemID)
	if n == nil {
		return "the memory is not there any more"
	}
	_, kept := n.version(c.Version - 1)
	switch {
	case c.Action == memory.ActionRedone:
		return "it took an undo back; undo the change itself instead"
	case n.undone[c.ID]:
		return "it was taken back already"
	case p.Now.Sub(c.Time) > Keep:
		return "it is older than 30 days and final"
	case same(n.made, n.Item.Version) != same(n.made, c.Version):
		return "what it brought about was changed since"
	case !kept:
		return notKept
	}
	return ""
}

// connected groups the changes of an undo by whether their items were linked just
// before or after it.
func (p *planner) connected(changes []memory.Change) [][]memory.Change {
	root := map[string]string{}
	var find func(id string) string
	find = func(id string) string {
		if root[id] == id {
			return id
		}
		root[id] = find(root[id])
		return root[id]
	}
	for _, c := range changes {
		root[c.ItemID] = c.ItemID
	}
	join := func(a, b string) {
		if root[a] != "" && root[b] != "" {
			root[find(a)] = find(b)
		}
	}
	for _, c := range changes {
		n := p.node(c.ItemID)
		if n == nil {
			continue
		}
		for _, v := range []int{c.Version - 1, c.Version} {
			if it, ok := n.version(v); ok {
				join(it.ID, it.Supersedes)
				join(it.ID, it.SupersededBy)
			}
		}
	}
	at := map[string]int{}
	var out [][]memory.Change
	for _, c := range changes {
		r := find(c.ItemID)
		i, ok := at[r]
		if !ok {
			i = len(out)
			at[r], out = i, append(out, nil)
		}
		out[i] = append(out[i], c)
	}
	return out
}

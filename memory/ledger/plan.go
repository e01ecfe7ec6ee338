package ledger

import (
	"cmp"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/policy"
)

// Keep is the time for which a change can be undone (P9).
const Keep = 30 * 24 * time.Hour

// World gives a plan access to the items of one agent.
type World struct {
	Now time.Time
	// Entry returns an item with its history; false if it is missing or unreadable.
	Entry func(id string) (Entry, bool, error)
	// Active returns the active items in a slot.
	Active func(key string) ([]string, error)
	// Near returns the changes written together with c.
	Near func(c memory.Change) ([]memory.Change, error)
}

// Step is the planned state of one item.
type Step struct {
	// Item is the new item. Its version, update time and usage counts are the current
	// ones.
	Item memory.Item
	// Action, Undoes and Restores are those of the new change. Reason contains no words
	// of any item.
	Action   memory.Action
	Reason   string
	Undoes   []string
	Restores int
}

// Left is a change that is not undone.
type Left struct {
	Change memory.Change `json:"change"`
	// Why is a clause for display: "you changed it since".
	Why string `json:"why"`
}

// Plan lists the items to write, each once, and the changes left alone.
type Plan struct {
	Steps []Step
	Left  []Left
	// Undo is the undo that the steps belong to; empty for one of their own.
	Undo string
}

// Reasons of steps.
const (
	reasonOut      = "what brought it in was undone"
	reasonBefore   = "what changed it was undone"
	reasonBack     = "what had replaced it was undone"
	reasonRelinked = "what stood between was undone"
	reasonRedone   = "the undo was taken back"
)

// node is the planned state of an item.
type node struct {
	Entry
	made   map[int]memory.Change
	undone map[string]bool
	now    memory.Item
	top    []memory.Change // in force, newest first
	step   Step            // without its item
}

type planner struct {
	World
	nodes map[string]*node // nil: not there
	order []*node
	plan  Plan
	err   error // the first failed lookup; it voids the plan
}

func newPlanner(w World) *planner { return &planner{World: w, nodes: map[string]*node{}} }

// node returns the planned state of an item, or nil if it does not exist.
func (p *planner) node(id string) *node {
	if n, ok := p.nodes[id]; ok || id == "" || p.err != nil {
		return n
	}
	e, ok, err := p.Entry(id)
	if err != nil {
		p.err = err
	}
	if err != nil || !ok {
		p.nodes[id] = nil
		return nil
	}
	n := &node{Entry: e, made: e.made(), undone: UndoneIn(e.Changes), now: e.Item}
	n.top = stack(n.made, e.Item.Version)
	p.nodes[id] = n
	p.order = append(p.order, n)
	return n
}

// leave records a change that stays.
func (p *planner) leave(c memory.Change, why string) {
	p.plan.Left = append(p.plan.Left, Left{Change: c, Why: why})
}

// finish turns the planned states into steps.
func (p *planner) finish() (Plan, error) {
	for _, n := range p.order {
		if n.step.Action == "" {
			continue
		}
		s := n.step
		s.Item = n.now
		s.Item.Version, s.Item.UpdatedAt = n.Item.Version, n.Item.UpdatedAt
		s.Item.AccessCount, s.Item.LastAccessed = n.Item.AccessCount, n.Item.LastAccessed
		p.plan.Steps = append(p.plan.Steps, s)
	}
	return p.plan, p.err
}

// do records an action on an item. Relinking does not override another action.
func (n *node) do(a memory.Action, reason string, restores int, undoes ...string) {
	if a != memory.ActionRelinked || n.step.Action == "" {
		n.step.Action, n.step.Reason, n.step.Restores = a, reason, restores
	}
	n.step.Undoes = append(n.step.Undoes, undoes...)
	for _, id := range undoes {
		n.undone[id] = true
	}
}

// Undo plans the undo of changes, given in any order. A change that is part of an undo
// is left alone: see [Redo].
func Undo(w World, changes []memory.Change) (Plan, error) {
	p := newPlanner(w)
	for _, c := range slices.SortedFunc(slices.Values(changes), func(a, b memory.Change) int { return cmp.Compare(b.ID, a.ID) }) {
		p.undo(c)
	}
	return p.finish()
}

// With returns a change with the changes it belongs to: the item that replaced others,
// and the end of each of these.
func With(w World, c memory.Change) ([]memory.Change, error) {
	p := newPlanner(w)
	near, err := w.Near(c)
	if err != nil {
		return nil, err
	}
	// by returns the item that replaced the one of a change.
	by := func(c memory.Change) string {
		if n := p.node(c.ItemID); n != nil && n.ended(c) {
			it, _ := n.version(c.Version)
			return it.SupersededBy
		}
		return ""
	}
	head := cmp.Or(by(c), c.ItemID)
	out := []memory.Change{c}
	for _, other := range near {
		switch {
		case other.ID == c.ID:
		case by(other) == head, other.ItemID == head && head != c.ItemID && p.put(other, c.ItemID):
			out = append(out, other)
		}
	}
	return out, p.err
}

// put reports whether a change put its item in the place of another: it created the
// item, or linked the two.
func (p *planner) put(c memory.Change, other string) bool {
	n := p.node(c.ItemID)
	return n != nil && (c.Version == 1 || n.replaced(c) == other)
}

func (p *planner) undo(c memory.Change) {
	n := p.node(c.ItemID)
	switch {
	case gone(c):
		p.leave(c, "it was a deletion; that is taken back, not undone")
	case n == nil:
		p.leave(c, "the memory is not there any more")
	case slices.Contains(n.step.Undoes, c.ID): // together with another, just now
	case c.Undo != "" && !n.undone[c.ID]:
		p.leave(c, "it is an undo itself")
	case n.undone[c.ID]:
		p.leave(c, "it was undone already")
	case c.Action == memory.ActionRestored:
		p.leave(c, "it took a deletion back; delete the memory instead")
	case p.Now.Sub(c.Time) > Keep:
		p.leave(c, "it is older than 30 days and final")
	case n.ended(c):
		p.undoEnd(n, c)
	case c.Version == 1:
		p.undoCreation(n, c)
	default:
		p.undoEdit(n, c)
	}
}

// undoEnd undoes that an item was replaced, if its replacement is gone. Otherwise the
// item stays replaced.
func (p *planner) undoEnd(n *node, c memory.Change) {
	by := p.node(n.now.SupersededBy)
	switch {
	case len(n.top) == 0 || n.top[0].ID != c.ID:
		p.leave(c, since(n.top))
	case by != nil && by.now.Supersedes == n.now.ID:
		p.leave(c, "what replaced it stays")
	default:
		before, ok := n.version(c.Version - 1)
		if !ok {
			p.leave(c, notKept)
		} else if p.rival(n.now.ID, before) != nil {
			p.leave(c, taken)
		} else {
			p.bringBack(n)
		}
	}
}

// undoCreation deactivates an item if only its end follows its creation.
func (p *planner) undoCreation(n *node, c memory.Change) {
	top := n.top
	if len(top) == 2 && n.ended(top[0]) {
		top = top[1:]
	}
	if len(top) != 1 || top[0].ID != c.ID {
		p.leave(c, since(n.top))
		return
	}
	before, after := p.node(n.now.Supersedes), p.node(n.now.SupersededBy)
	end := n.now.SupersededBy
	n.do(memory.ActionUndone, reasonOut, 0, c.ID)
	if len(n.top) == 2 { // its end is undone too
		n.do(memory.ActionRelinked, "", 0, n.top[0].ID)
	}
	n.top = []memory.Change{{ItemID: n.now.ID, Action: memory.ActionUndone, Undo: "now"}}
	n.now.State = memory.StateInactive
	n.now.Supersedes, n.now.SupersededBy = "", ""
	p.join(n.now.ID, before, after, end)
}

// join closes the gap that an item leaves between the item it replaced and its own
// replacement, whose id is end.
func (p *planner) join(gone string, before, after *node, end string) {
	if before != nil && before.now.SupersededBy != gone {
		before = nil // it has changed since
	}
	if end == "" {
		if before != nil {
			p.bringBack(before)
		}
		return
	}
	if before != nil {
		before.now.SupersededBy = end
		var its []string
		if len(before.top) > 0 && before.ended(before.top[0]) && !before.undone[before.top[0].ID] {
			its = []string{before.top[0].ID}
		}
		before.do(memory.ActionRelinked, reasonRelinked, 0, its...)
	}
	if after != nil && after.now.Supersedes == gone {
		after.now.Supersedes = ""
		if before != nil {
			after.now.Supersedes = before.now.ID
		}
		after.do(memory.ActionRelinked, reasonRelinked, 0)
	}
}

// bringBack restores an item to its state before it was replaced. If its slot is filled
// now, it stays replaced, by the item in the slot.
func (p *planner) bringBack(n *node) {
	release := func(by string) {
		n.now.SupersededBy = by
		n.do(memory.ActionRelinked, reasonRelinked, 0)
	}
	if len(n.top) == 0 || !n.ended(n.top[0]) {
		release("") // changed since: it stays as it is
		return
	}
	end := n.top[0]
	it, ok := n.version(end.Version - 1)
	if !ok {
		p.leave(end, notKept)
		release("")
		return
	}
	if r := p.rival(n.now.ID, it); r != nil {
		release(r.now.ID)
		if r.now.Supersedes == "" {
			r.now.Supersedes = n.now.ID
			r.do(memory.ActionRelinked, reasonRelinked, 0)
		}
		return
	}
	it.Supersedes = n.now.Supersedes
	n.now, n.top = it, n.top[1:]
	n.do(memory.ActionUndone, reasonBack, end.Version-1, end.ID)
}

// undoEdit restores the version before a change of any other kind.
func (p *planner) undoEdit(n *node, c memory.Change) {
	if len(n.top) == 0 || n.top[0].ID != c.ID {
		p.leave(c, since(n.top))
		return
	}
	before, ok := n.version(c.Version - 1)
	after, kept := n.version(c.Version)
	if !ok || !kept {
		p.leave(c, notKept)
		return
	}
	if p.rival(n.now.ID, before) != nil {
		p.leave(c, taken)
		return
	}
	var freed *node
	if n.replaced(c) != "" {
		freed = p.node(n.now.Supersedes)
	}
	if before.Supersedes == after.Supersedes {
		before.Supersedes = n.now.Supersedes
	}
	if before.SupersededBy == after.SupersededBy {
		before.SupersededBy = n.now.SupersededBy
	}
	n.now, n.top = before, n.top[1:]
	n.do(memory.ActionUndone, reasonBefore, c.Version-1, c.ID)
	if freed != nil && freed.now.SupersededBy == n.now.ID {
		p.bringBack(freed)
	}
}

// rival returns another active item in the slot of item it, or nil.
func (p *planner) rival(id string, it memory.Item) *node {
	if it.State != memory.StateActive || it.Key == "" {
		return nil
	}
	ids, err := p.Active(it.Key)
	if err != nil && p.err == nil {
		p.err = err
	}
	for _, other := range ids {
		p.node(other) // changed ones are checked below
	}
	for _, n := range p.order {
		if n.now.ID != id && n.now.State == memory.StateActive && policy.SameSlot(n.now.Key, it.Key) {
			return n
		}
	}
	return nil
}

const (
	notKept = "the version before it is not kept any more"
	taken   = "another memory fills its place by now"
)

// since says what happened to an item after the change to be undone.
func since(top []memory.Change) string {
	if len(top) == 0 {
		return "what happened to it since cannot be read"
	}
	switch c := top[0]; {
	case c.Undo != "":
		return "it is out of use already"
	case c.Action == memory.ActionAccepted:
		return "you accepted it since"
	case c.Origin == memory.OriginUser && c.Action != memory.ActionSuperseded:
		return "you changed it since"
	case c.Action == memory.ActionSuperseded:
		return "it was replaced since"
	case c.Action == memory.ActionEnded:
		return "it ended since"
	case c.Action == memory.ActionConfirmed:
		return "it was said again since"
	case c.Action == memory.ActionDecayed, c.Action == memory.ActionExpired, c.Action == memory.ActionEvicted:
		return "it was partly forgotten since"
	}
	return "it was changed since"
}

package foreign

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memoria/memory"
)

var errCycle = errors.New("its messages follow each other in a cycle")

// node is a message of an export in its tree. A node without a message is not shown: its
// children follow its parent.
type node struct {
	id, parent string
	children   []string // for nodes that do not say what their parent is
	orphan     bool     // it does not say
	message    *Message
	reasoning  string // for the next answer
	at         time.Time
}

// walked is what a node passes on to its children.
type walked struct {
	message   string // the nearest message shown, which may be the node itself
	at, order time.Time
	reasoning []string
}

// plant completes a conversation with the messages of nodes, which are in the order of the
// file. The branch shown ends at current, or else at the newest message. Times begin with
// start.
func (c *Conversation) plant(nodes []*node, current string, start time.Time) error {
	children, err := link(nodes)
	if err != nil {
		return err
	}
	passed := map[string]walked{"": {at: start}}
	stack := slices.Clone(children[""])
	slices.Reverse(stack)
	seen := 0
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		seen++
		passed[n.id] = c.add(n, passed[n.parent])
		for _, child := range slices.Backward(children[n.id]) {
			stack = append(stack, child)
		}
	}
	switch {
	case seen < len(nodes):
		return errCycle
	case len(c.Messages) == 0:
		return ErrEmpty
	}
	if c.Current = passed[current].message; current == "" || c.Current == "" {
		c.Current = c.newest(nodes)
	}
	c.Began = cmp.Or(c.Created, c.Messages[0].Order)
	c.complete(nodes)
	return nil
}

// add appends the message of a node.
func (c *Conversation) add(n *node, w walked) walked {
	if n.reasoning != "" {
		w.reasoning = append(slices.Clip(w.reasoning), n.reasoning)
	}
	m := n.message
	if m == nil {
		return w
	}
	m.ID, m.Parent = n.id, w.message
	if m.Time = n.at; m.Time.IsZero() {
		m.Time = w.at
	}
	if m.Order = m.Time; m.Order.Before(w.order.Add(time.Millisecond)) {
		m.Order = w.order.Add(time.Millisecond)
	}
	if m.Role == memory.RoleAssistant {
		m.Reasoning, w.reasoning = strings.Join(w.reasoning, "\n\n"), nil
	}
	c.Messages = append(c.Messages, *m)
	w.message, w.at, w.order = n.id, m.Time, m.Order
	return w
}

// newest returns the end of the branch with the newest time; of two, the later in the file.
func (c *Conversation) newest(nodes []*node) string {
	parents := map[string]bool{}
	times := map[string]time.Time{}
	for _, m := range c.Messages {
		parents[m.Parent] = true
		times[m.ID] = m.Time
	}
	best := ""
	for _, n := range nodes {
		if at, shown := times[n.id]; shown && !parents[n.id] && (best == "" || !at.Before(times[best])) {
			best = n.id
		}
	}
	return best
}

// complete fills in what follows from the branch shown.
func (c *Conversation) complete(nodes []*node) {
	known := map[string]bool{}
	for _, n := range nodes {
		known[n.id] = !n.at.IsZero()
	}
	var first, last time.Time
	model := ""
	for _, m := range c.Branch() {
		model = cmp.Or(m.Model, model)
		if known[m.ID] {
			first = cmp.Or(first, m.Time)
			last = m.Time
		}
	}
	c.Model = cmp.Or(model, c.Model)
	c.Created, c.Updated = cmp.Or(c.Created, first), cmp.Or(c.Updated, last)
}

// link returns the children of each node; the roots are those of "". Nodes whose parent
// does not exist are roots.
func link(nodes []*node) (map[string][]*node, error) {
	byID := map[string]*node{}
	for _, n := range nodes {
		if byID[n.id] != nil {
			return nil, fmt.Errorf("it has a message twice (%q)", n.id)
		}
		byID[n.id] = n
	}
	for _, n := range nodes {
		for _, id := range n.children {
			if child := byID[id]; child != nil && child.orphan && child.parent == "" {
				child.parent = n.id
			}
		}
	}
	children := map[string][]*node{}
	for _, n := range nodes {
		if byID[n.parent] == nil {
			n.parent = ""
		}
		children[n.parent] = append(children[n.parent], n)
	}
	for _, siblings := range children {
		slices.SortStableFunc(siblings, func(a, b *node) int { return a.at.Compare(b.at) })
	}
	return children, nil
}

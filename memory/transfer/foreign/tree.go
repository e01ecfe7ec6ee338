package foreign

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

var (
	errEmpty = errors.New("it has no messages")
	errCycle = errors.New("its messages follow each other in a circle")
)

// node is a message of an export in its tree. A node without a message is not shown: its
// children follow its parent.
type node struct {
	id, parent string
	children   []string // gives the order of siblings; may be incomplete
	message    *Message
	reasoning  string // of a node that is not shown, for the next answer
	at         time.Time
}

// tree orders nodes: parents first, siblings in the order of their parent's children,
// then by time. Nodes whose parent does not exist are roots.
type tree struct {
	nodes    map[string]*node
	children map[string][]*node
}

// walked is what a node passes on to its children.
type walked struct {
	message   string // the nearest message shown, which may be the node itself
	at, order time.Time
	reasoning string
}

// plant completes a conversation with the messages of nodes, in which current is the
// branch shown. Times begin with start.
func (c *Conversation) plant(nodes []*node, current string, start time.Time) error {
	t := tree{map[string]*node{}, map[string][]*node{}}
	for _, n := range nodes {
		if t.nodes[n.id] != nil {
			return fmt.Errorf("two of its messages have the id %q", n.id)
		}
		t.nodes[n.id] = n
	}
	t.link(nodes)

	passed := map[string]walked{"": {at: start}}
	stack := slices.Clone(t.children[""])
	slices.Reverse(stack)
	seen := 0
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		seen++
		w := passed[n.parent]
		if m := n.message; m != nil {
			m.ID, m.Parent = n.id, w.message
			if m.Time = n.at; m.Time.IsZero() {
				m.Time = w.at
			}
			if m.Order = m.Time; m.Order.Before(w.order.Add(time.Millisecond)) {
				m.Order = w.order.Add(time.Millisecond)
			}
			if m.Role == "assistant" && m.Reasoning == "" {
				m.Reasoning = w.reasoning
			}
			w = walked{message: n.id, at: m.Time, order: m.Order}
			c.Messages = append(c.Messages, *m)
		} else {
			w.reasoning = cmp.Or(n.reasoning, w.reasoning)
		}
		passed[n.id] = w
		for _, child := range slices.Backward(t.children[n.id]) {
			stack = append(stack, child)
		}
	}
	switch {
	case seen < len(nodes):
		return errCycle
	case len(c.Messages) == 0:
		return errEmpty
	}
	c.Current = passed[current].message
	if c.Current == "" {
		c.Current = slices.MaxFunc(c.Messages, func(a, b Message) int { return a.Time.Compare(b.Time) }).ID
	}
	return nil
}

// link finds the children of each node. A node without a parent that another one lists
// as its child belongs to that one.
func (t tree) link(nodes []*node) {
	place := map[string]int{}
	for _, n := range nodes {
		for i, id := range n.children {
			if child := t.nodes[id]; child != nil {
				if child.parent == "" && child != n {
					child.parent = n.id
				}
				if child.parent == n.id {
					place[id] = i
				}
			}
		}
	}
	for _, n := range nodes {
		if t.nodes[n.parent] == nil {
			n.parent = ""
		}
		t.children[n.parent] = append(t.children[n.parent], n)
	}
	for _, siblings := range t.children {
		slices.SortStableFunc(siblings, func(a, b *node) int {
			return cmp.Or(cmp.Compare(place[a.id], place[b.id]), a.at.Compare(b.at), cmp.Compare(a.id, b.id))
		})
	}
}

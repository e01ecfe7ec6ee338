package lookup

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// listing calls fn with the current list of an agent, which it must not keep.
func (r *Reader) listing(ctx context.Context, agentID string, fn func(*store.Tx, *itemList) error) error {
	r.lists.mu.Lock()
	defer r.lists.mu.Unlock()
	return r.read(ctx, agentID, "listing items", func(tx *store.Tx) error {
		l, err := r.lists.of(ctx, tx, agentID)
		if err != nil {
			return err
		}
		return fn(tx, l)
	})
}

// itemLists are the lists of the agents that were listed. They are derived from the heads
// and follow the change feed. The mutex also orders the transactions that use them.
type itemLists struct {
	mu      sync.Mutex
	byAgent map[string]*itemList
}

// itemList has what an agent's lists need of every item.
type itemList struct {
	items  []listed // by id, so oldest first
	mark   uint64   // the last entry of the feed that it contains
	uneven int      // the count of items less those in the list: the unreadable ones
}

// listed is an item of a list. State and type are numbers, because a page looks at all items
// before it, and a total at all of them.
type listed struct {
	id    string
	state standing
	kind  int8 // position in memory.Types, or -1
	// validity bounds the validity of an active item; nil if it is open.
	validity *[2]time.Time
}

// standing is what a list needs of an item's state.
type standing int8

const (
	hidden standing = iota // held or muted
	active
	inactive
)

func standingOf(s memory.State) standing {
	switch s {
	case memory.StateActive:
		return active
	case memory.StateInactive:
		return inactive
	}
	return hidden
}

func kindOf(t memory.Type) int8 { return int8(slices.Index(memory.Types(), t)) }

func listedOf(h memory.Head) listed {
	e := listed{id: h.ID, state: standingOf(h.State), kind: kindOf(h.Type)}
	if e.state == active && (!h.ValidFrom.IsZero() || !h.ValidTo.IsZero()) {
		e.validity = &[2]time.Time{h.ValidFrom, h.ValidTo}
	}
	return e
}

// served reports whether other programs may see the item at a time, as [Served] does.
func (e *listed) served(now time.Time) bool {
	switch {
	case e.state == hidden:
		return false
	case e.validity == nil:
		return true
	}
	return memory.Head{State: memory.StateActive, ValidFrom: e.validity[0], ValidTo: e.validity[1]}.Recallable(now)
}

// maxFollowed is the number of changes above which reading all heads is faster than reading
// the changed items.
const maxFollowed = 2000

// of returns the list of an agent as of a transaction.
func (ls *itemLists) of(ctx context.Context, tx *store.Tx, agent string) (*itemList, error) {
	_, last, err := tx.KV().FeedBounds()
	if err != nil {
		return nil, err
	}
	n, err := tx.Count(agent, counter.Items)
	if err != nil && !Lacking(err) {
		return nil, err
	}
	if l := ls.byAgent[agent]; l != nil {
		followed, err := l.follow(tx, agent, last)
		// A change that the feed does not tell, such as the end of an agent, shows in the count.
		if followed && n-len(l.items) == l.uneven {
			return l, nil
		}
		if err != nil {
			return nil, err
		}
	}
	l := &itemList{mark: last}
	for head, err := range tx.Heads(agent) {
		if err != nil {
			return nil, err
		}
		if len(l.items)%1000 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		l.items = append(l.items, listedOf(head))
	}
	l.uneven = n - len(l.items)
	if ls.byAgent == nil {
		ls.byAgent = map[string]*itemList{}
	}
	ls.byAgent[agent] = l
	return l, nil
}

// follow applies the changes up to an entry of the feed. It reports false if the list has to
// be read again.
func (l *itemList) follow(tx *store.Tx, agent string, last uint64) (bool, error) {
	switch {
	case last == l.mark:
		return true, nil
	case last < l.mark || last-l.mark > maxFollowed:
		return false, nil
	}
	changed := map[string]bool{}
	for c, err := range tx.KV().Changes(l.mark) {
		switch {
		case errors.Is(err, kv.ErrTrimmed), store.Unreadable(err):
			return false, nil
		case err != nil:
			return false, err
		case c.Agent == agent && c.Kind == store.KindItem:
			changed[c.ID] = true
		}
	}
	for id := range changed {
		it, err := tx.Item(agent, id)
		switch {
		case err == nil:
			l.put(listedOf(it.Head()))
		case errors.Is(err, ErrNotFound):
			l.drop(id)
		case store.Unreadable(err):
			return false, nil
		default:
			return false, err
		}
	}
	l.mark = last
	return true, nil
}

func (l *itemList) at(id string) (int, bool) {
	return slices.BinarySearchFunc(l.items, id, func(e listed, id string) int { return strings.Compare(e.id, id) })
}

func (l *itemList) put(e listed) {
	i, there := l.at(e.id)
	if !there {
		l.items = slices.Insert(l.items, i, e)
	}
	l.items[i] = e
}

func (l *itemList) drop(id string) {
	if i, there := l.at(id); there {
		l.items = slices.Delete(l.items, i, i+1)
	}
}

package indexer

import (
	"slices"
	"strings"

	"memoria/memory/store"
)

const (
	markPrefix = "index/"
	// maxBehind is how many entries of the feed are kept for an index that
	// nobody opens. Reading so many costs about as much as building an index of
	// as many records, so keeping more would gain nothing.
	maxBehind = 20_000
)

// register makes sure that the feed is kept for the index from now on, also
// when the program does not come to an end in good order.
func (f *Follower) register() {
	if f.registered {
		return
	}
	f.registered = true
	var marks map[string]uint64
	err := f.store.View(func(tx *store.Tx) (err error) {
		marks, err = tx.KV().Marks()
		return err
	})
	if _, there := marks[f.name]; err == nil && !there {
		f.mark()
	}
}

// mark notes in the feed how far the index is.
func (f *Follower) mark() {
	err := f.store.Update(func(tx *store.Tx) error {
		have, err := tx.KV().Follow(f.name)
		if err != nil || have == f.written {
			return err
		}
		return tx.KV().SetMark(f.name, f.written)
	})
	if err != nil {
		f.log.Warn("index position was not kept", "error", err)
	}
}

// Trim removes the entries of the change feed that every index has seen. An
// index that is far behind because its agent is not used any more does not hold
// it up: it loses its place and is rebuilt when it is opened again. others begin the names of
// followers that can do so, too. Call it when no follower is open.
func Trim(st *store.Store, others ...string) error {
	for removed := 1; removed > 0; {
		err := st.Update(func(tx *store.Tx) error {
			_, last, err := tx.KV().FeedBounds()
			if err != nil {
				return err
			}
			marks, err := tx.KV().Marks()
			if err != nil {
				return err
			}
			for name, at := range marks {
				derived := slices.ContainsFunc(append(others, markPrefix), func(prefix string) bool { return strings.HasPrefix(name, prefix) })
				if derived && at+maxBehind < last {
					if err := tx.KV().Unfollow(name); err != nil {
						return err
					}
				}
			}
			removed, err = tx.KV().TrimFeed()
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Forget takes the places of an agent's indexes, and of others with the given names, out of
// the change feed. No follower of the agent may be open; the next one makes its index anew.
func Forget(tx *store.Tx, agent string, others ...string) error {
	marks, err := tx.KV().Marks()
	if err != nil {
		return err
	}
	for name := range marks {
		if strings.HasPrefix(name, markPrefix+agent+"/") || slices.Contains(others, name) {
			if err := tx.KV().Unfollow(name); err != nil {
				return err
			}
		}
	}
	return nil
}

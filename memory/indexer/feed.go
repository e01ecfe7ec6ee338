package indexer

import (
	"slices"
	"strings"

	"memoria/memory/store"
)

const (
	markPrefix = "index/"
	// maxBehind is the number of feed entries kept for an index that is not opened.
	// Reading that many costs about as much as building an index of as many records, so
	// keeping more would gain nothing.
	maxBehind = 20_000
)

// register makes sure that the feed is kept for the index from now on, even if the
// program crashes.
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

// mark stores the index's position in the feed.
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

// Trim removes the change feed entries that every index has seen. An unused index that is far
// behind does not block it: it loses its mark and is rebuilt when opened again. others are
// name prefixes of further followers that can be rebuilt. Call it when no follower is open.
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
				derived := slices.ContainsFunc(append(others, markPrefix), func(prefix string) bool {
					return strings.HasPrefix(name, prefix)
				})
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

// Forget removes the marks of an agent's indexes, and those with the other names, from the
// change feed. No follower of the agent may be open; the next one rebuilds its index.
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

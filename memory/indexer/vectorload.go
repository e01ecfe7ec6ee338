package indexer

import (
	"context"
	"errors"
	"slices"

	"memoria/index/vector"
	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/codec"
	"memoria/memory/store/counter"
)

// load reads the vectors from the store. It then checks every item, unless the feed
// continues from the stored mark. Vectors of another model, and with rebuildAll all of
// them, are unusable, but stay until this model has proved that it can make others.
func (v *Vectors) load(ctx context.Context, again rebuild) error {
	var set codec.VectorSet
	err := v.store.View(func(tx *store.Tx) (err error) {
		set, err = tx.VectorSet(v.agent)
		return err
	})
	if err != nil {
		return err
	}
	if set.Model != v.about.Key || again == rebuildAll {
		set = codec.VectorSet{}
	}
	v.scaled = false
	v.waiting, v.queued, v.single = nil, map[string]bool{}, 0
	var ix *vector.Index
	scale := scaleOf(set)
	if scale != nil && set.Dimension > 0 {
		v.scaled, ix = true, vector.New(set.Dimension)
	}
	whole, mark := true, uint64(0)
	v.there = false
	err = v.store.View(func(tx *store.Tx) error {
		if ix == nil {
			return nil
		}
		n, err := tx.Count(v.agent, counter.Vectors)
		if err != nil {
			return err
		}
		for x, err := range tx.Vectors(v.agent) {
			if err != nil {
				return err
			}
			if ix.Put(x.ItemID, x.Values) == nil {
				n--
			}
		}
		whole = n == 0
		marks, err := tx.KV().Marks()
		if err != nil {
			return err
		}
		mark, v.there = marks[v.name]
		oldest, last, err := tx.KV().FeedBounds()
		whole = whole && v.there && mark <= last && mark+1 >= oldest
		return err
	})
	if err != nil {
		return err
	}
	v.seen, v.marked = mark, mark
	v.mu.Lock()
	v.ix, v.scale = ix, scale
	v.recent, v.recents = map[string][]float32{}, nil
	v.status.Refused = 0
	v.mu.Unlock()
	if !whole || ix == nil || again != rebuildNone {
		if err := v.lookAtAll(ctx, again != rebuildNone); err != nil {
			return err
		}
	}
	v.loaded = true
	return nil
}

// clear deletes all vectors and their description.
func (v *Vectors) clear(ctx context.Context) error {
	err := v.store.Update(func(tx *store.Tx) error {
		return errors.Join(tx.KV().Unfollow(v.name), tx.PutVectorSet(v.agent, codec.VectorSet{}))
	})
	for n := 1; n > 0 && err == nil; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		err = v.store.Update(func(tx *store.Tx) (err error) {
			n, err = tx.DropVectors(v.agent, pageSize)
			return err
		})
	}
	return err
}

// lookAtAll compares every item with its vector. With retry it also requests the
// refused ones again.
func (v *Vectors) lookAtAll(ctx context.Context, retry bool) error {
	var seen uint64
	if err := v.store.View(func(tx *store.Tx) (err error) {
		_, seen, err = tx.KV().FeedBounds()
		return err
	}); err != nil {
		return err
	}
	there := map[string]bool{}
	for after, n := "", -1; n != 0; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var page []memory.Item
		var due []embedding
		err := v.store.View(func(tx *store.Tx) (err error) {
			if page, err = tx.ItemsAfter(v.agent, after, readAtOnce); err != nil {
				return err
			}
			for _, it := range page {
				there[it.ID] = true
				e := v.of(it)
				if ok, err := v.current(tx, e, retry); err != nil {
					return err
				} else if !ok {
					due = append(due, e)
				}
			}
			return nil
		})
		if err == nil {
			err = v.queue(due)
		}
		if err != nil {
			return err
		}
		if n = len(page); n > 0 {
			after = page[n-1].ID
		}
	}
	v.seen = seen
	return v.dropOthers(there)
}

// current reports whether an item's vector is current, or is rightly missing. An
// unreadable vector, which is not in the index, counts as missing.
func (v *Vectors) current(tx *store.Tx, e embedding, retry bool) (bool, error) {
	id, err := tx.VectorID(v.agent, e.id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return e.text == "", nil
	case store.Unreadable(err):
		return false, nil
	case err != nil:
		return false, err
	case e.text == "" || id.Hash != e.hash || id.Model != v.about.Key:
		return false, nil
	case id.Number == 0:
		if !retry {
			v.tell(func(st *VectorStatus) { st.Refused++ })
		}
		return !retry, nil
	}
	ix := v.index()
	return ix != nil && ix.Has(e.id), nil
}

// dropOthers deletes the vectors of missing items.
func (v *Vectors) dropOthers(there map[string]bool) error {
	var gone []embedding
	err := v.store.View(func(tx *store.Tx) error {
		for id, err := range tx.VectorIDs(v.agent) {
			if err != nil {
				return err
			}
			if !there[id] {
				gone = append(gone, embedding{id: id})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for part := range slices.Chunk(gone, pageSize) {
		if err := v.queue(part); err != nil {
			return err
		}
	}
	return nil
}

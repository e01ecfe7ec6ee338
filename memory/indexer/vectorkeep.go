package indexer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"memoria/index/vector"
	"memoria/memory/store"
	"memoria/memory/store/codec"
)

// take processes the result of a request.
func (v *Vectors) take(ctx context.Context, b vectorBatch) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(b.err, ErrHeld):
		return nil
	case b.err != nil && b.items == nil, errors.Is(b.err, ErrUnavailable):
		return b.err
	case b.err != nil && len(b.items) > 1: // one of them may be at fault
		v.single = len(b.items)
		return nil
	case errors.Is(b.err, ErrRefused):
		return v.refused(b.items[0])
	case b.err != nil:
		return b.err
	case b.scale != nil:
		return v.keepScale(ctx, b)
	}
	return v.keep(b)
}

// keepScale stores the measured scale. From now on vectors can be made, and those of
// other models are deleted.
func (v *Vectors) keepScale(ctx context.Context, b vectorBatch) error {
	said, err := json.Marshal(b.scale)
	if err != nil {
		return err
	}
	if err := v.clear(ctx); err != nil {
		return err
	}
	err = v.store.Update(func(tx *store.Tx) error {
		return tx.PutVectorSet(v.agent, codec.VectorSet{
			Model: v.about.Key, Name: v.about.Name, Dimension: len(b.got[0]), Scale: said, Since: tx.Now(),
		})
	})
	if err != nil {
		return err
	}
	v.scaled, v.there, v.pause = true, false, firstPause
	v.mu.Lock()
	v.scale, v.ix = b.scale, vector.New(len(b.got[0]))
	v.progressed()
	v.mu.Unlock()
	return nil
}

// keep stores the vectors of items whose text is unchanged, and with the last waiting
// one also the position in the feed.
func (v *Vectors) keep(b vectorBatch) error {
	ix := v.index()
	if len(b.got) != len(b.items) {
		return fmt.Errorf("%w: %d vectors came where %d were asked for", ErrUnavailable, len(b.got), len(b.items))
	}
	for _, values := range b.got {
		if len(values) != ix.Dimension() {
			return fmt.Errorf("%w: %w; if the model has changed, memoria index rebuild --vectors asks for all again",
				ErrUnavailable, &vector.DimensionError{Got: len(values), Want: ix.Dimension()})
		}
	}
	at := v.seen
	var put []int
	var done []string
	err := v.store.Update(func(tx *store.Tx) error {
		put, done = put[:0], done[:0]
		for i, it := range b.items {
			now, err := v.read(tx, it.id)
			switch {
			case err != nil:
				return err
			case now.text != "" && now.hash != it.hash:
				continue // changed meanwhile; it keeps waiting
			case now.text != "":
				if err := tx.PutVector(v.agent, it.id, codec.VectorID{Hash: it.hash, Model: v.about.Key}, b.got[i]); err != nil {
					return err
				}
				put = append(put, i)
			}
			done = append(done, it.id)
		}
		if len(done) == len(v.queued) {
			return tx.KV().SetMark(v.name, at)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, i := range put {
		if err := ix.Put(b.items[i].id, b.got[i]); err != nil {
			return err
		}
	}
	if len(done) == len(v.queued) {
		v.marked, v.there = at, true
	}
	for _, id := range done {
		v.leave(id)
	}
	v.pause = firstPause
	v.mu.Lock()
	v.tired = false
	v.mu.Unlock()
	return nil
}

// refused records that a text has no vector, so that it does not block the others.
func (v *Vectors) refused(it embedding) error {
	changed := false
	err := v.store.Update(func(tx *store.Tx) error {
		now, err := v.read(tx, it.id)
		if changed = now.text == "" || now.hash != it.hash; err != nil || changed {
			return err
		}
		return tx.RefuseVector(v.agent, it.id, codec.VectorID{Hash: it.hash, Model: v.about.Key})
	})
	if err != nil || changed {
		return err
	}
	v.log.Warn("an item is left without a vector", "item", it.id)
	v.tell(func(st *VectorStatus) { st.Refused++ })
	v.leave(it.id)
	return nil
}

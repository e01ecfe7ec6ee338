package indexer

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strings"

	"memoria/index/vector"
	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
)

// embedding is an item on its way to a vector. Its text is empty when it is to have
// none.
type embedding struct {
	id, text string
	hash     uint64
}

// embedded is what a vector of an item is made of: what it says, without its tags,
// which are words for finding.
func embedded(it memory.Item) string {
	said := it.Content
	if it.Title != "" && !strings.Contains(it.Content, it.Title) {
		said = it.Title + ": " + said
	}
	n := 0
	for at := range said {
		if n == maxEmbedded {
			return said[:at]
		}
		n++
	}
	return said
}

func hashOf(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return h.Sum64()
}

// read returns what of an item is to be embedded now.
func (v *Vectors) read(tx *store.Tx, id string) (embedding, error) {
	it, err := tx.Item(v.agent, id)
	switch {
	case errors.Is(err, store.ErrNotFound), store.Unreadable(err):
		return embedding{id: id}, nil
	case err != nil:
		return embedding{}, err
	}
	return v.of(it), nil
}

func (v *Vectors) of(it memory.Item) embedding {
	if !v.should(it) {
		return embedding{id: it.ID}
	}
	said := embedded(it)
	return embedding{id: it.ID, text: said, hash: hashOf(said)}
}

// load reads the vectors from the store. Then every item is looked at, unless the feed
// leads on from where it was left. Vectors of another model, and with rebuildAll all of
// them, are of no use, but stay until this model has shown that it can make others.
func (v *Vectors) load(ctx context.Context, again rebuild) error {
	var set store.VectorSet
	err := v.store.View(func(tx *store.Tx) (err error) {
		set, err = tx.VectorSet(v.agent)
		return err
	})
	if err != nil {
		return err
	}
	if set.Model != v.about.Key || again == rebuildAll {
		set = store.VectorSet{}
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
		n, err := tx.Count(v.agent, "vectors")
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

// clear destroys all vectors there are, and what is known of them.
func (v *Vectors) clear(ctx context.Context) error {
	err := v.store.Update(func(tx *store.Tx) error {
		return errors.Join(tx.KV().Unfollow(v.name), tx.PutVectorSet(v.agent, store.VectorSet{}))
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

// lookAtAll holds every item against its vector. retry also asks again for what the
// model refused.
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

// current reports whether an item has the vector that it should have, or has none
// and should have none. A vector that cannot be read, and so is not in the index, is
// none.
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

// dropOthers destroys the vectors of items that are not there.
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

// follow reads the feed to its end.
func (v *Vectors) follow(ctx context.Context) error {
	for more := true; more; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var due []embedding
		to := v.seen
		err := v.store.View(func(tx *store.Tx) error {
			_, last, err := tx.KV().FeedBounds()
			if err != nil {
				return err
			}
			if v.seen > last {
				return kv.ErrTrimmed
			}
			met := map[string]bool{}
			for c, err := range tx.KV().Changes(v.seen) {
				if err != nil {
					return err
				}
				to = c.Seq
				if c.Agent == v.agent && c.Kind == store.KindItem && !met[c.ID] {
					met[c.ID] = true
					e, err := v.read(tx, c.ID)
					if err != nil {
						return err
					}
					if ok, err := v.current(tx, e, false); err != nil {
						return err
					} else if !ok || e.text == "" {
						due = append(due, e)
					}
				}
				if to-v.seen >= pageSize {
					break
				}
			}
			more = to < last
			return nil
		})
		if errors.Is(err, kv.ErrTrimmed) || unreadable(err) || errors.Is(err, kv.ErrDamaged) {
			if err = v.lookAtAll(ctx, false); err == nil {
				return nil
			}
		}
		if err == nil {
			err = v.queue(due)
		}
		if err != nil {
			return err
		}
		v.seen = to
	}
	return nil
}

// queue lets items wait for a vector. The one that an item has goes at once, because
// it is of words that do not hold any more.
func (v *Vectors) queue(due []embedding) error {
	if len(due) == 0 {
		return nil
	}
	stale := false
	err := v.store.View(func(tx *store.Tx) error {
		for _, e := range due {
			if _, err := tx.VectorID(v.agent, e.id); !errors.Is(err, store.ErrNotFound) {
				stale = true
			}
		}
		return nil
	})
	if err == nil && stale && v.scaled { // those of another model may be of use again
		err = v.store.Update(func(tx *store.Tx) error {
			for _, e := range due {
				if err := tx.DropVector(v.agent, e.id); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		return err
	}
	ix := v.index()
	for _, e := range due {
		if ix != nil {
			ix.Delete(e.id)
		}
		switch {
		case e.text == "":
			v.leave(e.id)
		case !v.queued[e.id]:
			v.queued[e.id] = true
			v.waiting = append(v.waiting, e.id)
		}
	}
	return nil
}

// leave takes an item out of those that wait.
func (v *Vectors) leave(id string) { delete(v.queued, id) }

// next returns the first n items that wait, and forgets those before them that wait
// no more.
func (v *Vectors) next(n int) (out []string) {
	for len(v.waiting) > 0 && !v.queued[v.waiting[0]] {
		v.waiting = v.waiting[1:]
	}
	for _, id := range v.waiting {
		if v.queued[id] && !slices.Contains(out, id) {
			if out = append(out, id); len(out) == n {
				break
			}
		}
	}
	return out
}

// texts reads what the first n that wait say now.
func (v *Vectors) texts(n int) (out []embedding, err error) {
	var gone []string
	err = v.store.View(func(tx *store.Tx) error {
		for _, id := range v.next(n) {
			e, err := v.read(tx, id)
			if err != nil {
				return err
			}
			if e.text == "" {
				gone = append(gone, id)
			} else {
				out = append(out, e)
			}
		}
		return nil
	})
	for _, id := range gone {
		v.leave(id)
	}
	return out, err
}

// passed reports whether the feed was looked at up to seq.
func (v *Vectors) passed(seq uint64) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.status.passed >= seq
}

// count brings the status up to date.
func (v *Vectors) count() {
	ix := v.index()
	seen, waiting := v.seen, len(v.queued)
	v.tell(func(st *VectorStatus) {
		st.passed, st.Behind = seen, uint64(waiting)
		st.Count = 0
		if ix != nil {
			st.Count = ix.Stats().Live
		}
		st.Done, st.Total = 0, 0
		switch {
		case v.resting:
		case waiting == 0:
			st.State = StateReady
		case !v.scaled:
			st.State, st.Reason, st.Total = StateBuilding, "the model is being measured", waiting
		case st.State != StateReady || waiting > max(1, v.about.Batch):
			st.State, st.Done, st.Total = StateBuilding, st.Count, st.Count+waiting
		}
		if st.State == StateReady {
			st.Reason = ""
		}
	})
}

// note writes down how far the feed was followed, when nothing waits and that lies
// so many entries behind.
func (v *Vectors) note(lag uint64) error {
	if !v.loaded || !v.scaled || len(v.queued) > 0 || v.there && v.seen < v.marked+lag {
		return nil
	}
	at := v.seen
	err := v.store.Update(func(tx *store.Tx) error { return tx.KV().SetMark(v.name, at) })
	if err == nil {
		v.marked, v.there = at, true
	}
	return err
}

// finish ends the request under way and writes the position down.
func (v *Vectors) finish() {
	if v.results != nil {
		<-v.results
	}
	if v.seen > v.marked {
		if err := v.note(0); err != nil {
			v.log.Warn("the position of vectors was not kept", "error", err)
		}
	}
	v.tell(func(st *VectorStatus) { *st = VectorStatus{Status: Status{State: StateClosed}, Model: st.Model} })
}

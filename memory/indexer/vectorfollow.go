package indexer

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strings"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
)

// embedding is an item waiting for a vector. Its text is empty if it is to have none.
type embedding struct {
	id, text string
	hash     uint64
}

// embedded returns the source text of an item's vector: its content without tags, which
// are only search words.
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

// read returns the current text of an item to embed.
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

// queue lets items wait for a vector. Their existing vectors are stale and are deleted
// at once.
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
	if err == nil && stale && v.scaled { // those of another model may be usable again
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

// leave removes an item from the queue.
func (v *Vectors) leave(id string) { delete(v.queued, id) }

// next returns the first n waiting items, and drops finished ones before them.
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

// texts reads the current texts of the first n waiting items.
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

// passed reports whether the feed was read up to seq.
func (v *Vectors) passed(seq uint64) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.status.passed >= seq
}

// count updates the status.
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
		case v.resting, v.again != rebuildNone: // a rebuild comes first
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

// note stores the position in the feed if nothing waits and the stored one lags by lag
// entries or more.
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

// finish ends the running request and stores the position.
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

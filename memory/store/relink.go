package store

import (
	"errors"
	"maps"
	"slices"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/codec"
	"memoria/memory/store/counter"
)

// relinking rebuilds index buckets from the records.
type relinking struct {
	tx     *Tx
	want   map[string]map[string]func() error // by bucket and key, the function that writes it
	counts map[string]map[counter.Name]int    // by agent
}

// Relink rebuilds all index buckets of every agent: heads, entries by key, words, time
// and place, and counts. It deletes dangling entries and writes missing ones; an intact
// store is unchanged. Relink is not announced: followers of the feed must restart.
func (tx *Tx) Relink() error {
	r := &relinking{tx: tx, want: map[string]map[string]func() error{}, counts: map[string]map[counter.Name]int{}}
	for _, b := range []string{
		itemHeads.Name(), itemKeys.Name(), itemHashes.Name(), itemsHeld.Name(), itemSources.Name(),
		changeTimes.Name(), changeGroups.Name(), recordPlaces.Name(), bookmarks.Name(), derived.Name(),
		sessionTimes.Name(), turnSessions.Name(), profileItems.Name(), vectorIDs.Name(), vectors.Name(),
	} {
		r.want[b] = map[string]func() error{}
	}
	for _, read := range []func() error{
		r.items, r.changes, r.records, r.sessions, r.packages, r.profiles, r.vectors, r.write, r.writeCounts,
	} {
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

// lead records that a bucket must have a key.
func lead[T any](r *relinking, b kv.Bucket[T], v T, parts ...any) {
	key := kv.Key(parts...)
	r.want[b.Name()][string(key)] = func() error { return b.Put(r.tx.kv, key, v) }
}

func (r *relinking) count(agent string, name counter.Name) {
	if r.counts[agent] == nil {
		r.counts[agent] = map[counter.Name]int{}
	}
	r.counts[agent][name]++
}

func (r *relinking) items() error {
	return eachRow(r.tx, items, nil, func(_ []byte, it memory.Item) error {
		head := HeadOf(it)
		lead(r, itemHeads, head, it.AgentID, it.ID)
		r.count(it.AgentID, counter.Items)
		if it.State == memory.StateHeld {
			r.count(it.AgentID, counter.Held)
			lead(r, itemsHeld, sourcesOf(it.Evidence), it.AgentID, it.ID)
		}
		for _, record := range sourcesOf(it.Evidence) {
			lead(r, itemSources, none{}, it.AgentID, record, it.ID)
		}
		if !present(it) {
			return nil
		}
		if it.Key != "" {
			lead(r, itemKeys, none{}, it.AgentID, it.Key, it.ID)
		}
		lead(r, itemHashes, none{}, it.AgentID, head.ContentHash, it.ID)
		return nil
	})
}

func (r *relinking) changes() error {
	return eachRow(r.tx, raw(itemChanges), nil, func(key, value []byte) error {
		at, err := placeOf(key, value)
		if err != nil {
			return err
		}
		lead(r, changeTimes, none{}, at.agent, at.id, at.item)
		for _, group := range at.groups {
			lead(r, changeGroups, none{}, at.agent, group, at.id, at.item)
		}
		return nil
	})
}

func (r *relinking) records() error {
	return eachRow(r.tx, records, nil, func(key []byte, m memory.Record) error {
		var agent string
		var at Place
		if err := kv.Unpack(key, &agent, &at.Session, &at.Position); err != nil {
			return err
		}
		lead(r, recordPlaces, at, agent, m.ID)
		r.count(agent, counter.Records)
		if m.Collected {
			lead(r, bookmarks, none{}, agent, m.ID)
		}
		if Derived(m) {
			lead(r, derived, none{}, agent, m.ID)
		}
		return nil
	})
}

func (r *relinking) sessions() error {
	return eachRow(r.tx, sessions, nil, func(_ []byte, s memory.Session) error {
		lead(r, sessionTimes, none{}, s.AgentID, s.LastMessageAt, s.ID)
		r.count(s.AgentID, counter.Sessions)
		return nil
	})
}

func (r *relinking) packages() error {
	for key, err := range packages.Keys(r.tx.kv, nil) {
		var agent, session, turn string
		if err == nil {
			err = kv.Unpack(key, &agent, &session, &turn)
		}
		if err != nil {
			return err
		}
		lead(r, turnSessions, session, agent, turn)
	}
	return nil
}

func (r *relinking) profiles() error {
	return eachRow(r.tx, profiles, nil, func(_ []byte, p memory.Profile) error {
		for _, l := range p.Lines {
			if l.Derived() {
				lead(r, profileItems, none{}, p.AgentID, l.ItemID, uint64(max(l.ItemVersion, 0)))
			}
		}
		return nil
	})
}

// vectors keeps the vectors known to their items; the others are regenerated.
func (r *relinking) vectors() error {
	err := eachRow(r.tx, vectors, nil, func(key []byte, v codec.Vector) error {
		var agent string
		var n uint64
		if err := kv.Unpack(key, &agent, &n); err != nil {
			return err
		}
		if id, err := vectorIDs.Get(r.tx.kv, kv.Key(agent, v.ItemID)); err == nil && id.Number == n {
			lead(r, vectorIDs, id, agent, v.ItemID)
			lead(r, vectors, v, agent, n)
			r.count(agent, counter.Vectors)
		}
		return nil
	})
	return errors.Join(err, eachRow(r.tx, vectorIDs, nil, func(key []byte, id codec.VectorID) error {
		if id.Number == 0 { // refused
			r.want[vectorIDs.Name()][string(key)] = func() error { return nil }
		}
		return nil
	}))
}

// write makes the buckets match want.
func (r *relinking) write() error {
	for _, name := range slices.Sorted(maps.Keys(r.want)) {
		want, bucket := r.want[name], kv.NewBucket(name, 1, kv.Bytes())
		keys, err := r.tx.keys(bucket, nil)
		if err != nil {
			return err
		}
		for _, key := range keys {
			if _, wanted := want[string(key)]; !wanted {
				if err := bucket.Delete(r.tx.kv, key); err != nil {
					return err
				}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if err := want[key](); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *relinking) writeCounts() error {
	for key, err := range counts.Keys(r.tx.kv, nil) {
		var agent, name string
		if err == nil {
			err = kv.Unpack(key, &agent, &name)
		}
		if err != nil {
			return err
		}
		if r.counts[agent] == nil {
			r.counts[agent] = map[counter.Name]int{}
		}
	}
	for _, agent := range slices.Sorted(maps.Keys(r.counts)) {
		for _, name := range counter.Existing() {
			have, err := r.tx.Count(agent, name)
			if n := r.counts[agent][name]; err != nil && r.tx.skip(err) || err == nil && n != have {
				err = counts.Put(r.tx.kv, kv.Key(agent, string(name)), n)
			}
			if err != nil {
				return err
			}
		}
		if err := r.highest(agent); err != nil {
			return err
		}
	}
	return nil
}

// highest makes sure that ascending numbers are not reused.
func (r *relinking) highest(agent string) error {
	for _, of := range []struct {
		name   counter.Name
		bucket kv.Bucket[[]byte]
	}{{counter.Profiles, raw(profiles)}, {counter.VectorNumbers, raw(vectors)}} {
		keys, err := r.tx.keys(of.bucket, kv.Prefix(agent))
		if err != nil || len(keys) == 0 {
			return err
		}
		last, err := profileNumber(keys[len(keys)-1])
		if err != nil {
			return err
		}
		have, err := r.tx.Count(agent, of.name)
		if err != nil && !r.tx.skip(err) {
			return err
		}
		if have < last {
			if err := counts.Put(r.tx.kv, kv.Key(agent, string(of.name)), last); err != nil {
				return err
			}
		}
	}
	return nil
}

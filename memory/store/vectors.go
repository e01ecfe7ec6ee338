package store

import (
	"errors"
	"iter"

	"memoria/kv"
	"memoria/memory/store/codec"
	"memoria/memory/store/counter"
)

// PutVector writes an item's vector and replaces the previous one. values must have
// length 1.
func (tx *Tx) PutVector(agent, item string, id codec.VectorID, values []float32) error {
	if err := tx.DropVector(agent, item); err != nil {
		return err
	}
	if err := tx.Add(agent, counter.VectorNumbers, 1); err != nil {
		return err
	}
	n, err := tx.Count(agent, counter.VectorNumbers)
	if err != nil {
		return err
	}
	id.Number = uint64(n)
	return errors.Join(
		vectors.Put(tx.kv, kv.Key(agent, id.Number), codec.Vector{ItemID: item, Values: values}),
		vectorIDs.Put(tx.kv, kv.Key(agent, item), id),
		tx.Add(agent, counter.Vectors, 1),
	)
}

// RefuseVector records that the model refuses the item's current words.
func (tx *Tx) RefuseVector(agent, item string, id codec.VectorID) error {
	if err := tx.DropVector(agent, item); err != nil {
		return err
	}
	id.Number = 0
	return vectorIDs.Put(tx.kv, kv.Key(agent, item), id)
}

// DropVector deletes an item's vector, if any. It does not go to the trash, since it
// encodes the item's words (D2).
func (tx *Tx) DropVector(agent, item string) error {
	key := kv.Key(agent, item)
	id, err := vectorIDs.Get(tx.kv, key)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil
	case err != nil && !Unreadable(err):
		return err
	case err != nil: // the number is unknown: search for it
		if id.Number, err = tx.vectorOf(agent, item); err != nil {
			return err
		}
	}
	if err := vectorIDs.Delete(tx.kv, key); err != nil || id.Number == 0 {
		return err
	}
	at := kv.Key(agent, id.Number)
	there, err := vectors.Has(tx.kv, at)
	if err != nil || !there {
		return err
	}
	return errors.Join(vectors.Delete(tx.kv, at), tx.Add(agent, counter.Vectors, -1))
}

// vectorOf searches all vectors for an item's; 0 for none.
func (tx *Tx) vectorOf(agent, item string) (uint64, error) {
	for e, err := range readable(tx, vectors.Scan(tx.kv, kv.Prefix(agent))) {
		if err != nil {
			return 0, err
		}
		if e.Value.ItemID == item {
			var owner string
			var n uint64
			err := kv.Unpack(e.Key, &owner, &n)
			return n, err
		}
	}
	return 0, nil
}

// VectorID returns an item's [codec.VectorID], or [ErrNotFound].
func (tx *Tx) VectorID(agent, item string) (codec.VectorID, error) {
	return vectorIDs.Get(tx.kv, kv.Key(agent, item))
}

// VectorIDs yields the items with a vector, or a refused one, in order of items.
func (tx *Tx) VectorIDs(agent string) iter.Seq2[string, error] { return tx.ids(raw(vectorIDs), agent) }

// Vectors yields the agent's vectors in order of writing. It logs and skips unreadable
// ones.
func (tx *Tx) Vectors(agent string) iter.Seq2[codec.Vector, error] {
	return values(tx, vectors.Scan(tx.kv, kv.Prefix(agent)))
}

// VectorSet returns the description of the agent's vectors, or zero.
func (tx *Tx) VectorSet(agent string) (codec.VectorSet, error) {
	s, err := vectorSets.Get(tx.kv, kv.Key(agent))
	if errors.Is(err, ErrNotFound) || Unreadable(err) {
		return codec.VectorSet{}, nil // it is determined again
	}
	return s, err
}

// PutVectorSet writes the description of the agent's vectors.
func (tx *Tx) PutVectorSet(agent string, s codec.VectorSet) error {
	return vectorSets.Put(tx.kv, kv.Key(agent), s)
}

// DropVectors deletes at most n vectors of the agent, with their index entries, and
// returns the number.
func (tx *Tx) DropVectors(agent string, n int) (int, error) {
	keys, err := first(n, vectorIDs.Keys(tx.kv, kv.Prefix(agent)))
	if err != nil {
		return 0, err
	}
	for _, key := range keys {
		var owner, item string
		if err := kv.Unpack(key, &owner, &item); err != nil {
			return 0, err
		}
		if err := tx.DropVector(agent, item); err != nil {
			return 0, err
		}
	}
	if len(keys) > 0 {
		return len(keys), nil
	}
	// Vectors without an item.
	if keys, err = first(n, vectors.Keys(tx.kv, kv.Prefix(agent))); err != nil {
		return 0, err
	}
	for _, key := range keys {
		if err := vectors.Delete(tx.kv, key); err != nil {
			return 0, err
		}
	}
	return len(keys), tx.Add(agent, counter.Vectors, -len(keys))
}

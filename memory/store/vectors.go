package store

import (
	"encoding/binary"
	"errors"
	"iter"
	"time"

	"memoria/kv"
	"memoria/memory/store/codec"
	"memoria/memory/store/counter"
)

// VectorID identifies an item's vector and its source. It holds no words.
type VectorID struct {
	// Number is the vector's number. 0 means that the model refused the item's words,
	// and is not asked again for the same words.
	Number uint64
	// Hash is the hash of the vector's source words.
	Hash uint64
	// Model identifies the model and the form of the request.
	Model string
}

// VectorSet describes all vectors of an agent.
type VectorSet struct {
	// Model is the target model of all vectors, as in [VectorID].
	Model string `json:"model"`
	// Name is that model's display name.
	Name string `json:"name"`
	// Dimension is the length of its vectors; 0 before the first one.
	Dimension int `json:"dimension"`
	// Scale is the model's measured scale, encoded by the caller; empty if not
	// measured.
	Scale []byte    `json:"scale,omitempty"`
	Since time.Time `json:"since"`
}

// PutVector writes an item's vector and replaces the previous one. values must have
// length 1.
func (tx *Tx) PutVector(agent, item string, id VectorID, values []float32) error {
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
func (tx *Tx) RefuseVector(agent, item string, id VectorID) error {
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

// VectorID returns an item's VectorID, or [ErrNotFound].
func (tx *Tx) VectorID(agent, item string) (VectorID, error) {
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
func (tx *Tx) VectorSet(agent string) (VectorSet, error) {
	s, err := vectorSets.Get(tx.kv, kv.Key(agent))
	if errors.Is(err, ErrNotFound) || Unreadable(err) {
		return VectorSet{}, nil // it is determined again
	}
	return s, err
}

// PutVectorSet writes the description of the agent's vectors.
func (tx *Tx) PutVectorSet(agent string, s VectorSet) error {
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

// vectorIDCodec writes two numbers and the model's name.
type vectorIDCodec struct{}

func (vectorIDCodec) Encode(v VectorID) ([]byte, error) {
	b := binary.BigEndian.AppendUint64(nil, v.Number)
	b = binary.BigEndian.AppendUint64(b, v.Hash)
	return append(b, v.Model...), nil
}

func (vectorIDCodec) Decode(_ uint8, b []byte) (VectorID, error) {
	if len(b) < 16 {
		return VectorID{}, codec.ErrShort
	}
	return VectorID{
		Number: binary.BigEndian.Uint64(b), Hash: binary.BigEndian.Uint64(b[8:]), Model: string(b[16:]),
	}, nil
}

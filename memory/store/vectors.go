package store

import (
	"encoding/binary"
	"errors"
	"iter"
	"math"
	"time"

	"memoria/kv"
)

// VectorID says which vector an item has, and what it was made of. It holds no
// words.
type VectorID struct {
	// Number is the vector's; 0 is none: the model refused the item's words, and is
	// not asked for the same again.
	Number uint64
	// Hash is that of the words that the vector was made of.
	Hash uint64
	// Model names what made it: the model, and how it was asked.
	Model string
}

// Vector is one vector of length 1 with the item it belongs to.
type Vector struct {
	ItemID string
	Values []float32
}

// VectorSet is what is known of all vectors of an agent.
type VectorSet struct {
	// Model is the one that all vectors are brought to, as in [VectorID].
	Model string `json:"model"`
	// Name is that model's name, for people.
	Name string `json:"name"`
	// Dimension is how many numbers its vectors have; 0 until the first has come.
	Dimension int `json:"dimension"`
	// Scale is what measuring the model gave, in the words of whoever measured;
	// empty when it was not measured.
	Scale []byte    `json:"scale,omitempty"`
	Since time.Time `json:"since"`
}

const (
	countVectors = "vectors"        // that the agent has
	lastVector   = "vector numbers" // the highest number that was given
)

// PutVector writes the vector of an item instead of the one that it has. values
// must have length 1.
func (tx *Tx) PutVector(agent, item string, id VectorID, values []float32) error {
	if err := tx.DropVector(agent, item); err != nil {
		return err
	}
	if err := tx.bump(agent, lastVector, 1); err != nil {
		return err
	}
	n, err := tx.Count(agent, lastVector)
	if err != nil {
		return err
	}
	id.Number = uint64(n)
	return errors.Join(
		vectors.Put(tx.kv, kv.Key(agent, id.Number), Vector{ItemID: item, Values: values}),
		vectorIDs.Put(tx.kv, kv.Key(agent, item), id),
		tx.bump(agent, countVectors, 1),
	)
}

// RefuseVector notes that no vector can be made of an item as it is.
func (tx *Tx) RefuseVector(agent, item string, id VectorID) error {
	if err := tx.DropVector(agent, item); err != nil {
		return err
	}
	id.Number = 0
	return vectorIDs.Put(tx.kv, kv.Key(agent, item), id)
}

// DropVector destroys the vector of an item, if it has one. Nothing keeps it, the
// trash neither: it says in numbers what the item said in words (D2).
func (tx *Tx) DropVector(agent, item string) error {
	key := kv.Key(agent, item)
	id, err := vectorIDs.Get(tx.kv, key)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil
	case err != nil && !Unreadable(err):
		return err
	case err != nil: // which vector was its own is not known: they are asked for it
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
	return errors.Join(vectors.Delete(tx.kv, at), tx.bump(agent, countVectors, -1))
}

// vectorOf looks through all vectors for that of an item; 0 when there is none.
func (tx *Tx) vectorOf(agent, item string) (uint64, error) {
	for e, err := range vectors.Scan(tx.kv, kv.Prefix(agent)) {
		if err != nil {
			if tx.skip(err) {
				continue
			}
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

// VectorID returns what vector an item has; [ErrNotFound] when it has none.
func (tx *Tx) VectorID(agent, item string) (VectorID, error) {
	return vectorIDs.Get(tx.kv, kv.Key(agent, item))
}

// VectorIDs walks the items that have a vector, or were refused one, in the order
// of items. A record that cannot be read has the zero VectorID.
func (tx *Tx) VectorIDs(agent string) iter.Seq2[string, error] { return tx.ids(raw(vectorIDs), agent) }

// Vectors walks the agent's vectors in the order in which they were written. One
// that cannot be read is logged and passed over.
func (tx *Tx) Vectors(agent string) iter.Seq2[Vector, error] {
	return func(yield func(Vector, error) bool) {
		for e, err := range vectors.Scan(tx.kv, kv.Prefix(agent)) {
			if err != nil && tx.skip(err) {
				continue
			}
			if !yield(e.Value, err) || err != nil {
				return
			}
		}
	}
}

// VectorSet returns what is known of the agent's vectors; zero when nothing is.
func (tx *Tx) VectorSet(agent string) (VectorSet, error) {
	s, err := vectorSets.Get(tx.kv, kv.Key(agent))
	if errors.Is(err, ErrNotFound) || Unreadable(err) {
		return VectorSet{}, nil // it is found out again
	}
	return s, err
}

// PutVectorSet writes it.
func (tx *Tx) PutVectorSet(agent string, s VectorSet) error {
	return vectorSets.Put(tx.kv, kv.Key(agent), s)
}

// DropVectors destroys at most n vectors of the agent and says how many it did.
// It also takes what leads to them.
func (tx *Tx) DropVectors(agent string, n int) (int, error) {
	keys := make([][]byte, 0, n)
	for key, err := range vectorIDs.Keys(tx.kv, kv.Prefix(agent)) {
		if err != nil {
			return 0, err
		}
		if keys = append(keys, key); len(keys) == n {
			break
		}
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
	// What no item leads to any more.
	for key, err := range vectors.Keys(tx.kv, kv.Prefix(agent)) {
		if err != nil {
			return 0, err
		}
		if keys = append(keys, key); len(keys) == n {
			break
		}
	}
	for _, key := range keys {
		if err := vectors.Delete(tx.kv, key); err != nil {
			return 0, err
		}
	}
	return len(keys), tx.bump(agent, countVectors, -len(keys))
}

// vectorCodec writes the item's id behind its length, and the values as float32,
// little-endian. The record around it has the checksum.
type vectorCodec struct{}

func (vectorCodec) Encode(v Vector) ([]byte, error) {
	b := make([]byte, 0, binary.MaxVarintLen64+len(v.ItemID)+4*len(v.Values))
	b = binary.AppendUvarint(b, uint64(len(v.ItemID)))
	b = append(b, v.ItemID...)
	for _, x := range v.Values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b, nil
}

func (vectorCodec) Decode(_ uint8, b []byte) (Vector, error) {
	n, w := binary.Uvarint(b)
	if w <= 0 || n > uint64(len(b)-w) {
		return Vector{}, errShort
	}
	v := Vector{ItemID: string(b[w : w+int(n)])}
	b = b[w+int(n):]
	if len(b)%4 != 0 {
		return Vector{}, errShort
	}
	v.Values = make([]float32, len(b)/4)
	for i := range v.Values {
		v.Values[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v, nil
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
		return VectorID{}, errShort
	}
	return VectorID{
		Number: binary.BigEndian.Uint64(b), Hash: binary.BigEndian.Uint64(b[8:]), Model: string(b[16:]),
	}, nil
}

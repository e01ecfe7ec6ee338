package codec

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"time"

	"memoria/memory"
)

// ErrShort says that a value is cut off.
var ErrShort = errors.New("record is too short")

// Empty is the codec of a bucket with keys only.
type Empty struct{}

// Encode implements [memoria/kv.Codec].
func (Empty) Encode(struct{}) ([]byte, error) { return nil, nil }

// Decode implements [memoria/kv.Codec].
func (Empty) Decode(uint8, []byte) (struct{}, error) { return struct{}{}, nil }

// String is the codec of plain text.
type String struct{}

// Encode implements [memoria/kv.Codec].
func (String) Encode(s string) ([]byte, error) { return []byte(s), nil }

// Decode implements [memoria/kv.Codec].
func (String) Decode(_ uint8, b []byte) (string, error) { return string(b), nil }

// Item is the codec of an item: it writes the JSON of its fields, without those that [memory.Item] derives
// for other programs. Layout 3 had is_active.
type Item struct{}

// storedItem is an item without its methods.
type storedItem memory.Item

// Encode implements [memoria/kv.Codec].
func (Item) Encode(it memory.Item) ([]byte, error) { return json.Marshal(storedItem(it)) }

// Decode implements [memoria/kv.Codec].
func (Item) Decode(_ uint8, b []byte) (memory.Item, error) {
	var it storedItem
	err := json.Unmarshal(b, &it)
	return memory.Item(it), err
}

// Head is the codec of a head: fixed-size numbers followed by its id. Decoding 100,000 of
// them at start takes a few tens of milliseconds; JSON takes most of a second (Q2).
type Head struct{}

// fixed is the size of a head without its id: type, state, one byte that is 1 if the state is
// active, four bytes of access count, two floats, five times and one hash of eight.
const fixed = 3 + 4 + 2*8 + 5*8 + 8

var headTypes = memory.Types()

var headStates = []memory.State{memory.StateActive, memory.StateHeld, memory.StateMuted, memory.StateInactive}

// Encode implements [memoria/kv.Codec].
func (Head) Encode(h memory.Head) ([]byte, error) {
	b := make([]byte, 0, fixed+len(h.ID))
	active := byte(0)
	if h.State == memory.StateActive {
		active = 1
	}
	b = append(b, indexOf(headTypes, h.Type), indexOf(headStates, h.State), active)
	b = binary.BigEndian.AppendUint32(b, uint32(min(max(h.AccessCount, 0), math.MaxInt32)))
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(h.Confidence))
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(h.Importance))
	for _, t := range [...]time.Time{h.ValidFrom, h.ValidTo, h.CreatedAt, h.LastAccessed, h.LastConfirmedAt} {
		b = binary.BigEndian.AppendUint64(b, nanos(t))
	}
	b = binary.BigEndian.AppendUint64(b, h.ContentHash)
	return append(b, h.ID...), nil
}

// Decode implements [memoria/kv.Codec].
func (Head) Decode(_ uint8, b []byte) (memory.Head, error) {
	if len(b) < fixed {
		return memory.Head{}, ErrShort
	}
	u64 := func(at int) uint64 { return binary.BigEndian.Uint64(b[at:]) }
	if int(b[0]) >= len(headTypes) || int(b[1]) >= len(headStates) {
		return memory.Head{}, errors.New("head names an unknown type or state")
	}
	return memory.Head{
		Type: headTypes[b[0]], State: headStates[b[1]],
		AccessCount: int(binary.BigEndian.Uint32(b[3:])),
		Confidence:  math.Float64frombits(u64(7)), Importance: math.Float64frombits(u64(15)),
		ValidFrom: fromNanos(u64(23)), ValidTo: fromNanos(u64(31)), CreatedAt: fromNanos(u64(39)),
		LastAccessed: fromNanos(u64(47)), LastConfirmedAt: fromNanos(u64(55)),
		ContentHash: u64(63),
		ID:          string(b[fixed:]),
	}, nil
}

func indexOf[T comparable](all []T, x T) byte {
	for i, y := range all {
		if x == y {
			return byte(i)
		}
	}
	return math.MaxUint8
}

// nanos maps the zero time to 0, and every other time between 1678 and 2262 to its
// nanoseconds.
func nanos(t time.Time) uint64 {
	if t.IsZero() {
		return 0
	}
	return uint64(t.UnixNano())
}

func fromNanos(n uint64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, int64(n)).UTC()
}

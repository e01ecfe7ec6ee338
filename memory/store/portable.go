package store

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/counter"
)

// Row is a row of an agent as an export has it (D1): the parts of its key after the agent,
// and its value. In JSON a part is a text, {"n": 5}, {"i": -5} or {"at": "2026-11-25T…"}.
type Row struct {
	Key   []KeyPart       `json:"key"`
	Value json.RawMessage `json:"value"`
}

// KeyPart is a string, a uint64, an int64 or a time.
type KeyPart struct{ Value any }

// MarshalJSON implements [json.Marshaler].
func (p KeyPart) MarshalJSON() ([]byte, error) {
	switch v := p.Value.(type) {
	case uint64:
		return json.Marshal(map[string]uint64{"n": v})
	case int64:
		return json.Marshal(map[string]int64{"i": v})
	case time.Time:
		return json.Marshal(map[string]time.Time{"at": v})
	}
	return json.Marshal(p.Value)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (p *KeyPart) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		p.Value = text
		return nil
	}
	var other struct {
		N  *uint64    `json:"n"`
		I  *int64     `json:"i"`
		At *time.Time `json:"at"`
	}
	if err := json.Unmarshal(b, &other); err != nil {
		return err
	}
	switch {
	case other.N != nil:
		p.Value = *other.N
	case other.I != nil:
		p.Value = *other.I
	case other.At != nil:
		p.Value = *other.At
	default:
		return fmt.Errorf("%s is not a part of a key", b)
	}
	return nil
}

// portable is a bucket that an export contains. All others are derived from these by
// [Tx.Relink], or belong to a deletion.
type portable struct {
	name string
	rows func(tx *Tx, agent string) iter.Seq2[Row, error]
	put  func(tx *Tx, key []byte, value json.RawMessage) error
	has  func(tx *Tx, key []byte) (bool, error)
}

var portables = []portable{
	carried(agents), carried(groups), carried(seals), carried(refused), carried(forgotten),
	carried(items), carried(itemVersions), carried(itemChanges), carried(turnChanges),
	carried(sessions), carried(records), carried(gaps), carried(incoming), carried(summaries), carried(working),
	carried(workingVersions), carried(packages), carried(texts), carried(passages), carried(drafts), carried(partials), carried(jobs),
	carried(profiles), carried(history), carried(journalFiles), carried(journalIDs), carried(journalStates), carried(counts),
}

// PortableBuckets returns the names of the buckets that an export contains, in the order in
// which they are imported.
func PortableBuckets() (names []string) {
	for _, p := range portables {
		names = append(names, p.name)
	}
	return names
}

func carried[T any](b kv.Bucket[T]) portable {
	return portable{
		name: b.Name(),
		rows: func(tx *Tx, agent string) iter.Seq2[Row, error] {
			return func(yield func(Row, error) bool) {
				for e, err := range b.Scan(tx.kv, kv.Prefix(agent)) {
					if tx.skip(err) || b.Name() == counts.Name() && derivedCount(e.Key) {
						continue
					}
					var r Row
					if err == nil {
						r, err = rowOf(e.Key, e.Value)
					}
					if !yield(r, err) || err != nil {
						return
					}
				}
			}
		},
		put: func(tx *Tx, key []byte, value json.RawMessage) error {
			var v T
			if err := json.Unmarshal(value, &v); err != nil {
				return err
			}
			return b.Put(tx.kv, key, v)
		},
		has: func(tx *Tx, key []byte) (bool, error) { return b.Has(tx.kv, key) },
	}
}

// derivedCount reports whether a count follows from what is stored, or counts vectors.
func derivedCount(key []byte) bool {
	var agent, name string
	if kv.Unpack(key, &agent, &name) != nil {
		return false
	}
	return slices.Contains(counter.Existing(), counter.Name(name)) || counter.Name(name) == counter.VectorNumbers
}

func rowOf(key []byte, value any) (Row, error) {
	parts, err := kv.ParseKey(key)
	if err != nil {
		return Row{}, err
	}
	r := Row{Key: []KeyPart{}}
	for _, p := range parts[1:] {
		r.Key = append(r.Key, KeyPart{p})
	}
	r.Value, err = json.Marshal(value)
	return r, err
}

func portableNamed(bucket string) (portable, error) {
	for _, p := range portables {
		if p.name == bucket {
			return p, nil
		}
	}
	return portable{}, fmt.Errorf("an export has no %q", bucket)
}

// Rows yields the agent's rows in a bucket of [PortableBuckets], in the order of their keys.
// Unreadable ones are left out.
func (tx *Tx) Rows(agent, bucket string) iter.Seq2[Row, error] {
	p, err := portableNamed(bucket)
	if err != nil {
		return func(yield func(Row, error) bool) { yield(Row{}, err) }
	}
	return p.rows(tx, agent)
}

// AddRow writes an exported row of an agent if there is none under its key, and reports
// whether it did. Deleted items, messages and versions of the profile are left out.
// Afterwards the caller calls [Tx.Relink] and restarts the followers of the feed.
func (tx *Tx) AddRow(agent, bucket string, r Row) (bool, error) {
	p, err := portableNamed(bucket)
	if err != nil {
		return false, err
	}
	parts := []any{agent}
	for _, part := range r.Key {
		parts = append(parts, part.Value)
	}
	key := kv.Key(parts...)
	if there, err := p.has(tx, key); err != nil || there {
		return false, err
	}
	if gone, err := tx.rowGone(agent, bucket, r); err != nil || gone {
		return false, err
	}
	if err := p.put(tx, key, r.Value); err != nil {
		return false, fmt.Errorf("%s: %w", bucket, err)
	}
	return true, nil
}

// rowGone reports whether a row belongs to something that was deleted here.
func (tx *Tx) rowGone(agent, bucket string, r Row) (bool, error) {
	var kind memory.Kind
	var id string
	switch bucket {
	case items.Name(), itemVersions.Name(), itemChanges.Name():
		kind = memory.KindItem
		if len(r.Key) > 0 {
			id, _ = r.Key[0].Value.(string)
		}
	case records.Name(), incoming.Name():
		kind = memory.KindRecord
		var of struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(r.Value, &of); err != nil {
			return false, err
		}
		id = of.ID
	default:
		return false, nil
	}
	at, err := tx.ForgottenAt(agent, kind, id)
	return !at.IsZero(), err
}

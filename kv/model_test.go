package kv_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"memoria/kv"
)

// model is what a store should be: a map, the ids of the changes, a mark.
type model struct {
	records map[string]note
	feed    []string
	mark    uint64
}

func (m model) clone() model {
	return model{maps.Clone(m.records), slices.Clone(m.feed), m.mark}
}

// TestRandomOperations compares a store with a map through random transactions,
// scans, reopenings, errors and panics.
func TestRandomOperations(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	opts := options(storePath(t))
	db := open(t, opts)
	m := model{records: map[string]note{}}
	for range 250 {
		next := m.clone()
		abort := rnd.IntN(5) == 0
		err := randomUpdate(db, func(tx *kv.Tx) error {
			for range rnd.IntN(60) {
				if err := randomStep(tx, rnd, &next); err != nil {
					return err
				}
			}
			if rnd.IntN(4) == 0 {
				wantModel(t, tx, next, rnd) // a transaction sees its own writes
			}
			if abort && rnd.IntN(2) == 0 {
				panic(errAbort)
			}
			if abort {
				return errAbort
			}
			return nil
		})
		if abort != errors.Is(err, errAbort) || (err != nil && !abort) {
			t.Fatal(err)
		}
		if !abort {
			m = next
		}
		view(t, db, func(tx *kv.Tx) error { wantModel(t, tx, m, rnd); return nil })
		if rnd.IntN(40) == 0 {
			if err := db.Check(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			mustClose(t, db)
			db = open(t, opts)
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}

var errAbort = errors.New("abort")

// randomUpdate turns a panic with errAbort into that error.
func randomUpdate(db *kv.DB, fn func(*kv.Tx) error) (err error) {
	defer func() {
		r := recover()
		if e, ok := r.(error); ok && errors.Is(e, errAbort) {
			err = errAbort
		} else if r != nil {
			panic(r)
		}
	}()
	return db.Update(fn)
}

func randomKey(rnd *rand.Rand) []byte {
	return kv.Key(fmt.Sprint("agent", rnd.IntN(4)), uint64(rnd.IntN(150)))
}

func randomStep(tx *kv.Tx, rnd *rand.Rand, m *model) error {
	switch key := randomKey(rnd); rnd.IntN(20) {
	default:
		v := note{Text: string(bytes.Repeat([]byte("文"), rnd.IntN(300))), N: rnd.Int()}
		m.records[string(key)] = v
		return notes.Put(tx, key, v)
	case 0, 1, 2, 3, 4, 5:
		delete(m.records, string(key))
		return notes.Delete(tx, key)
	case 6:
		if rnd.IntN(4) > 0 {
			return nil
		}
		prefix := kv.Prefix(fmt.Sprint("agent", rnd.IntN(4)))
		maps.DeleteFunc(m.records, func(k string, _ note) bool { return bytes.HasPrefix([]byte(k), prefix) })
		_, err := notes.DeletePrefix(tx, prefix)
		return err
	case 7, 8:
		m.feed = append(m.feed, string(key))
		_, err := tx.Append(kv.Change{ID: string(key)})
		return err
	case 9:
		m.mark = uint64(rnd.IntN(len(m.feed) + 1))
		return tx.SetMark("follower", m.mark)
	}
}

func wantModel(t *testing.T, tx *kv.Tx, m model, rnd *rand.Rand) {
	t.Helper()
	prefix := [][]byte{nil, kv.Prefix("agent2")}[rnd.IntN(2)]
	var keys []string
	for k := range m.records {
		if bytes.HasPrefix([]byte(k), prefix) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	pivot := randomKey(rnd)
	at, _ := slices.BinarySearch(keys, string(pivot))
	back := slices.Clone(keys)
	slices.Reverse(back)
	wantScan(t, m, "up", notes.Scan(tx, prefix), keys)
	wantScan(t, m, "down", notes.ScanReverse(tx, prefix), back)
	wantScan(t, m, "from", notes.ScanFrom(tx, prefix, pivot), keys[at:])
	wantScan(t, m, "before", notes.ScanBefore(tx, prefix, pivot), back[len(keys)-at:])

	got, err := notes.Get(tx, pivot)
	want, ok := m.records[string(pivot)]
	if got != want || ok != (err == nil) || (!ok && !errors.Is(err, kv.ErrNotFound)) {
		t.Errorf("get: %v, want %v", err, ok)
	}
	if n, err := notes.Count(tx, prefix); n != len(keys) || err != nil {
		t.Errorf("count: %d, %v, want %d", n, err, len(keys))
	}
	if mark, err := tx.Mark("follower"); mark != m.mark || err != nil {
		t.Errorf("mark: %d, %v, want %d", mark, err, m.mark)
	}
	var feed []string
	for c, err := range tx.Changes(m.mark) {
		if err != nil {
			t.Error(err)
		}
		feed = append(feed, c.ID)
	}
	if !slices.Equal(feed, m.feed[m.mark:]) {
		t.Errorf("%d changes after %d, want %d", len(feed), m.mark, len(m.feed)-int(m.mark))
	}
}

func wantScan(t *testing.T, m model, name string, seq func(func(kv.Entry[note], error) bool), want []string) {
	t.Helper()
	i := 0
	for e, err := range seq {
		if err != nil || i >= len(want) || string(e.Key) != want[i] || e.Value != m.records[want[i]] {
			t.Errorf("scan %s: entry %d is wrong (%v)", name, i, err)
			return
		}
		i++
	}
	if i != len(want) {
		t.Errorf("scan %s: %d entries, want %d", name, i, len(want))
	}
}

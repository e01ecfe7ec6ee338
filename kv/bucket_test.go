package kv_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/kv"
)

// scanned collects the keys of a scan as tuples, and its errors.
func scanned(seq iter.Seq2[kv.Entry[note], error]) (keys []string, errs []error) {
	for e, err := range seq {
		if err != nil {
			errs = append(errs, err)
		}
		if e.Key != nil {
			var k string
			if err := kv.Unpack(e.Key, &k); err != nil {
				errs = append(errs, err)
			}
			keys = append(keys, k)
		}
	}
	return keys, errs
}

func wantKeys(t *testing.T, seq iter.Seq2[kv.Entry[note], error], want ...string) {
	t.Helper()
	keys, errs := scanned(seq)
	if diff := cmp.Diff(want, keys); diff != "" || errs != nil {
		t.Errorf("keys (-want +got):\n%s%v", diff, errs)
	}
}

func putNotes(t *testing.T, db *kv.DB, keys ...string) {
	t.Helper()
	update(t, db, func(tx *kv.Tx) error {
		for i, k := range keys {
			if err := notes.Put(tx, kv.Key(k), note{Text: k, N: i}); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestBucketRoundTrip(t *testing.T) {
	db := openTemp(t)
	want := note{Text: "uses pnpm, not npm · 用 pnpm", N: 7}
	key := kv.Key("luna", uint64(1))
	update(t, db, func(tx *kv.Tx) error {
		if _, err := notes.Get(tx, key); !errors.Is(err, kv.ErrNotFound) {
			t.Errorf("before: got %v, want ErrNotFound", err)
		}
		return notes.Put(tx, key, want)
	})
	view(t, db, func(tx *kv.Tx) error {
		got, err := notes.Get(tx, key)
		if got != want || err != nil {
			t.Errorf("got %+v, %v", got, err)
		}
		if has, err := notes.Has(tx, key); !has || err != nil {
			t.Errorf("has: %v, %v", has, err)
		}
		if err := notes.Put(tx, key, want); !errors.Is(err, kv.ErrReadOnly) {
			t.Errorf("put in a view: got %v, want ErrReadOnly", err)
		}
		return nil
	})
	update(t, db, func(tx *kv.Tx) error {
		return errors.Join(notes.Delete(tx, key), notes.Delete(tx, kv.Key("never there")))
	})
	view(t, db, func(tx *kv.Tx) error {
		if has, err := notes.Has(tx, key); has || err != nil {
			t.Errorf("after delete: %v, %v", has, err)
		}
		return nil
	})
}

func TestScans(t *testing.T) {
	db := openTemp(t)
	other := kv.NewBucket("other", 1, kv.Bytes())
	putNotes(t, db, "d", "a", "c", "b", "e")
	from := kv.Key
	view(t, db, func(tx *kv.Tx) error {
		wantKeys(t, notes.Scan(tx, nil), "a", "b", "c", "d", "e")
		wantKeys(t, notes.ScanReverse(tx, nil), "e", "d", "c", "b", "a")
		wantKeys(t, notes.ScanFrom(tx, nil, from("c")), "c", "d", "e")
		wantKeys(t, notes.ScanFrom(tx, nil, kv.After(from("c"))), "d", "e")
		wantKeys(t, notes.ScanFrom(tx, nil, from("cc")), "d", "e")
		wantKeys(t, notes.ScanFrom(tx, nil, from("z")))
		wantKeys(t, notes.ScanBefore(tx, nil, from("c")), "b", "a")
		wantKeys(t, notes.ScanBefore(tx, nil, from("z")), "e", "d", "c", "b", "a")
		wantKeys(t, notes.ScanBefore(tx, nil, nil))
		wantKeys(t, notes.Scan(tx, kv.Prefix("c")), "c")
		wantKeys(t, notes.ScanReverse(tx, kv.Prefix("c")), "c")
		wantKeys(t, notes.ScanFrom(tx, kv.Prefix("c"), from("a")), "c")
		wantKeys(t, notes.ScanFrom(tx, kv.Prefix("c"), from("d")))
		wantKeys(t, notes.ScanBefore(tx, kv.Prefix("c"), from("e")), "c")
		wantKeys(t, notes.ScanBefore(tx, kv.Prefix("c"), from("b")))
		if n, err := notes.Count(tx, nil); n != 5 || err != nil {
			t.Errorf("count: %d, %v", n, err)
		}
		if _, err := other.Count(tx, nil); !errors.Is(err, kv.ErrNoBucket) {
			t.Errorf("bucket that is not there: got %v", err)
		}
		return nil
	})
}

// Keys that are one the beginning of the other, across one prefix per agent:
// an agent's scan never shows another's (the house's rule "Agents are walls").
func TestPrefixIsAWall(t *testing.T) {
	db := openTemp(t)
	agents := []string{"", "a", "a\x00", "a\x00b", "ab", "a\x01", "\xff", "\xff\xff"}
	update(t, db, func(tx *kv.Tx) error {
		for i, a := range agents {
			for n := range 3 {
				if err := notes.Put(tx, kv.Key(a, n), note{Text: a, N: i}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	view(t, db, func(tx *kv.Tx) error {
		for i, a := range agents {
			for name, seq := range map[string]iter.Seq2[kv.Entry[note], error]{
				"up": notes.Scan(tx, kv.Prefix(a)), "down": notes.ScanReverse(tx, kv.Prefix(a)),
			} {
				n := 0
				for e, err := range seq {
					if n++; err != nil || e.Value.N != i {
						t.Errorf("%s %q: %q, %v", name, a, agents[e.Value.N], err)
					}
				}
				if n != 3 {
					t.Errorf("%s %q: %d records, want 3", name, a, n)
				}
			}
		}
		return nil
	})
}

func TestChangesDuringScan(t *testing.T) {
	db := openTemp(t)
	var keys []string
	for i := range 500 {
		keys = append(keys, fmt.Sprintf("k%03d", i))
	}
	putNotes(t, db, keys...)
	update(t, db, func(tx *kv.Tx) error {
		var seen []string
		for e, err := range notes.Scan(tx, nil) {
			if err != nil {
				return err
			}
			seen = append(seen, e.Value.Text)
			if err := notes.Delete(tx, e.Key); err != nil {
				return err
			}
			if err := notes.Put(tx, kv.Key("a"+e.Value.Text), e.Value); err != nil {
				return err
			}
		}
		if diff := cmp.Diff(keys, seen); diff != "" {
			t.Errorf("upwards (-want +got):\n%s", diff)
		}
		seen = nil
		for e, err := range notes.ScanReverse(tx, nil) {
			if err != nil {
				return err
			}
			seen = append(seen, e.Value.Text)
			if err := notes.Delete(tx, e.Key); err != nil {
				return err
			}
		}
		slices.Reverse(seen)
		if diff := cmp.Diff(keys, seen); diff != "" {
			t.Errorf("downwards (-want +got):\n%s", diff)
		}
		n, err := notes.Count(tx, nil)
		if n != 0 {
			t.Errorf("%d records left", n)
		}
		return err
	})
}

func TestDeletePrefix(t *testing.T) {
	db := openTemp(t)
	putNotes(t, db, "a", "b", "c")
	update(t, db, func(tx *kv.Tx) error {
		n, err := notes.DeletePrefix(tx, kv.Prefix("b"))
		if n != 1 || err != nil {
			t.Errorf("one: %d, %v", n, err)
		}
		wantKeys(t, notes.Scan(tx, nil), "a", "c")
		n, err = notes.DeletePrefix(tx, nil)
		if n != 2 || err != nil {
			t.Errorf("all: %d, %v", n, err)
		}
		return nil
	})
}

// What was read is a copy: it outlives the transaction and is not changed by a
// later one that uses the same pages again.
func TestReadsOutliveTheTransaction(t *testing.T) {
	db := openTemp(t)
	raw := kv.NewBucket("notes", 1, kv.Bytes())
	want := bytes.Repeat([]byte("x"), 3000)
	key := kv.Key("k")
	update(t, db, func(tx *kv.Tx) error { return raw.Put(tx, key, want) })
	var got []byte
	var entry kv.Entry[[]byte]
	view(t, db, func(tx *kv.Tx) (err error) {
		for e, err := range raw.Scan(tx, nil) {
			if err != nil {
				return err
			}
			entry = e
		}
		got, err = raw.Get(tx, key)
		return err
	})
	for i := range 20 {
		update(t, db, func(tx *kv.Tx) error { return raw.Put(tx, key, bytes.Repeat([]byte{byte(i)}, 3000)) })
	}
	if !bytes.Equal(got, want) || !bytes.Equal(entry.Value, want) || !bytes.Equal(entry.Key, key) {
		t.Error("a value changed after its transaction")
	}
	got[0], entry.Key[0] = 'y', 'y' // they are the caller's to write to
}

// versioned writes the version into the payload's end, to show which layout it
// was asked to read.
type versioned struct{}

func (versioned) Encode(v string) ([]byte, error) { return []byte(v), nil }
func (versioned) Decode(version uint8, data []byte) (string, error) {
	return fmt.Sprintf("%s read as version %d", data, version), nil
}

func TestRecordVersions(t *testing.T) {
	db := openTemp(t)
	v1 := kv.NewBucket("notes", 1, kv.Codec[string](versioned{}))
	v2 := kv.NewBucket("notes", 2, kv.Codec[string](versioned{}))
	update(t, db, func(tx *kv.Tx) error {
		return errors.Join(v1.Put(tx, kv.Key("old"), "old"), v2.Put(tx, kv.Key("new"), "new"))
	})
	view(t, db, func(tx *kv.Tx) error {
		if got, err := v2.Get(tx, kv.Key("old")); got != "old read as version 1" || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
		_, err := v1.Get(tx, kv.Key("new"))
		var bad *kv.RecordError
		if !errors.As(err, &bad) || !errors.Is(err, kv.ErrNewerRecord) {
			t.Fatalf("got %v, want a RecordError with ErrNewerRecord", err)
		}
		if bad.Bucket != "notes" || !bytes.Equal(bad.Key, kv.Key("new")) || !strings.Contains(err.Error(), `"new"`) {
			t.Errorf("got %v", err)
		}
		return nil
	})
}

func TestBadKeysAndValues(t *testing.T) {
	db := openTemp(t)
	bad := kv.NewBucket("notes", 1, kv.JSON[func()]())
	err := db.Update(func(tx *kv.Tx) error {
		for name, key := range map[string][]byte{"empty": nil, "long": make([]byte, 40_000)} {
			if err := notes.Put(tx, key, note{}); !errors.Is(err, kv.ErrKey) {
				t.Errorf("%s key: got %v, want ErrKey", name, err)
			}
		}
		return bad.Put(tx, kv.Key("k"), func() {})
	})
	if err == nil || !strings.Contains(err.Error(), "encoding record") {
		t.Errorf("value that cannot be encoded: got %v", err)
	}
}

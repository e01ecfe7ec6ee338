package kv_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"memoria/kv"
)

const damagedText = "the one record that will be damaged"

// damageable creates a closed store with n notes around the one to damage, and
// returns its bytes.
func damageable(t *testing.T, opts kv.Options, n int) []byte {
	t.Helper()
	db, err := kv.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	update(t, db, func(tx *kv.Tx) error {
		for i := range n {
			key := kv.Key(fmt.Sprintf("k%03d", i))
			text := strings.Repeat("x", 80)
			if i == n/2 {
				text = damagedText
			}
			if err := notes.Put(tx, key, note{Text: text, N: i}); err != nil {
				return err
			}
		}
		return nil
	})
	mustClose(t, db)
	return read(t, opts.Path)
}

// Every change of one byte of a record, its key, version, checksum or payload,
// is detected; the scan shows it and goes on, and so does the store.
func TestEveryFlippedByteIsDetected(t *testing.T) {
	for _, n := range []int{1, 101} { // in bbolt's inline form and on pages of its own
		opts := options(storePath(t))
		healthy := damageable(t, opts, n)
		key := kv.Key(fmt.Sprintf("k%03d", n/2))
		at := bytes.Index(healthy, []byte(damagedText))
		if at < 0 || bytes.Count(healthy, []byte(damagedText)) != 1 {
			t.Fatal("the record is not in the file exactly once")
		}
		from := bytes.LastIndex(healthy[:at], key)
		to := at + len(damagedText) + len(fmt.Sprintf(`","n":%d}`, n/2))
		for i := from; i < to; i++ {
			data := bytes.Clone(healthy)
			data[i] ^= byte(1 << (i % 8))
			write(t, opts.Path, data)
			db, err := kv.Open(opts)
			if errors.Is(err, kv.ErrDamaged) { // its key is not in order any more
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			wantOneBadRecord(t, db, n, i-from)
			putNotes(t, db, "life goes on")
			mustClose(t, db)
		}
	}
}

func wantOneBadRecord(t *testing.T, db *kv.DB, n, at int) {
	t.Helper()
	view(t, db, func(tx *kv.Tx) error {
		good, bad := 0, 0
		for e, err := range notes.Scan(tx, nil) {
			var r *kv.RecordError
			switch {
			case err == nil:
				good++
			case errors.As(err, &r) && errors.Is(err, kv.ErrChecksum) && bytes.Equal(e.Key, r.Key):
				bad++
			default:
				return err
			}
		}
		if bad != 1 || good != n-1 {
			t.Errorf("byte %d: %d good and %d bad records of %d", at, good, bad, n)
		}
		return nil
	})
	err := db.Check(context.Background(), nil)
	var found *kv.CheckError
	if !errors.As(err, &found) || !errors.Is(err, kv.ErrDamaged) || found.Total == 0 {
		t.Errorf("byte %d: check says %v", at, err)
	}
}

// A healthy record under a wrong key or in a wrong bucket is not taken for one.
func TestMovedRecordIsDetected(t *testing.T) {
	opts := options(storePath(t))
	opts.Buckets = append(opts.Buckets, "other")
	damageable(t, opts, 1)
	raw, err := bolt.Open(opts.Path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = raw.Update(func(tx *bolt.Tx) error {
		rec := tx.Bucket([]byte("notes")).Get(kv.Key("k000"))
		return errors.Join(
			tx.Bucket([]byte("notes")).Put(kv.Key("elsewhere"), rec),
			tx.Bucket([]byte("other")).Put(kv.Key("k000"), rec),
		)
	})
	if err := errors.Join(err, raw.Close()); err != nil {
		t.Fatal(err)
	}
	db, err := kv.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, db)
	other := kv.NewBucket("other", 1, kv.JSON[note]())
	view(t, db, func(tx *kv.Tx) error {
		if _, err := notes.Get(tx, kv.Key("k000")); err != nil {
			t.Errorf("where it belongs: %v", err)
		}
		if _, err := notes.Get(tx, kv.Key("elsewhere")); !errors.Is(err, kv.ErrChecksum) {
			t.Errorf("under another key: %v", err)
		}
		if _, err := other.Get(tx, kv.Key("k000")); !errors.Is(err, kv.ErrChecksum) {
			t.Errorf("in another bucket: %v", err)
		}
		return nil
	})
}

// A file that was cut is refused before it is mapped, wherever it was cut.
func TestCutFile(t *testing.T) {
	opts := options(storePath(t))
	healthy := damageable(t, opts, 500)
	used := bytes.LastIndexFunc(healthy, func(r rune) bool { return r != 0 })
	for n := 1; n < used; n += 1 + used/200 {
		write(t, opts.Path, healthy[:n])
		wantOpenError(t, opts, kv.ErrDamaged)
	}
}

func TestNotAStore(t *testing.T) {
	opts := options(storePath(t))
	create(t, opts)
	for name, data := range map[string][]byte{
		"text":  []byte("Dear diary, this is not a database.\n"),
		"zeros": make([]byte, 1<<16),
		"ones":  bytes.Repeat([]byte{0xFF}, 1<<16),
	} {
		write(t, opts.Path, data)
		t.Run(name, func(t *testing.T) { wantOpenError(t, opts, kv.ErrDamaged) })
	}
	remove(t, opts.Path)
	remove(t, opts.Path+".id")
	raw, err := bolt.Open(opts.Path, 0o600, nil) // bbolt's, but nobody's store
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	wantOpenError(t, opts, kv.ErrDamaged)
}

// One damaged meta page is what bbolt has two for: the store opens as of the
// last commit or the one before, says what it has seen, and is whole again when
// the page was written anew. With both gone it is refused.
func TestDamagedMetaPages(t *testing.T) {
	opts := options(storePath(t))
	healthy := damageable(t, opts, 3)
	for page := range 2 {
		data := bytes.Clone(healthy)
		clear(data[page*4096 : page*4096+4096])
		write(t, opts.Path, data)
		db, err := kv.Open(opts)
		if err != nil {
			t.Errorf("page %d: %v", page, err)
			continue
		}
		if err := db.Check(context.Background(), nil); !errors.Is(err, kv.ErrDamaged) {
			t.Errorf("page %d: check says %v", page, err)
		}
		putNotes(t, db, "one")
		putNotes(t, db, "two")
		if err := db.Check(context.Background(), nil); err != nil {
			t.Errorf("page %d: %v", page, err)
		}
		mustClose(t, db)
	}
	clear(healthy[:8192])
	write(t, opts.Path, healthy)
	wantOpenError(t, opts, kv.ErrDamaged)
}

// Pages that hold nonsense are errors, never panics, wherever they are met.
func TestNonsensePages(t *testing.T) {
	opts := options(storePath(t))
	healthy := damageable(t, opts, 300)
	met := 0
	for page := 2; page*4096 < len(healthy); page++ {
		if !bytes.ContainsFunc(healthy[page*4096:page*4096+4096], func(r rune) bool { return r != 0 }) {
			continue // room that is not in use yet
		}
		for _, junk := range []byte{0x00, 0x11, 0xFF} {
			data := bytes.Clone(healthy)
			copy(data[page*4096:], bytes.Repeat([]byte{junk}, 4096))
			write(t, opts.Path, data)
			db, err := kv.Open(opts)
			if err != nil {
				if !errors.Is(err, kv.ErrDamaged) {
					t.Errorf("page %d: %v", page, err)
				}
				met++
				continue
			}
			if !useAll(db) {
				met++
			}
			if err := db.Close(); err != nil && !errors.Is(err, kv.ErrDamaged) {
				t.Errorf("page %d: %v", page, err)
			}
		}
	}
	if met < 10 {
		t.Errorf("damage was met %d times only", met)
	}
}

// useAll reads and writes everywhere and says whether all went well.
func useAll(db *kv.DB) bool {
	ok := true
	note := func(err error) { ok = ok && err == nil }
	note(db.View(func(tx *kv.Tx) error {
		for _, err := range notes.Scan(tx, nil) {
			note(err)
		}
		for _, err := range notes.ScanReverse(tx, nil) {
			note(err)
		}
		_, err := notes.Get(tx, kv.Key("k150"))
		note(err)
		return nil
	}))
	note(db.Update(func(tx *kv.Tx) error { return notes.Delete(tx, kv.Key("k150")) }))
	_, err := db.Stats()
	note(err)
	note(db.Check(context.Background(), nil))
	return ok
}

package kv_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/kv"
)

// create makes a store with one note and closes it.
func create(t *testing.T, opts kv.Options) (id string) {
	t.Helper()
	db, err := kv.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	putNotes(t, db, "a")
	mustClose(t, db)
	return db.ID()
}

func wantOpenError(t *testing.T, opts kv.Options, want error) {
	t.Helper()
	db, err := kv.Open(opts)
	if err == nil {
		mustClose(t, db)
	}
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func TestReopen(t *testing.T) {
	opts := options(storePath(t))
	id := create(t, opts)
	opts.Buckets = append(opts.Buckets, "later")
	db := open(t, opts)
	if len(id) != 26 || db.ID() != id || db.Path() != opts.Path || !db.WasClean() {
		t.Errorf("id %q then %q, clean %v", id, db.ID(), db.WasClean())
	}
	later := kv.NewBucket("later", 1, kv.Bytes())
	update(t, db, func(tx *kv.Tx) error {
		wantKeys(t, notes.Scan(tx, nil), "a")
		return later.Put(tx, kv.Key("x"), nil)
	})
	view(t, db, func(tx *kv.Tx) error {
		v, err := later.Get(tx, kv.Key("x"))
		if len(v) != 0 {
			t.Errorf("got %q", v)
		}
		return err
	})
}

func TestOptionsAreChecked(t *testing.T) {
	good := options(storePath(t))
	for name, spoil := range map[string]func(*kv.Options){
		"path":   func(o *kv.Options) { o.Path = "" },
		"clock":  func(o *kv.Options) { o.Now = nil },
		"schema": func(o *kv.Options) { o.Schema = 0 },
		"bucket": func(o *kv.Options) { o.Buckets = []string{"kv.meta"} },
	} {
		opts := good
		spoil(&opts)
		if _, err := kv.Open(opts); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// D4: all files are readable by their owner alone, also those that were not.
func TestModesAreTightened(t *testing.T) {
	opts := options(storePath(t))
	create(t, opts)
	for _, suffix := range []string{"", ".lock"} {
		if err := os.Chmod(opts.Path+suffix, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	open(t, opts)
	wantModes(t, filepath.Dir(opts.Path))
}

func wantModes(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLockedNamesTheProcess(t *testing.T) {
	opts := options(storePath(t))
	db := open(t, opts)
	_, err := kv.Open(opts)
	var locked *kv.LockedError
	if !errors.As(err, &locked) || locked.PID != os.Getpid() || locked.Path != opts.Path {
		t.Fatalf("got %v", err)
	}
	if want := fmt.Sprintf("already open in process %d", os.Getpid()); !strings.Contains(err.Error(), want) {
		t.Errorf("%q does not say %q", err, want)
	}
	mustClose(t, db)
	open(t, opts)
}

func TestSchema(t *testing.T) {
	opts := options(storePath(t))
	opts.Schema, opts.Program = 3, "v1.2.0"
	create(t, opts)

	opts.Schema, opts.Program = 2, "v1.1.0"
	_, err := kv.Open(opts)
	var schema *kv.SchemaError
	if !errors.As(err, &schema) || schema.Have != 3 || schema.Want != 2 || !strings.Contains(err.Error(), "use memoria v1.2.0 or a newer one") {
		t.Errorf("newer store: %v", err) // K6: it names the version that reads it
	}
	opts.Schema = 4
	if _, err = kv.Open(opts); !errors.As(err, &schema) || schema.Have != 3 || schema.Want != 4 {
		t.Errorf("older store without migration: %v", err)
	}
	boom := errors.New("boom")
	opts.Migrate = func(tx *kv.Tx, _ uint64) error {
		return errors.Join(notes.Delete(tx, kv.Key("a")), boom)
	}
	wantOpenError(t, opts, boom)
	opts.Migrate = func(tx *kv.Tx, have uint64) error {
		wantKeys(t, notes.Scan(tx, nil), "a") // the failed one left no trace
		return notes.Put(tx, kv.Key("b"), note{N: int(have)})
	}
	db := open(t, opts)
	view(t, db, func(tx *kv.Tx) error {
		n, err := notes.Get(tx, kv.Key("b"))
		if n.N != 3 {
			t.Errorf("migrated from %d", n.N)
		}
		return err
	})
	mustClose(t, db)
	opts.Migrate = nil
	mustClose(t, open(t, opts)) // the new number is stored

	old := opts
	old.Path, old.Schema = opts.Path+".schema3.bak", 3
	view(t, open(t, old), func(tx *kv.Tx) error {
		wantKeys(t, notes.Scan(tx, nil), "a")
		return nil
	})
	wantModes(t, filepath.Dir(opts.Path))
}

// A creation that was cut short at any byte leaves no store, and the next open
// begins anew; only what has the store's own name is ever taken for one.
func TestTornCreation(t *testing.T) {
	whole := options(storePath(t))
	create(t, whole)
	data := read(t, whole.Path)
	for _, n := range []int{0, 1, 4095, 4096, 9000, len(data) - 1} {
		opts := options(storePath(t))
		dir := filepath.Dir(opts.Path)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, opts.Path+".new-123", data[:n])
		write(t, opts.Path+".new-id", []byte("{"))
		open(t, opts)
		if got := fmt.Sprint(files(t, dir)); got != "[memoria.db memoria.db.id memoria.db.lock]" {
			t.Errorf("%d bytes: %s", n, got)
		}
	}
}

// The creation was cut short between the store and its sentinel.
func TestSentinelIsWrittenAgain(t *testing.T) {
	opts := options(storePath(t))
	id := create(t, opts)
	sentinel := read(t, opts.Path+".id")
	remove(t, opts.Path+".id")
	if db := open(t, opts); db.ID() != id {
		t.Errorf("id %q, want %q", db.ID(), id)
	}
	if again := read(t, opts.Path+".id"); string(again) != string(sentinel) {
		t.Errorf("sentinel %q, want %q", again, sentinel)
	}
}

func TestLostStoreIsNotReplaced(t *testing.T) {
	opts := options(storePath(t))
	create(t, opts)
	remove(t, opts.Path)
	wantOpenError(t, opts, kv.ErrMissing)

	write(t, opts.Path, nil)
	wantOpenError(t, opts, kv.ErrMissing)
	remove(t, opts.Path+".id")
	wantOpenError(t, opts, kv.ErrMissing)
	if data := read(t, opts.Path); len(data) != 0 {
		t.Errorf("the empty file now has %d bytes", len(data))
	}
}

func TestForeignStore(t *testing.T) {
	one, other := options(storePath(t)), options(storePath(t))
	create(t, one)
	create(t, other)
	write(t, one.Path, read(t, other.Path))
	wantOpenError(t, one, kv.ErrForeign)
	write(t, one.Path+".id", []byte("{}"))
	wantOpenError(t, one, kv.ErrDamaged)
}

func TestACrashIsToldUntilTheStoreIsClosed(t *testing.T) {
	opts := options(storePath(t))
	create(t, opts)
	if db := open(t, opts); !db.WasClean() {
		t.Error("it was closed")
	} else {
		mustClose(t, db)
	}
	write(t, opts.Path+".lock", []byte("4194304\n")) // what a killed owner leaves
	other := opts
	other.Schema = 0
	if _, err := kv.Open(other); err == nil {
		t.Fatal("opened")
	}
	if db := open(t, opts); db.WasClean() {
		t.Error("the crash was forgotten by a failed open")
	}
}

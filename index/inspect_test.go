package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// inspectAll returns every value in the segments of dir, and the ids of its documents.
func inspectAll(t *testing.T, dir string) (values []string, holders map[string][]string) {
	t.Helper()
	holders = map[string][]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !IsSegment(e.Name()) {
			continue
		}
		err := Inspect(t.Context(), filepath.Join(dir, e.Name()), func(v string, ids func() []string) {
			values = append(values, v)
			holders[v] = append(holders[v], ids()...)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return values, holders
}

// TestInspect checks that the words of a deleted document are found in the files (D2).
func TestInspect(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	ix := mustOpen(t, o)
	batch := Batch{Put: []Document{
		{ID: "first", Words: []string{"pottery", "tea"}, Grams: []string{"陶", "陶艺"}, Labels: []string{"type:goal"}},
		{ID: "second", Words: []string{"chess"}},
	}}
	for n := range 1000 { // a large segment is not merged with that of the deletion
		batch.Put = append(batch.Put, Document{ID: fmt.Sprint("other", n)})
	}
	apply(t, ix, 1, batch)
	apply(t, ix, 2, Batch{Delete: []string{"first"}})
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	values, holders := inspectAll(t, o.Dir)
	for _, want := range []string{"pottery", "tea", "陶艺", "type:goal", "first", "second", "chess"} {
		if !slices.Contains(values, want) {
			t.Errorf("%q is not among the %d values", want, len(values))
		}
	}
	if got := holders["tea"]; !slices.Equal(got, []string{"first"}) {
		t.Errorf("tea is in %q", got)
	}
	if slices.Contains(values, "karate") {
		t.Error("a word that no document had is found")
	}
}

// TestInspectDamaged checks that a damaged segment is an error, never a panic.
func TestInspectDamaged(t *testing.T) {
	dir := t.TempDir()
	ix := mustOpen(t, Options{Dir: dir})
	apply(t, ix, 1, Batch{Put: []Document{{ID: "a", Words: []string{"pottery"}}}})
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"+kindSegment))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		damaged := slices.Clone(whole)
		damaged[at] ^= 0x55
		if err := os.WriteFile(files[0], damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Inspect(t.Context(), files[0], func(string, func() []string) {}); !errors.Is(err, ErrBroken) {
			t.Fatalf("byte %d damaged: the error is %v", at, err)
		}
	}
}

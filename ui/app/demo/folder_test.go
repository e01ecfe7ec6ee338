package demo

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// D4: a demo's folder is its owner's alone. What a killed process left is
// removed with the next one; a folder that is in use, and whatever else is
// called in a similar way, stays.
func TestNewFolder(t *testing.T) {
	parent := t.TempDir()
	gone := exec.Command(os.Args[0], "-test.run=^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	left := fmt.Sprintf("memoria-demo-%d-77", gone.Process.Pid)
	stay := []string{fmt.Sprintf("memoria-demo-%d-78", os.Getpid()), "memoria-demo-x-1", "memoria-demo-1", "other-" + left}
	for _, name := range append(slices.Clone(stay), left) {
		if err := os.MkdirAll(filepath.Join(parent, name, "index"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := NewFolder(parent)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 || !folderName().MatchString(filepath.Base(dir)) {
		t.Errorf("%s: %v, %v", dir, info.Mode(), err)
	}
	var got []string
	entries, err := os.ReadDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	want := append(slices.Clone(stay), filepath.Base(dir))
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
	if _, err := NewFolder(filepath.Join(parent, "missing")); err == nil {
		t.Error("a folder was made where none can be")
	}
}

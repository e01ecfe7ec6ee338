package inspect

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// TestLinks checks that a data folder that is a link is read, and what links in it lead to.
func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right there")
	}
	top := t.TempDir()
	real, notes, link := filepath.Join(top, "real"), filepath.Join(top, "notes"), filepath.Join(top, "data")
	for _, dir := range []string{real, notes} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "memory.md"), []byte("a canary sings"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		link: real, filepath.Join(real, "journal"): notes, filepath.Join(notes, "loop"): real, filepath.Join(real, "gone"): top + "/nothing",
		filepath.Join(real, "copy.md"): filepath.Join(notes, "memory.md"),
	} {
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Search(t.Context(), Options{Dir: link, Words: []string{"canary"}})
	var files []string
	for _, p := range r.Found {
		files = append(files, p.File)
	}
	if want := []string{"copy.md", "journal/memory.md", "memory.md"}; err != nil || !slices.Equal(files, want) {
		t.Errorf("found in %q, want %q, %v", files, want, err)
	}
}

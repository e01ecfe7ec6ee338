package vault

import (
	"os"
	"path/filepath"
	"testing"
)

// A folder in which nothing was ever remembered is not damaged.
func TestCheckOfNothing(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Join(dir, "no such folder")} {
		if r, err := Check(t.Context(), d); err != nil || !r.OK() || r.Repair || len(r.Areas) == 0 {
			t.Errorf("%s: %+v, %v", d, r, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("the check left %v, %v", entries, err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := Check(t.Context(), file); err != nil || r.OK() {
		t.Errorf("a file is a good folder: %+v, %v", r, err)
	}
}

package manager_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// A folder is a data folder that is made once and copied for each test that needs one.
// Its files are held in memory, so that nothing has to be removed at the end.
type folder struct {
	mu    sync.Mutex
	files map[string][]byte // by path within the folder
}

// copy returns a new data folder with the files that fill made when it was called first.
func (f *folder) copy(t *testing.T, fill func(dir string)) (dir string) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.files == nil {
		made := filepath.Join(t.TempDir(), "data")
		fill(made)
		f.files = filesIn(t, made)
	}
	dir = filepath.Join(t.TempDir(), "data")
	for name, b := range f.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func filesIn(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

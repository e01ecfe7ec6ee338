package demo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"memoria/index/text"
)

// folderName is how a throw-away folder is called: the process, then something
// random.
var folderName = text.LazyRegexp(`^memoria-demo-([1-9][0-9]*)-[0-9]+$`)

// NewFolder makes a throw-away folder in parent, which only its owner can enter;
// an empty parent is the system's folder for temporary files. The caller removes
// it. Folders that a process left behind which is gone are removed.
func NewFolder(parent string) (string, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	removeLeft(parent)
	dir, err := os.MkdirTemp(parent, fmt.Sprintf("memoria-demo-%d-*", os.Getpid()))
	if err != nil {
		return "", fmt.Errorf("making the demo's folder: %w", err)
	}
	return dir, nil
}

// removeLeft removes the folders whose process is gone. What cannot be removed,
// such as another user's, stays.
func removeLeft(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return // the folder cannot be made either, which says why
	}
	for _, e := range entries {
		g := folderName().FindStringSubmatch(e.Name())
		if g == nil || !e.IsDir() {
			continue
		}
		if pid, err := strconv.Atoi(g[1]); err == nil && !alive(pid) {
			_ = os.RemoveAll(filepath.Join(parent, e.Name()))
		}
	}
}

// alive reports whether there is such a process; one that is another user's is.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	err = p.Signal(syscall.Signal(0))
	// Windows has no signal 0, but finds only processes that are there.
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}

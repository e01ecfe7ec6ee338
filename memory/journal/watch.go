package journal

import (
	"os"
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// watch watches the journal's folders for changes (J7), and returns a function that stops it.
// Without such a folder, or without system support, the channel is nil; the next search then
// detects edits.
func (j *Journal) watch() (<-chan struct{}, func()) {
	nothing := func() {}
	if !j.Watch {
		return nil, nothing
	}
	if _, err := os.Stat(j.Dir); err != nil {
		return nil, nothing
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		j.log.Info("the system does not tell of edits", "error", err)
		return nil, nothing
	}
	watched := func() {
		for _, dir := range []string{".", recentDir, summaryDir} {
			_ = w.Add(j.disk.file(dir)) // a missing folder is added when it is created
		}
	}
	watched()
	j.edited.Store(true)
	j.told.Store(true)
	out := make(chan struct{}, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case e, ok := <-w.Events:
				if !ok {
					return
				}
				if e.Has(fsnotify.Create) {
					watched()
				}
				if p, err := filepath.Rel(j.Dir, e.Name); err == nil {
					j.mu.Lock()
					j.touched[filepath.ToSlash(p)] = true
					j.mu.Unlock()
				}
				j.edited.Store(true)
				select {
				case out <- struct{}{}:
				default:
				}
			case _, ok := <-w.Errors:
				if !ok {
					return
				}
			}
		}
	}()
	return out, func() {
		j.told.Store(false)
		_ = w.Close()
		<-ended
	}
}

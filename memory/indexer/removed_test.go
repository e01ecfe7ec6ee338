package indexer_test

import (
	"errors"
	"os"
	"testing"

	"memoria/memory/indexer"
)

// An index whose folder is removed while it is in use does not stay "ready": the
// next look or the next change makes it anew.
func TestFolderRemoved(t *testing.T) {
	for name, notice := range map[string]func(*world, *indexer.Follower){
		"status": func(_ *world, f *indexer.Follower) {
			if st := f.Status(); st.State == indexer.StateReady {
				t.Errorf("it is %+v", st)
			}
		},
		"change": func(w *world, _ *indexer.Follower) { w.fill(1) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.fill(20)
			f := w.open(indexer.Recall)
			w.settle(f)
			// Removing its files one by one would race with the index writing new ones.
			if err := os.Rename(w.dir, w.dir+".elsewhere"); err != nil {
				t.Fatal(err)
			}
			notice(w, f)
			w.settle(f)
			if st := f.Status(); st.State != indexer.StateReady {
				t.Errorf("it is %+v", st)
			}
			if _, err := os.Stat(w.dir); errors.Is(err, os.ErrNotExist) {
				t.Error("there is no folder")
			}
			w.wantEqual(f)
		})
	}
}

package indexer_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/store"
)

// A panic while following the feed takes the index out of use and no more: it
// is tried again, and the log has nothing of what the panic said.
func TestFollowerSurvivesAPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.update(func(tx *store.Tx) error {
			return tx.AppendRecord(memory.Record{ID: "R1", AgentID: luna, SessionID: "S1", Role: memory.RoleUser, ContentRef: "content/luna/viola.txt"})
		})
		var log bytes.Buffer
		var broken atomic.Bool
		broken.Store(true)
		f := indexer.Open(indexer.Options{
			Store: w.store, Dir: w.dir, Agent: luna, Kind: indexer.Archive, Logger: slog.New(slog.NewTextHandler(&log, nil)),
			Notify: func() { panic("the viola of whoever watches") },
			Content: func(memory.Record) string {
				if broken.Load() {
					panic("I play the viola")
				}
				return "a viola"
			},
		})
		synctest.Wait()
		if st := f.Status(); st.State != indexer.StateDegraded || st.Reason == "" {
			t.Fatalf("after the panic: %+v", st)
		}
		broken.Store(false)
		time.Sleep(6 * time.Second) // of the bubble: it is tried again after five
		if got := w.hits(f, "viola"); len(got) != 1 {
			t.Errorf("tried again, the index finds %v", got)
		}
		w.close(f)
		if st := f.Status(); st.State != indexer.StateClosed {
			t.Errorf("closed: %+v", st)
		}
		if s := log.String(); !strings.Contains(s, "fault while following the change feed") || strings.Contains(s, "play the viola") || strings.Contains(s, "whoever") {
			t.Errorf("log: %s", s)
		}
		_ = w.store.Close()
	})
}

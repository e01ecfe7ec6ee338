package indexer

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// R4: a rebuild in many batches has every record, and one that is cut off between
// two of them begins again.
func TestRebuildInBatches(t *testing.T) {
	defer func(l batchLimit) { rebuildBatch = l }(rebuildBatch)
	const n = 1050
	for name, limit := range map[string]batchLimit{
		"by documents": {documents: 100, bytes: 1 << 30},
		"by bytes":     {documents: n, bytes: 50_000},
	} {
		t.Run(name, func(t *testing.T) {
			rebuildBatch = limit
			st, want := storeOf(t, n)
			o := Options{Store: st, Dir: t.TempDir(), Agent: "luna", Kind: Archive, Logger: slog.New(slog.DiscardHandler)}
			for range 5 {
				cut := make(chan struct{})
				o.Notify = func() {
					select {
					case <-cut:
					default:
						close(cut)
					}
				}
				f := Open(o)
				<-cut
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}
			}
			o.Notify = nil
			f := Open(o)
			defer func() { _ = f.Close() }()
			if err := f.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
			got, err := f.IDs(t.Context())
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%d of %d records, %v", len(got), len(want), err)
			}
		})
	}
}

// storeOf is a store with n messages, and their ids in order.
func storeOf(t *testing.T, n int) (st *store.Store, ids []string) {
	t.Helper()
	st, err := store.Open(store.Options{
		Path: filepath.Join(t.TempDir(), "memoria.db"), Now: time.Now, Logger: slog.New(slog.DiscardHandler), NoSync: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	err = st.Update(func(tx *store.Tx) error {
		for i := range n {
			ids = append(ids, fmt.Sprintf("R%05d", i))
			r := memory.Record{ID: ids[i], AgentID: "luna", SessionID: "S1", Role: memory.RoleUser, Content: fmt.Sprintf("parcel %d 包裹", i)}
			if err := tx.AppendRecord(r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return st, ids
}

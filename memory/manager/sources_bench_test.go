package manager_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// BenchmarkSources measures what an answer asks of the items' sources: those of the held items,
// the oldest ones, and those that only ended memories were made from. The time must not grow with
// the number of items.
//
//	go test -run xxx -bench Sources ./memory/manager
func BenchmarkSources(b *testing.B) {
	for _, size := range []int{10_000, 100_000} {
		dir, c := b.TempDir(), newClock()
		fillSourced(b, filepath.Join(dir, "memoria.db"), size)
		m := openAt(b, dir, c, nil)
		quoted := []string{"R00001", "R00100", "R01000", "R05000", "R09999"}
		b.Run(fmt.Sprint("held/", size), func(b *testing.B) {
			for b.Loop() {
				if ids, err := recall.HeldSources(b.Context(), m.Recall(), luna); err != nil || len(ids) != heldSources {
					b.Fatal(ids, err)
				}
			}
		})
		b.Run(fmt.Sprint("ended/", size), func(b *testing.B) {
			for b.Loop() {
				if ended, err := recall.EndedSources(b.Context(), m.Recall(), luna, quoted); err != nil || len(ended) != len(quoted) {
					b.Fatal(ended, err)
				}
			}
		})
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// heldSources is as many as an import proposes.
const heldSources = 200

// fillSourced writes items made from a message each, of which the first ones are held.
func fillSourced(b *testing.B, path string, n int) {
	b.Helper()
	st, err := store.Open(store.Options{Path: path, Now: newClock().Now, NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	w, ids := newWriter(1), memory.NewIDs(nil)
	began := time.Now()
	for from := 0; from < n; from += 1000 {
		err := st.Update(func(tx *store.Tx) error {
			for i := from; i < from+1000; i++ {
				at := start.Add(time.Duration(i-n) * time.Minute)
				it := memory.Item{
					ID: ids.New(at), AgentID: luna, Type: memory.Types()[i%8], Key: fmt.Sprint("note/", i), Content: w.sentence(6, 25),
					Confidence: 0.9, Importance: 0.5, CreatedAt: at, UpdatedAt: at, Trust: memory.TrustUser, State: memory.StateActive, Version: 1,
					Evidence: []memory.Evidence{{SessionID: "S", TurnID: fmt.Sprint("T", i), RecordID: fmt.Sprintf("R%05d", i), Length: 20}},
				}
				if i < heldSources {
					it.State = memory.StateHeld
				}
				if err := tx.PutItem(it, ids.New(at), memory.Change{Action: memory.ActionAdded, Time: at}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d items written in %v", n, time.Since(began).Round(time.Millisecond))
	if err := st.Close(); err != nil {
		b.Fatal(err)
	}
}

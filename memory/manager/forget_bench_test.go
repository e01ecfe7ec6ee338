package manager_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// BenchmarkForget measures until the deletion of one memory is acknowledged, durably, in a store
// with 1,000 memories and MEMORIA_STORE_MB megabytes of messages (100 by default; D2 wants less
// than 100 ms in 1,000), beside the smallest durable write, a draft. The index and the journal
// have seen the messages before.
func BenchmarkForget(b *testing.B) {
	size := 100
	if set, err := strconv.Atoi(os.Getenv("MEMORIA_STORE_MB")); err == nil {
		size = set
	}
	dir := filepath.Join(b.TempDir(), "data")
	fillStore(b, dir, 1_000)
	fillMessages(b, dir, size)
	m, err := openReal(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	ctx := context.Background()
	if err := m.Recall().Settle(ctx, luna); err != nil {
		b.Fatal(err)
	}
	if _, err := m.Journals().RunJournal(ctx, luna, nil); err != nil {
		b.Fatal(err)
	}
	items, err := m.Lookup().Remembered(ctx, luna)
	if err != nil {
		b.Fatal(err)
	}
	var deleted, drafted []time.Duration
	for b.Loop() {
		if len(deleted) == len(items) {
			b.Fatal("all memories are deleted: use -benchtime 100x")
		}
		begun := time.Now()
		if _, err := m.DeleteItems(ctx, luna, items[len(deleted)].ID); err != nil {
			b.Fatal(err)
		}
		deleted = append(deleted, time.Since(begun))
		begun = time.Now()
		if err := m.SaveDraft(ctx, luna, memory.Draft{Text: fmt.Sprint("half a ", len(deleted))}); err != nil {
			b.Fatal(err)
		}
		drafted = append(drafted, time.Since(begun))
	}
	for name, all := range map[string][]time.Duration{"delete": deleted, "draft": drafted} {
		slices.Sort(all)
		b.ReportMetric(ms(all[len(all)/2]), name+"-P50-ms")
		b.ReportMetric(ms(all[len(all)*99/100]), name+"-P99-ms")
	}
	b.ReportMetric(0, "ns/op")
}

// fillMessages writes messages of 2,000 bytes to a store.
func fillMessages(b *testing.B, dir string, megabytes int) {
	b.Helper()
	st, err := store.Open(store.Options{
		Path: filepath.Join(dir, "memoria.db"), Now: time.Now, Logger: slog.New(slog.DiscardHandler), NoSync: true,
	})
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	ids, r := memory.NewIDs(nil), rand.New(rand.NewPCG(1, 2))
	words := make([]string, 5_000)
	for i := range words {
		words[i] = strconv.FormatUint(r.Uint64(), 36)[:3+r.IntN(6)]
	}
	for range megabytes {
		err := st.Update(func(tx *store.Tx) error {
			session := memory.Session{ID: ids.New(tx.Now()), AgentID: luna, CreatedAt: tx.Now(), State: memory.SessionActive}
			for range 500 {
				var said strings.Builder
				for said.Len() < 2_000 {
					said.WriteString(words[r.IntN(len(words))] + " ")
				}
				rec := memory.Record{
					ID: ids.New(tx.Now()), AgentID: luna, SessionID: session.ID, TurnID: ids.New(tx.Now()), Role: memory.RoleUser,
					Content: said.String(), Timestamp: tx.Now(), Status: memory.StatusComplete,
				}
				session.LastRecordID, session.LastMessageAt, session.Messages = rec.ID, rec.Timestamp, session.Messages+1
				if err := tx.AppendRecord(rec); err != nil {
					return err
				}
			}
			return tx.PutSession(session)
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

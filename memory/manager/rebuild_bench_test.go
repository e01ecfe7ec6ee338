package manager_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// BenchmarkArchiveRebuild builds the index of an archive while messages are
// looked up in 10,000 items every 20 ms, as typing does. It gives how many
// messages are indexed a second, and how long a look-up takes without and with
// the building beside it.
//
//	MEMORIA_BENCH_RECORDS=200000 go test -run xxx -bench ArchiveRebuild -benchtime 1x ./memory/manager
func BenchmarkArchiveRebuild(b *testing.B) {
	n := 20_000
	if s := os.Getenv("MEMORIA_BENCH_RECORDS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			b.Fatal(err)
		}
	}
	dir := filepath.Join(b.TempDir(), "data")
	fillStore(b, dir, 10_000)
	fillArchive(b, dir, n)
	for b.Loop() {
		if err := os.RemoveAll(filepath.Join(dir, "index", luna, "archive")); err != nil {
			b.Fatal(err)
		}
		m, err := openReal(dir)
		if err != nil {
			b.Fatal(err)
		}
		if err := m.Recall().Settle(b.Context(), luna); err != nil {
			b.Fatal(err)
		}
		w := newWriter(9)
		lookUp := func() time.Duration {
			begun := time.Now()
			res, err := m.Recall().Retrieve(b.Context(), luna, recall.Query{Text: w.sentence(5, 15) + " parcel tea Osaka"})
			if err != nil || res.Degraded != "" {
				b.Fatal(err, res.Degraded)
			}
			return time.Since(begun)
		}
		var alone, beside []time.Duration
		for range 100 {
			alone = append(alone, lookUp())
			time.Sleep(20 * time.Millisecond)
		}
		// Looking something up opens the index; this one does not wait for it.
		ctx, stop := context.WithCancel(b.Context())
		stop()
		if _, err := m.Recall().SearchArchive(ctx, luna, recall.ArchiveQuery{Text: "parcel"}); err == nil {
			b.Fatal("the index is there already")
		}
		begun, built := time.Now(), make(chan error, 1)
		go func() { built <- m.Recall().Settle(b.Context(), luna) }()
		for building := true; building; {
			select {
			case err := <-built:
				if err != nil {
					b.Fatal(err)
				}
				building = false
			case <-time.After(20 * time.Millisecond):
				beside = append(beside, lookUp())
			}
		}
		b.ReportMetric(float64(n)/time.Since(begun).Seconds(), "messages/s")
		for name, took := range map[string][]time.Duration{"alone": alone, "beside": beside} {
			slices.Sort(took)
			b.ReportMetric(ms(took[len(took)/2]), name+"-p50-ms")
			b.ReportMetric(ms(took[len(took)*95/100]), name+"-p95-ms")
		}
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0, "ns/op")
}

// fillArchive writes sessions of 40 messages, n in all.
func fillArchive(b *testing.B, dir string, n int) {
	b.Helper()
	st, err := store.Open(store.Options{Path: filepath.Join(dir, "memoria.db"), Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	w, ids := newWriter(3), memory.NewIDs(nil)
	for done := 0; done < n; {
		err := st.Update(func(tx *store.Tx) error {
			for to := min(n, done+2000); done < to; done++ {
				id := ids.New(tx.Now())
				err := tx.AppendRecord(memory.Record{
					ID: id, AgentID: luna, SessionID: fmt.Sprintf("session-%06d", done/40), TurnID: id, Role: memory.RoleUser,
					Content: w.sentence(10, 60), Timestamp: tx.Now(), Status: memory.StatusComplete,
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

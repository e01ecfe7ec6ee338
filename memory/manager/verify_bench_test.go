package manager_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// BenchmarkAfterCrash measures a start over 10,000 items and 200,000 records:
// after a clean end, after a crash, and what a backup
// of it takes.
func BenchmarkAfterCrash(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "data")
	fillStore(b, dir, 10_000)
	fillRecords(b, dir, 200_000)
	path := filepath.Join(dir, "memoria.db")
	size := int64(0)
	cycle := func(what string, do func(*manager.Manager)) {
		begun := time.Now()
		m, err := manager.Open(context.Background(), manager.Options{
			Dir: dir, Config: write.DefaultConfig(), Now: time.Now,
		})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(ms(time.Since(begun)), what)
		do(m)
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
		if st, err := os.Stat(path); err == nil {
			size = st.Size()
		}
	}
	b.ReportMetric(0, "ns/op")
	for b.Loop() {
		cycle("clean-ms", func(*manager.Manager) {})
		crashed(b, path)
		cycle("crash-ms", func(m *manager.Manager) {
			begun := time.Now()
			if _, err := m.Vault().Backup(context.Background(), nil); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(ms(time.Since(begun)), "backup-ms")
		})
	}
	b.ReportMetric(float64(size)/1e6, "MB")
}

// fillRecords writes n records of about 0.6 KB into a hundred sessions.
func fillRecords(b *testing.B, dir string, n int) {
	b.Helper()
	st, err := store.Open(store.Options{Path: filepath.Join(dir, "memoria.db"), Now: time.Now, Logger: slog.New(slog.DiscardHandler), NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	ids := memory.NewIDs(nil)
	text := strings.Repeat("the green tea went to Osaka ", 20)
	for done := 0; done < n; {
		err := st.Update(func(tx *store.Tx) error {
			for range 5000 {
				r := memory.Record{
					ID: ids.New(tx.Now()), AgentID: luna, SessionID: fmt.Sprintf("S%02d", done%100), TurnID: ids.New(tx.Now()),
					Role: memory.RoleUser, Content: text, Status: memory.StatusComplete, Timestamp: tx.Now(),
				}
				if err := tx.AppendRecord(r); err != nil {
					return err
				}
				done++
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

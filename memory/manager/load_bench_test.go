package manager_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/store"
)

// BenchmarkOpen measures a start with 10,000 items (Q2): until the store is open, until
// the heads are in memory, and until the index answers, both reused and rebuilt. One run
// measures all, so that the ratios hold.
func BenchmarkOpen(b *testing.B) {
	const n = 10_000
	dir := filepath.Join(b.TempDir(), "data")
	fillStore(b, dir, n)
	start := func(ready string) {
		begun := time.Now()
		m, err := openReal(dir)
		if err != nil {
			b.Fatal(err)
		}
		defer m.Close()
		opened := time.Since(begun)
		if err := m.Recall().Load(luna); err != nil {
			b.Fatal(err)
		}
		if got := m.Loaded(luna); got != n {
			b.Fatalf("%d heads", got)
		}
		loaded := time.Since(begun)
		if err := m.Recall().Settle(context.Background(), luna); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(ms(opened), "open-ms")
		b.ReportMetric(ms(loaded), "heads-ms")
		b.ReportMetric(ms(time.Since(begun)), ready)
	}
	b.ReportMetric(0, "ns/op")
	for b.Loop() {
		if err := os.RemoveAll(filepath.Join(dir, "index")); err != nil {
			b.Fatal(err)
		}
		start("rebuilt-ms")
		start("index-ms")
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// fillStore writes n items of two languages in one transaction.
func fillStore(b *testing.B, dir string, n int) {
	b.Helper()
	fillWith(b, dir, n, func(i int) (key, content string) {
		return fmt.Sprintf("note/%d", i), fmt.Sprintf("Parcel number %d went to Osaka with the green tea, 第%d号包裹在书架上", i, i)
	})
}

// fillWith fills a new store with n items.
func fillWith(b *testing.B, dir string, n int, words func(i int) (key, content string)) {
	b.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	st, err := store.Open(store.Options{Path: filepath.Join(dir, "memoria.db"), Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	ids := memory.NewIDs(nil)
	err = st.Update(func(tx *store.Tx) error {
		for i := range n {
			key, content := words(i)
			it := memory.Item{
				ID: ids.New(tx.Now()), AgentID: luna, Type: memory.TypeFact, Key: key, Content: content,
				Confidence: 0.9, Importance: 0.5, Source: memory.SourceUserStated, Origin: memory.OriginUser,
				State: memory.StateActive, CreatedAt: tx.Now(), UpdatedAt: tx.Now(), Trust: memory.TrustUser, Version: 1,
			}
			if err := tx.PutItem(it, ids.New(tx.Now()), memory.Change{Action: memory.ActionAdded}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkTurn measures each write of a turn beside the smallest durable write
// there is, a draft, with 10,000 items in the store.
func BenchmarkTurn(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "data")
	fillStore(b, dir, 10_000)
	m, err := openReal(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	ctx := context.Background()
	if err := m.Recall().Settle(ctx, luna); err != nil {
		b.Fatal(err)
	}
	var spent [6]time.Duration
	part := func(i int, fn func() error) {
		begun := time.Now()
		if err := fn(); err != nil {
			b.Fatal(err)
		}
		spent[i] += time.Since(begun)
	}
	session, n := "", 0
	for b.Loop() {
		n++
		var in memory.Record
		var turn manager.Turn
		part(0, func() error { return m.SaveDraft(ctx, luna, memory.Draft{Text: fmt.Sprint("half a ", n)}) })
		part(1, func() (err error) {
			in, err = m.KeepIncoming(ctx, luna, "Where did parcel 77 with the green tea go?", nil, "")
			return err
		})
		part(2, func() (err error) {
			turn, err = m.BeginTurn(ctx, luna, in.ID, manager.Place{SessionID: session})
			return err
		})
		session = turn.Session.ID
		part(3, func() error {
			_, err := m.SavePackage(ctx, memory.Package{
				AgentID: luna, SessionID: session, TurnID: turn.Record.TurnID, Blocks: []memory.Block{{
					Layer: memory.LayerMessage, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: in.ID}},
				}},
			}, nil)
			return err
		})
		part(4, func() error {
			_, err := m.FinishTurn(ctx, memory.Record{
				AgentID: luna, SessionID: session, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant,
				Content: "To Osaka.", Status: memory.StatusComplete,
			}, true)
			return err
		})
		part(5, func() error { return m.Learning().Learn(ctx, luna, nil) })
	}
	for i, name := range []string{"draft", "KeepIncoming", "BeginTurn", "SavePackage", "FinishTurn", "Learn"} {
		each := float64(spent[i].Microseconds()) / float64(n)
		b.ReportMetric(each, name+"-µs")
	}
}

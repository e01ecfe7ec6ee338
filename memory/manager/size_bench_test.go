package manager_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// fillSessions writes sessions of so many messages each into a new store, and
// items that came from the first session, and opens it.
func fillSessions(b *testing.B, sessions, messages, items int) (*manager.Manager, []string) {
	b.Helper()
	dir, c := filepath.Join(b.TempDir(), "data"), newClock()
	m := openAt(b, dir, c, nil)
	if err := m.Close(); err != nil {
		b.Fatal(err)
	}
	st, err := store.Open(store.Options{Path: filepath.Join(dir, "memoria.db"), Now: c.Now, NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	ids, names := memory.NewIDs(nil), []string{}
	at := start.AddDate(0, 0, -30)
	step := 30 * 24 * time.Hour / time.Duration(sessions*messages+items+1)
	for i := range sessions {
		err := st.Update(func(tx *store.Tx) error {
			s := memory.Session{
				ID: ids.New(at), AgentID: luna, State: memory.SessionArchived, Title: fmt.Sprint("session ", i),
				CreatedAt: at, LastMessageAt: at, Messages: messages, Turns: messages / 2,
			}
			names = append(names, s.ID)
			turn := ""
			for j := range messages {
				at = at.Add(step)
				r := memory.Record{
					ID: ids.New(at), AgentID: luna, SessionID: s.ID, Role: memory.RoleUser, Status: memory.StatusComplete, Timestamp: at,
					Content: fmt.Sprintf("Message %d of %d: %s", j, i, strings.Repeat("parcels on shelves 包裹 ", 12)),
				}
				if j%2 == 0 {
					turn = ids.New(at)
				}
				r.TurnID = turn
				if err := tx.AppendRecord(r); err != nil {
					return err
				}
				if j%2 > 0 {
					continue
				}
				p := memory.Package{AgentID: luna, SessionID: s.ID, TurnID: turn, Turn: j/2 + 1}
				for k := range 12 {
					p.Blocks = append(p.Blocks, memory.Block{Layer: memory.LayerWindow, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: fmt.Sprint(r.ID, k)}}})
				}
				if err := tx.PutPackage(p); err != nil {
					return err
				}
				if err := tx.PutWorking(luna, memory.Working{SessionID: s.ID, TurnCount: j/2 + 1}); err != nil {
					return err
				}
			}
			return tx.PutSession(s)
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	for i := 0; i < items; i += 1000 {
		err := st.Update(func(tx *store.Tx) error {
			for j := i; j < min(i+1000, items); j++ {
				at = at.Add(step)
				it := memory.Item{
					ID: ids.New(at), AgentID: luna, Type: memory.TypePreference, Key: fmt.Sprint("preference/", j), Title: fmt.Sprint("tea ", j),
					Content: fmt.Sprintf("Likes tea number %d with lemon and honey.", j), Confidence: 0.9, Importance: 0.5, State: memory.StateActive,
					CreatedAt: at, UpdatedAt: at, LastConfirmedAt: at, Version: 1, Trust: memory.TrustUser,
					Evidence: []memory.Evidence{{SessionID: "S", TurnID: fmt.Sprint("T", j), RecordID: "R", Length: 20}}, Tags: []string{"preference"},
				}
				if err := tx.PutItem(it, ids.New(at), memory.Change{Action: memory.ActionAdded, Reason: "said so", TurnID: fmt.Sprint("T", j), Time: at}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		b.Fatal(err)
	}
	m = openAt(b, dir, c, nil)
	if err := m.Recall().Settle(b.Context(), luna); err != nil {
		b.Fatal(err)
	}
	return m, names
}

// D2: deleting a session of 2,000 messages, and taking it back.
func BenchmarkDeleteSession(b *testing.B) {
	m, sessions := fillSessions(b, 10, 2000, 10_000)
	var deleting, back time.Duration
	for b.Loop() {
		begin := time.Now()
		d, err := m.DeleteSession(b.Context(), luna, sessions[4], true)
		if err != nil {
			b.Fatal(err)
		}
		deleting += time.Since(begin)
		begin = time.Now()
		if _, err := m.UndoDeletion(b.Context(), luna, d.ID); err != nil {
			b.Fatal(err)
		}
		back += time.Since(begin)
	}
	b.ReportMetric(float64(deleting.Milliseconds())/float64(b.N), "delete-ms/op")
	b.ReportMetric(float64(back.Milliseconds())/float64(b.N), "back-ms/op")
}

// L6: clearing 10,000 items, and taking that back.
func BenchmarkClearItems(b *testing.B) {
	m, _ := fillSessions(b, 1, 2, 10_000)
	var clearing, back time.Duration
	for b.Loop() {
		begin := time.Now()
		d, err := m.ClearItems(b.Context(), luna)
		if err != nil {
			b.Fatal(err)
		}
		clearing += time.Since(begin)
		begin = time.Now()
		if _, err := m.UndoDeletion(b.Context(), luna, d.ID); err != nil {
			b.Fatal(err)
		}
		back += time.Since(begin)
	}
	b.ReportMetric(float64(clearing.Milliseconds())/float64(b.N), "clear-ms/op")
	b.ReportMetric(float64(back.Milliseconds())/float64(b.N), "back-ms/op")
}

// Counting over 200,000 messages and 10,000 items of the last 30 days.
func BenchmarkHealth(b *testing.B) {
	m, _ := fillSessions(b, 100, 2000, 10_000)
	for b.Loop() {
		h, err := m.Lookup().Health(b.Context(), luna, 31)
		if err != nil {
			b.Fatal(err)
		}
		if h.Records != 200_000 {
			b.Fatalf("%d records", h.Records)
		}
	}
}

// A4: searching sessions in 200,000 messages, by a word in all of them and by a rare one.
func BenchmarkFindSessions(b *testing.B) {
	m, _ := fillSessions(b, 100, 2000, 0)
	find := func(b *testing.B, text string) {
		for b.Loop() {
			if _, err := m.Recall().FindSessions(b.Context(), luna, recall.ArchiveQuery{Text: text}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("building", func(b *testing.B) { find(b, "shelves") })
	if err := m.Recall().Settle(b.Context(), luna); err != nil {
		b.Fatal(err)
	}
	b.Run("common", func(b *testing.B) { find(b, "包裹 on shelves") })
	b.Run("rare", func(b *testing.B) { find(b, "1999 of 77") })
}

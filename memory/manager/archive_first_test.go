package manager_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// appendMessages writes n messages of one session past the manager, so that an index
// that was built before has to catch up.
func appendMessages(t *testing.T, dir string, n int) {
	t.Helper()
	st, err := store.Open(store.Options{
		Path: filepath.Join(dir, "memoria.db"), Now: time.Now, Logger: slog.New(slog.DiscardHandler), NoSync: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	ids := memory.NewIDs(nil)
	err = st.Update(func(tx *store.Tx) error {
		session := memory.Session{
			ID: ids.New(tx.Now()), AgentID: luna, Title: "Parcels", State: memory.SessionArchived, CreatedAt: tx.Now(),
		}
		for i := range n {
			r := memory.Record{
				ID: ids.New(tx.Now()), AgentID: luna, SessionID: session.ID, Role: memory.RoleUser,
				Content:   fmt.Sprintf("Parcel number %d went to Osaka by train, 第%d号包裹", i, i),
				Timestamp: tx.Now(), Status: memory.StatusComplete,
			}
			if err := tx.AppendRecord(r); err != nil {
				return err
			}
		}
		return tx.PutSession(session)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// R4: the first search after a start waits for the index that is opening and
// catching up. It finds everything and is not degraded.
func TestFirstSearch(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	q := recall.ArchiveQuery{Text: "train 包裹", Limit: 5}
	m := openAt(t, dir, c, nil)
	say(t, m, luna, "", "hello there")
	must(m.Recall().SearchArchive(t.Context(), luna, q))(t) // opens the index
	if err := m.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, search := range []struct {
		name string
		run  func(m *manager.Manager) (found int, degraded string)
	}{
		{"messages", func(m *manager.Manager) (int, string) {
			page := must(m.Recall().SearchArchive(t.Context(), luna, q))(t)
			return page.Total, page.Degraded
		}},
		{"sessions", func(m *manager.Manager) (found int, degraded string) {
			page := must(m.Recall().SearchSessions(t.Context(), luna, q))(t)
			for _, s := range page.Sessions {
				found += s.Total
			}
			return found, page.Degraded
		}},
	} {
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		const more = 1000
		appendMessages(t, dir, more)
		total += more
		m = openAt(t, dir, c, nil)
		if found, degraded := search.run(m); found != total || degraded != "" {
			t.Errorf("%s: %d of %d found, degraded %q", search.name, found, total, degraded)
		}
	}
}

// R4: a search that the index could not answer says that its result may be
// incomplete.
func TestSearchWithoutIndex(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	said, _ := say(t, m, luna, "", "我们下周去大阪旅行")
	path := filepath.Join(dir, "index", luna, "archive")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("in the way"), 0o600); err != nil {
		t.Fatal(err)
	}
	page := must(m.Recall().SearchArchive(t.Context(), luna, recall.ArchiveQuery{Text: "旅行"}))(t)
	if len(page.Hits) != 1 || page.Hits[0].Record.ID != said.Record.ID || page.Degraded == "" {
		t.Errorf("messages: %+v", page)
	}
	sessions := must(m.Recall().SearchSessions(t.Context(), luna, recall.ArchiveQuery{Text: "旅行"}))(t)
	if len(sessions.Sessions) != 1 || sessions.Sessions[0].Session.ID != said.Session.ID || sessions.Degraded == "" {
		t.Errorf("sessions: %+v", sessions)
	}
}

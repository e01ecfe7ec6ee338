package manager_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/store"
)

// W1, W2, W3: working memory begins with the first message and counts.
func TestWorkingMemory(t *testing.T) {
	m, _ := open(t)
	turn, _ := say(t, m, luna, "", "Let's plan the trip to Osaka")
	w := must(m.Lookup().Working(t.Context(), luna, turn.Session.ID))(t)
	if w.TurnCount != 1 || w.SessionID != turn.Session.ID || !w.CreatedAt.Equal(turn.Working.UpdatedAt) {
		t.Errorf("after the first message: %+v", w)
	}
	say(t, m, luna, turn.Session.ID, "Which hotel in Osaka is good?")
	w2 := must(m.Lookup().Working(t.Context(), luna, turn.Session.ID))(t)
	if w2.TurnCount != 2 || !w2.UpdatedAt.After(w.UpdatedAt) || w2.CurrentTopic != "Osaka" {
		t.Errorf("after the second: %+v", w2)
	}
}

func TestRecover(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	ctx := t.Context()
	in := must(m.KeepIncoming(ctx, luna, "I like oolong tea", nil, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	if err := m.SavePartial(ctx, memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "Oolong is",
	}); err != nil {
		t.Fatal(err)
	}
	must(m.KeepIncoming(ctx, luna, "and coffee", nil, ""))(t)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, nil)
	cut := must(m.Recover(ctx, luna))(t)
	if len(cut) != 1 || cut[0].Content != "Oolong is" || cut[0].Status != memory.StatusInterrupted {
		t.Errorf("recovered %+v", cut)
	}
	if again := must(m.Recover(ctx, luna))(t); len(again) != 0 {
		t.Errorf("recovered twice: %+v", again)
	}
	left := must(m.Lookup().Incoming(ctx, luna))(t)
	if len(left) != 1 || left[0].Content != "and coffee" {
		t.Errorf("incoming: %+v", left)
	}
	records := must(m.Lookup().Records(ctx, luna, turn.Session.ID))(t)
	if len(records) != 2 || records[1].ParentID != records[0].ID {
		t.Errorf("records: %+v", records)
	}
	if err := m.Learning().Learn(ctx, luna, nil); err != nil {
		t.Fatal(err)
	}
	if page := must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{}))(t); page.Total != 1 {
		t.Errorf("the cut turn taught %v", contents(page.Items))
	}
}

func TestLongContent(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	long := strings.Repeat("很长的话 ", 60_000)
	in := must(m.KeepIncoming(t.Context(), luna, long, nil, ""))(t)
	turn := must(m.BeginTurn(t.Context(), luna, in.ID, manager.Place{}))(t)
	if turn.Record.Content != long {
		t.Error("the content did not come back")
	}
	r := must(m.Lookup().Record(t.Context(), luna, in.ID))(t)
	if r.Content != long || r.ContentRef == "" {
		t.Errorf("content_ref is %q, %d bytes", r.ContentRef, len(r.Content))
	}
	path := filepath.Join(dir, filepath.FromSlash(r.ContentRef))
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("file: %v, %v", st, err)
	}
	dropped := must(m.KeepIncoming(t.Context(), luna, long, nil, ""))(t)
	must(m.DropIncoming(t.Context(), luna, dropped.ID))(t)
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 {
		t.Errorf("%d files are left, %v", len(files), err)
	}
}

// TestForgedContentRef checks that a store that was changed, such as that of a backup, has no
// other file read as a message, or removed with one.
func TestForgedContentRef(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	m := openAt(t, dir, newClock(), nil)
	secret := filepath.Join(dir, "secret.txt")
	if err := os.WriteFile(secret, []byte("canary"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{"../data/secret.txt", "secret.txt", "content/../secret.txt", secret} {
		in := must(m.KeepIncoming(t.Context(), luna, "hello", nil, ""))(t)
		in.Content, in.ContentRef = "", ref
		if err := m.Store.Update(func(tx *store.Tx) error { return tx.PutIncoming(in) }); err != nil {
			t.Fatal(err)
		}
		if turn := must(m.BeginTurn(t.Context(), luna, in.ID, manager.Place{}))(t); strings.Contains(turn.Record.Content, "canary") {
			t.Errorf("%s was read", ref)
		}
		in.ID = must(m.KeepIncoming(t.Context(), luna, "hello", nil, ""))(t).ID
		if err := m.Store.Update(func(tx *store.Tx) error { return tx.PutIncoming(in) }); err != nil {
			t.Fatal(err)
		}
		must(m.DropIncoming(t.Context(), luna, in.ID))(t)
		if _, err := os.Stat(secret); err != nil {
			t.Fatalf("%s was removed", ref)
		}
	}
}

func TestDraft(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	if err := m.SaveDraft(t.Context(), luna, memory.Draft{Text: "half a 句子"}); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, nil)
	if d := must(m.Lookup().Draft(t.Context(), luna))(t); d.Text != "half a 句子" {
		t.Errorf("draft is %q", d.Text)
	}
	if err := m.SaveDraft(t.Context(), luna, memory.Draft{}); err != nil {
		t.Fatal(err)
	}
	if d := must(m.Lookup().Draft(t.Context(), luna))(t); d.Text != "" {
		t.Errorf("draft is %q", d.Text)
	}
}

package manager_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/vault"
)

// backedUp writes a backup of an open memory.
func backedUp(t *testing.T, m *manager.Manager) []byte {
	t.Helper()
	var out bytes.Buffer
	must(m.Vault().WriteBackup(t.Context(), &out, nil))(t)
	return out.Bytes()
}

func prepare(t *testing.T, dir string, backup []byte) (*vault.Restoration, error) {
	t.Helper()
	return vault.PrepareRestore(t.Context(), dir, bytes.NewReader(backup), int64(len(backup)), newClock().Now)
}

// TestBackupFile checks that a backup of a running memory comes back in another folder with
// its long messages, and that a backup in the same folder comes back without what was deleted
// since (D2).
func TestBackupFile(t *testing.T) {
	dir := t.TempDir()
	m := openAt(t, dir, newClock(), nil)
	long := strings.Repeat("a long message ", memory.MaxContent/15+1)
	must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Plays the cello"}))(t)
	gone := must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Owns a Stradivarius"}))(t)
	turn, _ := say(t, m, luna, "", long)
	backup := backedUp(t, m)
	must(m.DeleteItems(t.Context(), luna, gone.ID))(t)
	must(m.DeleteSession(t.Context(), luna, turn.Session.ID, true))(t)
	if _, err := prepare(t, dir, backup); !errors.As(err, new(*vault.LockedError)) {
		t.Errorf("restoring into an open folder: %v", err)
	}
	if err := m.Trash().Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}

	r := must(prepare(t, dir, backup))(t)
	if r.Items != 1 || r.Messages != 0 {
		t.Errorf("prepared: %+v", r)
	}
	kept := must(r.Apply())(t)
	if _, err := os.Stat(filepath.Join(kept, vault.StoreFile)); err != nil {
		t.Error(err)
	}
	m = openAt(t, dir, newClock(), nil)
	if got := contents(must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true}))(t).Items); len(got) != 1 || got[0] != "Plays the cello" {
		t.Errorf("restored: %v", got)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "content", luna, "*.txt")); len(left) > 0 {
		t.Errorf("deleted long messages came back: %q", left)
	}

	other := filepath.Join(t.TempDir(), "new")
	if kept := must(must(prepare(t, other, backup))(t).Apply())(t); kept != "" {
		t.Errorf("an empty folder was kept as %s", kept)
	}
	m = openAt(t, other, newClock(), nil)
	records := must(m.Lookup().Records(t.Context(), luna, turn.Session.ID))(t)
	if len(records) == 0 || records[0].Content != long {
		t.Errorf("%d messages are back", len(records))
	}
	if got := recalled(t, m, luna, "Stradivarius"); len(got) != 1 {
		t.Errorf("recalled in another folder: %v", contents(got))
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	entries := must(os.ReadDir(other))(t)
	for _, e := range entries {
		if strings.Contains(e.Name(), "restoring") || strings.Contains(e.Name(), "salvage") {
			t.Errorf("%s is left over", e.Name())
		}
	}
}

// TestBackupFileHasNoTrash checks that a backup has nothing that can still be undone: it is
// out of reach when the undo time ends.
func TestBackupFileHasNoTrash(t *testing.T) {
	m, _ := open(t)
	it := must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Owns a Stradivarius"}))(t)
	d := must(m.DeleteItems(t.Context(), luna, it.ID))(t)
	backup := backedUp(t, m)
	z := must(zip.NewReader(bytes.NewReader(backup), int64(len(backup))))(t)
	f := must(z.Open(vault.StoreFile))(t)
	var db bytes.Buffer
	must(db.ReadFrom(f))(t)
	if bytes.Contains(db.Bytes(), []byte("Stradivarius")) {
		t.Error("the deleted memory is in the backup")
	}
	if _, err := m.UndoDeletion(t.Context(), luna, d.ID); err != nil {
		t.Error(err)
	}
}

// TestDamagedBackupFile checks that no damage of a backup is restored, or changes anything.
func TestDamagedBackupFile(t *testing.T) {
	m, c := open(t)
	must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Plays the cello"}))(t)
	backup := backedUp(t, m)
	dir := t.TempDir()
	other := openAt(t, dir, c, nil)
	must(other.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Plays chess"}))(t)
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	before := must(os.ReadFile(filepath.Join(dir, vault.StoreFile)))(t)
	step := 1 + len(backup)/60
	for at := 0; at < len(backup); at += step {
		damaged := bytes.Clone(backup)
		damaged[at] ^= 0x55
		for name, b := range map[string][]byte{"changed": damaged, "cut": backup[:at]} {
			r, err := prepare(t, dir, b)
			if err == nil { // a byte without meaning, such as a time
				if r.Items != 1 {
					t.Errorf("%s at %d: %+v", name, at, r)
				}
				if err := r.Discard(); err != nil {
					t.Error(err)
				}
			} else if !errors.Is(err, vault.ErrNoBackup) && !errors.Is(err, vault.ErrNewer) {
				t.Errorf("%s at %d: %v", name, at, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := vault.PrepareRestore(ctx, dir, bytes.NewReader(backup), int64(len(backup)), newClock().Now); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if now := must(os.ReadFile(filepath.Join(dir, vault.StoreFile)))(t); !bytes.Equal(now, before) {
		t.Error("the store was changed")
	}
	for _, e := range must(os.ReadDir(dir))(t) {
		if strings.HasPrefix(e.Name(), "restoring-") || strings.Contains(e.Name(), ".new-") {
			t.Errorf("%s is left over", e.Name())
		}
	}
}

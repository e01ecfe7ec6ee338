package manager_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/vault"
)

// A program that runs for weeks makes a backup a day, not before the start is
// over, and keeps as many as it should, each of them whole and private (D4).
func TestAutomaticBackups(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	synctest.Test(t, func(t *testing.T) {
		m, err := manager.Open(t.Context(), manager.Options{
			Dir: dir, Config: write.DefaultConfig(), Now: time.Now, Backup: vault.DefaultConfig(),
		})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if all := must(vault.Backups(m.Vault().Dir()))(t); len(all) != 0 {
			t.Errorf("an empty memory has %d backups", len(all))
		}
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Plays the cello"}))(t)
		time.Sleep(40 * 24 * time.Hour)
		synctest.Wait()
		all := must(vault.Backups(m.Vault().Dir()))(t)
		if len(all) < 6 || len(all) > 7 || time.Since(all[0].Time) > 26*time.Hour {
			t.Errorf("after forty days: %v", all)
		}
		st := must(m.Lookup().Status(t.Context(), luna))(t)
		if st.Backup == nil || st.Backup.Path != all[0].Path || st.BackupError != "" {
			t.Errorf("status: %+v", st)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	})
	wantBackups(t, dir)
}

// wantBackups wants nothing but whole backups, for the owner alone.
func wantBackups(t *testing.T, dir string) []vault.Backup {
	t.Helper()
	all := must(vault.Backups(dir))(t)
	folder := filepath.Join(dir, "backups")
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || len(entries) != len(all) {
		t.Errorf("%d files for %d backups, %v", len(entries), len(all), err)
	}
	for _, b := range all {
		if err := vault.Verify(t.Context(), b.Path); err != nil {
			t.Error(err)
		}
		if st, err := os.Stat(b.Path); err != nil || st.Mode().Perm() != 0o600 || st.Size() != b.Bytes {
			t.Errorf("%s: %v, %v", b.Path, st.Mode(), err)
		}
	}
	return all
}

// A backup that is cancelled, or that an earlier process died over, leaves
// nothing behind.
func TestNoHalfBackups(t *testing.T) {
	m, c := open(t)
	must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Plays the cello"}))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Vault().Backup(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	done := int64(-1)
	b := must(m.Vault().Backup(t.Context(), func(d, total int64) { done = total - d }))(t)
	if done != 0 {
		t.Errorf("progress ends %d bytes before the end", done)
	}
	all := wantBackups(t, m.Vault().Dir())
	if len(all) != 1 || all[0] != b || b.Kind != vault.BackupManual {
		t.Errorf("backups: %v, made %v", all, b)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Base(b.Path) + ".unchecked", "memoria.db.new-1", "x.unchecked.new-77"} {
		if err := os.WriteFile(filepath.Join(m.Vault().Dir(), "backups", name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if all := must(vault.Backups(m.Vault().Dir()))(t); len(all) != 1 {
		t.Errorf("halves are listed: %v", all)
	}
	if err := os.Mkdir(filepath.Join(m.Vault().Dir(), "backups", "rewriting-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		m, err := manager.Open(t.Context(), manager.Options{Dir: m.Vault().Dir(), Config: write.DefaultConfig(), Now: c.Now})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	})
	wantBackups(t, m.Vault().Dir())
}

// D2: what was deleted for good is in no backup any more, what can still be
// taken back is in all, and backups stay what they were otherwise.
func TestBackupsForget(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	const secret, other = "Stradivarius", "Guadagnini"
	holding := func(word string) (n int) {
		for _, b := range wantBackups(t, dir) {
			if data, err := os.ReadFile(b.Path); err != nil {
				t.Error(err)
			} else if bytes.Contains(data, []byte(word)) {
				n++
			}
		}
		return n
	}
	synctest.Test(t, func(t *testing.T) {
		m, err := manager.Open(t.Context(), manager.Options{
			Dir: dir, Config: write.DefaultConfig(), Now: time.Now, Backup: vault.DefaultConfig(),
		})
		if err != nil {
			t.Fatal(err)
		}
		item := must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Owns a " + secret}))(t)
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Sold a " + other}))(t)
		turn, _ := say(t, m, luna, "", "Tell me about my "+secret+" please")
		time.Sleep(49 * time.Hour)
		synctest.Wait()
		before := must(vault.Backups(m.Vault().Dir()))(t)
		if len(before) < 2 || holding(secret) != len(before) {
			t.Fatalf("%d of %d backups have the words", holding(secret), len(before))
		}
		must(m.DeleteItems(t.Context(), luna, item.ID))(t)
		must(m.DeleteSession(t.Context(), luna, turn.Session.ID, true))(t)
		time.Sleep(5 * time.Second) // it can still be taken back
		synctest.Wait()
		if holding(secret) != len(before) {
			t.Error("a backup forgot what can still be taken back")
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		after := must(vault.Backups(m.Vault().Dir()))(t)
		if len(after) != len(before) || holding(secret) != 0 || holding(other) != len(after) {
			t.Errorf("of %d backups %d have the deleted words and %d the others", len(after), holding(secret), holding(other))
		}
		if st := must(m.Lookup().Status(t.Context(), luna))(t); st.BackupError != "" {
			t.Error(st.BackupError)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	})
	// And one that is restored is a whole memory without it.
	all := wantBackups(t, dir)
	must(vault.Restore(t.Context(), dir, all[0], newClock().Now))(t)
	m := openAt(t, dir, newClock(), nil)
	if got := contents(must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true}))(t).Items); len(got) != 1 || !strings.Contains(got[0], other) {
		t.Errorf("restored: %v", got)
	}
	st := must(m.Lookup().Status(t.Context(), luna))(t)
	if st.Items != 1 || st.Sessions != 0 || st.Records != 0 {
		t.Errorf("counted: %+v", st)
	}
}

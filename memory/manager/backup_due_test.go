package manager_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/vault"
)

// K3: who uses the memory by commands alone, once a day, has a backup of each of the last
// days; when there is no time for one that is said, and nothing is left behind; and what
// a killed one left is gone with the next open.
func TestBackupsOfCommands(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	c := newClock()
	day := func(within time.Duration) (due bool) {
		t.Helper()
		m := must(manager.Open(t.Context(), manager.Options{Dir: dir, Config: write.DefaultConfig(), Now: c.Now, Backup: vault.DefaultConfig(), NoSync: true}))(t)
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Met Sora on " + c.Now().Format(time.DateOnly)}))(t)
		due = must(m.Vault().BackupIfDue(t.Context(), within))(t)
		if again := must(m.Vault().BackupIfDue(t.Context(), within))(t); again != due {
			t.Errorf("due at first %t, then %t", due, again)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		c.Add(25 * time.Hour)
		return due
	}
	for n := range 8 {
		if day(time.Minute) {
			t.Errorf("day %d: a backup is due", n)
		}
		all := must(vault.Backups(dir))(t)
		if age := c.Now().Sub(all[0].Time); age > 26*time.Hour {
			t.Errorf("day %d: the newest is %s old", n, age)
		}
	}
	all := must(vault.Backups(dir))(t)
	if len(all) < 3 || len(all) > 7 {
		t.Errorf("%d are kept", len(all))
	}
	left := filepath.Join(dir, "backups", "memoria-20260301T120000.000Z-auto.db.unchecked")
	if err := os.WriteFile(left, []byte("words that were deleted later"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !day(time.Nanosecond) {
		t.Error("nobody has that little time")
	}
	files := must(os.ReadDir(filepath.Join(dir, "backups")))(t)
	if len(files) != len(all) {
		t.Errorf("%d files beside %d backups", len(files), len(all))
	}
}

package manager_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/vault"
)

var livedFolder folder

// lived returns a copy of a data folder with a backup, a message that is too long
// for the store and newer than the backup, and an index.
func lived(t *testing.T) (dir string) {
	t.Helper()
	return livedFolder.copy(t, func(dir string) { makeLived(t, dir) })
}

func makeLived(t *testing.T, dir string) {
	t.Helper()
	c := newClock()
	m := openAt(t, dir, c, nil)
	must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Plays the cello"}))(t)
	must(m.Vault().Backup(t.Context(), nil))(t)
	c.Add(time.Hour)
	say(t, m, luna, "", strings.Repeat("a long message ", memory.MaxContent/15+1))
	recalled(t, m, luna, "cello")
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
}

// A store that is empty, cut, overwritten or gone is never taken for a first
// start and never touched; the error names the backup and the command, and
// restoring gives the memory back and keeps what was there.
func TestLostStoreIsRestored(t *testing.T) {
	noRace(t)
	for name, damage := range map[string]func(b []byte) []byte{
		"empty":     func([]byte) []byte { return []byte{} },
		"cut":       func(b []byte) []byte { return b[:9*4096] },
		"zeroed":    func(b []byte) []byte { return make([]byte, len(b)) },
		"pages":     func(b []byte) []byte { clear(b[2*4096 : 8*4096]); return b },
		"something": func([]byte) []byte { return []byte("not a store at all") },
		"missing":   func([]byte) []byte { return nil },
		"all gone":  func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "pages" && name != "all gone" {
				t.Skip("one damage of each sort is enough for the race detector")
			}
			dir := lived(t)
			path := filepath.Join(dir, "memoria.db")
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if b = damage(b); b == nil {
				err = os.Remove(path)
				if name == "all gone" {
					err = errors.Join(err, os.Remove(path+".id"), os.Remove(path+".lock"))
				}
			} else {
				err = os.WriteFile(path, b, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			_, err = openReal(dir)
			var lost *vault.LostError
			if !errors.As(err, &lost) || lost.Backup == nil || !strings.Contains(err.Error(), vault.RepairCommand) {
				t.Fatalf("opening: %v", err)
			}
			if now, err := os.ReadFile(path); !bytes.Equal(now, b) || (err == nil) != (b != nil) {
				t.Errorf("the damaged file was touched: %v", err)
			}
			report := must(vault.Check(t.Context(), dir))(t)
			if report.OK() || !report.Repair || report.Good == nil || report.Good.Path != lost.Backup.Path {
				t.Errorf("report: %+v", report)
			}
			wantRestored(t, dir, *report.Good, b)
		})
	}
}

func wantRestored(t *testing.T, dir string, b vault.Backup, damaged []byte) {
	t.Helper()
	aside := must(vault.Restore(t.Context(), dir, b, newClock().Now))(t)
	for range 2 { // orphans are looked for at each start
		m, err := openReal(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := recalled(t, m, luna, "cello"); len(got) != 1 || got[0].Content != "Plays the cello" {
			t.Errorf("recalled after restoring: %v", contents(got))
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := os.ReadFile(filepath.Join(aside, "memoria.db")); !bytes.Equal(now, damaged) || (err == nil) != (damaged != nil) {
		t.Errorf("the damaged file was not kept: %v", err)
	}
	if long, _ := filepath.Glob(filepath.Join(aside, "content", luna, "*.txt")); len(long) != 1 {
		t.Errorf("long messages kept: %v", long)
	}
	if r := must(vault.Check(t.Context(), dir))(t); !r.OK() {
		t.Errorf("after restoring: %+v", r.Areas)
	}
}

// A backup is checked before it replaces anything, and a store that is open is
// left alone.
func TestRestoreRefuses(t *testing.T) {
	noRace(t)
	dir := lived(t)
	b := must(vault.Backups(dir))(t)[0]
	whole, err := os.ReadFile(b.Path)
	if err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(dir, "backups", "memoria-"+b.Time.Add(time.Hour).Format("20060102T150405.000Z")+"-auto.db")
	if err := os.WriteFile(half, whole[:3*4096], 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(dir, "memoria.db"))
	if err != nil {
		t.Fatal(err)
	}
	newest := must(vault.Backups(dir))(t)[0]
	if _, err := vault.Restore(t.Context(), dir, newest, newClock().Now); newest.Path != half || !errors.Is(err, vault.ErrDamaged) {
		t.Errorf("half a backup: %v", err)
	}
	m := openAt(t, dir, newClock(), nil)
	var locked *vault.LockedError
	if _, err := vault.Restore(t.Context(), dir, b, newClock().Now); !errors.As(err, &locked) {
		t.Errorf("an open store: %v", err)
	}
	report := must(vault.Check(t.Context(), dir))(t)
	if !report.OK() || report.Repair {
		t.Errorf("an open store is reported as %+v", report)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	// The newest good one is the one before.
	if err := os.Truncate(filepath.Join(dir, "memoria.db"), 0); err != nil {
		t.Fatal(err)
	}
	var lost *vault.LostError
	if _, err := openReal(dir); !errors.As(err, &lost) || lost.Backup == nil || lost.Backup.Path != b.Path {
		t.Errorf("%v names %+v", err, lost)
	}
	if len(before) == 0 {
		t.Error("nothing was stored")
	}
}

// Long messages carry a checksum: a file that was changed is not shown as what
// was said.
func TestChangedLongMessageIsTold(t *testing.T) {
	noRace(t)
	dir := lived(t)
	long, err := filepath.Glob(filepath.Join(dir, "content", luna, "*.txt"))
	if err != nil || len(long) != 1 {
		t.Fatal(long, err)
	}
	if err := os.WriteFile(long[0], []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := openAt(t, dir, newClock(), nil)
	s, _, err := m.Lookup().LastSession(t.Context(), luna)
	if err != nil {
		t.Fatal(err)
	}
	records := must(m.Lookup().Records(t.Context(), luna, s.ID))(t)
	if got := records[0].Content; !strings.Contains(got, "cannot be read") {
		t.Errorf("shown as %.60q", got)
	}
}

package manager_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/vault"
)

// unclean is a data folder with something in it whose owner died, and the path
// of its store.
func unclean(t testing.TB) (dir, path string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "data")
	c := newClock()
	m := openAt(t, dir, c, nil)
	for i := range 40 {
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: fmt.Sprintf("Cello number %d is by %s", i, strings.Repeat("Guadagnini ", 20))}))(t)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "memoria.db")
	crashed(t, path)
	return dir, path
}

// crashed leaves the lock file of a process that died.
func crashed(t testing.TB, path string) {
	t.Helper()
	if err := os.WriteFile(path+".lock", []byte("4194304\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Records that cannot be read do not keep the others away: the memory opens and
// says so, and it can be backed up.
func TestUnreadableRecordsAreTold(t *testing.T) {
	dir, path := unclean(t)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(b), "Cello number 7 ")
	if at < 0 {
		t.Fatal("the item is not in the file")
	}
	for i := at; i >= 0; { // all copies, old and new
		b[i] ^= 0x20
		next := strings.Index(string(b[i+1:]), "Cello number 7 ")
		if next < 0 {
			break
		}
		i += 1 + next
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	crashed(t, path)
	m := openAt(t, dir, newClock(), nil)
	st := must(m.Lookup().Status(t.Context(), luna))(t)
	if !strings.Contains(st.Damage, "cannot be read") {
		t.Errorf("the damage is told as %q", st.Damage)
	}
	// A backup of all the others is better than none, and says what it is.
	made := must(m.Vault().Backup(t.Context(), nil))(t)
	if all := must(vault.Backups(m.Vault().Dir()))(t); len(all) != 1 || all[0] != made || !made.Partial || made.Kind != vault.BackupManual {
		t.Errorf("backups: %v, made %v", all, made)
	}
}

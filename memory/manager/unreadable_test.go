package manager_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// filesWith lists the files below dir that have a word in them.
func filesWith(t *testing.T, dir, word string) (in []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(word)) {
			in = append(in, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// rot changes a word wherever a file has it, as a bad disk does.
func rot(t *testing.T, file, word string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.ReplaceAll(b, []byte(word), append([]byte{word[0] ^ 1}, word[1:]...))
	if bytes.Equal(b, bad) {
		t.Fatalf("%s does not have %q", file, word)
	}
	if err := os.WriteFile(file, bad, 0o600); err != nil {
		t.Fatal(err)
	}
}

// opened opens a memory that keeps backups by itself, in a bubble.
func opened(t *testing.T, dir string) *manager.Manager {
	t.Helper()
	m, err := manager.Open(t.Context(), manager.Options{
		Dir: dir, Config: write.DefaultConfig(), Now: time.Now, Backup: vault.DefaultConfig(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// pass lets time go by until nothing is left to do.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

const deletedWord, rottenWords = "Stradivarius", "oolong tea"

// D2, Q3: one record that cannot be read, in the store or in a backup, keeps
// neither new backups from being made nor the others from forgetting.
func TestUnreadableRecordStopsNoBackup(t *testing.T) {
	for _, where := range []string{"store", "newest backup"} {
		t.Run(where, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				m := opened(t, dir)
				say(t, m, luna, "", "I like "+rottenWords)
				turn, _ := say(t, m, luna, "", "My cello is a "+deletedWord)
				must(m.Vault().Backup(ctx, nil))(t)
				pass(time.Hour)
				newest := must(m.Vault().Backup(ctx, nil))(t)
				if err := m.Close(); err != nil {
					t.Fatal(err)
				}
				if where == "store" {
					rot(t, filepath.Join(dir, "memoria.db"), rottenWords)
				} else {
					rot(t, newest.Path, rottenWords)
				}
				m = opened(t, dir)
				defer m.Close()
				pass(49 * time.Hour)
				st := must(m.Lookup().Status(ctx, luna))(t)
				if st.BackupError != "" || time.Since(st.Backup.Time) > 26*time.Hour || st.Backup.Partial != (where == "store") {
					t.Errorf("the newest backup is %+v, error %q", st.Backup, st.BackupError)
				}
				if (st.Damage != "") != (where == "store") {
					t.Errorf("the damage is told as %q", st.Damage)
				}
				must(m.DeleteSession(ctx, luna, turn.Session.ID, true))(t)
				pass(time.Hour)
				if in := filesWith(t, filepath.Join(dir, "backups"), deletedWord); len(in) != 0 {
					t.Errorf("what was deleted is still in %v", in)
				}
				if st := must(m.Lookup().Status(ctx, luna))(t); st.BackupError != "" {
					t.Error(st.BackupError)
				}
			})
			// Each keeps its identity, also when rewritten.
			whole := 0
			for _, b := range must(vault.Backups(dir))(t) {
				err := vault.Verify(t.Context(), b.Path)
				if b.Partial != errors.Is(err, vault.ErrUnreadable) || !b.Partial && err != nil {
					t.Errorf("%+v: %v", b, err)
				}
				if !b.Partial {
					whole++
				}
			}
			if whole < 1 {
				t.Error("no whole backup is left")
			}
		})
	}
}

// D2: a backup that is damaged beyond reading does not keep the others from
// forgetting, nor a new one from being made, and is told.
func TestDamagedBackupIsTold(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		m := opened(t, dir)
		defer m.Close()
		item := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Owns a " + deletedWord}))(t)
		must(m.Vault().Backup(ctx, nil))(t)
		pass(time.Hour)
		newest := must(m.Vault().Backup(ctx, nil))(t)
		if err := os.Truncate(newest.Path, 3*4096); err != nil {
			t.Fatal(err)
		}
		must(m.DeleteItems(ctx, luna, item.ID))(t)
		pass(49 * time.Hour)
		if in := filesWith(t, filepath.Join(dir, "backups"), deletedWord); len(in) > 1 || len(in) == 1 && in[0] != newest.Path {
			t.Errorf("what was deleted is in %v", in)
		}
		st := must(m.Lookup().Status(ctx, luna))(t)
		if time.Since(st.Backup.Time) > 26*time.Hour || !bytes.Contains([]byte(st.BackupError), []byte(filepath.Base(newest.Path))) {
			t.Errorf("the newest backup is %+v, error %q", st.Backup, st.BackupError)
		}
	})
}

// D2: a message that still waited for its session when a backup was made is
// taken out of the backup with that session; restoring it sends nothing.
func TestBackupForgetsWhatWaited(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	say(t, m, luna, "", "Hello there")
	in := must(m.KeepIncoming(ctx, luna, "Tell me about my "+deletedWord, nil, ""))(t)
	must(m.KeepIncoming(ctx, luna, "And this waits", nil, ""))(t)
	b := must(m.Vault().Backup(ctx, nil))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	must(m.DeleteSession(ctx, luna, turn.Session.ID, true))(t)
	if err := m.Trash().Purge(ctx); err != nil {
		t.Fatal(err)
	}
	told := 0
	if err := m.Vault().ForgetInBackups(ctx, func(n, of int) { told += of - n }); err != nil || told != 1 {
		t.Errorf("told of %d, %v", told, err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if in := filesWith(t, filepath.Join(m.Vault().Dir(), "backups"), deletedWord); len(in) != 0 {
		t.Errorf("it is still in %v", in)
	}
	must(vault.Restore(ctx, m.Vault().Dir(), b, c.Now))(t)
	m = openAt(t, m.Vault().Dir(), c, nil)
	if waiting := must(m.Lookup().Incoming(ctx, luna))(t); len(waiting) != 1 || waiting[0].Content != "And this waits" {
		t.Errorf("restored: %+v", waiting)
	}
}

// D2: a session whose own record cannot be read can be deleted with all that was
// said in it, and taken back without its title.
func TestDeleteUnreadableSession(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "I play a "+deletedWord)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	spoil(t, m.Vault().Dir(), 1, "sessions", luna, turn.Session.ID)
	m = openAt(t, m.Vault().Dir(), c, nil)
	part := turn.Session.ID[len(turn.Session.ID)-8:]
	if s, err := m.Lookup().Session(ctx, luna, part); !store.Unreadable(err) || s.ID != turn.Session.ID {
		t.Fatalf("it reads as %+v, %v", s, err)
	}
	d := must(m.DeleteSession(ctx, luna, part, true))(t)
	if d.Sessions != 1 || d.Messages != 2 {
		t.Errorf("deleted %+v", d)
	}
	if back := must(m.UndoDeletion(ctx, luna, d.ID))(t); back.Sessions != 1 || back.Messages != 2 {
		t.Errorf("came back: %+v", back)
	}
	s := must(m.Lookup().Session(ctx, luna, turn.Session.ID))(t)
	list, total, err := m.Lookup().Sessions(ctx, luna, 0, 0)
	if err != nil || total != 1 || len(list) != 1 || s.Messages != 2 || s.LastMessageAt.IsZero() || s.State != memory.SessionArchived {
		t.Errorf("it is back as %+v, in a list of %d of %d, %v", s, len(list), total, err)
	}
	must(m.DeleteSession(ctx, luna, turn.Session.ID, true))(t)
	if err := m.Trash().Purge(ctx); err != nil {
		t.Fatal(err)
	}
	st := must(m.Lookup().Status(ctx, luna))(t)
	if left := must(m.Lookup().Records(ctx, luna, turn.Session.ID))(t); len(left) != 0 || st.Sessions != 0 || st.Records != 0 {
		t.Errorf("%d records are left, %+v", len(left), st)
	}
}

// D2: data set aside by a restore keeps what is deleted later, so it is listed with its
// size and can be removed. Nothing else can be.
func TestReplacedIsToldAndRemoved(t *testing.T) {
	noRace(t)
	dir := lived(t)
	b := must(vault.Backups(dir))(t)[0]
	c := newClock()
	aside := must(vault.Restore(t.Context(), dir, b, c.Now))(t)
	old := must(vault.ReplacedIn(dir))(t)
	if len(old) != 1 || old[0].Path != aside || old[0].Bytes < 4096 || old[0].Time.Sub(start) > time.Second {
		t.Fatalf("set aside: %+v", old)
	}
	r := must(vault.Check(t.Context(), dir))(t)
	if !r.OK() || len(r.Replaced) != 1 || r.Areas[len(r.Areas)-1].Name != vault.AreaReplaced {
		t.Errorf("report: %+v", r)
	}
	if err := (vault.Replaced{Path: dir}).Remove(); !errors.Is(err, vault.ErrNotReplaced) {
		t.Errorf("the data folder itself: %v", err)
	}
	if err := old[0].Remove(); err != nil {
		t.Error(err)
	}
	if r := must(vault.Check(t.Context(), dir))(t); !r.OK() || len(r.Replaced) != 0 {
		t.Errorf("afterwards: %+v", r)
	}
}

// K1: only content unreadable in both the store and the backups is given up. A backup
// with unreadable records is used where no complete one exists.
func TestPartialBackupIsTheLastResort(t *testing.T) {
	noRace(t)
	dir := lived(t)
	b := must(vault.Backups(dir))(t)[0]
	rot(t, b.Path, "Plays the cello")
	path := filepath.Join(dir, "memoria.db")
	rot(t, path, "Plays the cello")
	r := must(vault.Check(t.Context(), dir))(t)
	if r.OK() || !r.Repair || r.Good == nil || !r.Good.Partial {
		t.Errorf("where both have the fault: %+v", r)
	}
	repair := must(vault.PrepareRepair(t.Context(), dir, newClock().Now))(t)
	if repair.Whole || repair.Items != 0 || repair.Messages != 2 {
		t.Errorf("%+v", repair)
	}
	if err := repair.Discard(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	_, err := openReal(dir)
	var lost *vault.LostError
	if !errors.As(err, &lost) || lost.Backup == nil || !lost.Backup.Partial {
		t.Fatalf("opening: %v", err)
	}
	must(vault.Restore(t.Context(), dir, *lost.Backup, newClock().Now))(t)
	m, err := openReal(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

package manager_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/vault"
)

// A store that is taken away while it is open acknowledges nothing more, says
// so, and is written again by itself when it is back.
func TestTroubleComesAndGoes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	synctest.Test(t, func(t *testing.T) {
		m, err := manager.Open(t.Context(), manager.Options{Dir: dir, Config: write.DefaultConfig(), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Plays the cello"}))(t)
		changed, stop := m.Watch()
		defer stop()
		path := filepath.Join(dir, "memoria.db")
		if err := os.Rename(path, path+".away"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, err := m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Plays the viola"}); !errors.Is(err, vault.ErrTakenAway) {
			t.Errorf("a write into nowhere: %v", err)
		}
		st := must(m.Lookup().Status(t.Context(), luna))(t)
		if st.Trouble == nil || st.Trouble.Kind != vault.TroubleGone || st.Items != 1 {
			t.Errorf("status: %+v", st)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if m.Vault().Trouble() == nil {
			t.Error("the trouble went away by itself")
		}
		for len(changed) > 0 {
			<-changed
		}
		if err := os.Rename(path+".away", path); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if m.Vault().Trouble() != nil || len(changed) == 0 {
			t.Errorf("the file is back: %+v, told: %v", m.Vault().Trouble(), len(changed) > 0)
		}
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Plays the viola"}))(t)
	})
}

// D3: a message that taught nothing may stand in what is shown, so its going and its
// coming back are told like an item's.
func TestDeletedMessageIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := manager.Open(t.Context(), manager.Options{Dir: t.TempDir(), Config: write.DefaultConfig(), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		changed, stop := m.Watch()
		defer stop()
		told := func(what string) {
			t.Helper()
			if len(changed) == 0 {
				t.Errorf("%s is not told", what)
			}
			synctest.Wait() // the index follows
			for len(changed) > 0 {
				<-changed
			}
		}
		turn, _ := say(t, m, luna, "", "Good morning!")
		say(t, m, luna, turn.Session.ID, "Which of the two?")
		synctest.Wait()
		for len(changed) > 0 {
			<-changed
		}
		d := must(m.DeleteRecords(t.Context(), luna, false, turn.Record.ID))(t)
		told("a deletion")
		must(m.UndoDeletion(t.Context(), luna, d.ID))(t)
		told("what came back")
	})
}

package manager_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"memoria/memory"
)

// D2: what was deleted for good is not in the store's file a minute later, or when the
// program has ended, however often it was written; until then Health says so.
func TestDeletedIsWiped(t *testing.T) {
	noRace(t)
	for _, ends := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "data")
		synctest.Test(t, func(t *testing.T) {
			ctx := t.Context()
			m := opened(t, dir)
			defer m.Close()
			path := filepath.Join(dir, "memoria.db")
			copies := func() int { return bytes.Count(must(os.ReadFile(path))(t), []byte(deletedWord)) }
			item := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Owns a " + deletedWord}))(t)
			turn, _ := say(t, m, luna, "", "My lamp is "+strings.Repeat(deletedWord+" ", 2000))
			for range 12 {
				say(t, m, luna, turn.Session.ID, "And so on")
			}
			if n := copies(); n < 2000 {
				t.Fatalf("%d copies", n)
			}
			must(m.DeleteItems(ctx, luna, item.ID))(t)
			must(m.DeleteSession(ctx, luna, turn.Session.ID, true))(t)
			if ends {
				if err := m.Trash().Purge(ctx); err != nil {
					t.Fatal(err)
				}
				if !must(m.Lookup().Health(ctx, luna, 1))(t).Unwiped {
					t.Error("Health does not say that words are left")
				}
				if err := m.Close(); err != nil {
					t.Fatal(err)
				}
			} else {
				time.Sleep(time.Minute)
				synctest.Wait()
				if must(m.Lookup().Health(ctx, luna, 1))(t).Unwiped {
					t.Error("Health says that words are left")
				}
			}
			if n := copies(); n > 0 {
				t.Errorf("ended %t: %d copies are left", ends, n)
			}
		})
	}
}

package manager_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/store"
	"memoria/memory/vault"
)

func TestDeleteTakeBackAndPurge(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	_, changes := say(t, m, luna, "", "I like oolong tea")
	id := changes[0].ItemID
	gone := func() {
		t.Helper()
		if _, err := m.Lookup().Item(ctx, luna, id); !errors.Is(err, lookup.ErrNotFound) {
			t.Errorf("it can be read: %v", err)
		}
		if page := must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{All: true}))(t); page.Total != 0 {
			t.Errorf("it is listed: %v", contents(page.Items))
		}
		if got := recalled(t, m, luna, "oolong tea"); len(got) != 0 {
			t.Errorf("it is recalled: %v", contents(got))
		}
	}
	d := must(m.DeleteItems(ctx, luna, id))(t)
	gone()
	if back := must(m.UndoDeletion(ctx, luna, d.ID))(t); back.Items != 1 {
		t.Errorf("%d came back", back.Items)
	}
	if got := recalled(t, m, luna, "oolong tea"); len(got) != 1 {
		t.Errorf("after taking back: %v", contents(got))
	}
	d = must(m.DeleteItems(ctx, luna, id))(t)
	c.Add(write.DeletionUndoTime)
	if err := m.Purge(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := m.UndoDeletion(ctx, luna, d.ID); !errors.Is(err, manager.ErrGone) {
		t.Errorf("taken back after the end: %v", err)
	}
	gone()
}

func TestPurgeAtStart(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	_, changes := say(t, m, luna, "", "I like oolong tea")
	d := must(m.DeleteItems(t.Context(), luna, changes[0].ItemID))(t)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	c.Add(time.Minute)
	m = openAt(t, dir, c, nil)
	if _, err := m.UndoDeletion(t.Context(), luna, d.ID); !errors.Is(err, manager.ErrGone) {
		t.Errorf("taken back a minute later: %v", err)
	}
}

func TestClear(t *testing.T) {
	m, _ := open(t)
	turn, _ := say(t, m, luna, "", "I like tea")
	say(t, m, luna, turn.Session.ID, "My name is Bo")
	say(t, m, "sol", "", "I like tea")
	d := must(m.ClearItems(t.Context(), luna))(t)
	if d.Items != 2 {
		t.Errorf("cleared %d", d.Items)
	}
	if _, err := m.Lookup().Working(t.Context(), luna, turn.Session.ID); err != nil {
		t.Errorf("working memory: %v", err)
	}
	if page := must(m.Lookup().Items(t.Context(), "sol", lookup.ItemFilter{}))(t); page.Total != 1 {
		t.Errorf("the other agent has %v", contents(page.Items))
	}
}

func TestPurgeTimer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	synctest.Test(t, func(t *testing.T) {
		m, err := manager.Open(context.Background(), manager.Options{Dir: dir, Config: write.DefaultConfig(), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		it := must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Likes tea"}))(t)
		d := must(m.DeleteItems(t.Context(), luna, it.ID))(t)
		time.Sleep(write.DeletionUndoTime - time.Second)
		if back, err := m.UndoDeletion(t.Context(), luna, d.ID); back.Items != 1 || err != nil {
			t.Fatalf("after nine seconds: %d, %v", back.Items, err)
		}
		d = must(m.DeleteItems(t.Context(), luna, it.ID))(t)
		time.Sleep(write.DeletionUndoTime + time.Second)
		if _, err := m.UndoDeletion(t.Context(), luna, d.ID); !errors.Is(err, manager.ErrGone) {
			t.Fatalf("after eleven seconds: %v", err)
		}
	})
}

// spoil makes a record unreadable: by its bytes, or by an unknown version of its layout.
func spoil(t *testing.T, dir string, version uint8, bucket string, key ...any) {
	t.Helper()
	st, err := store.Open(store.Options{Path: filepath.Join(dir, "memoria.db"), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	err = st.Update(func(tx *store.Tx) error {
		return kv.NewBucket(bucket, version, kv.Bytes()).Put(tx.KV(), kv.Key(key...), []byte("{not json"))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// L6: an unreadable item can be deleted, alone and with all others, and leaves nothing.
// The readable ones can be restored.
func TestDeleteUnreadable(t *testing.T) {
	for how, version := range map[string]uint8{"alone": 1, "all": 99} {
		t.Run(how, func(t *testing.T) {
			dir, c := filepath.Join(t.TempDir(), "data"), newClock()
			m := openAt(t, dir, c, nil)
			ctx := t.Context()
			_, tea := say(t, m, luna, "", "I like oolong tea")
			_, coffee := say(t, m, luna, "", "I like coffee")
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			spoil(t, dir, version, "items", luna, tea[0].ItemID)
			m = openAt(t, dir, c, nil)
			if _, err := m.Lookup().Item(ctx, luna, tea[0].ItemID); err == nil {
				t.Fatal("it can be read")
			}
			var d write.Deletion
			want := 1
			if how == "all" {
				d = must(m.ClearItems(ctx, luna))(t)
				want = 0
			} else {
				d = must(m.DeleteItems(ctx, luna, tea[0].ItemID))(t)
			}
			if d.Items != 2-want {
				t.Errorf("deleted %d", d.Items)
			}
			if st := must(m.Lookup().Status(ctx, luna))(t); st.Items != want {
				t.Errorf("%d items are left", st.Items)
			}
			if _, err := m.Lookup().Item(ctx, luna, tea[0].ItemID); err == nil || m.Loaded(luna) != want {
				t.Errorf("still there: %v, %d heads", err, m.Loaded(luna))
			}
			back := must(m.UndoDeletion(ctx, luna, d.ID))(t)
			if back.Items != 1-want {
				t.Errorf("%d came back", back.Items)
			}
			if st := must(m.Lookup().Status(ctx, luna))(t); st.Items != 1 {
				t.Errorf("%d items at the end", st.Items)
			}
			if got := recalled(t, m, luna, "coffee"); len(got) != 1 || got[0].ID != coffee[0].ItemID {
				t.Errorf("recalled %v", contents(got))
			}
			_, again := say(t, m, luna, "", "I like oolong tea")
			if len(again) != 1 || again[0].Action != memory.ActionAdded {
				t.Errorf("said again: %+v", again)
			}
		})
	}
}

// D2: a deletion is final even if the clock was set back before it: at the next start,
// and in the backups.
func TestDeletedBeforeTheClockWasSetBack(t *testing.T) {
	for _, way := range []string{"next start", "purge"} {
		t.Run(way, func(t *testing.T) {
			m, c := open(t)
			ctx := t.Context()
			turn, _ := say(t, m, luna, "", "I like "+canary+" tea")
			say(t, m, luna, "", "I like oolong tea")
			must(m.Vault().Backup(ctx, nil))(t)
			must(m.DeleteSession(ctx, luna, turn.Session.ID, true))(t)
			c.Add(-24 * time.Hour)
			if way == "purge" {
				if err := m.Purge(ctx); err != nil {
					t.Fatal(err)
				}
			} else {
				if err := m.Close(); err != nil {
					t.Fatal(err)
				}
				m = openAt(t, m.Vault().Dir(), c, nil)
			}
			if err := m.Vault().ForgetInBackups(ctx, nil); err != nil {
				t.Fatal(err)
			}
			must(m.Vault().Backup(ctx, nil))(t) // a copy of the store without its free pages
			for _, left := range traces(t, filepath.Join(m.Vault().Dir(), "backups"), canary) {
				t.Errorf("left: %s", left)
			}
			if all := must(vault.Backups(m.Vault().Dir()))(t); len(all) != 2 {
				t.Errorf("backups: %v", all)
			}
		})
	}
}

package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
)

// D2: a deletion larger than one record of the trash comes back in order, row by
// row, and nothing of it stays in the trash.
func TestLargeDeletion(t *testing.T) {
	s := open(t)
	long := make([]byte, 20<<10)
	for i := range long {
		long[i] = 'a' + byte(i%26)
	}
	var want []string
	update(t, s, func(tx *store.Tx) error {
		for i := range 40 {
			r := memory.Record{ID: fmt.Sprintf("R%03d", i), AgentID: "luna", SessionID: "S1", TurnID: fmt.Sprint("T", i), Content: string(long)}
			want = append(want, r.ID)
			if err := tx.AppendRecord(r); err != nil {
				return err
			}
		}
		return tx.PutSession(memory.Session{ID: "S1", AgentID: "luna"})
	})
	update(t, s, func(tx *store.Tx) error {
		d, err := tx.Trash("luna", "D1", []string{"S1"}, nil)
		if d.Messages != 40 || d.Sessions != 1 {
			t.Errorf("deleted %+v", d)
		}
		return err
	})
	rows := func() (n int) {
		view(t, s, func(tx *store.Tx) (err error) {
			n, err = kv.NewBucket("trash", 2, kv.Bytes()).Count(tx.KV(), nil)
			return err
		})
		return n
	}
	if n := rows(); n < 2 {
		t.Errorf("it lies in %d records of the trash: nothing is proven", n)
	}
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.RestoreTrash("luna", "D1", "C1")
		return err
	})
	if n := rows(); n != 0 {
		t.Errorf("%d records are left in the trash", n)
	}
	view(t, s, func(tx *store.Tx) error {
		var got []string
		for r, err := range tx.RecordsOf("luna", "S1") {
			if err != nil {
				return err
			}
			if r.Content != string(long) {
				t.Errorf("record %s changed", r.ID)
			}
			got = append(got, r.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("came back: %v", got)
		}
		return nil
	})
}

// What lies in the trash without a deletion is very old: it is destroyed.
func TestStrayTrashIsPurged(t *testing.T) {
	s := open(t)
	stray := kv.NewBucket("trash", 1, kv.Bytes())
	update(t, s, func(tx *store.Tx) error { return stray.Put(tx.KV(), kv.Key("luna", "D1", "I1"), []byte("{}")) })
	view(t, s, func(tx *store.Tx) error {
		if at, err := tx.OldestTrash(); err != nil || at.IsZero() || at.After(start) {
			t.Errorf("oldest: %v, %v", at, err)
		}
		return nil
	})
	update(t, s, func(tx *store.Tx) error {
		n, _, err := tx.PurgeTrash(start)
		if n != 1 {
			t.Errorf("purged %d", n)
		}
		return err
	})
	view(t, s, func(tx *store.Tx) error {
		if n, err := stray.Count(tx.KV(), nil); n != 0 || err != nil {
			t.Errorf("%d are left, %v", n, err)
		}
		return nil
	})
}

// Whatever a record of the trash holds, taking it back or destroying it does not
// panic, and the trash is empty afterwards.
func FuzzTrash(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x05items\x02ab\x02{}"))
	f.Add([]byte("\x00\x00\x00"))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01items"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := open(t)
		fillAll(t, s, "luna") // I2 is in the trash, under D1
		bucket := kv.NewBucket("trash", 2, kv.Bytes())
		update(t, s, func(tx *store.Tx) error {
			return bucket.Put(tx.KV(), kv.Key("luna", "D1", uint64(1)), data)
		})
		_ = s.Update(func(tx *store.Tx) error {
			_, err := tx.RestoreTrash("luna", "D1", "C9")
			return err
		})
		update(t, s, func(tx *store.Tx) error {
			_, _, err := tx.PurgeTrash(start.AddDate(1, 0, 0))
			return err
		})
		view(t, s, func(tx *store.Tx) error {
			if n, err := bucket.Count(tx.KV(), nil); n != 0 || err != nil {
				t.Errorf("%d are left, %v", n, err)
			}
			return nil
		})
	})
}

// D2, S12: with a session go all versions of its summary, and come back with it;
// with one message of the user's its summary goes for good, and a title that was
// taken from there.
func TestSummariesGoWithTheirWords(t *testing.T) {
	s := open(t)
	sum := memory.Summary{SessionID: "S1", AgentID: "luna", Version: 2, Title: "Tea", Snippet: "I like tea."}
	update(t, s, func(tx *store.Tx) error {
		older := sum
		older.Version = 1
		if err := errors.Join(tx.PutSummary(older), tx.PutSummary(sum)); err != nil {
			return err
		}
		for _, id := range []string{"R1", "R2"} {
			if err := tx.AppendRecord(memory.Record{ID: id, AgentID: "luna", SessionID: "S1", Role: memory.RoleUser, Content: id}); err != nil {
				return err
			}
		}
		return tx.PutSession(memory.Session{
			ID: "S1", AgentID: "luna", Title: "Tea", Summary: &sum, Memories: memory.MemoriesGenerated, Turns: 2, Covered: memory.Reach{Turns: 2},
		})
	})
	has := func() (n int, gone bool, in memory.Session) {
		view(t, s, func(tx *store.Tx) error {
			for v := range 3 {
				if _, err := tx.Summary("luna", "S1", v); err == nil {
					n++
				}
			}
			at, err := tx.ForgottenAt("luna", memory.KindSummary, "S1")
			gone = !at.IsZero()
			in, _ = tx.Session("luna", "S1")
			return err
		})
		return n, gone, in
	}
	update(t, s, func(tx *store.Tx) error { _, err := tx.Trash("luna", "D1", []string{"S1"}, nil); return err })
	if n, gone, _ := has(); n != 0 || !gone {
		t.Errorf("deleted: %d versions, noted %v", n, gone)
	}
	update(t, s, func(tx *store.Tx) error { _, err := tx.RestoreTrash("luna", "D1", "C1"); return err })
	if n, gone, in := has(); n != 2 || gone || in.Summary == nil {
		t.Errorf("taken back: %d versions, noted %v, %+v", n, gone, in)
	}
	update(t, s, func(tx *store.Tx) error { _, err := tx.Trash("luna", "D2", nil, nil, "R2"); return err })
	n, gone, in := has()
	if n != 0 || !gone || in.Summary != nil || in.Title != "" || in.Memories != memory.MemoriesGenerating || in.Covered.Turns != 1 {
		t.Errorf("a message deleted: %d versions, noted %v, %+v", n, gone, in)
	}
}

// D2: two deletions that change the words of one record. Undoing the first one does not bring back
// what the second one removed; undoing the second one brings back what the first one left.
func TestRedact(t *testing.T) {
	s := open(t)
	said := func() (r memory.Record) {
		view(t, s, func(tx *store.Tx) (err error) {
			r, err = tx.Record("luna", "R1")
			return err
		})
		return r
	}
	redact := func(deletion string, x store.Redaction) {
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(last(tx.Trash("luna", deletion, nil, nil)), tx.Redact("luna", deletion, []store.Redaction{x}))
		})
	}
	undo := func(deletion string) {
		update(t, s, func(tx *store.Tx) error { return last(tx.RestoreTrash("luna", deletion, "C"+deletion)) })
	}
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(
			tx.AppendRecord(memory.Record{ID: "R1", AgentID: "luna", SessionID: "S1", Content: "a b", Model: memory.ModelOffline}),
			tx.PutSession(memory.Session{ID: "S1", AgentID: "luna", LastMessageAt: tx.Now()}),
		)
	})
	redact("D1", store.Redaction{RecordID: "R1", Was: "a b", Now: "- b", Count: 1})
	redact("D2", store.Redaction{RecordID: "R1", Was: "- b", Now: "- -", Count: 2})
	redact("D3", store.Redaction{RecordID: "R1", Was: "of another time", Now: "c", Count: 3})
	if r := said(); r.Content != "- -" || r.Metadata.Redacted != 2 {
		t.Errorf("redacted twice: %q, %d redactions", r.Content, r.Metadata.Redacted)
	}
	undo("D1")
	if r := said(); r.Content != "- -" {
		t.Errorf("undoing the first one: %q", r.Content)
	}
	undo("D2")
	if r := said(); r.Content != "- b" || r.Metadata.Redacted != 1 {
		t.Errorf("undoing the second one: %q, %d redactions", r.Content, r.Metadata.Redacted)
	}
}

// D2: derived records are listed in a store of layout 4, too.
func TestMigrationListsDerived(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.db")
	db, err := kv.Open(kv.Options{Path: path, Now: clock(), Schema: 4, Buckets: store.BucketNames()})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *kv.Tx) error {
		rows := kv.NewBucket("records", 1, kv.Bytes())
		return errors.Join(
			rows.Put(tx, kv.Key("luna", "S1", uint64(1)), []byte(`{"id":"R1","agent_id":"luna","role":"user"}`)),
			rows.Put(tx, kv.Key("luna", "S1", uint64(2)), []byte(`{"id":"R2","agent_id":"luna","role":"assistant","model":"offline"}`)),
			rows.Put(tx, kv.Key("luna", "S1", uint64(3)), []byte(`{"id":"R3","agent_id":"luna","role":"tool"}`)),
			rows.Put(tx, kv.Key("luna", "S1", uint64(4)), []byte(`not JSON`)),
		)
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(store.Options{Path: path, Now: clock(), MigrationCopy: func(uint64) string { return filepath.Join(t.TempDir(), "copy.db") }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	view(t, s, func(tx *store.Tx) error {
		var got []string
		for id, err := range tx.DerivedIDs("luna", time.Time{}) {
			if err != nil {
				return err
			}
			got = append(got, id)
		}
		if want := []string{"R3", "R2"}; !slices.Equal(got, want) {
			t.Errorf("derived are %q, want %q", got, want)
		}
		return nil
	})
}

package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// grow appends records, each written as "id<parent"; a session stands before a colon,
// "!" after the parent says that nothing stands before the record.
func grow(t testing.TB, s *store.Store, records ...string) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		for _, r := range records {
			session, r, _ := strings.Cut(r, ":")
			id, parent, _ := strings.Cut(r, "<")
			parent, root := strings.CutSuffix(parent, "!")
			err := tx.AppendRecord(memory.Record{
				ID: id, AgentID: "luna", SessionID: session, ParentID: parent, Root: root, TurnID: "T" + id, Role: memory.RoleUser,
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func wantPath(t testing.TB, s *store.Store, head, want string) {
	t.Helper()
	var got []string
	view(t, s, func(tx *store.Tx) error {
		for r, err := range tx.Path("luna", head) {
			if err != nil {
				return err
			}
			got = append(got, r.ID)
		}
		return nil
	})
	if !slices.Equal(got, strings.Fields(want)) {
		t.Errorf("the path from %s is %q, want %s", head, got, want)
	}
}

// A1: a path goes from parent to parent, over branches, forks and what was deleted,
// and ends also where the records are nonsense.
func TestPath(t *testing.T) {
	s := open(t)
	grow(t, s, "S:a<", "S:b<a", "S:c<b", "S:d<c", "S:e<b", "S:f<e", "S:g<!", "S:h<g", "F:i<d", "F:j<i")
	update(t, s, func(tx *store.Tx) error {
		for _, id := range []string{"S", "F"} {
			in := memory.Session{ID: id, AgentID: "luna", LastMessageAt: tx.Now()}
			if id == "F" {
				in.ForkedFrom = &memory.Fork{SessionID: "S", RecordID: "d", Messages: 4}
			}
			if err := tx.PutSession(in); err != nil {
				return err
			}
		}
		return nil
	})
	for head, want := range map[string]string{
		"d": "d c b a", "f": "f e b a", "h": "h g", "a": "a", "j": "j i d c b a", "": "", "nobody": "",
	} {
		wantPath(t, s, head, want)
	}
	// What was deleted is passed over, is the end of a branch too, and comes back.
	update(t, s, func(tx *store.Tx) error { return last(tx.Trash("luna", "D1", nil, nil, "b", "f")) })
	wantPath(t, s, "f", "e a")
	wantPath(t, s, "j", "j i d c a")
	grow(t, s, "S:k<f")
	wantPath(t, s, "k", "k e a")
	view(t, s, func(tx *store.Tx) error {
		nodes, err := tx.Tree("luna", "S")
		var got []string
		for _, n := range nodes {
			got = append(got, n.ID+"<"+n.Parent)
		}
		if want := "a< c<a d<c e<a g< h<g k<e"; strings.Join(got, " ") != want {
			t.Errorf("the tree is %s, want %s", got, want)
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error { return last(tx.RestoreTrash("luna", "D1", "C")) })
	wantPath(t, s, "k", "k f e b a")
	// With the session that it was forked from goes what stood before a fork.
	update(t, s, func(tx *store.Tx) error { return last(tx.Trash("luna", "D2", []string{"S"}, nil)) })
	wantPath(t, s, "j", "j i")
	update(t, s, func(tx *store.Tx) error { return last(tx.RestoreTrash("luna", "D2", "C2")) })
	wantPath(t, s, "j", "j i d c b a")
	// Nonsense: a parent that comes later, itself, and sessions that lead to each other.
	grow(t, s, "X:m<n", "X:n<m", "X:o<o", "Y:p<r", "Z:q<p", "Y:r<q")
	wantPath(t, s, "n", "n m")
	wantPath(t, s, "o", "o")
	wantPath(t, s, "r", "r q")
	// An older program kept nothing of what it deleted: the one before is the one before.
	grow(t, s, "O:u<", "O:v<u", "O:w<gone", "O:x<w")
	wantPath(t, s, "x", "x w v u")
}

// A1, D2: who deletes the last message for good and goes on has what was said before
// it, however often.
func TestPathBehindWhatIsGone(t *testing.T) {
	s := open(t)
	grow(t, s, "S:a<", "S:b<a", "S:c<b")
	update(t, s, func(tx *store.Tx) error { return tx.PutSession(memory.Session{ID: "S", AgentID: "luna"}) })
	for i, next := range []string{"c", "d", "e", "f"} {
		if i > 0 {
			grow(t, s, "S:"+next+"<"+string(rune('a'+i+1)))
		}
		wantPath(t, s, next, next+" b a")
		update(t, s, func(tx *store.Tx) error {
			d := fmt.Sprintf("D%d", i)
			if err := last(tx.Trash("luna", d, nil, nil, next)); err != nil {
				return err
			}
			_, _, err := tx.PurgeTrash(tx.Now().Add(time.Hour))
			return err
		})
		wantPath(t, s, next, "b a")
	}
	grow(t, s, "S:g<f", "S:h<g")
	wantPath(t, s, "h", "h g b a")
	view(t, s, func(tx *store.Tx) error {
		nodes, err := tx.Tree("luna", "S")
		if len(nodes) != 4 || nodes[2].Parent != "b" {
			t.Errorf("the tree is %+v", nodes)
		}
		return err
	})
}

// A1, D2: several last messages that are deleted permanently together leave their positions
// to the next message, which still follows what was before them.
func TestPathAfterPurgedEnd(t *testing.T) {
	s := open(t)
	grow(t, s, "S:a<", "S:b<a", "S:c<b", "S:d<c")
	update(t, s, func(tx *store.Tx) error { return tx.PutSession(memory.Session{ID: "S", AgentID: "luna"}) })
	update(t, s, func(tx *store.Tx) error {
		if err := last(tx.Trash("luna", "D", nil, nil, "c", "d")); err != nil {
			return err
		}
		_, _, err := tx.PurgeTrash(tx.Now().Add(time.Hour))
		return err
	})
	grow(t, s, "S:e<d", "S:f<e")
	wantPath(t, s, "f", "f e b a")
	view(t, s, func(tx *store.Tx) error {
		nodes, err := tx.Tree("luna", "S")
		if len(nodes) != 4 || nodes[2].Parent != "b" {
			t.Errorf("the tree is %+v", nodes)
		}
		return err
	})
}

// BenchmarkPath holds the path of a window against the session's last records by
// position, in a session of 10,000 messages.
//
//	go test ./memory/store -run xxx -bench Path
func BenchmarkPath(b *testing.B) {
	s := open(b)
	var all []string
	for i := range 10_000 {
		all = append(all, fmt.Sprintf("S:r%05d<r%05d", i+1, i))
	}
	all[0] = "S:r00001<"
	grow(b, s, all...)
	for name, read := range map[string]func(tx *store.Tx) (n int, err error){
		"position": func(tx *store.Tx) (int, error) {
			got, err := tx.LastRecords("luna", "S", 60)
			return len(got), err
		},
		"path": func(tx *store.Tx) (n int, err error) {
			for _, err := range tx.Path("luna", "r10000") {
				if err != nil {
					return n, err
				}
				if n++; n == 60 {
					break
				}
			}
			return n, nil
		},
		"whole path": func(tx *store.Tx) (n int, err error) {
			for _, err := range tx.Path("luna", "r10000") {
				if err != nil {
					return n, err
				}
				n++
			}
			return n, nil
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				view(b, s, func(tx *store.Tx) error {
					if n, err := read(tx); n < 60 || err != nil {
						b.Fatal(n, err)
					}
					return nil
				})
			}
		})
	}
}

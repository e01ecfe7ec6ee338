package manager_test

import (
	"context"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// wantWhole looks below the manager: every record of an agent fits every other,
// nothing is left over, and the index holds exactly what can be recalled. It
// returns a ledger of what is there, for the life after the one of before.
func wantWhole(ctx context.Context, t *testing.T, dir, agent string, before *ledger) *ledger {
	t.Helper()
	st, err := store.Open(store.Options{
		Path: filepath.Join(dir, "memoria.db"), Now: time.Now, Logger: slog.New(slog.DiscardHandler), LockTimeout: 10 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	w := whole{T: t, agent: agent, dir: dir, ledger: newLedger(), there: map[string]bool{}}
	w.ledger.turns, w.ledger.silent = before.turns, before.silent
	err = st.View(func(tx *store.Tx) error {
		w.tx = tx
		w.conversation()
		w.items()
		w.leftovers()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.index(ctx, st, indexer.Recall, w.recallable)
	w.index(ctx, st, indexer.Archive, slices.Sorted(maps.Keys(w.ledger.records)))
	if err := st.DB().Check(ctx, nil); err != nil {
		t.Error(err)
	}
	return w.ledger
}

type whole struct {
	*testing.T
	tx         *store.Tx
	agent, dir string
	ledger     *ledger
	there      map[string]bool // turns
	recallable []string
}

func (w *whole) ok(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *whole) count(name counter.Name, want int) {
	w.Helper()
	if got, err := w.tx.Count(w.agent, name); err != nil || got != want {
		w.Errorf("%s: %d %s are counted (%v), %d are there", w.agent, got, name, err, want)
	}
}

// conversation: the chain of parents is whole, a session knows its own numbers,
// every turn has its answer, and long contents have their files.
func (w *whole) conversation() {
	records, sessions := 0, 0
	files := map[string]bool{}
	for s, err := range w.tx.Sessions(w.agent) {
		w.ok(err)
		sessions++
		list, err := w.tx.SessionRecords(w.agent, s.ID)
		w.ok(err)
		parent, turns := "", 0
		answered := map[string]int{}
		for _, r := range list {
			records++
			if r.ParentID != parent {
				w.Errorf("record %s follows %q, not %q", r.ID, parent, r.ParentID)
			}
			parent = r.ID
			answered[r.TurnID]++
			w.there[r.TurnID] = true
			if r.Role == memory.RoleUser {
				turns++
				w.taught(r)
			}
			w.ledger.records[r.ID] = fingerprint(w.content(r, files))
		}
		if s.LastRecordID != parent || s.Messages != len(list) || s.Turns != turns {
			w.Errorf("session %s says %d turns, %d messages, last %s; there are %d, %d, %s",
				s.ID, s.Turns, s.Messages, s.LastRecordID, turns, len(list), parent)
		}
		for turn, n := range answered {
			if n != 2 {
				w.Errorf("turn %s has %d records", turn, n)
			}
		}
		w.working(s)
		packages, err := w.tx.Packages(w.agent, s.ID)
		w.ok(err)
		for _, p := range packages {
			w.ledger.packages[p.TurnID] = p.Hash
		}
	}
	w.count("records", records)
	w.count("sessions", sessions)
	w.files(files)
}

// taught: every turn of these conversations teaches something (L2).
func (w *whole) taught(said memory.Record) {
	changes, err := w.tx.TurnChanges(w.agent, said.TurnID)
	w.ok(err)
	if len(changes) == 0 && strings.HasPrefix(said.Content, "Our shelf") {
		replies, err := w.tx.LastRecords(w.agent, said.SessionID, 1000)
		w.ok(err)
		if slices.ContainsFunc(replies, func(r memory.Record) bool {
			return r.TurnID == said.TurnID && r.Role == memory.RoleAssistant && r.Model == ""
		}) {
			return // no model had begun to answer, so none is asked either
		}
	}
	if len(changes) == 0 && strings.HasPrefix(said.Content, "My name is") {
		holders, err := w.tx.KeyHolders(w.agent, "name")
		w.ok(err)
		if len(holders) > 0 {
			return // a later name was learned before: an older one overrules nothing
		}
	}
	if len(changes) == 0 && !w.ledger.silent[said.TurnID] {
		w.Errorf("nothing was learned from %s: %.60q", said.TurnID, said.Content)
	}
}

func (w *whole) content(r memory.Record, files map[string]bool) string {
	if r.ContentRef == "" {
		return r.Content
	}
	name := filepath.Join(w.dir, filepath.FromSlash(r.ContentRef))
	files[name] = true
	b, err := os.ReadFile(name)
	if err != nil {
		w.Errorf("content of %s: %v", r.ID, err)
	}
	return string(b)
}

// working: W3, W4: an active session has its count, an archived one keeps it.
func (w *whole) working(s memory.Session) {
	have, err := w.tx.Working(w.agent, s.ID)
	if s.State != memory.SessionActive {
		if err == nil || s.Kept == nil {
			w.Errorf("archived session %s: working memory %v, kept %v", s.ID, err, s.Kept)
			return
		}
		have, err = *s.Kept, nil
	}
	if err != nil || have.TurnCount != s.Turns {
		w.Errorf("working memory of %s counts %d of %d turns: %v", s.ID, have.TurnCount, s.Turns, err)
	}
}

// files: every file of a long content belongs to a record.
func (w *whole) files(named map[string]bool) {
	root := filepath.Join(w.dir, "content", w.agent)
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !named[path] && !w.trashed(path) {
			w.Errorf("%s belongs to no record", e.Name())
		}
		return nil
	})
}

// trashed: the files of a deletion stay as long as it can be taken back.
func (w *whole) trashed(file string) bool {
	name, err := filepath.Rel(w.dir, file)
	w.ok(err)
	there, err := w.tx.TrashedFile(w.agent, filepath.ToSlash(name))
	w.ok(err)
	return there
}

// items: heads, look-ups, versions, history and evidence fit the items.
func (w *whole) items() {
	heads := map[string]memory.Head{}
	for h, err := range w.tx.Heads(w.agent) {
		w.ok(err)
		heads[h.ID] = h
	}
	n, held := 0, 0
	for it, err := range w.tx.Items(w.agent) {
		w.ok(err)
		n++
		w.ledger.versions[it.ID] = it.Version
		if it.State == memory.StateHeld {
			held++
		}
		if it.IsActive() {
			w.recallable = append(w.recallable, it.ID)
		}
		if diff := cmp.Diff(store.HeadOf(it), heads[it.ID]); diff != "" {
			w.Errorf("head of %s (-item +head):\n%s", it.ID, diff)
		}
		delete(heads, it.ID)
		w.history(it)
		for _, ev := range it.Evidence {
			at, err := w.tx.ForgottenAt(w.agent, memory.KindRecord, ev.RecordID)
			w.ok(err)
			if _, ok := w.ledger.records[ev.RecordID]; ok != at.IsZero() {
				w.Errorf("item %s comes from %s, which is neither there nor forgotten, or both", it.ID, ev.RecordID)
			}
		}
		if it.Origin == memory.OriginTurn && len(it.Evidence) == 0 {
			w.Errorf("item %s comes from nowhere", it.ID)
		}
		if old, err := w.tx.Item(w.agent, it.Supersedes); err == nil && (old.SupersededBy != it.ID || old.IsActive()) {
			w.Errorf("item %s supersedes %s, which knows nothing of it", it.ID, old.ID)
		}
	}
	if len(heads) > 0 {
		w.Errorf("heads without items: %v", heads)
	}
	w.count("items", n)
	w.count("held", held)
	slices.Sort(w.recallable)
}

func (w *whole) history(it memory.Item) {
	changes, err := w.tx.Changes(w.agent, it.ID)
	w.ok(err)
	seen, taught := map[int]bool{}, map[string]bool{}
	for _, c := range changes {
		seen[c.Version] = true
		if c.Origin == memory.OriginTurn && c.Action != memory.ActionSuperseded {
			if taught[c.TurnID] {
				w.Errorf("turn %s taught %s twice", c.TurnID, it.ID)
			}
			taught[c.TurnID] = true
		}
		if !w.there[c.TurnID] { // it was no turn, or is deleted with its session
			continue
		}
		turn, err := w.tx.TurnChanges(w.agent, c.TurnID)
		w.ok(err)
		if !slices.ContainsFunc(turn, func(o memory.Change) bool { return o.ItemID == it.ID && o.Version == c.Version }) {
			w.Errorf("turn %s does not know its change of %s", c.TurnID, it.ID)
		}
	}
	for v := 1; v <= it.Version; v++ {
		old, err := w.tx.ItemVersion(w.agent, it.ID, v)
		if err != nil || old.Version != v || !seen[v] {
			w.Errorf("version %d of %s: %v, in its history: %v", v, it.ID, err, seen[v])
		}
	}
	like, err := w.tx.ItemsLike(w.agent, it.Key, it.Content)
	w.ok(err)
	found := slices.ContainsFunc(like, func(o memory.Item) bool { return o.ID == it.ID })
	if found != (it.State != memory.StateInactive) {
		w.Errorf("item %s is %s; found by its key: %v", it.ID, it.State, found)
	}
}

// leftovers: no work and no half answer is left when all was resumed.
func (w *whole) leftovers() {
	incoming, err := w.tx.Incoming(w.agent)
	w.ok(err)
	partials, err := w.tx.Partials(w.agent)
	w.ok(err)
	jobs, err := w.tx.Jobs(w.agent)
	w.ok(err)
	if len(incoming)+len(partials)+len(jobs) > 0 {
		w.Errorf("left over: %d incoming, %d partials, %d jobs", len(incoming), len(partials), len(jobs))
	}
}

// index: after a clean end it opens without a rebuild and holds what it should.
func (w *whole) index(ctx context.Context, st *store.Store, kind indexer.Kind, want []string) {
	var rebuilt atomic.Bool
	f := make(chan *indexer.Follower, 1)
	follower := indexer.Open(indexer.Options{
		Store: st, Dir: filepath.Join(w.dir, "index"), Agent: w.agent, Kind: kind, Logger: slog.New(slog.DiscardHandler),
		Notify: func() {
			me := <-f
			f <- me
			if me.Status().State == indexer.StateBuilding {
				rebuilt.Store(true)
			}
		},
	})
	f <- follower
	defer follower.Close()
	w.ok(follower.Settle(ctx))
	ids, err := follower.IDs(ctx)
	w.ok(err)
	if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(ids, "\n")); diff != "" {
		w.Errorf("store and %s index differ (-store +index):\n%s", kind, diff)
	}
	if rebuilt.Load() && len(w.ledger.records) > 0 {
		w.Errorf("the %s index was rebuilt after a clean end", kind)
	}
}

package indexer_test

import (
	"errors"
	"slices"
	"testing"

	"memoria/index"
	"memoria/kv"
	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/store"
)

// Q3: an index that was closed goes on where it was; what happened meanwhile is
// read from the feed, not from the whole store.
func TestCatchUpAfterReopen(t *testing.T) {
	w := newWorld(t)
	items := w.fill(30)
	f := w.open(indexer.Recall)
	w.wantEqual(f)
	w.close(f)

	items[3].Content, items[3].Version = "plays the viola", 2
	items[4].State = memory.StateMuted
	w.put(items[3], items[4], w.item("a flute"))
	w.update(func(tx *store.Tx) error {
		_, err := tx.Trash(luna, "D1", nil, []string{items[5].ID})
		return err
	})
	w.passed()

	f = w.open(indexer.Recall)
	w.wantEqual(f)
	if reason, ok := wasBuilding(w.passed()); ok {
		t.Errorf("it was rebuilt: %s", reason)
	}
	if got := w.hits(f, "viola"); !slices.Equal(got, []string{items[3].ID}) {
		t.Errorf("the new words find %v", got)
	}
	if st := f.Status(); st.State != indexer.StateReady || st.Behind != 0 {
		t.Errorf("status: %+v", st)
	}
}

// One transaction of more changes than fit into a batch.
func TestManyChangesAtOnce(t *testing.T) {
	w := newWorld(t)
	f := w.open(indexer.Recall)
	w.wantEqual(f)
	w.fill(1203)
	w.wantEqual(f)
}

// Only what may be recalled is in the recall index (R7).
func TestOnlyRecallable(t *testing.T) {
	w := newWorld(t)
	f := w.open(indexer.Recall)
	it := w.item("plays the oboe")
	for _, c := range []struct {
		state memory.State
		want  []string
	}{
		{memory.StateHeld, []string{}},
		{memory.StateActive, []string{it.ID}},
		{memory.StateMuted, []string{}},
		{memory.StateActive, []string{it.ID}},
		{memory.StateInactive, []string{}},
	} {
		it.State = c.state
		it.Version++
		w.put(it)
		w.settle(f)
		w.wantIDs(f, c.want)
	}
	other := w.item("plays the oboe")
	other.AgentID = "sol"
	w.put(other)
	w.settle(f)
	w.wantIDs(f, []string{})
}

// The program's own words are never indexed; a content that lies in a file of
// its own is.
func TestArchive(t *testing.T) {
	w := newWorld(t)
	w.update(func(tx *store.Tx) error {
		return errors.Join(
			tx.AppendRecord(memory.Record{ID: "R1", AgentID: luna, SessionID: "S1", Role: memory.RoleUser, Content: "a flute"}),
			tx.AppendRecord(memory.Record{ID: "R2", AgentID: luna, SessionID: "S1", Role: memory.RoleAssistant, Content: "a flute", Model: memory.ModelOffline}),
			tx.AppendRecord(memory.Record{ID: "R3", AgentID: luna, SessionID: "S1", Role: memory.RoleUser, ContentRef: "content/luna/viola.txt"}),
		)
	})
	f := w.open(indexer.Archive)
	w.settle(f)
	w.wantIDs(f, []string{"R1", "R3"})
	w.update(func(tx *store.Tx) error {
		return errors.Join(
			tx.AppendRecord(memory.Record{ID: "R4", AgentID: luna, SessionID: "S2", Content: "a flute", Model: memory.ModelOffline}),
			tx.AppendRecord(memory.Record{ID: "R5", AgentID: luna, SessionID: "S2", Content: "a flute", Model: "gpt"}),
		)
	})
	w.settle(f)
	w.wantIDs(f, []string{"R1", "R3", "R5"})
	if got := w.hits(f, "viola"); !slices.Equal(got, []string{"R3"}) {
		t.Errorf("the words in the file find %v", got)
	}
	res, err := f.Search(t.Context(), index.Query{Words: []index.Term{{Text: "flute"}}, Labels: []string{"session:S2"}})
	if err != nil || len(res.Hits) != 1 || res.Hits[0].ID != "R5" {
		t.Errorf("in one session: %+v, %v", res.Hits, err)
	}
}

// A record that cannot be read keeps nobody else out of the index, neither when
// the feed names it nor in a rebuild.
func TestUnreadableRecord(t *testing.T) {
	w := newWorld(t)
	items := w.fill(3)
	f := w.open(indexer.Recall)
	w.settle(f)
	raw := kv.NewBucket("items", 1, kv.Bytes())
	w.update(func(tx *store.Tx) error {
		if err := raw.Put(tx.KV(), kv.Key(luna, items[1].ID), []byte("not an item")); err != nil {
			return err
		}
		_, err := tx.KV().Append(kv.Change{Agent: luna, Kind: store.KindItem, ID: items[1].ID, Op: store.OpPut})
		return err
	})
	w.settle(f)
	want := []string{items[0].ID, items[2].ID}
	w.wantIDs(f, want)
	f.Rebuild()
	w.settle(f)
	w.wantIDs(f, want)
}

// An entry of the feed that cannot be read may have named anything: the index is
// made anew and goes on behind it.
func TestUnreadableFeed(t *testing.T) {
	w := newWorld(t)
	w.fill(3)
	f := w.open(indexer.Recall)
	w.settle(f)
	w.close(f)
	w.fill(3)
	feed := kv.NewBucket("kv.feed", 1, kv.Bytes())
	w.update(func(tx *store.Tx) error { return feed.Put(tx.KV(), kv.Key(uint64(5)), []byte("?")) })
	f = w.open(indexer.Recall)
	w.wantEqual(f)
	w.fill(2)
	w.wantEqual(f)
}

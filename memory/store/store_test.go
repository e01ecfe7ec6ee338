package store_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/codec"
	"memoria/memory/store/counter"
	"memoria/memory/store/queue"
)

var start = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// clock is a clock that moves by a second with every reading.
func clock() func() time.Time {
	now := start
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

func open(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(store.Options{Path: filepath.Join(t.TempDir(), "m.db"), Now: clock(), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func update(t testing.TB, s *store.Store, fn func(tx *store.Tx) error) {
	t.Helper()
	if err := s.Update(fn); err != nil {
		t.Fatal(err)
	}
}

func view(t testing.TB, s *store.Store, fn func(tx *store.Tx) error) {
	t.Helper()
	if err := s.View(fn); err != nil {
		t.Fatal(err)
	}
}

// full is an item with every field of L1 set.
func full(agent, id string) memory.Item {
	return memory.Item{
		ID: id, AgentID: agent, SessionID: "S1", Type: memory.TypePreference, Key: "preference/tea", Title: "Tea",
		Value: []byte(`{"value":"tea"}`), Content: "Likes tea 喜欢茶", Tags: []string{"drink"}, Confidence: 0.9, Importance: 0.7,
		Source: memory.SourceUserStated, Origin: memory.OriginTurn, ValidFrom: start, ValidTo: start.AddDate(1, 0, 0),
		CreatedAt: start, UpdatedAt: start, LastAccessed: start, AccessCount: 3, LastConfirmedAt: start,
		Evidence:   []memory.Evidence{{SessionID: "S1", TurnID: "T1", RecordID: "R1", Offset: 2, Length: 5}},
		Supersedes: "old", SupersededBy: "new", Generation: "G1", Trust: memory.TrustUser, State: memory.StateActive,
		Metadata: memory.ItemMetadata{Rule: "like"}, Version: 1,
	}
}

// trash deletes items.
func trash(tx *store.Tx, agent, deletion string, ids ...string) error {
	_, err := tx.Trash(agent, deletion, nil, ids)
	return err
}

func putProfile(tx *store.Tx, p memory.Profile) error {
	_, err := tx.PutProfile(p)
	return err
}

// fillAll writes one of everything.
func fillAll(t testing.TB, s *store.Store, agent string) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		it := full(agent, "I1")
		errs := []error{
			tx.PutItem(it, "C1", memory.Change{Action: memory.ActionAdded, TurnID: "T1", Generation: "G1"}),
			tx.PutIncoming(memory.Record{ID: "R0", AgentID: agent}),
			tx.AppendRecord(memory.Record{ID: "R1", AgentID: agent, SessionID: "S1", Content: "I like tea"}),
			tx.PutSession(memory.Session{ID: "S1", AgentID: agent, LastMessageAt: tx.Now()}),
			tx.PutWorking(agent, memory.Working{SessionID: "S1", TurnCount: 1}),
			tx.PutSummary(memory.Summary{AgentID: agent, SessionID: "S1", Version: 1}),
			tx.PutPackage(memory.Package{AgentID: agent, SessionID: "S1", TurnID: "T1"}),
			tx.PutDraft(memory.Draft{AgentID: agent, Text: "half a"}),
			tx.PutPartial(memory.Record{AgentID: agent, TurnID: "T2"}),
			tx.PutJob(queue.Job{ID: "J1", AgentID: agent}),
			tx.PutGroup(memory.Group{ID: agent, Members: []string{"sol"}}),
			tx.PutVector(agent, "I1", codec.VectorID{Hash: 7, Model: "m"}, []float32{0.6, -0.8}),
			tx.PutHistory(agent, "R1", memory.HistoryEntry{Session: "s", Day: "2026-01-28"}),
			tx.PutJournalFile(agent, memory.JournalFile{Path: "memory/2026-01-28-tea.md"}),
			tx.PutJournalIDs(agent, "memory/2026-01-28-tea.md", []string{"01KJNHG72N0Y48DH0PGYAXW0BD"}),
			tx.PutJournalState(agent, memory.JournalState{LastRun: start}),
			tx.PutVectorSet(agent, codec.VectorSet{Model: "m", Dimension: 2}),
			tx.PutAgent(memory.Agent{ID: agent, Name: "the " + agent, Persona: "You are kind."}),
			putProfile(tx, memory.Profile{AgentID: agent, Lines: []memory.ProfileLine{{ItemID: "I1", ItemVersion: 1, Text: "- Likes tea"}}}),
		}
		it.Content, it.Version, it.State = "Loves tea", 2, memory.StateHeld
		_, err := tx.PutText(agent, "You are kind.")
		_, quoted := tx.PutPassage(agent, "memory/2026-01-28-tea.md", "Likes tea")
		_, marked := tx.SetCollected(agent, "R1", true)
		errs = append(errs, err, marked, quoted,
			tx.Refuse(agent, []string{"words"}),
			tx.PutItem(it, "C2", memory.Change{Action: memory.ActionEdited}),
			tx.PutItem(full(agent, "I2"), "C3", memory.Change{Action: memory.ActionAdded}),
			trash(tx, agent, "D1", "I2"),
			tx.AppendRecord(memory.Record{ID: "R2", AgentID: agent, SessionID: "S1", ParentID: "R1"}),
			last(tx.Trash(agent, "D2", nil, nil, "R2")),
			tx.AppendRecord(memory.Record{ID: "R3", AgentID: agent, SessionID: "S1", ParentID: "R1", Model: memory.ModelOffline}))
		return errors.Join(errs...)
	})
}

// The table in the package's comment names each bucket with the parts of its
// keys; here both are held against what is really stored.
func TestKeyTable(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^//\t(\w+) {2,}((?:agent|deletion)[a-z -]*?) {2,}\S`)
	parts := map[string]int{}
	for _, m := range row.FindAllStringSubmatch(string(doc), -1) {
		parts[m[1]] = len(strings.Fields(m[2]))
	}
	var documented []string
	for name := range parts {
		documented = append(documented, name)
	}
	names := store.BucketNames()
	slices.Sort(documented)
	slices.Sort(names)
	if diff := cmp.Diff(names, documented); diff != "" {
		t.Fatalf("buckets and table differ (-buckets +table):\n%s", diff)
	}
	s := open(t)
	fillAll(t, s, "sol") // it is gone for good before luna begins
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.TrashAgent("sol", "D0")
		return err
	})
	update(t, s, func(tx *store.Tx) error {
		_, _, err := tx.PurgeTrash(tx.Now())
		return err
	})
	fillAll(t, s, "luna")
	for _, name := range names {
		b := kv.NewBucket(name, 1, kv.Bytes())
		n := 0
		view(t, s, func(tx *store.Tx) error {
			for key, err := range b.Keys(tx.KV(), nil) {
				if err != nil {
					return err
				}
				n++
				got, err := kv.ParseKey(key)
				if err != nil {
					return err
				}
				if len(got) != parts[name] {
					t.Errorf("%s: key %v has %d parts, the table says %d", name, got, len(got), parts[name])
				}
				if got[0] != "luna" && name != "departed" {
					t.Errorf("%s: key %v does not begin with the agent", name, got)
				}
			}
			return nil
		})
		if n == 0 {
			t.Errorf("%s: nothing was stored, so nothing was checked", name)
		}
	}
}

// L1, A1, W1: every field comes back as it was written.
func TestRoundTrip(t *testing.T) {
	s := open(t)
	fillAll(t, s, "luna")
	view(t, s, func(tx *store.Tx) error {
		got, err := tx.ItemVersion("luna", "I1", 1)
		if err != nil {
			return err
		}
		if diff := cmp.Diff(full("luna", "I1"), got); diff != "" {
			t.Errorf("item (-want +got):\n%s", diff)
		}
		now, err := tx.Item("luna", "I1")
		if err != nil || now.Version != 2 || now.Content != "Loves tea" {
			t.Errorf("newest version: %+v, %v", now, err)
		}
		changes, err := tx.Changes("luna", "I1")
		if err != nil || len(changes) != 2 || changes[0].Action != memory.ActionAdded || changes[1].Version != 2 {
			t.Errorf("history: %+v, %v", changes, err)
		}
		turn, err := tx.TurnChanges("luna", "T1")
		if err != nil || len(turn) != 1 || turn[0].ItemID != "I1" {
			t.Errorf("changes of the turn: %+v, %v", turn, err)
		}
		return nil
	})
}

// One agent's records are never another's: each reading of "sol" finds nothing
// of "luna", also where one id begins like the other.
func TestAgentsAreWalls(t *testing.T) {
	s := open(t)
	fillAll(t, s, "luna")
	for _, other := range []string{"sol", "lun", "luna2", "l"} {
		view(t, s, func(tx *store.Tx) error {
			if _, err := tx.Item(other, "I1"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%s reads luna's item: %v", other, err)
			}
			for it, err := range tx.Items(other) {
				t.Errorf("%s lists %s, %v", other, it.ID, err)
			}
			for h, err := range tx.Heads(other) {
				t.Errorf("%s loads %s, %v", other, h.ID, err)
			}
			if like, err := tx.ItemsLike(other, "preference/tea", "Loves tea"); err != nil || len(like) > 0 {
				t.Errorf("%s finds alike %v, %v", other, like, err)
			}
			if r, err := tx.SessionRecords(other, "S1"); err != nil || len(r) > 0 {
				t.Errorf("%s reads records %v, %v", other, r, err)
			}
			if n, err := tx.Count(other, counter.Items); err != nil || n != 0 {
				t.Errorf("%s counts %d, %v", other, n, err)
			}
			for r, err := range tx.Sessions(other) {
				t.Errorf("%s lists session %s, %v", other, r.ID, err)
			}
			return nil
		})
	}
}

// A1: a record is appended and never rewritten.
func TestRecordsAreAppendOnly(t *testing.T) {
	s := open(t)
	r := memory.Record{ID: "R1", AgentID: "luna", SessionID: "S1", Content: "first"}
	update(t, s, func(tx *store.Tx) error { return tx.AppendRecord(r) })
	r.Content = "second"
	if err := s.Update(func(tx *store.Tx) error { return tx.AppendRecord(r) }); err == nil {
		t.Error("a record was rewritten")
	}
	view(t, s, func(tx *store.Tx) error {
		got, err := tx.Record("luna", "R1")
		if got.Content != "first" {
			t.Errorf("content is %q, %v", got.Content, err)
		}
		return err
	})
}

// Trash and back again leaves everything as it was, but for the note of it.
func TestTakeBackRestoresEverything(t *testing.T) {
	s := open(t)
	fillAll(t, s, "luna")
	dump := func() (out struct {
		Item     memory.Item
		V1       memory.Item
		Changes  []memory.Change
		Head     memory.Head
		Like     []memory.Item
		Count    int
		Turn     []memory.Change
		Restored int
	}) {
		view(t, s, func(tx *store.Tx) error {
			var err error
			out.Item, err = tx.Item("luna", "I1")
			if err != nil {
				return err
			}
			out.V1, _ = tx.ItemVersion("luna", "I1", 1)
			all, _ := tx.Changes("luna", "I1")
			for _, c := range all {
				if c.Action == memory.ActionRestored {
					out.Restored++
				} else {
					out.Changes = append(out.Changes, c)
				}
			}
			for h, err := range tx.Heads("luna") {
				if err != nil {
					return err
				}
				out.Head = h
			}
			out.Like, _ = tx.ItemsLike("luna", "preference/tea", "")
			out.Turn, _ = tx.TurnChanges("luna", "T1")
			out.Count, err = tx.Count("luna", "items")
			return err
		})
		return out
	}
	before := dump()
	update(t, s, func(tx *store.Tx) error { return trash(tx, "luna", "D2", "I1") })
	view(t, s, func(tx *store.Tx) error {
		if _, err := tx.Item("luna", "I1"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the item is still there: %v", err)
		}
		if _, err := tx.ItemVersion("luna", "I1", 1); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("its old version is still there: %v", err)
		}
		if c, _ := tx.TurnChanges("luna", "T1"); len(c) != 0 {
			t.Errorf("the turn still names it: %v", c)
		}
		if at, err := tx.ForgottenAt("luna", memory.KindItem, "I1"); at.IsZero() || err != nil {
			t.Errorf("no word of the deletion: %v", err)
		}
		return nil
	})
	update(t, s, func(tx *store.Tx) error {
		back, err := tx.RestoreTrash("luna", "D2", "C9")
		if len(back.Items) != 1 {
			t.Errorf("%d came back", len(back.Items))
		}
		return err
	})
	after := dump()
	if after.Restored != 1 {
		t.Errorf("restored is noted %d times", after.Restored)
	}
	after.Restored = 0
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("before and after (-before +after):\n%s", diff)
	}
	update(t, s, func(tx *store.Tx) error {
		if _, err := tx.RestoreTrash("luna", "D2", "C10"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("taken back twice: %v", err)
		}
		return nil
	})
}

func TestPurgeIsByTime(t *testing.T) {
	s := open(t)
	fillAll(t, s, "luna") // I2 is in the trash
	var at time.Time
	view(t, s, func(tx *store.Tx) (err error) { at, err = tx.OldestTrash(); return err })
	update(t, s, func(tx *store.Tx) error {
		n, _, err := tx.PurgeTrash(at)
		if n != 0 {
			t.Errorf("purged %d too early", n)
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error {
		n, _, err := tx.PurgeTrash(at.Add(time.Nanosecond))
		if n != 2 {
			t.Errorf("purged %d, want 2", n)
		}
		return err
	})
}

// L3: the compact form keeps what scoring needs, to six decimals.
func TestHeadsEqualItems(t *testing.T) {
	s := open(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		it := full("luna", fmt.Sprintf("I%06d", n))
		it.Type = rapid.SampledFrom(memory.Types()).Draw(rt, "type")
		it.State = rapid.SampledFrom([]memory.State{memory.StateActive, memory.StateHeld, memory.StateMuted, memory.StateInactive}).Draw(rt, "state")
		it.Confidence = float64(rapid.IntRange(0, 1_000_000).Draw(rt, "confidence")) / 1e6
		it.AccessCount = rapid.IntRange(0, 1<<31-1).Draw(rt, "count")
		moment := rapid.Custom(func(rt *rapid.T) time.Time {
			if rapid.Bool().Draw(rt, "zero") {
				return time.Time{}
			}
			return time.Unix(rapid.Int64Range(-1e9, 4e9).Draw(rt, "s"), rapid.Int64Range(0, 999_999_999).Draw(rt, "ns")).UTC()
		})
		it.ValidFrom, it.ValidTo, it.LastAccessed = moment.Draw(rt, "from"), moment.Draw(rt, "to"), moment.Draw(rt, "accessed")
		// The compact form takes the first nanosecond of 1970 for "no time".
		for _, at := range []*time.Time{&it.ValidFrom, &it.ValidTo, &it.LastAccessed} {
			if at.Equal(time.Unix(0, 0)) {
				*at = time.Time{}
			}
		}
		if err := s.Update(func(tx *store.Tx) error { return tx.PutItem(it, it.ID, memory.Change{}) }); err != nil {
			rt.Fatal(err)
		}
		var got memory.Head
		view(t, s, func(tx *store.Tx) error {
			for h, err := range tx.Heads("luna") {
				if err != nil {
					return err
				}
				got = h
			}
			return nil
		})
		if diff := cmp.Diff(store.HeadOf(it), got); diff != "" {
			rt.Fatalf("(-item +head):\n%s", diff)
		}
	})
}

// L4: being used counts, but is no change of what the item says.
func TestTouch(t *testing.T) {
	s := open(t)
	update(t, s, func(tx *store.Tx) error { return tx.PutItem(full("luna", "I1"), "C1", memory.Change{}) })
	var at time.Time
	update(t, s, func(tx *store.Tx) error {
		at = tx.Now()
		head, err := tx.TouchItem("luna", "I1")
		if head.AccessCount != 4 || !head.LastAccessed.Equal(at) {
			t.Errorf("head is %+v", head)
		}
		return err
	})
	view(t, s, func(tx *store.Tx) error {
		it, err := tx.Item("luna", "I1")
		if it.AccessCount != 4 || !it.LastAccessed.Equal(at) || it.Version != 1 {
			t.Errorf("item is %+v", it)
		}
		return err
	})
}

// A damaged record is passed over by every list, and the rest is shown.
func TestDamagedRecordIsSkipped(t *testing.T) {
	s := open(t)
	raw := kv.NewBucket("items", 1, kv.Bytes())
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(
			tx.PutItem(full("luna", "I1"), "C1", memory.Change{}),
			tx.PutItem(full("luna", "I3"), "C3", memory.Change{}),
			raw.Put(tx.KV(), kv.Key("luna", "I2"), []byte("{not json")))
	})
	var ids []string
	view(t, s, func(tx *store.Tx) error {
		for it, err := range tx.Items("luna") {
			if err != nil {
				return err
			}
			ids = append(ids, it.ID)
		}
		return nil
	})
	if diff := cmp.Diff([]string{"I3", "I1"}, ids); diff != "" {
		t.Error(diff)
	}
}

func last[T any](_ T, err error) error { return err }

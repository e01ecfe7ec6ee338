package manager_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/manager"
)

var start = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// clock is set by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: start} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

func (c *clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

const luna = "luna"

func openAt(t testing.TB, dir string, c *clock, change func(*manager.Config)) *manager.Manager {
	t.Helper()
	cfg := manager.DefaultConfig()
	if change != nil {
		change(&cfg)
	}
	m, err := manager.Open(t.Context(), manager.Options{Dir: dir, Config: cfg, Now: c.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func open(t testing.TB) (*manager.Manager, *clock) {
	t.Helper()
	c := newClock()
	return openAt(t, filepath.Join(t.TempDir(), "data"), c, nil), c
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// say takes one message of the user the whole way to what it teaches.
func say(t testing.TB, m *manager.Manager, agent, session, text string) (manager.Turn, []memory.Change) {
	t.Helper()
	ctx := t.Context()
	in := must(m.KeepIncoming(ctx, agent, text, nil))(t)
	turn := must(m.BeginTurn(ctx, agent, in.ID, manager.Place{SessionID: session}))(t)
	_, err := m.FinishTurn(ctx, memory.Record{
		AgentID: agent, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID,
		Role: memory.RoleAssistant, Content: "I see.", Status: memory.StatusComplete, Model: "test",
	}, true)
	if err != nil {
		t.Fatal(err)
	}
	var changes []memory.Change
	if err := m.Learn(ctx, agent, func(l manager.Learned) { changes = append(changes, l.Changes...) }); err != nil {
		t.Fatal(err)
	}
	return turn, changes
}

func contents(items []memory.Item) []string {
	out := []string{}
	for _, it := range items {
		out = append(out, it.Content)
	}
	return out
}

func recall(t testing.TB, m *manager.Manager, agent, text string) []memory.Item {
	t.Helper()
	if err := m.Settle(t.Context(), agent); err != nil {
		t.Fatal(err)
	}
	res := must(m.Retrieve(t.Context(), agent, manager.Query{Text: text}))(t)
	if res.Degraded != "" {
		t.Fatalf("retrieval is degraded: %s", res.Degraded)
	}
	var out []memory.Item
	for _, s := range res.Chosen {
		out = append(out, s.Item)
	}
	return out
}

// P2, P6: a plain statement becomes an item by rule, in both languages, with
// evidence that leads back to the words (L1).
func TestStatementBecomesItem(t *testing.T) {
	for _, c := range []struct{ said, ask, want string }{
		{"Good morning! My name is Bo. How are you?", "what is my name", "Bo"},
		{"我叫小明，请多关照", "我叫什么名字", "小明"},
		{"I prefer pnpm over npm", "should I use npm or pnpm here?", "pnpm"},
		{"记住我对花生过敏", "花生可以吃吗", "花生"},
	} {
		t.Run(c.said, func(t *testing.T) {
			m, _ := open(t)
			turn, changes := say(t, m, luna, "", c.said)
			if len(changes) != 1 || changes[0].Action != memory.ActionAdded {
				t.Fatalf("changes: %+v", changes)
			}
			it := must(m.Item(t.Context(), luna, changes[0].ItemID))(t)
			if !strings.Contains(it.Content, c.want) || it.Source != memory.SourceUserStated || it.Confidence < 0.9 {
				t.Errorf("item: %+v", it)
			}
			if len(it.Evidence) != 1 || it.Evidence[0].RecordID != turn.Record.ID {
				t.Fatalf("evidence: %+v", it.Evidence)
			}
			quoted := manager.Quoted(turn.Record, it.Evidence[0])
			if !strings.Contains(quoted, c.want) || !strings.Contains(c.said, quoted) {
				t.Errorf("evidence quotes %q", quoted)
			}
			if got := recall(t, m, luna, c.ask); len(got) == 0 || got[0].ID != it.ID {
				t.Errorf("%q recalls %v", c.ask, contents(got))
			}
		})
	}
}

// P3: questions, moods and greetings store nothing.
func TestQuestionsStoreNothing(t *testing.T) {
	m, _ := open(t)
	for _, said := range []string{"我喜欢谁？", "do I like tea?", "what is my name?", "hello there", "我今天很累", "what did I say about tea"} {
		if _, changes := say(t, m, luna, "", said); len(changes) != 0 {
			t.Errorf("%q: %+v", said, changes)
		}
	}
	if page := must(m.Items(t.Context(), luna, manager.ItemFilter{All: true}))(t); page.Total != 0 {
		t.Errorf("stored %v", contents(page.Items))
	}
}

// P4: the same thing said again confirms; another value supersedes, with both
// linked; what can both be true stays two.
func TestSaidAgainAndOtherwise(t *testing.T) {
	m, _ := open(t)
	_, first := say(t, m, luna, "", "My name is Bo")
	_, again := say(t, m, luna, "", "my name is Bo!")
	if len(again) != 1 || again[0].Action != memory.ActionConfirmed || again[0].ItemID != first[0].ItemID {
		t.Fatalf("said again: %+v", again)
	}
	if it := again[0].Item; it.Confidence <= first[0].Item.Confidence || !it.LastConfirmedAt.After(first[0].Item.LastConfirmedAt) || len(it.Evidence) != 2 {
		t.Errorf("not confirmed: %+v", it)
	}
	_, other := say(t, m, luna, "", "My name is Max")
	if len(other) != 1 || other[0].Action != memory.ActionSuperseded {
		t.Fatalf("another name: %+v", other)
	}
	old := must(m.Item(t.Context(), luna, first[0].ItemID))(t)
	if old.IsActive || old.State != memory.StateInactive || old.ValidTo.IsZero() || old.SupersededBy != other[0].ItemID {
		t.Errorf("the old item: %+v", old)
	}
	if it := other[0].Item; it.Supersedes != old.ID || it.Importance <= first[0].Item.Importance {
		t.Errorf("the new item: %+v", it)
	}
	if got := recall(t, m, luna, "what is my name?"); len(got) != 1 || got[0].ID != other[0].ItemID {
		t.Errorf("recalled %v", contents(got))
	}
	say(t, m, luna, "", "I like tea")
	say(t, m, luna, "", "I like coffee")
	page := must(m.Items(t.Context(), luna, manager.ItemFilter{Type: memory.TypePreference}))(t)
	if page.Total != 2 {
		t.Errorf("tea and coffee: %v", contents(page.Items))
	}
}

// P5: secrets never become items; personal data is held until the user says
// yes, and held items are not recalled.
func TestSecretsAndPersonalData(t *testing.T) {
	m, _ := open(t)
	_, secret := say(t, m, luna, "", "Remember that my API key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD")
	for _, c := range secret {
		if c.Action != memory.ActionSkipped || strings.Contains(c.Reason, "sk-") {
			t.Errorf("a secret: %+v", c)
		}
	}
	page := must(m.Items(t.Context(), luna, manager.ItemFilter{All: true}))(t)
	if page.Total != 0 {
		t.Errorf("stored %v", contents(page.Items))
	}
}

// W1, W2, W3: working memory begins with the first message and counts.
func TestWorkingMemory(t *testing.T) {
	m, _ := open(t)
	turn, _ := say(t, m, luna, "", "Let's plan the trip to Osaka")
	w := must(m.Working(t.Context(), luna, turn.Session.ID))(t)
	if w.TurnCount != 1 || w.SessionID != turn.Session.ID || !w.CreatedAt.Equal(turn.Working.UpdatedAt) {
		t.Errorf("after the first message: %+v", w)
	}
	say(t, m, luna, turn.Session.ID, "Which hotel in Osaka is good?")
	w2 := must(m.Working(t.Context(), luna, turn.Session.ID))(t)
	if w2.TurnCount != 2 || !w2.UpdatedAt.After(w.UpdatedAt) || w2.CurrentTopic != "Osaka" {
		t.Errorf("after the second: %+v", w2)
	}
}

// L6, D2: a deleted item is out of every view at once, can be taken back for ten
// seconds, and is then gone from store and index.
func TestDeleteTakeBackAndPurge(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	_, changes := say(t, m, luna, "", "I like oolong tea")
	id := changes[0].ItemID
	gone := func() {
		t.Helper()
		if _, err := m.Item(ctx, luna, id); !errors.Is(err, manager.ErrNotFound) {
			t.Errorf("it can be read: %v", err)
		}
		if page := must(m.Items(ctx, luna, manager.ItemFilter{All: true}))(t); page.Total != 0 {
			t.Errorf("it is listed: %v", contents(page.Items))
		}
		if got := recall(t, m, luna, "oolong tea"); len(got) != 0 {
			t.Errorf("it is recalled: %v", contents(got))
		}
	}
	d := must(m.DeleteItems(ctx, luna, id))(t)
	gone()
	if n := must(m.TakeBack(ctx, luna, d.ID))(t); n != 1 {
		t.Errorf("%d came back", n)
	}
	if got := recall(t, m, luna, "oolong tea"); len(got) != 1 {
		t.Errorf("after taking back: %v", contents(got))
	}
	d = must(m.DeleteItems(ctx, luna, id))(t)
	c.Add(manager.TakeBackTime)
	if err := m.Purge(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := m.TakeBack(ctx, luna, d.ID); !errors.Is(err, manager.ErrGone) {
		t.Errorf("taken back after the end: %v", err)
	}
	gone()
}

// D2: a deletion that a closing program left is finished at the next start.
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
	if _, err := m.TakeBack(t.Context(), luna, d.ID); !errors.Is(err, manager.ErrGone) {
		t.Errorf("taken back a minute later: %v", err)
	}
}

// L6: clear-all deletes the agent's items only, and leaves working memory.
func TestClear(t *testing.T) {
	m, _ := open(t)
	turn, _ := say(t, m, luna, "", "I like tea")
	say(t, m, luna, turn.Session.ID, "My name is Bo")
	say(t, m, "sol", "", "I like tea")
	d := must(m.ClearItems(t.Context(), luna))(t)
	if d.Items != 2 {
		t.Errorf("cleared %d", d.Items)
	}
	if _, err := m.Working(t.Context(), luna, turn.Session.ID); err != nil {
		t.Errorf("working memory: %v", err)
	}
	if page := must(m.Items(t.Context(), "sol", manager.ItemFilter{}))(t); page.Total != 1 {
		t.Errorf("the other agent has %v", contents(page.Items))
	}
}

// L6: items can be created and edited by hand; bad input is refused in words and
// changes nothing.
func TestAddAndEdit(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	it := must(m.AddItem(ctx, luna, memory.Item{Content: "  Plays the cello ", Type: memory.TypeFact}))(t)
	if it.Content != "Plays the cello" || it.Trust != memory.TrustUser || it.Origin != memory.OriginUser || it.Version != 1 {
		t.Errorf("added: %+v", it)
	}
	edited := must(m.EditItem(ctx, luna, it.ID[len(it.ID)-8:], func(it *memory.Item) { it.Content = "Plays the viola" }))(t)
	if edited.Version != 2 || edited.ID != it.ID || !edited.CreatedAt.Equal(it.CreatedAt) {
		t.Errorf("edited: %+v", edited)
	}
	if got := recall(t, m, luna, "who plays the viola"); len(got) != 1 {
		t.Errorf("recalled %v", contents(got))
	}
	if got := recall(t, m, luna, "cello"); len(got) != 0 {
		t.Errorf("the old words recall %v", contents(got))
	}
	for name, edit := range map[string]func(*memory.Item){
		"empty":      func(it *memory.Item) { it.Content = " " },
		"long":       func(it *memory.Item) { it.Content = strings.Repeat("长", 601) },
		"type":       func(it *memory.Item) { it.Type = "mood" },
		"confidence": func(it *memory.Item) { it.Confidence = 1.5 },
		"value":      func(it *memory.Item) { it.Value = []byte("{") },
		"utf8":       func(it *memory.Item) { it.Content = "\xff" },
	} {
		if _, err := m.EditItem(ctx, luna, it.ID, edit); !errors.Is(err, manager.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	now := must(m.Item(ctx, luna, it.ID))(t)
	if diff := cmp.Diff(edited, now); diff != "" {
		t.Errorf("a refused edit changed it:\n%s", diff)
	}
	history := must(m.History(ctx, luna, it.ID))(t)
	if len(history) != 2 || history[1].Action != memory.ActionEdited {
		t.Errorf("history: %+v", history)
	}
}

// C5, L4: what is sent is what is stored; it can be shown again byte for byte,
// and what was deleted since shows as forgotten.
func TestPackage(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	_, changes := say(t, m, luna, "", "I like oolong tea")
	item := changes[0].Item
	in := must(m.KeepIncoming(ctx, luna, "what tea do I like?", nil))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	head, tail := "## Memory\n", "-- end"
	ref := memory.Ref{Kind: memory.KindItem, ID: item.ID, Version: item.Version, Form: memory.FormFence, Source: "preference"}
	pkg := memory.Package{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Model: "m",
		Blocks: []memory.Block{
			{Layer: memory.LayerPersona, Role: memory.RoleSystem, Parts: []memory.Ref{{Kind: memory.KindText, ID: manager.TextID("Be kind.")}}},
			{Layer: memory.LayerRecall, Role: memory.RoleUser, Nonce: "n0nce", Parts: []memory.Ref{
				{Kind: memory.KindText, ID: manager.TextID(head)}, ref, {Kind: memory.KindText, ID: manager.TextID(tail)}}},
			{Layer: memory.LayerMessage, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: turn.Record.ID}}},
		},
		Used: []memory.Used{{ItemID: item.ID, Version: item.Version, Chosen: true}},
	}
	texts := map[string]string{}
	for _, s := range []string{"Be kind.", head, tail} {
		texts[manager.TextID(s)] = s
	}
	sent := must(m.SavePackage(ctx, pkg, texts))(t)
	want := []memory.Message{
		{Role: memory.RoleSystem, Content: "Be kind."},
		{Role: memory.RoleUser, Content: head + `[preference] "` + item.Content + "\"\n" + tail + "\n\nwhat tea do I like?"},
	}
	if diff := cmp.Diff(want, sent.Messages()); diff != "" {
		t.Errorf("messages:\n%s", diff)
	}
	used := must(m.Item(ctx, luna, item.ID))(t)
	if used.AccessCount != 1 || used.LastAccessed.IsZero() || used.Version != item.Version {
		t.Errorf("not counted as accessed: %+v", used)
	}
	must(m.EditItem(ctx, luna, item.ID, func(it *memory.Item) { it.Content = "Likes green tea" }))(t)
	again := must(m.Package(ctx, luna, turn.Record.TurnID))(t)
	if !again.Exact || again.Hash != sent.Hash {
		t.Error("after an edit of the item the package is not the same")
	}
	if diff := cmp.Diff(want, again.Messages()); diff != "" {
		t.Errorf("shown again:\n%s", diff)
	}
	d := must(m.DeleteItems(ctx, luna, item.ID))(t)
	_ = d
	after := must(m.Package(ctx, luna, turn.Record.TurnID))(t)
	if after.Exact || after.Rendered[1].Forgotten != 1 {
		t.Errorf("after the deletion: exact %v, %+v", after.Exact, after.Rendered[1])
	}
	if text := after.Messages()[1].Content; strings.Contains(text, "oolong") || !strings.Contains(text, "[forgotten "+c.Now().Format(time.DateOnly)+"]") {
		t.Errorf("after the deletion: %s", text)
	}
	_ = must(m.TakeBack(ctx, luna, d.ID))(t)
	if back := must(m.Package(ctx, luna, turn.Record.TurnID))(t); !back.Exact {
		t.Error("after taking back it is not exact again")
	}
}

// L4: looking at an item, or at what would be recalled, does not count as use.
func TestLookingIsNotUsing(t *testing.T) {
	m, _ := open(t)
	_, changes := say(t, m, luna, "", "I like oolong tea")
	recall(t, m, luna, "oolong")
	must(m.Items(t.Context(), luna, manager.ItemFilter{}))(t)
	if it := must(m.Item(t.Context(), luna, changes[0].ItemID))(t); it.AccessCount != 0 || !it.LastAccessed.IsZero() {
		t.Errorf("%+v", it)
	}
}

// R4: without an index the items are read through, and the result says so.
// Q3: an index that is damaged or missing is rebuilt by itself.
func TestIndexLost(t *testing.T) {
	for name, damage := range map[string]func(dir string) error{
		"missing": os.RemoveAll,
		"garbage": func(dir string) error {
			return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				return os.WriteFile(path, []byte("garbage"), 0o600)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, c := filepath.Join(t.TempDir(), "data"), newClock()
			m := openAt(t, dir, c, nil)
			say(t, m, luna, "", "I like oolong tea")
			say(t, m, luna, "", "我喜欢喝普洱茶")
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			if err := damage(filepath.Join(dir, "index")); err != nil {
				t.Fatal(err)
			}
			m = openAt(t, dir, c, nil)
			if got := recall(t, m, luna, "oolong"); len(got) != 1 {
				t.Errorf("oolong recalls %v", contents(got))
			}
			if got := recall(t, m, luna, "普洱"); len(got) != 1 {
				t.Errorf("普洱 recalls %v", contents(got))
			}
		})
	}
}

// R4: a folder in which no index can be made leaves the scan.
func TestScanInsteadOfIndex(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "index"), []byte("a file, not a folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := openAt(t, dir, c, nil)
	say(t, m, luna, "", "I like oolong tea")
	say(t, m, luna, "", "我喜欢喝普洱茶")
	for _, ask := range []string{"oolong", "普洱"} {
		res := must(m.Retrieve(t.Context(), luna, manager.Query{Text: ask}))(t)
		if len(res.Chosen) != 1 || res.Degraded == "" {
			t.Errorf("%s: chosen %d, degraded %q", ask, len(res.Chosen), res.Degraded)
		}
	}
}

// R7: nothing found is an empty list and no error.
func TestNothingFound(t *testing.T) {
	m, _ := open(t)
	for range 2 {
		res := must(m.Retrieve(t.Context(), luna, manager.Query{Text: "anything at all"}))(t)
		if len(res.Chosen)+len(res.NotChosen) != 0 || res.Degraded != "" {
			t.Errorf("%+v", res)
		}
		say(t, m, luna, "", "I like oolong tea")
		if err := m.Settle(t.Context(), luna); err != nil {
			t.Fatal(err)
		}
	}
}

// R1: the number asked for is the number chosen.
func TestLimit(t *testing.T) {
	m, _ := open(t)
	for _, s := range []string{"green", "black", "white", "oolong", "jasmine", "mint", "ginger"} {
		must(m.AddItem(t.Context(), luna, memory.Item{Content: "Drinks " + s + " tea"}))(t)
	}
	if err := m.Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 3, 7} {
		res := must(m.Retrieve(t.Context(), luna, manager.Query{Text: "tea", Limit: n}))(t)
		if len(res.Chosen) != n {
			t.Errorf("limit %d chose %d", n, len(res.Chosen))
		}
	}
	if res := must(m.Retrieve(t.Context(), luna, manager.Query{Text: "tea"}))(t); len(res.Chosen) != 5 {
		t.Errorf("by default %d", len(res.Chosen))
	}
}

// L3: with a hot set the items beyond it are found all the same.
func TestHotSet(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	for _, s := range []string{"green", "black", "white", "oolong", "jasmine"} {
		must(m.AddItem(t.Context(), luna, memory.Item{Content: "Drinks " + s + " tea"}))(t)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, func(cfg *manager.Config) { cfg.LoadOnStart, cfg.HotItems = manager.LoadHot, 2 })
	if got := recall(t, m, luna, "tea"); len(got) != 5 {
		t.Errorf("recalled %v", contents(got))
	}
}

// A1: a message is on disk before its session is known; a crash leaves it, and
// an answer that was cut off becomes an interrupted record.
func TestRecover(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	ctx := t.Context()
	in := must(m.KeepIncoming(ctx, luna, "I like oolong tea", nil))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	if err := m.SavePartial(ctx, memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "Oolong is",
	}); err != nil {
		t.Fatal(err)
	}
	must(m.KeepIncoming(ctx, luna, "and coffee", nil))(t)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, nil)
	cut := must(m.Recover(ctx, luna))(t)
	if len(cut) != 1 || cut[0].Content != "Oolong is" || cut[0].Status != memory.StatusInterrupted {
		t.Errorf("recovered %+v", cut)
	}
	if again := must(m.Recover(ctx, luna))(t); len(again) != 0 {
		t.Errorf("recovered twice: %+v", again)
	}
	left := must(m.Incoming(ctx, luna))(t)
	if len(left) != 1 || left[0].Content != "and coffee" {
		t.Errorf("incoming: %+v", left)
	}
	records := must(m.Records(ctx, luna, turn.Session.ID))(t)
	if len(records) != 2 || records[1].ParentID != records[0].ID {
		t.Errorf("records: %+v", records)
	}
	if err := m.Learn(ctx, luna, nil); err != nil {
		t.Fatal(err)
	}
	if page := must(m.Items(ctx, luna, manager.ItemFilter{}))(t); page.Total != 1 {
		t.Errorf("the cut turn taught %v", contents(page.Items))
	}
}

// L2: analysis is done once, also when two workers take the same job.
func TestLearnOnce(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	for range 20 {
		in := must(m.KeepIncoming(ctx, luna, "I like oolong tea", nil))(t)
		turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
		must(m.FinishTurn(ctx, memory.Record{AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant}, true))(t)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := m.Learn(ctx, luna, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	page := must(m.Items(ctx, luna, manager.ItemFilter{All: true}))(t)
	if page.Total != 1 {
		t.Fatalf("items: %v", contents(page.Items))
	}
	if n := len(must(m.History(ctx, luna, page.Items[0].ID))(t)); n != 20 {
		t.Errorf("the item has %d changes, want 20", n)
	}
}

// A1: content over 256 KB lies in a file of its own, which goes with its record.
func TestLongContent(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	long := strings.Repeat("很长的话 ", 60_000)
	in := must(m.KeepIncoming(t.Context(), luna, long, nil))(t)
	turn := must(m.BeginTurn(t.Context(), luna, in.ID, manager.Place{}))(t)
	if turn.Record.Content != long {
		t.Error("the content did not come back")
	}
	r := must(m.Record(t.Context(), luna, in.ID))(t)
	if r.Content != long || r.ContentRef == "" {
		t.Errorf("content_ref is %q, %d bytes", r.ContentRef, len(r.Content))
	}
	path := filepath.Join(dir, filepath.FromSlash(r.ContentRef))
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("file: %v, %v", st, err)
	}
	dropped := must(m.KeepIncoming(t.Context(), luna, long, nil))(t)
	must(m.DropIncoming(t.Context(), luna, dropped.ID))(t)
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 {
		t.Errorf("%d files are left, %v", len(files), err)
	}
}

// D4: everything below the data folder is readable by its owner alone.
func TestModes(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	say(t, m, luna, "", "I like oolong tea")
	if err := m.Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode().Perm())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Agents are walls: nothing of one is found by another.
func TestAgentsAreWalls(t *testing.T) {
	m, _ := open(t)
	turn, changes := say(t, m, luna, "", "My name is Bo and I like oolong tea")
	for _, other := range []string{"sol", "lun", "luna-2"} {
		if got := recall(t, m, other, "what is my name, oolong tea"); len(got) != 0 {
			t.Errorf("%s recalls %v", other, contents(got))
		}
		if _, err := m.Item(t.Context(), other, changes[0].ItemID); !errors.Is(err, manager.ErrNotFound) {
			t.Errorf("%s reads an item: %v", other, err)
		}
		if _, err := m.DeleteItems(t.Context(), other, changes[0].ItemID); !errors.Is(err, manager.ErrNotFound) {
			t.Errorf("%s deletes an item: %v", other, err)
		}
		if r := must(m.Records(t.Context(), other, turn.Session.ID))(t); len(r) != 0 {
			t.Errorf("%s reads records", other)
		}
	}
	for _, bad := range []string{"", "../luna", "Luna", "a/b", strings.Repeat("a", 65)} {
		if _, err := m.Items(t.Context(), bad, manager.ItemFilter{}); !errors.Is(err, manager.ErrInvalid) {
			t.Errorf("agent %q: %v", bad, err)
		}
	}
}

// The draft survives closing.
func TestDraft(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	if err := m.SaveDraft(t.Context(), luna, memory.Draft{Text: "half a 句子"}); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, nil)
	if d := must(m.Draft(t.Context(), luna))(t); d.Text != "half a 句子" {
		t.Errorf("draft is %q", d.Text)
	}
	if err := m.SaveDraft(t.Context(), luna, memory.Draft{}); err != nil {
		t.Fatal(err)
	}
	if d := must(m.Draft(t.Context(), luna))(t); d.Text != "" {
		t.Errorf("draft is %q", d.Text)
	}
}

// A second opening is refused and names the process.
func TestSecondOpening(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	openAt(t, dir, c, nil)
	_, err := manager.Open(t.Context(), manager.Options{Dir: dir, Config: manager.DefaultConfig(), Now: c.Now, LockTimeout: time.Millisecond})
	var locked *manager.LockedError
	if !errors.As(err, &locked) || locked.PID != os.Getpid() {
		t.Errorf("%v", err)
	}
}

// Sessions are listed by their last message.
func TestSessions(t *testing.T) {
	m, _ := open(t)
	a, _ := say(t, m, luna, "", "first session about\nthe weather")
	b, _ := say(t, m, luna, "", "第二个会话")
	say(t, m, luna, a.Session.ID, "back again")
	list, total, err := m.Sessions(t.Context(), luna, 10, 0)
	if err != nil || total != 2 {
		t.Fatalf("total %d, %v", total, err)
	}
	if list[0].ID != a.Session.ID || list[1].ID != b.Session.ID || list[0].Turns != 2 || list[0].Messages != 4 {
		t.Errorf("%+v", list)
	}
	if list[0].Title != "first session about" {
		t.Errorf("title %q", list[0].Title)
	}
	if s := must(m.Session(t.Context(), luna, strings.ToLower(b.Session.ID[18:])))(t); s.ID != b.Session.ID {
		t.Errorf("found by its end: %+v", s)
	}
}

// Deletions are carried out by a timer ten seconds later.
func TestPurgeTimer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	synctest.Test(t, func(t *testing.T) {
		m, err := manager.Open(context.Background(), manager.Options{Dir: dir, Config: manager.DefaultConfig(), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		it := must(m.AddItem(t.Context(), luna, memory.Item{Content: "Likes tea"}))(t)
		d := must(m.DeleteItems(t.Context(), luna, it.ID))(t)
		time.Sleep(manager.TakeBackTime - time.Second)
		if n, err := m.TakeBack(t.Context(), luna, d.ID); n != 1 || err != nil {
			t.Fatalf("after nine seconds: %d, %v", n, err)
		}
		d = must(m.DeleteItems(t.Context(), luna, it.ID))(t)
		time.Sleep(manager.TakeBackTime + time.Second)
		if _, err := m.TakeBack(t.Context(), luna, d.ID); !errors.Is(err, manager.ErrGone) {
			t.Fatalf("after eleven seconds: %v", err)
		}
	})
}

// Items are filtered by their words, whatever the case or the script variant.
func TestFilter(t *testing.T) {
	m, _ := open(t)
	for _, s := range []string{"Drinks Oolong tea", "喜歡喝普洱茶", "Runs on Fridays"} {
		must(m.AddItem(t.Context(), luna, memory.Item{Content: s}))(t)
	}
	for want, n := range map[string]int{"": 3, "OOLONG": 1, "喜欢": 1, "tea oolong": 1, "nothing": 0, "fact": 3} {
		page := must(m.Items(t.Context(), luna, manager.ItemFilter{Text: want}))(t)
		if page.Total != n {
			t.Errorf("%q lists %v", want, contents(page.Items))
		}
	}
	page := must(m.Items(t.Context(), luna, manager.ItemFilter{Limit: 1, Offset: 1}))(t)
	if page.Total != 3 || !slices.Equal(contents(page.Items), []string{"喜歡喝普洱茶"}) {
		t.Errorf("page: %d %v", page.Total, contents(page.Items))
	}
}

// P4: one slot holds one active item, also by the user's own hand: the later one
// supersedes. What was deleted and said again is not there twice when the
// deletion is taken back.
func TestOneItemForASlot(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	_, first := say(t, m, luna, "", "My name is Bo")
	key := first[0].Item.Key
	by := must(m.AddItem(ctx, luna, memory.Item{Content: "Name is Max", Key: key}))(t)
	if old := must(m.Item(ctx, luna, first[0].ItemID))(t); old.SupersededBy != by.ID || old.IsActive {
		t.Errorf("the old one: %+v", old)
	}
	other := must(m.AddItem(ctx, luna, memory.Item{Content: "Name is Kim"}))(t)
	other = must(m.EditItem(ctx, luna, other.ID, func(it *memory.Item) { it.Key = key }))(t)
	if other.Supersedes != by.ID {
		t.Errorf("edited into the slot: %+v", other)
	}
	d := must(m.DeleteItems(ctx, luna, other.ID))(t)
	_, again := say(t, m, luna, "", "My name is Kim")
	must(m.TakeBack(ctx, luna, d.ID))(t)
	page := must(m.Items(ctx, luna, manager.ItemFilter{}))(t)
	if page.Total != 1 || page.Items[0].ID != again[0].ItemID {
		t.Errorf("active: %v", contents(page.Items))
	}
}

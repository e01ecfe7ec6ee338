package manager_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// quoting stores a package that quotes a turn's message, with its keywords.
func quoting(t testing.TB, m *manager.Manager, turn manager.Turn) {
	t.Helper()
	must(m.SavePackage(t.Context(), memory.Package{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Turn: turn.Working.TurnCount,
		Keywords: strings.Fields(turn.Record.Content), Blocks: []memory.Block{
			{Layer: memory.LayerWorking, Role: memory.RoleSystem, Parts: []memory.Ref{{
				Kind: memory.KindWorking, ID: turn.Session.ID, Version: turn.Working.TurnCount, Field: memory.FieldTopic,
			}}},
			{Layer: memory.LayerMessage, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: turn.Record.ID}}},
		},
	}, nil))(t)
}

// A1: a bookmark is kept beside the words; it comes and goes, and is a way to the
// message.
func TestCollectRecord(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "The kiln is at 1,240 degrees")
	say(t, m, luna, turn.Session.ID, "The kiln is cold")
	marked := func() []string {
		var out []string
		for _, h := range must(m.Recall().SearchArchive(ctx, luna, recall.ArchiveQuery{Collected: true}))(t).Hits {
			out = append(out, h.Record.Content)
		}
		return out
	}
	r := must(m.CollectRecord(ctx, luna, turn.Record.ID[18:], true))(t)
	if want := turn.Record; !r.Collected || r.Content != want.Content || !r.Timestamp.Equal(want.Timestamp) {
		t.Errorf("bookmarked %+v", r)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, nil)
	if got := marked(); !slices.Equal(got, []string{turn.Record.Content}) {
		t.Errorf("bookmarks: %q", got)
	}
	for words, n := range map[string]int{"kiln": 1, "cold": 0} {
		if page := must(m.Recall().SearchArchive(ctx, luna, recall.ArchiveQuery{Text: words, Collected: true}))(t); page.Total != n || len(page.Hits) != n || page.Degraded != "" {
			t.Errorf("%s among the bookmarks: %+v", words, page)
		}
	}
	d := must(m.DeleteRecords(ctx, luna, false, turn.Record.ID))(t)
	if got := marked(); len(got) != 0 {
		t.Errorf("a deleted bookmark: %q", got)
	}
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	if got := marked(); len(got) != 1 {
		t.Errorf("after taking back: %q", got)
	}
	must(m.CollectRecord(ctx, luna, turn.Record.ID, false))(t)
	if got := marked(); len(got) != 0 {
		t.Errorf("after taking the mark away: %q", got)
	}
	if _, err := m.CollectRecord(ctx, luna, "nobody", true); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("an unknown message: %v", err)
	}
	if _, err := m.CollectRecord(ctx, "sol", turn.Record.ID, true); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("another agent's message: %v", err)
	}
}

// D2: with a message go the program's own answers to it. Those of any session that quote it, or a memory
// deleted with it, lose these words; those that share a word with it do not.
func TestDeleteRecordsWithAnswers(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	const knee = "ive got a bad knee from skiing"
	answered := func(session, said, answer string) manager.Turn {
		in := must(m.KeepIncoming(ctx, luna, said, nil, ""))(t)
		turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{SessionID: session}))(t)
		must(m.FinishTurn(ctx, memory.Record{
			AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant,
			Content: answer, Status: memory.StatusComplete, Model: memory.ModelOffline,
		}, true))(t)
		return turn
	}
	first := answered("", knee, "Held for your approval: A bad knee")
	session := first.Session.ID
	answered(session, "which knee is it?", "You said: “"+knee+"”")
	answered(session, "do I ski?", "Your memory holds nothing on skiing.")
	it := must(m.Learning().AddItem(ctx, luna, memory.Item{
		Type: memory.TypeFact, Content: "Has a bad knee.", Evidence: []memory.Evidence{{SessionID: session, RecordID: first.Record.ID}},
	}))(t)
	other := answered("", "what do you know?", "**Facts (2)**\n\n- Has a bad knee.\n- Skis.\n").Session.ID
	texts := func() (out []string) {
		for _, in := range []string{session, other} {
			for _, r := range must(m.Lookup().Branch(ctx, luna, in))(t).Records {
				out = append(out, r.Content)
			}
		}
		return out
	}
	all := texts()
	left := []string{
		"which knee is it?", "You said: “[deleted]”", "do I ski?", "Your memory holds nothing on skiing.",
		"what do you know?", "**Facts (2)**\n\n- [deleted].\n- Skis.\n",
	}
	d := must(m.DeleteRecords(ctx, luna, true, first.Record.ID))(t)
	if diff := cmp.Diff(left, texts()); diff != "" || d.Items != 1 || d.Messages != 2 || d.Redacted != 2 {
		t.Errorf("%d memories, %d messages, %d redacted; left are (-want +got):\n%s", d.Items, d.Messages, d.Redacted, diff)
	}
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	if diff := cmp.Diff(all, texts()); diff != "" {
		t.Errorf("restored are (-want +got):\n%s", diff)
	}
	one := must(m.DeleteItems(ctx, luna, it.ID))(t) // the message stays, and its quotes
	left[5] = "**Facts (2)**\n\n- [deleted].\n- Skis.\n"
	if diff := cmp.Diff(slices.Concat(all[:2], all[2:6], all[6:7], left[5:]), texts()); diff != "" || one.Redacted != 1 {
		t.Errorf("with the memory alone %d redacted; left are (-want +got):\n%s", one.Redacted, diff)
	}
	two := must(m.DeleteRecords(ctx, luna, false, first.Record.ID))(t)
	must(m.UndoDeletion(ctx, luna, one.ID))(t)
	must(m.UndoDeletion(ctx, luna, two.ID))(t)
	if diff := cmp.Diff(all, texts()); diff != "" {
		t.Errorf("restored in the order of deleting are (-want +got):\n%s", diff)
	}
}

// A5, D2, C5: a deleted message is in no view at once, with the keywords, topics and
// titles made from it. Packages that quoted it show it as forgotten.
func TestDeleteRecords(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	first, tea := say(t, m, luna, "", "I like oolong tea")
	session := first.Session.ID
	quoting(t, m, first)
	second, _ := say(t, m, luna, session, "Where do I buy oolong tea?")
	third, _ := say(t, m, luna, session, "Let's talk of kilns")
	quoting(t, m, third)
	must(m.EditWorking(ctx, luna, session, func(w *memory.Working) { w.CurrentTopic = "oolong" }))(t)
	before := seeAll(t, m)

	if got := must(m.Lookup().LearnedFrom(ctx, luna, first.Record.ID))(t); len(got) != 1 || got[0].ID != tea[0].ItemID {
		t.Errorf("learned from it: %v", contents(got))
	}
	d := must(m.DeleteRecords(ctx, luna, true, first.Record.ID, first.Record.ID[16:], second.Record.ID))(t)
	if d.Messages != 2 || d.Items != 1 || d.Sessions != 0 || !d.Until.After(c.Now()) {
		t.Errorf("deletion %+v", d)
	}
	s := must(m.Lookup().Session(ctx, luna, session))(t)
	if s.Messages != 4 || s.Turns != 1 || s.Title != "Let's talk of kilns" || s.LastRecordID != before.Sessions[0].LastRecordID {
		t.Errorf("session %+v", s)
	}
	if w := must(m.Lookup().Working(ctx, luna, session))(t); w.CurrentTopic != "" {
		t.Errorf("the topic is still %q", w.CurrentTopic)
	}
	sent := must(m.Lookup().Package(ctx, luna, first.Record.TurnID))(t)
	date := "[forgotten " + c.Now().Format(time.DateOnly) + "]"
	if got := sent.Rendered[1].Text; got != date || sent.Exact || len(sent.Keywords) > 0 {
		t.Errorf("the package says %q with keywords %q", got, sent.Keywords)
	}
	for _, words := range []string{"oolong", ""} {
		for _, h := range must(m.Recall().SearchArchive(ctx, luna, recall.ArchiveQuery{Text: words}))(t).Hits {
			if strings.Contains(h.Record.Content, "oolong") {
				t.Errorf("%q finds %q", words, h.Record.Content)
			}
		}
	}
	for what, err := range map[string]error{
		"record": last(m.Lookup().Record(ctx, luna, first.Record.ID)), "item": last(m.Lookup().Item(ctx, luna, tea[0].ItemID)),
	} {
		if !errors.Is(err, lookup.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	if diff := cmp.Diff(before, seeAll(t, m)); diff != "" {
		t.Errorf("taken back (-before +after):\n%s", diff)
	}
	must(m.DeleteRecords(ctx, luna, false, first.Record.ID))(t)
	if err := m.Trash().Purge(ctx); err != nil {
		t.Fatal(err)
	}
	it := must(m.Lookup().Item(ctx, luna, tea[0].ItemID))(t) // it stays, and so does where it came from
	if got := recalled(t, m, luna, "oolong tea"); len(got) == 0 || got[0].ID != it.ID {
		t.Errorf("recalled %v", contents(got))
	}
	if st := must(m.Lookup().Status(ctx, luna))(t); st.Records != 5 || st.Items != 1 {
		t.Errorf("counted %+v", st)
	}
	for _, ids := range [][]string{{third.Record.ID, "nobody"}, {"sol"}} {
		if _, err := m.DeleteRecords(ctx, luna, false, ids...); !errors.Is(err, lookup.ErrNotFound) {
			t.Errorf("%v: %v", ids, err)
		}
	}
	if _, err := m.Lookup().Record(ctx, luna, third.Record.ID); err != nil {
		t.Errorf("deleted although another was unknown: %v", err)
	}
}

func last[T any](_ T, err error) error { return err }

// A message that comes after the last one was deleted does not take its place.
func TestDeleteLastRecord(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "one")
	records := must(m.Lookup().Records(ctx, luna, turn.Session.ID))(t)
	d := must(m.DeleteRecords(ctx, luna, false, records[1].ID))(t)
	if s := must(m.Lookup().Session(ctx, luna, turn.Session.ID))(t); !s.LastMessageAt.Equal(records[0].Timestamp) {
		t.Errorf("the last message is %+v", s)
	}
	next, _ := say(t, m, luna, turn.Session.ID, "two")
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	var got []string
	for _, r := range must(m.Lookup().LastRecords(ctx, luna, turn.Session.ID, 10))(t) {
		got = append(got, r.Content)
	}
	if !slices.Equal(got, []string{"one", "I see.", "two", "I see."}) || next.Record.ParentID != records[1].ID {
		t.Errorf("got %q", got)
	}
	if s := must(m.Lookup().Session(ctx, luna, turn.Session.ID))(t); s.Messages != 4 || s.Turns != 2 || s.LastRecordID == records[1].ID {
		t.Errorf("session %+v", s)
	}
}

// A session without messages is deleted; what was deleted from it before can be restored
// after it.
func TestDeleteAllRecords(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "one")
	records := must(m.Lookup().Records(ctx, luna, turn.Session.ID))(t)
	before := seeAll(t, m)
	d1 := must(m.DeleteRecords(ctx, luna, false, records[0].ID))(t)
	d2 := must(m.DeleteRecords(ctx, luna, false, records[1].ID))(t)
	if d2.Sessions != 1 || len(seeAll(t, m).Sessions) != 0 {
		t.Errorf("deletion %+v", d2)
	}
	if _, err := m.UndoDeletion(ctx, luna, d1.ID); !errors.Is(err, manager.ErrOrphaned) {
		t.Errorf("a message without its session: %v", err)
	}
	must(m.UndoDeletion(ctx, luna, d2.ID))(t)
	must(m.UndoDeletion(ctx, luna, d1.ID))(t)
	if diff := cmp.Diff(before, seeAll(t, m)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// D2: a backup that was made before forgets the message as well, with its title.
func TestDeletedRecordLeavesBackups(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "zeppelin over Osaka")
	say(t, m, luna, turn.Session.ID, "nothing else")
	b := must(m.Vault().Backup(ctx, nil))(t)
	must(m.DeleteRecords(ctx, luna, true, turn.Record.ID))(t)
	if err := errors.Join(m.Trash().Purge(ctx), m.Vault().ForgetInBackups(ctx, nil)); err != nil {
		t.Fatal(err)
	}
	bytes, err := os.ReadFile(b.Path)
	if err != nil || strings.Contains(string(bytes), "zeppelin") || !strings.Contains(string(bytes), "nothing else") {
		t.Errorf("the backup has it still, or nothing: %v", err)
	}
}

// D2: a backup that was made before a memory was learned loses the title made of the words
// that the memory quoted, once; the message stays. An undone deletion takes nothing.
func TestDeletedQuoteLeavesOlderBackups(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "zeppelin over Osaka")
	path := must(m.Vault().Backup(ctx, nil))(t).Path
	title := func() string {
		var s memory.Session
		err := store.ViewFile(path, slog.New(slog.DiscardHandler), func(tx *store.Tx) (err error) {
			if there, err := tx.HasRecord(luna, turn.Record.ID); !there || err != nil {
				return fmt.Errorf("the message is not there, %w", err)
			}
			s, err = tx.Session(luna, turn.Session.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return s.Title
	}
	clean := func() {
		c.Add(time.Hour)
		if err := errors.Join(m.Trash().Purge(ctx), m.Vault().ForgetInBackups(ctx, nil)); err != nil {
			t.Fatal(err)
		}
	}
	ev := memory.Evidence{SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, RecordID: turn.Record.ID, Length: 8}
	it := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Flies a zeppelin.", Evidence: []memory.Evidence{ev}, SessionID: ev.SessionID}))(t)
	d := must(m.DeleteItems(ctx, luna, it.ID))(t)
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	if clean(); title() != "zeppelin over Osaka" {
		t.Errorf("after an undone deletion the title is %q", title())
	}
	must(m.DeleteItems(ctx, luna, it.ID))(t)
	if clean(); title() != "" {
		t.Errorf("the title is %q", title())
	}
	was := must(os.Stat(path))(t)
	if clean(); !os.SameFile(was, must(os.Stat(path))(t)) {
		t.Error("the backup was written again")
	}
}

// D2, Q3: whatever messages are deleted, in whatever order that is taken back,
// everything is as it was before.
func TestDeleteRecordsAndTakeBackAreInverse(t *testing.T) {
	fewer(t, 30)
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		world, err := os.MkdirTemp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		m := openAt(t, world, newClock(), nil)
		defer m.Close()
		ctx := t.Context()
		ids, all := []string{""}, []string{}
		for i := range rapid.IntRange(1, 6).Draw(rt, "turns") {
			session := rapid.SampledFrom(ids).Draw(rt, "session")
			text := rapid.SampledFrom([]string{"I like tea %d", "My name is Bo %d", "我喜欢第%d种茶", "What about tea number %d?"}).Draw(rt, "text")
			turn, _ := say(t, m, luna, session, fmt.Sprintf(text, i))
			if rapid.Bool().Draw(rt, "package") {
				quoting(t, m, turn)
			}
			if session == "" {
				ids = append(ids, turn.Session.ID)
			}
		}
		for _, id := range ids[1:] {
			for _, r := range must(m.Lookup().Records(ctx, luna, id))(t) {
				all = append(all, r.ID)
				must(m.CollectRecord(ctx, luna, r.ID, rapid.Bool().Draw(rt, "bookmark")))(t)
			}
			if err := m.ArchiveSession(ctx, luna, id); err != nil {
				t.Fatal(err)
			}
		}
		before := seeAll(t, m)
		var taken []write.Deletion
		left := rapid.Permutation(all).Draw(rt, "which")
		for len(left) > 0 && len(taken) < 4 {
			n := rapid.IntRange(1, len(left)).Draw(rt, "n")
			taken = append(taken, must(m.DeleteRecords(ctx, luna, rapid.Bool().Draw(rt, "items"), left[:n]...))(t))
			left = left[n:]
		}
		if st := must(m.Lookup().Status(ctx, luna))(t); st.Records != len(left) {
			rt.Fatalf("%d records are left, want %d", st.Records, len(left))
		}
		for _, s := range must3(m.Lookup().Sessions(ctx, luna, 0, 0))(t) {
			if n := len(must(m.Lookup().Records(ctx, luna, s.ID))(t)); n != s.Messages || n == 0 {
				rt.Fatalf("%d messages in %+v", n, s)
			}
		}
		back := rapid.Permutation(taken).Draw(rt, "order")
		for len(back) > 0 {
			_, err := m.UndoDeletion(ctx, luna, back[0].ID)
			if errors.Is(err, manager.ErrOrphaned) { // its session first
				back = append(back[1:], back[0])
				continue
			}
			if err != nil {
				rt.Fatal(err)
			}
			back = back[1:]
		}
		if diff := cmp.Diff(before, seeAll(t, m)); diff != "" {
			rt.Fatalf("(-before +after):\n%s", diff)
		}
	})
}

func must3[A, B any](a A, _ B, err error) func(testing.TB) A { return must(a, err) }

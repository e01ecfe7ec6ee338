package manager_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// I4, L3: after concurrent writes to one item, memory holds the last one, in whatever
// order the hot set is told.
func TestHeadsFollowTheOrderOfWrites(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	m.Loaded(luna)
	it := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Plays the cello"}))(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 10 {
				_, err := m.Learning().EditItem(ctx, luna, it.ID, func(it *memory.Item) { it.Confidence = float64(i*10+j) / 100 })
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	last := must(m.Lookup().Item(ctx, luna, it.ID))(t)
	head, ok := m.Head(luna, it.ID)
	if diff := cmp.Diff(store.HeadOf(last), head); !ok || diff != "" {
		t.Errorf("head in memory (-store +memory):\n%s", diff)
	}
	if last.Version != 81 {
		t.Errorf("81 writes made version %d", last.Version)
	}
}

// L3: the hot set stays near its size, and says nothing wrong about the rest.
func TestHotSetStaysSmall(t *testing.T) {
	c := newClock()
	m := openAt(t, filepath.Join(t.TempDir(), "data"), c, func(cfg *write.Config) {
		cfg.LoadOnStart, cfg.HotItems = recall.LoadHot, 5
	})
	ctx := t.Context()
	for i := range 23 {
		it := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: fmt.Sprintf("Owns cello number %d", i)}))(t)
		if i < 4 {
			must(m.Learning().EditItem(ctx, luna, it.ID, func(it *memory.Item) { it.State = memory.StateHeld }))(t)
		}
		if n := m.Loaded(luna); n > 10 {
			t.Fatalf("%d heads in memory", n)
		}
	}
	if st := must(m.Lookup().Status(ctx, luna))(t); st.Held != 4 || st.Items != 23 {
		t.Errorf("status: %+v", st)
	}
	if got := recalled(t, m, luna, "cello"); len(got) == 0 {
		t.Error("nothing is recalled")
	}
}

// A1, C8: a long message that is taken back comes back whole, and its file goes;
// one that is kept gives its session a title.
func TestLongMessage(t *testing.T) {
	noRace(t)
	m, _ := open(t)
	ctx := t.Context()
	said := "A very long story\n" + strings.Repeat("and then ", memory.MaxContent/8)
	in := must(m.KeepIncoming(ctx, luna, said, nil, ""))(t)
	back := must(m.DropIncoming(ctx, luna, in.ID))(t)
	if back.Content != said {
		t.Errorf("%d of %d bytes came back", len(back.Content), len(said))
	}
	if files := long(t, m.Vault().Dir()); len(files) != 0 {
		t.Errorf("files that are left: %v", files)
	}
	in = must(m.KeepIncoming(ctx, luna, said, nil, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	if turn.Session.Title != "A very long story" || turn.Record.Content != said {
		t.Errorf("title %q, %d bytes", turn.Session.Title, len(turn.Record.Content))
	}
}

func long(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "content", "*", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A1: the file of a long message that a crash left without its record is removed
// at the next start; those of records stay.
func TestOrphans(t *testing.T) {
	noRace(t)
	dir, c := filepath.Join(t.TempDir(), "data [1]"), newClock()
	m := openAt(t, dir, c, nil)
	ctx := t.Context()
	said := strings.Repeat("and then ", memory.MaxContent/8)
	waiting := must(m.KeepIncoming(ctx, luna, said, nil, ""))(t)
	in := must(m.KeepIncoming(ctx, luna, said, nil, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	orphan := filepath.Join(dir, "content", luna, "01ORPHAN.txt")
	if err := os.WriteFile(orphan, []byte(said), 0o600); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, nil)
	if r := must(m.Lookup().Record(ctx, luna, turn.Record.ID))(t); r.Content != said {
		t.Error("the message lost its words")
	}
	if r := must(m.Lookup().Incoming(ctx, luna))(t); len(r) != 1 || r[0].ID != waiting.ID || r[0].Content != said {
		t.Error("the waiting message lost its words")
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(orphan); !os.IsNotExist(err) {
		t.Errorf("the orphan is there: %v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(orphan)); err != nil || len(entries) != 2 {
		t.Errorf("files: %v, %v", entries, err)
	}
}

// L2, W3: a job finds its own turn in the middle of a session, and the messages
// before it, not those that came since.
func TestLearnLate(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	session := ""
	var ids []string
	for _, said := range []string{"Let's go to Osaka", "I like oolong tea from Osaka", "Nothing else", "Goodbye then"} {
		in := must(m.KeepIncoming(ctx, luna, said, nil, ""))(t)
		turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{SessionID: session}))(t)
		session = turn.Session.ID
		ids = append(ids, turn.Record.ID)
		must(m.FinishTurn(ctx, memory.Record{
			AgentID: luna, SessionID: session, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Status: memory.StatusComplete,
		}, len(ids) == 2))(t)
	}
	if err := m.Learning().Learn(ctx, luna, nil); err != nil {
		t.Fatal(err)
	}
	page := must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{}))(t)
	if page.Total != 1 || page.Items[0].Evidence[0].RecordID != ids[1] {
		t.Errorf("learned: %+v", page.Items)
	}
	if w := must(m.Lookup().Working(ctx, luna, session))(t); w.CurrentTopic != "Osaka" {
		t.Errorf("topic %q", w.CurrentTopic)
	}
}

// D2: after ten seconds a deletion is not taken back, though its timer is late.
func TestTakeBackTooLate(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	it := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Plays the cello"}))(t)
	d := must(m.DeleteItems(ctx, luna, it.ID))(t)
	c.Add(write.DeletionUndoTime + time.Second)
	if _, err := m.UndoDeletion(ctx, luna, d.ID); !errors.Is(err, manager.ErrGone) {
		t.Errorf("taken back: %v", err)
	}
}

// Closing while everything is under way: calls end with an error or in good
// order, nothing panics, and no goroutine stays (see TestMain).
func TestCloseWhileBusy(t *testing.T) {
	for range 5 {
		m, _ := open(t)
		ctx := context.Background()
		var begun, all sync.WaitGroup
		for i := range 6 {
			agent := fmt.Sprint("agent", i%3)
			begun.Add(1)
			all.Go(func() {
				for n := 0; ; n++ {
					it, err := m.Learning().AddItem(ctx, agent, memory.Item{Content: fmt.Sprint("Likes tea number ", n)})
					if n == 0 {
						begun.Done()
					}
					if err != nil {
						return
					}
					if _, err := m.Recall().Retrieve(ctx, agent, recall.Query{Text: "which tea"}); err != nil {
						return
					}
					if d, err := m.DeleteItems(ctx, agent, it.ID); err == nil && n%2 == 0 {
						_, _ = m.UndoDeletion(ctx, agent, d.ID)
					}
					_ = m.Recall().Rebuild(agent)
				}
			})
		}
		begun.Wait()
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		all.Wait()
		if _, err := m.Lookup().Status(ctx, luna); err == nil {
			t.Error("a closed manager answers")
		}
	}
}

// A1, S1: an answer that a crash cut off keeps the time of the crash: looking at
// the memory the next day does not make the session a running one.
func TestCrashKeepsItsTime(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	ctx := t.Context()
	in := must(m.KeepIncoming(ctx, luna, "I like oolong tea", nil, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	c.Add(24 * time.Hour)
	m = openAt(t, dir, c, nil)
	cut := must(m.Recover(ctx, luna))(t)
	s := must(m.Lookup().Session(ctx, luna, turn.Session.ID))(t)
	for _, at := range []time.Time{cut[0].Timestamp, s.LastMessageAt} {
		if at.Sub(turn.Record.Timestamp) > time.Minute {
			t.Errorf("a crash at %v counts as %v", turn.Record.Timestamp, at)
		}
	}
}

// A turn that must not teach anything does not do so after a crash either.
func TestForgetfulTurnAfterCrash(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	ctx := t.Context()
	in := must(m.KeepIncoming(ctx, luna, "I like oolong tea", nil, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{Forgetful: true}))(t)
	err := m.SavePartial(ctx, memory.Record{AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "Oolong"})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, nil)
	must(m.Recover(ctx, luna))(t)
	if err := m.Learning().Learn(ctx, luna, nil); err != nil {
		t.Fatal(err)
	}
	if page := must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{All: true}))(t); page.Total != 0 {
		t.Errorf("learned %v", contents(page.Items))
	}
}

// R5: what the message is about comes first; what shares only an everyday word
// with it comes after.
func TestWhatItIsAboutComesFirst(t *testing.T) {
	m, _ := open(t)
	for _, s := range []string{"I prefer pnpm over npm", "我喜欢乌龙茶", "I like oolong tea"} {
		say(t, m, luna, "", s)
	}
	got := recalled(t, m, luna, "I prefer pnpm, do I not?")
	if len(got) == 0 || !strings.Contains(got[0].Content, "pnpm") {
		t.Errorf("recalled %v", contents(got))
	}
}

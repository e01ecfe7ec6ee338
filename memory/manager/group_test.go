package manager_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/store"
)

const trio = "trio"

var three = []string{"ann", "bo", "cy"}

// openGroup opens a memory with a group of three.
func openGroup(t testing.TB) (m *manager.Manager, c *clock, dir string) {
	t.Helper()
	c, dir = newClock(), filepath.Join(t.TempDir(), "data")
	m = openAt(t, dir, c, nil)
	must(m.AddGroup(t.Context(), memory.Group{ID: trio, Name: "Trio", Members: three, Names: map[string]string{"ann": "Ann"}}))(t)
	return m, c, dir
}

// said is an answer of a member.
type said struct{ by, text string }

// talk is one turn of a group: what the user says, and who answers it.
func talk(t testing.TB, m *manager.Manager, session, text string, answers ...said) manager.Turn {
	t.Helper()
	turn, err := talking(t.Context(), m, trio, session, text, answers...)
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

func talking(ctx context.Context, m *manager.Manager, group, session, text string, answers ...said) (manager.Turn, error) {
	in, err := m.KeepIncoming(ctx, group, text, nil, "")
	if err != nil {
		return manager.Turn{}, err
	}
	at := manager.Place{SessionID: session}
	var next []string
	for _, a := range answers {
		next = append(next, a.by)
	}
	at.First = next[0]
	turn, err := m.BeginTurn(ctx, group, in.ID, at)
	for i, a := range answers {
		if err != nil {
			break
		}
		_, err = m.FinishTurn(ctx, memory.Record{
			AgentID: group, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Sender: a.by,
			Role: memory.RoleAssistant, Content: a.text, Status: memory.StatusComplete, Model: "test",
		}, true, next[i+1:]...)
	}
	return turn, err
}

// learnAll lets everybody learn, and returns what each did.
func learnAll(t testing.TB, m *manager.Manager) map[string][]learning.Learned {
	t.Helper()
	out := map[string][]learning.Learned{}
	for _, id := range append([]string{trio}, three...) {
		if err := m.Learning().Learn(t.Context(), id, func(l learning.Learned) { out[id] = append(out[id], l) }); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// values counts the occurrences of words in the values and keys of a closed store.
func values(t testing.TB, dir, words string) (n int) {
	t.Helper()
	err := store.ViewFile(filepath.Join(dir, "memoria.db"), slog.New(slog.DiscardHandler), func(tx *store.Tx) error {
		for _, name := range store.BucketNames() {
			for e, err := range kv.NewBucket(name, 250, kv.Bytes()).Scan(tx.KV(), nil) {
				if err != nil {
					return err
				}
				n += bytes.Count(e.Value, []byte(words)) + bytes.Count(e.Key, []byte(words))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// files names the files below dir that hold words.
func files(t testing.TB, dir, words string) (in []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		if bytes.Contains(b, []byte(words)) {
			in = append(in, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// S9: the transcript is stored once. Every member reads it through references: in its
// archive, in its session, by search and from what it learned.
func TestGroupTranscriptLiesOnce(t *testing.T) {
	noRace(t)
	m, _, dir := openGroup(t)
	turn := talk(t, m, "", "Hello you three", said{"ann", "Hello."}, said{"bo", "Hi."}, said{"cy", "你好"})
	session := turn.Session.ID
	talk(t, m, session, "My favourite bird is the quezalcanary, remember that", said{"bo", "A ptarmiganary is a fine bird too."})
	long := strings.Repeat("A long story about wagtailary. ", memory.MaxContent/20)
	talk(t, m, session, long, said{"cy", "I see."})
	learned := learnAll(t, m)
	for _, id := range three {
		records := must(m.Lookup().Records(t.Context(), id, session))(t)
		var heard []string
		for _, r := range records {
			heard = append(heard, string(r.Role)+" "+r.Sender)
			if r.AgentID != id || r.Heard != trio {
				t.Errorf("%s has %+v", id, r)
			}
		}
		want := []string{"user ", "assistant ann", "assistant bo", "assistant cy", "user ", "assistant bo", "user ", "assistant cy"}
		if diff := cmp.Diff(want, heard); diff != "" {
			t.Errorf("%s heard (-want +got):\n%s", id, diff)
		}
		if got := records[4].Content; got != "My favourite bird is the quezalcanary, remember that" {
			t.Errorf("%s heard %q", id, got)
		}
		if records[6].Content != long {
			t.Errorf("%s did not hear the long message", id)
		}
		hits := must(m.Recall().SearchArchive(t.Context(), id, recall.ArchiveQuery{Text: "quezalcanary"}))(t).Hits
		if len(hits) != 1 || hits[0].Record.ID != records[4].ID {
			t.Errorf("%s finds %+v", id, hits)
		}
		s := must(m.Lookup().Session(t.Context(), id, session))(t)
		if s.Group != trio || s.Turns != 3 || s.Messages != 8 {
			t.Errorf("%s has the session %+v", id, s)
		}
		if w := must(m.Lookup().Working(t.Context(), id, session))(t); w.TurnCount != 3 {
			t.Errorf("%s has working memory %+v", id, w)
		}
		items := recalled(t, m, id, "quezalcanary")
		if len(items) != 1 || len(items[0].Evidence) == 0 {
			t.Fatalf("%s learned %+v of %+v", id, items, learned[id])
		}
		ev := items[0].Evidence[0]
		r := must(m.Lookup().Record(t.Context(), id, ev.RecordID))(t)
		if !strings.Contains(r.Content[ev.Offset:ev.Offset+ev.Length], "quezalcanary") {
			t.Errorf("%s is led to %q", id, r.Content[ev.Offset:ev.Offset+ev.Length])
		}
		if items := recalled(t, m, id, "ptarmiganary"); len(items) > 0 { // P3: what another agent said
			t.Errorf("%s learned from an answer: %v", id, contents(items))
		}
	}
	if page := must(m.Lookup().Items(t.Context(), trio, lookup.ItemFilter{All: true}))(t); page.Total != 0 {
		t.Errorf("the group remembers %v", contents(page.Items))
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if n := values(t, dir, "ptarmiganary"); n != 1 {
		t.Errorf("an answer stands %d times in the store", n)
	}
	if in := files(t, filepath.Join(dir, "content"), "wagtailary"); len(in) != 1 {
		t.Errorf("a long message lies in %v", in)
	}
}

// sight is all that can be read of a group and its members.
func sight(t testing.TB, m *manager.Manager) map[string]any {
	t.Helper()
	out := map[string]any{}
	ctx := t.Context()
	for _, id := range append([]string{trio}, three...) {
		sessions, _, err := m.Lookup().Sessions(ctx, id, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		out[id+" sessions"] = sessions
		for _, s := range sessions {
			out[id+" records "+s.ID] = must(m.Lookup().Records(ctx, id, s.ID))(t)
			out[id+" packages "+s.ID] = must(m.Lookup().Packages(ctx, id, s.ID))(t)
			w, err := m.Lookup().Working(ctx, id, s.ID)
			if err != nil && !errors.Is(err, lookup.ErrNotFound) {
				t.Fatal(err)
			}
			out[id+" working "+s.ID] = w
		}
		out[id+" items"] = contents(must(m.Lookup().Items(ctx, id, lookup.ItemFilter{All: true}))(t).Items)
		if err := m.Recall().Settle(ctx, id); err != nil { // a search waits only briefly for the index
			t.Fatal(err)
		}
		hits := must(m.Recall().SearchArchive(ctx, id, recall.ArchiveQuery{Text: "quezalcanary"}))(t).Hits
		var found []string
		for _, h := range hits {
			found = append(found, h.Record.ID)
		}
		slices.Sort(found)
		out[id+" found"] = found
	}
	out["groups"] = must(m.Lookup().Groups(ctx))(t)
	return out
}

// S9, D2: a deletion in a group applies to everybody who heard it: the message,
// references, summaries and learned items. It can be restored completely within the undo
// time, and afterwards no byte remains.
func TestDeletingInAGroup(t *testing.T) {
	const said1 = "I like quezalcanary tea"
	for name, del := range map[string]func(*manager.Manager, manager.Turn) (write.Deletion, error){
		"message": func(m *manager.Manager, turn manager.Turn) (write.Deletion, error) {
			return m.DeleteRecords(context.Background(), trio, true, turn.Record.ID)
		},
		"session": func(m *manager.Manager, turn manager.Turn) (write.Deletion, error) {
			return m.DeleteSession(context.Background(), trio, turn.Session.ID, true)
		},
		"group": func(m *manager.Manager, _ manager.Turn) (write.Deletion, error) {
			return m.DeleteGroup(context.Background(), trio, true)
		},
	} {
		t.Run(name, func(t *testing.T) {
			m, c, dir := openGroup(t)
			turn := talk(t, m, "", said1, said{"ann", "Good."}, said{"bo", "Fine."})
			talk(t, m, turn.Session.ID, "And now something else: the harbour", said{"cy", "Yes."})
			talk(t, m, turn.Session.ID, "The harbour is small.", said{"ann", "Yes."})
			for _, id := range three {
				sent := memory.Package{AgentID: id, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Keywords: []string{"quezalcanary"}, Blocks: []memory.Block{{
					Layer: memory.LayerMessage, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: turn.Record.ID}},
				}}}
				must(m.SavePackage(t.Context(), sent, nil))(t)
			}
			learnAll(t, m)
			if err := m.ArchiveSession(t.Context(), trio, turn.Session.ID); err != nil {
				t.Fatal(err)
			}
			learnAll(t, m)
			must(m.Vault().Backup(t.Context(), nil))(t)
			before := sight(t, m)
			d := must(del(m, turn))(t)
			if d.Items != len(three) {
				t.Errorf("the deletion took %+v", d)
			}
			for _, id := range append([]string{trio}, three...) {
				if _, err := m.Lookup().Record(t.Context(), id, turn.Record.ID); !errors.Is(err, lookup.ErrNotFound) {
					t.Errorf("%s still reads it: %v", id, err)
				}
				if items := recalled(t, m, id, "quezalcanary"); len(items) > 0 {
					t.Errorf("%s recalls %v", id, contents(items))
				}
				if hits := must(m.Recall().SearchArchive(t.Context(), id, recall.ArchiveQuery{Text: "quezalcanary"}))(t).Hits; len(hits) > 0 {
					t.Errorf("%s finds %v", id, hits)
				}
				if sessions := must(m.Recall().FindSessions(t.Context(), id, recall.ArchiveQuery{Text: "quezalcanary"}))(t); len(sessions) > 0 {
					t.Errorf("%s finds the session %v", id, sessions)
				}
			}
			must(m.UndoDeletion(t.Context(), trio, d.ID))(t)
			learnAll(t, m)
			after := sight(t, m)
			for _, id := range append([]string{trio}, three...) { // they are summed up again
				for _, view := range []map[string]any{before, after} {
					list, _ := view[id+" sessions"].([]memory.Session)
					for i := range list {
						list[i].Summary, list[i].Summaries = nil, 0
					}
				}
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("taking it back leaves (-before +after):\n%s", diff)
			}
			must(del(m, turn))(t)
			c.Add(time.Hour)
			if err := m.Trash().Purge(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := m.Vault().ForgetInBackups(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			learnAll(t, m)
			must(m.Vault().Backup(t.Context(), nil))(t)
			for _, id := range append([]string{trio}, three...) {
				must(m.Recall().SearchArchive(t.Context(), id, recall.ArchiveQuery{Text: "harbour"}))(t)
				if _, _, err := m.CompactIndex(t.Context(), id); err != nil {
					t.Fatal(err)
				}
			}
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			if n := values(t, dir, "quezalcanary"); n != 0 {
				t.Errorf("it stands %d times in the store", n)
			}
			for _, in := range files(t, dir, "quezalcanary") {
				if filepath.Base(in) != "memoria.db" { // its free pages
					t.Errorf("%s holds it", in)
				}
			}
			if name == "group" {
				if in := files(t, filepath.Join(dir, "backups"), `"Trio"`); len(in) > 0 {
					t.Errorf("the group's name is in %v", in)
				}
			}
		})
	}
}

// S9: what a member heard is not deleted, ended or gone on with at the member's door.
func TestHeardBelongsToTheGroup(t *testing.T) {
	m, _, _ := openGroup(t)
	turn := talk(t, m, "", "Hello", said{"ann", "Hello."})
	id := turn.Session.ID
	_, del := m.DeleteSession(t.Context(), "ann", id, false)
	_, one := m.DeleteRecords(t.Context(), "ann", false, turn.Record.ID)
	in := must(m.KeepIncoming(t.Context(), "ann", "alone", nil, ""))(t)
	_, on := m.BeginTurn(t.Context(), "ann", in.ID, manager.Place{SessionID: id})
	for _, err := range []error{del, one, on, m.ArchiveSession(t.Context(), "ann", id)} {
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), trio) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := m.BeginTurn(t.Context(), "ann", in.ID, manager.Place{Archive: id}); err != nil {
		t.Fatal(err)
	}
	if s := must(m.Lookup().Session(t.Context(), "ann", id))(t); s.State != memory.SessionActive || s.Messages != 2 {
		t.Errorf("it is %+v", s)
	}
	if s, ok, err := m.Lookup().LastSession(t.Context(), "ann"); err != nil || !ok || s.ID == id {
		t.Errorf("her own last session is %+v, %v", s, err)
	}
}

// S5, S9: each member condenses its own copy. Continuing rolls all of them back in one
// write.
func TestGroupRollsBackForAll(t *testing.T) {
	m, c, _ := openGroup(t)
	session := ""
	for _, text := range moving {
		session = talk(t, m, session, text, said{"ann", "I see."}, said{"cy", "Yes."}).Session.ID
	}
	learnAll(t, m)
	if err := m.ArchiveSession(t.Context(), trio, session); err != nil {
		t.Fatal(err)
	}
	episodes := func() (out []string) {
		for _, id := range three {
			for _, it := range must(m.Lookup().Items(t.Context(), id, lookup.ItemFilter{All: true}))(t).Items {
				if it.Type == memory.TypeEpisode && it.IsActive() {
					out = append(out, id)
				}
			}
		}
		return out
	}
	generations := map[string]bool{}
	for id, did := range learnAll(t, m) {
		for _, l := range did {
			if l.Generation == "" || l.Summary == nil {
				t.Errorf("%s: %+v", id, l)
			}
			generations[l.Generation] = true
		}
	}
	if got := episodes(); !slices.Equal(got, three) || len(generations) != 4 {
		t.Fatalf("episodes of %v, %d generations", got, len(generations))
	}
	c.Add(time.Hour)
	talk(t, m, session, "Back to the flat", said{"bo", "Yes."})
	if got := episodes(); len(got) > 0 {
		t.Errorf("episodes of %v stay", got)
	}
	for _, id := range append([]string{trio}, three...) {
		s := must(m.Lookup().Session(t.Context(), id, session))(t)
		if s.State != memory.SessionActive || s.Memories != memory.MemoriesNone || s.Summary != nil || s.Epoch != 1 {
			t.Errorf("%s: %+v", id, s)
		}
		if w := must(m.Lookup().Working(t.Context(), id, session))(t); w.TurnCount != len(moving)+1 {
			t.Errorf("%s: %+v", id, w)
		}
	}
}

// S9: a new member hears later messages. A former member keeps what it heard, and loses
// what is deleted.
func TestMembersComeAndGo(t *testing.T) {
	m, _, _ := openGroup(t)
	ctx := t.Context()
	turn := talk(t, m, "", "First words", said{"ann", "One."})
	session := turn.Session.ID
	g := must(m.EditGroup(ctx, trio, func(g *memory.Group) { g.Members = []string{"dan", "bo", "cy"} }))(t)
	if !slices.Equal(g.Left, []string{"ann"}) || g.NameOf("ann") != "Ann" {
		t.Fatalf("%+v", g)
	}
	talk(t, m, session, "Second words", said{"dan", "Two."})
	for id, want := range map[string]int{"ann": 2, "bo": 4, "cy": 4, "dan": 2} {
		if got := must(m.Lookup().Records(ctx, id, session))(t); len(got) != want {
			t.Errorf("%s heard %d messages, want %d", id, len(got), want)
		}
	}
	if s := must(m.Lookup().Session(ctx, "ann", session))(t); s.State == memory.SessionActive {
		t.Errorf("for ann it is %s", s.State)
	}
	gone := must(m.DeleteAgent(ctx, "cy"))(t)
	if g := must(m.Lookup().Group(ctx, trio))(t); !slices.Equal(g.Members, []string{"dan", "bo"}) || !slices.Equal(g.Left, []string{"ann"}) || g.NameOf("ann") != "Ann" {
		t.Errorf("without cy it is %+v", g)
	}
	must(m.UndoAgentDeletion(ctx, "cy", gone.ID))(t)
	if s := must(m.Lookup().Session(ctx, "cy", session))(t); s.State == memory.SessionActive {
		t.Errorf("for cy it is %s", s.State)
	}
	if g := must(m.Lookup().Group(ctx, trio))(t); !slices.Equal(g.Members, []string{"dan", "bo", "cy"}) {
		t.Errorf("with cy it is %+v", g)
	}
	if _, err := m.DeleteSession(ctx, trio, session, false); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"ann", "bo", "cy", "dan"} {
		if _, err := m.Lookup().Session(ctx, id, session); !errors.Is(err, lookup.ErrNotFound) {
			t.Errorf("%s still has it: %v", id, err)
		}
	}
	for _, bad := range []memory.Group{
		{ID: "trio", Members: three}, {ID: "ann", Members: three}, {ID: "x", Members: []string{"ann"}},
		{ID: "x", Members: []string{"ann", "ann"}}, {ID: "x", Members: []string{"ann", "trio"}}, {ID: "x", Members: []string{"ann", "X"}},
		{ID: "X", Members: three}, {ID: "x", Members: []string{"x", "ann"}},
	} {
		if _, err := m.AddGroup(ctx, bad); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// D2, S9: a restored agent has nothing that was deleted in its groups meanwhile, and
// later deletions there reach it.
func TestTakeBackAgentOfGroup(t *testing.T) {
	m, _, _ := openGroup(t)
	ctx := t.Context()
	first := talk(t, m, "", "We keep the barrel in the cellar.", said{"ann", "One."}).Session.ID
	second := talk(t, m, "", "I like oolong tea.", said{"ann", "Two."})
	third := talk(t, m, second.Session.ID, "I like rye bread.", said{"bo", "Three."})
	fourth := talk(t, m, "", "My name is Bo.", said{"bo", "Four."}).Session.ID
	learnAll(t, m)
	d := must(m.DeleteAgent(ctx, "cy"))(t)
	must(m.DeleteSession(ctx, trio, first, false))(t)
	must(m.DeleteRecords(ctx, trio, false, second.Record.ID))(t)
	must(m.UndoAgentDeletion(ctx, "cy", d.ID))(t)
	if s, err := m.Lookup().Session(ctx, "cy", first); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("cy has a session that is erased: %+v, %v", s, err)
	}
	if s := must(m.Lookup().Session(ctx, "cy", second.Session.ID))(t); strings.Contains(s.Title, "oolong") || s.Messages != 3 {
		t.Errorf("cy has words that are erased: %+v", s)
	}
	must(m.DeleteRecords(ctx, trio, false, third.Record.ID))(t)
	must(m.DeleteSession(ctx, trio, fourth, false))(t)
	if got := must(m.Lookup().Records(ctx, "cy", second.Session.ID))(t); len(got) != 2 {
		t.Errorf("%d messages", len(got))
	}
	if _, err := m.Lookup().Session(ctx, "cy", fourth); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("what is erased in the group since: %v", err)
	}
	if g := must(m.Lookup().Group(ctx, trio))(t); !slices.Equal(g.Members, three) || len(g.Left)+len(g.Away) > 0 {
		t.Errorf("%+v", g)
	}
	fifth := talk(t, m, second.Session.ID, "And tea.", said{"ann", "Five."})
	if got := must(m.Lookup().Records(ctx, "cy", fifth.Session.ID))(t); len(got) != 4 || got[3].Content != "Five." {
		t.Errorf("cy is back and has heard %d messages", len(got))
	}
	if s := must(m.Lookup().Session(ctx, "cy", fifth.Session.ID))(t); s.State != memory.SessionActive {
		t.Errorf("for cy it is %s", s.State)
	}
	if _, err := m.DeleteAgent(ctx, trio); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a group was deleted as an agent: %v", err)
	}
}

// D2, S9: a recreated agent does not join the groups of its deleted namesake by being
// deleted and restored.
func TestNamesakeOfAMember(t *testing.T) {
	m, c, _ := openGroup(t)
	ctx := t.Context()
	must(m.Learning().AddItem(ctx, "cy", memory.Item{Content: "Likes tea."}))(t)
	must(m.DeleteAgent(ctx, "cy"))(t)
	c.Add(time.Minute)
	if err := m.Trash().Purge(ctx); err != nil {
		t.Fatal(err)
	}
	must(m.Learning().AddItem(ctx, "cy", memory.Item{Content: "Likes coffee."}))(t)
	again := must(m.DeleteAgent(ctx, "cy"))(t)
	must(m.UndoAgentDeletion(ctx, "cy", again.ID))(t)
	if g := must(m.Lookup().Group(ctx, trio))(t); g.Has("cy") || len(g.Away) > 0 {
		t.Errorf("%+v", g)
	}
}

// S9, A1: a turn that a crash cuts off in a group ends as one of a single agent: the
// answer that was arriving is interrupted, heard by all, and everybody learns what the
// user said.
func TestGroupRecovers(t *testing.T) {
	m, c, dir := openGroup(t)
	ctx := t.Context()
	in := must(m.KeepIncoming(ctx, trio, "I like quezalcanary tea", nil, ""))(t)
	turn := must(m.BeginTurn(ctx, trio, in.ID, manager.Place{First: "ann"}))(t)
	reply := memory.Record{
		AgentID: trio, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Sender: "ann",
		Role: memory.RoleAssistant, Content: "Good.", Status: memory.StatusComplete, Model: "test",
	}
	must(m.FinishTurn(ctx, reply, true, "bo", "cy"))(t)
	if err := m.Close(); err != nil { // as good as a kill: everything was on disk
		t.Fatal(err)
	}
	m = openAt(t, dir, c, nil)
	cut := must(m.Recover(ctx, trio))(t)
	if len(cut) != 1 || cut[0].Sender != "bo" || cut[0].Status != memory.StatusInterrupted {
		t.Fatalf("recovered %+v", cut)
	}
	learnAll(t, m)
	for _, id := range three {
		if got := must(m.Lookup().Records(ctx, id, turn.Session.ID))(t); len(got) != 3 {
			t.Errorf("%s heard %d messages", id, len(got))
		}
		if items := recalled(t, m, id, "quezalcanary"); len(items) != 1 {
			t.Errorf("%s learned %v", id, contents(items))
		}
	}
}

// S9, D2: an empty group whose deletion is undone is a group again: its members hear new
// messages.
func TestGroupIsBackWithItsMembers(t *testing.T) {
	m, _, _ := openGroup(t)
	d := must(m.DeleteGroup(t.Context(), trio, false))(t)
	must(m.UndoDeletion(t.Context(), trio, d.ID))(t)
	turn := talk(t, m, "", "Hello you three", said{"ann", "Hello."})
	for _, id := range three {
		if r, err := m.Lookup().Record(t.Context(), id, turn.Record.ID); err != nil || r.Content != "Hello you three" {
			t.Errorf("%s heard %q, %v", id, r.Content, err)
		}
	}
}

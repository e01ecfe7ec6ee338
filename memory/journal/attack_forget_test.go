package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/store"
	"memoria/prompts"
)

// ways of making a message one that is not to be found any more.
var ways = map[string]func(*world, string){
	"not for memory": func(w *world, id string) {
		w.untitled(id)
		w.must(w.st.Update(func(tx *store.Tx) error { _, err := tx.SetNotForMemory(luna, id, true); return err }))
	},
	"deleted": func(w *world, id string) { w.delete(id) },
	"silenced": func(w *world, id string) {
		s := w.untitled(id)
		w.must(w.st.Update(func(tx *store.Tx) error {
			s.Silenced = append(s.Silenced, memory.Evidence{SessionID: s.ID, RecordID: id})
			return errors.Join(tx.PutSession(s), tx.Touch(luna, id))
		}))
	},
}

// untitled takes the title away that a session has of a message, as who forgets does.
func (w *world) untitled(id string) (s memory.Session) {
	w.Helper()
	w.must(w.st.Update(func(tx *store.Tx) error {
		r, err := tx.Record(luna, id)
		if err != nil {
			return err
		}
		s, err = tx.Session(luna, r.SessionID)
		s.Title = ""
		return errors.Join(err, tx.PutSession(s))
	}))
	return s
}

// D2, U2: a message forgotten while it is summarised is in no file and no hit, and the
// day is summarised again without it.
func TestAttackForgottenWhileSummarised(t *testing.T) {
	for name, forget := range ways {
		w := newWorld(t, morning)
		w.must(os.MkdirAll(w.j.Dir, 0o700))
		s := w.session()
		w.say(s, "I moved to the shed on Friday")
		tea := w.say(s, "I like oolong very much")
		w.now = day("2026-02-10")
		_, err := w.j.RunWith(context.Background(), hooked{firstWordsOf{}, func() { forget(w, tea) }}, Wanted{Now: true})
		w.must(err)
		w.nowhere("oolong")
		w.archive(allOf{})
		w.nowhere("oolong")
		if got := w.find("shed friday"); !has(got, "Friday") {
			t.Errorf("%s: found %q", name, got)
		}
		w.wantHistory()
	}
}

// D2, U2: the name of a file loses forgotten words, also if the new name is the beginning of the
// old one, as 2026-01-28-prefer.md is of 2026-01-28-prefer-lapsang.md.
func TestAttackForgottenInAName(t *testing.T) {
	for name, forget := range ways {
		w := newWorld(t, morning)
		s := w.session()
		told := w.say(s, "I prefer lapsang")
		w.say(s, "I prefer")
		w.untitled(told)
		w.archive(w.rules())
		if paths := strings.Join(w.paths(), " "); !strings.Contains(paths, "lapsang") {
			t.Fatalf("%s: the files are %s", name, paths)
		}
		forget(w, told)
		w.archive(w.rules())
		w.nowhere("lapsang")
		if paths := strings.Join(w.paths(), " "); strings.Contains(paths, "lapsang") || paths == "" {
			t.Errorf("%s: the files are %s", name, paths)
		}
	}
}

func TestIsNumbered(t *testing.T) {
	for p, is := range map[string]bool{
		"memory/2026-01-28-tea.md": true, "memory/2026-01-28-tea-2.md": true, "memory/2026-01-28-tea-12.md": true,
		"memory/2026-01-28-tea-pot.md": false, "memory/2026-01-28-tea2.md": false, "memory/2026-01-28-te.md": false,
		"memory/2026-01-28-tea-.md": false,
	} {
		if isNumbered(p, "memory/2026-01-28-tea.md") != is {
			t.Errorf("%s: want %v", p, is)
		}
	}
}

// allOf is a model that repeats every message.
type allOf struct{}

func (allOf) Summarise(ctx context.Context, m Material) (Summary, error) {
	s, err := everything{func(Material) {}}.Summarise(ctx, m)
	for i := range s.Lines {
		s.Lines[i].Record = ""
	}
	return s, err
}

// D2, U2, U5: a message forgotten after the summaries of its day and month leaves every file, comes
// back in no later archiving, nor when everything is rebuilt from the archive.
func TestAttackForgottenAfterSummary(t *testing.T) {
	for name, forget := range ways {
		w := newWorld(t, morning)
		w.fill()
		s := w.session()
		tea := w.say(s, "I like oolong very much")
		w.say(s, "I moved to the shed on Friday")
		w.archive(nil)
		for _, on := range []string{"2026-02-10", "2026-03-10"} {
			w.now = day(on)
			w.archive(allOf{})
		}
		if got := w.read("memory/summary/2026-01.md"); !strings.Contains(got, "oolong") {
			t.Fatalf("the month says\n%s", got)
		}
		forget(w, tea)
		if got := w.find("oolong"); len(got) != 0 {
			t.Errorf("%s: found %q", name, got)
		}
		w.run(nil)
		w.nowhere("oolong")
		for _, p := range w.paths() {
			if strings.Contains(p, "oolong") && name != "silenced" { // that is a test of its own
				t.Errorf("%s: a file is called %s", name, p)
			}
		}
		_, err := w.j.RunWith(context.Background(), allOf{}, Wanted{Now: true, Redo: true})
		w.must(err)
		w.nowhere("oolong")
		w.must(w.st.Update(func(tx *store.Tx) error {
			return errors.Join(tx.DropJournal(luna), tx.KV().Unfollow(MarkPrefix+luna), os.RemoveAll(w.j.Dir))
		}))
		w.reopen()
		w.archive(allOf{})
		w.nowhere("oolong")
	}
}

// D2: a file name made of words that were silenced goes with them.
func TestAttackSilencedName(t *testing.T) {
	w := newWorld(t, morning)
	id := w.say(w.session(), "I like oolong very much")
	w.archive(nil)
	ways["silenced"](w, id)
	w.run(nil)
	w.nowhere("oolong")
	if strings.Contains(w.one(), "oolong") {
		t.Errorf("it is called %s", w.one())
	}
}

// D2: no byte of what was deleted is left in the index of the journal when it is closed.
func TestAttackForgottenInIndex(t *testing.T) {
	w := newWorld(t, morning)
	w.fill()
	id := w.on(morning, "I like qzoolongq very much")
	w.archive(nil)
	w.find("qzoolongq")
	w.delete(id)
	w.run(nil)
	w.reopen()
	w.run(nil)
	w.shut()
	w.must(filepath.WalkDir(w.j.Index, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if bytes.Contains(b, []byte("qzoolongq")) {
			t.Errorf("%s still has it", filepath.Base(p))
		}
		return err
	}))
	w.open()
}

// tree is every file of the journal with its bytes.
func (w *world) tree() map[string]string {
	w.Helper()
	out := map[string]string{}
	w.must(os.MkdirAll(w.j.Dir, 0o700))
	w.must(filepath.WalkDir(w.j.Dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		out[p] = string(b)
		return err
	}))
	return out
}

// D2: when a deletion is undone the files are as they were, byte for byte, also after archivings and a
// start of the program meanwhile.
func TestAttackUndone(t *testing.T) { undone(t, false) }

// D2, J7: so is a file that the user edited.
func TestAttackUndoneWhenEdited(t *testing.T) {
	undone(t, true)
}

func undone(t *testing.T, edited bool) {
	w, id, p := kiln(t)
	if edited {
		w.write(p, strings.Replace(w.read(p), "1050", "1080", 1)+"\nMy own line.\n")
		w.paths()
	}
	before := w.tree()
	w.must(w.st.Update(func(tx *store.Tx) error { _, err := tx.Trash(luna, "D1", nil, nil, id); return err }))
	w.run(nil)
	w.reopen()
	w.archive(w.rules())
	w.must(w.st.Update(func(tx *store.Tx) error { _, err := tx.RestoreTrash(luna, "D1", "C1"); return err }))
	w.archive(w.rules())
	after := w.tree()
	for p, was := range before {
		if after[p] != was {
			t.Errorf("%s is\n%s\nwas\n%s", p, after[p], was)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files, were %d", len(after), len(before))
	}
	w.wantIn(p, id)
}

// A1, J2, J3: messages of a session that is not kept are in no file, no trigger and no limit, and the
// time of the last archiving stays.
func TestAttackUnkept(t *testing.T) {
	w := newWorld(t, morning)
	s := w.session()
	var ids []string
	for range 150 {
		ids = append(ids, w.say(s, "A secret zeppelin"))
		w.must(w.st.Update(func(tx *store.Tx) error {
			one, err := tx.Session(luna, s)
			one.Unkept = true
			return errors.Join(err, tx.PutSession(one))
		}))
	}
	w.run(w.rules())
	w.now = w.now.AddDate(0, 0, 10)
	w.archive(w.rules())
	st, err := w.j.Status(context.Background())
	w.must(err)
	if len(w.tree()) > 0 || st.Waiting > 0 || st.History > 0 || len(st.Events) > 0 || !st.LastRun.IsZero() && st.LastRun.Before(w.now) {
		t.Errorf("files %v, %+v", w.tree(), st)
	}
	w.must(w.st.Update(func(tx *store.Tx) error { _, err := tx.Trash(luna, "D1", []string{s}, nil); return err }))
	w.purge()
	w.run(nil)
	w.must(w.st.View(func(tx *store.Tx) error {
		for _, id := range ids {
			if _, err := tx.History(luna, id); !errors.Is(err, store.ErrNotFound) {
				return fmt.Errorf("%s is still in the history: %w", id, err)
			}
		}
		return nil
	}))
}

// J6, glossary: a header that names messages of another agent, or of another day, shows and hides nothing of these.
func TestAttackHeaders(t *testing.T) {
	w, id, p := kiln(t)
	theirs := w.say(w.session(), "A zeppelin of another agent", func(r *memory.Record) { r.AgentID = "mars" })
	waits := w.on(morning.AddDate(0, 0, 2), "The glaze is celadon")
	for n, d := range []string{"2026-01-28", "2026-01-20"} {
		w.write(fmt.Sprintf("memory/summary/%s-x%d.md", d, n), Document{Kind: memory.JournalDay, Date: d, Records: []string{id, theirs, waits}, Body: "nothing\n"}.String())
	}
	w.write(p, strings.Replace(w.read(p), "records:\n", "records:\n  "+theirs+" "+waits+"\n", 1))
	w.archive(nil)
	if got := w.find("kiln degrees"); len(got) != 1 || !has(got, "1050") {
		t.Errorf("found %q", got)
	}
	if got := w.find("zeppelin agent"); len(got) != 0 {
		t.Errorf("found %q", got)
	}
	if got := w.find("celadon glaze"); !has(got, "celadon") {
		t.Errorf("found %q", got)
	}
}

// J6: a header alone does not keep a message that waits out of the journal.
func TestAttackHeaderOfWhatWaits(t *testing.T) {
	w, _, _ := kiln(t)
	w.now = morning.Add(time.Hour)
	session := w.session()
	waits := w.say(session, "The glaze is celadon")
	w.write("memory/synced.md", Document{Kind: memory.JournalVerbatim, Session: session, Date: "2026-01-28", Records: []string{waits}, Body: "nothing\n"}.String())
	w.archive(nil)
	if got := w.find("celadon glaze"); !has(got, "celadon") {
		t.Errorf("found %q", got)
	}
}

// C4, J6: of twelve files that match five hits come, of none none; 300 characters are whole,
// and of more no character is broken, one of several code points neither.
func TestAttackHits(t *testing.T) {
	w := newWorld(t, morning)
	w.fill()
	for n := range 12 {
		w.say(w.session(), fmt.Sprintf("The kiln number %d", n))
	}
	w.archive(nil)
	for limit, want := range map[int]int{0: 0, 3: 3, 5: 5} {
		hits, err := w.j.Search(context.Background(), Query{Text: "kiln", Limit: limit})
		w.must(err)
		if len(hits) != want {
			t.Errorf("%d hits, want %d", len(hits), want)
		}
	}
	if got := w.find("spaceship"); len(got) != 0 {
		t.Errorf("found %q", got)
	}
	for n, want := range map[int]bool{299: true, 300: true, 301: false} {
		word := fmt.Sprintf("heron%d", n)
		w.say(w.session(), word+" "+strings.Repeat("é", n-len(word)-1))
		w.archive(nil)
		hits, err := w.j.Search(context.Background(), Query{Text: word, Limit: 5})
		w.must(err)
		if len(hits) != 1 {
			t.Fatalf("%s: %d hits", word, len(hits))
		}
		h := hits[0]
		said := h.Text[h.From:h.To]
		if (said == h.Text) != want || utf8.RuneCountInString(said) > 300 || !utf8.ValidString(said) || utf8.RuneCountInString(h.Text) != n {
			t.Errorf("of %d characters %d", utf8.RuneCountInString(h.Text), utf8.RuneCountInString(said))
		}
	}
}

// C4: a hit does not end within a character of several code points.
func TestAttackCutEmoji(t *testing.T) {
	const family = "👨‍👩‍👧‍👦"
	w := newWorld(t, morning)
	w.fill()
	w.say(w.session(), "heron "+strings.Repeat("a", 291)+family+" and more of it")
	w.archive(nil)
	hits, err := w.j.Search(context.Background(), Query{Text: "heron", Limit: 5})
	w.must(err)
	if len(hits) != 1 {
		t.Fatalf("%d hits", len(hits))
	}
	if said := hits[0].Text[hits[0].From:hits[0].To]; strings.Contains(said, "👨") && !strings.Contains(said, family) {
		t.Errorf("it ends in %+q", said[len(said)-12:])
	}
}

// answers is a language model that says the same to everything.
type answers string

func (a answers) Complete(context.Context, learn.Request) (learn.Answer, error) {
	return learn.Answer{Text: string(a)}, nil
}

// J5, K8: an answer that is empty, cut off or thinking is a failure: no file, no word of it, and the
// message waits.
func TestAttackRubbish(t *testing.T) {
	set, err := prompts.New("")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []string{"", " \n", `{"lines": ["I moved the kil`, "<think>I moved the kiln to the shed", "<think>hm</think>", `{"lines": []}`, `{"lines": ["", " "]}`, "Sorry."} {
		w := newWorld(t, morning)
		id := w.say(w.session(), "I moved the kiln to the shed on Friday")
		w.now = day("2026-02-10")
		r := w.archive(Model{Ask: answers(a), Name: "rubbish", Prompts: set, Policy: w.j.Policy()})
		if len(r.Failed) != 1 || r.Waiting != 1 || len(w.tree()) > 0 {
			t.Errorf("%q: %+v, files %v", a, r, w.tree())
		}
		w.must(w.st.View(func(tx *store.Tx) error {
			e, err := tx.History(luna, id)
			if e.Archived != memory.ArchivedNo || e.Attempts != 1 {
				t.Errorf("%q: %+v", a, e)
			}
			return err
		}))
	}
}

// D2, U2: nor if it is forgotten at any moment while the day's file is written, and other
// goroutines search.
func TestAttackForgottenWhileWritten(t *testing.T) {
	for round := range 30 {
		w := newWorld(t, morning)
		w.must(os.MkdirAll(w.j.Dir, 0o700))
		s := w.session()
		w.say(s, "I moved to the shed on Friday")
		tea := w.say(s, "I like oolong very much")
		if round%2 == 0 {
			w.archive(nil)
		}
		w.now = day("2026-02-10")
		var work sync.WaitGroup
		work.Go(func() {
			if _, err := w.j.RunWith(context.Background(), w.rules(), Wanted{Now: true}); err != nil {
				t.Error(err)
			}
		})
		work.Go(func() {
			ways["silenced"](w, tea)
			ways["not for memory"](w, tea)
			for range 3 {
				if _, err := w.j.Search(context.Background(), Query{Text: "shed", Limit: 5}); err != nil {
					t.Error(err)
				}
			}
		})
		work.Wait()
		w.must(w.j.Erase(context.Background()))
		w.nowhere("oolong")
	}
}

package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

var morning = time.Date(2026, 1, 28, 9, 0, 0, 0, time.UTC)

// one is the only path of the journal.
func (w *world) one() string {
	w.Helper()
	all := w.paths()
	if len(all) != 1 {
		w.Fatalf("files: %v", all)
	}
	return all[0]
}

// J1, J4: what was said is copied word for word into a file whose header and marks lead back
// to the archive; what follows on the same day in the session goes there, too.
func TestVerbatim(t *testing.T) {
	w := newWorld(t, morning)
	s := w.session()
	a := w.say(s, "Deploy the wrangler worker\n\n### 09:00 · you <!-- 01KJNHG72N0Y48DH0PGYAXW0BD -->\nwith care")
	b := w.say(s, "It is deployed.", func(r *memory.Record) { r.Role = memory.RoleAssistant })
	w.archive(nil)
	p := w.one()
	if !strings.HasPrefix(p, "memory/2026-01-28-deploy-") {
		t.Errorf("it is called %s", p)
	}
	d := Parse(w.read(p))
	if d.Kind != memory.JournalVerbatim || d.Date != "2026-01-28" || d.Session != s || strings.Join(d.Records, " ") != a+" "+b {
		t.Errorf("header %+v", d)
	}
	if got := d.Passages(); len(got) != 2 || got[0].Record != a || got[0].Text != w.content(a) || got[1].Record != b || got[1].Text != "It is deployed." {
		t.Errorf("passages %+v", got)
	}
	w.now = w.now.Add(time.Hour)
	w.say(s, "And the rollback?")
	w.archive(nil)
	if d := Parse(w.read(w.one())); len(d.Records) != 3 || !strings.Contains(d.Body, "And the rollback?") {
		t.Errorf("after another message: %+v", d)
	}
	info, err := os.Stat(w.j.File(p))
	w.must(err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v", info.Mode())
	}
}

func (w *world) content(id string) (said string) {
	w.must(w.st.View(func(tx *store.Tx) error {
		r, err := tx.Record(luna, id)
		said = r.Content
		return err
	}))
	return said
}

// J6, J7: what the user writes in place of a message is found although the message is in the
// window, and the message itself is not.
func TestEditedInWindow(t *testing.T) {
	w, id, p := kiln(t)
	find := func() []Hit {
		hits, err := w.j.Search(t.Context(), Query{Text: "How hot is the kiln?", Limit: 5, Skip: func(record string) bool { return record == id }})
		w.must(err)
		return hits
	}
	if hits := find(); len(hits) != 0 {
		t.Errorf("the message in the window is repeated: %+v", hits)
	}
	w.write(p, strings.Replace(w.read(p), "1050 degrees", "1080 degrees by pyrometer", 1))
	if hits := find(); len(hits) != 1 || !strings.Contains(hits[0].Text, "1080") {
		t.Errorf("the edit is not found: %+v", hits)
	}
}

// J7: an edit is found at once, a file that was edited keeps its messages and is never
// written over, and later messages go into a file beside it.
func TestEditedByTheUser(t *testing.T) {
	w := newWorld(t, morning)
	s := w.session()
	w.say(s, "The kiln is at 1050 degrees")
	w.archive(nil)
	p := w.one()
	edited := strings.Replace(w.read(p), "1050 degrees", "1080 degrees, measured twice", 1)
	w.write(p, edited)
	if got := w.find("kiln measured"); !has(got, "1080 degrees, measured twice") {
		t.Errorf("found %q", got)
	}
	w.now = w.now.Add(time.Minute)
	w.say(s, "The glaze is celadon")
	w.archive(nil)
	if got := w.read(p); got != edited {
		t.Errorf("the edited file was written over:\n%s", got)
	}
	if all := w.paths(); len(all) != 2 || !has(w.find("celadon glaze"), "celadon") {
		t.Errorf("files %v", all)
	}
	w.now = w.now.AddDate(0, 0, 10)
	w.archive(w.rules())
	if got := w.read(p); got != edited || !has(w.find("kiln measured"), "1080") {
		t.Errorf("ten days later it says\n%s", got)
	}
	for id, in := range w.tiers() {
		if len(in) != 1 {
			t.Errorf("%s is in %v", id, in)
		}
	}
}

// J7: a file that an editor saves between the plan and the write is not lost.
func TestEditedWhileWritten(t *testing.T) {
	w := newWorld(t, morning)
	s := w.session()
	w.say(s, "The kiln is at 1050 degrees")
	w.now = w.now.AddDate(0, 0, 10)
	summary := "memory/summary/2026-01-28.md"
	w.archive(w.rules())
	mine := w.read(summary) + "\n- My own line about porcelain\n"
	w.now = w.now.Add(time.Minute)
	late := w.say(s, "Porcelain needs 1280 degrees", func(r *memory.Record) { r.Timestamp = morning.Add(time.Hour) })
	_, err := w.j.RunWith(context.Background(), hooked{w.rules(), func() { w.write(summary, mine) }}, Wanted{Now: true, Redo: true})
	w.must(err)
	if got := w.read(summary); got != mine {
		t.Errorf("the user's version is\n%s", got)
	}
	if in := w.tiers()[late]; len(in) != 1 || in[0] == summary {
		t.Errorf("the late message is in %v", in)
	}
	if got := w.find("own porcelain line"); !has(got, "My own line") {
		t.Errorf("found %q", got)
	}
}

// hooked does something before it summarises.
type hooked struct {
	Summariser
	before func()
}

func (h hooked) Summarise(ctx context.Context, m Material) (Summary, error) {
	h.before()
	return h.Summariser.Summarise(ctx, m)
}

// J7: a file that the user removes stays removed with its messages; one that he renames keeps
// them; notes of his own are searched; memory.md is his.
func TestRemovedRenamedOwn(t *testing.T) {
	w := newWorld(t, morning)
	a, b := w.session(), w.session()
	w.say(a, "The kiln is at 1050 degrees")
	w.say(b, "My violin is from Cremona")
	w.archive(nil)
	var kiln, violin string
	for _, p := range w.paths() {
		if strings.Contains(p, "kiln") {
			kiln = p
		} else {
			violin = p
		}
	}
	w.must(os.Remove(w.j.File(kiln)))
	renamed := "memory/2026-01-28-the-old-violin.md"
	w.must(os.Rename(w.j.File(violin), w.j.File(renamed)))
	w.write("memory.md", "# Servers\n\n- the staging machine is called heron\n\n- the backup runs at four\n")
	w.write("memory/garden.md", "The quince tree was planted in 2019.\n")
	if got := w.find("kiln degrees"); len(got) != 0 {
		t.Errorf("a removed file is found: %q", got)
	}
	if got := w.find("violin cremona"); !has(got, renamed) {
		t.Errorf("the renamed file: %q", got)
	}
	if got := w.find("staging servers"); !has(got, "memory.md: the staging machine is called heron") {
		t.Errorf("memory.md: %q", got)
	}
	if got := w.find("when was the quince planted"); !has(got, "memory/garden.md") {
		t.Errorf("a note of the user: %q", got)
	}
	w.now = w.now.AddDate(0, 3, 0)
	w.say(w.session(), "hello again, a tomato")
	w.archive(w.rules())
	if got := w.find("kiln degrees"); len(got) != 0 {
		t.Errorf("what was removed came back: %q", got)
	}
	if got := w.find("violin cremona"); len(got) != 1 || !has(got, "violin") { // there, or in the month
		t.Errorf("the renamed file three months later: %q", got)
	}
	if got := w.read("memory.md"); !strings.HasPrefix(got, "# Servers") {
		t.Errorf("memory.md is\n%s", got)
	}
}

// D2, U2: a deleted message is not found from that moment on, leaves every file when it is
// final, edited ones too, and comes back when the deletion is undone.
func TestDeletionReachesFiles(t *testing.T) {
	w := newWorld(t, morning)
	s := w.session()
	kiln, glaze := w.say(s, "The kiln is at 1050 degrees"), w.say(s, "The glaze is celadon from Longquan")
	w.archive(nil)
	p := w.one()
	w.must(w.st.Update(func(tx *store.Tx) error {
		_, err := tx.Trash(luna, "D1", nil, nil, kiln)
		return err
	}))
	if got := w.find("kiln degrees"); len(got) != 0 {
		t.Errorf("found although deleted: %q", got)
	}
	w.must(w.st.Update(func(tx *store.Tx) error {
		_, err := tx.RestoreTrash(luna, "D1", "C1")
		return err
	}))
	if got := w.find("kiln degrees"); !has(got, "1050") {
		t.Errorf("after undoing the deletion: %q", got)
	}
	edited := strings.Replace(w.read(p), "\n### 09:00 · you <!-- "+glaze, "\nI like celadon from Longquan for the glaze.\n\n### 09:00 · you <!-- "+glaze, 1)
	w.write(p, edited)
	w.paths()
	w.must(w.st.Update(func(tx *store.Tx) error {
		_, err := tx.Trash(luna, "D2", nil, nil, glaze)
		return err
	}))
	w.run(nil)
	w.purge()
	w.run(nil)
	if got := w.read(p); strings.Contains(got, "celadon") || strings.Contains(got, glaze) || !strings.Contains(got, "1050") {
		t.Errorf("the edited file still says\n%s", got)
	}
	w.must(w.st.Update(func(tx *store.Tx) error {
		_, err := tx.SetNotForMemory(luna, kiln, true)
		return err
	}))
	if got := w.find("kiln degrees"); len(got) != 0 {
		t.Errorf("found although not for memory: %q", got)
	}
	w.run(nil)
	w.nowhere("1050")
}

// nowhere checks that no file of the journal has some words.
func (w *world) nowhere(words string) {
	w.Helper()
	w.must(filepath.WalkDir(w.j.Dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if strings.Contains(string(b), words) {
			w.Errorf("%s still says %q:\n%s", p, words, b)
		}
		return err
	}))
}

// D2: a summary loses deleted text at once, and is rebuilt by rules.
func TestDeletionReachesSummaries(t *testing.T) {
	w := newWorld(t, morning)
	s := w.session()
	secret := w.say(s, "I told Marta about the quince wine in the cellar")
	w.say(s, "I moved the kiln to the shed on Friday")
	w.now = w.now.AddDate(0, 0, 12)
	w.archive(&fails{by: w.rules(), down: func() bool { return false }})
	const p = "memory/summary/2026-01-28.md"
	if got := w.read(p); !strings.Contains(got, "quince wine") || !strings.Contains(got, "by: test-model") {
		t.Fatalf("the summary is\n%s", got)
	}
	w.must(w.st.Update(func(tx *store.Tx) error {
		_, err := tx.Trash(luna, "D1", nil, nil, secret)
		return err
	}))
	if got := w.find("quince wine kiln"); len(got) != 0 {
		t.Errorf("a summary with deleted words is found: %q", got)
	}
	w.purge()
	w.run(nil)
	w.nowhere("quince")
	if got := w.find("kiln shed"); !has(got, "moved the kiln to the shed") {
		t.Errorf("what is left: %q", got)
	}
}

// P5a: secrets are in no file, sensitive text that was not accepted in no summary; verbatim
// files keep the words. U5: nor is a message not to be remembered, with its answer.
func TestWhatIsNotWritten(t *testing.T) {
	w := newWorld(t, morning)
	s := w.session()
	w.say(s, "My key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH and the kiln is hot")
	w.say(s, "I was diagnosed with epilepsy in March")
	q := w.say(s, "Don't remember this: the surprise party", func(r *memory.Record) { r.Metadata.Forgetful = true })
	w.say(s, "A surprise party, noted.", func(r *memory.Record) { r.Role, r.ParentID = memory.RoleAssistant, q })
	w.archive(nil)
	if got := w.read(w.one()); strings.Contains(got, "sk-proj") || !strings.Contains(got, "[secret]") || !strings.Contains(got, "epilepsy") || strings.Contains(got, "party") {
		t.Errorf("word for word:\n%s", got)
	}
	w.now = w.now.AddDate(0, 0, 12)
	w.archive(w.rules())
	if got := w.read("memory/summary/2026-01-28.md"); strings.Contains(got, "sk-proj") || strings.Contains(got, "epilepsy") || strings.Contains(got, "party") {
		t.Errorf("summary:\n%s", got)
	}
}

// J5: a summary that fails makes its messages wait for 10 minutes, then longer, and after five
// failures the backlog is noted; when it succeeds, all of that is over.
func TestFailingSummary(t *testing.T) {
	w := newWorld(t, morning)
	w.say(w.session(), "The kiln is at 1050 degrees")
	w.now = w.now.AddDate(0, 0, 12)
	down := true
	model := &fails{by: w.rules(), down: func() bool { return down }}
	pauses := []time.Duration{10 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour}
	for i, pause := range pauses {
		if r := w.run(model); len(r.Failed) != 1 || !r.Failed[0].Next.Equal(w.now.Add(pause)) || r.Waiting != 1 {
			t.Fatalf("attempt %d: %+v", i+1, r)
		}
		w.wantHistory()
		w.now = w.now.Add(pause - time.Minute)
		asked := model.n
		if w.archive(model); model.n != asked {
			t.Errorf("asked again before its time")
		}
		w.reopen()
		w.now = w.now.Add(7 * time.Hour)
	}
	st, err := w.j.Status(context.Background())
	w.must(err)
	if len(st.Failing) != 1 || st.Failing[0].Attempts != len(pauses) || len(st.Events) != 1 || st.Events[0].Kind != memory.ArchiveBacklog {
		t.Errorf("status %+v", st)
	}
	down = false
	w.now = w.now.Add(24 * time.Hour)
	if r := w.run(model); len(r.Files) != 1 || r.Waiting != 0 {
		t.Errorf("in the end: %+v", r)
	}
	if st, _ := w.j.Status(context.Background()); len(st.Failing) != 0 {
		t.Errorf("it still fails: %+v", st.Failing)
	}
}

// J3, J2, A1: an archiving begins past 100 messages or after 6 hours; what may not be written
// counts nowhere; past 300 that could not be archived the overflow is noted and none is lost.
func TestTriggers(t *testing.T) {
	w := newWorld(t, morning)
	s := w.session()
	for range 100 {
		w.say(s, "The kiln is hot")
		w.say(s, "forget this", func(r *memory.Record) { r.NotForMemory = true })
	}
	if r := w.run(nil); len(r.Files) != 0 || r.Waiting != 100 {
		t.Errorf("at 100 messages: %+v", r)
	}
	w.say(s, "One more")
	if r := w.run(nil); len(r.Files) != 1 || r.Messages != 101 {
		t.Errorf("at 101: %+v", r)
	}
	w.say(s, "And another")
	w.now = w.now.Add(6 * time.Hour)
	if r := w.run(nil); len(r.Files) != 0 {
		t.Errorf("after 6 hours: %+v", r)
	}
	w.now = w.now.Add(time.Second)
	if r := w.run(nil); r.Messages != 1 {
		t.Errorf("after more than 6 hours: %+v", r)
	}
	for range 310 {
		w.say(s, "An old thing")
	}
	w.now = w.now.AddDate(0, 0, 10) // a summary of the day is due, without a summariser
	if r := w.run(nil); r.Waiting != 310 {
		t.Errorf("without a summariser: %+v", r)
	}
	st, err := w.j.Status(context.Background())
	w.must(err)
	if len(st.Events) != 1 || st.Events[0].Kind != memory.HistoryOverflow || st.Waiting != 310 {
		t.Errorf("status %+v", st)
	}
	if r := w.archive(w.rules()); r.Messages != 310 {
		t.Errorf("in the end: %+v", r)
	}
	w.wantHistory()
}

// Attacks of a stranger, J3, J5, J6: a clock that was far ahead has nothing lost and nothing found in a
// month's summary alone.
func TestClockAhead(t *testing.T) {
	w := newWorld(t, morning)
	id := w.say(w.session(), "The kiln is at 1050 degrees")
	w.archive(nil)
	p := w.one()
	w.now = w.now.AddDate(10, 0, 0)
	w.archive(w.rules())
	if got := w.find("kiln degrees"); !has(got, "memory/summary/2026-01.md") {
		t.Errorf("ten years later: %q", got)
	}
	w.now = morning.Add(time.Hour)
	w.run(w.rules())
	if got := w.find("kiln degrees"); len(got) != 1 || !has(got, p) || len(w.tiers()[id]) != 1 {
		t.Errorf("back in time: %q, %v", got, w.tiers()[id])
	}
}

// J7: an editor that saves an older version over a newer one keeps its words, and what it does
// not have is written beside it.
func TestOlderVersionSaved(t *testing.T) {
	w := newWorld(t, morning)
	s := w.session()
	a := w.say(s, "The kiln is at 1050 degrees")
	w.archive(nil)
	p := w.one()
	opened := w.read(p)
	w.now = w.now.Add(time.Minute)
	b := w.say(s, "The glaze is celadon")
	w.archive(nil)
	w.write(p, strings.Replace(opened, "1050", "1080", 1))
	w.paths()
	w.now = w.now.Add(time.Minute)
	w.archive(nil)
	if got := w.find("kiln degrees"); !has(got, "1080") {
		t.Errorf("the correction: %q", got)
	}
	if got := w.find("glaze celadon"); len(got) != 1 {
		t.Errorf("what was appended: %q", got)
	}
	if tiers := w.tiers(); len(tiers[a]) != 1 || len(tiers[b]) != 1 {
		t.Errorf("tiers %v", tiers)
	}
}

// D4, J1: nothing is written or read where a link leads; D2: a name made of deleted words goes
// with them.
func TestLinksAndNames(t *testing.T) {
	w := newWorld(t, morning)
	s := w.session()
	first := w.say(s, "Quince wine for Marta")
	w.say(s, "The kiln is at 1050 degrees")
	w.archive(nil)
	if p := w.one(); !strings.Contains(p, "quince") {
		t.Fatalf("it is called %s", p)
	}
	w.must(w.st.Update(func(tx *store.Tx) error {
		_, err := tx.Trash(luna, "D1", nil, nil, first)
		if err != nil {
			return err
		}
		session, err := tx.Session(luna, s)
		session.Title = "" // as who deletes does
		return errors.Join(err, tx.PutSession(session))
	}))
	w.purge()
	w.run(nil)
	if p := w.one(); strings.Contains(p, "quince") || !strings.Contains(w.read(p), "1050") {
		t.Errorf("it is called %s now", p)
	}
	outside := filepath.Join(w.dir, "diary.md")
	w.must(os.WriteFile(outside, []byte("my own diary about zeppelins"), 0o600))
	w.must(os.Symlink(outside, w.j.File("memory/2026-01-28-link.md")))
	if got := w.find("zeppelins diary"); len(got) != 0 {
		t.Errorf("a link is followed: %q", got)
	}
	w.must(os.RemoveAll(w.j.File("memory")))
	elsewhere := t.TempDir()
	w.must(os.Symlink(elsewhere, w.j.File("memory")))
	w.say(s, "More of it")
	if _, err := w.j.RunWith(context.Background(), nil, Wanted{Now: true}); !errors.Is(err, ErrLink) {
		t.Errorf("a folder that is a link: %v", err)
	}
	if all, _ := os.ReadDir(elsewhere); len(all) != 0 {
		t.Errorf("written elsewhere: %v", all)
	}
}

// J4, K2: when the store forgets what it knew of the journal, as after restoring an older
// backup, the headers of the files say it again: nothing is written twice.
func TestFilesAreAdopted(t *testing.T) {
	w := newWorld(t, morning)
	var ids []string
	for day := range 40 {
		w.now = morning.AddDate(0, 0, day)
		s := w.session()
		ids = append(ids, w.say(s, "The kiln is at 1050 degrees"), w.say(s, "And the shed has a new roof"))
	}
	w.now = w.now.AddDate(0, 1, 3)
	w.archive(w.rules())
	w.now = w.now.AddDate(0, 0, 1)
	ids = append(ids, w.say(w.session(), "A tomato"))
	w.archive(w.rules())
	before := w.paths()
	w.must(w.st.Update(func(tx *store.Tx) error {
		return errors.Join(tx.DropJournal(luna), tx.KV().Unfollow(MarkPrefix+luna))
	}))
	w.reopen()
	if r := w.archive(w.rules()); len(r.Files) != 0 {
		t.Errorf("written again: %v", r.Files)
	}
	if after := w.paths(); strings.Join(after, " ") != strings.Join(before, " ") {
		t.Errorf("files are\n%v\nwere\n%v", after, before)
	}
	tiers := w.tiers()
	for _, id := range ids {
		if len(tiers[id]) != 1 {
			t.Errorf("%s is in %v", id, tiers[id])
		}
	}
}

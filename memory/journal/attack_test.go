package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // summer time, wherever the test runs

	"memoria/memory"
	"memoria/memory/store"
)

// day is a moment of a day, at ten.
func day(date string) time.Time {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err)
	}
	return at.Add(10 * time.Hour)
}

// on says something at a time and goes on from there.
func (w *world) on(at time.Time, content string) string {
	w.Helper()
	w.now = at
	return w.say(w.session(), content)
}

// in is the only file in which a message is found.
func (w *world) in(id string) string {
	w.Helper()
	w.paths()
	all := w.tiers()[id]
	if len(all) != 1 {
		w.Errorf("message %s is in %d tiers: %v", id, len(all), all)
		return ""
	}
	return all[0]
}

// wantIn checks where messages are found.
func (w *world) wantIn(want string, ids ...string) {
	w.Helper()
	for _, id := range ids {
		if got := w.in(id); got != want && !(strings.HasSuffix(want, "-") && strings.HasPrefix(got, want)) {
			w.Errorf("on %s message %s is in %q, want %q", w.today(), id, got, want)
		}
	}
}

func (w *world) today() string { return w.j.today() }

// fill says things that have nothing to do with the others, so that words are rare.
func (w *world) fill() {
	w.Helper()
	for _, s := range strings.Fields("passport bicycle marathon tomato quince lantern harbour orchard") {
		w.say(w.session(), "Something about a "+s)
	}
}

// undo takes back what an archiving noted last of a file, as if it had been killed after the
// file was written and before that was noted.
func (w *world) undo(p string, were map[string]memory.JournalFile, fresh ...string) {
	w.Helper()
	w.must(w.st.Update(func(tx *store.Tx) error {
		f, err := tx.JournalFile(luna, p)
		if err != nil {
			return err
		}
		for _, o := range were {
			err = errors.Join(err, tx.PutJournalFile(luna, o))
		}
		for _, id := range fresh {
			e, _ := tx.History(luna, id)
			e.Archived = memory.ArchivedPending
			err = errors.Join(err, tx.PutHistory(luna, id, e))
		}
		left := memory.JournalFile{Path: p, Kind: f.Kind, Date: f.Date, Session: f.Session, Next: f.Sum}
		return errors.Join(err, tx.PutJournalFile(luna, left), tx.PutJournalIDs(luna, p, nil))
	}))
	w.reopen()
}

// J1, J4, J5, J6, K3: a program that died between any two steps of an archiving has written
// nothing twice, and no reader sees half a file.
func TestAttackHalfway(t *testing.T) {
	w := newWorld(t, morning)
	w.fill()
	id := w.on(morning, "The kiln is at 1050 degrees")
	w.archive(nil)
	p := w.in(id)
	w.undo(p, nil, id)
	w.must(os.WriteFile(w.j.File("memory/2026-01-28-other.md")+partial, []byte("---\njournal: verbatim\nhalf a kiln"), 0o600))
	if got := w.find("half a kiln"); has(got, "half") {
		t.Errorf("half a file is found: %q", got)
	}
	w.reopen()
	w.archive(nil)
	w.wantIn(p, id)
	w.wantHistory()
	if all, _ := os.ReadDir(w.j.File("memory")); len(all) != 9 {
		t.Errorf("there are %v", all)
	}
	w.now = day("2026-02-05")
	w.archive(w.rules())
	w.now = day("2026-03-05")
	were := w.j.snapshot()
	w.archive(w.rules())
	w.wantIn("memory/summary/2026-01.md", id)
	w.undo("memory/summary/2026-01.md", were)
	w.wantIn("memory/summary/2026-01-28.md", id)
	w.archive(w.rules())
	w.wantIn("memory/summary/2026-01.md", id)
	if !slices.Contains(w.paths(), p) {
		t.Errorf("files %v", w.paths())
	}
}

// J5, J7: words that the user writes into a file between the death of the program that wrote it and
// the next start are found.
func TestAttackHalfwayAndEdited(t *testing.T) {
	w := newWorld(t, morning)
	w.fill()
	id := w.on(morning, "The kiln is at 1050 degrees")
	w.archive(nil)
	p := w.in(id)
	w.undo(p, nil, id)
	w.write(p, w.read(p)+"\nMy own line about porcelain.\n")
	w.reopen()
	w.archive(nil)
	if got := w.find("own porcelain line"); !has(got, "My own line") {
		t.Errorf("found %q", got)
	}
	if got := w.find("kiln degrees"); len(got) != 1 {
		t.Errorf("the message: %q", got)
	}
}

// J5, I4: another program cannot open the store meanwhile; of two archivings at once one does
// it and the other says so.
func TestAttackTwoPrograms(t *testing.T) {
	w := newWorld(t, morning)
	if other, err := store.Open(store.Options{Path: filepath.Join(w.dir, "memoria.db"), Now: w.j.Now, Logger: w.j.Logger, LockTimeout: time.Millisecond}); err == nil {
		w.must(other.Close())
		t.Error("two programs have the store")
	}
	var ids []string
	for n := range 130 {
		ids = append(ids, w.on(morning.AddDate(0, 0, -n%20), fmt.Sprintf("The kiln is at %d degrees", 1000+n)))
	}
	w.now = morning
	_, err := w.j.RunWith(context.Background(), hooked{w.rules(), func() {
		if _, err := w.j.Run(context.Background(), w.rules()); !errors.Is(err, ErrRunning) {
			t.Errorf("a second archiving: %v", err)
		}
	}}, Wanted{Now: true})
	w.must(err)
	for _, id := range ids {
		w.in(id)
	}
}

// J3, J5: a clock that goes back a day keeps the file of tomorrow, and neither the next
// archiving nor a summary that failed waits until it has caught up.
func TestAttackClockBack(t *testing.T) {
	w := newWorld(t, morning)
	w.on(morning.AddDate(0, 0, -10), "The violin is from Cremona")
	s := w.session()
	w.now = morning
	a := w.say(s, "The kiln is at 1050 degrees")
	down := true
	model := &fails{by: firstWordsOf{}, down: func() bool { return down }}
	w.archive(model)
	p := w.in(a)
	w.now = morning.AddDate(0, 0, -1)
	b := w.say(s, "The glaze is celadon")
	down = false
	if r := w.run(model); r.Waiting != 0 || model.n != 2 {
		t.Errorf("after the clock was set back: %+v, asked %d times", r, model.n)
	}
	w.wantIn(p, a)
	w.wantIn("memory/2026-01-27-", b)
	w.now = morning.Add(time.Hour)
	w.archive(model)
	w.wantIn(p, a)
}

// J3, J4, J5: what was first archived while a clock was ten years ahead is found word for
// word when it is right again, and what was said meanwhile is not lost.
func TestAttackClockFarAhead(t *testing.T) {
	w := newWorld(t, morning)
	model := &fails{by: firstWordsOf{}, down: func() bool { return false }}
	old := w.on(day("2025-11-03"), "The quince was planted")
	w.now = morning
	w.archive(model)
	a := w.on(morning, "The kiln is at 1050 degrees")
	w.now = morning.AddDate(10, 0, 0)
	b := w.say(w.session(), "The glaze is celadon")
	w.archive(model)
	w.wantIn("memory/summary/2026-01.md", a)
	w.now = morning.Add(time.Hour)
	w.run(model)
	w.archive(model)
	w.wantIn("memory/2026-01-28-", a)
	w.wantIn("memory/2036-01-28-", b)
	w.wantIn("memory/summary/2025-11.md", old)
	if got := w.find("kiln degrees"); !has(got, "1050") {
		t.Errorf("found %q", got)
	}
	w.wantHistory()
}

// J1, J4: a message belongs for ever to the day on which it was said where the user was then.
func TestAttackZones(t *testing.T) {
	w := newWorld(t, morning)
	auckland, lisbon := zone(t, "Pacific/Auckland"), zone(t, "Europe/Lisbon")
	s := w.session()
	w.now = time.Date(2026, 1, 28, 23, 30, 0, 0, auckland)
	a := w.say(s, "Before midnight in the kiln")
	w.now = time.Date(2026, 1, 29, 0, 30, 0, 0, auckland)
	b := w.say(s, "After midnight at the violin")
	w.run(nil)
	w.now = w.now.In(lisbon)
	w.archive(nil)
	w.wantIn("memory/2026-01-28-", a)
	w.wantIn("memory/2026-01-29-", b)
	w.now = w.now.AddDate(0, 0, 9).In(lisbon)
	w.archive(firstWordsOf{})
	w.wantIn("memory/summary/2026-01-28.md", a)
	w.wantIn("memory/summary/2026-01-29.md", b)
}

// J4: a message keeps its day when its file is rebuilt in another zone: here an editor saved
// an older version of the file, which did not have it.
func TestAttackZoneOfAnOlderVersion(t *testing.T) {
	w := newWorld(t, morning)
	auckland, lisbon := zone(t, "Pacific/Auckland"), zone(t, "Europe/Lisbon")
	s := w.session()
	w.now = time.Date(2026, 1, 29, 0, 20, 0, 0, auckland)
	w.say(s, "Just after midnight")
	w.archive(nil)
	p := w.one()
	older := w.read(p)
	w.now = time.Date(2026, 1, 29, 0, 30, 0, 0, auckland)
	b := w.say(s, "After midnight at the violin")
	w.archive(nil)
	w.now = w.now.In(lisbon)
	w.write(p, older+"\nmine\n")
	w.archive(nil)
	w.wantIn("memory/2026-01-29-", b)
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// J3, J4: days of 23 and 25 hours are days: at 02:30 of such a day the fifth day before is
// still word for word, an hour later too, and the sixth is not.
func TestAttackSummerTime(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	for _, last := range []int{3, 10} { // 29 March and 25 October 2026
		d := map[int]int{3: 29, 10: 25}[last]
		w := newWorld(t, time.Date(2026, time.Month(last), d-8, 9, 0, 0, 0, berlin))
		sixth := w.on(time.Date(2026, time.Month(last), d-6, 23, 59, 0, 0, berlin), "The violin is from Cremona")
		fifth := w.on(time.Date(2026, time.Month(last), d-5, 0, 1, 0, 0, berlin), "The kiln is at 1050 degrees")
		w.now = time.Date(2026, time.Month(last), d, 1, 30, 0, 0, berlin)
		for range 4 {
			w.archive(firstWordsOf{})
			w.wantIn("memory/"+dayOf(w.now.AddDate(0, 0, -5), berlin)+"-", fifth)
			w.wantIn("memory/summary/"+dayOf(w.now.AddDate(0, 0, -6), berlin)+".md", sixth)
			w.now = w.now.Add(30 * time.Minute)
		}
		w.now = time.Date(2026, time.Month(last), d+1, 0, 1, 0, 0, berlin)
		w.archive(firstWordsOf{})
		w.wantIn("memory/summary/"+dayOf(time.Date(2026, time.Month(last), d-5, 12, 0, 0, 0, berlin), berlin)+".md", fifth)
	}
}

// J4, J6: the tiers of messages over new year, short months and a leap year, as days go by;
// the files of days stay when their month has them, and no file has a month that is none.
func TestAttackCalendar(t *testing.T) {
	w := newWorld(t, day("2023-11-01"))
	ids := map[string]string{}
	topics := strings.Fields("kiln violin tomato quince marathon passport bicycle")
	wait := []string{"2023-11-15", "2023-12-01", "2023-12-31", "2024-01-25", "2024-01-29", "2024-02-24", "2024-02-29"}
	month, byDay := func(m string) string { return "memory/summary/" + m + ".md" }, func(d string) string { return "memory/summary/" + d + ".md" }
	for _, c := range []struct{ on, of, want string }{
		{"2024-01-01", "2023-11-15", month("2023-11")}, // new year
		{"2024-01-01", "2023-12-01", byDay("2023-12-01")},
		{"2024-01-01", "2023-12-31", "memory/2023-12-31-"},
		{"2024-01-30", "2024-01-25", "memory/2024-01-25-"}, // five days
		{"2024-01-31", "2024-01-25", byDay("2024-01-25")},  // six
		{"2024-01-31", "2023-12-01", byDay("2023-12-01")},
		{"2024-02-01", "2023-12-01", month("2023-12")},
		{"2024-02-01", "2023-12-31", month("2023-12")},
		{"2024-02-02", "2024-01-29", "memory/2024-01-29-"}, // last month, but four days ago
		{"2024-02-04", "2024-01-29", byDay("2024-01-29")},
		{"2024-03-01", "2024-02-24", byDay("2024-02-24")}, // six days in a leap year
		{"2024-03-01", "2024-02-29", "memory/2024-02-29-"},
		{"2024-03-31", "2024-02-29", byDay("2024-02-29")}, // a month before has no 31st
		{"2024-03-31", "2024-01-29", month("2024-01")},
		{"2024-04-01", "2024-02-29", month("2024-02")},
	} {
		for ; len(wait) > 0 && wait[0] <= c.on; wait = wait[1:] {
			ids[wait[0]] = w.on(day(wait[0]), "I wrote about the "+topics[len(ids)]+" today")
			w.archive(firstWordsOf{})
		}
		w.now = day(c.on)
		w.archive(firstWordsOf{})
		w.wantIn(c.want, ids[c.of])
	}
	if all := w.paths(); !slices.Contains(all, byDay("2023-12-31")) && !has(all, "memory/2023-12-31-") || has(all, "2023-13") || has(all, "-00") {
		t.Errorf("files %v", all)
	}
	if got := w.find("violin today"); len(got) > 5 || !has(got, "violin") {
		t.Errorf("found %q", got)
	}
	common := newWorld(t, day("2026-02-24"))
	id := common.on(day("2026-02-24"), "The kiln is at 1050 degrees")
	common.now = day("2026-03-01")
	common.archive(firstWordsOf{})
	common.wantIn("memory/2026-02-24-", id) // five days in a common year
}

// J6: what the index holds below the minimum score is no hit: then the files are read. Of two
// messages about the same thing one is found.
func TestAttackSmallJournal(t *testing.T) {
	w := newWorld(t, morning)
	w.on(morning, "The kiln is at 1050 degrees")
	w.on(morning, "The kiln is at 1100 degrees")
	w.archive(nil)
	if got := w.find("kiln degrees"); !has(got, "kiln") {
		t.Errorf("found %q", got)
	}
}

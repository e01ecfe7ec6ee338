package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"memoria/memory/store"
)

// kiln is a world with one message in a file, among others that have other words.
func kiln(t *testing.T) (w *world, id, p string) {
	t.Helper()
	w = newWorld(t, morning)
	w.fill()
	id = w.on(morning, "The kiln is at 1050 degrees")
	w.archive(nil)
	return w, id, w.in(id)
}

// D4, J1: a folder of the journal that is a link, to another, to nowhere or to itself, is
// refused; nothing is written or removed there, and the messages wait.
func TestAttackLinkedFolders(t *testing.T) {
	for _, dir := range []string{".", recentDir, summaryDir} {
		for _, to := range []string{"elsewhere", "nowhere", "itself"} {
			w := newWorld(t, morning)
			target := filepath.Join(w.dir, to)
			link := filepath.Clean(w.j.disk.file(dir))
			w.must(os.MkdirAll(filepath.Dir(link), 0o700))
			if to == "elsewhere" {
				w.must(os.Mkdir(target, 0o700))
			}
			if to == "itself" {
				target = link
			}
			w.must(os.Symlink(target, link))
			id := w.on(morning, "The kiln is at 1050 degrees")
			if _, err := w.j.RunWith(context.Background(), nil, Wanted{Now: true}); !errors.Is(err, ErrLink) {
				t.Errorf("%s to %s: %v", dir, to, err)
			}
			if all, _ := os.ReadDir(filepath.Join(w.dir, "elsewhere")); len(all) > 0 {
				t.Errorf("%s: written elsewhere: %v", dir, all)
			}
			w.must(os.Remove(link))
			w.archive(nil)
			w.in(id)
		}
	}
}

// D4, J1: files in the target of a linked folder are not removed at the start.
func TestAttackLinkedFolderIsNotSwept(t *testing.T) {
	w, _, _ := kiln(t)
	elsewhere := t.TempDir()
	theirs := filepath.Join(elsewhere, "letter.md"+partial)
	w.must(os.WriteFile(theirs, []byte("a letter"), 0o600))
	w.must(os.RemoveAll(w.j.File(recentDir)))
	w.must(os.Symlink(elsewhere, w.j.File(recentDir)))
	w.reopen()
	_, _ = w.j.Files(context.Background())
	if b, _ := os.ReadFile(theirs); string(b) != "a letter" {
		t.Errorf("it says %q", b)
	}
}

// D4, D2: a link in the place of a file is not followed: what it leads to is neither read,
// written nor erased, and the messages go beside it.
func TestAttackLinkedFiles(t *testing.T) {
	for _, at := range []string{"before", "instead"} {
		w := newWorld(t, morning)
		w.fill()
		diary := filepath.Join(w.dir, "diary.md")
		w.must(os.WriteFile(diary, []byte("my diary about zeppelins"), 0o600))
		s := w.session()
		a := w.say(s, "The kiln is at 1050 degrees")
		p := "memory/2026-01-28-kiln-degrees.md"
		if at == "before" {
			w.must(os.MkdirAll(w.j.File(recentDir), 0o700))
			w.must(os.Symlink(diary, w.j.File(p)))
		}
		w.archive(nil)
		if at == "before" && w.in(a) == p {
			t.Errorf("the message is in the link")
		}
		if at == "instead" {
			w.wantIn(p, a)
			w.must(os.Remove(w.j.File(p)))
			w.must(os.Symlink(diary, w.j.File(p)))
		}
		w.now = w.now.Add(time.Minute)
		b := w.say(s, "The glaze is celadon")
		w.archive(nil)
		w.in(b)
		if got := w.find("zeppelins diary"); len(got) != 0 {
			t.Errorf("%s: found %q", at, got)
		}
		w.now = w.now.AddDate(0, 0, 9)
		w.must(w.st.Update(func(tx *store.Tx) error { _, err := tx.SetNotForMemory(luna, a, true); return err }))
		w.archive(w.rules())
		if got, _ := os.ReadFile(diary); string(got) != "my diary about zeppelins" {
			t.Errorf("%s: the diary says %q", at, got)
		}
	}
}

// D4: a link in the place of the temporary file is not written through.
func TestAttackLinkedTemporary(t *testing.T) {
	w, _, _ := kiln(t)
	diary := filepath.Join(w.dir, "diary.md")
	w.must(os.WriteFile(diary, []byte("my diary"), 0o600))
	w.must(os.MkdirAll(w.j.File(summaryDir), 0o700))
	w.must(os.Symlink(diary, w.j.File("memory/summary/2026-01-28.md")+partial))
	w.now = day("2026-02-10")
	w.archive(w.rules())
	if got, _ := os.ReadFile(diary); string(got) != "my diary" {
		t.Errorf("the diary says %q", got)
	}
}

// J5, K7: where nothing can be written the archiving fails, the archive and the search stay
// as they are, nothing is half written, and later all of it is done.
func TestAttackReadOnlyFolder(t *testing.T) {
	w, a, p := kiln(t)
	w.must(os.Chmod(w.j.File(recentDir), 0o500))
	if os.Geteuid() == 0 { // root is kept out in another way
		w.write("memory/summary/2026-01-08.md"+partial+"/x", "in the way")
		w.write("memory/summary/2026-01-28.md"+partial+"/x", "in the way")
	}
	b := w.on(morning.AddDate(0, 0, -20), "The glaze is celadon")
	w.now = day("2026-02-10")
	if r, err := w.j.RunWith(context.Background(), w.rules(), Wanted{Now: true}); err == nil || len(r.Files) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if got := w.find("kiln degrees"); !has(got, p) {
		t.Errorf("found %q", got)
	}
	w.must(os.Chmod(w.j.File(recentDir), 0o700))
	w.must(os.RemoveAll(w.j.File(summaryDir)))
	w.now = w.now.Add(24 * time.Hour)
	w.archive(w.rules())
	w.wantIn("memory/summary/2026-01-28.md", a)
	w.wantIn("memory/summary/2026-01-08.md", b)
	w.wantHistory()
}

// J7, J2: the user removes all files while an archiving is in its third day: nothing crashes or is lost
// from the archive, nothing waits for ever, and the next archiving has nothing to write.
func TestAttackRemovedDuringRun(t *testing.T) {
	w := newWorld(t, morning)
	var ids []string
	for n := range 12 {
		ids = append(ids, w.on(morning.AddDate(0, 0, n), fmt.Sprintf("The kiln is at %d degrees", 1000+n)))
		w.archive(nil)
	}
	w.now = day("2026-02-20")
	n := 0
	_, err := w.j.RunWith(context.Background(), hooked{w.rules(), func() {
		if n++; n == 3 {
			w.must(os.RemoveAll(w.j.Dir))
		}
	}}, Wanted{Now: true})
	w.must(err)
	r := w.archive(w.rules())
	w.wantHistory()
	if again := w.archive(w.rules()); len(again.Files) != 0 || again.Waiting != 0 {
		t.Errorf("then %+v, then %+v", r, again)
	}
	if len(w.said()) != len(ids) {
		t.Errorf("the archive has %d messages", len(w.said()))
	}
	for id, in := range w.tiers() {
		if len(in) != 1 {
			t.Errorf("%s is in %v", id, in)
		}
	}
}

// J1, J7: a file is known by its header: moved out of the folder and back, renamed, copied, and with
// the original removed, its message is found once and not written again.
func TestAttackMovedAndCopied(t *testing.T) {
	w, id, p := kiln(t)
	old := w.j.File("memory/old/kiln.md")
	w.must(os.Mkdir(filepath.Dir(old), 0o700))
	w.must(os.Rename(w.j.File(p), old))
	if r := w.archive(nil); len(r.Files) != 0 {
		t.Errorf("written again: %v", r.Files)
	}
	w.must(os.Rename(old, w.j.File(p)))
	w.wantIn(p, id)
	w.must(os.Rename(w.j.File(p), w.j.File("memory/oven 28.md")))
	w.wantIn("memory/oven 28.md", id)
	w.write("memory/copy.md", w.read("memory/oven 28.md"))
	w.wantIn("memory/oven 28.md", id)
	w.must(os.Remove(w.j.File("memory/oven 28.md")))
	if got := w.find("kiln degrees"); len(got) != 1 || !has(got, "copy.md") {
		t.Errorf("of the copy %q", got)
	}
}

// J1, J7: a file that was only renamed is found by its words, among others that have some of them.
func TestAttackRenamedIsFound(t *testing.T) {
	w, id, p := kiln(t)
	w.on(morning.Add(time.Minute), "The kiln needs a new door")
	w.archive(nil)
	w.must(os.Rename(w.j.File(p), w.j.File("memory/oven.md")))
	if got := w.find("kiln degrees"); !has(got, "1050") {
		t.Errorf("found %q", got)
	}
	w.wantIn("memory/oven.md", id)
}

// J1, J7: a file that goes and comes back under another name, as a sync service renames, is found.
func TestAttackRemovedThenRenamed(t *testing.T) {
	w, id, p := kiln(t)
	words := w.read(p)
	w.must(os.Remove(w.j.File(p)))
	w.paths()
	w.write("memory/oven.md", words)
	w.wantIn("memory/oven.md", id)
	if got := w.find("kiln degrees"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

// J6, J7: a verbatim file that a summary covers stays excluded when only its name changes.
func TestAttackRenamedWhenCovered(t *testing.T) {
	w, id, p := kiln(t)
	w.now = day("2026-02-10")
	w.archive(firstWordsOf{})
	w.must(os.Rename(w.j.File(p), w.j.File("memory/oven.md")))
	w.in(id)
}

// J6, J7: a covered file that the user edits is searched, and its messages are in one tier.
func TestAttackEditedWhenCovered(t *testing.T) {
	w, id, p := kiln(t)
	w.now = day("2026-02-10")
	w.archive(firstWordsOf{})
	w.write(p, w.read(p)+"\nMy own line about porcelain.\n")
	if got := w.find("porcelain own line"); !has(got, "porcelain") {
		t.Errorf("found %q", got)
	}
	w.archive(firstWordsOf{})
	w.in(id)
}

// J7: what the user writes into a copy of a file is found.
func TestAttackEditedCopy(t *testing.T) {
	w, _, p := kiln(t)
	w.write("memory/my-kiln.md", w.read(p)+"\nMy own line about porcelain.\n")
	if got := w.find("porcelain own line"); !has(got, "porcelain") {
		t.Errorf("found %q", got)
	}
}

// J6, J7, C4: of a huge file in one line passages are bounded, and so are the hits.
func TestAttackHugeFile(t *testing.T) {
	w := newWorld(t, morning)
	w.write(LongTerm, "heron "+strings.Repeat("陶艺 and a little more about it ", 8<<20/32)+" the end")
	hits, err := w.j.Search(context.Background(), Query{Text: "heron", Limit: 5})
	w.must(err)
	if len(hits) == 0 || len(hits) > 5 {
		t.Fatalf("%d hits", len(hits))
	}
	for _, h := range hits {
		if said := h.Text[h.From:h.To]; len(h.Text) > maxPassage || utf8.RuneCountInString(said) > maxHit || !utf8.ValidString(said) {
			t.Errorf("a passage of %d bytes, quoted %d", len(h.Text), len(said))
		}
	}
}

// J7, D2: taking a message out of a huge file that the user edited leaves the rest of it.
func TestAttackHugeEdited(t *testing.T) {
	noRace(t)
	w := newWorld(t, morning)
	s := w.session()
	id := w.say(s, "The kiln is at 1050 degrees")
	w.say(s, "The glaze is celadon")
	w.archive(nil)
	p := w.in(id)
	w.write(p, w.read(p)+"\n"+strings.Repeat("A line about porcelain.\n", 5<<20/24)+"\nthe very end\n")
	w.paths()
	w.must(w.st.Update(func(tx *store.Tx) error { _, err := tx.SetNotForMemory(luna, id, true); return err }))
	w.archive(nil)
	rest := false
	for _, f := range w.paths() { // its name had words of the message
		b, err := os.ReadFile(w.j.File(f))
		w.must(err)
		if strings.Contains(string(b), "1050") || strings.Contains(f, "kiln") {
			t.Errorf("%s still has what was forgotten", f)
		}
		rest = rest || strings.HasSuffix(string(b), "the very end\n")
	}
	if !rest {
		t.Error("the rest of the file is gone")
	}
}

// J6, J7: a file of the program's own that is over 4 MB is not taken for an edited one, and
// what follows goes into it.
func TestAttackHugeDay(t *testing.T) {
	noRace(t)
	w := newWorld(t, morning)
	s := w.session()
	for range 24 {
		w.say(s, strings.Repeat("I wrote a line about porcelain.\n", 200<<10/32))
	}
	w.archive(nil)
	last := w.say(s, "The kiln is at 1050 degrees")
	w.archive(nil)
	w.in(last)
	if all := w.paths(); len(all) != 1 {
		t.Errorf("files %v: %+v", all, w.j.snapshot())
	}
}

// J7: editors write beside a file and rename: the change is found, their other files never,
// and a moment without the file is no removal.
func TestAttackEditors(t *testing.T) {
	w, id, p := kiln(t)
	dir, base := filepath.Dir(w.j.File(p)), filepath.Base(p)
	edited := strings.Replace(w.read(p), "1050 degrees", "1080 degrees, measured by pyrometer", 1)
	for _, name := range []string{"4913", "." + base + ".swp", base + "~", ".goutputstream-AB12CD", "#" + base + "#", base + ".tmp", base + ".12345"} {
		w.must(os.WriteFile(filepath.Join(dir, name), []byte("zeppelin of an editor"), 0o600))
	}
	w.must(os.Symlink("user@host.1234:1600000000", filepath.Join(dir, ".#"+base)))
	if got := w.find("zeppelin editor"); len(got) != 0 {
		t.Errorf("found %q", got)
	}
	w.must(os.Rename(w.j.File(p), w.j.File(p)+"~")) // as vim does
	w.find("kiln degrees")                          // in this very moment
	w.archive(nil)
	w.write(p, edited)
	if got := w.find("kiln pyrometer"); !has(got, "1080") {
		t.Errorf("found %q", got)
	}
	w.archive(nil)
	w.wantIn(p, id)
}

// J7: a change of the same size and time is picked up.
func TestAttackSameSizeAndTime(t *testing.T) {
	w := newWorld(t, morning)
	w.fill()
	w.on(morning, "We met Bernard")
	w.archive(nil)
	w.write(LongTerm, "My sister lives in Bonn.\n\nBernard was in Bern in June.\n")
	w.paths()
	info, err := os.Stat(w.j.File(LongTerm))
	w.must(err)
	w.write(LongTerm, "My sister lives in Bern.\n\nBernard was in Bern in June.\n")
	w.must(os.Chtimes(w.j.File(LongTerm), info.ModTime(), info.ModTime()))
	if got := w.find("sister bern"); !has(got, "sister lives in Bern") {
		t.Errorf("found %q", got)
	}
	if got := w.find("bonn"); has(got, "Bern") {
		t.Errorf("by the word that is gone: %q", got)
	}
}

// J7: while an editor saves again and again what the program writes too, his last version is kept,
// and each message is found once.
func TestAttackSavesDuringWrites(t *testing.T) {
	w := newWorld(t, morning)
	s := w.session()
	ids := []string{w.say(s, "The kiln is at 1050 degrees")}
	w.archive(nil)
	p := w.one()
	opened := w.read(p)
	stop, ended := make(chan struct{}), make(chan string)
	go func() {
		last := ""
		for n := 0; ; n++ {
			select {
			case <-stop:
				ended <- last
				return
			default:
			}
			last = opened + fmt.Sprintf("\nMy version %d.\n", n)
			tmp := w.j.File(p) + "~"
			if os.WriteFile(tmp, []byte(last), 0o600) != nil || os.Rename(tmp, w.j.File(p)) != nil {
				last = "no file"
			}
		}
	}()
	for n := range 12 {
		w.now = w.now.Add(time.Minute)
		ids = append(ids, w.say(s, fmt.Sprintf("Firing number %d is done", n)))
		w.archive(nil)
	}
	close(stop)
	last := <-ended
	w.archive(nil)
	kept := false
	for _, f := range w.paths() {
		kept = kept || w.read(f) == last
	}
	if !kept {
		t.Errorf("the last version is in none of %v", w.paths())
	}
	for _, id := range ids {
		w.in(id)
	}
	w.wantHistory()
}

package journal

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

const (
	childDir  = "MEMORIA_JOURNAL_CHILD"
	childStep = "MEMORIA_JOURNAL_STEP"

	crashDays    = 9
	crashPerDay  = 40
	crashSession = 10     // messages of a session
	crashEvery   = 25     // messages between two archivings
	crashWithin  = 20_000 // microseconds; an archiving takes about as long
)

// The steps of a child's life; each may be begun again as often as it is killed. The others
// are numbers of days after the first message, at which it archives what has become old.
const (
	stepSay    = "say"    // messages on nine days, and copies of them
	stepForget = "forget" // some messages are not for memory any more, others are deleted
)

// On the first days each a day is summarised, then two months are.
var crashSteps = strings.Fields(stepSay + " 9 10 11 12 13 14 16 33 64 " + stepForget)

// crashTime is when message n is said: from 27 January to 4 February.
func crashTime(n int) time.Time {
	return time.Date(2026, 1, 27, 8, 0, 0, 0, time.UTC).AddDate(0, 0, n/crashPerDay).Add(time.Duration(n%crashPerDay) * 10 * time.Minute)
}

// crashDay is when a step that has a number is done.
func crashDay(t *testing.T, step string) time.Time {
	t.Helper()
	n, err := strconv.Atoi(step)
	if err != nil {
		t.Fatal(err)
	}
	return crashTime(0).AddDate(0, 0, n)
}

// crashWord is in message n and in no other.
func crashWord(n int) string { return fmt.Sprintf("w%dq", n) }

// everything is a summariser by the rule that each message is a line; it says when it is asked.
type everything struct{ asked func(Material) }

func (e everything) Summarise(_ context.Context, m Material) (Summary, error) {
	e.asked(m)
	s := Summary{By: "test-model"}
	for _, t := range m.Talks {
		for _, said := range t.Said {
			s.Lines = append(s.Lines, Line{About: t.Title, Text: said.Text, Record: said.ID})
		}
	}
	return s, nil
}

func crashWorld(t *testing.T, dir string) *world {
	w := &world{TB: t, now: crashTime(0), ids: memory.NewIDs(nil), cfg: DefaultConfig(), dir: dir, sizes: map[string]int{}, sync: true}
	w.open()
	return w
}

// said are the messages that are in the archive, in the order in which they were said.
func (w *world) said() (out []memory.Record) {
	w.Helper()
	w.must(w.st.View(func(tx *store.Tx) error {
		for r, err := range tx.AllRecords(luna) {
			if err != nil {
				return err
			}
			out = append(out, r)
		}
		return nil
	}))
	slices.SortFunc(out, func(a, b memory.Record) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// isForgotten reports whether message n is to be forgotten in the third step.
func isForgotten(n int) bool { return n%60 == 7 || n%60 == 33 }

// TestJournalChild is the program that TestKilled kills. It goes on where the one before it
// ended, and prints a line before and after each thing that it does.
func TestJournalChild(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		t.Skip("it is a part of TestKilled")
	}
	w := crashWorld(t, dir)
	model := everything{asked: func(m Material) { fmt.Println("ask", m.Date) }}
	archive := func() {
		fmt.Println("begin")
		fmt.Println("ran", len(w.archive(model).Files))
	}
	pending := 0
	w.must(w.st.View(func(tx *store.Tx) error {
		for _, e := range tx.Histories(luna) {
			if e.Archived == memory.ArchivedPending {
				pending++
			}
		}
		return nil
	}))
	fmt.Println("pending", pending)
	switch step := os.Getenv(childStep); step {
	case stepSay:
		w.run(nil) // it follows the feed from now on
		all := w.said()
		for n := len(all); n < crashDays*crashPerDay; n++ {
			w.now = crashTime(n)
			session := ""
			if n%crashSession == 0 {
				session = w.session()
			} else {
				session = all[n-1].SessionID
			}
			id := w.say(session, "I wrote "+crashWord(n)+" into the logbook of the kiln.")
			all = append(all, memory.Record{ID: id, SessionID: session})
			fmt.Println("said", id)
			if n%crashEvery == 0 {
				archive()
			}
		}
		archive()
	case stepForget:
		w.now = crashTime(0).AddDate(0, 0, 70)
		for _, r := range w.said() {
			n := 0
			if _, err := fmt.Sscanf(r.Content, "I wrote w%dq", &n); err != nil || !isForgotten(n) {
				continue
			}
			w.must(w.st.Update(func(tx *store.Tx) (err error) {
				if n%60 == 7 {
					_, err = tx.SetNotForMemory(luna, r.ID, true)
				} else {
					_, err = tx.Trash(luna, w.ids.New(w.now), nil, nil, r.ID)
				}
				return err
			}))
			fmt.Println("forgot", n)
			if n%120 < 60 {
				w.purge()
				archive()
			}
		}
		w.purge()
		archive()
	default:
		w.now = crashDay(t, step)
		archive()
	}
	w.shut()
	fmt.Println("done")
}

// crash begins a step and kills it at some moment after the n-th archiving began; 0 lets it
// finish. It reports whether the step was done, and how many messages were pending when it
// began.
func crash(t *testing.T, dir, step string, n int, after time.Duration) (done bool, pending int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^TestJournalChild$", "-test.timeout=120s")
	cmd.Env = append(os.Environ(), childDir+"="+dir, childStep+"="+step)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		said = append(said, lines.Text())
		switch what, rest, _ := strings.Cut(lines.Text(), " "); what {
		case "pending":
			_, _ = fmt.Sscan(rest, &pending)
		case "done":
			done = true
		case "begin":
			if n--; n == 0 {
				timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) // SIGKILL
				defer timer.Stop()
			}
		}
	}
	err = cmd.Wait()
	if stderr.Len() > 0 || !done && n != 0 || err != nil && cmd.ProcessState.Exited() {
		t.Fatalf("step %s ended by itself: %v %s\n%s", step, err, stderr.String(), strings.Join(said, "\n"))
	}
	return done, pending
}

// noRace skips a test in the run with the race detector.
func noRace(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one call after the other, slow under the race detector; other tests race the same code")
	}
}

// J5, K3, Q3, D2: a program that is killed again and again, at random moments,
// leaves every message in exactly one tier in the end, none pending, nothing twice, nothing
// half written, and no word of what was forgotten.
func TestKilled(t *testing.T) {
	noRace(t)
	const rounds = 3
	random := rand.New(rand.NewPCG(11, 2026))
	dir := t.TempDir()
	kills, hung := 0, 0
	for _, step := range crashSteps {
		of, last := rounds, 1
		if step == stepSay {
			of, last = 4*rounds, 3
		}
		for range of {
			done, pending := crash(t, dir, step, 1+random.IntN(last), time.Duration(random.IntN(crashWithin))*time.Microsecond)
			if pending > 0 {
				hung++
			}
			if done {
				break
			}
			kills++
		}
		if done, _ := crash(t, dir, step, 0, 0); !done {
			t.Fatalf("step %s was not done", step)
		}
		wantWhole(t, dir, step)
		if t.Failed() {
			t.Fatalf("after step %s", step)
		}
	}
	if kills < len(crashSteps)*rounds/2 {
		t.Errorf("only %d were killed: nothing was proven", kills)
	}
	t.Logf("%d kills; after %d of them messages were pending", kills, hung)
}

// wantWhole checks the journal of a child that has finished a step.
func wantWhole(t *testing.T, dir, step string) {
	t.Helper()
	w := crashWorld(t, dir)
	defer w.shut()
	switch step {
	case stepSay:
		w.now = crashTime(crashDays*crashPerDay - 1)
	case stepForget:
		w.now = crashTime(0).AddDate(0, 0, 70)
	default:
		w.now = crashDay(t, step)
	}
	w.paths()
	w.wantHistory()
	forgot := step == stepForget
	tiers, waits := w.tiers(), 0
	visible := map[string]bool{}
	all := w.said()
	for _, r := range all {
		in := tiers[r.ID]
		if r.NotForMemory {
			if len(in) > 0 {
				t.Errorf("%s is not for memory and in %v", r.ID, in)
			}
			continue
		}
		if waits++; len(in) != 1 {
			t.Errorf("message %s is in %v", r.ID, in)
		}
		for _, p := range in {
			visible[p] = true
		}
	}
	if len(tiers) != waits {
		t.Errorf("%d messages are in the journal, %d belong there", len(tiers), waits)
	}
	want := crashDays * crashPerDay
	if forgot {
		want -= crashDays * crashPerDay / 60
	}
	if len(all) != want {
		t.Errorf("the archive has %d messages, want %d", len(all), want)
	}
	var words strings.Builder
	w.must(filepath.WalkDir(w.j.Dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !strings.HasSuffix(p, extension) {
			t.Errorf("%s was left over", p)
		}
		b, err := os.ReadFile(p)
		if forgot {
			for n := range crashDays * crashPerDay {
				if isForgotten(n) && bytes.Contains(b, []byte(crashWord(n)+" ")) {
					t.Errorf("%s still has %s", p, crashWord(n))
				}
			}
		}
		if rel, e := filepath.Rel(w.j.Dir, p); e == nil && visible[filepath.ToSlash(rel)] {
			words.Write(b)
		}
		return err
	}))
	for n := range crashDays * crashPerDay { // forgotten messages leave summaries by rules, which omit words
		times := strings.Count(words.String(), " "+crashWord(n)+" ")
		if times > 1 || times == 0 && !forgot {
			t.Errorf("after %s message %d stands %d times in the files that are searched", step, n, times)
		}
	}
}

package manager_test

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
)

// What the labelled dialogues have to reach (Q4).
const (
	minHits    = 0.95
	minLookups = 0.90
	maxMisuse  = 0
)

// dialogue is one case of testdata/dialogues.*.txt.
type dialogue struct {
	name              string
	line              int
	out               bool // held out
	says              []string
	active, held      []string // expected
	never             []string
	needsModel, finds [][2]string
}

func readDialogues(t *testing.T, file string) (out []dialogue) {
	t.Helper()
	f := must(os.Open(file))(t)
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		mark, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		if mark == "" || mark == "#" || len(out) == 0 && !strings.HasPrefix(mark, "==") {
			continue
		}
		var d *dialogue
		if len(out) > 0 {
			d = &out[len(out)-1]
		}
		pair := func() [2]string {
			ask, want, ok := strings.Cut(rest, " => ")
			if !ok {
				t.Fatalf("%s:%d: no =>", file, n)
			}
			return [2]string{ask, want}
		}
		switch mark {
		case "==", "==*":
			out = append(out, dialogue{name: rest, line: n, out: mark == "==*"})
		case ">":
			d.says = append(d.says, rest)
		case "+":
			d.active = append(d.active, rest)
		case "~":
			d.held = append(d.held, rest)
		case "-":
			d.never = append(d.never, rest)
		case "?":
			d.needsModel = append(d.needsModel, pair())
		case "@":
			d.finds = append(d.finds, pair())
		default:
			t.Fatalf("%s:%d: %q is no mark", file, n, mark)
		}
	}
	return out
}

// has reports whether a text has all of the words wanted.
func has(said, want string) bool {
	said = text.Fold(said)
	for _, w := range strings.Fields(want) {
		w, absent := strings.CutPrefix(w, "!")
		one := slices.ContainsFunc(strings.Split(w, "|"), func(w string) bool { return strings.Contains(said, text.Fold(strings.ReplaceAll(w, "_", " "))) })
		if one == absent {
			return false
		}
	}
	return true
}

// tally is what came of some dialogues.
type tally struct {
	hits, wanted   int // what should be remembered
	misuse, chance int // what must not be, of all that is stored or forbidden
	found, looks   int // what should be found when asked for
	faults         []string
}

func (a *tally) add(b tally) {
	a.hits, a.wanted, a.misuse, a.chance = a.hits+b.hits, a.wanted+b.wanted, a.misuse+b.misuse, a.chance+b.chance
	a.found, a.looks, a.faults = a.found+b.found, a.looks+b.looks, append(a.faults, b.faults...)
}

func (a tally) String() string {
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
	return fmt.Sprintf("hit %.1f %% (%d of %d), misuse %.1f %% (%d of %d), look-up %.1f %% (%d of %d)",
		share(a.hits, a.wanted), a.hits, a.wanted, share(a.misuse, a.chance), a.misuse, a.chance, share(a.found, a.looks), a.found, a.looks)
}

// try has a dialogue take place and looks at what it left.
func (d dialogue) try(t *testing.T) (sum tally) {
	m := must(manager.Open(t.Context(), manager.Options{Dir: t.TempDir(), Config: write.DefaultConfig(), Now: newClock().Now, NoSync: true}))(t)
	defer m.Close()
	session := ""
	for _, words := range d.says {
		turn, _ := say(t, m, luna, session, words)
		session = turn.Session.ID
	}
	fault := func(format string, args ...any) {
		sum.faults = append(sum.faults, fmt.Sprintf("line %d, %s: ", d.line, d.name)+fmt.Sprintf(format, args...))
	}
	bad := func(format string, args ...any) { sum.misuse++; fault("misuse: "+format, args...) }

	var active, held []string
	for _, it := range must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{}))(t).Items {
		if it.State == memory.StateHeld {
			held = append(held, it.Content)
		} else {
			active = append(active, it.Content)
		}
	}
	for _, kind := range []struct{ stored, want []string }{{active, d.active}, {held, d.held}} {
		left := slices.Clone(kind.stored)
		sum.chance += len(left)
		for _, w := range kind.want {
			sum.wanted++
			i := slices.IndexFunc(left, func(s string) bool { return has(s, w) })
			if i < 0 {
				fault("missing: %s; there is %q", w, kind.stored)
				continue
			}
			sum.hits++
			left = slices.Delete(left, i, i+1)
		}
		for _, s := range left {
			bad("stored %q", s)
		}
	}
	for _, ask := range d.needsModel {
		sum.looks++
		got := contents(recalled(t, m, luna, ask[0]))
		if slices.ContainsFunc(got, func(s string) bool { return has(s, ask[1]) }) {
			sum.found++
		} else {
			fault("%q recalls %q", ask[0], got)
		}
		active = append(active, got...)
	}
	for _, w := range d.never {
		sum.chance++
		if i := slices.IndexFunc(active, func(s string) bool { return has(s, w) }); i >= 0 {
			bad("%q is in force", active[i])
		}
	}
	for _, find := range d.finds {
		sum.looks++
		hits := must(m.Recall().RetrieveArchive(t.Context(), luna, recall.ArchiveQuery{Text: find[0]}))(t)
		if slices.ContainsFunc(hits, func(h recall.ArchiveHit) bool { return has(h.Record.Content, find[1]) }) {
			sum.found++
		} else {
			fault("%q finds nothing in the archive", find[0])
		}
	}
	return sum
}

// Q4, P2, P3, P4, P5, P6: the labelled dialogues, by rules alone, through the
// whole way of a message. Print the figures with -v.
func TestLabelledDialogues(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures rules, which have no races")
	}
	for _, language := range []string{"en", "zh"} {
		t.Run(language, func(t *testing.T) {
			all := readDialogues(t, "testdata/dialogues."+language+".txt")
			var known, out tally
			n := 0
			for _, d := range all {
				if d.out {
					n++
					out.add(d.try(t))
				} else {
					known.add(d.try(t))
				}
			}
			sum := known
			sum.add(out)
			t.Logf("%s, %d dialogues: %s", language, len(all), sum)
			t.Logf("%s, held out %d: %s", language, n, out)
			for _, f := range known.faults {
				t.Log(f)
			}
			for _, f := range out.faults {
				t.Log("held out: " + f)
			}
			if len(all) < 60 || 3*n < len(all) {
				t.Errorf("%d dialogues, %d of them held out", len(all), n)
			}
			short := func(n int, least float64, of int) bool { return float64(n) < least*float64(of) }
			if short(sum.hits, minHits, sum.wanted) || short(sum.found, minLookups, sum.looks) || sum.misuse > maxMisuse {
				t.Errorf("want hits of %.0f %%, look-ups of %.0f %% and no misuse: %s", 100*minHits, 100*minLookups, sum)
			}
		})
	}
}

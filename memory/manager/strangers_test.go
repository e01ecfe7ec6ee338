package manager_test

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
)

// strangersStart is when the first message of a case of testdata/strangers.*.txt is said.
var strangersStart = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// story is one case of testdata/strangers.*.txt: what is said and asked, in order.
type story struct {
	name  string
	out   bool // held out
	steps []step
}

// step is a line of a case: a mark, its text, and what is wanted of it.
type step struct {
	line             int
	mark, text, want string
}

func readStories(t *testing.T, file string) (out []story) {
	t.Helper()
	f := must(os.Open(file))(t)
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		mark, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		s := step{line: n, mark: mark, text: strings.TrimSpace(rest)}
		switch mark {
		case "", "#":
			continue
		case "==", "==*":
			out = append(out, story{name: s.text, out: mark == "==*"})
			continue
		case "?", "x":
			var ok bool
			if s.text, s.want, ok = strings.Cut(s.text, " => "); !ok {
				t.Fatalf("%s:%d: no =>", file, n)
			}
		case ">", ".", "+", "-":
		default:
			t.Fatalf("%s:%d: %q is no mark", file, n, mark)
		}
		out[len(out)-1].steps = append(out[len(out)-1].steps, s)
	}
	return out
}

// pause reads a length of time such as 12d or 3h.
func pause(t *testing.T, s step) time.Duration {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimRight(s.text, "dh"))
	if err != nil {
		t.Fatalf("line %d: %v", s.line, err)
	}
	if strings.HasSuffix(s.text, "d") {
		return time.Duration(n) * 24 * time.Hour
	}
	return time.Duration(n) * time.Hour
}

// play has a case take place. It counts the lines that hold by mark, and describes the others.
func (s story) play(t *testing.T, right, of map[string]int) (faults []string) {
	t.Helper()
	c := &clock{now: strangersStart}
	cfg := write.DefaultConfig()
	cfg.Analysis = write.AnalysisRules
	m := must(manager.Open(t.Context(), manager.Options{Dir: t.TempDir(), Config: cfg, Now: c.Now, NoSync: true}))(t)
	defer m.Close()
	active := func() (out []string) {
		for _, it := range must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{}))(t).Items {
			if it.State == memory.StateActive {
				out = append(out, it.Content)
			}
		}
		return out
	}
	session := ""
	for _, st := range s.steps {
		var got []string
		want := true
		switch st.mark {
		case ">":
			turn, _ := say(t, m, luna, session, st.text)
			session = turn.Session.ID
			c.Add(time.Minute)
			continue
		case ".":
			c.Add(pause(t, st))
			session = ""
			continue
		case "+", "-":
			got, want, st.want = active(), st.mark == "+", st.text
		case "?", "x":
			got, want = contents(recalled(t, m, luna, st.text)), st.mark == "?"
		}
		of[st.mark]++
		if slices.ContainsFunc(got, func(g string) bool { return has(g, st.want) }) == want {
			right[st.mark]++
		} else {
			faults = append(faults, fmt.Sprintf("line %d, %s: %s %s => %s; there is %q", st.line, s.name, st.mark, st.text, st.want, got))
		}
	}
	return faults
}

// P4, P9a, U3, R1: what strangers told, corrected, ended and asked, by rules alone. Writers
// who had only the specification wrote the cases; rules are mended for those that are not
// held out. Print the figures with -v.
func TestStrangers(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures rules, which have no races")
	}
	for _, language := range []string{"en", "zh"} {
		t.Run(language, func(t *testing.T) {
			stories := readStories(t, "testdata/strangers."+language+".txt")
			for _, part := range []struct {
				name string
				out  bool
			}{{"known", false}, {"held out", true}} {
				right, of, n := map[string]int{}, map[string]int{}, 0
				for _, s := range stories {
					if s.out != part.out {
						continue
					}
					n++
					for _, f := range s.play(t, right, of) {
						if !s.out {
							t.Log(f)
						}
					}
				}
				sum, all := 0, 0
				for _, mark := range []string{"+", "-", "?", "x"} {
					sum, all = sum+right[mark], all+of[mark]
					t.Logf("%s, %s: %s %d of %d", language, part.name, mark, right[mark], of[mark])
				}
				t.Logf("%s, %s: %d cases, %.1f %% (%d of %d)", language, part.name, n, 100*float64(sum)/float64(all), sum, all)
			}
		})
	}
}

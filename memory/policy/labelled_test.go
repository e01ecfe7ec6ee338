package policy_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/policy"
)

// labelled is one line of testdata/statements.*.tsv.
type labelled struct {
	line     int
	store    bool
	typ, key string // empty: not judged
	sentence string
	heldOut  bool // the rules were not tuned on it
}

func readLabelled(t *testing.T, name string) []labelled {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []labelled
	heldOut := false
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		line := sc.Text()
		if strings.HasPrefix(line, "#") {
			heldOut = heldOut || strings.Contains(line, "held out")
			continue
		}
		col := strings.Split(line, "\t")
		if len(col) != 4 || col[0] != "store" && col[0] != "none" {
			t.Fatalf("%s:%d: want label, type, key, sentence", name, n)
		}
		out = append(out, labelled{
			line: n, store: col[0] == "store", typ: col[1], key: strings.ReplaceAll(col[2], "~", "|"),
			sentence: strings.ReplaceAll(col[3], `\n`, "\n"), heldOut: heldOut,
		})
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// score counts statements: right ones stored, wrong ones stored, right ones missed.
type score struct{ right, wrong, missed int }

func (s score) precision() float64 { return ratio(s.right, s.right+s.wrong) }
func (s score) recall() float64    { return ratio(s.right, s.right+s.missed) }
func (s score) String() string {
	return fmt.Sprintf("precision %.3f recall %.3f (%d right, %d wrong, %d missed)",
		s.precision(), s.recall(), s.right, s.wrong, s.missed)
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// TestLabelledStatements measures the rules on sentences labelled by hand (P2, P3, P6). A sentence counts as
// right when something of the labelled type and key would be written, as wrong when something is written that
// should not be, or with another type or key.
//
//	go test ./memory/policy -run Labelled -v
func TestLabelledStatements(t *testing.T) {
	noRace(t)
	for _, name := range []string{"statements.en.tsv", "statements.zh.tsv"} {
		t.Run(name, func(t *testing.T) {
			set := readLabelled(t, name)
			if len(set) < 200 {
				t.Fatalf("%d sentences, want at least 200", len(set))
			}
			var all, held score
			p := policy.New(policy.Default())
			for _, l := range set {
				s := judge(t, p, l)
				all = score{all.right + s.right, all.wrong + s.wrong, all.missed + s.missed}
				if l.heldOut {
					held = score{held.right + s.right, held.wrong + s.wrong, held.missed + s.missed}
				}
			}
			fmt.Printf("%s: %d sentences: %v; held out: %v\n", name, len(set), all, held)
			if all.precision() < 0.95 || held.precision() < 0.95 {
				t.Errorf("precision %.3f, held out %.3f, want at least 0.95", all.precision(), held.precision())
			}
			if all.recall() < 0.85 {
				t.Errorf("recall %.3f, want at least 0.85", all.recall())
			}
		})
	}
}

func judge(t *testing.T, p *policy.Policy, l labelled) score {
	var kept []policy.Candidate
	for _, c := range p.Extract(l.sentence) {
		if a := p.Admit(c, memory.TrustUser); a.Verdict != policy.Dropped {
			kept = append(kept, a.Candidate)
		}
	}
	var got []string
	for _, c := range kept {
		got = append(got, fmt.Sprintf("%s %s %q by %s", c.Type, c.Key, c.Content, c.Rule))
		if l.store && (l.typ == "" || string(c.Type) == l.typ) && (l.key == "" || c.Key == l.key) {
			return score{right: 1}
		}
	}
	switch {
	case l.store && len(kept) == 0:
		t.Logf("line %d missed: %s", l.line, l.sentence)
		return score{missed: 1}
	case l.store:
		t.Logf("line %d wrong: %s: want %s %s, got %s", l.line, l.sentence, l.typ, l.key, strings.Join(got, "; "))
		return score{wrong: 1, missed: 1}
	case len(kept) > 0:
		t.Logf("line %d should store nothing: %s: got %s", l.line, l.sentence, strings.Join(got, "; "))
		return score{wrong: 1}
	}
	return score{}
}

// noRace skips a test of many texts in one goroutine under -short, which the race
// detector runs with: it makes them slow and finds nothing in them.
func noRace(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it measures rules, which have no races")
	}
}

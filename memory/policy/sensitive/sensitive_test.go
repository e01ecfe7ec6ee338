package sensitive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"memoria/memory/policy/sensitive"
)

// sentence is one line of testdata: the class that it belongs to, empty for none.
type sentence struct{ class, text string }

func readSentences(t *testing.T, name string) (out []sentence) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		class, text, ok := strings.Cut(line, " | ")
		if !ok {
			t.Fatalf("%s: want class | sentence, got %q", name, line)
		}
		out = append(out, sentence{strings.TrimPrefix(class, "-"), text})
	}
	return out
}

// P5a: what the table finds, measured on sentences that were written before it.
//
// The later files were written after it, with its words in mind and mostly beside them; their figures are only reported.
//
//	go test ./memory/policy/sensitive -run Sentences -v
func TestSentences(t *testing.T) {
	for _, name := range []string{"en.txt", "zh.txt", "later.en.txt", "later.zh.txt"} {
		t.Run(name, func(t *testing.T) {
			right, wrong, missed, classed := 0, 0, 0, 0
			for _, s := range readSentences(t, name) {
				found := sensitive.Find(s.text)
				got := len(found) > 0
				switch {
				case got && s.class != "":
					right++
					if found[0].Class == s.class {
						classed++
					} else {
						t.Logf("%s, not %s: %s", found[0].Class, s.class, s.text)
					}
				case got:
					wrong++
					t.Logf("not sensitive: %s", s.text)
				case s.class != "":
					missed++
					t.Logf("missed %s: %s", s.class, s.text)
				}
			}
			precision, recall := float64(right)/float64(max(right+wrong, 1)), float64(right)/float64(max(right+missed, 1))
			fmt.Printf("%s: precision %.3f recall %.3f (%d right, %d of them in the right class, %d wrong, %d missed)\n",
				name, precision, recall, right, classed, wrong, missed)
			if strings.HasPrefix(name, "later") {
				return
			}
			if precision < 0.95 || recall < 0.95 {
				t.Errorf("precision %.3f, recall %.3f, want at least 0.95", precision, recall)
			}
		})
	}
}

// P5a: matches are where the words are; the rest of the clause is told apart.
func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		"I was born on 3 May, in Ghent":     "birthday: born on 3 May",
		"我有糖尿病，喜欢喝茶":                        "health: 有糖尿病",
		"我有糖尿病。我是回族":                        "health: 有糖尿病 | ethnic origin: 回族",
		"Has Type 2 DIABETES now":           "health: DIABETES now",
		"我懷孕了":                              "pregnancy: 懷孕了",
		"passport AB1234567, allergic nuts": "identity document: AB1234567",
		"12 of the road map":                "",
		"I'm allergic to peanuts":           "",
		"":                                  "",
	} {
		var got []string
		for _, m := range sensitive.Find(text) {
			got = append(got, m.Class+": "+text[m.Offset:m.Offset+m.Length+m.Rest])
		}
		if s := strings.Join(got, " | "); s != want {
			t.Errorf("Find(%q) = %q, want %q", text, s, want)
		}
	}
}

// The files stay readable: no line is wider than a screen.
func TestWidth(t *testing.T) {
	names, err := filepath.Glob("data/*.txt")
	if err != nil || len(names) != 3 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range strings.Lines(string(b)) {
			if n++; utf8.RuneCountInString(line) > 140 {
				t.Errorf("%s:%d has %d characters", name, n, utf8.RuneCountInString(line))
			}
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"I have diabetes", "born on \xff", "我是回族", "a@b.cc +1 (2) 3456789", "12 of the road", "@a #1234 u/x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, m := range sensitive.Find(s) {
			if m.Offset < end || m.Length <= 0 || m.Rest < 0 || m.Offset+m.Length+m.Rest > len(s) {
				t.Fatalf("%q: %+v after %d", s, m, end)
			}
			end = m.Offset + m.Length
		}
	})
}

func BenchmarkFind(b *testing.B) {
	s := strings.Repeat("Every Thursday I go to the market with my sister, then we cook 晚饭 together. ", 8)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		sensitive.Find(s)
	}
}

package judge

import (
	"slices"
	"strings"
	"testing"

	"memoria/index/text"
)

// The tables are read as they are meant: no class without a name, no phrase that
// could never be found.
func TestTables(t *testing.T) {
	seen := map[class]int{}
	for first, list := range cueList().english {
		for _, q := range list {
			seen[q.class]++
			if q.class == 0 || len(q.tokens) == 0 || q.tokens[0] != first || slices.Contains(q.tokens, "") {
				t.Errorf("phrase %+v", q)
			}
		}
	}
	for first, list := range cueList().chinese {
		for _, q := range list {
			seen[q.class]++
			if q.class == 0 || []rune(q.tokens[0])[0] != first || text.Fold(q.tokens[0]) != q.tokens[0] {
				t.Errorf("phrase %+v", q)
			}
		}
	}
	for name, c := range classNames {
		if seen[c] == 0 {
			t.Errorf("no phrases of class %s", name)
		}
	}
	for word, fields := range fieldIndex() {
		if len(fields) == 0 || !slices.IsSorted(fields) {
			t.Errorf("%s has fields %v", word, fields)
		}
	}
	if n := len(fieldIndex()); n < 2000 || len(thin()) < 200 {
		t.Errorf("%d words of fields, %d thin ones", n, len(thin()))
	}
}

func TestPieces(t *testing.T) {
	for s, want := range map[string]string{
		"":                              "",
		"Hi! How are you? Fine":         "Hi|How are you|Fine",
		"版本 3.14，端口 10:30。好吗？":          "版本 3.14|端口 10:30|好吗",
		"see main.go:12, then node.js.": "see main.go:12|then node.js",
		"…？？":                           "",
		"so , what ?!":                  "so|what",
		"a\nb":                          "a|b",
	} {
		got := ""
		for i, p := range pieces(s) {
			if i > 0 {
				got += "|"
			}
			got += strings.TrimSpace(p.text)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// What the rules see in a message.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		s    string
		is   func(said) bool
		what string
	}{
		{"it stops after ten files", func(m said) bool { return m.deep }, "points back"},
		{"that one fails", func(m said) bool { return m.deep }, "points back"},
		{"I heard that vaccines work", func(m said) bool { return !m.deep }, "does not point back"},
		{"Vaccines work because they train the body", func(m said) bool { return !m.deep }, "points at its own words"},
		{"张惠妹这个人你知道吗", func(m said) bool { return !m.deep }, "points at its own words"},
		{"这首歌你听过吗", func(m said) bool { return m.deep }, "points back"},
		{"fix this: abc", func(m said) bool { return !m.deep && m.cues&edit == 0 && m.cues&open != 0 }, "points ahead"},
		{"Add a chapter", func(m said) bool { return m.cues&edit == 0 && m.cues&open != 0 }, "makes something"},
		{"Add the chapter", func(m said) bool { return m.cues&edit != 0 && m.definite }, "changes something"},
		{"Convert 70 fahrenheit to celsius", func(m said) bool { return m.cues&edit == 0 }, "changes nothing that is there"},
		{"Use tabs", func(m said) bool { return m.cues&edit != 0 }, "changes something"},
		{"and for Windows?", func(m said) bool { return m.clauses[0].fragment }, "is a fragment"},
		{"那 Windows 呢", func(m said) bool { return m.clauses[0].fragment }, "is a fragment"},
		{"Can I use rye?", func(m said) bool { return !m.clauses[0].fragment && m.clauses[0].asks }, "is a question"},
		{"What do you mean", func(m said) bool { asks, _ := m.asks(); return asks }, "is a question"},
		{"你知道它在哪", func(m said) bool { asks, _ := m.asks(); return asks }, "is a question"},
		{"Is it ripe? I bought it today.", func(m said) bool { asks, _ := m.asks(); return asks }, "asks before its end"},
		{"It shows what matters.", func(m said) bool { asks, _ := m.asks(); return !asks }, "is a statement"},
		{"Anything else I can do?", func(m said) bool { asks, offers := m.asks(); return !asks && offers }, "offers help"},
		{"Thank you very much", func(m said) bool { return m.clauses[0].bare && m.weight == 0 }, "is thanks alone"},
		{"《城南旧事》看过吗", func(m said) bool { return m.words[0].name }, "begins with a title"},
		{"look at worker.go", func(m said) bool { return m.words[len(m.words)-1].name }, "ends with a name"},
	} {
		if m := newReader().read(c.s); !c.is(m) {
			t.Errorf("%q: not seen that it %s: %+v", c.s, c.what, m)
		}
	}
}

package plain

import (
	"strings"
	"testing"
	"unicode"

	"memoria/ui/clean"
)

// pieces feeds an answer n bytes at a time and returns what is said, piece by
// piece.
func pieces(text string, n int) (out []string) {
	var a answer
	add := func(s string) {
		if s != "" {
			out = append(out, s)
		}
	}
	for len(text) > n {
		add(a.add(text[:n]))
		text = text[n:]
	}
	add(a.add(text))
	add(a.end())
	return out
}

// An answer is said in whole sentences and lines, however it arrives.
func TestSentences(t *testing.T) {
	text := "One. Two is 3.14 (really!) \"yes.\" Four\n\n- five: six\n很好。再见！然后\n```\na.b(c); d\n```"
	want := []string{"One. ", "Two is 3.14 (really!) ", "\"yes.\" ", "Four", "\n", "\n- five: ", "six", "\n很好。", "再见！",
		"然后", "\n```", "\na.b(c); ", "d", "\n```"}
	got := pieces(text, 1)
	if strings.Join(got, "") != text {
		t.Fatalf("said %q", strings.Join(got, ""))
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("said\n%q, want\n%q", got, want)
	}
}

// Whatever arrives, in whatever pieces: together it is the text, cleaned, and no
// piece ends in the middle of a word unless the text has no end to wait for.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{"One. Two.", "很好。再见", "\x1b]0;x\x07.\u202e x", "a\r\nb\r", strings.Repeat("x", 2*maxHeld),
		"e\u0301. \xe4\xb8", "\n\n a \n"} {
		f.Add(s, uint8(1))
		f.Add(s, uint8(7))
	}
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		want, _ := clean.Text(text)
		want = strings.TrimLeft(strings.TrimRightFunc(want, unicode.IsSpace), "\n")
		got := pieces(text, int(n%50)+1)
		if said := strings.Join(got, ""); strings.TrimRightFunc(said, unicode.IsSpace) != want {
			t.Fatalf("said %q, want %q", said, want)
		}
		for i, p := range got[:max(0, len(got)-1)] {
			next, last := got[i+1], []rune(p)[len([]rune(p))-1]
			if len(p) < maxHeld/2 && next[0] != '\n' && last != ' ' && !strings.ContainsRune("。！？；", last) {
				t.Fatalf("%q was said, and then %q", p, next)
			}
		}
	})
}

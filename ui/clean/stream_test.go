package clean_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"memoria/ui/clean"
)

// inPieces cleans the pieces as they come.
func inPieces(pieces ...string) string {
	var s clean.Stream
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(s.Add(p))
	}
	b.WriteString(s.End())
	return b.String()
}

func TestStreamOverTheBorderOfPieces(t *testing.T) {
	for want, pieces := range map[string][]string{
		"a\nb":                            {"a\r", "\nb"},
		"a\n\nb":                          {"a\r", "\rb"},
		"a\n":                             {"a\r"},
		"e\u0301":                         {"e", "\u0301"},
		"中":                               {"\xe4", "\xb8", "\xad"},
		"\ufffd":                          {"\xf0"},
		"🇨🇳":                              {"🇨", "🇳"},
		"C":                               {"🇨"},
		"한글":                              {"\u1112", "\u1161", "\u11ab\u1100", "\u1173\u11af"},
		"می\u200cخ":                       {"می\u200c", "خ"},
		"می":                              {"می\u200c"},
		"👍":                               {"👍", "🏽"},
		"␛[31m":                           {"\x1b", "[31m"},
		"z" + strings.Repeat("\u0310", 6): {"z" + strings.Repeat("\u0310", 4), strings.Repeat("\u0310", 4)},
	} {
		if got := inPieces(pieces...); got != want {
			t.Errorf("%+q in pieces is %+q, want %+q", pieces, got, want)
		}
	}
}

// What is plain is shown as it comes.
func TestStreamKeepsNothingPlainBack(t *testing.T) {
	var s clean.Stream
	for _, p := range []string{"Hello", " wörld", ",\n", "你好", "。"} {
		if got := s.Add(p); got != p {
			t.Errorf("Add(%q) = %q", p, got)
		}
	}
	if got := s.End(); got != "" {
		t.Errorf("End() = %q", got)
	}
	if got := s.Add("\u0301"); got != "◌\u0301" {
		t.Errorf("after its end a stream begins with %+q", got)
	}
}

// Any cut of a text into pieces, also within a character, is the same as the whole.
func TestStreamEqualsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(nastyText(), rapid.String()).Draw(t, "text")
		var pieces []string
		for rest := text; rest != ""; {
			n := min(rapid.IntRange(0, 6).Draw(t, "length"), len(rest))
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		want, _ := clean.Text(text)
		if got := inPieces(pieces...); got != want {
			t.Fatalf("%+q is %+q, whole it is %+q", pieces, got, want)
		}
	})
}

func FuzzStream(f *testing.F) {
	for _, s := range nasty {
		f.Add(s+s, len(s))
	}
	f.Fuzz(func(t *testing.T, text string, cut int) {
		cut = min(max(cut, 0), len(text))
		want, _ := clean.Text(text)
		if got := inPieces(text[:cut], text[cut:]); got != want {
			t.Fatalf("%+q and %+q is %+q, whole it is %+q", text[:cut], text[cut:], got, want)
		}
		if got := inPieces(strings.SplitAfter(text, "")...); got != want {
			t.Fatalf("%+q by characters is %+q, whole it is %+q", text, got, want)
		}
	})
}

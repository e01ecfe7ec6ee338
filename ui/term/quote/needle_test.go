package quote

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"memoria/ui/term/cells"
	"memoria/ui/term/theme"
)

func marked(query, s string) string {
	var b strings.Builder
	at := 0
	for _, f := range New(query).find(s) {
		b.WriteString(s[at:f.from] + "[" + s[f.from:f.to] + "]")
		at = f.to
	}
	return b.String() + s[at:]
}

func TestMarks(t *testing.T) {
	for _, tt := range []struct{ query, text, want string }{
		{"pnpm", "use pnpm, not npm", "use [pnpm], not npm"},
		{"deploy", "Deployed it; deploying, redeploy", "[Deployed] it; [deploying], redeploy"},
		{"Pyth", "I write Python", "I write [Python]"},
		{"CAFE", "the café", "the [café]"},
		{"代码", "我喜欢用 Python 写代码", "我喜欢用 Python 写[代码]"},
		{"部署脚本", "脚本在哪里？部署脚本！", "[脚本]在哪里？[部署脚本]！"},
		{"臺灣", "我在台湾", "我在[台湾]"},
		{"ＡＰＩ", "the API", "the [API]"},
		{"the", "the cat", "[the] cat"},
		{"the deploy", "the deploy", "the [deploy]"},
		{"", "anything", "anything"},
		{"x", "", ""},
		{"1000", "1,000 times", "[1,000] times"},
	} {
		if got := marked(tt.query, tt.text); got != tt.want {
			t.Errorf("%q in %q: %q, want %q", tt.query, tt.text, got, tt.want)
		}
	}
}

// Places lie in the text, in order, apart from each other, whatever it is.
func TestMarksLieInTheText(t *testing.T) {
	piece := rapid.SampledFrom([]string{"部署", "脚本", "deploy", " ", "é", "e\u0301", "ﬁ", "臺", "\x1b", "\u202e", "\xff", "ｶﾞ", "한국어", "!"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "text"), "")
		query := strings.Join(rapid.SliceOfN(piece, 0, 4).Draw(t, "query"), "")
		at := 0
		for _, f := range New(query).find(s) {
			if f.from < at || f.to <= f.from || f.to > len(s) {
				t.Fatalf("%q in %q: %v after %d", query, s, f, at)
			}
			at = f.to
		}
	})
}

// The words are in sight however long the text before them is.
func TestQuoteShowsTheWords(t *testing.T) {
	plain := theme.New(theme.None, true)
	long := strings.Repeat("很长的一句话。", 40) + " and then pnpm " + strings.Repeat("more of it ", 1000)
	for _, room := range []int{12, 20, 40, 100} {
		got := New("pnpm").Cut(long, room, plain)
		if !strings.Contains(got, "[pnpm]") || cells.Width(got) > room || !strings.HasPrefix(got, "…") {
			t.Errorf("in %d: %q", room, got)
		}
	}
	if got := New("pnpm").Cut(strings.Repeat("界", 3000), 10, plain); strings.Contains(got, "\ufffd") {
		t.Errorf("cut inside a rune: %q", got)
	}
	if got := New("pnpm").Cut("short and pnpm", 40, plain); got != "short and [pnpm]" {
		t.Errorf("got %q", got)
	}
	if got := New("pnpm").Cut("use pnpm now", 40, theme.New(theme.Dark, true)); !strings.Contains(got, "\x1b[7mpnpm\x1b[m") {
		t.Errorf("not marked: %q", got)
	}
}

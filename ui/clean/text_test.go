package clean_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/ui/clean"
	"memoria/ui/clean/oracle"
)

func TestTextShowsWhatHides(t *testing.T) {
	tests := []struct {
		name, in, want string
		hidden         int
	}{
		{"plain", "hello\tworld\n", "hello\tworld\n", 0},
		{"chinese", "部署脚本还用 pnpm 吗？", "部署脚本还用 pnpm 吗？", 0},
		{"carriage returns", "a\r\nb\rc\r\r\nd", "a\nb\nc\n\nd", 0},
		{"line separators", "a\u2028b\u2029c", "a\nb\nc", 0},
		{"colour", "\x1b[31mred\x1b[0m", "␛[31mred␛[0m", 2},
		{"clipboard", "\x1b]52;c;aGk=\x07", "␛]52;c;aGk=␇", 2},
		{"c0 and delete", "a\x00b\x08c\x7f\x0b", "a␀b␈c␡␋", 4},
		{"c1", "a\u009b31mb\u0085", "a\ufffd31mb\ufffd", 2},
		{"not utf-8", "a\xff\xfeb", "a\ufffd\ufffdb", 0},
		{"bidi", "\u202egpj.exe\u2066x\u200e", "‹RLO›gpj.exe‹LRI›x‹LRM›", 3},
		{"tags", "ok\U000e0049\U000e0067\U000e007f", "ok", 3},
		{"zero width", "a\u200bb\u2060c\ufeffd\u00ade\u206ff", "abcdef", 5},
		{"persian joiner", "می\u200cخواهم", "می\u200cخواهم", 0},
		{"joiner run", "می\u200c\u200d\u200cخ", "می\u200cخ", 2},
		{"joiner at the ends", "\u200dم\u200d", "م", 2},
		{"joiners where none belongs", "a\u200cb\u200d中\u200d文e\u0301\u200d1", "ab中文e\u03011", 4},
		{"indic joiner", "ക\u0d4d\u200dഷ", "ക\u0d4d\u200dഷ", 0},
		{"letters that only fill", "\u3164a\u1160\uffa0b", "ab", 3},
		{"signs that join the next", "\u0600\u06041 \u06dd", "\ufffd\ufffd1 \ufffd", 3},
		{"not assigned", "a\u0378\ufdd0\U0001fbfa", "a\ufffd\ufffd\ufffd", 3},
		{"private use", "\ue0b0", "\ue0b0", 0},
		{"old korean", "\u1112\u119e\u1161", "\u1112\ufffd\ufffd", 2},
		{"joiner before a space", "می\u200c خ", "می خ", 1},
		{"joined emoji", "👨\u200d👩\u200d👧!", "👨👩👧!", 0},
		{"heart on fire", "❤\ufe0f\u200d🔥", "❤🔥", 0},
		{"flag of England", "🏴\U000e0067\U000e0062\U000e007f", "🏴", 3},
		{"skin tone", "👍🏽 🏽", "👍 ■", 0},
		{"emoji selector", "⚠\ufe0f 1\ufe0f\u20e3", "⚠ 1\u20e3", 0},
		{"selectors carrying bytes", "a\ufe01\ufe0c\U000e0101", "a", 3},
		{"marks without a base", "\u0301a \u0301\n\u0301", "◌\u0301a ◌\u0301\n◌\u0301", 0},
		{"decomposed korean", "\u1112\u1161\u11ab\u1100\u1173\u11af", "한글", 0},
		{"thai am", "คำ", "ค\u0e4d\u0e32", 0},
		{"lone regional letter", "🇨🇳🇩 🇪", "🇨🇳D E", 0},
		{"half-width voicing", "ｶﾞ", "ｶ゛", 0},
		{"stacked marks", "z" + strings.Repeat("\u0310", 9), "z" + strings.Repeat("\u0310", 6), 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, hidden := clean.Text(tt.in)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Text(%+q) (-want +got):\n%s", tt.in, diff)
			}
			if hidden != tt.hidden {
				t.Errorf("Text(%+q) hidden = %d, want %d", tt.in, hidden, tt.hidden)
			}
		})
	}
}

func TestLineIsOneLine(t *testing.T) {
	tests := map[string]string{
		"":                      "",
		"  title  ":             "title",
		"a\n\n\tb":              "a b",
		"a  b \r\n c\t":         "a  b c",
		"\n\n":                  "",
		"one\u2028two\x1b[2J":   "one two␛[2J",
		"\t标题\n第二行 with words ": "标题 第二行 with words",
	}
	for in, want := range tests {
		if got := clean.Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTyped(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "x": "x", "字": "字", "\u0301": "\u0301", "\u202e": "‹RLO›", "\u200b": "", "\u200d": "", "\x1b": "␛",
		"👨\u200d👩": "👨👩", "🇨🇳": "🇨🇳", "\u0301\n\u0301": "\u0301\n◌\u0301",
	} {
		if got := clean.Typed(in); got != want {
			t.Errorf("Typed(%+q) = %+q, want %+q", in, got, want)
		}
	}
}

func TestCleanASCIIDoesNotAllocate(t *testing.T) {
	s := strings.Repeat("plain text, with a tab\tand a newline\n", 100)
	if n := testing.AllocsPerRun(100, func() { clean.Text(s) }); n != 0 {
		t.Errorf("Text of clean ASCII allocates %v times, want 0", n)
	}
}

func checkText(t interface{ Fatalf(string, ...any) }, in string) string {
	out, _ := clean.Text(in)
	if faults := oracle.Faults(oracle.Plain, out); len(faults) > 0 {
		t.Fatalf("Text(%+q) = %+q: %v", in, out, faults)
	}
	if again, hidden := clean.Text(out); again != out || hidden != 0 {
		t.Fatalf("Text of its own output %+q = %+q, %d hidden", out, again, hidden)
	}
	line := clean.Line(in)
	if strings.ContainsAny(line, "\n\t") || clean.Line(line) != line {
		t.Fatalf("Line(%+q) = %+q", in, line)
	}
	return out
}

// Joined emoji of the standard are shown as written, with selectors and skin tones. Other pictographs
// are split, as two cells would hide one of them. A joiner anywhere else goes, as it may deceive.
func TestJoinedEmojiStay(t *testing.T) {
	t.Cleanup(clean.Join())
	for _, s := range []string{
		"家庭 👨\u200d👩\u200d👧\u200d👦!", "👩🏽\u200d💻", "👍🏽", "❤\ufe0f\u200d🔥", "🏳\ufe0f\u200d🌈", "🏴\u200d☠\ufe0f", "👩🏽\u200d❤\ufe0f\u200d💋\u200d👨🏿", "🧑\u200d🌾 中",
		"👩\u200d👦", "🧑🏻\u200d🤝\u200d🧑🏿", "🏃🏽\u200d♀\ufe0f\u200d➡\ufe0f", "🤷\u200d♂\ufe0f", "🧑\u200d🦽\u200d➡\ufe0f", "👁\ufe0f\u200d🗨\ufe0f", "🐈\u200d⬛",
		"🏳\ufe0f\u200d⚧\ufe0f", "🫱🏻\u200d🫲🏿", "😮\u200d💨", "👩\u200d❤\ufe0f\u200d👩", "👩\u200d⚕\ufe0f",
	} {
		if got, hidden := clean.Text(s); got != s || hidden != 0 {
			t.Errorf("Text(%+q) = %+q, %d", s, got, hidden)
		}
		if got := clean.Line(s); got != s {
			t.Errorf("Line(%+q) = %+q", s, got)
		}
		for _, row := range clean.Wrap(s, 2) {
			if clean.Width(row) > 2 {
				t.Errorf("%+q has the row %+q", s, row)
			}
		}
		var stream clean.Stream
		streamed := ""
		for i := range len(s) {
			streamed += stream.Add(s[i : i+1])
		}
		if streamed += stream.End(); streamed != s {
			t.Errorf("streamed %+q is %+q", s, streamed)
		}
	}
	if n := clean.Width("👨\u200d👩\u200d👧\u200d👦"); n != 2 {
		t.Errorf("a family is %d cells wide", n)
	}
	for s, want := range map[string]string{
		"a\u200db": "ab", "👨\u200d": "👨", "\u200d👨": "👨", "👨\u200dx": "👨x", "👨\u200d\u200d👩": "👨👩", "👨\u200c👩": "👨👩", "中\u200d👩": "中👩",
		"👨\u200d 👩": "👨 👩", "❤\u200d🔥": "❤🔥", "☎\u200d→": "☎→", "👨\u0301\u200d👩": "👨\u0301👩", "🇨🇳\u200d👩": "🇨🇳👩", "⚠\ufe0f": "⚠",
		"👨\u200d👩\u200d👧\u200d👦\u200d👧": "👨\u200d👩\u200d👧\u200d👦👧", "pay\u200dpal": "paypal",
		"❌\u200d✅": "❌✅", "👍\u200d👎": "👍👎", "✅\u200d❌\u200d🔒\u200d🔓": "✅❌🔒🔓", "🏳\ufe0f\u200d🏴": "🏳🏴", "👨\u200d❌": "👨❌",
		"❤\ufe0f\u200d🔥\u200d✅": "❤\ufe0f\u200d🔥✅", "✅\u200d👩\u200d💻": "✅👩\u200d💻", "👩\u200d💻\u200d👩": "👩\u200d💻👩", "👧\u200d👨": "👧👨",
	} {
		if got, _ := clean.Text(s); got != want {
			t.Errorf("Text(%+q) = %+q, want %+q", s, got, want)
		}
	}
	end := clean.Split()
	if got := clean.Line("👨\u200d👩"); got != "👨👩" {
		t.Errorf("split: %+q", got)
	}
	end()
	end()
	if got := clean.Line("👨\u200d👩"); got != "👨\u200d👩" {
		t.Errorf("joined again: %+q", got)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range nasty {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		checkText(t, in)
		end := clean.Join()
		checkText(t, in)
		end()
		// A newline resets all state: cleaning line by line is the same.
		if i := strings.IndexByte(in, '\n'); i >= 0 {
			a, n := clean.Text(in[:i+1])
			b, m := clean.Text(in[i+1:])
			if out, hidden := clean.Text(in); out != a+b || hidden != n+m {
				t.Fatalf("Text(%+q) = %+q, %d; line by line %+q, %d", in, out, hidden, a+b, n+m)
			}
		}
	})
}

// nasty holds the pieces from which the properties are built.
var nasty = []string{
	"👩🏽\u200d💻", "❤\ufe0f\u200d🔥", "🏴\u200d☠\ufe0f", "✅\u200d❌", "✅",
	"a", "Word", " ", "  ", "\n", "\t", "\r", "\r\n", "-", "(", ")", ",", "。", "，", "、", "（", "）", "「", "」", "—", "…",
	"中", "文字", "한국어", "カ", "ｶ", "ﾞ", "é", "e\u0301", "\u0301", "\u200d", "\u200c", "\u200b", "\ufe0f", "\ufe0e",
	"👨\u200d👩\u200d👧", "👍🏽", "🏽", "❤\ufe0f", "🇨🇳", "🇨", "1\ufe0f\u20e3", "©", "™", "ℹ", "⚠\ufe0f", "✔", "🏴\U000e0067\U000e007f",
	"\x1b[31m", "\x1b]8;;http://x\x07", "\x00", "\x7f", "\u009b", "\xff", "\xe4\xb8", "\u202e", "\u2066", "\u061c", "\U000e0041",
	"\u2028", "ﷺ", "\u3000", "\u00a0", "\u1100\u1161\u11a8", "می", "ห์",
}

func nastyText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(nasty), 0, 40).Draw(t, "parts"), "")
	})
}

func TestTextProperties(t *testing.T) {
	check := func(t *rapid.T) { checkText(t, nastyText().Draw(t, "text")) }
	rapid.Check(t, check)
	t.Cleanup(clean.Join())
	rapid.Check(t, check)
}

// Terminals count either grapheme clusters or code points; borders stay
// straight on both only where the two agree.
func TestCleanTextIsAsWideByCodePointAsByCluster(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := nastyText().Draw(t, "text")
		for line := range strings.SplitSeq(checkText(t, in), "\n") {
			if g, w := ansi.StringWidth(line), ansi.StringWidthWc(line); g != w {
				t.Fatalf("%+q is %d cells by cluster and %d by code point", line, g, w)
			}
		}
	})
}

func TestEveryRuneIsAsWideByCodePointAsByCluster(t *testing.T) {
	differ := []*unicode.RangeTable{unicode.Mc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Hangul}
	for r := rune(0x20); r < 0x20000; r++ {
		if unicode.In(r, differ...) || unicode.Is(unicode.Han, r) || !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs) {
			continue
		}
		for _, s := range []string{string(r), "中" + string(r)} {
			out, _ := clean.Text(s)
			if g, w := ansi.StringWidth(out), ansi.StringWidthWc(out); g != w {
				t.Errorf("%+q is %d cells by cluster and %d by code point", out, g, w)
			}
		}
	}
}

func BenchmarkText(b *testing.B) {
	for name, s := range map[string]string{
		"ascii":   strings.Repeat("plain text, with a tab\tand a newline\n", 100),
		"chinese": strings.Repeat("部署脚本还用 pnpm 吗？\n", 200),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				clean.Text(s)
			}
		})
	}
}

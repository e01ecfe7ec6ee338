package clean_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/ui/clean"
	"memoria/ui/clean/oracle"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		name  string
		in    string
		width int
		want  []string
	}{
		{"empty", "", 10, []string{""}},
		{"fits", "one two", 10, []string{"one two"}},
		{"words", "one two three", 8, []string{"one two", "three"}},
		{"long word", "abcdefghij kl", 4, []string{"abcd", "efgh", "ij", "kl"}},
		{"hyphen", "state-of-the-art", 9, []string{"state-of-", "the-art"}},
		{"flags stay whole", "pnpm build --filter-all -x", 14, []string{"pnpm build", "--filter-all", "-x"}},
		{"two hyphens", "ab--cd", 4, []string{"ab--", "cd"}},
		{"negative number stays whole", "x = -12345", 6, []string{"x =", "-12345"}},
		{"newlines and indents", "a\n\n  b c", 10, []string{"a", "", "  b c"}},
		{"tabs", "a\tb\n\tc", 20, []string{"a   b", "    c"}},
		{"spaces go at breaks", "ab   cd   ", 4, []string{"ab", "cd"}},
		{"chinese by character", "部署脚本还用吗", 8, []string{"部署脚本", "还用吗"}},
		{"odd width", "部署脚本", 5, []string{"部署", "脚本"}},
		{"no stop begins a row", "你好吗，世界。", 6, []string{"你好", "吗，世", "界。"}},
		{"no bracket ends a row", "看这个（说明）吧", 8, []string{"看这个", "（说明）", "吧"}},
		{"quotes", "他说「你好」了", 8, []string{"他说「你", "好」了"}},
		{"quotes move", "他也说「你好」了", 8, []string{"他也说", "「你好」", "了"}},
		{"enumeration comma", "甲、乙、丙、丁", 6, []string{"甲、", "乙、", "丙、丁"}},
		{"long dash stays together", "等等等——好", 7, []string{"等等", "等——好"}},
		{"latin in chinese", "我用pnpm安装", 8, []string{"我用pnpm", "安装"}},
		{"latin word moves whole", "请用python写", 8, []string{"请用", "python写"}},
		{"spaces between scripts", "用 Python 写代码", 9, []string{"用 Python", "写代码"}},
		{"stops only", "。。。。。", 4, []string{"。。", "。。", "。"}},
		{"emoji", "👍👍👍", 5, []string{"👍👍", "👍"}},
		{"flag is one", "🇨🇳🇩🇪🇫🇷", 5, []string{"🇨🇳🇩🇪", "🇫🇷"}},
		{"accents stay", "cafe\u0301s", 4, []string{"cafe\u0301", "s"}},
		{"korean by word", "한국어 문장 입니다", 11, []string{"한국어 문장", "입니다"}},
		{"width one", "中a", 1, []string{"中", "a"}},
		{"width nothing", "ab", 0, []string{"a", "b"}},
		{"no-break space", "a\u00a0b c", 3, []string{"a\u00a0b", "c"}},
		{"curly quotes", "他说“你好”，走了", 8, []string{"他说“你", "好”，走", "了"}},
		{"curly quotes in English", "say “good day” now", 9, []string{"say “good", "day” now"}},
		{"an apostrophe is in its word", "we don’t know", 6, []string{"we", "don’t", "know"}},
		{"straight quotes", `他说"你好"了吗`, 7, []string{`他说"你`, `好"了吗`}},
		{"straight quotes move", `他也说"你好"`, 7, []string{"他也说", `"你好"`}},
		{"curly quotes move", "他也说“你好”", 7, []string{"他也说", "“你好”"}},
		{"number and percent", "增长了12.5%，很快", 9, []string{"增长了", "12.5%，很", "快"}},
		{"number and unit", "约100km处", 8, []string{"约100km", "处"}},
		{"degrees and money", "气温25℃价￥300元", 8, []string{"气温25℃", "价￥300", "元"}},
		{"a long address is cut", "见https://a.example/b/c吧", 10, []string{"见", "https://a.", "example/b/", "c吧"}},
		{"a stop takes a letter along", "abcdefgh，好", 8, []string{"abcdefg", "h，好"}},
		{"two words too long", "00000000】!0000000", 8, []string{"0000000", "0】!0000", "000"}},
		{"bracket after latin", "用（pnpm）装", 8, []string{"用", "（pnpm）", "装"}},
		{"stop after latin", "请用pnpm。好", 6, []string{"请用", "pnpm。", "好"}},
		{"book marks", "《红楼梦》、《西游记》", 12, []string{"《红楼梦》、", "《西游记》"}},
		{"ellipsis pair", "他说等等……走", 10, []string{"他说等等……", "走"}},
		{"small kana", "ちょっと待って", 6, []string{"ちょっ", "と待っ", "て"}},
		{"paragraph indent", "　　天地玄黄宇宙", 10, []string{"　　天地玄", "黄宇宙"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, clean.Wrap(tt.in, tt.width)); diff != "" {
				t.Errorf("Wrap(%q, %d) (-want +got):\n%s", tt.in, tt.width, diff)
			}
		})
	}
}

func TestWrapStyled(t *testing.T) {
	const bold, red, off = "\x1b[1m", "\x1b[31m", "\x1b[m"
	tests := []struct {
		name  string
		in    string
		width int
		want  []string
	}{
		{"plain", "one two", 4, []string{"one", "two"}},
		{"carried over", bold + "one two" + off + " x", 4, []string{bold + "one" + off, bold + "two" + off, "x"}},
		{"nested", bold + "a " + red + "b c" + off, 3, []string{bold + "a " + off + bold + red + "b" + off, bold + red + "c" + off}},
		{"over newlines", red + "a\n\nb" + off, 5, []string{red + "a" + off, "", red + "b" + off}},
		{"style of dropped spaces", "ab" + red + "  " + off + "cd", 2, []string{"ab", "cd"}},
		{"tabs", red + "a\tb" + off + "\tc", 20, []string{red + "a   b" + off + "   c"}},
		{"foreign sequences are text", "\x1b]0;t\x07" + red + "a", 20, []string{"]0;t\x07" + red + "a" + off}},
		{"chinese", red + "你好吗，世界" + off, 6, []string{red + "你好" + off, red + "吗，世" + off, red + "界" + off}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, clean.WrapStyled(tt.in, tt.width)); diff != "" {
				t.Errorf("WrapStyled(%q, %d) (-want +got):\n%s", tt.in, tt.width, diff)
			}
		})
	}
}

// noSpace removes what a wrapper may drop.
func noSpace(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\u00a0' && r != '\u2007' && r != '\u202f' && unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

const noStart, noEnd = "、。，；：！？）》」』】", "（《「『【"

func checkWrap(t interface{ Fatalf(string, ...any) }, s string, width int) []string {
	rows := clean.Wrap(s, width)
	for i, row := range rows {
		if w := clean.Width(row); width >= 2 && w > width {
			t.Fatalf("row %d of Wrap(%+q, %d) is %d cells: %+q", i, s, width, w, row)
		}
		if faults := oracle.Faults(oracle.Plain, row); len(faults) > 0 || strings.ContainsAny(row, "\n\t") || strings.HasSuffix(row, " ") {
			t.Fatalf("row %d of Wrap(%+q, %d) = %+q: %v", i, s, width, row, faults)
		}
	}
	if got, want := noSpace(strings.Join(rows, "")), noSpace(s); got != want {
		t.Fatalf("Wrap(%+q, %d) lost text:\n got %+q\nwant %+q", s, width, got, want)
	}
	return rows
}

func FuzzWrap(f *testing.F) {
	for i, s := range nasty {
		f.Add(s+"word 字"+s, i%12)
	}
	f.Fuzz(func(t *testing.T, in string, width int) {
		s, _ := clean.Text(in)
		width %= 200
		rows := checkWrap(t, s, width)
		styled := clean.WrapStyled("\x1b[31m"+s+"\x1b[m", width)
		for i, row := range styled {
			if faults := oracle.Faults(oracle.Styled, row); len(faults) > 0 || ansi.Strip(row) != rows[i] {
				t.Fatalf("row %d of %+q in red = %+q, plain %+q: %v", i, s, row, rows[i], faults)
			}
			cut := clean.Truncate(row, width/2, "…")
			if faults := oracle.Faults(oracle.Styled, cut); len(faults) > 0 || clean.Width(cut) > max(0, width/2) {
				t.Fatalf("Truncate(%+q, %d) = %+q: %v", row, width/2, cut, faults)
			}
		}
		if len(styled) != len(rows) {
			t.Fatalf("%d rows of %+q in red, %d plain", len(styled), s, len(rows))
		}
		// Foreign sequences in what was not cleaned are no sequences any more.
		for _, row := range clean.WrapStyled(in, width) {
			if strings.Count(row, "\x1b") != len(sgrs.FindAllString(row, -1)) {
				t.Fatalf("WrapStyled(%+q) = %+q", in, row)
			}
		}
	})
}

var sgrs = regexp.MustCompile("\x1b\\[[0-9;:]*m")

func TestWrapProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := clean.Text(nastyText().Draw(t, "text"))
		checkWrap(t, s, rapid.IntRange(1, 30).Draw(t, "width"))
	})
}

// The prohibitions give way only where a row has no other place to break.
func TestWrapKinsoku(t *testing.T) {
	pieces := []string{"天", "地玄黄", "，", "。", "、", "（", "）", "「", "」", "word", " ", "！"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 30).Draw(t, "text"), "")
		width := rapid.IntRange(8, 30).Draw(t, "width")
		rows := checkWrap(t, s, width)
		for i, row := range rows {
			first, _ := utf8.DecodeRuneInString(row)
			last, _ := utf8.DecodeLastRuneInString(row)
			if i > 0 && strings.ContainsRune(noStart, first) && canMove(rows[i-1]) {
				t.Fatalf("row %d begins with %c: %q", i, first, rows)
			}
			if i < len(rows)-1 && strings.ContainsRune(noEnd, last) && canMove(row) {
				t.Fatalf("row %d ends with %c: %q", i, last, rows)
			}
		}
	})
}

// canMove reports whether the row had an earlier place to break: two
// neighbouring characters of which neither is punctuation, one of them Chinese.
func canMove(row string) bool {
	r := []rune(row)
	for i := 1; i < len(r); i++ {
		if isHan(r[i-1]) && isHan(r[i]) {
			return true
		}
	}
	return false
}

func isHan(r rune) bool { return r >= 0x4e00 && r <= 0x9fff }

// Cutting a text at style changes does not change where its rows end.
func TestWrapStyledEqualsWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom(nasty), 0, 30).Draw(t, "parts")
		width := rapid.IntRange(1, 30).Draw(t, "width")
		plain, _ := clean.Text(strings.Join(parts, ""))
		styled := ""
		for i, r := range plain {
			if rapid.IntRange(0, 4).Draw(t, "style") == 0 && startsCluster(plain, i) {
				styled += rapid.SampledFrom([]string{"\x1b[1m", "\x1b[38;5;3m", "\x1b[m", "\x1b[0m"}).Draw(t, "sgr")
			}
			styled += string(r)
		}
		want := clean.Wrap(plain, width)
		var got []string
		for _, row := range clean.WrapStyled(styled, width) {
			got = append(got, ansi.Strip(row))
			if i := strings.LastIndex(row, "\x1b["); i >= 0 && !strings.HasPrefix(row[i:], "\x1b[m") {
				t.Fatalf("row leaves a style on: %q", row)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("WrapStyled(%+q, %d) differs from Wrap (-want +got):\n%s", styled, width, diff)
		}
	})
}

func startsCluster(s string, at int) bool {
	for i := 0; i < len(s); {
		if i == at {
			return true
		}
		c, _ := ansi.FirstGraphemeCluster(s[i:], ansi.GraphemeWidth)
		i += len(c)
	}
	return false
}

func TestTruncate(t *testing.T) {
	tests := []struct {
		in    string
		width int
		tail  string
		want  string
	}{
		{"hello", 5, "…", "hello"},
		{"hello!", 5, "…", "hell…"},
		{"部署脚本", 5, "…", "部署…"},
		{"部署脚本", 4, "…", "部…"},
		{"hello", 0, "…", ""},
		{"hello", 2, "...", "he"},
		{"\x1b[1mhello\x1b[m", 3, "…", "\x1b[1mhe…\x1b[m"},
	}
	for _, tt := range tests {
		if got := clean.Truncate(tt.in, tt.width, tt.tail); got != tt.want {
			t.Errorf("Truncate(%q, %d, %q) = %q, want %q", tt.in, tt.width, tt.tail, got, tt.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := clean.Line(nastyText().Draw(t, "text"))
		width := rapid.IntRange(0, 20).Draw(t, "width")
		if got := clean.Truncate(s, width, "…"); clean.Width(got) > width {
			t.Fatalf("Truncate(%+q, %d) is %d cells: %+q", s, width, clean.Width(got), got)
		}
	})
}

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "部署": 4, "👍": 2, "🇨🇳": 2, "e\u0301": 1, "\x1b[1mbold\x1b[m": 4, "a\tb": 2, "한글": 4, "…": 1,
	} {
		if got := clean.Width(s); got != want {
			t.Errorf("Width(%q) = %d, want %d", s, got, want)
		}
	}
}

func BenchmarkWrap(b *testing.B) {
	for name, s := range map[string]string{
		"english": strings.Repeat("The quick brown fox jumps over the lazy dog. ", 200),
		"chinese": strings.Repeat("部署脚本还用 pnpm 吗？是的，一直在用。", 200),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				clean.Wrap(s, 76)
			}
		})
	}
}

// A mark stays with the letter before it, also where UAX 29 lets it begin a cluster.
func TestWrapKeepsMarks(t *testing.T) {
	for _, l := range clean.Wrap("AAAA\u102b BBB\u1038", 4) {
		if r, _ := utf8.DecodeRuneInString(l); unicode.Is(unicode.M, r) {
			t.Errorf("a line begins with %U: %q", r, l)
		}
	}
}

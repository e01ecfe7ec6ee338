package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func tokenTexts(s string) []string {
	out := []string{}
	for _, t := range Tokens(s) {
		out = append(out, t.Text)
	}
	return out
}

// R2: Chinese and English mixed are cut into words; compounds stay whole.
func TestTokens(t *testing.T) {
	for in, want := range map[string]string{
		"":                                    "",
		" ,。！… 🎉👍🏽 ":                          "",
		"我喜欢用 Python 写代码":                     "我|喜欢|用|python|写|代码",
		"我在写代码。代码写得好":                         "我|在|写|代码|代码|写|得|好",
		"用C++写的C#项目,.NET也行":                   "用|c++|写|的|c#|项目|.net|也|行",
		"C++17, g++ and notepad++":            "c++|17|g++|and|notepad++",
		"A+ a+b 3+4 F# #tag x##y":             "a+|a|b|3|4|f#|tag|x|y",
		"node.js和gpt-4.1":                     "node.js|和|gpt-4.1",
		"e-mail: alice@example.com.":          "e-mail|alice@example.com",
		"见https://example.com/a?b=1#c，谢谢":     "见|https://example.com/a?b=1#c|谢谢",
		"(http://x.org/a_b).":                 "http://x.org/a_b",
		"www.example.com!":                    "www.example.com",
		"www http: //x":                       "www|http|x",
		"/etc/hosts ~/notes.md ./run.sh ../a": "/etc/hosts|~/notes.md|./run.sh|../a",
		"src/main.go a/b/c and/or Python/Go":  "src/main.go|a/b/c|and|or|python|go",
		"@babel/core @alice":                  "@babel/core|alice",
		"/help me":                            "/help|me",
		"3.14 1,000 12,34 10:30":              "3.14|1,000|12|34|10:30",
		"2026-01-28 2026/01/28 v1.2.3":        "2026-01-28|2026/01/28|v1.2.3",
		"--frozen-lockfile -n 5":              "frozen-lockfile|n|5",
		"snake_case foo_bar.py __init__":      "snake_case|foo_bar.py|__init__",
		"don't I’m John's 'quoted'":           "don't|i'm|john's|quoted",
		"end. Next...and .gitignore .5":       "end|next|and|.gitignore|5",
		"R&D a & b":                           "r&d|a|b",
		"Ｐｙｔｈｏｎ　３．１４":                         "python|3.14",
		"繁體中文":                                "繁体|中文",
		"㍿ ½ ①":                               "株式会社|1⁄2|1",
		"きのうカレーを食べた":                          "きのう|カレー|を|食|べた",
		"안녕하세요 k팝":                            "안녕하세요|k|팝",
		"Привет, мир":                         "привет|мир",
		"李梓涵和小明去找王伟":                          "李梓涵|和|小明|去|找|王伟",
		"后端用微服务部署":                            "后端|用|微服务|部署",
		"a\xffb":                              "a|b",
	} {
		if got := strings.Join(tokenTexts(in), "|"); got != want {
			t.Errorf("Tokens(%q)\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestTokenKindsAndPlaces(t *testing.T) {
	got := Tokens("喜歡Ｐｙ 3.14 カナ 한국")
	want := []Token{
		{"喜欢", 0, 6, Chinese}, {"py", 6, 12, Word}, {"3.14", 13, 17, Number},
		{"カナ", 18, 24, Kana}, {"한국", 25, 31, Hangul},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
}

// checkTokens holds what Tokens promises for every text.
func checkTokens(s string) (problem string) {
	end := 0
	covered := make([]bool, len(s)+1)
	for _, tok := range Tokens(s) {
		switch {
		case tok.Start < end || tok.End <= tok.Start || tok.End > len(s):
			return "offsets do not increase inside the text"
		case !utf8.RuneStart(s[tok.Start]) && utf8.ValidString(s), tok.End < len(s) && !utf8.RuneStart(s[tok.End]) && utf8.ValidString(s):
			return "a token ends inside a rune"
		case tok.Text == "" || !utf8.ValidString(tok.Text):
			return "a token's text is empty or broken"
		}
		for i := tok.Start; i < tok.End; i++ {
			covered[i] = true
		}
		end = tok.End
	}
	for i, r := range s {
		word := strings.ContainsFunc(Fold(string(r)), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || Han(r) })
		if word && !covered[i] {
			return "no token covers " + string(r)
		}
	}
	return ""
}

// drawText draws a text of the kinds of characters that have rules of their own.
func drawText(t *rapid.T) string {
	char := rapid.OneOf(
		rapid.Rune(),
		rapid.RuneFrom([]rune("我喜欢用写代码繁體資料庫李王小的了在杭州机器学习")),
		rapid.RuneFrom([]rune("abcXYZ0123456789")),
		rapid.RuneFrom([]rune("+#.-_'’/:@&,~?!。，、 \t\n\u200b\u0301")),
		rapid.RuneFrom([]rune("ＰｙカナがｶﾞÅß½㍿한①")),
	)
	return string(rapid.SliceOfN(char, 0, 40).Draw(t, "text"))
}

// R2: offsets increase, lie inside the text and on rune boundaries, and cover every letter, digit and
// Han character.
func TestTokensProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if s := drawText(t); checkTokens(s) != "" {
			t.Fatalf("%q: %s", s, checkTokens(s))
		}
	})
}

// Tokens takes time linear in the text also where every character could begin something long: were it the
// square, this would not end before the tests' own limit.
func TestTokensIsLinear(t *testing.T) {
	for _, unit := range []string{"a+", "a/", "~/", "a@", "a:", "a://", "www.", "1,", "..a", "@a/", "a'", "#", "李", "々", "涵梓", "中华人民"} {
		text := strings.Repeat(unit, 400_000/len(unit))
		if fault := checkTokens(text); fault != "" {
			t.Errorf("400 KB of %q: %s", unit, fault)
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, seed := range []string{"我用C++写.NET", "https://x/@a:1,000/..//", "㍿½①", "\xff\xfe我", "a'b’s--c", "~/./../@a/b", "e\u0301我\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if problem := checkTokens(s); problem != "" {
			t.Fatalf("%q: %s", s, problem)
		}
	})
}

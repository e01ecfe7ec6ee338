package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// R2: meaningful keywords of mixed Chinese and English, in their original form, stop words removed.
func TestKeywords(t *testing.T) {
	for in, want := range map[string]string{
		"":                "",
		"我喜欢用 Python 写代码": "喜欢 Python 代码",
		"我喜欢谁？":           "喜欢",
		"我喜歡用 Ｐｙｔｈｏｎ 寫代碼":                                               "喜歡 Ｐｙｔｈｏｎ 代碼",
		"记住我对花生过敏":                                                      "花生 过敏",
		"别忘了我住在杭州":                                                      "住 杭州",
		"你还记得我上次说过的那家餐厅吗":                                               "餐厅",
		"我之前跟你提到的 C++ 项目怎么样了":                                           "C++ 项目",
		"我什么时候告诉过你我的生日？":                                                "生日",
		"我养了一只猫，叫小花":                                                    "养 猫 小花",
		"部署脚本还用 pnpm 吗？":                                                "部署 脚本 pnpm",
		"你觉得我应该用 node.js 还是 Go？":                                        "node.js Go",
		"请帮我看一下这个 bug":                                                  "bug",
		"王伟和李梓涵是我的同事":                                                   "王伟 李梓涵 同事",
		"Do you remember what I said last time about deploying to Fly?": "deploying Fly",
		"What's my name?":                                               "name",
		"I prefer pnpm, not npm. PNPM!":                                 "prefer pnpm npm",
		"Where did we leave off with the Rust rewrite?":                 "leave Rust rewrite",
		"Please remind me: John's flight":                               "John flight",
		"you told me the other day that Zoë likes tea":                  "Zoë likes tea",
		"how do I use gpt-4.1 with .NET":                                "gpt-4.1 .NET",
		"by the way, the café's closed":                                 "café closed",
		"mail alice@example.com about https://example.com/x":            "mail alice@example.com https://example.com/x",
		"see ~/notes.md and/or /etc/hosts":                              "see ~/notes.md /etc/hosts",
		"π 是 3.14 对吗":                                                   "π 3.14",
		"Python python PYTHON Ｐｙｔｈｏｎ":                                   "Python",
		"谢谢 thanks 你好 hello 🎉":                                          "",
		"Pyth*":                                                         "Pyth",
		"the of and 的 了":                                                "",
	} {
		if got := joined(Keywords(in)); got != want {
			t.Errorf("Keywords(%q)\n got %s\nwant %s", in, got, want)
		}
	}
}

// R2, R3: a question's terms are among the words of the statement that answers it.
func TestQueryMeetsText(t *testing.T) {
	for _, c := range []struct{ question, text, terms string }{
		{"代码用什么写的？", "我喜欢用 Python 写代码", "代码"},
		{"what did I buy for the kid's birthday", "bought a present for her birthday", "buy birthday"},
		{"我們的資料庫是哪個？", "我们的资料库是 Postgres", "资料库"},
		{"Where is it deployed?", "Deploying to Fly", "deploy"},
		{"Ｎｏｄｅ．ｊｓ", "node.js 20", "nodej node js"},
	} {
		words := map[string]bool{}
		for _, w := range Words(c.text) {
			words[w] = true
		}
		terms := joined(QueryTerms(c.question))
		for _, want := range strings.Fields(c.terms) {
			if !words[want] || !strings.Contains(" "+terms+" ", " "+want+" ") {
				t.Errorf("%q and %q do not meet in %s: %s", c.question, c.text, want, terms)
			}
		}
	}
}

// R2, R3: for every text its query terms are among its words, each once, and its keywords are its own.
func TestQueryTermsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkKeywords(t, drawText(t)) })
}

// fataler is what a test, a fuzz run and a rapid run have in common.
type fataler interface {
	Fatalf(format string, args ...any)
}

func checkKeywords(t fataler, s string) {
	words := map[string]bool{}
	for _, w := range Words(s) {
		words[w] = true
	}
	seen := map[string]bool{}
	for _, q := range QueryTerms(s) {
		if !words[q] || seen[q] {
			t.Fatalf("%q: term %q is doubled or not among the words", s, q)
		}
		seen[q] = true
	}
	folded := map[string]bool{}
	for _, k := range Keywords(s) {
		switch {
		case k == "" || !strings.Contains(s, k):
			t.Fatalf("%q: keyword %q is not in it", s, k)
		case utf8.ValidString(s) && !utf8.ValidString(k):
			t.Fatalf("%q: keyword %q is broken", s, k)
		case folded[Fold(k)]:
			t.Fatalf("%q: keyword %q comes twice", s, k)
		}
		folded[Fold(k)] = true
	}
}

func FuzzKeywords(f *testing.F) {
	for _, seed := range []string{"我喜欢用 Python 写代码", "the last time 上次 John’s", "\xff'S's", "a@b/c..d", "A+A＋"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) { checkKeywords(t, s) })
}

// R2: framing words of a talk about earlier talk are stop words in both languages.
func TestIsStop(t *testing.T) {
	for _, w := range strings.Fields("remember REMEMBER said you the 记得 記得 上次 说过 你 的 一杯 don't I’m Ｔｈｅ 這個 告訴") {
		if !IsStop(w) {
			t.Errorf("%s is not a stop word", w)
		}
	}
	for _, w := range strings.Fields("Python 喜欢 代码 prefer love like 猫 茶 name 3 John's go 一月 三杯") {
		if IsStop(w) {
			t.Errorf("%s is a stop word", w)
		}
	}
	if IsStop("") {
		t.Error("the empty word is a stop word")
	}
}

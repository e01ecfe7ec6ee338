package retrieve

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"memoria/index/text"
)

// R2: keywords of mixed Chinese and English, stop words removed.
func TestAnalyseKeywords(t *testing.T) {
	for message, want := range map[string]string{
		"我喜欢用 Python 写代码":                        "喜欢 Python 代码",
		"":                                       "",
		"the of and 的 了":                         "",
		"我喜欢谁？":                                  "喜欢",
		"Do you remember what I said about Fly?": "Fly",
		"Pyth*":                                  "Pyth*",
		"用 Pyth* 写 部署*":                          "Pyth* 部署*",
	} {
		q := Analyse(message, "")
		if got := strings.Join(q.Keywords, " "); got != want {
			t.Errorf("Analyse(%q) gives %q, want %q", message, got, want)
		}
		if q.Empty() != (want == "") && !q.Preference {
			t.Errorf("Analyse(%q).Empty() = %v", message, q.Empty())
		}
	}
}

// R3: a beginning of a word is asked for as its stem begins, since words are
// indexed as stems; other asterisks are no beginnings.
func TestAnalysePrefixes(t *testing.T) {
	for _, c := range []struct{ message, prefixes, terms string }{
		{"Pyth*", "pyth", ""},
		{"我用Pyth*写的", "pyth", ""},
		{"Deploying*", "deploy", ""},
		{"studies*", "studi", ""},
		{"went*", "went", "go"},
		{"机器*", "机器", ""},
		{"Ｐｙｔｈ＊", "", "pyth"}, // only the plain asterisk is a mark
		{"*bold* and **strong**", "", "bold strong"},
		{"2*3", "", "2 3"},
		{"char *p", "", "char p"},
		{"a*", "", "a"},
		{"foo*bar", "", "foo bar"},
	} {
		q := Analyse(c.message, "")
		if got := strings.Join(q.Prefixes, " "); got != c.prefixes {
			t.Errorf("Analyse(%q).Prefixes = %q, want %q", c.message, got, c.prefixes)
		}
		for _, term := range strings.Fields(c.terms) {
			if !slices.Contains(q.Terms, term) && !text.IsStop(term) {
				t.Errorf("Analyse(%q).Terms = %q, want %q among them", c.message, q.Terms, term)
			}
		}
	}
}

// R3: whatever a document's word is, what it begins with finds it: the prefix
// that is asked for begins the stem that is stored.
func TestPrefixFindsStems(t *testing.T) {
	for _, word := range []string{"deploying", "Python", "studies", "happiness", "running", "caching", "preferences"} {
		for n := 2; n <= len(word); n++ {
			q := Analyse(word[:n]+"*", "")
			stored := text.Words(word)
			hit := slices.ContainsFunc(stored, func(w string) bool {
				return slices.Contains(q.Terms, w) ||
					slices.ContainsFunc(q.Prefixes, func(p string) bool { return strings.HasPrefix(w, p) })
			})
			if !hit && n <= len(stored[0]) || !hit && n == len(word) {
				t.Errorf("%s* (asks %q, %q) does not find %q", word[:n], q.Prefixes, q.Terms, stored)
			}
		}
	}
}

// R5: which messages voice a preference.
func TestVoicesPreference(t *testing.T) {
	for message, want := range map[string]bool{
		"我喜欢喝茶": true, "我喜歡喝茶": true, "我不太喜欢咖啡": true, "我更喜欢 vim": true, "我真的很讨厌开会": true,
		"我爱吃辣": true, "我爱": true, "I prefer tabs": true, "i really like tea": true, "I don't like mondays": true,
		"I don’t like mondays": true, "My favourite colour is blue": true, "I'd rather walk": true,
		"I can't stand horror movies": true, "Ｉ　ｐｒｅｆｅｒ　ｔｅａ": true, "I\nprefer tea": true,
		"do you like tea?": false, "你喜欢什么": false, "我爱人是医生": false, "I would like a list": false,
		"I'd like to know": false, "they prefer tea": false, "what is tea like": false, "": false,
		"I work with like-minded people": false,
	} {
		if got := Analyse(message, "").Preference; got != want {
			t.Errorf("%q: preference %v, want %v", message, got, want)
		}
	}
}

// R6: the topic's words are added, without those that the message has.
func TestAnalyseTopic(t *testing.T) {
	q := Analyse("and the tests of 部署?", "Deploying memoria to Fly 部署*")
	if want := []string{"deploy", "memoria", "fli"}; !slices.Equal(q.TopicTerms, want) {
		t.Errorf("topic terms %q, want %q", q.TopicTerms, want)
	}
	if len(q.TopicGrams) != 0 {
		t.Errorf("topic grams %q are the message's", q.TopicGrams)
	}
	if q.Empty() {
		t.Error("empty")
	}
	if q := Analyse("and then?", "Fly"); q.Empty() || len(q.Terms) != 0 {
		t.Errorf("a message without keywords: %+v", q)
	}
}

// Everyday words are keywords, but not distinctive ones.
func TestDistinctive(t *testing.T) {
	for message, want := range map[string]string{
		"write a long story today":              "",
		"我今天喜欢的时间":                              "",
		"Tell me about Lisbon":                  "lisbon",
		"我的猫怎么了":                                "猫",
		"what happened to flight 2024 at 10:30": "flight 2024",
		"give me 5 of 100":                      "",
		"机器学习":                                  "机器学习 学习",
	} {
		if got := strings.Join(Analyse(message, "").Distinctive, " "); got != want {
			t.Errorf("%q: distinctive %q, want %q", message, got, want)
		}
	}
}

func TestAnalyseLongMessage(t *testing.T) {
	q := Analyse(strings.Repeat("啊", maxQuery)+"Lisbon", "")
	if slices.Contains(q.Keywords, "Lisbon") {
		t.Error("searched for words beyond the bound")
	}
	var words strings.Builder
	for i := range 300 {
		words.WriteString(string(rune(0x4e00+7*i)) + "，word" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + " ")
	}
	if q := Analyse(words.String(), ""); len(q.Keywords) != maxKeywords || !slices.Equal(q.Grams, q.KeyGrams) {
		t.Errorf("%d keywords, %d grams, %d of keywords", len(q.Keywords), len(q.Grams), len(q.KeyGrams))
	}
	if got := head("日本語", 4); got != "日" {
		t.Errorf("head cut %q", got)
	}
}

func check(t interface{ Fatalf(string, ...any) }, message, topic string) {
	q := Analyse(message, topic)
	for name, list := range map[string][]string{
		"Terms": q.Terms, "Grams": q.Grams, "KeyGrams": q.KeyGrams, "Prefixes": q.Prefixes,
		"Distinctive": q.Distinctive, "TopicTerms": q.TopicTerms, "TopicGrams": q.TopicGrams,
	} {
		seen := map[string]bool{}
		for _, s := range list {
			if s == "" || seen[s] {
				t.Fatalf("Analyse(%q, %q): %s %q: %q is empty or doubled", message, topic, name, list, s)
			}
			seen[s] = true
			if name == "Distinctive" && !slices.Contains(q.Terms, s) || name == "TopicTerms" && slices.Contains(q.Terms, s) {
				t.Fatalf("Analyse(%q, %q): %s has %q, terms are %q", message, topic, name, s, q.Terms)
			}
		}
	}
	for _, k := range q.Keywords {
		if utf8.ValidString(message) && !strings.Contains(message, k) {
			t.Fatalf("Analyse(%q): keyword %q is not in it", message, k)
		}
	}
	if m := Share(q, message+"\n"+topic); m.Keyword < 0 || m.Keyword > 1 {
		t.Fatalf("Share(%q) = %v", message, m.Keyword)
	}
}

// What is asked for is what a text that says the same holds.
func TestAnalyseProperties(t *testing.T) {
	word := rapid.SampledFrom(strings.Fields("我 喜欢 用 Python 写 代码 deploying C++ 2*3 Pyth* 机器* *bold* the 李梓涵 ’s ａ＊ \xff e-mail 10:30"))
	rapid.Check(t, func(t *rapid.T) {
		message := strings.Join(rapid.SliceOfN(word, 0, 8).Draw(t, "words"), rapid.SampledFrom([]string{"", " ", "，"}).Draw(t, "between"))
		check(t, message, rapid.StringN(0, 20, -1).Draw(t, "topic"))
		if q := Analyse(message, ""); len(q.Keywords) > 0 && len(q.Prefixes) == 0 {
			if m := Share(q, message); m.Keyword < 0.999 {
				t.Fatalf("%q holds %v of itself, keywords %q", message, m.Keyword, q.Keywords)
			}
		}
	})
}

func FuzzAnalyse(f *testing.F) {
	for _, s := range []string{"我喜欢用 Python 写代码", "Pyth* **bold** 2*3", "机器*学习*", "\xff*\xe6", "I’d rather*", "ﬀ*"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, message, topic string) { check(t, message, topic) })
}

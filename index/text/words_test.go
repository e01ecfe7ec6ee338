package text

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func joined(words []string) string { return strings.Join(words, " ") }

// R3: the forms that an index scores by.
func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"":                 "",
		"the and of 的 了 我": "",
		"We deployed; she deploys, deploying deployments": "deploy deploy deploy deploy",
		"She went and bought the children books":          "go buy child book",
		"colour color favourite favorite":                 "color color favorit favorit",
		"Lives in Berlin, where do I live":                "live berlin live",
		"Running RUNS ran":                                "run run run",
		"机器学习":                                            "机器学习 机器 学习",
		"機器學習":                                            "机器学习 机器 学习",
		"代码":                                              "代码",
		"李梓涵":                                             "李梓涵 梓涵 李 梓 涵",
		"node.js":                                         "nodej node js",
		"nodejs":                                          "nodej",
		"e-mails":                                         "email mail",
		"wi-fi":                                           "wifi wi fi",
		"gpt-4.1":                                         "gpt41 gpt",
		"C++ C# .NET A+":                                  "c++ c# .net net a+",
		"1,000 3.14 10:30":                                "1000 3.14 10:30",
		"2026/01/28 2026-01-28":                           "2026-01-28 2026-01-28",
		"John's cats":                                     "john cat",
		"state-of-the-art":                                "state-of-the-art state art",
		"https://example.com/docs":                        "https://example.com/docs exampl doc",
		"alice@example.com":                               "alice@example.com alic exampl",
		"src/main.go":                                     "src/main.go src main go",
		"and/or":                                          "",
		"Ｐｙｔｈｏｎ Zoë":                                      "python zoe",
		"カレー 한국":                                          "カレー 한국",
		"snake_case":                                      "snakecas snake case",
		"5km K8s":                                         "5km k8s",
		"I don't, you're, who's":                          "",
	} {
		if got := joined(Words(in)); got != want {
			t.Errorf("Words(%q)\n got %s\nwant %s", in, got, want)
		}
	}
}

// R3: inflected forms meet, as they do between a question and what was said.
func TestStemsMeet(t *testing.T) {
	for _, family := range []string{
		"deploy deployed deploying deploys deployment",
		"go goes went gone", "buy buys bought buying", "child children child's",
		"write writes wrote written writing", "prefer prefers preferred preferring",
		"allergy allergies", "city cities", "knife knives", "travel travelled traveling",
		"study studies studied studying", "run runs ran running", "color colours",
		"good better best", "photo photos photograph", "swim swam swimming",
	} {
		words := strings.Fields(family)
		for _, w := range words[1:] {
			if a, b := joined(Words(words[0])), joined(Words(w)); a != b {
				t.Errorf("%s gives %q, %s gives %q", words[0], a, w, b)
			}
		}
	}
	for _, pair := range [][2]string{{"new", "news"}, {"cat", "car"}, {"port", "sport"}, {"use", "user"}} {
		if a, b := joined(Words(pair[0])), joined(Words(pair[1])); a == b {
			t.Errorf("%v both give %q", pair, a)
		}
	}
}

// R3: characters and pairs for finding.
func TestGrams(t *testing.T) {
	for in, want := range map[string]string{
		"":         "",
		"Python 3": "",
		"写代码":      "写 写代 代 代码 码",
		"寫代碼":      "写 写代 代 代码 码",
		"用 Go 写":   "用 写",
		"好。好":      "好 好",
		"代\u200b码": "代 代码 码",
		"カレー한국":    "カ カレ レ レー ー ー한 한 한국 국",
		"a猫b":      "猫",
		"猫\xff狗":   "猫 狗",
	} {
		got := Grams(in)
		seen := joined(got)
		if len(strings.Fields(want)) != len(got) || !sameSet(strings.Fields(want), got) {
			t.Errorf("Grams(%q) = %s, want %s", in, seen, want)
		}
	}
}

func sameSet(a, b []string) bool {
	count := map[string]int{}
	for _, x := range a {
		count[x]++
	}
	for _, x := range b {
		count[x]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return len(a) == len(b)
}

// R3: wherever a Chinese word stands, however the segmenter cuts there, its grams are among the text's.
func TestGramsFindEveryPlace(t *testing.T) {
	han := rapid.StringOfN(rapid.RuneFrom([]rune("我喜欢用写代码繁體資料庫的了在杭州機器学习")), 1, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		before, word, after := han.Draw(t, "before"), han.Draw(t, "word"), han.Draw(t, "after")
		have := map[string]bool{}
		for _, g := range Grams(before + word + after) {
			have[g] = true
		}
		for _, g := range Grams(word) {
			if !have[g] {
				t.Fatalf("%s in %s: no gram %s", word, before+word+after, g)
			}
		}
	})
}

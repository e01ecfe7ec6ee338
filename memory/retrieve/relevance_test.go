package retrieve

import (
	"math"
	"testing"
)

// R3a: min(1, BM25 / Σ idf); R6: the topic adds half, or stands alone.
func TestRelevance(t *testing.T) {
	for _, c := range []struct {
		name        string
		said, about BM25
		want        float64
		onTopic     bool
	}{
		{"a quarter", BM25{1, 4}, BM25{}, 0.25, false},
		{"more than full", BM25{5, 4}, BM25{}, 1, false},
		{"nothing", BM25{}, BM25{}, 0, false},
		{"the topic adds half", BM25{1, 4}, BM25{2, 5}, 0.25 + 0.5*0.4, true},
		{"the topic, faintly", BM25{0, 4}, BM25{1, 5}, 0.1, false},
		{"the topic alone", BM25{}, BM25{2, 5}, 0.4, true},
		{"both full", BM25{4, 4}, BM25{5, 5}, 1, true},
	} {
		got, onTopic := Relevance(c.said, c.about)
		if math.Abs(got-c.want) > 1e-12 || onTopic != c.onTopic {
			t.Errorf("%s: %v, %v; want %v, %v", c.name, got, onTopic, c.want, c.onTopic)
		}
	}
}

// R4: the share of the keywords that a text holds, Chinese and prefixes
// included, English in any form.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		message, topic, said string
		want                 float64
		onTopic, distinctive bool
	}{
		{"我喜欢用 Python 写代码", "", "他用 python 做分析", 1. / 3, false, true},
		{"我喜欢用 Python 写代码", "", "代码和PYTHON我都喜欢", 1, false, true},
		{"我喜歡用 Ｐｙｔｈｏｎ 寫代碼", "", "我喜欢用 Python 写代码", 1, false, true},
		{"代码", "", "写代码", 1, false, true},
		{"Where did we go?", "", "I went to Oslo", 1, false, false},
		{"I went there", "", "good morning", 0, false, false},
		{"study", "", "She studies law", 1, false, true},
		{"what about Lisbon and Porto", "", "I live in Lisbon", 0.5, false, true},
		{"cat", "", "concatenate", 0, false, false},
		{"Pyth*", "", "a Python script", 1, false, true},
		{"Pyth*", "", "empython", 0, false, false},
		{"机器*", "", "他在看机器学习", 1, false, true},
		{"and then?", "Fly deployment", "deployed to Fly", 1, true, true},
		{"tests", "Fly deployment pipeline", "deployed to Fly", 1. / 3, true, true},
		{"", "", "anything", 0, false, false},
	} {
		got := Share(Analyse(c.message, c.topic), c.said)
		if math.Abs(got.Keyword-c.want) > 1e-9 || got.OnTopic != c.onTopic || got.Distinctive != c.distinctive {
			t.Errorf("Share(%q, %q; %q) = %+v, want %.3f %v %v", c.message, c.topic, c.said, got, c.want, c.onTopic, c.distinctive)
		}
	}
}

package retrieve

import (
	"slices"
	"testing"

	"memoria/memory"
)

// R2: a question names the people and animals of whom it is, in both languages.
func TestWhose(t *testing.T) {
	for message, want := range map[string][]string{
		"Where does my sister live?":         {"sister", "姐姐", "妹妹"},
		"what is my husband's job?":          {"husband", "老公", "丈夫"},
		"What are my cats called?":           {"cat", "小猫"},
		"我妹妹住哪儿？":                            {"sister", "妹妹"},
		"我的狗叫什么？":                            {"dog", "狗"},
		"女儿几岁了？":                             {"daughter", "女儿"},
		"What is Danny allergic to?":         {"danni"},
		"how old is Biscuit?":                {"biscuit"},
		"Where do I live?":                   nil,
		"我住在哪里？":                             nil,
		"哪家的热狗好吃？":                           nil, // no dog of mine
		"My sister lives in Porto.":          nil, // no question
		"Which friend of mine has a sister?": {"friend", "朋友", "sister"},
	} {
		q := Analyse(message, "")
		var words []string
		for _, term := range q.Whose.Terms {
			words = append(words, term.Text)
		}
		words = append(words, q.Whose.Grams...)
		if want == nil && len(words) > 0 {
			t.Errorf("%q is about %q", message, words)
		}
		for _, w := range want {
			if !slices.Contains(words, w) {
				t.Errorf("%q: %q, want %q", message, words, w)
			}
		}
	}
}

// R3a: of the memories that match a question about somebody, those that are not about them keep half of their relevance; all
// keep it if the memory knows nobody of the kind.
func TestOthersAreLess(t *testing.T) {
	q := Analyse("Where does my sister live?", "")
	hits := []Hit{{ID: "mine", Words: 3, Marked: true}, {ID: "hers", Words: 3, Marked: true}}
	g := Gathered{
		Said:  Matches{Hits: hits, Words: []TermStat{{Text: "sister", Boost: 1, IDF: 3, Held: true}, {Text: "live", Boost: 1, IDF: 3, Held: true}}},
		Whose: Matches{Hits: hits[1:]},
		Head: func(id string) (memory.Head, bool) {
			head := memory.Head{ID: id, Type: memory.TypeFact, State: memory.StateActive, Confidence: 0.9}
			if id == "hers" {
				head.Type = memory.TypeRelationship
			}
			return head, true
		},
	}
	relevance := func() (mine, hers float64) {
		for _, r := range Select(q, g, DefaultConfig(), thursday) {
			if r.ID == "mine" {
				mine = r.Parts.Relevance
			} else {
				hers = r.Parts.Relevance
			}
		}
		return mine, hers
	}
	if mine, hers := relevance(); mine == 0 || mine != hers*othersWeight {
		t.Errorf("relevance %v of the user's own home, %v of the sister's", mine, hers)
	}
	g.Whose = Matches{}
	if mine, hers := relevance(); mine == 0 || mine != hers {
		t.Errorf("relevance %v and %v of two memories that match equally", mine, hers)
	}
	q = Analyse("Where do I live?", "")
	if mine, hers := relevance(); mine == 0 || hers != mine*othersWeight {
		t.Errorf("relevance %v of the user's own home, %v of the sister's, of whom the question is not", mine, hers)
	}
	q, g.Whose = Analyse("Does anybody live in Ines?", ""), Matches{Hits: hits[:1]}
	if mine, hers := relevance(); mine == 0 || mine != hers {
		t.Errorf("relevance %v and %v, where the name is of no person", mine, hers)
	}
}

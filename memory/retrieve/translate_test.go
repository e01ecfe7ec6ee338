package retrieve

import (
	"slices"
	"testing"
)

// translatedTerms are the terms and grams of all translations of a message's words, and those that mark.
func translatedTerms(q Query) (all, marks []string) {
	for _, t := range q.Translated {
		for _, w := range t.Words {
			all = append(append(all, w.Terms...), w.Grams...)
			if w.Mark {
				marks = append(marks, w.Terms...)
			}
		}
	}
	return all, marks
}

// R13: a message is looked for in the other language, too; only a distinctive word makes its translations so.
func TestAnalyseTranslates(t *testing.T) {
	for _, c := range []struct {
		message        string
		all, marks     string // one that is looked for, one that marks a memory
		never, notMark string
	}{
		{message: "What is my cat called?", all: "小猫", marks: "猫", never: "cat"},
		{message: "我对什么过敏", all: "allergi", marks: "allergi", never: "过敏"},
		{message: "我怕什么", all: "afraid", notMark: "afraid"},         // everyday here and there
		{message: "我的手表", all: "watch", notMark: "watch"},           // everyday there
		{message: "what time is it?", never: "时间", notMark: "时间"},   // nothing to look for
		{message: "my credit card", all: "信用卡", marks: "信用卡"},       // a phrase
		{message: "我的信用卡", all: "card", notMark: "card"},            // the words of a phrase are not it
		{message: "cat 猫", never: "猫"},                              // said already
		{message: "my cousin", all: "表姐", marks: "堂弟", never: "妹妹"}, // each of several
	} {
		q := Analyse(c.message, "")
		all, marks := translatedTerms(q)
		if c.all != "" && !slices.Contains(all, c.all) || c.marks != "" && !slices.Contains(marks, c.marks) ||
			c.never != "" && slices.Contains(all, c.never) || c.notMark != "" && slices.Contains(marks, c.notMark) {
			t.Errorf("%s: looks for %q, marks by %q", c.message, all, marks)
		}
	}
}

// R13: the parts of a phrase are looked for, too, where their translations make up the phrase's.
func TestAnalyseTranslatesParts(t *testing.T) {
	q := Analyse("a birthday party with hot dogs", "")
	if len(q.Translated) != 2 || len(q.Translated[0].Parts) == 0 || len(q.Translated[1].Parts) != 0 {
		t.Errorf("%+v", q.Translated)
	}
}

// R13: a memory of the other language holds a phrase only where its words stand together.
func TestSaysPhrase(t *testing.T) {
	q := Analyse("我的信用卡放在哪里", "")
	for said, want := range map[string]bool{
		"The credit cards are in the drawer": true, "Gives credit for a good card": false, "信用卡在抽屉里": false,
	} {
		if got := SaysPhrase(said, q); got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}

// R4, R13: without an index a translation counts as the word.
func TestShareTranslated(t *testing.T) {
	for _, c := range []struct {
		message, said string
		want          float64
	}{
		{"my cat", "养了一只橘猫", 1},
		{"我的猫", "Has two kittens", 1},
		{"我的高中", "Went to high school", 1},
		{"我的高中", "Went to primary school", 0},
		{"my dog and my cat", "养了一只猫", 0.5},
	} {
		q := Analyse(c.message, "")
		if got := ShareTranslated(q, c.said); got.Keyword != c.want || got.Own != (c.want > 0) {
			t.Errorf("%s in %s: %+v, want %v", c.message, c.said, got, c.want)
		}
		if got := Share(q, c.said); got.Keyword != 0 {
			t.Errorf("%s in %s, in its own words: %+v", c.message, c.said, got)
		}
	}
}

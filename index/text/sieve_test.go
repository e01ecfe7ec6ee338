package text

import (
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// mustPass checks that a sieve for any word of a text lets the text through.
func mustPass(t interface{ Fatalf(string, ...any) }, said string) {
	for _, w := range Words(said) {
		if !NewSieve(w).Passes(said) {
			t.Fatalf("%q holds %q and does not pass", said, w)
		}
	}
}

// R4: what a sieve keeps back does not hold the word: tried with English as it
// is written, and with what else stands in this package.
func TestSieveKeepsNothingBack(t *testing.T) {
	texts := []string{
		"dying lying tying skies skiing cried possibility organization organisations hoping hopped e-mail 1,000 2026/01/28 gpt-4.1 C++ c# .NET",
		"https://go.dev/x?y=1 ~/a/b.txt a@b.co john's O'Neil don't R&D 10:30 机器学习 王小明 ｐｙｔｈｏｎ naïve Straße ½ ㍿",
	}
	for _, name := range []string{"doc.go", "stem.go", "data/irregular_en.txt", "data/stop_en.txt", "../../LICENSE", "../../README.md"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.Fields(string(b))...)
	}
	endings := []string{"", "s", "es", "ed", "ing", "ly", "er", "ness", "ful", "ation", "ization", "ability", "ies", "ied", "ency", "ousness", "ical", "ional", "'s"}
	for _, word := range texts {
		mustPass(t, word)
		for _, e := range endings {
			mustPass(t, strings.TrimRight(word, "ey")+e)
		}
	}
	words := rapid.SampledFrom(append(texts[:40:40], "写代码", "陶艺课", "e", "-", "'", ".", "@", "/", "1", "é", "\u200b", "ｶﾞ", "各", "한\u200b글"))
	rapid.Check(t, func(t *rapid.T) {
		mustPass(t, strings.Join(rapid.SliceOfN(words, 1, 6).Draw(t, "words"), rapid.SampledFrom([]string{"", " ", "-", ", "}).Draw(t, "between")))
	})
}

func TestSieveHoldsBack(t *testing.T) {
	for _, c := range []struct{ word, said string }{
		{"kiln", "The deploy script uses pnpm"}, {"go", "none of it"}, {"普洱", "乌龙茶"}, {"tea", "coffee"}, {"email", "mail, electronic"},
	} {
		if NewSieve(c.word).Passes(c.said) {
			t.Errorf("%q passes the sieve for %q", c.said, c.word)
		}
	}
	if NewSieve().Passes("anything") {
		t.Error("passes a sieve for nothing")
	}
}

func FuzzSieve(f *testing.F) {
	f.Add("dying skies, e-mail 1,000 写代码")
	f.Fuzz(func(t *testing.T, said string) { mustPass(t, said) })
}

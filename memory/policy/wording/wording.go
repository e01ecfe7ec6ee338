package wording

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory/policy/lang"
)

var (
	framingEN = lang.Listed("wording_framing_en")
	framingZH = lang.Listed("wording_framing_zh")
	endingEN  = lang.Listed("ending_en")
	endingZH  = lang.Listed("ending_zh")
)

// numberForms maps each form of a number to all its forms.
var numberForms = lang.ListedForms("wording_numbers")

// Unsaid returns the content words of a conclusion that occur in none of its source texts. A word counts as
// said in any inflected form, in a translation, or if it only frames the statement ("has", "likes"). Names
// and words with digits must occur unchanged; a number may be in words.
func Unsaid(conclusion string, said ...string) (out []string) {
	in := newSaidWords(strings.Join(said, "\n"))
	translated := in.translated(conclusion)
	from := 0
	for _, k := range text.Keywords(conclusion) {
		at := strings.Index(conclusion[from:], k)
		if at < 0 {
			at, from = strings.Index(conclusion, k), 0
		}
		at += from
		switch {
		case in.word(k), in.number(k):
		case particular(conclusion, k):
			out = append(out, k)
		case framingEN().Has(text.Fold(k)), in.covers(text.Fold(k)):
		case slices.ContainsFunc(translated, func(span [2]int) bool { return span[0] <= at && at+len(k) <= span[1] }):
		default:
			out = append(out, k)
		}
	}
	return out
}

// saidWords are source words, indexed for lookup.
type saidWords struct {
	folded  string
	words   map[string]bool
	meaning []text.Translation
}

func newSaidWords(said string) saidWords {
	out := saidWords{folded: text.Fold(said), words: map[string]bool{}}
	for _, w := range text.Words(said) {
		out.words[w] = true
	}
	for _, t := range text.Tokens(said) { // stop words too: a name may be one
		out.words[t.Text] = true
	}
	out.meaning = text.Translate(out.folded)
	return out
}

// word reports whether a keyword was said, in any inflected form.
func (s saidWords) word(k string) bool {
	f := text.Fold(k)
	if lang.HasHan(f) {
		return strings.Contains(s.folded, f)
	}
	forms := text.Words(k)
	return s.words[f] || len(forms) > 0 && !slices.ContainsFunc(forms, func(w string) bool { return !s.words[w] })
}

// number reports whether a number was said, in digits or in words.
func (s saidWords) number(k string) bool {
	f := text.Fold(k)
	if strings.ContainsAny(f, "0123456789") {
		f = strings.TrimRight(f, "sthndr")
	}
	return slices.ContainsFunc(numberForms()[f], func(w string) bool {
		return s.words[w] || lang.HasHan(w) && strings.Contains(s.folded, w)
	})
}

// covers reports whether a Chinese word consists of said characters and framing words.
func (s saidWords) covers(w string) bool {
	if !lang.HasHan(w) {
		return false
	}
	for w != "" {
		frame := framingZH().Prefix(w)
		if frame == "" {
			frame = string([]rune(w)[:1])
			if !strings.Contains(s.folded, frame) && !s.number(frame) {
				return false
			}
		}
		w = w[len(frame):]
	}
	return true
}

// translated returns the places of a conclusion that were said in other words. Within one language only words
// for the same thing count.
func (s saidWords) translated(conclusion string) (out [][2]int) {
	for _, t := range text.Translate(conclusion) {
		han := lang.HasHan(conclusion[t.Start:t.End])
		if slices.ContainsFunc(s.meaning, func(o text.Translation) bool {
			return t.Names(o) || han != lang.HasHan(s.folded[o.Start:o.End]) && t.Akin(o)
		}) {
			out = append(out, [2]int{t.Start, t.End})
		}
	}
	return out
}

// Ends reports whether words say that something is over or no longer true.
func Ends(said string) bool {
	f := text.Fold(said)
	if lang.HasHan(f) {
		for i := range f {
			if endingZH().Prefix(f[i:]) != "" {
				return true
			}
		}
	}
	words := strings.FieldsFunc(f, func(r rune) bool { return strings.ContainsRune(" \n\t,.;:!?\"()", r) })
	for i := range words {
		if endingEN().Has(words[i]) {
			return true
		}
		for n := 2; n <= 3 && i+n <= len(words); n++ {
			if endingEN().Words[strings.Join(words[i:i+n], " ")] {
				return true
			}
		}
	}
	return false
}

var (
	negation    = lang.Form("negation")
	notNegation = lang.Form("notNegation")
	averse      = lang.Form("averse")
)

// Negated reports whether words deny something.
func Negated(s string) bool {
	return negation.Match(notNegation.Replace(lang.NewView(s, lang.MaxRead).Text, " "))
}

// Averse reports whether words express aversion: hating, avoiding, having stopped.
func Averse(s string) bool { return averse.Match(lang.NewView(s, lang.MaxRead).Text) }

// Opposes reports whether a conclusion is the opposite of a statement: one denies, and the other neither
// denies nor expresses aversion.
func Opposes(statement, conclusion string) bool {
	a, b := Negated(statement), Negated(conclusion)
	return a != b && !(a && Averse(conclusion)) && !(b && Averse(statement))
}

// Shares returns the share of a conclusion's keywords in a text, 0 to 1; 0 if it has none. Words with a
// capital or digits must occur, otherwise the share is 0: a name is never a paraphrase.
func Shares(conclusion, said string) float64 {
	words, han := map[string]bool{}, text.Fold(said)
	for _, w := range text.Words(said) {
		words[w] = true
	}
	in := func(w string) bool {
		if lang.HasHan(w) {
			return strings.Contains(han, w)
		}
		return words[w]
	}
	keys := text.Keywords(conclusion)
	if len(keys) == 0 {
		return 0
	}
	n := 0
	for _, k := range keys {
		there := !slices.ContainsFunc(text.Words(k), func(w string) bool { return !in(w) })
		if there || strings.Contains(han, text.Fold(k)) {
			n++
		} else if particular(conclusion, k) {
			return 0
		}
	}
	return float64(n) / float64(len(keys))
}

// Particulars returns the irreplaceable words of a text, folded: names, as far as capitals show them, and
// words with digits.
func Particulars(s string) []string {
	var out []string
	for _, k := range text.Keywords(s) {
		if particular(s, k) {
			out = append(out, text.Fold(k))
		}
	}
	return out
}

// particular reports whether a keyword is a name or a number in s; the first word of a sentence is
// always capitalised.
func particular(s, keyword string) bool {
	if strings.ContainsAny(keyword, "0123456789") {
		return true
	}
	i := strings.Index(s, keyword)
	r, _ := utf8.DecodeRuneInString(keyword)
	return i > 0 && 'A' <= r && r <= 'Z' && !strings.HasSuffix(strings.TrimRight(s[:i], " "), ".")
}

// SharesWord reports whether two texts have a word in common, in one language or two. Words for the user do
// not count.
func SharesWord(a, b string) bool {
	x, y := meaningful(a), meaningful(b)
	folded := text.Fold(b)
	for _, w := range x {
		if slices.Contains(y, w) || lang.HasHan(w) && strings.Contains(folded, w) {
			return true
		}
	}
	for _, t := range text.Translate(text.Fold(a)) {
		if slices.ContainsFunc(text.Translate(folded), t.Akin) {
			return true
		}
	}
	return false
}

func meaningful(s string) []string {
	return slices.DeleteFunc(text.Words(s), func(w string) bool { return w == "user" || w == "用户" || w == "我" })
}

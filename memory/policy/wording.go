package policy

import (
	"slices"
	"strings"
	"sync"

	"memoria/index/text"
)

var (
	framingEN = listed("wording_framing_en")
	framingZH = listed("wording_framing_zh")
	endingEN  = listed("ending_en")
	endingZH  = listed("ending_zh")
)

// numberForms maps each form of a number to all its forms.
var numberForms = sync.OnceValue(func() map[string][]string {
	file, err := data.ReadFile("data/lists/wording_numbers.txt")
	if err != nil {
		panic("policy: " + err.Error()) // the binary is broken
	}
	out := map[string][]string{}
	for line := range strings.Lines(string(file)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		forms := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
		for _, w := range forms {
			out[w] = forms
		}
	}
	return out
})

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
		case framingEN().has(text.Fold(k)), in.covers(text.Fold(k)):
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
	if hasHan(f) {
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
		return s.words[w] || hasHan(w) && strings.Contains(s.folded, w)
	})
}

// covers reports whether a Chinese word consists of said characters and framing words.
func (s saidWords) covers(w string) bool {
	if !hasHan(w) {
		return false
	}
	for w != "" {
		frame := framingZH().prefix(w)
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
		han := hasHan(conclusion[t.Start:t.End])
		if slices.ContainsFunc(s.meaning, func(o text.Translation) bool {
			return t.Names(o) || han != hasHan(s.folded[o.Start:o.End]) && t.Akin(o)
		}) {
			out = append(out, [2]int{t.Start, t.End})
		}
	}
	return out
}

// Ends reports whether words say that something is over or no longer true.
func Ends(said string) bool {
	f := text.Fold(said)
	if hasHan(f) {
		for i := range f {
			if endingZH().prefix(f[i:]) != "" {
				return true
			}
		}
	}
	words := strings.FieldsFunc(f, func(r rune) bool { return strings.ContainsRune(" \n\t,.;:!?\"()", r) })
	for i := range words {
		if endingEN().has(words[i]) {
			return true
		}
		for n := 2; n <= 3 && i+n <= len(words); n++ {
			if endingEN().words[strings.Join(words[i:i+n], " ")] {
				return true
			}
		}
	}
	return false
}

package text

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Sieve tells texts apart that may hold certain words from those that cannot, for a small part of what
// Words costs. It is for reading through many texts.
type Sieve struct{ needles []string }

// NewSieve makes a sieve for words in the form that Words gives them. Without words nothing passes it.
func NewSieve(forms ...string) Sieve {
	var s Sieve
	for _, f := range forms {
		s.needles = append(s.needles, squeeze(f)[:len(squeeze(f))-loose(f)])
		s.needles = append(s.needles, irregularFormsOf()[f]...)
	}
	return s
}

// Passes reports whether Words(said) may hold one of the words; when it says no, it does not.
func (s Sieve) Passes(said string) bool {
	if len(s.needles) == 0 {
		return false
	}
	squeezed := squeeze(said)
	for _, n := range s.needles {
		if strings.Contains(squeezed, n) {
			return true
		}
	}
	return false
}

// squeeze leaves the letters and digits of a text, folded. A token is in one piece there, whatever marks
// it is joined by (e-mail, 1,000), and so is every part of it.
func squeeze(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	eachFolded(s, func(r rune, _, _ int) {
		if r < utf8.RuneSelf && asciiClasses[r]&inWord == 0 || r >= utf8.RuneSelf && !CJK(r) && !letter(r) {
			return
		}
		b.WriteRune(r)
	})
	return b.String()
}

// loose is how many bytes at the end of a form may be other ones in the word that it was made of: stems
// turn y into i, put an e back or change what stands before a suffix (cri, hope, possibl).
func loose(form string) int {
	if len(form) < 3 || strings.ContainsFunc(form, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return 0
	}
	switch form {
	case "die", "lie", "tie", "sky": // dying, lying, tying, skies
		return 2
	}
	if strings.IndexByte("eiyl", form[len(form)-1]) >= 0 {
		return 1
	}
	return 0
}

// irregularFormsOf holds, for each stem, the irregular words that have it.
var irregularFormsOf = sync.OnceValue(func() map[string][]string {
	of := make(map[string][]string, 512)
	for word, base := range irregular() {
		of[stem(base)] = append(of[stem(base)], squeeze(word))
	}
	return of
})

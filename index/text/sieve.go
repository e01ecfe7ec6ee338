package text

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Sieve quickly rejects texts that cannot hold certain words, at a small part of the
// cost of Words. It is for scanning many texts.
type Sieve struct{ needles []string }

// NewSieve returns a sieve for words in the form of Words. Without words nothing
// passes.
func NewSieve(forms ...string) Sieve {
	var s Sieve
	for _, f := range forms {
		s.needles = append(s.needles, squeeze(f)[:len(squeeze(f))-loose(f)])
		s.needles = append(s.needles, irregularFormsOf()[f]...)
	}
	return s
}

// Passes reports whether Words(said) may hold one of the words. false is certain.
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

// squeeze returns the letters and digits of a text, folded. A token stays in one piece,
// whatever its marks (e-mail, 1,000), and so does every part of it.
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

// loose returns the number of bytes at the end of a form that may differ in the
// original word: stems turn y into i, restore an e or change the letters before a
// suffix (cri, hope, possibl).
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

// irregularFormsOf maps each stem to its irregular words.
var irregularFormsOf = sync.OnceValue(func() map[string][]string {
	of := make(map[string][]string, 512)
	for word, base := range irregular() {
		of[stem(base)] = append(of[stem(base)], squeeze(word))
	}
	return of
})

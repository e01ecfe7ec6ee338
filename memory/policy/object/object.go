package object

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
)

// maxKeyRunes bounds the object in a key; a longer one is cut and ends in a hash.
const maxKeyRunes = 48

var (
	// keyNoise are words that do not distinguish things.
	keyNoise = lang.Words("keyNoise")
	// lightVerb expresses only the use of a thing; "drinking tea" and "tea" are one preference.
	lightVerb = lang.FormEach("lightVerb")
	// adverbial begins adverbial phrases, which are not objects.
	adverbial = lang.Form("adverbial")
	// closing ends a Chinese phrase without belonging to it; closingDe belongs to it, but not to its key.
	closing   = lang.Form("closing")
	closingDe = lang.Form("closingDe")
)

// Key returns the form of an object in a key: folded, without articles, politeness and
// particles, words joined by hyphens. "a cup of Tea" and "drinking tea" give "tea", 喝茶了 gives 茶.
func Key(s string) string {
	f := strings.TrimSpace(text.Fold(s))
	f = Trim(f)
	for _, re := range lightVerb {
		if m := re.Groups(f); m != nil && !adverbial.Match(f[m[2]:m[3]]) {
			f = f[m[2]:m[3]]
		}
	}
	f = strings.TrimPrefix(f, "to ")
	for _, re := range []pattern.Pattern{closing, closingDe} {
		if cut := re.Replace(f, ""); cut != "" {
			f = cut
		}
	}
	words := strings.FieldsFunc(f, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("+#.'", r)
	})
	kept := words[:0]
	for i, w := range words {
		w = strings.Trim(w, ".'")
		if w == "" || keyNoise()[w] && len(words) > 1 || w == "of" && i == 0 {
			continue
		}
		kept = append(kept, w)
	}
	if len(kept) > 1 && kept[0] == "of" {
		kept = kept[1:]
	}
	return Bounded(strings.Join(kept, "-"))
}

// Bounded cuts a long key and adds a hash of the whole.
func Bounded(key string) string {
	if utf8.RuneCountInString(key) <= maxKeyRunes {
		return key
	}
	return string([]rune(key)[:maxKeyRunes-9]) + "-" + Hash(key)[:8]
}

// Hash returns a hash in hexadecimal digits.
func Hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// trailer ends a statement without belonging to its object.
var trailer = lang.FormEach("trailer")

// Trim removes the end of a folded object that does not belong to it.
func Trim(f string) string {
	for {
		cut := f
		for _, t := range trailer {
			cut = t.Replace(cut, "")
		}
		if cut == f || cut == "" {
			return f
		}
		f = cut
	}
}

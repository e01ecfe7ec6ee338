package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory/pattern"
)

// maxKeyRunes bounds the object in a key; a longer one is cut and ends in a hash of the whole.
const maxKeyRunes = 48

var (
	// keyNoise are the words that do not tell one thing from another.
	keyNoise = words("keyNoise")
	// lightVerb only says what one does with a thing; "drinking tea" and "tea" are one preference.
	lightVerb = formEach("lightVerb")
	// adverbial begins what says how or when one does something, which is no object.
	adverbial = form("adverbial")
	// closing ends a Chinese phrase without belonging to it; closingDe belongs to it, but not to its key.
	closing   = form("closing")
	closingDe = form("closingDe")
)

// objectKey is the form in which an object stands in a key: folded, without articles, politeness and
// particles, words joined by hyphens. "a cup of Tea" and "drinking tea" give "tea", 喝茶了 gives 茶.
func objectKey(s string) string {
	f := strings.TrimSpace(text.Fold(s))
	f = trimObject(f)
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
	return bounded(strings.Join(kept, "-"))
}

// bounded cuts a long key and marks it with a hash of the whole.
func bounded(key string) string {
	if utf8.RuneCountInString(key) <= maxKeyRunes {
		return key
	}
	return string([]rune(key)[:maxKeyRunes-9]) + "-" + hash(key)[:8]
}

// noteKey names a note by its words: the same note said again, with other stops or politeness, is the same.
func noteKey(content string) string {
	return "note/" + hash(sameForm(trimObject(text.Fold(content))))[:12]
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// trailer ends a statement without belonging to its object.
var trailer = formEach("trailer")

// trimObject cuts what ends a folded object without belonging to it.
func trimObject(f string) string {
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

// wordSet makes a set of the words in a list; an underscore stands for a blank.
func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[strings.ReplaceAll(w, "_", " ")] = true
	}
	return set
}

package sensitive

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"memoria/memory/policy/lang"
)

// Span marks a part of a text: Offset and Length in bytes, and its kind.
type Span struct {
	Offset int
	Length int
	Kind   string
}

//go:embed secrets.txt
var secretsText string

// secretTable returns the parsed secrets.txt.
var secretTable = sync.OnceValue(func() *table {
	t := newTable()
	if err := t.file(secretsText); err != nil {
		panic("sensitive: secrets.txt: " + err.Error())
	}
	return t
})

// Secrets finds content that must never become a memory (P5): private keys, keys and tokens of known
// services, anything named as a password, pin, key, payment card or identity card, and unnamed payment card numbers with
// a valid check digit.
// Spans are in order and do not overlap. It reads only the first 64 KiB.
func Secrets(s string) (spans []Span) {
	t := secretTable()
	found := t.expressions(s[:min(len(s), maxScan)], keyBlock, func(n expression, lo, hi int) bool { return t.checks(n.check, s[lo:hi]) })
	slices.SortStableFunc(found, func(a, b Match) int { return cmp.Compare(a.Offset, b.Offset) })
	for _, m := range merge(found) {
		spans = append(spans, Span{m.Offset, m.Length, m.Class})
	}
	return spans
}

// checks reports whether a found text passes a check of secrets.txt.
func (t *table) checks(check, found string) bool {
	switch check {
	case "digit":
		return hasDigit(found)
	case "card":
		return cardNumber(found)
	case "phrase":
		return hasDigit(found) || strings.Contains(found, " ")
	case "han":
		begins := func(w string) bool { return strings.HasPrefix(found, w) }
		return !slices.ContainsFunc(t.lists["@notSecretHan"], begins) && t.checks("word", found)
	case "word":
		return found != Secret && !slices.Contains(t.lists["@notSecret"], strings.ToLower(strings.Trim(found, ".!?'\"()")))
	}
	return true
}

// SecretKinds returns the distinct kinds of secrets in a text, such as "password".
func SecretKinds(s string) (kinds []string) {
	for _, sp := range Secrets(s) {
		if !slices.Contains(kinds, sp.Kind) {
			kinds = append(kinds, sp.Kind)
		}
	}
	return kinds
}

// Leaks reports whether a text contains a secret, or Repeats one from said: a password or number named
// there need not be named again.
func Leaks(said, repeated string) bool {
	return len(Secrets(repeated)) > 0 || Repeats(SecretWords(said), repeated)
}

// SharesSecret reports whether a text repeats a secret of said; another secret is none of it.
func SharesSecret(said, other string) bool {
	words := func(s string) (out []string) {
		for _, at := range Secrets(s) {
			out = append(out, s[at.Offset:at.Offset+at.Length])
		}
		return out
	}
	has := words(other)
	return Repeats(SecretWords(said), other) ||
		slices.ContainsFunc(words(said), func(w string) bool { return slices.Contains(has, w) })
}

// leastSecret is the minimum length in bytes of a recognisable secret.
const leastSecret = 4

// SecretWords returns the secrets of a text that cannot be common words: those with more than
// letters.
func SecretWords(s string) (out []string) {
	for _, at := range Secrets(s) {
		w := s[at.Offset : at.Offset+at.Length]
		if len(w) >= leastSecret && strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) {
			out = append(out, w)
		}
	}
	return out
}

// Repeats reports whether a text has one of some secrets.
func Repeats(secrets []string, s string) bool {
	return slices.ContainsFunc(secrets, func(w string) bool { return lang.ContainsWords(s, w) })
}

// PII finds personal data (P5) and content of sensitive classes (P5a). Kind is the
// class. If words make the rest of a clause sensitive, the span includes the rest.
func PII(s string) []Span {
	var out []Span
	for _, m := range Find(s) {
		lo, hi := m.Offset, m.Offset+m.Length+m.Rest
		if n := len(out); n > 0 && lo < out[n-1].Offset+out[n-1].Length {
			out[n-1].Length = max(out[n-1].Length, hi-out[n-1].Offset)
			continue
		}
		out = append(out, Span{lo, hi - lo, m.Class})
	}
	return out
}

// keyBlock returns the length of the first line of s, or of all of s if it contains a key block.
func keyBlock(s string) int {
	end := lineEnd(s)
	if strings.Contains(s[:end], "-----BEGIN ") {
		if i := strings.Index(s[end:], "-----END "); i >= 0 {
			end += i
			return end + max(0, strings.IndexByte(s[end:]+"\n", '\n'))
		}
	}
	return end
}

// Redacted replaces personal data, Secret replaces a secret.
const (
	Redacted = "•••"
	Secret   = "[secret]"
)

// Redact replaces each span from [Secrets] or [PII] of s by [Redacted].
func Redact(s string, spans []Span) string {
	return replaceSpans(s, spans, func(Span) string { return Redacted })
}

// HideSecrets replaces each secret in s, and each repetition of a secret in said, by [Secret].
func HideSecrets(s string, said ...string) string {
	var words []string
	for _, text := range said {
		words = append(words, SecretWords(text)...)
	}
	return HideWords(s, words)
}

// HideWords is [HideSecrets] with further words to hide.
func HideWords(s string, words []string) string {
	s = replaceSpans(s, Secrets(s), func(Span) string { return Secret })
	for _, w := range words {
		for range maxRepeats {
			lo, hi, ok := lang.FoldedIndex(s, w)
			if !ok {
				break
			}
			s = s[:lo] + Secret + s[hi:]
		}
	}
	return s
}

// maxRepeats bounds the hidden repetitions of one secret.
const maxRepeats = 20

// Blank replaces secret and sensitive content by blanks.
func Blank(s string) string {
	blanks := func(sp Span) string { return strings.Repeat(" ", sp.Length) }
	s = replaceSpans(s, Secrets(s), blanks)
	return replaceSpans(s, PII(s), blanks)
}

func replaceSpans(s string, spans []Span, with func(Span) string) string {
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	end := 0
	for _, sp := range spans {
		b.WriteString(s[end:sp.Offset])
		b.WriteString(with(sp))
		end = sp.Offset + sp.Length
	}
	b.WriteString(s[end:])
	return b.String()
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// cardNumber accepts 13–19 digits that begin like a payment card's and pass the Luhn check (ISO/IEC 7812-1).
func cardNumber(s string) bool {
	sum, n := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		c := s[i]
		if c < '0' || c > '9' {
			continue
		}
		d := int(c - '0')
		if n%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
		n++
	}
	return n >= 13 && n <= 19 && sum%10 == 0 && strings.ContainsRune("23456", rune(s[0]))
}

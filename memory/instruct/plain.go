package instruct

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

const (
	maxBytes = 600 // of an instruction; longer messages are something else
	maxLines = 2   // that are not empty
)

// Tokens of a plain text other than words.
const (
	comma = ","
	stop  = "."
)

// token is a word, a Chinese character or a pause, with its source bytes.
type token struct {
	text   string // folded; may be several words after spelling
	lo, hi int
}

// plain is a text prepared for matching: each token followed by a blank, except between Chinese characters.
type plain struct {
	text string
	// from and to are the source bytes of each byte.
	from, to []int
}

// newPlain returns the plain form of a text; ok is false if the text contains something that no instruction
// has: code, mark-up, a quotation at its beginning, many lines.
func newPlain(s string, respell map[string]string) (p plain, ok bool) {
	s = strings.TrimSpace(s) // the caller corrects offsets
	if s == "" || len(s) > maxBytes || !utf8.ValidString(s) || strings.ContainsAny(s, "`{}<>=\\|#~^《》") || strings.Contains(s, "://") {
		return p, false
	}
	lines := 0
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) != "" {
			lines++
		}
	}
	if lines > maxLines || quotedFirst(s) || quotes(s) {
		return p, false
	}
	tokens := cut(s)
	for i, t := range tokens {
		if to, is := respell[t.text]; is {
			tokens[i].text = to
		}
	}
	var b strings.Builder
	for i, t := range tokens {
		had := b.Len()
		b.WriteString(t.text)
		if i == len(tokens)-1 || !han(t.text) || !han(tokens[i+1].text) {
			b.WriteByte(' ')
		}
		for range b.Len() - had {
			p.from, p.to = append(p.from, t.lo), append(p.to, t.hi)
		}
	}
	p.text = b.String()
	return p, strings.Trim(p.text, " ,.") != ""
}

// quotedFirst reports whether a text begins as a quotation.
func quotedFirst(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("\"“”„«「『《'‘*-•>", r)
}

// quotes reports whether a text quotes several words: then it is about them.
func quotes(s string) bool {
	for _, pair := range [][2]string{{"\"", "\""}, {"“", "”"}, {"「", "」"}} {
		if _, after, ok := strings.Cut(s, pair[0]); ok {
			in, _, ok := strings.Cut(after, pair[1])
			if ok && (len(strings.Fields(in)) >= quotedWords || longHan(in)) {
				return true
			}
		}
	}
	return false
}

// quotedWords is the length of a quotation that is more than a name.
const quotedWords = 4

// longHan reports whether a Chinese quotation is more than a name.
func longHan(s string) bool {
	return strings.ContainsFunc(s, text.Han) && utf8.RuneCountInString(s) > 2*quotedWords
}

func han(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return text.CJK(r)
}

// cut splits a text into tokens. Apostrophes are dropped ("dont"), a point inside a number becomes "·".
func cut(s string) (out []token) {
	word, lo := "", 0
	end := func(hi int) {
		if word != "" {
			out = append(out, token{word, lo, hi})
		}
		word = ""
	}
	pause := func(mark string, at, hi int) {
		end(at)
		if n := len(out); n > 0 && (out[n-1].text == comma || out[n-1].text == stop) {
			if mark == stop {
				out[n-1].text = stop
			}
			return
		}
		out = append(out, token{mark, at, hi})
	}
	for i, r := range s {
		size := utf8.RuneLen(r)
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		switch {
		case text.CJK(r):
			end(i)
			out = append(out, token{text.Fold(string(r)), i, i + size})
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
			if word == "" {
				lo = i
			}
			word += strings.ToLower(text.Fold(string(r)))
		case r == '\'' || r == '’' || r == '`' || r == 'ʼ':
			if !unicode.IsLetter(next) {
				end(i)
			}
		case word != "" && strings.ContainsRune(".,:", r) && unicode.IsDigit(next) && unicode.IsDigit(lastRune(word)):
			word += "·"
		case strings.ContainsRune("_@+&%$€/", r) && word != "" && unicode.IsLetter(next):
			word += "·"
		case r == '-' && word != "" && unicode.IsLetter(next):
			end(i)
		case strings.ContainsRune(".!?;:…\n。！？；：⋯", r):
			pause(stop, i, i+size)
		case strings.ContainsRune(",，、–—", r), r == '-' && word == "":
			pause(comma, i, i+size)
		default: // blanks, emoji, quotation marks, brackets
			end(i)
		}
	}
	end(len(s))
	for len(out) > 0 && (out[0].text == comma || out[0].text == stop) {
		out = out[1:]
	}
	return out
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// source returns the source bytes of text[lo:hi], without pauses at its ends.
func (p plain) source(lo, hi int) (from, to int) {
	for lo < hi && strings.ContainsRune(" ,.", rune(p.text[hi-1])) {
		hi--
	}
	for lo < hi && strings.ContainsRune(" ,.", rune(p.text[lo])) {
		lo++
	}
	if lo >= hi {
		return 0, 0
	}
	return p.from[lo], p.to[hi-1]
}

package retrieve

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"memoria/index/text"
)

// sentence is a byte range of a text, including the final sign.
type sentence struct{ lo, hi int }

// sentences cuts a text at line ends and at the signs that end a sentence; at a period
// only if white space follows.
func sentences(s string) []sentence {
	var out []sentence
	lo := 0
	cut := func(hi int) {
		if strings.TrimSpace(s[lo:hi]) != "" {
			out = append(out, trimmed(s, lo, hi))
		}
		lo = hi
	}
	for i, r := range s {
		next := i + utf8.RuneLen(r)
		switch {
		case i < lo || next > len(s): // after a cut, or invalid UTF-8
		case r == '\n':
			cut(i)
		case strings.ContainsRune("。！？；", r):
			cut(next)
		case strings.ContainsRune(".!?;", r):
			if after, _ := utf8.DecodeRuneInString(s[next:]); next == len(s) || unicode.IsSpace(after) {
				cut(next)
			}
		}
	}
	cut(len(s))
	return out
}

func trimmed(s string, lo, hi int) sentence {
	for lo < hi {
		r, n := utf8.DecodeRuneInString(s[lo:hi])
		if !unicode.IsSpace(r) {
			break
		}
		lo += n
	}
	for lo < hi {
		r, n := utf8.DecodeLastRuneInString(s[lo:hi])
		if !unicode.IsSpace(r) {
			break
		}
		hi -= n
	}
	return sentence{lo, hi}
}

// Excerpt returns the bytes of a text to quote for a query. If the text has at most
// most characters, that is all of it. Otherwise it is the sentence with the most of the
// query's words and as many around it as fit, or a part of that sentence around the
// words. Only the first 16 KB are read.
func Excerpt(q Query, said string, most int) (lo, hi int) {
	if utf8.RuneCountInString(said) <= most {
		return 0, len(said)
	}
	looked := head(said, maxExcerpt)
	all := sentences(looked)
	if len(all) == 0 {
		return 0, len(firstRunes(said, most))
	}
	best, held := 0, -1
	for i, s := range all {
		if n, distinctive := newScanned(looked[s.lo:s.hi]).count(q.keys, q.Distinctive); n > 0 {
			if distinctive {
				n += len(q.keys)
			}
			if n > held {
				best, held = i, n
			}
		}
	}
	return widen(looked, all, best, q, most)
}

const maxExcerpt = 16 << 10

// Sentence returns the bytes of the sentences that contain [lo, hi), if they have at
// most most characters, otherwise [lo, hi) itself, cut to that.
func Sentence(said string, lo, hi, most int) (int, int) {
	lo = min(max(lo, 0), len(said))
	hi = min(max(hi, lo), len(said))
	from, to := lo, hi
	for _, s := range sentences(said) {
		if s.lo < hi && lo < s.hi {
			from, to = min(from, s.lo), max(to, s.hi)
		}
	}
	if utf8.RuneCountInString(said[from:to]) <= most {
		return from, to
	}
	return lo, lo + len(firstRunes(said[lo:hi], most))
}

// Whole reports whether [lo, hi) of a text begins and ends at sentence boundaries.
func Whole(said string, lo, hi int) (begins, ends bool) {
	lo, hi = min(max(lo, 0), len(said)), min(max(hi, 0), len(said))
	before := strings.TrimRight(said[:lo], " \t\r")
	quoted := strings.TrimRight(said[lo:max(lo, hi)], " \t\r")
	after := strings.TrimLeft(said[max(lo, hi):], " \t\r")
	return before == "" || endsSentence(before), after == "" || after[0] == '\n' || endsSentence(quoted)
}

func endsSentence(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune("\n。！？；.!?;", r)
}

// widen adds sentences around the best one while they fit.
func widen(said string, all []sentence, best int, q Query, most int) (lo, hi int) {
	lo, hi = all[best].lo, all[best].hi
	if utf8.RuneCountInString(said[lo:hi]) > most {
		return around(said, all[best], q, most)
	}
	for from, to := best-1, best+1; from >= 0 || to < len(all); {
		grew := false
		if to < len(all) && utf8.RuneCountInString(said[lo:all[to].hi]) <= most {
			hi, grew = all[to].hi, true
			to++
		}
		if from >= 0 && utf8.RuneCountInString(said[all[from].lo:hi]) <= most {
			lo, grew = all[from].lo, true
			from--
		}
		if !grew {
			break
		}
	}
	return lo, hi
}

// around cuts a part of a long sentence: a third before the first of the query's words,
// the rest from there.
func around(said string, s sentence, q Query, most int) (lo, hi int) {
	first := s.lo
	for _, t := range text.Tokens(said[s.lo:s.hi]) {
		if n, _ := newScanned(said[s.lo+t.Start:s.lo+t.End]).count(q.keys, nil); n > 0 {
			first = s.lo + t.Start
			break
		}
	}
	lo = first
	for range most / 3 {
		if lo == s.lo {
			break
		}
		_, n := utf8.DecodeLastRuneInString(said[s.lo:lo])
		lo -= n
	}
	if lo > s.lo { // not inside a word
		if i := strings.IndexByte(said[lo:first], ' '); i >= 0 {
			lo += i + 1
		}
	}
	return lo, lo + len(firstRunes(said[lo:s.hi], most))
}

// firstRunes returns at most the first n characters of s. It does not split a grapheme, such as
// an emoji of a family.
func firstRunes(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	at := 0
	for g := graphemes.FromString(s); g.Next(); at = g.End() {
		if n -= utf8.RuneCountInString(g.Value()); n < 0 {
			break
		}
	}
	return s[:at]
}

package clean

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks cleaned text into rows of at most width cells. If width is below 2, one
// wide character may exceed it. Newlines always break; tabs become spaces up to the
// next tab stop; spaces at a break and at the end of a row are dropped. The result has
// at least one row.
func Wrap(s string, width int) []string {
	width = max(width, 1)
	rows := make([]string, 0, 1+strings.Count(s, "\n")+len(s)/width)
	for line := range strings.SplitSeq(s, "\n") {
		line = expandTabs(line)
		wrapLine(line, width, func(start, end int) {
			rows = append(rows, line[start:end])
		})
	}
	return rows
}

// wrapLine calls row with the bounds of each row of one line without tabs. It is
// greedy: each row is final once the next cluster is known.
func wrapLine(s string, width int, row func(start, end int)) {
	if len(s) <= width && plainPrefix(s) == len(s) {
		row(0, len(strings.TrimRight(s, " ")))
		return
	}
	var (
		start, col   int   // where the row began, cells since then
		brk, brkCol  int   // last place a row may begin, cells before it
		brkEnd       int   // where the row before brk ends, spaces left out
		cut, cutCol  int   // last place to cut a word that is too long, cells before it
		cutEnd       int   // where the row before cut ends
		end          int   // where the last cluster that is no space ended
		prev         class // class of that cluster
		spaced, text bool  // spaces since then; a cluster since the line's start
		before       class // the same, 0 across spaces
		cls          class // class of the cluster at hand
		size, w      int   // its bytes and cells
		quoted       bool  // between two straight quotes
	)
	for i := 0; i < len(s); i += size {
		size, w = cluster(s[i:])
		if spaced || !text {
			before = 0
		} else {
			before = prev
		}
		if cls = classify(s[i:i+size], w, before); cls == space {
			col += w
			spaced = true
			continue
		}
		if s[i] == '"' && size == 1 {
			// Opening and closing look alike: every second one closes.
			if cls = open; quoted {
				cls = closer
			}
			quoted = !quoted
		}
		if text && mayBreak(prev, cls, spaced) {
			brk, brkCol, brkEnd = i, col, end
		}
		if cls&closer == 0 && prev&open == 0 {
			cut, cutCol, cutEnd = i, col, end
		}
		for col+w > width && i > start {
			if brk <= start && cut > start {
				brk, brkCol, brkEnd = cut, cutCol, max(cutEnd, start)
			} else if brk <= start {
				brk, brkCol, brkEnd = i, col, max(end, start)
			}
			row(start, brkEnd)
			start, col, cutCol = brk, col-brkCol, cutCol-brkCol
		}
		col += w
		prev, spaced, text, end = cls, false, true, i+size
	}
	row(start, max(end, start))
}

// expandTabs replaces each tab by spaces up to the next multiple of TabWidth.
func expandTabs(s string) string {
	if strings.IndexByte(s, '\t') < 0 {
		return s
	}
	var b strings.Builder
	col := 0
	for {
		i := strings.IndexByte(s, '\t')
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		col += Width(s[:i])
		pad := TabWidth - col%TabWidth
		b.WriteString("        "[:pad])
		col += pad
		s = s[i+1:]
	}
	b.WriteString(s)
	return b.String()
}

// class is the behaviour of a cluster at the ends of rows.
type class uint8

const (
	word   class = 1 << iota // letters and anything that sticks to its neighbours
	space                    // dropped at a break
	ideo                     // may stand at either end of a row
	open                     // not at the end of a row
	closer                   // not at the start of a row
	hyphen                   // a hyphen inside a word: the row may end after it
	dash                     // one that begins a word or follows another: --flag, -1
)

// mayBreak reports whether a row may end after prev and the next row begin with next.
// spaced says that there are spaces between them.
func mayBreak(prev, next class, spaced bool) bool {
	if spaced {
		// Only full-width brackets and stops stick across a space.
		return prev&(open|ideo) != open|ideo && next&(closer|ideo) != closer|ideo
	}
	if prev&open != 0 || next&closer != 0 {
		return false
	}
	return (prev|next)&ideo != 0 || (prev&hyphen != 0 && next&(word|dash) == word)
}

// classify returns the class of one cluster, which is w cells wide and follows one of
// class prev.
func classify(c string, w int, prev class) class {
	r, size := utf8.DecodeRuneInString(c)
	if size < len(c) && (r == ' ' || isSpace(r)) {
		return word // it carries a mark
	}
	if r < utf8.RuneSelf {
		return asciiClass(byte(r), prev)
	}
	switch {
	case strings.ContainsRune("“‘", r):
		return open
	case strings.ContainsRune("”’", r): // the apostrophe, too
		return closer
	case strings.ContainsRune(openers, r):
		return ideo | open
	case strings.ContainsRune(closers, r):
		return ideo | closer
	case isSpace(r):
		return space
	case isHangul(r):
		return word
	case w == 2, r >= 0xff61 && r <= 0xff9f: // half-width kana
		return ideo
	}
	return word
}

func asciiClass(b byte, prev class) class {
	switch b {
	case ' ':
		return space
	case '(', '[', '{':
		return open
	case ')', ']', '}', ',', '.', '!', '?', ':', ';', '%':
		return closer
	case '-':
		if prev == word {
			return word | hyphen
		}
		return word | dash
	}
	return word
}

// Punctuation per JIS X 4051 and CLREQ: openers never end a row, closers never begin
// one. The dash and the ellipsis are closers, so that their pairs (——, ……) stay
// together. English also uses the quotes “ ” ‘ ’, even inside words: a row may end
// beside them only next to Chinese.
const (
	openers = "（《「『【〔〖〘〚〈｛［〝｟¥￥￡"
	closers = "、。，．：；！？）》」』】〕〗〙〛〉｝］〞〟｠…—·・‥～〜％‰℃" +
		"々〻ーゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ｡｣､･ｰ"
)

// isSpace reports whether a row may end at this space; no-break spaces are excluded.
func isSpace(r rune) bool {
	return r == '\u3000' || r == '\u1680' || r == '\u205f' || (r >= 0x2000 && r <= 0x200a && r != '\u2007')
}

// isHangul reports whether r is a Korean syllable or letter. Korean breaks between
// words.
func isHangul(r rune) bool {
	return (r >= 0xac00 && r <= 0xd7ff) || (r >= 0x1100 && r <= 0x11ff) ||
		(r >= 0x3130 && r <= 0x318f) || (r >= 0xa960 && r <= 0xa97f) || (r >= 0xffa0 && r <= 0xffdc)
}

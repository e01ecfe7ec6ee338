package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxMarks is the maximum number of combining marks on one character. Tibetan and
// pointed Hebrew stay below it; stacked marks that paint over other rows do not.
const MaxMarks = 6

const (
	dottedCircle = '\u25cc' // carries a mark without a base character
	blackSquare  = '\u25a0' // replaces a skin tone without an emoji
	regionalA    = '\U0001f1e6'
	zwnj, zwj    = '\u200c', '\u200d'

	emojiSelector = '\ufe0f'
)

// Text returns s in a form that is safe for any terminal, with newlines and tabs kept.
// hidden is the number of characters that a reader would not have seen: controls,
// bidirectional controls, tags, zero-width characters and marks beyond [MaxMarks]. CR,
// CRLF, U+2028 and U+2029 become a newline; each byte that is not UTF-8 becomes U+FFFD.
// Text is idempotent. Clean ASCII is returned without allocating.
//
// Joined emoji are split, or kept under [Join].
func Text(s string) (out string, hidden int) { return text(s, joining()) }

func text(s string, joins bool) (out string, hidden int) {
	n := plainPrefix(s)
	if n == len(s) {
		return s, 0
	}
	// The character before the first special one may be its base.
	if n > 0 {
		n--
	}
	c := cleaner{b: make([]byte, 0, len(s)+len(s)/8), emoji: emoji{keeps: joins}}
	c.b = append(c.b, s[:n]...)
	for i, r := range s[n:] {
		c.add(r, s[n+i:])
	}
	c.dropJoiner()
	return string(c.b), c.hidden
}

// Line returns s cleaned as by [Text] and on one line, for titles, lists and the status
// line. Each run of white space with a newline or tab becomes one space, and the ends
// are trimmed.
func Line(s string) string {
	s, _ = Text(s)
	if !strings.ContainsAny(s, "\n\t") {
		return strings.Trim(s, " ")
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexAny(s, "\n\t")
		if i < 0 {
			break
		}
		b.WriteString(strings.TrimRight(s[:i], " "))
		b.WriteByte(' ')
		s = strings.TrimLeft(s[i:], " \n\t")
	}
	b.WriteString(s)
	return strings.Trim(b.String(), " ")
}

// Typed returns the text of a key press for an input field. It is cleaned as by [Text],
// but as if it followed a letter, since an accent may arrive as a key of its own. Joined emoji
// are split, as a field deletes one part after the other.
func Typed(s string) string {
	const letter = "a"
	s, _ = text(letter+s, false)
	return s[len(letter):]
}

// plainPrefix returns the length of the run of printable ASCII, newlines and tabs at
// the start of s.
func plainPrefix(s string) int {
	for i := 0; i < len(s); i++ {
		if b := s[i]; (b < 0x20 && b != '\n' && b != '\t') || b > 0x7e {
			return i
		}
	}
	return len(s)
}

// cleaner cleans one text. Its state covers at most one cluster and is reset at a
// newline.
type cleaner struct {
	b      []byte
	hidden int
	prev   rune // last rune written, 0 at the start
	marks  int  // combining marks written since their base
	joiner rune // pending joiner that needs a letter after it, or 0
	chosen bool // prev already had its presentation selector
	toned  bool // prev already had its skin tone
	joined bool // prev already had the joiner of an emoji
	flag   bool // prev is the first half of a flag
	emoji
}

// add cleans one rune; rest is the input from that rune on.
func (c *cleaner) add(r rune, rest string) {
	switch {
	case r == '\r':
		if len(rest) < 2 || rest[1] != '\n' {
			c.write('\n')
		}
	case r == '\n' || r == '\t' || (r >= 0x20 && r < 0x7f):
		c.write(r)
	case r >= 0x4e00 && r <= 0x9fff:
		c.write(r) // Chinese, the common case
	case r < 0x20:
		c.replace(0x2400 + r)
	case r == 0x7f:
		c.replace(0x2421)
	case r < 0xa0:
		c.replace(utf8.RuneError)
	case r == '\u2028' || r == '\u2029':
		c.write('\n')
	case r == zwj || r == zwnj:
		c.join(r)
	case r >= 0xfe00 && r <= 0xfe0f:
		c.selector(r)
	case r >= 0x1f3fb && r <= 0x1f3ff:
		c.skinTone(r)
	case r == '\uff9e' || r == '\uff9f':
		// Half-width voicing marks join a cluster but take a cell.
		c.write(r - '\uff9e' + '\u309b')
	case r == '\u0e33' || r == '\u0eb3':
		// Thai and Lao am join a cluster but take a cell; their two parts do not.
		c.mark(r + 0x1a)
		c.write(r - 1)
	case regional(r):
		c.half(r, rest[utf8.RuneLen(r):])
	case bidiName(r) != "":
		c.name(bidiName(r))
	case invisible(r):
		c.hidden++
		c.emoji.end()
	case unicode.Is(unicode.M, r):
		c.mark(r)
	case loneJamo(r) && !c.composes(r), disputed(r):
		c.replace(utf8.RuneError)
	default:
		c.write(r)
	}
}

// composes reports whether r and the letter before it are one Korean syllable.
func (c *cleaner) composes(r rune) bool {
	return c.marks == 0 && c.joiner == 0 && compose(c.prev, r) != 0
}

// write outputs a rune that starts a cluster.
func (c *cleaner) write(r rune) {
	if c.composes(r) {
		c.b = c.b[:len(c.b)-utf8.RuneLen(c.prev)]
		r = compose(c.prev, r)
	}
	if c.joiner != 0 && joinable(r) {
		c.b = utf8.AppendRune(c.b, c.joiner)
		c.joiner = 0
	}
	c.dropJoiner()
	if c.emoji.joined && symbol(r) {
		if more := c.follow(r); more != nil {
			c.b = append(c.b, more...)
			c.prev, c.marks = r, 0
			c.chosen, c.joined, c.toned, c.flag = false, false, false, false
			return
		}
	}
	c.begin(r)
	c.b = utf8.AppendRune(c.b, r)
	c.prev, c.marks = r, 0
	c.chosen, c.joined, c.toned, c.flag = false, false, false, false
}

func (c *cleaner) replace(r rune) {
	c.hidden++
	c.write(r)
}

func (c *cleaner) name(s string) {
	c.hidden++
	for _, r := range s {
		c.write(r)
	}
}

// mark outputs a combining mark, on a circle if it has no base; otherwise it would be
// drawn on the character to its left on the screen.
func (c *cleaner) mark(r rune) {
	if c.prev == 0 || c.prev == '\n' || c.prev == '\t' || c.prev == ' ' {
		c.write(dottedCircle)
	}
	c.emoji.end()
	if c.marks == MaxMarks {
		c.hidden++
		return
	}
	if c.joiner != 0 {
		c.b = utf8.AppendRune(c.b, c.joiner)
		c.joiner = 0
	}
	c.b = utf8.AppendRune(c.b, r)
	c.marks++
}

// join keeps the first joiner of a run until the next character is known.
func (c *cleaner) join(r rune) {
	switch {
	case c.joiner == 0 && joinable(c.prev):
		c.joiner = r
	case symbol(c.prev) && r == zwj && !c.joined:
		c.joined = true // part of an emoji: its parts are shown, nothing is hidden
		c.emoji.joined = c.keeps && c.joiners < MaxJoined
	default:
		c.hidden++
		c.emoji.end()
	}
}

func (c *cleaner) dropJoiner() {
	if c.joiner != 0 {
		c.hidden++
		c.joiner = 0
	}
}

// selector drops a variation selector. One emoji or text selector after a character is
// ordinary; any other could carry hidden data and is counted.
func (c *cleaner) selector(r rune) {
	ordinary := r >= 0xfe0e && c.prev > ' ' && !c.chosen
	if !ordinary {
		c.hidden++
	}
	if r == emojiSelector && !c.chosen && !c.joined && c.joiners > 0 {
		if more := c.follow(r); more != nil {
			c.b = append(c.b, more...)
		}
	} else if r == emojiSelector && !c.chosen && !c.joined {
		c.emoji.chosen = true // written if the emoji goes on
	}
	c.chosen = true
}

// skinTone drops the skin tone of an emoji and shows any other one as a square.
func (c *cleaner) skinTone(r rune) {
	switch {
	case !symbol(c.prev):
		c.write(blackSquare)
	case !c.toned && !c.chosen && !c.joined:
		if more := c.follow(r); more != nil {
			c.b = append(c.b, more...)
			c.toned = true
		}
	}
}

// half writes one of the two letters of a flag. A letter without a partner is written
// as a plain letter, which has the same width everywhere.
func (c *cleaner) half(r rune, rest string) {
	if c.flag {
		c.write(r)
		return
	}
	next, _ := utf8.DecodeRuneInString(rest)
	if !regional(next) {
		c.write('A' + r - regionalA)
		return
	}
	c.write(r)
	c.flag = true
}

func regional(r rune) bool { return r >= regionalA && r <= regionalA+25 }

// compose joins two Hangul letters into a syllable (Unicode 3.12), or returns 0 if they
// do not join. File names from macOS are decomposed.
func compose(a, b rune) rune {
	const (
		firstL, firstV, firstT, firstS = 0x1100, 0x1161, 0x11a7, 0xac00
		countL, countV, countT         = 19, 21, 28
	)
	switch l, v, t, s := a-firstL, b-firstV, b-firstT, a-firstS; {
	case l >= 0 && l < countL && v >= 0 && v < countV:
		return firstS + (l*countV+v)*countT
	case s >= 0 && s < countL*countV*countT && s%countT == 0 && t > 0 && t < countT:
		return a + t
	}
	return 0
}

package oracle

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is the number of combining marks that one character carries in any language.
const maxMarks = 6

// joinless are the scripts that have no use for joiners; in them, joiners hide data.
var joinless = []*unicode.RangeTable{
	unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Common,
}

// text is the state to the left of the next rune.
type text struct {
	prev      rune
	marks     int
	elsewhere bool // the cursor was moved, so the character to the left is unknown

	symbol  rune // of the emoji to the left; 0 for none
	toned   bool // it has a skin tone
	joiners int  // in the emoji
}

// isPair reports whether the standard has an emoji in which right is joined to left.
func isPair(left, right rune) bool {
	return slices.ContainsFunc(pairs, func(p [2]string) bool {
		return strings.ContainsRune(p[0], left) && strings.ContainsRune(p[1], right)
	})
}

// pairs are what stands left and right of a joiner in the emoji-zwj-sequences.txt of Unicode.
var pairs = [][2]string{
	{"👨👩🧑", "👨👩🧑👦👧🧒❤🤝⚕⚖✈🌾🍳🍼🎄🎓🎤🎨🏫🏭💻💼🔧🔬🚀🚒🦰🦱🦲🦳🩰🦯🦼🦽"},
	{"❤", "💋👨👩🧑🔥🩹"}, {"💋🤝", "👨👩🧑"}, {"👦👧🧒", "👦👧🧒"}, {"🏃🚶🧎", "➡"}, {"♀♂🦯🦼🦽", "➡"}, {"🫱", "🫲"},
	{"⛹🏃🏄🏊🏋🏌👮👯👰👱👳👷💁💂💆💇🕵🙅🙆🙇🙋🙍🙎🚣🚴🚵🚶🤦🤵🤷🤸🤹🤼🤽🤾🦸🦹🧍🧎🧏🧔🧖🧗🧘🧙🧚🧛🧜🧝🧞🧟", "♀♂"},
	{"🏳", "🌈⚧"}, {"🏴", "☠"}, {"👁", "🗨"}, {"⛓", "💥"}, {"😮", "💨"}, {"😵", "💫"}, {"😶", "🌫"}, {"🙂", "↔↕"},
	{"🐕", "🦺"}, {"🐈", "⬛"}, {"🐻", "❄"}, {"🐦", "⬛🔥"}, {"🍋", "🟩"}, {"🍄", "🟫"},
}

// maxJoined is the number of joiners in the longest emoji that people use.
const maxJoined = 3

const joiner, emojiSelector = '\u200d', '\ufe0f'

// add takes the next rune, which is size bytes long and followed by rest, and returns its fault, or "".
func (t *text) add(r rune, size int, l Level, rest string) string {
	what := ""
	if !t.emoji(r, rest) {
		what = t.judge(r, size, l)
	}
	t.follow(r)
	if unicode.Is(unicode.M, r) {
		t.marks++
	} else {
		t.prev, t.marks = r, 0
	}
	t.elsewhere = t.elsewhere && (r == '\b' || r == '\r')
	return what
}

// emoji reports whether r is a part of a joined emoji, or a skin tone, where it belongs.
func (t *text) emoji(r rune, rest string) bool {
	next, size := utf8.DecodeRuneInString(rest)
	switch {
	case t.symbol == 0:
		return false
	case r == joiner:
		return isPair(t.symbol, next) && t.prev != joiner && t.joiners < maxJoined
	case r == emojiSelector && next == joiner:
		after, _ := utf8.DecodeRuneInString(rest[size:])
		return isPair(t.symbol, after) && t.joiners < maxJoined
	case r == emojiSelector:
		return t.joiners > 0
	}
	return isTone(r) && !t.toned
}

// follow notes r for emoji.
func (t *text) follow(r rune) {
	switch {
	case isTone(r):
		t.toned = true
	case r == joiner:
		t.joiners++
	case r == emojiSelector:
	case isSymbol(r):
		if t.prev != joiner {
			t.joiners = 0
		}
		t.symbol, t.toned = r, false
	default:
		t.symbol, t.toned, t.joiners = 0, false, 0
	}
}

func isTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

func isSymbol(r rune) bool {
	half := r >= 0x1f1e6 && r <= 0x1f1ff // of a flag
	return r > 0x7f && r != utf8.RuneError && unicode.IsSymbol(r) && !isTone(r) && !half
}

func (t *text) judge(r rune, size int, l Level) string {
	switch {
	case r == utf8.RuneError && size == 1:
		return "a byte that is not UTF-8"
	case r == '\n', r == '\t':
		return ""
	case l == Screen && (r == '\r' || r == '\b'): // how Bubble Tea moves the cursor
		return ""
	case unicode.Is(unicode.Cc, r):
		return fmt.Sprintf("the control %U", r)
	case r == 0x200c || r == 0x200d:
		if t.elsewhere || unicode.IsLetter(t.prev) && !unicode.In(t.prev, joinless...) {
			return ""
		}
		return fmt.Sprintf("the joiner %U after %U", r, t.prev)
	case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return fmt.Sprintf("%U, which is invisible", r)
	case r >= 0x1f3fb && r <= 0x1f3ff:
		return fmt.Sprintf("the skin tone %U", r)
	case r < 0x20000 && !unicode.IsGraphic(r) && !unicode.Is(unicode.Co, r), r >= 0xe0000 && r < 0xf0000:
		return fmt.Sprintf("%U, which is not a character", r)
	case unicode.Is(unicode.M, r):
		return t.judgeMark(r)
	}
	return ""
}

func (t *text) judgeMark(r rune) string {
	switch {
	case t.elsewhere:
	case t.marks == maxMarks:
		return fmt.Sprintf("more than %d marks on %U", maxMarks, t.prev)
	case t.prev <= ' ':
		return fmt.Sprintf("the mark %U on nothing", r)
	}
	return ""
}

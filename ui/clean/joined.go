package clean

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// MaxJoined is the maximum number of joiners in one emoji. A family of four and a kiss with skin
// tones have three; a longer chain would hide its parts in two cells.
const MaxJoined = 3

// joins and splits are how many want joined emoji whole, and how many need them split.
var joins, splits atomic.Int32

// Join lets [Text] and [Line] keep joined emoji until end is called, unless [Split] is in force. It
// holds for the whole process, as Split does.
func Join() (end func()) { return hold(&joins) }

// Split makes [Text] and [Line] split joined emoji until end is called: for a screen in a terminal
// that counts code points, where a joined emoji would shift what stands behind it. Other terminals of
// the process then see them split, too.
func Split() (end func()) { return hold(&splits) }

func hold(n *atomic.Int32) (end func()) {
	n.Add(1)
	return sync.OnceFunc(func() { n.Add(-1) })
}

// joining reports whether joined emoji are kept.
func joining() bool { return joins.Load() > 0 && splits.Load() == 0 }

// emoji is the state of a cleaner that keeps joined emoji.
type emoji struct {
	keeps   bool
	cluster []byte // the emoji written last, while it may go on; empty for none
	joiners int    // in it
	chosen  bool   // an emoji selector came after it, and is not written
	joined  bool   // a joiner came after that
}

// begin notes a character that may begin an emoji.
func (e *emoji) begin(r rune) {
	*e = emoji{keeps: e.keeps, cluster: e.cluster[:0]}
	if e.keeps && (r < 0x2e80 || r > 0xffff) && symbol(r) {
		e.cluster = utf8.AppendRune(e.cluster, r)
	}
}

// end notes that something else follows the emoji.
func (e *emoji) end() { e.cluster, e.chosen, e.joined = e.cluster[:0], false, false }

// follow returns the bytes to write for a character that continues the emoji, or nil if a terminal
// that counts clusters would not draw the whole emoji in two cells.
func (e *emoji) follow(r rune) (more []byte) {
	if len(e.cluster) == 0 {
		return nil
	}
	if e.chosen {
		more = utf8.AppendRune(more, '\ufe0f')
	}
	if e.joined {
		more = utf8.AppendRune(more, zwj)
	}
	more = utf8.AppendRune(more, r)
	all := slices.Concat(e.cluster, more)
	if e.joined && !known(all) {
		return nil
	}
	if c, w := ansi.FirstGraphemeCluster(all, ansi.GraphemeWidth); len(c) != len(all) || w != 2 {
		return nil
	}
	if e.joined {
		e.joiners++
	}
	e.cluster, e.chosen, e.joined = all, false, false
	return more
}

// Sets of pictographs that joined emoji are made of.
const (
	adults   = "👨👩🧑"
	children = "👦👧🧒"
	jobs     = "⚕⚖✈🌾🍳🍼🎄🎓🎤🎨🏫🏭💻💼🔧🔬🚀🚒🦰🦱🦲🦳🩰"
	aids     = "🦯🦼🦽"
	movers   = "🏃🚶🧎"
	active   = movers + "⛹🏄🏊🏋🏌👮👯👰👱👳👷💁💂💆💇🕵🙅🙆🙇🙋🙍🙎🚣🚴🚵🤦🤵🤷🤸🤹🤼🤽🤾🦸🦹🧍🧏🧔🧖🧗🧘🧙🧚🧛🧜🧝🧞🧟"
	genders  = "♀♂"
)

// sequences are the joined emoji of the Unicode standard, a set for each pictograph. Any other
// sequence, such as a check mark joined to a cross, would hide pictographs where no font has it.
var sequences = [][]string{
	{adults, jobs}, {adults, aids, "➡"}, {active, genders}, {movers, genders, "➡"}, {movers, "➡"},
	{adults, "❤", adults}, {adults, "❤", "💋", adults}, {adults, "🤝", adults}, {"🫱", "🫲"},
	{adults, children, children}, {adults, adults, children, children},
	{"🏳", "🌈⚧"}, {"🏴", "☠"}, {"👁", "🗨"}, {"❤", "🔥🩹"}, {"⛓", "💥"},
	{"😮", "💨"}, {"😵", "💫"}, {"😶", "🌫"}, {"🙂", "↔↕"},
	{"🐕", "🦺"}, {"🐈", "⬛"}, {"🐻", "❄"}, {"🐦", "⬛🔥"}, {"🍋", "🟩"}, {"🍄", "🟫"},
}

// known reports whether joined emoji are one of the standard, or the beginning of one.
func known(cluster []byte) bool {
	var parts []rune
	for _, r := range string(cluster) {
		if r != zwj && r != emojiSelector && (r < 0x1f3fb || r > 0x1f3ff) {
			parts = append(parts, r)
		}
	}
	return slices.ContainsFunc(sequences, func(sets []string) bool {
		for i, r := range parts {
			if i == len(sets) || !strings.ContainsRune(sets[i], r) {
				return false
			}
		}
		return true
	})
}

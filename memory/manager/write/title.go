package write

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// MaxTitle is the maximum length of a title from a message, in characters.
const MaxTitle = 80

// TitleOf makes a title from the first line of a session's first message. A longer line
// is cut in its second half after a sentence, or else a phrase, or else a word. The cut
// has no mark, because a list may cut again and a search must not match a mark.
func TitleOf(said string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	line = strings.Join(strings.Fields(line), " ")
	if utf8.RuneCountInString(line) <= MaxTitle {
		return line
	}
	line = line[:byteOf(line, 2*MaxTitle)] // the rest cannot affect the cut
	end, least := byteOf(line, MaxTitle), byteOf(line, MaxTitle/2)
	for _, last := range []func(string, int) int{lastSentence, lastPhrase, lastWord} {
		if at := last(line, end); at >= least {
			end = at
			break
		}
	}
	return strings.TrimRightFunc(line[:end], func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:，、；：", r) })
}

// byteOf returns the byte offset of character n of s.
func byteOf(s string, n int) int {
	for at := range s {
		if n == 0 {
			return at
		}
		n--
	}
	return len(s)
}

// lastSentence returns the end of the last sentence before end, or a negative number. A
// Latin full stop needs a following space, unlike the one in 3.14.
func lastSentence(line string, end int) int {
	best := -1
	for at, r := range line[:end] {
		after := at + utf8.RuneLen(r)
		if strings.ContainsRune("。！？", r) || strings.ContainsRune(".!?", r) && strings.HasPrefix(line[after:], " ") {
			best = after
		}
	}
	return best
}

// lastPhrase returns the position of the last Chinese phrase mark before end.
func lastPhrase(line string, end int) int { return strings.LastIndexAny(line[:end], "，；：、…") }

// lastWord returns the end of the last word before end, including closing marks, or a
// negative number. Chinese is cut between dictionary words.
func lastWord(line string, end int) int {
	best := -1
	for _, t := range text.Tokens(line) {
		if t.End > end {
			break
		}
		best = t.End
	}
	for best >= 0 && best < end {
		r, n := utf8.DecodeRuneInString(line[best:])
		if !unicode.In(r, unicode.Pe, unicode.Pf) && !strings.ContainsRune(`.!?。！？"'`, r) {
			break
		}
		best += n
	}
	return best
}

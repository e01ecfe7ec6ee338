package manager

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// maxTitle is the length of a title taken from a message, in characters.
const maxTitle = 80

// titleOf makes a title of a session's first message: its first line. A longer
// one ends with a sentence, a phrase or a word, whichever comes first in this
// order in its later half. Nothing marks the cut: a list may have to cut again,
// and a search must not meet a sign that nobody wrote.
func titleOf(said string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	line = strings.Join(strings.Fields(line), " ")
	if utf8.RuneCountInString(line) <= maxTitle {
		return line
	}
	line = line[:byteOf(line, 2*maxTitle)] // what follows cannot change where it is cut
	end, least := byteOf(line, maxTitle), byteOf(line, maxTitle/2)
	for _, last := range []func(string, int) int{lastSentence, lastPhrase, lastWord} {
		if at := last(line, end); at >= least {
			end = at
			break
		}
	}
	return strings.TrimRightFunc(line[:end], func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:，、；：", r) })
}

// byteOf is the byte at which character n of s begins.
func byteOf(s string, n int) int {
	for at := range s {
		if n == 0 {
			return at
		}
		n--
	}
	return len(s)
}

// lastSentence is where the last sentence before end ends; negative when none
// does. A full stop of letters needs a space, which tells it from 3.14.
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

// lastPhrase is where the last Chinese phrase before end ends.
func lastPhrase(line string, end int) int { return strings.LastIndexAny(line[:end], "，；：、…") }

// lastWord is where the last word before end ends, with the marks that close it;
// negative when none does. Chinese is cut between the words of the dictionary.
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

package chat

import (
	"slices"
	"strings"
	"unicode"
)

// everybody are the names by which a message is for all members of a group.
var everybody = []string{"all", "所有人"}

// Addressed returns the members of a group that a message is for, in their order:
// those it names as @name or ＠name, by name or id, and all of them where it names
// none or @all (@所有人). Of several names that fit, the longest counts; case and
// width do not. An @ that goes on a word, as in an e-mail address or a link, one
// behind a backslash and one in Markdown code name nobody.
func Addressed(text string, members []Agent) []Agent {
	named := make([]bool, len(members))
	found := false
	line := []rune(withoutCode(text))
	for i := range line {
		if !opensName(line, i) {
			continue
		}
		who, everyone := nameAt(line[i+1:], members)
		if everyone {
			return slices.Clone(members)
		}
		for _, n := range who {
			named[n], found = true, true
		}
	}
	if !found {
		return slices.Clone(members)
	}
	var out []Agent
	for i, m := range members {
		if named[i] {
			out = append(out, m)
		}
	}
	return out
}

// NamesAt returns the names that could stand where a text ends, without the @
// that they begin with, in the order of the members and then @all; begun is the
// part that is typed. It returns none where the text does not end in a name.
func NamesAt(text string, members []Agent) (names []string, begun string) {
	line := []rune(withoutCode(text))
	for i := len(line) - 1; i >= 0; i-- {
		if unicode.IsSpace(line[i]) {
			return nil, ""
		}
		if !opensName(line, i) {
			continue
		}
		typed := line[i+1:]
		for _, m := range members {
			if begins([]rune(m.Name), typed) {
				names = append(names, m.Name)
			} else if begins([]rune(m.ID), typed) {
				names = append(names, m.ID)
			}
		}
		if begins([]rune(everybody[0]), typed) {
			names = append(names, everybody[0])
		}
		return names, string(typed)
	}
	return nil, ""
}

// opensName reports whether the rune at i is an @ before which no word, path or
// backslash ends. Chinese and its kin are written without spaces, so that their
// characters are no such word.
func opensName(line []rune, i int) bool {
	if line[i] != '@' && line[i] != '＠' {
		return false
	}
	if i == 0 {
		return true
	}
	before := line[i-1]
	return !inWord(before) && !strings.ContainsRune(`.+-%/\@＠=&#?:`, before) ||
		before == ':' && (i < 2 || !inWord(line[i-2])) // a label, but no mailto:
}

// inWord reports whether a rune is part of a word that spaces end.
func inWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_') &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// nameAt returns the members, by number, whose name stands at the beginning, or
// whether the message is for everybody. Two of the same name are both meant.
func nameAt(line []rune, members []Agent) (who []int, everyone bool) {
	longest := 0
	take := func(name string, n int) {
		size := nameLength(line, []rune(name))
		switch {
		case size == 0 || size < longest:
		case size > longest:
			longest, who, everyone = size, nil, false
			fallthrough
		default:
			if n < 0 {
				everyone = everyone || len(who) == 0 // a member of that name counts more
			} else if !slices.Contains(who, n) {
				who, everyone = append(who, n), false
			}
		}
	}
	for n, m := range members {
		take(m.Name, n)
		take(m.ID, n)
	}
	for _, name := range everybody {
		take(name, -1)
	}
	return who, everyone
}

// nameLength is the number of runes of a name at the beginning of line; 0 when it
// does not stand there, or is the beginning of a longer word.
func nameLength(line, name []rune) int {
	n := len(name)
	if n == 0 || !begins(line, name) {
		return 0
	}
	if n == len(line) || !inWord(name[n-1]) {
		return n
	}
	next := line[n]
	if inWord(next) {
		return 0
	}
	// "@bo-2", "@bo.example": it goes on; "@bo." ends a sentence.
	if strings.ContainsRune("-.@", next) && n+1 < len(line) && inWord(line[n+1]) {
		return 0
	}
	return n
}

// begins reports whether line begins with name, but for case and width.
func begins(line, name []rune) bool {
	if len(name) > len(line) {
		return false
	}
	for i, r := range name {
		if likeness(r) != likeness(line[i]) {
			return false
		}
	}
	return true
}

// likeness is what a rune has in common with those of other case and width.
func likeness(r rune) rune {
	switch {
	case r >= '！' && r <= '～':
		r -= '！' - '!'
	case r == '\u3000':
		r = ' '
	}
	return unicode.ToLower(unicode.ToUpper(r))
}

// withoutCode is a text with the bytes of its Markdown code blanked out: fenced
// blocks and pairs of backquotes.
func withoutCode(text string) string {
	if !strings.ContainsAny(text, "`~") {
		return text
	}
	var out strings.Builder
	fence := "" // that of the open block
	for line := range strings.Lines(text) {
		mark := fenceOf(line)
		switch {
		case fence == "" && mark != "":
			fence = mark
		case fence != "" && strings.HasPrefix(mark, fence) && strings.Trim(strings.TrimSpace(line), mark[:1]) == "":
			fence = ""
		case fence == "":
			out.WriteString(withoutSpans(line))
			continue
		}
		out.WriteString("\n")
	}
	return out.String()
}

// fenceOf is the run of three or more marks that a line begins with.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// withoutSpans blanks out what stands between runs of the same number of
// backquotes.
func withoutSpans(line string) string {
	var out strings.Builder
	for line != "" {
		at := strings.IndexByte(line, '`')
		if at < 0 {
			break
		}
		out.WriteString(line[:at])
		line = line[at:]
		n := len(line) - len(strings.TrimLeft(line, "`"))
		end := closing(line[n:], n)
		if end < 0 { // it opens nothing
			out.WriteString(line[:n])
			line = line[n:]
			continue
		}
		out.WriteByte(' ')
		line = line[n+end+n:]
	}
	return out.String() + line
}

// closing is where a run of exactly n backquotes begins; -1 when there is none.
func closing(s string, n int) int {
	for at := 0; at < len(s); {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			return -1
		}
		at += i
		size := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		if size == n {
			return at
		}
		at += size
	}
	return -1
}

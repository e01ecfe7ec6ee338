package chat

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/memory"
)

// everybody are the names by which a message is for all members of a group.
var everybody = memory.Everybody()

// Addressed returns the members of a group that a message is for, in their order:
// those it names as @name or ＠name, by name or id, and all of them if it names
// none or @all (@所有人). Of several names that fit, the longest counts; case and
// width do not. An @ that goes on a word, as in an e-mail address or a link, one
// after a backslash and one in Markdown code name no member.
func Addressed(text string, members []Agent) []Agent {
	to, _ := addresses(text, members)
	return to
}

// addresses are the members that a text is for, and where it names them.
func addresses(text string, members []Agent) (to []Agent, at []memory.Span) {
	named := make([]bool, len(members))
	everybody := true // as long as no member is named
	for _, o := range openings(text) {
		who, everyone, size := nameAt(o.rest, members)
		if size == 0 {
			continue
		}
		at = append(at, memory.Span{Offset: o.at, Length: o.mark + len(string(o.rest[:size])), Kind: memory.SpanName})
		if everyone {
			who = nil
			for n := range members {
				who = append(who, n)
			}
		}
		for _, n := range who {
			named[n], everybody = true, false
		}
	}
	for i, m := range members {
		if everybody || named[i] {
			to = append(to, m)
		}
	}
	return to, at
}

// opening is an @ that may begin a name: its offset, its bytes, and what follows.
type opening struct {
	at, mark int
	rest     []rune
}

func openings(text string) (out []opening) {
	text = withoutCode(text)
	line := []rune(text)
	at := 0
	for i, r := range line {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(text[at:])
		}
		if opensName(line, i) {
			out = append(out, opening{at: at, mark: size, rest: line[i+1:]})
		}
		at += size
	}
	return out
}

// NamesAt returns the names that could stand where a text ends, without the @
// that they begin with, in the order of the members and then @all; begun is the
// part that is typed. It returns none where the text does not end in a name.
func NamesAt(text string, members []Agent) (names []string, begun string) {
	for _, o := range slices.Backward(openings(text)) {
		typed := o.rest
		if slices.ContainsFunc(typed, unicode.IsSpace) {
			return nil, ""
		}
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

// nameAt returns the members, by number, whose name begins the line, or
// whether the message is for everybody, and the length of the name in runes. Two of
// the same name are both meant.
func nameAt(line []rune, members []Agent) (who []int, everyone bool, longest int) {
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
	return who, everyone, longest
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

// withoutCode is a text with the bytes of its Markdown code blanked out, so that
// offsets stay true: fenced blocks and pairs of backquotes.
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
		out.WriteString(strings.Repeat(" ", len(line)-1))
		if strings.HasSuffix(line, "\n") {
			out.WriteByte('\n')
		} else {
			out.WriteByte(' ')
		}
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

// withoutSpans blanks out the text between runs of the same number of
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
		out.WriteString(strings.Repeat(" ", n+end+n))
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

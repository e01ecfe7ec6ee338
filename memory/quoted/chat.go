package quoted

import (
	"strings"

	"memoria/memory/pattern"
)

var (
	// speakerLine is "Anna: hello", possibly with a time before or after the name.
	speakerLine = pattern.Regexp(`^(\[?\(?(?:[0-9/.-]+,?\s+)?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\s?[AaPp][Mm])?\]?\)?[\s,-]*)?` +
		`([\pL@][^:：\n.!?。！？,，;；"“「]{0,30}?)(\s*[\[(]?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?[\])]?)?\s*[:：]\s*([^/\s].*)$`)
	// nameLine is a name and a time, with the words in the next line.
	nameLine = pattern.Regexp(`^(\S{1,20}(?: \S{1,20})?)\s+(?:[0-9/.年月日-]+\s+)?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\s?[AaPp][Mm])?$`)
)

// chats takes chat logs: at least two lines of speakers in a row, and the lines that continue them.
func (f *finder) chats() {
	for i := 0; i < len(f.lines); i++ {
		log := f.chatAt(i)
		if log <= i {
			continue
		}
		f.take(f.lines[i].lo, f.lines[log].hi)
		i = log
	}
}

// chatAt returns the last line of the log that begins in line i, or -1.
func (f *finder) chatAt(i int) int {
	speakers, timed, own, speaks := map[string]int{}, 0, 0, false
	last := -1
	for j := i; j < len(f.lines); j++ {
		s := f.line(j)
		m := speakerLine.Regexp().FindStringSubmatch(s)
		if n := nameLine.Regexp().FindStringSubmatch(s); n != nil && f.line(j+1) != "" {
			m = []string{s, "time", n[1], "", f.line(j + 1)}
		}
		switch {
		case m == nil && s == "" && last >= 0:
			continue
		case m == nil && last == j-1 && j > i && f.line(j-1) != "" && timed > 0:
			last = j // goes on
			continue
		case m == nil:
			return decided(last, speakers, timed, own, speaks)
		}
		label := strings.ToLower(strings.TrimSpace(m[2]))
		if len(strings.Fields(label)) > 4 {
			return decided(last, speakers, timed, own, speaks)
		}
		if m[1] != "" || m[3] != "" {
			timed++
		}
		if fields().Ahead(label) == len(label) {
			own++
		}
		speaks = speaks || first().Has(m[4])
		speakers[label]++
		last = j
	}
	return decided(last, speakers, timed, own, speaks)
}

// decided returns last if the lines of speakers are a log: they have times, a speaker speaks twice, or a speaker
// whose name is no label of a list speaks of himself. Otherwise it returns -1.
func decided(last int, speakers map[string]int, timed, own int, speaks bool) int {
	lines := 0
	for _, n := range speakers {
		lines += n
	}
	switch {
	case lines < 2 || own == lines:
		return -1
	case timed > 1, lines > len(speakers) && len(speakers) > 1 && own == 0:
		return last
	case speaks && len(speakers) > 1 && own == 0:
		return last
	}
	return -1
}

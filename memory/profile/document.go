package profile

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/memory"
)

// Heading returns the heading line of a section with a title.
func Heading(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	return "## " + strings.ToUpper(string(first)) + title[size:]
}

// chinese are the titles of the sections that [Parse] also reads: those that a Chinese user sees.
var chinese = map[string]memory.Section{
	"回答方式": memory.SectionReply, "语言习惯": memory.SectionLanguage, "背景": memory.SectionBackground,
}

// headed returns the section of a heading line.
func headed(line string) (memory.Section, bool) {
	rest, ok := strings.CutPrefix(line, "##")
	if !ok || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return "", false
	}
	title := strings.Join(strings.Fields(rest), " ")
	for _, s := range memory.Sections() {
		if strings.EqualFold(title, string(s)) {
			return s, true
		}
	}
	s, ok := chinese[title]
	return s, ok
}

// Parse parses a document into lines with their sections, in order of sections. A
// repeated heading continues its section. Trailing white space and repeated blank lines
// are dropped.
func Parse(text string) []memory.ProfileLine {
	var out []memory.ProfileLine
	in := memory.SectionNone
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if s, ok := headed(line); ok {
			in = s
			continue
		}
		out = append(out, memory.ProfileLine{Section: in, Text: line})
	}
	return tidy(out)
}

// tidy sorts lines by section and removes blank lines that separate nothing.
func tidy(lines []memory.ProfileLine) []memory.ProfileLine {
	slices.SortStableFunc(lines, func(x, y memory.ProfileLine) int { return x.Section.Place() - y.Section.Place() })
	var out []memory.ProfileLine
	blank := -1 // index of a blank line that waits for a line after it
	for i, l := range lines {
		switch {
		case l.Text == "" && !l.Derived():
			blank = i
			continue
		case blank >= 0 && !l.Hidden && after(out, l.Section):
			out = append(out, lines[blank])
		}
		if !l.Hidden {
			blank = -1
		}
		out = append(out, l)
	}
	return out
}

// after reports whether the last visible line belongs to the section.
func after(lines []memory.ProfileLine, s memory.Section) bool {
	for _, l := range slices.Backward(lines) {
		if !l.Hidden {
			return l.Section == s
		}
	}
	return false
}

// Markdown returns the document of a profile: its visible lines under their headings.
// It includes all headings, to show where to write.
func Markdown(lines []memory.ProfileLine) string {
	return MarkdownIn(lines, func(s memory.Section) string { return string(s) })
}

// MarkdownIn is [Markdown] with other titles of the sections, which [Parse] must know.
func MarkdownIn(lines []memory.ProfileLine, title func(memory.Section) string) string {
	var b strings.Builder
	put := func(s memory.Section) (n int) {
		for _, l := range lines {
			if l.Section == s && !l.Hidden {
				b.WriteString(l.Text + "\n")
				n++
			}
		}
		return n
	}
	if put(memory.SectionNone) > 0 {
		b.WriteByte('\n')
	}
	for i, s := range memory.Sections() {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(Heading(title(s)) + "\n")
		at := b.Len()
		if put(s) > 0 { // one empty line under the heading, as usual in Markdown
			text := b.String()
			b.Reset()
			b.WriteString(text[:at] + "\n" + text[at:])
		}
	}
	return b.String()
}

// bullet is the mark of a derived line.
const bullet = "- "

// LineOf returns the line of an item's content.
func LineOf(content string) string { return bullet + strings.Join(strings.Fields(content), " ") }

// Said returns the text of a line without list marks.
func Said(line string) string {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return strings.TrimSpace(rest)
		}
	}
	return line
}

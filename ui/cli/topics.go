package cli

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/ui/actions"
	"memoria/ui/clean"
	"memoria/ui/config"
	"memoria/ui/term/keys"
	"memoria/ui/words"
)

// manualText is the manual: topics, which "memoria help" shows one by one and "memoria man"
// all together. A topic is
//
//	= NAME TITLE
//	Lines up to an empty one are a paragraph.
//
//	TERM
//		Lines that begin with a tab are its meaning.
//
//	  Lines that begin with two spaces stay as they are.
//
// A line @keys or @slash stands for all keys of the screen, or all commands after a slash.
//
// manual.zh.txt has the same topics, in the same order, with the same examples.
//
//go:embed manual.txt
var manualText string

//go:embed manual.zh.txt
var manualChinese string

// topic is a chapter of the manual.
type topic struct {
	name, title string
	blocks      []block
}

// block is a paragraph, a term with its meaning, or lines that stay as they are.
type block struct {
	term    string
	text    string
	example bool
}

// typed reports whether the term is a line for a shell, which must not be broken.
func (b block) typed() bool {
	return strings.HasPrefix(b.term, "curl ") || strings.HasPrefix(b.term, "TOKEN=")
}

// topics returns the manual in its order.
func topics(w words.Words) (out []topic) {
	manual := manualText
	if w.Language == words.Chinese {
		manual = manualChinese
	}
	for _, chapter := range strings.Split("\n"+manual, "\n= ")[1:] {
		head, body, _ := strings.Cut(strings.TrimSpace(chapter), "\n")
		name, title, _ := strings.Cut(head, " ")
		out = append(out, topic{name: name, title: title, blocks: blocks(w, body)})
	}
	return out
}

// blocks reads the text of a topic.
func blocks(w words.Words, body string) (out []block) {
	lines := strings.Split(body, "\n")
	begun := false // the last block may get more lines
	for i, l := range lines {
		meaning := i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\t")
		last := len(out) - 1
		switch {
		case l == "":
			begun = false
		case l == "@keys":
			out, begun = append(out, keyBlocks(w)...), false
		case l == "@slash":
			out, begun = append(out, slashBlocks(w)...), false
		case strings.HasPrefix(l, "\t"):
			out[last].text = joined(w, out[last].text, strings.TrimSpace(l))
		case strings.HasPrefix(l, "  ") && begun && out[last].example:
			out[last].text += "\n" + l
		case strings.HasPrefix(l, "  "):
			out, begun = append(out, block{text: l, example: true}), true
		case meaning:
			out, begun = append(out, block{term: l}), false
		case begun:
			out[last].text = joined(w, out[last].text, l)
		default:
			out, begun = append(out, block{text: l}), true
		}
	}
	return out
}

// joined is a line and the next one. Chinese has a space between them only where a Han character
// is beside a Latin one.
func joined(w words.Words, a, b string) string {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	wide := func(r rune) bool { return r > unicode.MaxLatin1 }
	full := func(r rune) bool { return wide(r) && unicode.IsPunct(r) }
	if w.Language == words.Chinese && (wide(last) && wide(first) || full(last) || full(first)) {
		return a + b
	}
	return strings.TrimSpace(a + " " + b)
}

// unbroken is a paragraph as one line.
func unbroken(w words.Words, paragraph string) (line string) {
	for i, l := range strings.Split(paragraph, "\n") {
		if i == 0 {
			line = l
		} else {
			line = joined(w, line, l)
		}
	}
	return line
}

// keyBlocks lists the keys of the terminal program, as its own help does.
func keyBlocks(w words.Words) (out []block) {
	for _, g := range keys.Default(w).Groups() {
		lines := []string{"  " + g.Title}
		for _, k := range g.Keys {
			lines = append(lines, row("  "+k.Help().Key, k.Help().Desc, 14)...)
		}
		out = append(out, block{text: strings.Join(lines, "\n"), example: true})
	}
	return out
}

// slashBlocks lists what can be typed after a slash.
func slashBlocks(w words.Words) []block {
	var lines []string
	for _, a := range (actions.Screen | actions.Plain).All() {
		a = a.Worded(w.Language)
		about := a.Help
		if len(a.Aliases) > 0 {
			about = w.Say("help.also", about, strings.Join(a.Aliases, ", "))
		}
		lines = append(lines, row(a.Usage(), about, 24)...)
	}
	return []block{{text: strings.Join(lines, "\n"), example: true}}
}

// topicWidth is the width of a topic on the terminal.
const topicWidth = 80

// row is an entry of a list with two columns.
func row(name, about string, width int) (lines []string) {
	left := "  " + name + strings.Repeat(" ", max(1, width-clean.Width(name)))
	for _, l := range clean.Wrap(about, max(20, topicWidth-clean.Width(left))) {
		lines = append(lines, left+l)
		left = strings.Repeat(" ", width+2)
	}
	return lines
}

// String is the topic as text.
func (t topic) String() string {
	var b strings.Builder
	b.WriteString(t.title + "\n")
	listed := false // the block before is a term
	for _, p := range t.blocks {
		if p.term == "" || !listed {
			b.WriteString("\n")
		}
		listed = p.term != ""
		switch {
		case p.example:
			b.WriteString(p.text + "\n")
		case p.term != "":
			b.WriteString("  " + p.term + "\n")
			for _, l := range clean.Wrap(p.text, topicWidth-6) {
				b.WriteString("      " + l + "\n")
			}
		default:
			for _, l := range clean.Wrap(p.text, topicWidth) {
				b.WriteString(l + "\n")
			}
		}
	}
	return b.String()
}

// findTopic returns the topic with this name, or with this word in its title.
func findTopic(w words.Words, name string) (topic, bool) {
	name = text.Fold(name)
	all := topics(w)
	i := slices.IndexFunc(all, func(t topic) bool { return t.name == name })
	if i < 0 {
		i = slices.IndexFunc(all, func(t topic) bool {
			title := text.Fold(t.title)
			if w.Language == words.Chinese && utf8.RuneCountInString(name) > 1 {
				return strings.Contains(title, name)
			}
			return slices.Contains(strings.Fields(strings.Trim(title, "()")), name)
		})
	}
	if i < 0 {
		return topic{}, false
	}
	return all[i], true
}

// topicList are the names and titles of all topics, one a line.
func topicList(w words.Words) string {
	var b strings.Builder
	for _, t := range topics(w) {
		b.WriteString(strings.Join(row(t.name, t.title, 12), "\n") + "\n")
	}
	return b.String()
}

// nearTopic says which topic or command was probably meant, or else which topics use the
// word; it is empty where there is neither.
func nearTopic(w words.Words, name string, commands []string) (m words.Message) {
	name = text.Fold(name)
	near := config.Nearest(name, append(topicNames(w), commands...))
	if near == "" || text.Distance(name, near) > max(1, len(name)/4) { // hardly a typing error
		if in := mentioning(w, name); len(in) > 0 && len(in) <= mostMentions {
			return words.Later("help.mentioned", strings.Join(in, ", "))
		}
	}
	if near == "" {
		return m
	}
	return words.Later("help.nearest", near)
}

// mostMentions is how many topics with a word are named; a word in more says little.
const mostMentions = 6

// mentioning are the names of the topics that use a word.
func mentioning(w words.Words, word string) (in []string) {
	if utf8.RuneCountInString(word) < 2 {
		return nil
	}
	for _, t := range topics(w) {
		if strings.Contains(text.Fold(t.String()), word) {
			in = append(in, t.name)
		}
	}
	return in
}

func topicNames(w words.Words) (out []string) {
	for _, t := range topics(w) {
		out = append(out, t.name)
	}
	return out
}

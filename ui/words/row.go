package words

import (
	"strings"
	"time"

	"memoria/ui/clean"
)

// Field is a line of a page: a name and its value. ID is the message that names it; a name
// that is not of the catalogue has none.
type Field struct{ Name, Said, ID string }

// Fields are the lines of a page in their order.
type Fields []Field

// add appends a line, cleaned, unless it is empty.
func (f *Fields) add(w Words, id, said string) {
	if said = clean.Line(said); said != "" {
		*f = append(*f, Field{w.Say(id), said, id})
	}
}

// Row is an entry of a list.
type Row struct {
	// Sentence is the entry as it is read aloud; the list adds its number.
	Sentence string
	// Columns is the entry as a command prints it: its id first, aligned, and further
	// lines indented.
	Columns string
}

// ShortID is the end of an id, which is enough to name it.
func ShortID(id string) string { return id[max(0, len(id)-8):] }

// Readable makes words of a constant's name.
func Readable[T ~string](name T) string { return strings.ReplaceAll(string(name), "_", " ") }

// Untrusted texts are cut to these lengths in lists, in characters.
const (
	maxQuote     = 120
	excerptWidth = 96
)

// Cut is a text on one line, cut for a list.
func Cut(text string) string {
	line := clean.Line(text)
	if r := []rune(line); len(r) > maxQuote {
		return strings.TrimSpace(string(r[:maxQuote])) + "…"
	}
	return line
}

// Excerpt is the part of a text around the first of the words that it has.
func Excerpt(text, words string) string {
	line := []rune(clean.Line(text))
	if len(line) <= excerptWidth {
		return string(line)
	}
	at := 0
	folded := strings.ToLower(string(line))
	for _, w := range strings.Fields(strings.ToLower(words)) {
		if i := strings.Index(folded, w); i >= 0 {
			at = len([]rune(folded[:i]))
			break
		}
	}
	from := min(max(at-excerptWidth/3, 0), len(line)-excerptWidth)
	out := string(line[from : from+excerptWidth])
	if from > 0 {
		out = "…" + out
	}
	if from+excerptWidth < len(line) {
		out += "…"
	}
	return out
}

// orNone is a value, or the word for none.
func orNone(w Words, said string) string {
	if said = clean.Line(said); said == "" {
		return w.Say("none")
	}
	return said
}

// when is a time to the minute in the zone of now.
func when(t, now time.Time) string { return Moment(t, now.Location()) }

// List enumerates.
func (l Language) List(of []string) string { return strings.Join(of, l.Say("sep.list")) }

// comma and colon join parts of a sentence, and paren adds a remark.
func (l Language) comma() string              { return l.Say("sep.comma") }
func (l Language) colon() string              { return l.Say("sep.colon") }
func (l Language) paren(remark string) string { return l.Say("sep.paren", remark) }

// Pad fills a cleaned text up with spaces to a number of terminal cells, of which Chinese
// takes two a character.
func Pad(text string, cells int) string {
	return text + strings.Repeat(" ", max(0, cells-clean.Width(text)))
}

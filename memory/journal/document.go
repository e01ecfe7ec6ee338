package journal

import (
	"bufio"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
)

// Document is a journal file: a header that refers to the archive, and Markdown.
type Document struct {
	// Kind is empty without a header; then Body is the whole file.
	Kind    memory.JournalKind
	Date    string
	Session string
	By      string
	Records []string // source messages, oldest first
	Body    string
}

const (
	fence      = "---"
	maxHeader  = 4 << 20 // bytes; anything longer is not a header
	idsPerLine = 4
)

// The keys of a header, in written order.
const (
	keyKind    = "journal"
	keyDate    = "date"
	keySession = "session"
	keyBy      = "by"
	keyRecords = "records"
)

// String formats the document as its file.
func (d Document) String() string {
	if d.Kind == "" {
		return d.Body
	}
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			b.WriteString(key + ": " + value + "\n")
		}
	}
	b.WriteString(fence + "\n")
	line(keyKind, string(d.Kind))
	line(keyDate, d.Date)
	line(keySession, d.Session)
	line(keyBy, oneLine(d.By))
	b.WriteString(keyRecords + ":\n")
	for ids := range slices.Chunk(d.Records, idsPerLine) {
		b.WriteString("  " + strings.Join(ids, " ") + "\n")
	}
	b.WriteString(fence + "\n\n" + d.Body)
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

var recordID = text.LazyRegexp(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)

// Parse parses a file. Any content is a valid document: an unreadable header becomes part
// of the text. Unknown keys are ignored; the first of two lines with one key counts.
func Parse(file string) Document {
	file = strings.TrimPrefix(file, "\ufeff")
	file = strings.ReplaceAll(file, "\r\n", "\n")
	plain := Document{Body: file}
	if len(file) > maxHeader && !strings.Contains(file[:maxHeader], "\n"+fence) {
		return plain
	}
	head, body, ok := strings.Cut(strings.TrimPrefix(file, fence+"\n"), "\n"+fence)
	if !ok || !strings.HasPrefix(file, fence+"\n") {
		return plain
	}
	if body = strings.TrimLeft(body, " \t"); body != "" && body[0] != '\n' {
		return plain // a line that only begins with the fence
	}
	d, ok := parseHeader(head)
	if !ok {
		return plain
	}
	d.Body = strings.TrimLeft(body, "\n")
	return d
}

func parseHeader(head string) (d Document, ok bool) {
	seen := map[string]bool{}
	key := ""
	lines := bufio.NewScanner(strings.NewReader(head))
	lines.Buffer(nil, maxHeader+1)
	for lines.Scan() {
		line := lines.Text()
		if name, value, found := strings.Cut(line, ":"); found && line[0] != ' ' && line[0] != '\t' {
			if key = strings.TrimSpace(name); seen[key] {
				key = ""
			}
			seen[key] = true
			d.set(key, strings.TrimSpace(value))
			continue
		}
		if key == keyRecords {
			d.set(key, line)
		}
	}
	if lines.Err() != nil || d.Kind == "" {
		return Document{}, false
	}
	slices.Sort(d.Records)
	d.Records = slices.Compact(d.Records)
	return d, true
}

func (d *Document) set(key, value string) {
	switch key {
	case keyKind:
		switch k := memory.JournalKind(value); k {
		case memory.JournalVerbatim, memory.JournalDay, memory.JournalMonth:
			d.Kind = k
		}
	case keyDate:
		d.Date = value
	case keySession:
		if recordID().MatchString(value) {
			d.Session = value
		}
	case keyBy:
		d.By = value
	case keyRecords:
		for _, id := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t,[]-\"'", r) }) {
			if recordID().MatchString(id) {
				d.Records = append(d.Records, id)
			}
		}
	}
}

// mark links a paragraph to its source message. It is invisible in rendered Markdown.
func mark(id string) string { return "<!-- " + id + " -->" }

var markAtEnd = text.LazyRegexp(`[ \t]*<!-- ([0-7][0-9A-HJKMNP-TV-Z]{25}) -->[ \t]*$`)

// cutMark removes the mark at the end of a line.
func cutMark(line string) (rest, id string) {
	if !strings.HasSuffix(strings.TrimRight(line, " \t"), "-->") {
		return line, ""
	}
	m := markAtEnd().FindStringSubmatchIndex(line)
	if m == nil {
		return line, ""
	}
	return line[:m[0]], line[m[2]:m[3]]
}

// Passage is a part of a file that can be found and quoted separately.
type Passage struct {
	// Record is the source message; empty for a whole file or if unknown.
	Record string
	// Lead is the headings above. It is not quoted. Inherited says that it is searched with
	// this passage: with each of the user's notes, and with the first item of a summary.
	// Otherwise a heading would match everything under it.
	Lead      string
	Inherited bool
	Text      string
}

// searched returns the text that the passage is found by.
func (p Passage) searched() string {
	if p.Inherited {
		return p.Lead + "\n" + p.Text
	}
	return p.Text
}

const maxPassage = 2 << 10 // bytes; longer text is cut at its paragraphs

// Passages cuts a document into its passages: each message of a verbatim file, each
// paragraph and list item of any other, with its headings.
func (d Document) Passages() []Passage {
	if d.Kind == memory.JournalVerbatim {
		return d.messages()
	}
	return d.paragraphs()
}

// messages returns the passages of a verbatim file. The text below a heading with the mark
// of one of its records belongs to that record. A mark counts once, so that a message that
// quotes the file cannot pass for another.
func (d Document) messages() (out []Passage) {
	known := map[string]bool{}
	for _, id := range d.Records {
		known[id] = true
	}
	var p Passage
	title := ""
	var text []string
	flush := func() {
		for _, piece := range pieces(strings.Trim(strings.Join(text, "\n"), "\n")) {
			out = append(out, Passage{Record: p.Record, Lead: p.Lead, Text: piece})
		}
		text = nil
	}
	for line := range strings.SplitSeq(d.Body, "\n") {
		if rest, id := cutMark(line); id != "" && known[id] && strings.HasPrefix(line, sectionHead) {
			flush()
			known[id] = false
			p = Passage{Record: id, Lead: strings.TrimSpace(title + " " + strings.Trim(rest, "# "))}
			continue
		}
		if p.Record == "" && strings.HasPrefix(line, "# ") {
			title = strings.TrimSpace(line[2:])
			continue
		}
		text = append(text, unescaped(line))
	}
	flush()
	return out
}

// told returns which messages a document contains: in a verbatim file those with a mark, in
// a summary all that its header names.
func (d Document) told() func(id string) bool {
	if d.Kind != memory.JournalVerbatim {
		return func(string) bool { return true }
	}
	marked := map[string]bool{}
	for line := range strings.SplitSeq(d.Body, "\n") {
		if _, id := cutMark(line); id != "" && strings.HasPrefix(line, sectionHead) {
			marked[id] = true
		}
	}
	return func(id string) bool { return marked[id] }
}

const sectionHead = "### "

// escaped keeps a line of a message from being parsed as the head of another message.
func escaped(line string) string {
	if _, id := cutMark(line); id != "" && strings.HasPrefix(strings.TrimLeft(line, `\`), sectionHead) {
		return `\` + line
	}
	return line
}

func unescaped(line string) string {
	if rest, ok := strings.CutPrefix(line, `\`); ok && escaped(rest) == line {
		return rest
	}
	return line
}

func (d Document) paragraphs() (out []Passage) {
	var heads [7]string
	var text []string
	id := ""
	fenced := false
	flush := func() {
		lead := strings.Join(slices.DeleteFunc(slices.Clone(heads[:]), func(s string) bool { return s == "" }), " ")
		for _, piece := range pieces(strings.TrimSpace(strings.Join(text, "\n"))) {
			inherited := d.Kind == "" || len(out) == 0 || out[len(out)-1].Lead != lead
			out = append(out, Passage{Record: id, Lead: lead, Inherited: inherited, Text: piece})
		}
		text, id = nil, ""
	}
	for line := range strings.SplitSeq(WithoutComments(d.Body), "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") {
			fenced = !fenced
		}
		level := len(trimmed) - len(strings.TrimLeft(trimmed, "#"))
		switch {
		case fenced:
		case trimmed == "":
			flush()
			continue
		case level > 0 && level < len(heads) && strings.HasPrefix(trimmed[level:], " "):
			flush()
			clear(heads[level:])
			heads[level], _ = cutMark(strings.TrimSpace(trimmed[level:]))
			continue
		case strings.HasPrefix(trimmed, "- "), strings.HasPrefix(trimmed, "* "), strings.HasPrefix(trimmed, "+ "):
			flush()
			line = trimmed[2:]
		}
		rest, of := cutMark(line)
		if of != "" {
			id = of
		}
		text = append(text, rest)
	}
	flush()
	if d.Kind != "" {
		return joined(out)
	}
	return out
}

// joinedSize is the maximum size of joined summary items, in bytes: a conversation is
// also found by the words of its other sentences.
const joinedSize = 600

// joined joins adjacent items under one heading.
func joined(all []Passage) (out []Passage) {
	for _, p := range all {
		if n := len(out); n > 0 && out[n-1].Lead == p.Lead && len(out[n-1].Text)+len(p.Text) < joinedSize {
			last := &out[n-1]
			if last.Text += "\n" + p.Text; last.Record != p.Record {
				last.Record = ""
			}
			continue
		}
		out = append(out, p)
	}
	return out
}

// pieces cuts a long text at its paragraphs, or at lines, or between characters.
func pieces(s string) (out []string) {
	for len(s) > maxPassage {
		at := max(strings.LastIndex(s[:maxPassage], "\n\n"), 0)
		if at == 0 {
			at = max(strings.LastIndex(s[:maxPassage], "\n"), 0)
		}
		if at == 0 {
			at = len(strings.ToValidUTF8(s[:maxPassage], ""))
			if at == 0 || at > maxPassage {
				at = maxPassage
			}
		}
		if p := strings.TrimSpace(s[:at]); p != "" {
			out = append(out, p)
		}
		s = s[at:]
	}
	if strings.TrimSpace(s) != "" {
		out = append(out, s)
	}
	return out
}

// Plain returns a body for reading without rendering: without the marks of messages.
func Plain(body string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(body, "\n") {
		line, _ = cutMark(line)
		b.WriteString(line + "\n")
	}
	return b.String()
}

var comment = text.LazyRegexp(`(?s)<!--.*?-->`)

// WithoutComments removes comments, except the marks of messages.
func WithoutComments(s string) string {
	return comment().ReplaceAllStringFunc(s, func(c string) string {
		if markAtEnd().MatchString(c) {
			return c
		}
		return ""
	})
}

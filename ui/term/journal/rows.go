package journal

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"memoria/memory"
	files "memoria/memory/journal"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/term/quote"
	"memoria/ui/words"
)

// entry is what a row stands for: a month, a file, or a line of one.
type entry struct {
	month  string // 2026-01
	path   string
	absent bool   // there is no such file yet
	record string // the message that it is of
	text   string
}

// copied is what copying the row gives.
func (e entry) copied() string {
	if e.text != "" {
		return e.text
	}
	return e.path
}

type row = list.Row[entry]

// build makes the rows anew and keeps the cursor on its row.
func (m *Model) build() {
	if m.width <= 0 {
		return
	}
	m.rows = nil
	switch {
	case m.mode == reading:
		m.addFile()
	case m.asked != "":
		m.addHits()
	default:
		m.addTree()
	}
	m.list.Hold(m.focused && m.mode != searching)
	m.list.Set(m.rows)
}

func (m *Model) say(lines ...string) { m.rows = append(m.rows, row{Lines: lines}) }

func (m *Model) head(text string) {
	m.say(m.styles.Accent.Render(" " + clean.Truncate(text, m.width-2, cells.Ellipsis)))
}

func (m *Model) note(style list.Styler, text string) {
	m.say(list.Wrapped(style, text, m.width, 1)...)
}

func (m *Model) addTree() {
	switch {
	case m.failed != "":
		m.head("the journal cannot be read")
		m.note(m.styles.Bad, m.failed)
		return
	case !m.loaded:
		m.head("journal · reading …")
		return
	case m.state.Nobody != "":
		m.head("journal")
		m.note(m.styles.Dim, m.state.Nobody)
		return
	}
	m.head("journal · " + list.Plural(len(m.state.Files), "file"))
	m.addStatus()
	if len(m.state.Files) == 0 && m.state.Status.Enabled {
		m.note(m.styles.Dim, "What is said becomes Markdown files here, some hours later or with "+m.keys.Journal.Write.Help().Key+
			": five days word for word, then a summary of each day, then of each month. You may read, search and edit them with any program.")
	}
	m.addOwn()
	month := ""
	for _, f := range m.state.Files {
		if f.Date == "" {
			continue
		}
		if at := f.Date[:min(len(f.Date), len("2026-01"))]; at != month {
			month = at
			m.addMonth(month)
		}
		if !m.closed(month) {
			m.addEntry(f, m.name(f))
		}
	}
}

// addOwn are the user's files; memory.md stands there before it is.
func (m *Model) addOwn() {
	if !m.state.Status.Enabled {
		return
	}
	m.head("your notes")
	own := slices.DeleteFunc(slices.Clone(m.state.Files), func(f memory.JournalFile) bool { return f.Date != "" })
	if !slices.ContainsFunc(own, func(f memory.JournalFile) bool { return f.Path == files.LongTerm }) {
		m.rows = append(m.rows, row{Key: "f " + files.LongTerm, Of: entry{path: files.LongTerm, absent: true}, Lines: []string{
			"     " + m.styles.Dim.Render(files.LongTerm),
			"       " + m.styles.Dim.Render(clean.Truncate("not there yet: what you write in it is searched with every message", max(4, m.width-8), cells.Ellipsis)),
		}})
	}
	for _, f := range own {
		m.addEntry(f, f.Path)
	}
}

// addStatus says how the journal is; what failed or is broken in a colour.
func (m *Model) addStatus() {
	lines := words.JournalStatus(m.state.Status, m.now)
	wide := 0
	for _, l := range lines {
		wide = max(wide, cells.Width(l.Name))
	}
	for _, l := range lines {
		if l.Name == "files" {
			continue // the tree shows them
		}
		style := m.styles.Dim
		if l.Name == "failed" || l.Name == "index" {
			style = m.styles.Warn
		}
		for i, s := range list.Wrapped(style, l.Said, m.width, wide+5) {
			if i == 0 {
				s = "   " + m.styles.Dim.Render(cells.Fit(l.Name, wide)) + "  " + strings.TrimLeft(s, " ")
			}
			m.say(s)
		}
	}
}

// openMonths is how many months show their files before the user opens or closes one.
const openMonths = 2

// closed reports whether a month shows its name alone.
func (m *Model) closed(month string) bool {
	if closed, chosen := m.folded[month]; chosen {
		return closed
	}
	at := slices.Index(m.months(), month)
	return at >= openMonths
}

// months are those that have files, the newest first.
func (m *Model) months() (out []string) {
	for _, f := range m.state.Files {
		if f.Date == "" {
			continue
		}
		if month := f.Date[:min(len(f.Date), len("2026-01"))]; !slices.Contains(out, month) {
			out = append(out, month)
		}
	}
	return out
}

func (m *Model) addMonth(month string) {
	n := 0
	for _, f := range m.state.Files {
		if strings.HasPrefix(f.Date, month) {
			n++
		}
	}
	sign := "− "
	if m.closed(month) {
		sign = "+ "
	}
	left := "   " + m.styles.Strong.Render(sign+clean.Line(month))
	m.rows = append(m.rows, row{
		Key: "m " + month, Of: entry{month: month},
		Lines: []string{cells.Spread(left, m.styles.Dim.Render(list.Plural(n, "file")+" "), m.width)},
	})
}

// name is what a file of a day or month is called in the tree.
func (m *Model) name(f memory.JournalFile) string {
	day, err := time.Parse(time.DateOnly, f.Date)
	if err != nil {
		return "the month"
	}
	out := day.Format("02 Mon")
	if f.Kind == memory.JournalVerbatim {
		base := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
		base = strings.TrimPrefix(strings.TrimSuffix(base, ".md"), f.Date+"-")
		out += "  " + strings.ReplaceAll(base, "-", " ")
	}
	return out
}

func (m *Model) addEntry(f memory.JournalFile, name string) {
	style := list.Styler(m.styles.Text)
	if f.Covered != "" {
		style = m.styles.Dim
	}
	lines := []string{"     " + style.Render(clean.Truncate(clean.Line(name), max(4, m.width-6), cells.Ellipsis))}
	said := words.JournalFile(f)
	if f.Attempts > 0 {
		said += ", failed " + fmt.Sprint(f.Attempts) + "×"
	}
	lines = append(lines, "       "+m.styles.Dim.Render(clean.Truncate(clean.Line(said), max(4, m.width-8), cells.Ellipsis)))
	m.rows = append(m.rows, row{Key: "f " + f.Path, Of: entry{path: f.Path}, Lines: lines})
}

// addFile is a file, each line of its own so that a long one scrolls.
func (m *Model) addFile() {
	m.head(clean.Line(m.file.Path))
	m.note(m.styles.Dim, words.JournalFile(m.file))
	blocks := m.text.Blocks()
	if len(blocks) == 0 {
		m.say("")
		m.note(m.styles.Dim, "It is empty. "+m.keys.Journal.Edit.Help().Key+" opens it in your editor.")
	}
	n := 0
	for i, b := range blocks {
		if !strings.HasPrefix(b.Text, "- ") || i == 0 || !strings.HasPrefix(blocks[i-1].Text, "- ") {
			m.say("")
		}
		for _, line := range m.rendered(b.Text) {
			n++
			key := fmt.Sprint("l ", n)
			if strings.TrimSpace(ansi.Strip(line)) == "" {
				key = ""
			}
			m.rows = append(m.rows, row{Key: key, Of: entry{record: b.Record}, Lines: []string{"   " + line}})
		}
	}
}

func (m *Model) rendered(text string) []string {
	w := max(1, m.width-4)
	if m.markdown == nil {
		return clean.Wrap(clean.Line(text), w)
	}
	return m.markdown.Render(text, w)
}

func (m *Model) addHits() {
	switch {
	case !m.answered:
		m.head("searching …")
		return
	case len(m.hits) == 0:
		m.head("nothing found")
		m.note(m.styles.Dim, "No passage of the journal has enough of these words. Messages that are not in it yet are found in the Archive.")
		return
	}
	m.head(list.Plural(len(m.hits), "passage") + ", best first")
	needle := quote.New(m.asked)
	for i, h := range m.hits {
		m.rows = append(m.rows, row{Key: fmt.Sprint("h ", i), Of: entry{path: h.Path, record: h.Record, text: h.Text}, Lines: m.hitLines(h, needle)})
	}
}

func (m *Model) hitLines(h files.Hit, needle quote.Needle) []string {
	left := "   " + m.styles.Strong.Render(clean.Truncate(clean.Line(h.Path), max(4, m.width-12), cells.Ellipsis))
	return []string{
		cells.Spread(left, m.styles.Dim.Render(fmt.Sprintf("%.1f ", h.Score)), m.width),
		"     “" + needle.Cut(h.Text[h.From:h.To], max(4, m.width-8), m.styles) + "”",
		"     " + m.styles.Dim.Render(clean.Truncate("has: "+clean.Line(strings.Join(h.Words, ", ")), max(4, m.width-6), cells.Ellipsis)),
	}
}

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
)

// entry is the subject of a row: a month, a file, or a line of one.
type entry struct {
	month  string // 2026-01
	closed bool   // the month shows its name alone
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

// addRows adds the file, what was found, or the tree.
func (m *Model) addRows() {
	switch {
	case m.reading:
		m.addFile()
	case m.asked != "":
		m.addHits()
	default:
		m.addTree()
	}
	m.List.Hold(m.Focused && !m.Typing)
}

func (m *Model) addTree() {
	switch {
	case m.failed != "":
		m.Head(m.Words.Say("journal.unread"))
		m.Note(m.Styles.Bad, m.failed)
		return
	case !m.loaded:
		m.Head(m.Words.Say("journal.head", m.Words.Say("life.reading")))
		return
	case m.state.Unavailable != "":
		m.Head(m.Words.Say("view.journal"))
		m.Dim(m.state.Unavailable)
		return
	}
	m.Head(m.Words.Say("journal.head", list.Count(m.Words.Words, len(m.state.Files), "file")))
	m.addStatus()
	if len(m.state.Files) == 0 && m.state.Status.Enabled {
		m.Dim(m.Words.Say("journal.empty", m.Keys.Journal.Write.Help().Key))
	}
	m.addOwn()
	for i, month := range m.months() {
		closed, chosen := m.folded[month.name]
		closed = closed || !chosen && i >= openMonths
		m.addMonth(month, closed)
		for _, f := range month.files {
			if !closed {
				m.addEntry(f, m.name(f))
			}
		}
	}
}

// addOwn adds the user's files; memory.md is shown before it exists.
func (m *Model) addOwn() {
	if !m.state.Status.Enabled {
		return
	}
	m.Head(m.Words.Say("journal.kind.own"))
	own := slices.DeleteFunc(slices.Clone(m.state.Files), func(f memory.JournalFile) bool { return f.Date != "" })
	if !slices.ContainsFunc(own, func(f memory.JournalFile) bool { return f.Path == files.LongTerm }) {
		why := clean.Truncate(m.Words.Say("journal.own.none"), max(4, m.Width-8), cells.Ellipsis)
		m.Add("f "+files.LongTerm, entry{path: files.LongTerm, absent: true},
			"     "+m.Styles.Dim.Render(files.LongTerm), "       "+m.Styles.Dim.Render(why))
	}
	for _, f := range own {
		m.addEntry(f, f.Path)
	}
}

// addStatus says how the journal is; what failed or is broken in a colour.
func (m *Model) addStatus() {
	lines := m.Words.JournalStatus(m.state.Status, m.Now)
	wide := 0
	for _, l := range lines {
		wide = max(wide, cells.Width(l.Name))
	}
	for _, l := range lines {
		style := m.Styles.Dim
		switch l.ID {
		case "journal.files":
			continue // the tree shows them
		case "journal.failing", "journal.index":
			style = m.Styles.Warn
		}
		m.Say(list.Labelled(m.Styles.Dim, style, l.Name, l.Said, m.Width, 3, wide+2)...)
	}
}

// openMonths is how many months show their files before the user opens or closes one.
const openMonths = 2

// month is the files of a month.
type month struct {
	name  string // 2026-01
	files []memory.JournalFile
}

// months returns those that have files, the newest first.
func (m *Model) months() (out []month) {
	for _, f := range m.state.Files {
		name := f.Date[:min(len(f.Date), len("2026-01"))]
		if n := len(out); name != "" && (n == 0 || out[n-1].name != name) {
			out = append(out, month{name: name})
		}
		if name != "" {
			out[len(out)-1].files = append(out[len(out)-1].files, f)
		}
	}
	return out
}

func (m *Model) addMonth(of month, closed bool) {
	sign := "− "
	if closed {
		sign = "+ "
	}
	left := "   " + m.Styles.Strong.Render(sign+clean.Line(of.name))
	right := m.Styles.Dim.Render(m.Words.Count(len(of.files), "file") + " ")
	m.Add("m "+of.name, entry{month: of.name, closed: closed}, cells.Spread(left, right, m.Width))
}

// name is what a file of a day or month is called in the tree.
func (m *Model) name(f memory.JournalFile) string {
	day, err := time.Parse(time.DateOnly, f.Date)
	if err != nil {
		return m.Words.Say("journal.month")
	}
	weekday := m.Words.Weekdays()[(day.Weekday()+6)%7] // of weeks that begin on Monday
	out := m.Words.Say("journal.day", day.Day(), weekday)
	if f.Kind == memory.JournalVerbatim {
		base := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
		base = strings.TrimPrefix(strings.TrimSuffix(base, ".md"), f.Date+"-")
		out += "  " + strings.ReplaceAll(base, "-", " ")
	}
	return out
}

func (m *Model) addEntry(f memory.JournalFile, name string) {
	style := list.Styler(m.Styles.Text)
	if f.Covered != "" {
		style = m.Styles.Dim
	}
	lines := []string{"     " + style.Render(clean.Truncate(clean.Line(name), max(4, m.Width-6), cells.Ellipsis))}
	said := m.Words.JournalFile(f)
	if f.Attempts > 0 {
		said += m.Words.Say("journal.attempts", f.Attempts)
	}
	lines = append(lines, "       "+m.Styles.Dim.Render(clean.Truncate(clean.Line(said), max(4, m.Width-8), cells.Ellipsis)))
	m.Add("f "+f.Path, entry{path: f.Path}, lines...)
}

// addFile is a file, each line of its own so that a long one scrolls.
func (m *Model) addFile() {
	m.Head(clean.Line(m.file.Path))
	m.Dim(m.Words.JournalFile(m.file))
	blocks := m.body.Blocks()
	if len(blocks) == 0 {
		m.Say("")
		m.Dim(m.Words.Say("journal.blank", m.Keys.Journal.Edit.Help().Key))
	}
	n := 0
	for i, b := range blocks {
		if !strings.HasPrefix(b.Text, "- ") || i == 0 || !strings.HasPrefix(blocks[i-1].Text, "- ") {
			m.Say("")
		}
		for _, line := range m.rendered(b.Text) {
			n++
			key := fmt.Sprint("l ", n)
			if strings.TrimSpace(ansi.Strip(line)) == "" {
				key = ""
			}
			m.Add(key, entry{record: b.Record}, "   "+line)
		}
	}
}

func (m *Model) rendered(text string) []string {
	w := max(1, m.Width-4)
	if m.markdown == nil {
		return clean.Wrap(clean.Line(text), w)
	}
	return m.markdown.Render(text, w)
}

func (m *Model) addHits() {
	switch {
	case !m.answered:
		m.Head(m.Words.Say("history.searching"))
		return
	case len(m.hits) == 0:
		m.Head(m.Words.Say("history.nothing"))
		m.Dim(m.Words.Say("journal.nothing"))
		return
	}
	m.Head(m.Words.Say("history.best", m.Words.Count(len(m.hits), "passage")))
	needle := quote.New(m.asked)
	for i, h := range m.hits {
		m.Add(fmt.Sprint("h ", i), entry{path: h.Path, record: h.Record, text: h.Text}, m.hitLines(h, needle)...)
	}
}

func (m *Model) hitLines(h files.Hit, needle quote.Needle) []string {
	has := clean.Line(m.Words.Say("journal.has", m.Words.List(h.Words)))
	left := "   " + m.Styles.Strong.Render(clean.Truncate(clean.Line(h.Path), max(4, m.Width-12), cells.Ellipsis))
	return []string{
		cells.Spread(left, m.Styles.Dim.Render(fmt.Sprintf("%.1f ", h.Score)), m.Width),
		"     “" + needle.Cut(h.Text[h.From:h.To], max(4, m.Width-8), m.Styles) + "”",
		"     " + m.Styles.Dim.Render(clean.Truncate(has, max(4, m.Width-6), cells.Ellipsis)),
	}
}

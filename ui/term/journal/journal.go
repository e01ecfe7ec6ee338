package journal

import (
	"strings"
	"time"

	"memoria/memory"
	files "memoria/memory/journal"
	"memoria/ui/term/field"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/theme"
)

// Do says what the user wants done.
type Do int

// What the part can ask for.
const (
	Nothing Do = iota
	Read       // the words of the file Path; answered by Show or Failed
	Edit       // let the user's editor change the file Path
	Write      // write what waits; answered by Written or Failed
	Search     // look for Text; answered by Found or Failed. Typed says that the user may go on typing
	Open       // show the message Record in its session
	Copy       // copy Text
	Leave      // back to the input
)

// Action is what a key asked for.
type Action struct {
	Do     Do
	Path   string
	Record string
	Text   string
	Typed  bool
}

// State is the journal as the part shows it.
type State struct {
	Status files.Status
	Files  []memory.JournalFile // the newest day first
	// Nobody says why there is no journal here; empty when there is one.
	Nobody string
}

// Markdown renders a text to lines of a width.
type Markdown interface {
	Render(text string, width int) []string
}

type mode int

const (
	listing mode = iota
	searching
	reading
)

// Model is the part. It is used by one goroutine.
type Model struct {
	keys          keys.Map
	styles        theme.Styles
	markdown      Markdown
	width, height int
	focused       bool
	now           time.Time

	mode   mode
	state  State
	loaded bool
	failed string          // why the journal cannot be read
	folded map[string]bool // months that the user opened or closed: whether they are closed
	list   *list.List[entry]
	rows   []row

	search   *field.Model
	asked    string // what is looked for; empty: nothing
	hits     []files.Hit
	answered bool // hits belong to asked

	file    memory.JournalFile // that is read
	text    files.Document
	back    string // the row that esc leads to from the file
	writing bool   // what waits is being written
	notice  string
}

// New returns an empty part.
func New(k keys.Map) *Model {
	m := &Model{keys: k, search: field.New(1), list: list.New[entry](), folded: map[string]bool{}}
	m.search.SetPlaceholder("words, as a message would have them")
	return m
}

// SetStyles changes the looks.
func (m *Model) SetStyles(s theme.Styles) {
	m.styles = s
	m.search.SetStyles(s)
	m.build()
}

// SetMarkdown changes how files are rendered.
func (m *Model) SetMarkdown(md Markdown) {
	m.markdown = md
	m.build()
}

// SetSize sets the size in cells.
func (m *Model) SetSize(w, h int) {
	if w == m.width && h == m.height {
		return
	}
	m.width, m.height = w, h
	m.search.SetWidth(max(2, w-4))
	m.build()
}

// SetFocus says whether the part has the keyboard.
func (m *Model) SetFocus(on bool) {
	if on == m.focused {
		return
	}
	m.focused = on
	if !on && m.mode == searching {
		m.stopTyping()
	}
	m.build()
}

// SetNow tells the time.
func (m *Model) SetNow(now time.Time) { m.now = now }

// Capturing reports whether letters are text here.
func (m *Model) Capturing() bool { return m.mode == searching }

// Modal reports whether the part shows something that esc leaves.
func (m *Model) Modal() bool { return m.mode != listing || m.asked != "" }

// Reading is the path of the file that is shown, "" for none.
func (m *Model) Reading() string {
	if m.mode != reading {
		return ""
	}
	return m.file.Path
}

// Asked is what is looked for, "" for nothing.
func (m *Model) Asked() string { return m.asked }

// Set shows how the journal is now.
func (m *Model) Set(s State) {
	m.state, m.loaded, m.failed = s, true, ""
	m.build()
}

// NotRead says that the journal cannot be read.
func (m *Model) NotRead(text string) {
	m.failed = text
	m.build()
}

// Show shows a file. The words of the file that is shown already are brought up to date.
func (m *Model) Show(f memory.JournalFile, words string) {
	if m.Reading() != f.Path {
		if r, ok := m.list.Selected(); ok && m.mode != reading {
			m.back = r.Key
		}
		m.stopTyping()
		m.mode, m.notice = reading, ""
		m.list.Reset()
	}
	m.file, m.text = f, files.Parse(words)
	m.build()
}

// Gone says that a file is not there any more.
func (m *Model) Gone(path string) {
	if m.Reading() == path {
		m.leaveFile()
	}
	m.notice = path + " is not there any more."
}

// Found shows what a question found. An answer to an older one is dropped.
func (m *Model) Found(asked string, hits []files.Hit) {
	if asked != m.asked {
		return
	}
	m.hits, m.answered = hits, true
	m.build()
}

// Write says that what waits is being written, asked for from elsewhere.
func (m *Model) Write() Action {
	if m.writing {
		return Action{}
	}
	m.writing, m.notice = true, ""
	m.build()
	return Action{Do: Write}
}

// Written says what came of it.
func (m *Model) Written(text string) {
	m.writing, m.notice = false, text
	m.build()
}

// Failed says that what was asked for did not work.
func (m *Model) Failed(text string) {
	m.writing, m.notice = false, text
	if m.asked != "" {
		m.answered = true
	}
	m.build()
}

// plain is the text of the file as it is copied.
func (m *Model) plain() string { return strings.Trim(files.Plain(m.text.Body), "\n") + "\n" }

package journal

import (
	"strings"

	"memoria/memory"
	files "memoria/memory/journal"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
)

// Do says what the user wants done.
type Do int

// What the pane can ask for.
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

// State is the state of the journal.
type State struct {
	Status files.Status
	Files  []memory.JournalFile // the newest day first
	// Unavailable says why there is no journal here; empty when there is one.
	Unavailable string
}

// Markdown renders a text to lines of a width.
type Markdown interface {
	Render(text string, width int) []string
}

// Model is the pane. It is used by one goroutine.
type Model struct {
	list.Base[entry, Action]
	markdown Markdown

	state  State
	loaded bool
	failed string          // why the journal cannot be read
	folded map[string]bool // months that the user opened or closed: whether they are closed

	asked    string // words of the search; empty for none
	hits     []files.Hit
	answered bool // hits belong to asked

	reading bool               // file is shown
	file    memory.JournalFile // that is read
	body    files.Document
	back    string // the row that esc leads to from the file
	writing bool   // what waits is being written
}

// New returns an empty pane.
func New(k keys.Map) *Model {
	m := &Model{folded: map[string]bool{}}
	m.Base = list.NewBase[entry](list.Config[Action]{
		Keys: k, Moves: k.Journal.Moves, Rows: m.addRows, Key: m.key, Hints: m.hints, Acts: m.acts, Height: 2,
		Asks: list.AskOf(k.Journal.Write, k.Words.Say("journal.ask.write")),
		Page: func() int {
			if m.reading {
				return max(1, m.Height-4)
			}
			return 0
		},
		Status: func() (list.Styler, string) {
			if m.writing {
				return m.Styles.Accent, m.Words.Say("journal.writing")
			}
			return m.Styles.Warn, m.Notice
		},
		Ask: m.ask, Placeholder: k.Words.Say("journal.words"),
		Asked: func() bool { return m.asked != "" && !m.reading }, Answered: func() bool { return m.answered },
	})
	return m
}

// SetMarkdown changes how files are rendered.
func (m *Model) SetMarkdown(md Markdown) {
	m.markdown = md
	m.Build()
}

// Modal reports whether esc closes something inside the pane.
func (m *Model) Modal() bool { return m.Base.Modal() || m.reading || m.asked != "" }

// Reading is the path of the file that is shown, "" for none.
func (m *Model) Reading() string {
	if !m.reading {
		return ""
	}
	return m.file.Path
}

// Asked returns the words of the search, "" for none.
func (m *Model) Asked() string { return m.asked }

// Set shows how the journal is now.
func (m *Model) Set(s State) {
	m.state, m.loaded, m.failed = s, true, ""
	m.Build()
}

// NotRead says that the journal cannot be read.
func (m *Model) NotRead(text string) {
	m.failed = text
	m.Build()
}

// Show shows a file. The words of the file that is shown already are brought up to date.
func (m *Model) Show(f memory.JournalFile, words string) {
	if m.Reading() != f.Path {
		if r, ok := m.List.Selected(); ok && !m.reading {
			m.back = r.Key
		}
		m.StopTyping()
		m.reading, m.Notice = true, ""
		m.List.Reset()
	}
	m.file, m.body = f, files.Parse(words)
	m.Build()
}

// Gone says that a file is not there any more.
func (m *Model) Gone(path string) {
	if m.Reading() == path {
		m.leaveFile()
	}
	m.Notice = m.Words.Say("journal.gone", path)
}

// Found shows what a question found. An answer to an older one is dropped.
func (m *Model) Found(asked string, hits []files.Hit) {
	if asked != m.asked {
		return
	}
	m.hits, m.answered = hits, true
	m.Build()
}

// Write says that what waits is being written, asked for from elsewhere.
func (m *Model) Write() Action {
	if m.writing {
		return Action{}
	}
	m.writing, m.Notice = true, ""
	m.Build()
	return Action{Do: Write}
}

// Written shows the outcome of writing.
func (m *Model) Written(text string) {
	m.writing, m.Notice = false, text
	m.Build()
}

// Failed says that what was asked for did not work.
func (m *Model) Failed(text string) {
	m.writing, m.Notice = false, text
	if m.asked != "" {
		m.answered = true
	}
	m.Build()
}

// plain is the text of the file as it is copied.
func (m *Model) plain() string { return strings.Trim(files.Plain(m.body.Body), "\n") + "\n" }

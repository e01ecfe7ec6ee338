package profile

import (
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/term/field"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/theme"
)

// Do says what the user wants done.
type Do int

// What the part can ask for. Save, Editor and Undo are answered by Saved or by
// Failed; Editor by Edited when there was no editor.
const (
	Nothing Do = iota
	Save       // the page is Text; Version was shown
	Editor     // the same, after the user's editor has had Text
	Undo       // take Version back; 0 is the last change
	Open       // show the memory ID
	Copy       // copy Text
	More       // list more versions
	Leave      // back to the input
)

// Action is what a key asked for.
type Action struct {
	Do      Do
	Version int
	Text    string
	ID      string
}

type mode int

const (
	listing mode = iota
	editing
	choosing // among the versions
)

// Model is the part. It is used by one goroutine.
type Model struct {
	keys          keys.Map
	styles        theme.Styles
	width, height int
	focused       bool
	now           time.Time
	loc           *time.Location

	mode    mode
	page    manager.Profile
	history manager.ProfileHistory
	loaded  bool
	problem string

	rows   []row // while they are built
	list   *list.List[entry]
	form   *field.Model
	shown  int               // the version that the form began with
	whole  map[string]string // lines as the form shows them, and as they are
	busy   bool
	notice string
}

// New returns an empty part that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	return &Model{keys: k, loc: loc, list: list.New[entry]()}
}

// SetStyles changes the looks.
func (m *Model) SetStyles(s theme.Styles) {
	m.styles = s
	if m.form != nil {
		m.form.SetStyles(s)
	}
	m.build()
}

// SetSize sets the size in cells.
func (m *Model) SetSize(w, h int) {
	if w == m.width && h == m.height {
		return
	}
	m.width, m.height = w, h
	if m.form != nil {
		m.form.SetWidth(max(8, w-2))
	}
	m.build()
}

// SetFocus says whether the part has the keyboard.
func (m *Model) SetFocus(on bool) { m.focused = on }

// SetNow tells the time, for ages.
func (m *Model) SetNow(now time.Time) {
	old := m.now
	m.now = now
	if !old.Truncate(time.Minute).Equal(now.Truncate(time.Minute)) {
		m.build()
	}
}

// Capturing reports whether letters are text here.
func (m *Model) Capturing() bool { return m.mode == editing }

// Modal reports whether the part shows something that esc leaves.
func (m *Model) Modal() bool { return m.mode != listing }

// Show shows the page and the newest of its versions. What is being written stays.
func (m *Model) Show(p manager.Profile, h manager.ProfileHistory) {
	m.page, m.history, m.loaded, m.problem = p, h, true, ""
	m.build()
}

// Loaded is the number of versions that were shown.
func (m *Model) Loaded() int { return len(m.history.Versions) }

// ReadFailed says that the page could not be read.
func (m *Model) ReadFailed(text string) {
	m.problem = text
	m.build()
}

// Saved says that what was asked for is done. Show tells the page with it.
func (m *Model) Saved() {
	m.form, m.busy, m.notice = nil, false, ""
	if m.mode == editing {
		m.mode = listing
	}
	m.build()
}

// Failed says that what was asked for did not work. A form stays open, so that
// nothing written is lost.
func (m *Model) Failed(text string) { m.busy, m.notice = false, text }

// Edited says that nothing is asked for any more: there was no editor.
func (m *Model) Edited() { m.busy = false }

// Retry opens the form with a text that could not be saved.
func (m *Model) Retry(text string, shown int) { m.openForm(text, shown) }

func (m *Model) openForm(text string, shown int) {
	m.form = field.New(1 << 10)
	m.form.SetPlaceholder("## Reply style, ## Language habits, ## Background")
	m.form.SetStyles(m.styles)
	m.form.SetWidth(max(8, m.width-2))
	m.form.Set(text)
	m.form.Focus()
	m.shown, m.mode, m.notice, m.busy = shown, editing, "", false
	m.whole = map[string]string{}
	seen, are := strings.Split(m.form.Value(), "\n"), strings.Split(text, "\n")
	for i := range seen {
		if len(seen) == len(are) {
			m.whole[seen[i]] = are[i]
		}
	}
}

// written is what the form holds. A line that was not touched is what it was, also
// where the field cannot show it as it is: only so it still follows its memory.
func (m *Model) written() string {
	lines := strings.Split(m.form.Value(), "\n")
	for i, l := range lines {
		if whole, ok := m.whole[l]; ok {
			lines[i] = whole
		}
	}
	return strings.Join(lines, "\n")
}

// line is the profile's line under the cursor.
func (m *Model) line() (memory.ProfileLine, bool) {
	r, ok := m.list.Selected()
	return r.Of.line, ok && m.mode == listing
}

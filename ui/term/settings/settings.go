package settings

import (
	"memoria/ui/config"
	"memoria/ui/term/field"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/theme"
)

// Do says what the user wants done.
type Do int

// What the part can ask for. Set, Unset and Undo are answered by Done or Failed.
const (
	Nothing Do = iota
	Set        // give the setting Key the value Text
	Unset      // let the setting Key have its default
	Undo       // take the last change back
	Copy       // copy Text
	Leave      // back to the input
)

// Action is what a key asked for.
type Action struct {
	Do        Do
	Key, Text string
}

type mode int

const (
	listing mode = iota
	filtering
	detailing
	editing
	choosing
)

// Model is the part. It is used by one goroutine.
type Model struct {
	keys          keys.Map
	styles        theme.Styles
	width, height int
	focused       bool

	mode    mode
	all     []config.Setting
	loaded  bool
	problem string // with reading

	list   *list.List[config.Setting]
	filter *field.Model
	form   *field.Model
	choice int            // of about's choices
	about  config.Setting // what the form, the choices or the detail are about
	scroll int            // of the detail
	busy   bool
	notice string // what went wrong
	told   string // what was done last
}

// New returns an empty part.
func New(k keys.Map) *Model {
	m := &Model{keys: k, list: list.New[config.Setting](), filter: field.New(1), form: field.New(1)}
	m.filter.SetPlaceholder("filter by words")
	m.list.Hold(true)
	return m
}

// SetStyles changes the looks.
func (m *Model) SetStyles(s theme.Styles) {
	m.styles = s
	m.filter.SetStyles(s)
	m.form.SetStyles(s)
	m.build()
}

// SetSize sets the size in cells.
func (m *Model) SetSize(w, h int) {
	m.width, m.height = w, h
	m.filter.SetWidth(max(8, w-4))
	m.form.SetWidth(max(8, w-4))
	m.build()
}

// SetFocus says whether the part has the keyboard.
func (m *Model) SetFocus(on bool) {
	m.focused = on
	if !on && m.mode == filtering {
		m.mode = listing
		m.filter.Blur()
	}
}

// Capturing reports whether letters are text here.
func (m *Model) Capturing() bool { return m.mode == editing || m.mode == filtering }

// Modal reports whether the part shows something that esc leaves.
func (m *Model) Modal() bool { return m.mode != listing || m.filter.Value() != "" }

// Show replaces the list. problem says what is wrong with the file, if anything is.
func (m *Model) Show(all []config.Setting, problem string) {
	m.all, m.loaded, m.problem = all, true, problem
	for _, i := range all {
		if i.Key == m.about.Key && m.mode == detailing {
			m.about = i
		}
	}
	m.build()
}

// Filter shows the settings with these words.
func (m *Model) Filter(words string) {
	m.mode, m.notice = listing, ""
	m.filter.Set(words)
	m.filter.Blur()
	m.list.Reset()
	m.build()
}

// Open chooses a setting.
func (m *Model) Open(key string) {
	m.Filter("")
	m.list.Seek(key)
}

// Done says that what was asked for is done, in words.
func (m *Model) Done(words string) {
	m.busy, m.notice, m.told = false, "", words
	if m.mode == editing || m.mode == choosing {
		m.mode = listing
		m.form.Blur()
	}
}

// Failed says that what was asked for did not work. A field stays open, so that
// nothing written is lost.
func (m *Model) Failed(text string) { m.busy, m.notice, m.told = false, text, "" }

// current is the setting under the cursor.
func (m *Model) current() (config.Setting, bool) {
	r, ok := m.list.Selected()
	return r.Of, ok
}

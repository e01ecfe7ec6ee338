package settings

import (
	"memoria/ui/config"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
)

// Do says what the user wants done.
type Do int

// What the pane can ask for. Set, Unset and Undo are answered by Done or Failed.
const (
	Nothing Do = iota
	Set        // give the setting Key the value Text
	Unset      // let the setting Key have its default
	Undo       // undo the last change
	Copy       // copy Text
	Leave      // back to the input
)

// Action is what a key asked for.
type Action struct {
	Do        Do
	Key, Text string
}

// Model is the pane. It is used by one goroutine.
type Model struct {
	list.Base[config.Setting, Action]

	all     []config.Setting
	loaded  bool
	problem string         // with reading
	about   config.Setting // what the form, the choices or the detail are about
	detail  bool           // everything about it is shown
	told    string         // what was done last
}

// New returns an empty pane.
func New(k keys.Map) *Model {
	m := &Model{}
	m.Base = list.NewBase[config.Setting](list.Config[Action]{
		Keys: k, Moves: k.Settings.Moves, Rows: m.addRows, Key: m.key, Hints: m.hints, Acts: m.acts, Page: func() int { return pageRows },
		Asks:        list.AskOf(k.Settings.Undo, k.Words.Say("settings.ask.undo")),
		Ask:         func(string, bool) Action { m.refilter(); return Action{} },
		Placeholder: k.Words.Say("settings.filter"),
		Asked:       func() bool { return m.loaded && m.Search.Value() != "" },
		Above:       func() []string { return m.wrapped(m.Styles.Bad, m.problem, 1) },
		Text:        m.text,
		Status: func() (list.Styler, string) {
			if m.Notice != "" {
				return m.Styles.Bad, m.Notice
			}
			return m.Styles.Good, m.told
		},
	})
	m.List.Hold(true)
	return m
}

// Capturing reports whether letters are text; among choices they are not.
func (m *Model) Capturing() bool { return m.Typing || m.Form != nil && m.Form.Fields[0].Field != nil }

// Modal reports whether esc closes something inside the pane.
func (m *Model) Modal() bool { return m.Base.Modal() || m.Search.Value() != "" }

// Show replaces the list, the common settings first. problem describes an error in the file, if any.
func (m *Model) Show(all []config.Setting, problem string) {
	m.all, m.loaded, m.problem = make([]config.Setting, len(all)), true, problem
	for n, i := range all {
		m.all[n] = m.Words.Setting(i)
	}
	for _, i := range m.all {
		if i.Key == m.about.Key && m.detail {
			m.about = i
		}
	}
	m.Build()
}

// Filter shows the settings with these words.
func (m *Model) Filter(words string) {
	m.StopTyping()
	m.detail, m.Form, m.Notice = false, nil, ""
	m.Search.Set(words)
	m.refilter()
}

func (m *Model) refilter() {
	m.List.Reset()
	m.Build()
}

// Open chooses a setting.
func (m *Model) Open(key string) {
	m.Filter("")
	m.List.Seek(key)
}

// Done says that what was asked for is done, in words.
func (m *Model) Done(words string) {
	m.Base.Done()
	m.told = words
}

// Failed says that what was asked for did not work. A field stays open, so that
// nothing written is lost.
func (m *Model) Failed(text string) { m.Busy, m.Notice, m.told = false, text, "" }

// current is the setting under the cursor.
func (m *Model) current() (config.Setting, bool) {
	r, ok := m.List.Selected()
	return r.Of, ok
}

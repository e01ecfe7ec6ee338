package profile

import (
	"time"

	"memoria/memory"
	"memoria/memory/manager/profiles"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
)

// Do says what the user wants done.
type Do int

// What the pane can ask for. Save, Editor and Undo are answered by Saved or by
// Failed; Editor by Edited when there was no editor.
const (
	Nothing Do = iota
	Save       // the page is Text; Version was shown
	Editor     // the same, after the user's editor has had Text
	Undo       // undo Version; 0 is the last change
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

// Model is the pane. It is used by one goroutine.
type Model struct {
	list.Base[entry, Action]

	page     profiles.Profile
	history  profiles.History
	versions bool // are shown instead of the page
	loaded   bool
	problem  string
}

// New returns an empty pane that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{}
	m.Base = list.NewBase[entry](list.Config[Action]{
		Keys: k, Moves: k.Profile.Moves, Loc: loc, Rows: m.addRows, Key: m.key, Hints: m.hints, Acts: m.acts, Height: 2,
		More: m.more, Near: 1, Waiting: k.Words.Say("profile.saving"),
	})
	return m
}

// Modal reports whether esc closes something inside the pane.
func (m *Model) Modal() bool { return m.Base.Modal() || m.versions }

// Show shows the page and the newest of its versions. An open form stays.
func (m *Model) Show(p profiles.Profile, h profiles.History) {
	m.page, m.history, m.loaded, m.problem = p, h, true, ""
	m.Build()
}

// Loaded is the number of versions that were shown.
func (m *Model) Loaded() int { return len(m.history.Versions) }

// ReadFailed says that the page could not be read.
func (m *Model) ReadFailed(text string) {
	m.problem = text
	m.Build()
}

// Saved says that what was asked for is done. Show tells the page with it.
func (m *Model) Saved() {
	m.Done()
	m.Build()
}

// Edited says that nothing is asked for any more: there was no editor.
func (m *Model) Edited() { m.Busy = false }

// line is the profile's line under the cursor.
func (m *Model) line() (memory.ProfileLine, bool) {
	r, ok := m.List.Selected()
	return r.Of.line, ok && !m.versions
}

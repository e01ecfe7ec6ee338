package pane

import (
	"strings"
	"time"
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/term/theme"
)

// Pane is a pane of the panel.
type Pane interface {
	About() About
	// View returns the lines, and where the terminal's cursor belongs; nil when not here.
	View() ([]string, *tea.Cursor)
	// Update takes a key, a paste, a [Wheel], a [Click] or the result of an effect. It reports whether
	// the message meant something here.
	Update(tea.Msg) (tea.Cmd, bool)
	// Load reads the content: when the pane comes into view and when the memory changes.
	Load() tea.Cmd

	SetStyles(theme.Styles)
	SetSize(w, h int)
	SetFocus(bool)
	SetNow(time.Time)
}

// About describes a pane in its present state.
type About struct {
	// Count is how much the pane lists, to be shown after its name; it may be empty.
	Count string
	// Waiting counts the items that wait for the user. It is shown after the name of the pane
	// or, while another tab is open, of its tab; 0 is not.
	Waiting int

	// Command is the command that enter runs, as it is typed; "" for none. It was typed where
	// the pane searches, and nothing was found.
	Command string

	// Search is what the user looks for in the pane.
	Search Search

	Hints     []key.Binding // the keys that the last line names, where the pane shows none
	Capturing bool          // letters are text
	Asking    bool          // a question takes every key
	Modal     bool          // esc closes something inside the pane
	Counting  bool          // the view changes with time alone
}

// Search is the text of a search field.
type Search struct {
	Text  string
	Found bool // something was found
}

// sentenceLetters is how many letters a text has at least that is a sentence without any space.
// One of Han characters has hanLetters.
const (
	sentenceLetters = 13
	hanLetters      = 4
)

// IsSentence reports whether the text is more likely a message than words to look for.
func (s Search) IsSentence() bool {
	letters, han := 0, 0
	for _, r := range s.Text {
		switch letters++; {
		case unicode.IsSpace(r), unicode.IsPunct(r) && r > unicode.MaxASCII:
			return true
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			han++
		}
	}
	return letters >= sentenceLetters || han >= hanLetters
}

// The least number of words, and of Han characters, of a long text.
const (
	longWords = 3
	longHan   = 6
)

// Long reports whether the text is so long that its user would miss it.
func (s Search) Long() bool {
	han := 0
	for _, r := range s.Text {
		if unicode.In(r, unicode.Han) {
			han++
		}
	}
	return han >= longHan || len(strings.Fields(s.Text)) >= longWords
}

// Wheel is the mouse wheel over a pane, in lines.
type Wheel int

// Click is a click on a line of a pane, counted from its first.
type Click int

// Messages from one pane to another.
type (
	// Forgotten are the ids of memories that were deleted.
	Forgotten []string
	// File is the path of a file of the journal, to be opened.
	File string
)

// Host is the root as a pane sees it.
type Host interface {
	// Say shows a text in the last line until the next key.
	Say(text string)
	// Tell shows an error as a notice above the input.
	Tell(err error)
	// Session is the session of the conversation; its id is empty before the first message.
	Session() memory.Session
	// FocusInput gives the keyboard to the input.
	FocusInput()
	// Open gives a pane the keyboard, and messages to its Update.
	Open(id ID, msgs ...tea.Msg) tea.Cmd
	// Send gives a message to the Update of another pane.
	Send(id ID, msg tea.Msg) tea.Cmd
	// Browse shows a session and selects a message; without a record its end.
	Browse(session, record string) tea.Cmd
	// Point selects a passage of the conversation. It reports whether it is there.
	Point(memory.Evidence) bool
	// Copy copies a text to the clipboard.
	Copy(text string) tea.Cmd
	// Editor is the command of the user's editor. Without one it says how to set it.
	Editor() string
	// MemoriesChanged updates what the conversation shows of these memories.
	MemoriesChanged(ids ...string) tea.Cmd
}

// Input gives a key, a paste, the wheel or a click to a model and does what it answers. It reports
// whether the message meant something to the model.
func Input[A any](m interface {
	Key(tea.KeyPressMsg) (A, bool)
	Paste(tea.PasteMsg) A
	Wheel(int) A
	Click(int) A
}, do func(A) tea.Cmd, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		a, handled := m.Key(msg)
		cmd := do(a)
		if k, ok := m.(interface{ Kept() tea.Cmd }); ok { // what a question needs
			cmd = tea.Batch(cmd, k.Kept())
		}
		return cmd, handled
	case tea.PasteMsg:
		return do(m.Paste(msg)), true
	case Wheel:
		return do(m.Wheel(int(msg))), true
	case Click:
		return do(m.Click(int(msg))), true
	}
	return nil, false
}

// NoEditor is the message where the user has no editor.
const NoEditor = "editor.none"

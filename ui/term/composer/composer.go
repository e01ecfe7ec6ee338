package composer

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// promptWidth is the number of cells before the text.
const promptWidth = 3

// maxRows bounds the text at a size no person types; the text area needs a
// bound of its own so that the visible height does not become one.
const maxRows = 1 << 20

// Model is the input. It is used by one goroutine.
type Model struct {
	words  words.Words
	ta     textarea.Model
	width  int
	pastes []paste // by offset, never overlapping
	cut    cut     // can be put back
	stray  stray

	history []entry
	at      int   // index into history; len(history) is the draft
	draft   entry // kept while history is shown
}

// entry is a text with the parts of it that were pasted.
type entry struct {
	text  string
	spans []memory.Span
}

// New returns an empty input.
func New(w words.Words) *Model {
	ta := textarea.New()
	ta.ShowLineNumbers = false
	ta.CharLimit = 0
	ta.MaxHeight = 8
	ta.MaxContentHeight = maxRows
	ta.DynamicHeight = true
	ta.MaxWidth = 0
	ta.SetVirtualCursor(false)
	ta.SetPromptFunc(promptWidth, func(p textarea.PromptInfo) string {
		if p.LineNumber == 0 {
			return " > "
		}
		return "   "
	})
	ta.KeyMap = keyMap()
	return &Model{words: w, ta: ta}
}

// keyMap is the text area's own, without what the program uses otherwise and
// without its clipboard, which would start other programs.
func keyMap() textarea.KeyMap {
	k := textarea.DefaultKeyMap()
	k.InsertNewline = key.NewBinding(key.WithKeys("ctrl+j", "shift+enter", "alt+enter"))
	k.LineNext.SetKeys("down")
	k.LinePrevious.SetKeys("up")
	for _, b := range []*key.Binding{
		&k.Paste, &k.CopySelection, &k.PageUp, &k.PageDown, &k.SelectAll,
		&k.TransposeCharacterBackward, &k.InputBegin, &k.InputEnd,
		&k.SelectCharacterBackward, &k.SelectCharacterForward, &k.SelectLineDown,
		&k.SelectLineUp, &k.SelectWordBackward, &k.SelectWordForward,
	} {
		b.Unbind()
	}
	return k
}

// SetStyles changes the looks.
func (m *Model) SetStyles(s theme.Styles) {
	state := textarea.StyleState{Text: s.Text, Prompt: s.Accent, Placeholder: s.Dim}
	blurred := state
	blurred.Prompt = s.Dim
	m.ta.SetStyles(textarea.Styles{
		Focused: state, Blurred: blurred,
		Cursor: textarea.CursorStyle{Color: s.Cursor, Shape: tea.CursorBar, Blink: true},
	})
}

// SetPlaceholder sets the text shown in the empty input.
func (m *Model) SetPlaceholder(s string) { m.ta.Placeholder = s }

// SetSize sets the width in cells and the most lines to grow to.
func (m *Model) SetSize(width, lines int) {
	m.width = width
	m.ta.MaxHeight = max(1, lines)
	m.ta.SetWidth(max(width-1, promptWidth+2))
}

// Lines is the number of lines that the input would like to take.
func (m *Model) Lines() int { return m.ta.Height() }

// Focus gives the input the keyboard and the cursor.
func (m *Model) Focus() { m.ta.Focus() }

// Blur takes them away.
func (m *Model) Blur() { m.ta.Blur() }

// Focused reports whether the input has the keyboard.
func (m *Model) Focused() bool { return m.ta.Focused() }

// Empty reports whether nothing was typed.
func (m *Model) Empty() bool { return m.ta.Value() == "" }

// Update takes a key or a paste. It reports whether the text changed.
func (m *Model) Update(msg tea.Msg) (changed bool, cmd tea.Cmd) {
	if p, ok := msg.(tea.PasteMsg); ok {
		return m.Paste(p.Content), nil
	}
	if k, ok := msg.(tea.KeyPressMsg); ok && k.Text != "" {
		if k.Text = clean.Typed(k.Text); k.Text == "" {
			return false, nil
		}
		msg = k
	}
	before := m.ta.Value()
	was := m.offset(before)
	var whole entry
	var pastes []paste
	cuts := m.Cuts(msg)
	if cuts {
		whole.text, whole.spans = m.Text()
		pastes = slices.Clone(m.pastes)
	}
	m.ta, cmd = m.ta.Update(msg)
	after := m.ta.Value()
	if before != after {
		m.track(before, after)
		m.stray.open = m.stray.open && m.strays()
	}
	m.settle(was)
	if cuts && before != after {
		m.keepCut(whole, pastes, before)
	}
	return before != after, cmd
}

// Paste inserts a text as pasted at the cursor. It reports whether there was
// anything to insert.
func (m *Model) Paste(original string) bool {
	original = normalise(original)
	if original == "" {
		return false
	}
	before := m.ta.Value()
	off := m.offset(before)
	shown := m.display(original)
	// Inserted through Update, so that the view follows the cursor.
	m.ta, _ = m.ta.Update(tea.PasteMsg{Content: shown})
	after := m.ta.Value()
	n := len(after) - len(before)
	if n <= 0 {
		return false
	}
	m.track(before, after)
	m.insertPaste(paste{off: off, n: n, shown: after[off : off+n], original: original}, after)
	return true
}

// Text returns what would be sent, and which parts of it were pasted.
func (m *Model) Text() (string, []memory.Span) { return expand(m.ta.Value(), m.pastes) }

// Set replaces the text and puts the cursor at its end.
func (m *Model) Set(text string, spans []memory.Span) {
	if !m.ta.Focused() { // the text area takes nothing without the focus
		m.ta.Focus()
		defer m.ta.Blur()
	}
	shown, pastes := m.collapse(text, spans)
	m.ta.Reset()
	m.ta, _ = m.ta.Update(tea.PasteMsg{Content: shown})
	m.pastes = pastes
	if m.ta.Value() != shown { // the text area dropped or changed something
		m.pastes = nil
		if v := m.ta.Value(); len(pastes) > 0 && v != "" {
			m.pastes = []paste{{off: 0, n: len(v), shown: v, original: v}}
		}
	}
	m.ta.MoveToEnd()
}

// Edit replaces the text by what became of it elsewhere, in the user's editor. What
// was pasted stays known as such where it came back unchanged; where it did not,
// the whole text counts as pasted, because an edit does not make words the
// user's own. It reports whether anything changed.
func (m *Model) Edit(text string) bool {
	text = normalise(text)
	before, spans := m.Text()
	if text == before {
		return false
	}
	var kept []memory.Span
	from := 0
	for _, s := range spans {
		i := strings.Index(text[from:], before[s.Offset:s.Offset+s.Length])
		if i < 0 {
			kept = []memory.Span{{Length: len(text), Kind: memory.SpanPasted}}
			break
		}
		kept = append(kept, memory.Span{Offset: from + i, Length: s.Length, Kind: s.Kind})
		from += i + s.Length
	}
	m.Set(text, kept)
	return true
}

// Clear empties the input.
func (m *Model) Clear() { m.ta.Reset(); m.pastes = nil; m.at = len(m.history); m.draft = entry{} }

// Take returns the text and its spans, empties the input and adds the text to
// the history. A text of white space alone is left where it is.
func (m *Model) Take() (string, []memory.Span, bool) {
	text, spans := m.Text()
	if strings.TrimSpace(text) == "" {
		return "", nil, false
	}
	m.Remember(text, spans)
	m.Clear()
	return text, spans, true
}

// Remember adds a text to the history, unless it is the last one already.
func (m *Model) Remember(text string, spans []memory.Span) {
	if n := len(m.history); strings.TrimSpace(text) != "" && (n == 0 || m.history[n-1].text != text) {
		m.history = append(m.history, entry{text, spans})
	}
	m.at = len(m.history)
}

// Forget empties the history: something in it was deleted. The draft stays.
func (m *Model) Forget() {
	if m.at < len(m.history) { // an earlier message is shown
		m.Set(m.draft.text, m.draft.spans)
	}
	m.history, m.at, m.draft = nil, 0, entry{}
}

// Seed fills an empty history with messages sent before, oldest first.
func (m *Model) Seed(records []memory.Record) {
	if len(m.history) > 0 {
		return
	}
	for _, r := range records {
		m.Remember(r.Content, r.Given())
	}
}

// FirstLine reports whether the cursor is on the first line as shown.
func (m *Model) FirstLine() bool { return m.ta.Line() == 0 && m.ta.LineInfo().RowOffset == 0 }

// LastLine reports whether the cursor is on the last line as shown.
func (m *Model) LastLine() bool {
	li := m.ta.LineInfo()
	return m.ta.Line() == m.ta.LineCount()-1 && li.RowOffset >= li.Height-1
}

// Earlier shows the message before in the history and keeps the draft. It
// reports whether there was one.
func (m *Model) Earlier() bool {
	if m.at == 0 {
		return false
	}
	if m.at == len(m.history) {
		m.draft.text, m.draft.spans = m.Text()
	}
	m.at--
	m.Set(m.history[m.at].text, m.history[m.at].spans)
	return true
}

// Later shows the message after, at last the draft. It reports whether there
// was one.
func (m *Model) Later() bool {
	if m.at >= len(m.history) {
		return false
	}
	m.at++
	e := m.draft
	if m.at < len(m.history) {
		e = m.history[m.at]
	}
	m.Set(e.text, e.spans)
	return true
}

// Draft returns the text that must survive, and its parts that were not typed:
// what was entered, also while the history is shown.
func (m *Model) Draft() (string, []memory.Span) {
	if m.at < len(m.history) && m.draft.text != "" {
		return m.draft.text, m.draft.spans
	}
	return m.Text()
}

// View returns the input's lines, each of its exact width.
func (m *Model) View() []string {
	lines := strings.Split(m.ta.View(), "\n")
	return cells.Block(lines, m.width, m.ta.Height())
}

// Cursor returns the place of the cursor in the view, or nil without focus.
func (m *Model) Cursor() *tea.Cursor { return m.ta.Cursor() }

// offset is the cursor's place in value in bytes.
func (m *Model) offset(value string) int {
	off := 0
	for range m.ta.Line() {
		i := strings.IndexByte(value[off:], '\n')
		if i < 0 {
			return len(value)
		}
		off += i + 1
	}
	col := m.ta.Column()
	for i := range value[off:] {
		if col == 0 {
			return off + i
		}
		col--
	}
	return len(value)
}

// normalise gives every line end one form and drops invalid UTF-8.
func normalise(s string) string {
	s = strings.ToValidUTF8(s, "")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.ReplaceAll(s, "\r", "\n")
}

// display returns the text shown for a pasted one: the text itself, or a
// line about it when it is long or not what it seems.
func (m *Model) display(original string) string {
	_, hidden := clean.Text(original)
	lines := strings.Count(strings.TrimSuffix(original, "\n"), "\n") + 1
	if hidden == 0 && lines <= collapseLines && len(original) <= collapseBytes {
		return untab(original)
	}
	return m.placeholder(lines, len(original), hidden)
}

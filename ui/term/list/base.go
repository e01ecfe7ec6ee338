package list

import (
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/field"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// Config describes a pane. Rows and Key are required.
type Config[A any] struct {
	Keys  keys.Map
	Moves keys.Moves
	Loc   *time.Location

	// Rows adds the rows with [Base.Say], [Base.Head], [Base.Day], [Base.Note] and [Base.Add].
	Rows func()
	// Key takes a key in the list that does not move the cursor.
	Key func(tea.KeyPressMsg) (A, bool)
	// Hints returns the keys that work now.
	Hints func() []string
	// Acts returns what can be done here: to the row under the cursor, or on the page of Text.
	// The first only shows something. subject names the row in the menu, and identifies the page.
	// Nil, and less than two actions, mean that there is no menu; then Key takes enter.
	Acts func() (subject string, actions []key.Binding)
	// Asks returns the question before a careful key, instead of one about the row under the cursor;
	// "" for that. Nil means always that.
	Asks func(tea.KeyPressMsg) string
	// Height is the usual number of lines of a row; 0 means 1. Page returns the number of
	// rows or lines that a page key passes; by default, and where it is 0, as many as are visible.
	Height int
	Page   func() int
	// Status returns what is shown above the keys; by default, the notice.
	Status func() (Styler, string)

	// More requests the next page of rows. It is called when fewer than Near rows are below
	// the cursor.
	More func() A
	Near int

	// Ask looks for words; typed reports that the user may type on. Nil means that there is
	// nothing to search. Placeholder is shown in the empty field.
	Ask         func(words string, typed bool) A
	Placeholder string
	// Asked reports whether the field is shown while the user does not type in it; by default, when
	// it has a text. Failed reports whether enter is to look again.
	Asked, Failed func() bool
	// Answered reports whether the rows are those with the text of the field; by default, always.
	Answered func() bool

	// Top shows the beginning of the list while the pane does not have the keyboard.
	Top bool
	// Above returns lines between the search field and the list; nil for none.
	Above func() []string
	// Text returns the lines shown instead of the list; nil when the list is shown.
	Text func() []string
	// Did is the word of the undo notice for what was done; by default, deleted. Offers reports whether
	// the notice is shown; by default, always.
	Did    string
	Offers func() bool
	// Waiting is shown instead of the keys while the pane is busy.
	Waiting string
}

// Base is the state that all panes of a list share, which embed it: size and looks, the
// list, the search field, an open form, a question, and what can be undone. T is what a row
// is about, A what the pane asks for.
type Base[T, A any] struct {
	Keeper
	Words         words.Pictures
	Keys          keys.Map
	Styles        theme.Styles
	Width, Height int
	Focused       bool
	Now           time.Time
	Loc           *time.Location

	List     *List[T]
	Search   *field.Model
	Typing   bool         // in Search
	Scroll   int          // of Config.Text
	Form     *Form[A]     // nil when none is open
	Question *Question[A] // nil when none is asked
	Removed  Removals
	Busy     bool // something was asked for and not answered
	Notice   string

	unsaved map[string][]string // what forms had that were left, by their ids
	config  Config[A]
	careful func() []key.Binding // keys that ask first; nil for none
	menu    menuState
	rows    []Row[T] // while they are built
	head    int      // lines above the list when it was last drawn
	day     string   // of the last heading
}

// NewBase returns an empty pane.
func NewBase[T, A any](c Config[A]) Base[T, A] {
	p := Base[T, A]{Words: c.Keys.Words, Keys: c.Keys, Loc: c.Loc, List: New[T](), Search: field.New(1), config: c}
	p.Search.SetPlaceholder(c.Placeholder)
	return p
}

// Draw sets how a row without lines is drawn, when it is visible: the line of a long list.
func (p *Base[T, A]) Draw(line func(T) string) { p.List.draw = line }

// SetStyles changes the looks.
func (p *Base[T, A]) SetStyles(s theme.Styles) {
	p.Styles = s
	p.Search.SetStyles(s)
	if p.Form != nil {
		p.Form.setStyles(s)
	}
	p.List.paint = func(line string, lead int) string {
		if menuOf(p).isOpen() { // the chosen action is painted
			return line
		}
		return Chosen(p.Styles, line, lead, p.Width)
	}
	p.Build()
}

// SetSize sets the size in cells.
func (p *Base[T, A]) SetSize(w, h int) {
	if w == p.Width && h == p.Height {
		return
	}
	p.Width, p.Height = w, h
	p.Search.SetWidth(max(2, w-4))
	if p.Form != nil {
		p.Form.setWidth(w)
	}
	p.Build()
}

// SetFocus gives the pane the keyboard or takes it away.
func (p *Base[T, A]) SetFocus(on bool) {
	if on == p.Focused {
		return
	}
	p.Focused = on
	if !on {
		p.StopTyping()
		if !p.Busy { // its keys would mean something else where the keyboard is now
			p.Question = nil
		}
	}
	p.Build()
}

// SetNow tells the time, for ages and the undo notice.
func (p *Base[T, A]) SetNow(now time.Time) {
	minute := !p.Now.Truncate(time.Minute).Equal(now.Truncate(time.Minute))
	p.Now = now
	if p.Removed.Expire(now) || minute {
		p.Build()
	}
}

// Counting reports whether the view changes with time alone.
func (p *Base[T, A]) Counting() bool { return len(p.Removed) > 0 }

// Capturing reports whether letters are text.
func (p *Base[T, A]) Capturing() bool { return p.Typing || p.Form != nil }

// Asking reports whether a question is open, which takes every key.
func (p *Base[T, A]) Asking() bool { return p.Question != nil }

// Modal reports whether esc closes something inside the pane.
func (p *Base[T, A]) Modal() bool {
	return p.Capturing() || p.Asking() || p.text() != nil || menuOf(p).isOpen()
}

// Done closes the form and the question after their action succeeded.
func (p *Base[T, A]) Done() {
	if p.Form != nil && p.Form.saving {
		delete(p.unsaved, p.Form.ID)
	}
	p.Form, p.Question, p.Busy, p.Notice = nil, nil, false, ""
}

// Failed shows why an action failed. A form stays open, so that no input is lost.
func (p *Base[T, A]) Failed(text string) { p.Busy, p.Notice = false, text }

// Restored removes an undone deletion from the undo notice. The rows return when they are
// next set.
func (p *Base[T, A]) Restored(id string) {
	p.Removed.Drop(id)
	p.Busy = false
	p.Build()
}

// Undo returns the deletion to undo and makes the pane busy. ok is false if there is none or
// the pane is busy already.
func (p *Base[T, A]) Undo() (d Removed, ok bool) {
	if p.Busy {
		return d, false
	}
	if d, p.Busy = p.Removed.Newest(); !p.Busy {
		p.Notice = p.Words.Say("list.undo.nothing")
	}
	return d, p.Busy
}

// Careful returns the keys that ask first. The one that undoes a deletion is not among them while
// there is none: it then says so, and asks nothing.
func (p *Base[T, A]) Careful(all []key.Binding, undo key.Binding) []key.Binding {
	if len(p.Removed) > 0 {
		return all
	}
	return slices.DeleteFunc(all, func(b key.Binding) bool { return slices.Equal(b.Keys(), undo.Keys()) })
}

// Once returns a and makes the pane busy. It returns the zero action if the pane is busy
// already, so that an action is not requested twice.
func (p *Base[T, A]) Once(a A) (asked A) {
	if p.Busy {
		return asked
	}
	p.Busy = true
	return a
}

// Key handles a key while the pane has the focus. handled is false for keys that are not bound
// here.
func (p *Base[T, A]) Key(msg tea.KeyPressMsg) (a A, handled bool) {
	switch {
	case p.Question != nil:
		return p.answer(msg), true
	case p.Form != nil:
		return p.formKey(msg)
	case p.Typing:
		return p.searchKey(msg)
	}
	p.Notice = ""
	if a, handled, taken := menuOf(p).take(msg); taken {
		return a, handled
	}
	if p.text() != nil {
		if n, ok := p.config.Moves.By(msg, p.page(p.Height-3)); ok {
			p.Scroll = max(0, p.Scroll+n)
			return a, true
		}
	} else if n, ok := p.config.Moves.By(msg, p.page((p.Height-4)/max(1, p.config.Height))); ok {
		return p.Move(n), true
	}
	if p.asksFirst(msg) {
		return a, true
	}
	return p.do(msg)
}

// page returns the number of rows or lines that a page key moves by; visible is the default.
func (p *Base[T, A]) page(visible int) int {
	if p.config.Page != nil {
		if n := p.config.Page(); n > 0 {
			return n
		}
	}
	return max(1, visible)
}

// Move moves the cursor by n rows. The returned action may request more rows.
func (p *Base[T, A]) Move(n int) (a A) {
	p.List.Move(n)
	if n > 0 && p.config.More != nil && p.List.Below() < p.config.Near {
		return p.config.More()
	}
	return a
}

// Wheel moves by n rows or lines.
func (p *Base[T, A]) Wheel(n int) (a A) {
	switch {
	case p.Form != nil || p.Question != nil:
	case p.text() != nil:
		p.Scroll = max(0, p.Scroll+n)
	case menuOf(p).isOpen():
		menuOf(p).wheel(n)
	default:
		return p.Move(n)
	}
	return a
}

// Click chooses the row at a line of the pane. A click on the chosen row is enter.
func (p *Base[T, A]) Click(line int) (a A) {
	if p.Form != nil || p.Question != nil || p.text() != nil || menuOf(p).isOpen() || line >= p.Height-len(p.Foot()) {
		return a
	}
	p.StopTyping()
	switch at := p.List.at(line - p.head); {
	case at < 0:
	case at == p.List.cursor:
		a, _ = p.Key(tea.KeyPressMsg{Code: tea.KeyEnter})
	default:
		p.List.cursor, p.List.moved, p.Notice = at, true, ""
	}
	return a
}

// Paste takes a paste while [Base.Capturing].
func (p *Base[T, A]) Paste(msg tea.PasteMsg) (a A) {
	switch {
	case p.Typing && p.Search.Update(msg):
		return p.ask()
	case p.Form != nil && !p.Busy:
		p.Form.update(msg)
	}
	return a
}

// OpenSearch focuses the search field. If text is not empty, it searches for its words.
func (p *Base[T, A]) OpenSearch(text string) (a A) {
	p.Form, p.Question, p.Typing, p.Notice = nil, nil, true, ""
	p.Search.Focus()
	if text != "" {
		p.Search.Set(text)
		return p.ask()
	}
	p.Build()
	return a
}

// StopTyping moves the focus from the search field to the results.
func (p *Base[T, A]) StopTyping() {
	p.Typing = false
	p.Search.Blur()
}

// EndSearch empties the search field and shows everything again.
func (p *Base[T, A]) EndSearch() A {
	p.StopTyping()
	p.Search.Set("")
	return p.config.Ask("", false)
}

// Meant is the command that the text of the search field names, where no row has that text; ""
// for none. The slash that opened the field was probably its beginning.
func (p *Base[T, A]) Meant() string {
	if p.Keys.Command == nil || !p.Focused || p.Form != nil || p.Question != nil || p.text() != nil || p.config.Ask == nil {
		return ""
	}
	if _, found := p.List.Selected(); found || p.config.Answered != nil && !p.config.Answered() {
		return ""
	}
	return p.Keys.Command(strings.TrimSpace(p.Search.Value()))
}

// Searched is what the search field has, and whether any row has it.
func (p *Base[T, A]) Searched() pane.Search {
	_, found := p.List.Selected()
	found = found && (p.config.Answered == nil || p.config.Answered())
	return pane.Search{Text: strings.TrimSpace(p.Search.Value()), Found: found}
}

func (p *Base[T, A]) ask() A { return p.config.Ask(strings.TrimSpace(p.Search.Value()), true) }

func (p *Base[T, A]) searchKey(msg tea.KeyPressMsg) (a A, handled bool) {
	switch name := msg.String(); {
	case name == "esc":
		return p.EndSearch(), true
	case name == "enter" && p.config.Failed != nil && p.config.Failed():
		return p.config.Ask(strings.TrimSpace(p.Search.Value()), false), true
	case name == "enter", name == "down", name == "up":
		p.StopTyping()
		p.Build()
	case name == "tab", name == "shift+tab":
		return a, false
	case p.Search.Update(msg):
		return p.ask(), true
	}
	return a, true
}

// Build rebuilds the rows and keeps the cursor on its row.
func (p *Base[T, A]) Build() {
	if p.Width <= 0 {
		return
	}
	p.rows, p.day = make([]Row[T], 0, cap(p.rows)), ""
	p.config.Rows()
	p.List.Set(p.rows)
	menuOf(p).closeStale()
}

// Add adds a row that can be selected.
func (p *Base[T, A]) Add(key string, of T, lines ...string) {
	p.AddRow(Row[T]{Key: key, Of: of, Lines: lines})
}

// AddRow adds a row.
func (p *Base[T, A]) AddRow(r Row[T]) { p.rows = append(p.rows, r) }

// AddRows adds rows.
func (p *Base[T, A]) AddRows(rows []Row[T]) { p.rows = append(p.rows, rows...) }

// Say adds a row that cannot be selected.
func (p *Base[T, A]) Say(lines ...string) { p.AddRow(Row[T]{Lines: lines}) }

// Head adds a heading.
func (p *Base[T, A]) Head(text string) {
	p.Say(p.Styles.Accent.Render(" " + clean.Truncate(text, p.Width-2, cells.Ellipsis)))
}

// Day adds the heading of the day of t, unless it is the day of the heading before: "Today",
// "12 March".
func (p *Base[T, A]) Day(t time.Time) {
	if name := p.Words.DayName(p.Now, t, p.Loc); name != p.day {
		p.day = name
		p.AddRow(p.DayRow(t))
	}
}

// DayRow returns the heading of the day of t.
func (p *Base[T, A]) DayRow(t time.Time) Row[T] {
	name := clean.Truncate(p.Words.DayName(p.Now, t, p.Loc), max(0, p.Width-2), cells.Ellipsis)
	return Row[T]{Lines: []string{" " + p.Styles.Strong.Render(name)}}
}

// Note adds a wrapped text.
func (p *Base[T, A]) Note(style Styler, text string) { p.Say(p.Wrapped(style, text, 1)...) }

// Dim adds a wrapped text in the dim style.
func (p *Base[T, A]) Dim(text string) { p.Note(p.Styles.Dim, text) }

// Wrapped cleans, wraps and indents a text.
func (p *Base[T, A]) Wrapped(style Styler, text string, indent int) []string {
	return Wrapped(style, text, p.Width, indent)
}

// Hints returns the help of bindings as lines; last, the help of esc, comes at the end. Where
// enter opens the menu, the line begins with that.
func (p *Base[T, A]) Hints(last string, bindings ...key.Binding) []string {
	return Hints(p.Styles.Dim, p.Width, last, menuOf(p).hinted(bindings)...)
}

// Named returns a text in quotes, truncated to fit a line with other text; beside is the width
// of that text.
func (p *Base[T, A]) Named(text string, beside int) string {
	return "“" + clean.Truncate(clean.Line(text), max(4, p.Width-beside), cells.Ellipsis) + "”"
}

// Quoting says a message of the catalogue whose first argument is a text in quotes, truncated
// so that the message fits a line.
func (p *Base[T, A]) Quoting(id, text string, args ...any) string {
	with := func(quoted string) string { return p.Words.Say(id, append([]any{quoted}, args...)...) }
	return with(p.Named(text, 2+cells.Width(with("“”"))))
}

// Mark is the cursor of the list; empty while the pane does not have the keyboard.
func (p *Base[T, A]) Mark() string {
	if !p.Focused || p.Typing {
		return ""
	}
	if menuOf(p).isOpen() {
		return p.Styles.Accent.Render(" ▾ ")
	}
	return p.Styles.Accent.Render(" ▸ ")
}

func (p *Base[T, A]) text() []string {
	if p.config.Text == nil {
		return nil
	}
	return p.config.Text()
}

// View returns the pane's lines: exactly its height, each exactly its width. cursor is the
// place of the terminal's cursor, nil when it is elsewhere.
func (p *Base[T, A]) View() (lines []string, cursor *tea.Cursor) {
	foot, below := p.foot()
	h := max(0, p.Height-len(foot))
	if p.Form != nil && !p.Form.Below {
		lines, cursor = p.Form.view(p.Words.Words, p.Styles, h)
	} else if lines = p.text(); lines != nil {
		p.Scroll = min(p.Scroll, max(0, len(lines)-h))
		lines = lines[p.Scroll:]
	} else {
		lines, cursor = p.listView(h)
	}
	if below != nil {
		cursor = below
		cursor.Y += h
	}
	return p.Frame(lines, cursor, foot)
}

// Frame puts a body and a foot together to the size of the pane.
func (p *Base[T, A]) Frame(body []string, cursor *tea.Cursor, foot []string) ([]string, *tea.Cursor) {
	h := max(0, p.Height-len(foot))
	if !p.Focused || cursor != nil && (cursor.X >= p.Width || cursor.Y < 0 || cursor.Y >= p.Height) {
		cursor = nil
	}
	return append(cells.Block(body, p.Width, h), cells.Block(foot, p.Width, p.Height-h)...), cursor
}

func (p *Base[T, A]) listView(h int) (out []string, cursor *tea.Cursor) {
	asked := p.Search.Value() != ""
	if p.config.Asked != nil {
		asked = p.config.Asked()
	}
	if p.Typing || asked {
		out = append(out, p.Styles.Accent.Render(" / ")+p.Search.View()[0])
		if cursor = p.Search.Cursor(); cursor != nil && h > 0 {
			cursor.X += 3
		} else {
			cursor = nil
		}
		h--
	}
	if name := p.Meant(); name != "" {
		out = append(out, p.Wrapped(p.Styles.Accent, p.Words.Say("list.command", name), 3)...)
		h--
	}
	if p.config.Above != nil {
		above := p.config.Above()
		out, h = append(out, above...), max(1, h-len(above))
	}
	p.head = len(out)
	if p.config.Top && !p.Focused {
		return append(out, p.List.Top(h)...), cursor
	}
	return append(out, p.List.View(h, p.Mark(), p.asked()...)...), cursor
}

// Foot returns the lines at the bottom: what went wrong, a question or the undo notice, and
// the keys.
func (p *Base[T, A]) Foot() []string {
	out, _ := p.foot()
	return out
}

// foot also returns the cursor of a form below the list.
func (p *Base[T, A]) foot() (out []string, cursor *tea.Cursor) {
	style, status := Styler(p.Styles.Warn), p.Notice
	if p.config.Status != nil {
		style, status = p.config.Status()
	}
	if status != "" {
		out = p.Wrapped(style, status, 1)
	}
	switch {
	case p.asked() != nil: // below its row
		return out, nil
	case p.Question != nil:
		return append(out, p.Question.Lines(p.Busy)...), nil
	case p.Form != nil && p.Form.Below:
		lines, c := p.Form.below(p.Words.Words, p.Styles, p.Busy)
		if cursor = c; cursor != nil {
			cursor.Y += len(out)
		}
		out = append(out, lines...)
	case p.config.Offers == nil || p.config.Offers():
		did := p.config.Did
		if did == "" {
			did = p.Words.Say("list.deleted")
		}
		out = append(out, p.Removed.Offer(p.Words.Words, p.Styles.Warn, did, p.Now, p.Width)...)
	}
	switch {
	case p.Busy && p.config.Waiting != "":
		return append(out, " "+p.Styles.Dim.Render(p.config.Waiting)), cursor
	case !p.Focused:
		return out, cursor
	case p.Form != nil && (p.Form.OnButton() || p.Form.chooses()):
		return append(out, p.Hints("", p.Form.hints(p.Keys.Form)...)...), cursor
	case p.Form != nil && p.Form.Works != nil:
		return append(out, p.Hints("", p.Form.Works(p.Form.At)...)...), cursor
	case p.Form != nil:
		return append(out, p.Hints("", p.Form.Hints...)...), cursor
	}
	if lines := menuOf(p).lines(p.Height - len(out)); lines != nil {
		return append(out, lines...), nil
	}
	return append(out, p.config.Hints()...), cursor
}

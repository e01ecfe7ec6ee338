package list

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/field"
	"memoria/ui/term/keys"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// Form edits the fields of something, one below the other, with a button below them that saves it.
type Form[A any] struct {
	// ID says what is edited. What was written and not saved is in the next form with the same ID;
	// "" for none.
	ID     string
	Title  string
	Saving string // instead of the title, while the form is saved; empty for the title
	// Below shows the only field of the form below the list instead of in its place.
	Below  bool
	Label  int // width of the labels; 0 for none
	Inset  int // cells of the width that are not the field's
	Dense  bool
	Fields []*Input
	Hints  []key.Binding
	// Draw returns the lines and the cursor instead of title and fields; nil for those.
	Draw func() ([]string, *tea.Cursor)
	// Works returns the keys that work in the field At; nil for Hints.
	Works func(at int) []key.Binding
	// Extra returns lines below the fields, at most room; nil for none.
	Extra func(room int) []string
	// Save asks for what was written.
	Save func() A
	// Key takes a key before the fields do; nil for none.
	Key func(tea.KeyPressMsg) (A, bool)

	At    int // the field with the keyboard; len(Fields) for the button
	width int

	stored  []string // what the fields had at first
	offered []string // what they had that was not saved before; nil for none
	saving  bool
}

// Input is a field of a form: a text, or one of several choices.
type Input struct {
	Label   string
	Field   *field.Model // nil for a choice
	Choices []string
	Choice  string
	Said    func() string // display text of a choice; nil for its name
	// From says where a field is given that cannot be written here; Hidden leaves it out.
	From   string
	Hidden bool

	was, shown string
}

// Text returns an input for a text of up to lines lines.
func Text(label, placeholder, value string, lines int) *Input {
	in := &Input{Label: label, Field: field.New(lines), was: value}
	in.Field.SetPlaceholder(placeholder)
	in.Field.Set(value)
	in.shown = in.Field.Value()
	return in
}

// Written returns the text without the white space around it.
func (in *Input) Written() string { return strings.TrimSpace(in.Field.Value()) }

// Touched reports whether the text was changed.
func (in *Input) Touched() bool { return in.Field.Value() != in.shown }

// Value returns what was written. A text that was not touched is what it was, also where
// the field cannot show it.
func (in *Input) Value() string {
	if in.Touched() {
		return in.Written()
	}
	return in.was
}

func (in *Input) fixed() bool { return in.Hidden || in.From != "" }

func (in *Input) turn(by int) {
	n := len(in.Choices)
	in.Choice = in.Choices[(max(0, slices.Index(in.Choices, in.Choice))+by+n)%n]
}

// Open opens a form.
func (p *Base[T, A]) Open(f *Form[A]) {
	p.StopTyping()
	p.Question, p.Notice, p.Busy, p.Form = nil, "", false, f
	f.setStyles(p.Styles)
	f.setWidth(p.Width)
	f.stored, f.offered = f.written(), p.unsaved[f.ID]
	if len(f.offered) == len(f.Fields) {
		for i, in := range f.Fields {
			if in.Field != nil {
				in.Field.Set(f.offered[i])
			} else {
				in.Choice = f.offered[i]
			}
		}
		p.Notice = p.Words.Say("form.unsaved.again")
	}
	f.Focus(-1, 1)
}

// written returns what the fields have.
func (f *Form[A]) written() (out []string) {
	for _, in := range f.Fields {
		if in.Field != nil {
			out = append(out, in.Field.Value())
		} else {
			out = append(out, in.Choice)
		}
	}
	return out
}

// leaveForm closes the form. What was written is kept for the next form of the same thing, and is
// dropped when that is left as it was offered.
func leaveForm[T, A any](p *Base[T, A]) {
	f, notice := p.Form, ""
	switch now := f.written(); {
	case f.offered != nil && slices.Equal(now, f.offered):
		delete(p.unsaved, f.ID)
		notice = p.Words.Say("form.unsaved.dropped")
	case slices.Equal(now, f.stored):
	case f.ID == "":
		notice = p.Words.Say("form.unsaved.lost")
	default:
		if p.unsaved == nil {
			p.unsaved = map[string][]string{}
		}
		p.unsaved[f.ID] = now
		notice = p.Words.Say("form.unsaved")
	}
	f.saving = false
	p.Done()
	p.Notice = notice
	p.Build()
}

// OnButton reports whether the button has the keyboard.
func (f *Form[A]) OnButton() bool { return f.At >= len(f.Fields) }

// chooses reports whether the form has only choices. Enter saves them at once: text goes past them.
func (f *Form[A]) chooses() bool {
	return !slices.ContainsFunc(f.Fields, func(in *Input) bool { return in.Field != nil })
}

// Focus goes from the field at to the next one, in steps of by, that can be written, or to the
// button after the last.
func (f *Form[A]) Focus(at, by int) {
	f.At = at
	for range len(f.Fields) + 1 {
		f.At = (f.At + by + len(f.Fields) + 1) % (len(f.Fields) + 1)
		if f.OnButton() || !f.Fields[f.At].fixed() {
			break
		}
	}
	for i, in := range f.Fields {
		switch {
		case in.Field == nil:
		case i == f.At:
			in.Field.Focus()
		default:
			in.Field.Blur()
		}
	}
}

func (f *Form[A]) setStyles(s theme.Styles) {
	for _, in := range f.Fields {
		if in.Field != nil {
			in.Field.SetStyles(s)
		}
	}
}

func (f *Form[A]) setWidth(w int) {
	f.width = w
	for _, in := range f.Fields {
		if in.Field != nil {
			in.Field.SetWidth(max(8, w-f.Inset))
		}
	}
}

// update gives a key or a paste to the field with the keyboard. At a choice and the button it goes
// to the nearest text field before it, so that no text is lost; ok is false where the form has none.
func (f *Form[A]) update(msg tea.Msg) (ok bool) {
	at := min(f.At, len(f.Fields)-1)
	for range f.Fields {
		if in := f.Fields[at]; in.Field != nil && !in.fixed() {
			if at != f.At {
				f.Focus(at-1, 1)
			}
			in.Field.Update(msg)
			return true
		}
		at = (at - 1 + len(f.Fields)) % len(f.Fields)
	}
	return false
}

// formKey takes a key while a form is open. handled is false for text that no field takes.
func (p *Base[T, A]) formKey(msg tea.KeyPressMsg) (a A, handled bool) {
	var none A
	f, k := p.Form, p.Keys.Form
	switch {
	case key.Matches(msg, k.Leave):
		leaveForm(p)
		return none, true
	case p.Busy:
		return none, true
	case key.Matches(msg, k.Save), msg.String() == enter && (f.OnButton() || f.chooses()):
		p.Notice, f.saving = "", true
		return f.Save(), true
	}
	if f.Key != nil && !f.OnButton() {
		if a, handled := f.Key(msg); handled {
			return a, true
		}
	}
	text := msg.Text != "" && msg.Text != " "
	down, up := msg.Code == tea.KeyDown && msg.Mod == 0, msg.Code == tea.KeyUp && msg.Mod == 0
	if f.OnButton() {
		switch {
		case key.Matches(msg, k.NextField):
			f.Focus(f.At, 1)
		case key.Matches(msg, k.PrevField), up:
			f.Focus(f.At, -1)
		case msg.Text != "":
			return none, f.update(msg) || !text
		}
		return none, true
	}
	in := f.Fields[f.At]
	switch {
	case key.Matches(msg, k.NextField), down && (in.Field == nil || in.Field.LastLine()):
		f.Focus(f.At, 1)
	case key.Matches(msg, k.PrevField), up && f.At > 0 && (in.Field == nil || in.Field.FirstLine()):
		f.Focus(f.At, -1)
	case in.Field != nil:
		if in.Field.Update(msg) {
			p.Notice = ""
		}
	case text:
		return none, f.update(msg)
	case len(in.Choices) == 0:
	case key.Matches(msg, k.Left):
		in.turn(-1)
	case key.Matches(msg, k.Right) || msg.String() == "space":
		in.turn(1)
	}
	return none, true
}

// button is the row below the fields.
func (f *Form[A]) button(w words.Words, s theme.Styles) string {
	name := "[ " + w.Say("form.save") + " ]"
	if f.OnButton() {
		return s.Accent.Render(" ▸ ") + s.Selected.Render(name)
	}
	return "   " + s.Key.Render(name)
}

// hints returns the keys that work at the button.
func (f *Form[A]) hints(k keys.Form) []key.Binding {
	save := k.Save
	save.SetHelp(enter, save.Help().Desc)
	return []key.Binding{save, k.PrevField, k.Leave}
}

// below returns the lines of a form below the list, and the cursor.
func (f *Form[A]) below(w words.Words, s theme.Styles, busy bool) (lines []string, cursor *tea.Cursor) {
	title, sign := f.Title, " ▸ "
	if busy {
		title = f.Saving
	}
	lines = append(lines, " "+s.Accent.Render(title))
	if cursor = f.Fields[0].Field.Cursor(); cursor != nil {
		cursor.X += 3
		cursor.Y++
	}
	for _, l := range f.Fields[0].Field.View() {
		lines = append(lines, s.Accent.Render(sign)+l)
		sign = "   "
	}
	return append(lines, f.button(w, s)), cursor
}

// view returns the lines of the form with its button, and the cursor, with the cursor's line and
// the button visible within h lines.
func (f *Form[A]) view(w words.Words, s theme.Styles, h int) (lines []string, cursor *tea.Cursor) {
	room := max(1, h-1)
	if f.Draw != nil {
		lines, cursor = f.Draw()
	} else {
		lines, cursor = f.lines(w, s, room)
	}
	if lines = lines[:min(len(lines), room)]; h > 1 {
		lines = append(lines, f.button(w, s))
	}
	return lines, cursor
}

// lines returns the lines of the fields and the cursor.
func (f *Form[A]) lines(w words.Words, s theme.Styles, h int) (lines []string, cursor *tea.Cursor) {
	lines = []string{s.Accent.Render(" " + f.Title)}
	if f.Label > 0 || !f.Dense {
		lines = append(lines, "")
	}
	shown := 0 // the line that must be visible
	for i, in := range f.Fields {
		if in.Hidden {
			continue
		}
		lead := strings.Repeat(" ", max(0, f.Inset-1))
		head := lead
		if f.Label > 0 {
			lead = strings.Repeat(" ", 2+f.Label)
			head = "  " + s.Dim.Render(cells.Fit(in.Label, f.Label))
			if i == f.At {
				head = s.Accent.Render("▸ ") + s.Accent.Render(cells.Fit(in.Label, f.Label))
			}
		}
		var body []string
		switch {
		case in.Said != nil:
			body = []string{in.Said()}
		case in.Field == nil:
			body = []string{"‹ " + clean.Line(in.Choice) + " ›"}
		default:
			body = in.Field.View()
			if c := in.Field.Cursor(); c != nil && i == f.At {
				cursor = c
				cursor.X += len(lead)
				cursor.Y += len(lines)
			}
		}
		for j, l := range body {
			if j > 0 {
				head = lead
			}
			lines = append(lines, head+l)
		}
		if i <= f.At && in.Field == nil || f.OnButton() {
			shown = len(lines) - 1
		}
		if in.From != "" {
			lines = append(lines, Wrapped(s.Dim, w.Say("list.form.from", in.From), f.width, 2+f.Label)...)
		}
		if f.Label > 0 && !f.Dense {
			lines = append(lines, "")
		}
	}
	if f.Extra != nil {
		if h < len(lines)+3 && f.At > 0 { // it needs the room
			lines = lines[min(2, len(lines)):]
		}
		lines = append(lines, f.Extra(max(1, h-len(lines)))...)
	}
	if cursor != nil && cursor.Y >= h {
		over := cursor.Y - h + 1
		lines, cursor.Y = lines[min(over, len(lines)):], h-1
	} else if over := shown - h + 1; cursor == nil && over > 0 {
		lines = lines[over:]
	}
	return lines, cursor
}

package list

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/keys"
)

// Question asks before something is done. Only the keys of its answers do it; every other
// key closes it. It is shown below the row that it is about, else at the foot of the pane.
type Question[A any] struct {
	// Lines returns the question, or the progress once it was answered.
	Lines   func(busy bool) []string
	Answers []Answer[A]
	Closes  bool // with an answer, not with what becomes of it

	// Row is the key of the row that it is about; "" for none.
	Row   string
	press *tea.KeyPressMsg // what yes does again; nil for Answers

	restores string // the deletion that yes undoes; "" for none
}

// Answer is a key and what it asks for.
type Answer[A any] struct {
	Key key.Binding
	Do  A
}

// answer takes a key while a question is open.
func (p *Base[T, A]) answer(msg tea.KeyPressMsg) (none A) {
	if q := p.Question; q.press != nil {
		p.Question = nil
		if d, _ := p.Removed.Newest(); q.restores != "" && d.ID != q.restores && key.Matches(msg, p.Keys.Confirm.Do) {
			p.Notice = p.Words.Say("list.undo.late")
			if p.Removed.Has(q.restores) {
				p.Notice = p.Words.Say("list.undo.newer")
			}
			return none
		}
		if r, _ := p.List.Selected(); (q.Row == "" || q.Row == r.Key) && key.Matches(msg, p.Keys.Confirm.Do) {
			none, _ = p.do(*q.press)
		}
		return none
	}
	if p.Busy {
		if key.Matches(msg, p.Keys.Confirm.Other) {
			p.Question, p.Busy = nil, false
		}
		return none
	}
	for _, a := range p.Question.Answers {
		if key.Matches(msg, a.Key) {
			p.Busy, p.Notice = true, ""
			if p.Question.Closes {
				p.Question = nil
			}
			return a.Do
		}
	}
	p.Question = nil
	return none
}

// AskFirst lets keys ask before they do something, where they are letters: the user may believe
// to be typing.
func (p *Base[T, A]) AskFirst(careful func() []key.Binding) { p.careful = careful }

// AskOf is a [Config].Asks for one key, whose action is not about the row under the cursor.
func AskOf(b key.Binding, question string) func(tea.KeyPressMsg) string {
	return func(msg tea.KeyPressMsg) string {
		if key.Matches(msg, b) {
			return question
		}
		return ""
	}
}

// Keeper extends the time of a deletion for the question of the key that undoes it.
type Keeper struct {
	undo key.Binding
	keep func(Removed) tea.Cmd
	kept tea.Cmd // nil for none
}

// KeepUndoable lets the question of the key that undoes the last deletion extend the time of that:
// keep does so. The command is that of [Keeper.Kept].
func (k *Keeper) KeepUndoable(undo key.Binding, keep func(Removed) tea.Cmd) {
	k.undo, k.keep = undo, keep
}

// Kept returns the command that extends the time of a deletion, once; nil for none.
func (k *Keeper) Kept() tea.Cmd {
	cmd := k.kept
	k.kept = nil
	return cmd
}

// restoring makes an open question one about the last deletion, if the key undoes that.
func restoring[T, A any](p *Base[T, A], msg tea.KeyPressMsg) {
	d, ok := p.Removed.Newest()
	if !ok || !key.Matches(msg, p.undo) {
		return
	}
	p.Question.restores = d.ID
	p.Question.Lines = func(bool) []string {
		said := p.Words.Say("list.undo.ask", d.What)
		if d.Title != "" {
			said = p.Quoting("list.undo.ask", d.Title)
		}
		return append(p.Wrapped(p.Styles.Warn, said, 1),
			" "+p.Words.Say("ask.keys", p.Styles.Key.Render(p.Keys.Confirm.Do.Help().Key)))
	}
	if longer, ok := p.Removed.Extend(d.ID); ok && p.keep != nil {
		p.kept = p.keep(longer)
	}
}

// asksFirst asks before a letter changes something, and reports whether it did.
func (p *Base[T, A]) asksFirst(msg tea.KeyPressMsg) bool {
	if p.careful == nil || msg.Text == "" && msg.Code != tea.KeyBackspace && msg.Code != tea.KeyDelete {
		return false
	}
	for _, b := range p.careful() {
		if !key.Matches(msg, b) {
			continue
		}
		row, subject := menuOf(p).about(msg)
		other := ""
		if p.config.Asks != nil {
			if other = p.config.Asks(msg); other != "" {
				row = ""
			}
		}
		p.Question = &Question[A]{Row: row, press: &msg, Lines: func(bool) []string {
			said := p.Words.Say("ask.it", b.Help().Desc)
			if other != "" {
				said = other
			} else if subject != "" {
				said = p.Quoting("ask.about", subject, b.Help().Desc)
			}
			return append(p.Wrapped(p.Styles.Warn, said, 1),
				" "+p.Words.Say("ask.keys", p.Styles.Key.Render(p.Keys.Confirm.Do.Help().Key)))
		}}
		if other == "" {
			restoring(p, msg)
		}
		return true
	}
	return false
}

// do does what a key asks for in the list or the page. A question that it asks about the row
// under the cursor is shown there.
func (p *Base[T, A]) do(msg tea.KeyPressMsg) (a A, handled bool) {
	before := p.Question
	row, _ := menuOf(p).about(msg)
	a, handled = p.config.Key(msg)
	if row != "" && p.Question != nil && p.Question != before {
		p.Question.Row = row
	}
	return a, handled
}

// about returns the key and the name of the row that a key does something to. The row is "" on
// a page; both are where the key is not in the menu.
func (p menu[T, A]) about(msg tea.KeyPressMsg) (row, subject string) {
	subject, acts := p.actions()
	if !slices.ContainsFunc(acts, func(b key.Binding) bool { return key.Matches(msg, b) }) {
		return "", ""
	}
	if r, ok := p.List.Selected(); ok && p.text() == nil {
		row = r.Key
	}
	return row, subject
}

// asked returns the lines of a question that is shown below its row; nil where it is at the foot.
func (p *Base[T, A]) asked() []string {
	if p.Question == nil || p.Question.Row == "" || p.Form != nil || p.text() != nil {
		return nil
	}
	at := p.List.cursor
	if r, ok := p.List.Selected(); !ok || r.Key != p.Question.Row {
		return nil
	}
	lines := p.Question.Lines(p.Busy)
	p.List.under = nil
	if p.List.heightOf(at, p.Mark())+len(lines) > p.Height-beside {
		return nil
	}
	return lines
}

// Ask asks a question.
func (p *Base[T, A]) Ask(lines func(busy bool) []string, answers ...Answer[A]) {
	p.StopTyping()
	p.Form, p.Notice, p.Busy = nil, "", false
	p.Question = &Question[A]{Lines: lines, Answers: answers}
}

// AskDelete asks whether to delete something. question is a line; what follows from a yes
// is explained below it.
func (p *Base[T, A]) AskDelete(question func() string, yes A, explained ...string) {
	p.Ask(func(busy bool) []string {
		if busy && p.config.Waiting != "" {
			return []string{" " + p.Styles.Dim.Render(p.config.Waiting)}
		}
		out := []string{
			" " + p.Styles.Bad.Render(question()),
			" " + p.Words.Say("list.delete.keys", p.Styles.Key.Render(p.Keys.Confirm.Yes.Help().Key)),
		}
		for _, text := range explained {
			out = append(out, p.Wrapped(p.Styles.Dim, text, 1)...)
		}
		return out
	}, Answer[A]{p.Keys.Confirm.Yes, yes})
}

// AskErase asks how far the deletion of messages goes (D2). The descriptions of k say what
// each answer does.
func (p *Base[T, A]) AskErase(k keys.Erase, question, doing func() string, messages, memories A) {
	p.Ask(func(busy bool) []string {
		if busy {
			return []string{" " + p.Styles.Warn.Render(doing())}
		}
		out := []string{" " + p.Styles.Bad.Render(question())}
		for _, b := range []key.Binding{k.Messages, k.Memories, k.Other} {
			name := b.Help().Key
			for i, l := range clean.Wrap(b.Help().Desc, max(8, p.Width-5)) {
				if i > 0 {
					name = " "
				}
				out = append(out, " "+p.Styles.Key.Render(name)+"  "+p.Styles.Text.Render(l))
			}
		}
		return out
	}, Answer[A]{k.Messages, messages}, Answer[A]{k.Memories, memories})
}

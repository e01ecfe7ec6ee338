package list

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/keys"
)

// Question asks before something is done. Only the keys of its answers do it; every other
// key closes it.
type Question[A any] struct {
	// Lines returns the question, or the progress once it was answered.
	Lines   func(busy bool) []string
	Answers []Answer[A]
	Closes  bool // with an answer, not with what becomes of it
}

// Answer is a key and what it asks for.
type Answer[A any] struct {
	Key key.Binding
	Do  A
}

// answer takes a key while a question is open.
func (p *Base[T, A]) answer(msg tea.KeyPressMsg) (none A) {
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
			" " + p.Words.Say("list.delete.keys", p.Styles.Key.Render("del/ctrl+y")),
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

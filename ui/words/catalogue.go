package words

import (
	"errors"
	"fmt"
	"regexp"
)

// Say returns a message of the catalogue with its arguments, which follow the rules of
// fmt.Sprintf. An unknown id is returned as it is, so that a mistake is seen and not lost.
func (l Language) Say(id string, args ...any) string { return l.SayTo(nil, id, args...) }

// action is the name of an action in a message.
var action = regexp.MustCompile(`\{([a-z-]+)\}`)

// SayTo is [Language.Say] for a message that names actions in braces; typed returns what the
// user types for one. Braces in arguments stay as they are.
func (l Language) SayTo(typed func(action string) string, id string, args ...any) string {
	text, ok := l.message(id)
	if !ok {
		return id
	}
	if typed != nil {
		text = action.ReplaceAllStringFunc(text, func(s string) string { return typed(s[1 : len(s)-1]) })
	}
	if len(args) == 0 {
		return text
	}
	worded := make([]any, len(args))
	for i, arg := range args {
		switch later := arg.(type) {
		case interface{ In(l Language) string }:
			arg = later.In(l)
		case error:
			if l == Chinese {
				arg = l.Error(later)
			}
		}
		worded[i] = arg
	}
	return fmt.Sprintf(text, worded...)
}

// Named returns the name of a constant, such as a type of memories, for the user. group is
// what it is: "type". An unknown one is returned as [Readable] writes it.
func (l Language) Named(group, constant string) string {
	if text, ok := l.message(group + "." + constant); ok {
		return text
	}
	return l.Translate(Readable(constant))
}

// Has reports whether the catalogue has a message.
func Has(id string) bool {
	_, ok := english[id]
	return ok
}

// Message is a message of the catalogue that is put into words where its reader is known. As
// an error it speaks English.
type Message struct {
	ID   string
	Args []any // may be messages, sentences and errors
}

// Later returns a message.
func Later(id string, args ...any) Message { return Message{id, args} }

// Sentence is a sentence that a package below this one wrote in English. As an argument of a
// message it is translated.
type Sentence string

// In returns the sentence in a language.
func (s Sentence) In(l Language) string { return l.Translate(string(s)) }

// In returns the message in a language.
func (m Message) In(l Language) string { return l.Say(m.ID, m.Args...) }

// Error returns the message in English.
func (m Message) Error() string { return m.In(English) }

// Error says what an error says: in the language when it is a [Message] or has a translation,
// else as it is.
func (l Language) Error(err error) string {
	var later interface {
		error
		In(l Language) string
	}
	if errors.As(err, &later) {
		return later.In(l)
	}
	return l.Translate(err.Error())
}

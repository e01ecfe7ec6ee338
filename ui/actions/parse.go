package actions

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/ui/words"
)

// maxName is the longest name, in characters, that is taken for one. Longer
// words after a slash belong to a message.
const maxName = 32

// ErrMessage means that the line is a message and no command.
var ErrMessage = errors.New("this is a message, not a command")

// Call is an action that was typed.
type Call struct {
	Name string // the action's own name, whatever was typed
	Arg  string // what followed, without white space around it
}

// String is a line that means the call.
func (c Call) String() string {
	if c.Arg == "" {
		return "/" + c.Name
	}
	return "/" + c.Name + " " + c.Arg
}

// UsageError means that the line is a command and cannot be obeyed. Its text is
// for a person; Typed is what they wrote, as they wrote it.
type UsageError struct {
	Typed string // the name
	// Nearest is the command that was probably meant, or the one that was
	// wrongly used. It may be the zero value.
	Nearest Action
	problem words.Message
}

// Error names the problem and a remedy.
func (e *UsageError) Error() string { return e.problem.Error() }

// In is Error in a language.
func (e *UsageError) In(l words.Language) string { return e.problem.In(l) }

// usage is how an action is typed, worded later.
type usage struct{ of Action }

// In is [Action.Usage] in a language.
func (u usage) In(l words.Language) string { return u.of.Worded(l).Usage() }

// asMessage tells how a line that looks like a command is sent.
func asMessage() words.Message { return words.Later("parse.as-message") }

// IsCommand reports whether the line is meant as a command, known or not.
func IsCommand(line string) bool {
	_, _, ok := cut(line)
	return ok
}

// Message returns the text to send when the line is no command: the line, without
// the one space or slash that kept it from being one.
func Message(line string) string {
	first, size := utf8.DecodeRuneInString(line)
	if isSlash(first) || unicode.IsSpace(first) {
		if rest := line[size:]; IsCommand(rest) {
			return rest
		}
	}
	return line
}

// Parse reads a line. The error is [ErrMessage] where IsCommand is false, else a
// [*UsageError].
func (m Mode) Parse(line string) (Call, error) {
	name, arg, ok := cut(line)
	if !ok {
		return Call{}, ErrMessage
	}
	c, found := m.lookup(name)
	switch {
	case !found:
		e := &UsageError{Typed: name, problem: words.Later("parse.unknown", name, asMessage())}
		if near, ok := m.nearest(name); ok {
			e.Nearest, e.problem = near, words.Later("parse.nearest", name, usage{near}, asMessage())
		}
		return Call{}, e
	case c.In&m == 0 && m == Plain:
		return Call{}, &UsageError{name, c, words.Later("parse.screen", c.Name, asMessage())}
	case c.In&m == 0:
		return Call{}, &UsageError{name, c, words.Later("parse.plain", c.Name, asMessage())}
	case arg == "" && c.needs():
		return Call{}, &UsageError{name, c, words.Later("parse.usage", usage{c}, words.Sentence(c.Help))}
	case arg != "" && !c.takes():
		return Call{}, &UsageError{name, c, words.Later("parse.argument", c.Name, asMessage())}
	}
	return Call{Name: c.Name, Arg: arg}, nil
}

// OnOff reads what follows a switch; ok is false when it is neither.
func OnOff(arg string) (on, ok bool) {
	switch text.Fold(strings.TrimSpace(arg)) {
	case "on", "yes", "开", "开启":
		return true, true
	case "off", "no", "关", "关闭":
		return false, true
	}
	return false, false
}

// All returns the commands of a mode in the order of the help. The caller may
// keep the slice.
func (m Mode) All() []Action {
	var all []Action
	for _, c := range table {
		if c.In&m != 0 {
			all = append(all, c)
		}
	}
	return all
}

// Complete returns the commands of a mode that a beginning may mean, the likely
// ones first: the name begins so, another name begins so, the name has these
// letters in this order. The slash may be there or not; "" means all.
func (m Mode) Complete(prefix string) []Action {
	if first, size := utf8.DecodeRuneInString(prefix); isSlash(first) {
		prefix = prefix[size:]
	}
	if len(prefix) > maxName*utf8.UTFMax {
		return nil
	}
	prefix = text.Fold(prefix)
	begins := func(name string) bool { return strings.HasPrefix(name, prefix) }
	var ranks [3][]Action
	for _, c := range m.All() {
		switch {
		case begins(c.Name):
			ranks[0] = append(ranks[0], c)
		case slices.ContainsFunc(c.Aliases, begins):
			ranks[1] = append(ranks[1], c)
		case subsequence(prefix, c.Name):
			ranks[2] = append(ranks[2], c)
		}
	}
	return slices.Concat(ranks[:]...)
}

// cut splits a line that is a command into its name, as typed, and the rest.
func cut(line string) (name, arg string, ok bool) {
	first, size := utf8.DecodeRuneInString(line)
	if !isSlash(first) {
		return "", "", false
	}
	line = line[size:]
	end := strings.IndexFunc(line, unicode.IsSpace)
	if end < 0 {
		end = len(line)
	}
	word := line[:end]
	if strings.IndexFunc(word, isSlash) >= 0 {
		return "", "", false
	}
	if named(word) {
		if _, known := anywhere.lookup(word); known {
			return word, strings.TrimSpace(line[end:]), true
		}
	}
	if n := glued(word); n > 0 {
		return word[:n], strings.TrimSpace(line[n:]), true
	}
	return word, strings.TrimSpace(line[end:]), named(word)
}

// named reports whether a word can be a name.
func named(word string) bool {
	n := 0
	for _, r := range word {
		if n++; n > maxName || r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return n > 0
}

// glued is the length of the longest Chinese name that the word begins with and
// that takes something, 0 when there is none.
func glued(word string) (longest int) {
	for _, c := range table {
		for _, a := range c.Aliases {
			if first, _ := utf8.DecodeRuneInString(a); !c.takes() || !unicode.Is(unicode.Han, first) {
				continue
			}
			longest = max(longest, begins(word, a))
		}
	}
	return longest
}

// begins is the length of the part of word that is the alias, 0 for none.
func begins(word, alias string) int {
	at := 0
	for _, want := range alias {
		r, size := utf8.DecodeRuneInString(word[at:])
		if size == 0 || text.Fold(string(r)) != string(want) {
			return 0
		}
		at += size
	}
	return at
}

// lookup finds a command by any of its names. Where two have the name, the
// mode's own is meant.
func (m Mode) lookup(name string) (found Action, ok bool) {
	name = text.Fold(name)
	for _, c := range table {
		if c.Name != name && !slices.Contains(c.Aliases, name) {
			continue
		}
		if c.In&m != 0 {
			return c, true
		}
		found, ok = c, true
	}
	return found, ok
}

// Find returns the mode's command of that name or alias, with its slash or
// without, for a help on one command.
func (m Mode) Find(name string) (Action, bool) {
	c, ok := m.lookup(strings.TrimLeftFunc(strings.TrimSpace(name), isSlash))
	return c, ok && c.In&m != 0
}

func isSlash(r rune) bool { return r == '/' || r == '／' }

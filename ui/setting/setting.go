package setting

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Kind is what a setting holds, and so how it is changed.
type Kind string

// The kinds of settings.
const (
	Text     Kind = "text"
	Number   Kind = "number"
	Duration Kind = "duration"
	Switch   Kind = "switch" // true or false
	Choice   Kind = "choice" // one of Choices
	List     Kind = "list"   // any of Choices, in an order
)

// Where a value comes from, from weak to strong.
const (
	FromDefault     = "default"
	FromFile        = "file"
	FromEnvironment = "environment"
	FromFlag        = "flag"
)

// Info is everything there is to say about a setting. A key itself is never in it.
type Info struct {
	Key     string // dotted, "memory.rag_top_n"
	Kind    Kind
	Value   string // in force, as it is typed
	Default string
	Help    string // one paragraph; empty when nobody wrote one
	Choices []string
	Allowed string // "0 to 100"; empty where the help says it
	// From is where the value in force was set, Where the place: FILE:LINE, the
	// variable, or the flag.
	From, Where string
	Variable    string // that sets it
	// AtStart says that a change counts from the next start of the program on; else
	// it counts at once.
	AtStart bool
	// Later is the value from the next start on, where that is another one.
	Later string
	Note  string // more to know; empty for nothing
}

// Table is the table of the file that the setting lies in; empty for none.
func (i Info) Table() string {
	return i.Key[:max(0, strings.LastIndexByte(i.Key, '.'))]
}

// Name is the setting's name in its table.
func (i Info) Name() string { return i.Key[strings.LastIndexByte(i.Key, '.')+1:] }

// Set reports whether somebody set it, be it to its default.
func (i Info) Set() bool { return i.From != FromDefault }

// Changed reports whether it is not as the program came, or will not be.
func (i Info) Changed() bool { return i.Value != i.Default || i.Later != "" && i.Later != i.Default }

// Source says where the value comes from, in words.
func (i Info) Source() string {
	if i.Where == "" || i.From == FromDefault {
		return i.From
	}
	return i.From + ", " + i.Where
}

// Effect says when a change counts.
func (i Info) Effect() string {
	if i.AtStart {
		return "after restart"
	}
	return "now"
}

// Change is what became of a change.
type Change struct {
	Info   Info
	Before string   // the value in force before
	Notes  []string // what else there is to know, a sentence each
}

// Words says what became of a change, on one line.
func (c Change) Words() string {
	out := fmt.Sprintf("%s is %s", c.Info.Key, c.Info.Value)
	switch {
	case c.Info.AtStart && c.Info.Later != "":
		out = fmt.Sprintf("%s is %s after restart", c.Info.Key, c.Info.Later)
	case c.Before == c.Info.Value:
		out += " as before"
	default:
		out += " now"
	}
	return strings.Join(append([]string{out}, c.Notes...), " · ")
}

// Access is how settings are read and changed. Its functions may be called from any
// goroutine; errors are words for a person.
type Access struct {
	// List returns every setting, in the order of the example of the file.
	List func() ([]Info, error)
	// Set gives a setting a value, as a person types it: in this run where that can
	// be, and in the file.
	Set func(key, value string) (Change, error)
	// Unset takes a setting out of the file, so that what is weaker counts.
	Unset func(key string) (Change, error)
	// Undo takes the last change of this run back that was not taken back yet. Without
	// one it is [ErrNothing].
	Undo func() (Change, error)
}

// ErrNothing means that there is no change to take back.
var ErrNothing = errors.New("no setting was changed in this run")

// Number is the value of a whole number.
func (i Info) Number() (int, bool) {
	n, err := strconv.Atoi(i.Value)
	return n, err == nil
}

// Cut takes apart what is typed to set something: "rag_top_n 7", "rag_top_n = 7". ok
// is false when there is no value.
func Cut(typed string) (word, value string, ok bool) {
	word, value, _ = strings.Cut(strings.TrimSpace(typed), " ")
	if at := strings.IndexByte(word, '='); at > 0 { // rag_top_n=7
		word, value = word[:at], word[at:]+" "+value
	}
	value = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(value), "="))
	return word, value, value != ""
}

// Find finds a setting by its key, or by the end of it where that is clear.
func Find(all []Info, word string) (Info, error) {
	var near []Info
	word = strings.ToLower(strings.TrimSpace(word))
	for _, i := range all {
		if i.Key == word {
			return i, nil
		}
		if word != "" && strings.HasSuffix(i.Key, "."+word) {
			near = append(near, i)
		}
	}
	switch len(near) {
	case 0:
		return Info{}, &UnknownError{Word: word}
	case 1:
		return near[0], nil
	}
	var keys []string
	for _, i := range near {
		keys = append(keys, i.Key)
	}
	return Info{}, fmt.Errorf("%s could be %s", word, strings.Join(keys, " or "))
}

// UnknownError means that no setting is called so.
type UnknownError struct{ Word string }

func (e *UnknownError) Error() string { return fmt.Sprintf("there is no setting %q", e.Word) }

// Match returns the settings that have all of the words in their key, value or help.
func Match(all []Info, words string) (out []Info) {
	wanted := strings.Fields(strings.ToLower(words))
	for _, i := range all {
		in := strings.ToLower(strings.Join([]string{i.Key, i.Value, i.Help, i.From, i.Variable}, "\n"))
		ok := true
		for _, w := range wanted {
			ok = ok && strings.Contains(in, w)
		}
		if ok {
			out = append(out, i)
		}
	}
	return out
}

package instruct

import (
	"strings"
	"sync"

	"memoria/memory"
	"memoria/memory/pattern"
)

// Aside is what a message says to the program, without an instruction to change the memory.
type Aside string

// The kinds of asides.
const (
	AsksTrash   Aside = "trash"     // what was deleted, and can be restored
	AsksInbox   Aside = "inbox"     // what waits for approval
	AsksDate    Aside = "date"      // the date
	NeverMind   Aside = "neverMind" // nothing is wanted after all
	Standing    Aside = "standing"  // nothing is to be remembered from now on
	Resumes     Aside = "resume"    // remembering is to go on
	AsksPaused  Aside = "paused"    // why nothing is remembered
	AsksAbility Aside = "ability"   // whether memories can be deleted
	AsksHelp    Aside = "help"      // what the program is, and how it is used
	Greets      Aside = "greeting"
	Keeps       Aside = "keep" // the message before is to be remembered
	Thanks      Aside = "thanks"
	Leaves      Aside = "farewell"
	Replies     Aside = "reply" // yes or no, which counts only if something was asked
	AsksQuit    Aside = "quit"
	AsksPrivacy Aside = "privacy" // whether others can read the conversation
	AsksFolder  Aside = "folder"  // where the data is kept
	AsksRestore Aside = "restore" // how a deletion is undone
)

// asides are the forms of data/asides.txt, in the order in which they are tried.
var asides = sync.OnceValue(func() []aside {
	book, _ := blocks("asides.txt")
	var out []aside
	for _, kind := range []Aside{AsksTrash, AsksInbox, AsksDate, NeverMind, Standing, Resumes, AsksPaused, AsksAbility, Keeps,
		AsksQuit, AsksPrivacy, AsksFolder, AsksRestore, AsksHelp, Greets, Thanks, Leaves, Replies} {
		out = append(out, aside{kind, book.Whole("({before}_ | {beforeHan})*{" + string(kind) + "}(_{after} | {afterHan})*")})
	}
	return out
})

type aside struct {
	kind  Aside
	whole pattern.Pattern
}

// ReadAside parses a message as an aside; none if it is something else. days is how far the day is that [AsksDate] is about.
func ReadAside(message string, spans []memory.Span) (kind Aside, days int) {
	said, ok := typedAlone(message, spans)
	if !ok || len(said) > maxBytes {
		return "", 0
	}
	p, ok := newPlain(said, nil)
	if !ok || len(p.text) > 160 {
		return "", 0
	}
	body := strings.TrimSpace(newFlat(p, said, true).text)
	for _, a := range asides() {
		if !a.whole.Match(body) {
			continue
		}
		if a.kind == AsksDate {
			days = dayNamed(body)
		}
		return a.kind, days
	}
	return "", 0
}

// dayNamed is how many days after today a text names.
func dayNamed(s string) int {
	for _, w := range []string{"tomorrow", "明天", "明儿"} {
		if strings.Contains(s, w) {
			return 1
		}
	}
	for _, w := range []string{"yesterday", "昨天", "昨儿"} {
		if strings.Contains(s, w) {
			return -1
		}
	}
	return 0
}

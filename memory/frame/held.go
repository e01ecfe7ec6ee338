package frame

import (
	"strings"

	"memoria/memory"
)

// names are the words for frames: in a reason, and on screen.
var names = map[string]struct{ held, now string }{
	"game":      {"said while playing a game", "playing a game"},
	"role":      {"said in a role-play", "role-play"},
	"story":     {"part of a story", "telling a story"},
	"translate": {"part of a text to translate", "a text to translate"},
	"edit":      {"part of a text to correct", "a text to correct"},
	"review":    {"part of a text to review", "a text to review"},
	"summarise": {"part of a text to summarise", "a text to summarise"},
	"write":     {"part of a text to write", "a text to write"},
	"reply":     {"part of a message to answer", "a message to answer"},
}

// Reason says why a statement in a frame is held, as "said while playing a game".
func Reason(f memory.Frame) string {
	if n, ok := names[f.What]; ok {
		return n.held
	}
	return "not said about yourself"
}

// Notice says that learning is paused, and what ends the pause.
func Notice(f memory.Frame) string {
	what := names[f.What].now
	if what == "" {
		what = "text that is not about you"
	}
	how := "it ends with the text, or say “carry on remembering”"
	if f.Kind == memory.FramePlay {
		how = "to go on, say “carry on remembering”"
	}
	return "learning is paused (" + what + "); " + how
}

// Hint is [Notice] for a status line.
func Hint(f memory.Frame) string {
	if f.Kind == memory.FramePlay {
		return "learning paused · “carry on remembering”"
	}
	return "learning paused for this text"
}

// Identity reports whether a key is part of the user's identity: name, age, birthday, home, partner, job.
func Identity(key string) bool {
	for _, k := range identity() {
		if key == k || strings.HasPrefix(key, k+"/") {
			return true
		}
	}
	return false
}

// Holds reports whether a statement in a frame is held even if the user asked to remember it: it concerns the
// user's identity, or is a standing order (P5b). said is its words.
func Holds(key string, typ memory.Type, said string) bool {
	if typ == memory.TypeRule || Identity(key) {
		return true
	}
	return (strings.HasPrefix(key, "note/") || strings.HasPrefix(key, "fact/")) && claims().Has(said)
}

// OnText reports whether a sentence asks to work on a text that somebody has: to translate, correct, review,
// summarise or answer it, not to write one.
func OnText(sentence string) bool {
	t := read(sentence)
	for _, c := range t.clauses {
		switch what, _ := t.opens(c, tasks, notTask()); what {
		case "", "write":
		default:
			return true
		}
	}
	return false
}

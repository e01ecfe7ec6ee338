package instruct

import (
	"slices"
	"strings"
	"sync"

	"memoria/memory"
	"memoria/memory/pattern"
)

// sparing are the forms of data/spared.txt.
type sparing struct{ spares, what, beside, task, wrong, over pattern.Pattern }

var sparings = sync.OnceValue(func() sparing {
	book, _ := blocks("spared.txt")
	form := func(name string) pattern.Pattern { return book.Pattern("{" + name + "}") }
	return sparing{form("spares"), form("sparesWhat"), form("beside"), form("task"), form("wrongPart"), form("overWith")}
})

// Spares reports whether a message says only that nothing is to be deleted: "no dont delete that", 刚才那条别删. what names what
// is to stay, if the message does.
func Spares(message string, spans []memory.Span) (what string, ok bool) {
	said, typed := typedAlone(message, spans)
	if !typed || len(said) > maxBytes || strings.ContainsAny(said, "?？") {
		return "", false
	}
	s := sparings()
	for _, part := range pieces(said) {
		switch {
		case s.spares.Match(part):
			ok = true
		case groupsOf(s.what, part)["o"] != "":
			what, ok = groupsOf(s.what, part)["o"], true
		case !s.beside.Match(part) && !isOf("slip", part, nil):
			return "", false
		}
	}
	return what, ok
}

// sparesAny reports whether a clause of a message says that nothing is to be deleted: then the message orders no deletion.
func sparesAny(said string) bool {
	return slices.ContainsFunc(pieces(said), sparings().spares.Match)
}

// OrdersElse reports whether a message orders something that is not about the memory: an undo after it may mean that.
func OrdersElse(typed string) bool {
	return len(typed) > maxBytes || slices.ContainsFunc(pieces(typed), sparings().task.Match)
}

// SaysOnly reports whether a message says of a memory, without an order, that a part of it is wrong, or that it no longer
// matters; over names what that is.
func SaysOnly(message string, spans []memory.Span) (over string, wrong, ok bool) {
	said, typed := typedAlone(message, spans)
	if !typed || len(said) > maxContrast || strings.ContainsAny(said, "?？") {
		return "", false, false
	}
	p, ok := newPlain(said, respelled())
	if !ok {
		return "", false, false
	}
	body := strings.TrimSpace(newFlat(p, said, true).text)
	over = groupsOf(sparings().over, body)["o"]
	wrong = sparings().wrong.Match(body)
	return over, wrong, wrong || over != ""
}

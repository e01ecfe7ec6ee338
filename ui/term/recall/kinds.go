package recall

import (
	"github.com/charmbracelet/x/ansi"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// kinds is the column of a list that says what kind of memory a row is: its type or an unusual
// state. It is as wide as the widest name.
type kinds struct {
	words words.Words
	width int
	brief int // width in a narrow pane, where the beginning of a state's name must do
}

func newKinds(w words.Words) kinds {
	k := kinds{words: w}
	for _, t := range memory.Types() {
		k.width = max(k.width, cells.Width(k.nameOf(t)))
	}
	k.brief = k.width
	for _, s := range []memory.State{memory.StateHeld, memory.StateMuted, memory.StateInactive} {
		k.width = max(k.width, cells.Width(w.Named("state", string(s))))
	}
	return k
}

// nameOf is the name of a type; a long one has a shorter name here.
func (k kinds) nameOf(t memory.Type) string {
	if id := "type.short." + string(t); words.Has(id) {
		return k.words.Say(id)
	}
	return clean.Line(k.words.Type(t))
}

func (k kinds) ofType(s theme.Styles, t memory.Type) string {
	return s.Kind(string(t)).Render(k.fit(k.nameOf(t)))
}

func (k kinds) ofState(s theme.Styles, state memory.State) string {
	return s.Warn.Render(k.fit(clean.Line(k.words.Named("state", string(state)))))
}

// fit is a name as wide as the column; its beginning tells it in a narrow one.
func (k kinds) fit(name string) string { return cells.Fit(ansi.Truncate(name, k.width, ""), k.width) }

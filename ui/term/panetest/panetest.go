package panetest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/ui/term/cells"
	"memoria/ui/term/theme"
)

// Noon is the time that tests take for now.
var Noon = time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)

// Hostile is a text that must not reach a terminal as it is, and unsafe are its characters.
const (
	Hostile = "a\x1b]52;c;xx\x07b\u202ec\u009b31m\U000e0041"
	unsafe  = "\x1b\x07\u202e\u009b\U000e0041"
)

// Pane is a pane under test; A is what it asks for.
type Pane[A any] interface {
	Key(tea.KeyPressMsg) (A, bool)
	View() ([]string, *tea.Cursor)
	SetStyles(theme.Styles)
	SetSize(w, h int)
	SetFocus(bool)
}

// Show gives a new pane plain looks, a size and the time.
func Show[P interface {
	SetStyles(theme.Styles)
	SetSize(w, h int)
	SetNow(time.Time)
}](p P, w, h int) P {
	p.SetStyles(theme.New(theme.None, true))
	p.SetNow(Noon)
	p.SetSize(w, h)
	return p
}

var named = map[string]rune{
	"enter": tea.KeyEnter, "delete": tea.KeyDelete, "backspace": tea.KeyBackspace, "esc": tea.KeyEscape, "tab": tea.KeyTab,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdn": tea.KeyPgDown, "f1": tea.KeyF1,
}

// Key returns a key by its name, such as enter, ctrl+x, space or a.
func Key(name string) tea.KeyPressMsg {
	var mod tea.KeyMod
	for prefix, m := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "shift+": tea.ModShift} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			name, mod = rest, m
		}
	}
	code, ok := named[name]
	switch {
	case ok || mod != 0:
		if !ok {
			code = []rune(name)[0]
		}
		return tea.KeyPressMsg{Code: code, Mod: mod}
	case name == "space":
		name = " "
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// Press presses keys and returns what the last one asked for.
func Press[A any](p interface {
	Key(tea.KeyPressMsg) (A, bool)
}, keys ...string,
) (last A) {
	for _, k := range keys {
		last, _ = p.Key(Key(k))
	}
	return last
}

// Type types a text and returns what its last letter asked for.
func Type[A any](p interface {
	Key(tea.KeyPressMsg) (A, bool)
}, text string,
) (last A) {
	for _, r := range text {
		last, _ = p.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return last
}

// T is what a check needs of a test.
type T interface {
	Helper()
	Errorf(string, ...any)
}

// View returns a pane's lines, and checks that they and the cursor fit into its size.
func View(t T, p interface {
	View() ([]string, *tea.Cursor)
}, w, h int,
) string {
	t.Helper()
	lines, cursor := p.View()
	if cursor != nil && (cursor.X >= w || cursor.Y >= h || cursor.X < 0 || cursor.Y < 0) {
		t.Errorf("the cursor is at %d, %d", cursor.X, cursor.Y)
	}
	return Lines(t, lines, w, h)
}

// Lines joins lines and checks that they have a size.
func Lines(t T, lines []string, w, h int) string {
	t.Helper()
	if len(lines) != h {
		t.Errorf("%d lines, want %d", len(lines), h)
	}
	for _, l := range lines {
		if cells.Width(l) != w {
			t.Errorf("line %q is %d wide, want %d", l, cells.Width(l), w)
		}
	}
	return strings.Join(lines, "\n")
}

// Shows checks that texts are in a view.
func Shows(t T, view string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(view, text) {
			t.Errorf("%q is not in:\n%s", text, view)
		}
	}
}

// Lacks checks that texts are not in a view.
func Lacks(t T, view string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(view, text) {
			t.Errorf("%q is in:\n%s", text, view)
		}
	}
}

// Cleans checks that nothing of [Hostile] is in a view after each of some steps.
func Cleans(t T, view func() string, steps ...func()) {
	t.Helper()
	for i, step := range steps {
		step()
		if got := view(); strings.ContainsAny(got, unsafe) {
			t.Errorf("not clean after step %d: %q", i, got)
		}
	}
}

// Sizes returns those of the panel at 60×15, 80×24 and 140×40 of the screen, and the
// narrowest, of a height.
func Sizes(narrow int) [][2]int { return [][2]int{{60, 10}, {80, 19}, {56, 35}, {36, narrow}} }

// Views compares states of a pane with goldens at some sizes.
func Views[P interface {
	View() ([]string, *tea.Cursor)
}](t *testing.T, sizes [][2]int, filled func(w, h int) P, states map[string]func(P),
) {
	for _, name := range slices.Sorted(maps.Keys(states)) {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				p := filled(size[0], size[1])
				states[name](p)
				golden.RequireEqual(t, View(t, p, size[0], size[1]))
			})
		}
	}
}

// Case is what keys in a state of a pane ask for. Set brings the pane into the state; nil
// leaves it as it is.
type Case[P, A any] struct {
	Set  func(P)
	Keys string // separated by spaces
	Want A
}

// Asks checks what keys ask for, and that z means nothing.
func Asks[P interface {
	Key(tea.KeyPressMsg) (A, bool)
}, A any](t *testing.T, filled func(w, h int) P, cases map[string]Case[P, A],
) {
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := filled(56, 35)
			if c.Set != nil {
				c.Set(p)
			}
			if diff := cmp.Diff(c.Want, Press(p, strings.Fields(c.Keys)...)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, handled := filled(56, 35).Key(Key("z")); handled {
		t.Error("z is said to mean something")
	}
}

// Texts draws texts that are hard to show.
var Texts = rapid.SampledFrom([]string{
	"", "words", "很长的一行 kiln 👩‍💻🇩🇪", strings.Repeat("很长", 60), "x\ny\tz", "\u202e\x1b[2J\x9b", "e\u0301\u0301\u0301", "ก็ำ",
	"word word word word word word word word",
})

// Fills checks that a pane fills its size, whatever it shows and whichever keys are pressed.
// fill shows something first; then is told what each key asked for.
func Fills[P Pane[A], A any](t *testing.T, keys string, filled func(*rapid.T) P, then func(*rapid.T, P, A)) {
	pressed := rapid.SampledFrom(append(strings.Fields(keys), "up", "down", "home", "end", "pgdn", "enter", "esc", "tab", "x", "中"))
	rapid.Check(t, func(t *rapid.T) {
		p, w, h := filled(t), rapid.IntRange(1, 150).Draw(t, "w"), rapid.IntRange(0, 40).Draw(t, "h")
		p.SetSize(w, h)
		p.SetStyles(theme.New(rapid.SampledFrom([]theme.Kind{theme.None, theme.Dark}).Draw(t, "theme"), true))
		p.SetFocus(rapid.Bool().Draw(t, "focus"))
		View(t, p, w, h)
		for range rapid.IntRange(0, 12).Draw(t, "keys") {
			a := Press(p, pressed.Draw(t, "key"))
			View(t, p, w, h)
			then(t, p, a)
			View(t, p, w, h)
		}
		if f, ok := any(p).(interface{ Failed(string) }); ok {
			f.Failed(Texts.Draw(t, "failure"))
			View(t, p, w, h)
		}
	})
}

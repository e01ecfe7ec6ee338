package help

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/cells"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// Every key can be read at every size.
func TestEverythingCanBeReached(t *testing.T) {
	groups := keys.Default(words.Words{}).Groups()
	for _, size := range [][2]int{{60, 11}, {80, 20}, {140, 36}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			m := New(words.Words{}, groups, "The log lies in /var/log/memoria.log.")
			seen := ""
			for range 60 {
				lines, _ := m.View(theme.Styles{}, size[0], size[1])
				if len(lines) != size[1] {
					t.Fatalf("%d lines", len(lines))
				}
				for _, l := range lines {
					if cells.Width(l) != size[0] {
						t.Fatalf("line %q", l)
					}
				}
				seen += strings.Join(lines, "\n")
				m.Key(tea.KeyPressMsg{Code: tea.KeyPgDown})
			}
			for _, g := range groups {
				for _, b := range g.Keys {
					if !strings.Contains(seen, b.Help().Key) {
						t.Errorf("%s is not told", b.Help().Key)
					}
				}
			}
			if !strings.Contains(seen, "memoria.log") {
				t.Error("the log is not told")
			}
			m.Open(keys.Writing)
			if lines, _ := m.View(theme.Styles{}, size[0], size[1]); !strings.Contains(lines[1], "Writing") {
				t.Errorf("does not begin at the top: %q", lines[1])
			}
		})
	}
}

// Help begins at the keys of the place it was opened from.
func TestOpensAtThePlace(t *testing.T) {
	m := New(words.Words{}, keys.Default(words.Words{}).Groups())
	for _, place := range []keys.Place{keys.Place(pane.Inbox), keys.Talking, keys.Editing, keys.Place(pane.All)} {
		m.Open(place)
		lines, _ := m.View(theme.Styles{}, 60, 11)
		if !strings.HasPrefix(lines[1], "▸") {
			t.Errorf("%v begins with %q", place, lines[1])
		}
	}
}

// Each place that has keys of its own is in one group.
func TestEveryPlaceHasKeys(t *testing.T) {
	groups := map[keys.Place]int{}
	for _, g := range keys.Default(words.Words{}).Groups() {
		for _, p := range g.Places {
			groups[p]++
		}
	}
	for p := keys.Editing; p <= keys.Place(pane.Health); p++ {
		if groups[p] != 1 {
			t.Errorf("%d groups have the keys of place %d", groups[p], p)
		}
	}
}

// What is typed searches; esc ends the search, and then the help.
func TestSearch(t *testing.T) {
	m := New(words.Words{}, keys.Default(words.Words{}).Groups(), "The log.")
	m.Open(keys.Writing)
	shown := func() string {
		lines, cursor := m.View(theme.Styles{}, 80, 30)
		if cursor == nil || cursor.Y != 0 {
			t.Fatalf("cursor %+v", cursor)
		}
		return strings.Join(lines, "\n")
	}
	for _, r := range "delete all" {
		m.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	if got := shown(); !strings.Contains(got, "delete all memories that the filter shows") || strings.Contains(got, "Writing") {
		t.Errorf("view:\n%s", got)
	}
	m.Key(tea.KeyPressMsg{Code: tea.KeyEscape})
	for _, r := range "/delete all" { // as a command is typed
		m.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	if got := shown(); !strings.Contains(got, "delete all memories that the filter shows") {
		t.Errorf("view:\n%s", got)
	}
	m.Key(tea.KeyPressMsg{Code: tea.KeyEscape})
	for _, r := range "?qqq" {
		if m.Key(tea.KeyPressMsg{Code: r, Text: string(r)}) {
			t.Fatal("a letter closes the help")
		}
	}
	if got := shown(); !strings.Contains(got, "has these words") {
		t.Errorf("view:\n%s", got)
	}
	if m.Key(tea.KeyPressMsg{Code: tea.KeyEscape}) {
		t.Error("esc closes the help with a search")
	}
	if got := shown(); !strings.Contains(got, "Writing") {
		t.Errorf("view:\n%s", got)
	}
	if !m.Key(tea.KeyPressMsg{Code: tea.KeyEscape}) {
		t.Error("esc does not close")
	}
}

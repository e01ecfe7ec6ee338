package field

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/cells"
)

func TestCursorStandsBehindChinese(t *testing.T) {
	m := New(1)
	m.SetWidth(20)
	m.Focus()
	for _, r := range "部署 ab" {
		if !m.Update(tea.KeyPressMsg{Code: r, Text: string(r)}) {
			t.Fatalf("%q changes nothing", r)
		}
	}
	if c := m.Cursor(); c == nil || c.X != 7 || c.Y != 0 {
		t.Errorf("cursor %+v", c)
	}
	m.Blur()
	if m.Cursor() != nil {
		t.Error("a cursor without focus")
	}
}

func TestOneLineStaysOne(t *testing.T) {
	m := New(1)
	m.SetWidth(12)
	m.Focus()
	m.Update(tea.PasteMsg{Content: "a\nb\x1b\u202e"})
	m.Update(tea.KeyPressMsg{Code: 'j', Mod: tea.ModCtrl})
	m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	if got := m.Value(); got != "a b␛‹RLO›" {
		t.Errorf("value %q", got)
	}
	m.Set("a long text that does not fit into the width at all")
	if m.Lines() != 1 {
		t.Errorf("%d lines", m.Lines())
	}
	for _, l := range m.View() {
		if cells.Width(l) != 12 {
			t.Errorf("line %q", l)
		}
	}
}

func TestGrows(t *testing.T) {
	m := New(3)
	m.SetWidth(12)
	m.Set("one\ntwo\nthree\nfour")
	if m.Lines() != 3 || m.Value() != "one\ntwo\nthree\nfour" {
		t.Errorf("%d lines of %q", m.Lines(), m.Value())
	}
	if m.Cursor() != nil {
		t.Error("Set gave it the focus")
	}
}

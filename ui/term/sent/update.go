package sent

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Key takes a key while the pane has the keyboard. handled is false for keys without a
// meaning here.
func (m *Model) Key(msg tea.KeyPressMsg) (a Action, handled bool) {
	k := m.Keys.Sent
	page := max(1, m.Height-3)
	switch {
	case key.Matches(msg, k.PrevTurn):
		return m.choose(m.at - 1), true
	case key.Matches(msg, k.NextTurn):
		return m.choose(m.at + 1), true
	case key.Matches(msg, k.Latest):
		return m.choose(len(m.turns) - 1), true
	case key.Matches(msg, k.Up):
		m.move(-1)
	case key.Matches(msg, k.Down):
		m.move(1)
	case key.Matches(msg, k.PageUp):
		m.first -= page
		m.settle()
	case key.Matches(msg, k.PageDown):
		m.first += page
		m.settle()
	case key.Matches(msg, k.Home):
		m.first, m.cursor = 0, m.next(-1, 1)
	case key.Matches(msg, k.End):
		m.cursor = m.next(len(m.rows), -1)
		m.first = len(m.rows)
		m.settle()
	case key.Matches(msg, k.Open):
		return m.enter(), true
	case key.Matches(msg, k.All):
		m.foldAll()
	case key.Matches(msg, k.Copy):
		if m.cursor >= 0 && m.rows[m.cursor].copy != "" {
			return Action{Do: Copy, Text: m.rows[m.cursor].copy}, true
		}
		return Action{}, false
	case key.Matches(msg, k.Numbers) && len(m.rows) > 0:
		m.numbers = !m.numbers
		m.Build()
	case key.Matches(msg, k.Back):
		return Action{Do: Leave}, true
	default:
		return Action{}, false
	}
	return Action{}, true
}

func (m *Model) enter() Action {
	if m.cursor < 0 {
		return Action{}
	}
	r := m.rows[m.cursor]
	if r.source != nil {
		return Action{Do: Source, Evidence: *r.source}
	}
	if r.item != "" {
		return Action{Do: Item, ID: r.item, Memory: m.detail.Items[r.item]}
	}
	m.open[r.key] = !m.open[r.key]
	m.Build()
	return Action{}
}

// foldAll opens every layer, or closes all when all are open.
func (m *Model) foldAll() {
	all := true
	for _, r := range m.rows {
		all = all && (!r.folds() || m.open[r.key])
	}
	for _, r := range m.rows {
		if r.folds() {
			m.open[r.key] = !all
		}
	}
	m.Build()
}

// next is the next row after i that can be chosen, in the direction of step, or
// -1 when there is none.
func (m *Model) next(i, step int) int {
	for i += step; i >= 0 && i < len(m.rows); i += step {
		if m.rows[i].key != "" {
			return i
		}
	}
	return -1
}

// move moves the cursor; where the next row is far away it scrolls instead.
func (m *Model) move(step int) {
	next := m.next(m.cursor, step)
	seen := next >= m.first-1 && next <= m.first+m.Height
	if next < 0 || !seen {
		m.first += step
		m.clampFirst()
		return
	}
	m.cursor = next
	m.reveal()
}

// reveal scrolls as little as needed to show the cursor's row.
func (m *Model) reveal() {
	if m.cursor < m.first {
		m.first = m.cursor
	}
	if m.cursor >= m.first+m.Height {
		m.first = m.cursor - m.Height + 1
	}
	if m.cursor == m.next(-1, 1) {
		m.first = 0 // with the heading above it
	}
	m.clampFirst()
}

func (m *Model) clampFirst() { m.first = min(max(m.first, 0), max(0, len(m.rows)-m.Height)) }

// settle brings the cursor into view after the view was moved.
func (m *Model) settle() {
	m.clampFirst()
	if m.cursor < m.first {
		if n := m.next(m.first-1, 1); n >= 0 && n < m.first+m.Height {
			m.cursor = n
		}
	}
	if m.cursor >= m.first+m.Height {
		if n := m.next(m.first+m.Height, -1); n >= m.first {
			m.cursor = n
		}
	}
}

// Wheel scrolls by n lines.
func (m *Model) Wheel(n int) { m.first += n; m.settle() }

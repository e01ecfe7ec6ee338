package term

import (
	"fmt"
	"runtime/debug"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/layout"
	"memoria/ui/term/status"
	"memoria/ui/words"
)

// View implements [tea.Model].
func (m *root) View() (v tea.View) {
	defer func() {
		if p := recover(); p != nil {
			m.fault(p, debug.Stack())
			m.abort()
			v = tea.NewView("")
		}
	}()
	lines, cursor := m.frame()
	v = tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen = true
	v.Cursor = cursor
	v.WindowTitle = "memoria · " + clean.Line(m.opts.agent.Name)
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// frame is the screen as lines, and where the cursor stands.
func (m *root) frame() ([]string, *tea.Cursor) {
	if m.width == 0 {
		return nil, nil
	}
	s := m.screen
	if s.Mode == layout.TooSmall {
		return m.notEnough(), nil
	}
	lines := make([]string, m.height)
	lines[s.Top.Y] = m.topLine()
	lines[s.Bottom.Y] = m.bottomLine()
	if m.overlay != noOverlay {
		lines[s.TopRule] = m.styles.RuleFocus.Render(strings.Repeat("━", m.width))
		lines[s.BottomRule] = m.styles.Rule.Render(strings.Repeat("─", m.width))
		return lines, m.drawOverlay(lines)
	}
	lines[s.TopRule] = m.topRule()
	lines[s.BottomRule] = m.bottomRule()
	return lines, m.drawPanes(lines)
}

func (m *root) drawOverlay(lines []string) *tea.Cursor {
	first := m.screen.TopRule + 1
	h := m.screen.BottomRule - first
	var body []string
	var cursor *tea.Cursor
	if m.overlay == helpOverlay {
		body = m.help.View(m.styles, m.width, h)
	} else {
		body, cursor = m.palette.View(m.styles, m.width, h)
	}
	copy(lines[first:], body)
	if cursor != nil {
		cursor.Y += first
	}
	return cursor
}

func (m *root) drawPanes(lines []string) (cursor *tea.Cursor) {
	s := m.screen
	if !s.Transcript.Empty() {
		copy(lines[s.Transcript.Y:], m.talk.View())
	}
	if !s.Input.Empty() {
		lines[s.InputRule] = m.rule(s.Input.W, m.focus == onInput)
		copy(lines[s.Input.Y:s.Input.Y+s.Input.H], m.input.View())
		if c := m.input.Cursor(); c != nil && m.focus == onInput {
			cursor = c
			cursor.X += s.Input.X
			cursor.Y += s.Input.Y
		}
	}
	if s.Panel.Empty() {
		return cursor
	}
	body, at := m.panelView()
	bar := m.styles.Rule.Render("│")
	for i, l := range body {
		y := s.Panel.Y + i
		switch {
		case s.Mode != layout.Split:
			lines[y] = l
		case y == s.InputRule:
			lines[y] += m.styles.Rule.Render("┤") + l
		default:
			lines[y] += bar + l
		}
	}
	if at != nil && m.focus == onPanel {
		cursor = at
		cursor.X += s.Panel.X
		cursor.Y += s.Panel.Y
	}
	return cursor
}

// rule is a line over a pane: heavy when the pane has the keyboard.
func (m *root) rule(w int, focused bool) string {
	if focused {
		return m.styles.RuleFocus.Render(strings.Repeat("━", w))
	}
	return m.styles.Rule.Render(strings.Repeat("─", w))
}

func (m *root) topRule() string {
	s := m.screen
	switch {
	case s.Mode == layout.Single && !s.Panel.Empty():
		return m.rule(m.width, m.focus == onPanel)
	case s.Mode == layout.Single:
		return m.rule(m.width, m.focus == onTalk)
	}
	return m.rule(s.Divider, m.focus == onTalk) + m.styles.Rule.Render("┬") + m.rule(s.Panel.W, m.focus == onPanel)
}

func (m *root) bottomRule() string {
	s := m.screen
	if s.Divider < 0 {
		return m.rule(m.width, false)
	}
	return m.rule(s.Divider, false) + m.styles.Rule.Render("┴") + m.rule(s.Panel.W, false)
}

func (m *root) topLine() string {
	t := status.Top{
		Agent: m.company(), Color: m.opts.agent.Color, Model: strings.Join(m.models(), ", "), Endpoint: m.info.Endpoint,
		Title: m.session.Title, Turns: m.session.TurnsShown(), Demo: m.opts.Demo,
	}
	if m.info.Offline {
		t.Model = "offline"
	}
	if m.opts.chat.Temporary() {
		t.Notice = words.Say("temporary")
	}
	if m.opts.chat.Forgetful() {
		t.Model += " · memory off"
	}
	switch {
	case m.draftErr != nil, m.storage != nil:
		t.Saving = status.Failed
	case len(m.sending) > 0 || m.draftBusy || m.draftTimer:
		t.Saving = status.InWork
	}
	return t.View(m.styles, m.width)
}

func (m *root) bottomLine() string {
	b := status.Bottom{Keys: m.hints(), Say: m.say, Took: m.took, Cost: m.cost, Index: m.indexWords()}
	if m.sayWraps() {
		b.Say = ""
	}
	if n := m.recall.Recalls(); n > 0 && m.screen.Panel.Empty() && b.Index == "" {
		b.Index = fmt.Sprintf("recalls %d · ctrl+t shows", n)
	}
	if p, ok := m.sent.Newest(); ok {
		b.Tokens = p.Tokens
		for _, block := range p.Blocks {
			if block.Layer == memory.LayerWindow {
				b.Window++
			}
		}
	}
	return b.View(m.styles, m.width)
}

// indexWords says what the search index is doing when it is not ready.
func (m *root) indexWords() string {
	switch i := m.status.Index; i.State {
	case indexer.StateBuilding:
		if i.Total > 0 {
			return fmt.Sprintf("building the index: %d of %d", i.Done, i.Total)
		}
		return "building the index"
	case indexer.StateDegraded:
		return "searching without the index"
	}
	if m.reading != "" {
		return "summing up a conversation"
	}
	return m.frameHint()
}

// notEnough is the notice for a terminal that is too small.
func (m *root) notEnough() []string {
	text := fmt.Sprintf("memoria needs %d×%d cells; this terminal has %d×%d. Make it larger, or press ctrl+c twice to quit.",
		layout.MinWidth, layout.MinHeight, m.width, m.height)
	if m.say != "" {
		text = m.say
	}
	return cells.Block(clean.Wrap(clean.Line(text), max(1, m.width)), m.width, m.height)
}

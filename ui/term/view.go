package term

import (
	"runtime/debug"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/layout"
	"memoria/ui/term/pane"
	"memoria/ui/term/status"
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
	lines, cursor := view{m}.frame()
	v = tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen = true
	v.ReportFocus = true // for the bell
	v.Cursor = cursor
	v.WindowTitle = "memoria · " + clean.Line(m.opts.agent.Name)
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// view draws the root.
type view struct{ *root }

// frame returns the screen as lines, and where the cursor is.
func (m view) frame() ([]string, *tea.Cursor) {
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

func (m view) drawOverlay(lines []string) *tea.Cursor {
	first := m.screen.TopRule + 1
	h := m.screen.BottomRule - first
	var body []string
	var cursor *tea.Cursor
	if m.overlay == helpOverlay {
		body, cursor = m.help.View(m.styles, m.width, h)
	} else {
		body, cursor = m.palette.View(m.styles, m.width, h)
	}
	copy(lines[first:], body)
	if cursor != nil {
		cursor.Y += first
	}
	return cursor
}

func (m view) drawPanes(lines []string) (cursor *tea.Cursor) {
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
func (m view) rule(w int, focused bool) string {
	if focused {
		return m.styles.RuleFocus.Render(strings.Repeat("━", w))
	}
	return m.styles.Rule.Render(strings.Repeat("─", w))
}

func (m view) topRule() string {
	s := m.screen
	switch {
	case s.Mode == layout.Single && !s.Panel.Empty():
		return m.rule(m.width, m.focus == onPanel)
	case s.Mode == layout.Single:
		return m.rule(m.width, m.focus == onTalk)
	}
	return m.rule(s.Divider, m.focus == onTalk) + m.styles.Rule.Render("┬") + m.rule(s.Panel.W, m.focus == onPanel)
}

func (m view) bottomRule() string {
	s := m.screen
	if s.Divider < 0 {
		return m.rule(m.width, false)
	}
	return m.rule(s.Divider, false) + m.styles.Rule.Render("┴") + m.rule(s.Panel.W, false)
}

func (m view) topLine() string {
	t := status.Top{
		Words: m.keys.Words.Words,
		Agent: m.conv.company(), Color: m.opts.agent.Color, Model: strings.Join(m.conv.models(), ", "), Endpoint: m.info.Endpoint,
		Title: m.conv.session.Title, Turns: m.conv.session.TurnsShown(), Demo: m.opts.Demo,
	}
	if m.info.Offline {
		t.Model = m.keys.Words.Say("top.offline")
	}
	if m.opts.chat.Temporary() {
		t.Notice = m.keys.Words.Say("temporary")
	}
	if m.opts.chat.Forgetful() {
		t.Model += " · " + m.keys.Words.Say("top.forgetful")
	}
	switch {
	case m.drafts.err != nil, m.problems.storage != nil:
		t.Saving = status.Failed
	case len(m.conv.sending) > 0 || m.drafts.busy || m.drafts.timer:
		t.Saving = status.InWork
	}
	return t.View(m.styles, m.width)
}

func (m view) bottomLine() string {
	b := status.Bottom{Words: m.keys.Words.Words, Keys: m.hints(), Say: m.say, Took: m.conv.took, Cost: m.conv.cost, Index: m.indexWords()}
	if m.sayWraps() {
		b.Say = ""
	}
	if q := m.typed.question; q != nil { // it has the line, so that the keys of its answers are whole
		if m.say != q.text { // what happened meanwhile does not hide it
			b.Say = q.text
		}
		return status.Bottom{Words: b.Words, Say: b.Say}.View(m.styles, m.width)
	}
	if b.Say == "" && m.guided.On() && !m.guided.away && m.screen.Transcript.Empty() && m.panel.shown.Tab() == pane.All.Tab() {
		b.Say = m.guided.Line(m.opts.Words, m.width-2)
	}
	if b.Say == "" {
		b.Say = m.lessons.hidden()
	}
	if n := m.recall.Recalls(); n > 0 && m.screen.Panel.Empty() && b.Index == "" {
		b.Index = m.keys.Words.Say("bottom.recalls", n, m.keys.Global.Panel.Help().Key)
	}
	if p, ok := m.sent.Newest(); ok && !m.info.Offline {
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
func (m view) indexWords() string {
	switch i := m.conv.status.Index; i.State {
	case indexer.StateBuilding:
		if i.Total > 0 {
			return m.keys.Words.Say("bottom.building.of", i.Done, i.Total)
		}
		return m.keys.Words.Say("bottom.building")
	case indexer.StateDegraded:
		return m.keys.Words.Say("bottom.degraded")
	}
	if m.conv.reading != "" {
		return m.keys.Words.Say("bottom.reading")
	}
	return m.conv.frameHint()
}

// notEnough is the notice for a terminal that is too small.
func (m view) notEnough() []string {
	text := m.keys.Words.Say("screen.too-small", layout.MinWidth, layout.MinHeight, m.width, m.height)
	if m.say != "" {
		text = m.say
	}
	return cells.Block(clean.Wrap(clean.Line(text), max(1, m.width)), m.width, m.height)
}

// tabLines is the height of the tabs and their views, above the pane.
const tabLines = 2

// panelView is the tabs, the views of the open one, and the pane that is shown.
func (m view) panelView() ([]string, *tea.Cursor) {
	w := m.screen.Panel.W
	body, cursor := m.current().View()
	if cursor != nil {
		cursor.Y += tabLines
	}
	return append([]string{m.tabs().View(m.styles, w), m.views().View(m.styles, w)}, body...), cursor
}

// tabs are the names of the tabs. A closed one also shows how much waits in it, in words where
// there is room.
func (m view) tabs() status.Bar {
	b := status.Bar{At: m.panel.shown.Tab()}
	short := b
	for i, t := range pane.Tabs() {
		waiting := 0
		for _, id := range t.Views {
			waiting += m.panes[id].About().Waiting
		}
		if i == b.At {
			waiting = 0 // it is beside the view
		}
		name := t.Name(m.keys.Words.Words)
		short.Names = append(short.Names, status.Counted(name, waiting))
		if waiting > 0 {
			name = m.keys.Words.Say("tab.waits", name, cells.Number(waiting))
		}
		b.Names = append(b.Names, name)
	}
	if b.Fits(m.screen.Panel.W) {
		return b
	}
	return short
}

// views are the names of the views of the open tab.
func (m view) views() status.Bar {
	b := status.Bar{Quiet: true}
	for i, id := range pane.Tabs()[m.panel.shown.Tab()].Views {
		if id == m.panel.shown {
			b.At = i
		}
		of := m.panes[id].About()
		name := status.Counted(id.Name(m.keys.Words.Words), of.Waiting)
		if of.Count != "" {
			name += " " + of.Count
		}
		b.Names = append(b.Names, name)
	}
	return b
}

// placeholder says in the empty input what typing does.
func (m view) placeholder() string {
	switch {
	case m.conv.over:
		return m.keys.Words.Say("input.over")
	case m.conv.session.State == memory.SessionArchived, m.conv.session.State == memory.SessionArchiving:
		return m.keys.Words.Say("input.earlier")
	}
	return m.keys.Words.Say("input.empty")
}

// hints are the keys of the pane that has the keyboard.
func (m view) hints() []key.Binding {
	g, in, t := m.keys.Global, m.keys.Input, m.keys.Talk
	hint := func(name, id string) key.Binding {
		return key.NewBinding(key.WithKeys(name), key.WithHelp(name, m.keys.Words.Say(id)))
	}
	panel, back := hint("tab", "hint.panel"), hint("esc", "hint.input")
	about := m.current().About()
	switch {
	case m.overlay != noOverlay:
		return nil
	case m.focus == onTalk:
		if m.conv.unanswered() {
			return []key.Binding{t.Retry, t.Open, t.Copy, t.Code, back, g.Help}
		}
		if e, ok := m.talk.Selected(); ok && len(e.Sources) > 0 {
			return []key.Binding{t.Open, t.Sources, t.Copy, t.Code, back, g.Help}
		}
		return []key.Binding{t.Open, t.Copy, back, t.Regenerate, t.Edit, t.Fork, t.UndoTurn, g.Help}
	case m.focus == onPanel && about.Modal:
		return []key.Binding{g.Help}
	case m.focus == onPanel:
		return append(slices.Clone(about.Hints),
			hint("1–4", "hint.tabs"), hint("←→", "hint.views"), back, g.Help)
	case m.input.Empty():
		return []key.Binding{g.Commands, panel, g.Help, g.NewSession}
	case len(m.commands.completions()) > 0:
		return []key.Binding{hint("enter", "hint.do"), hint("tab", "hint.complete"), hint("//…", "hint.message")}
	}
	return []key.Binding{in.Send, in.NewLine, panel, g.Help}
}

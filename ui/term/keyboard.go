package term

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/pane"
)

// key takes a key: what may be text or the answer to a question first, then an open
// dialog, then whatever has the focus, then what works everywhere.
func (m *root) key(msg tea.KeyPressMsg) tea.Cmd {
	m.say = ""
	was := m.typed.search()
	cmd, handled := m.typed.take(msg)
	if !handled {
		cmd = tea.Batch(cmd, m.keyAlone(msg), m.typed.taken(msg))
	}
	m.typed.rescue(was, msg)
	m.typed.tell()
	return cmd
}

// keyAlone takes a key that is not known to be text.
func (m *root) keyAlone(msg tea.KeyPressMsg) tea.Cmd {
	leaving := m.leaving
	m.leaving = false
	if key.Matches(msg, m.keys.Global.Interrupt) && m.overlay == noOverlay {
		return m.interrupt(leaving)
	}
	if key.Matches(msg, m.keys.Global.Suspend) {
		return m.commands.suspend()
	}
	switch {
	case m.switching.going: // there is a moment between two agents
		return nil
	case m.screen.Mode == 0: // too small to see what a key would do
		return nil
	case m.overlay == paletteOverlay:
		return m.commands.paletteKey(msg)
	case m.overlay == helpOverlay:
		m.helpKey(msg)
		return nil
	}
	if _, ok := m.lessons.deleted(); ok && key.Matches(msg, m.keys.Global.Unlearn) { // wherever its notice is
		return tea.Batch(m.typed.close(), m.lessons.undoLast())
	}
	if cmd, asks := m.asksFirst(msg); asks {
		return cmd
	}
	if cmd, handled := m.paneKey(msg); handled {
		return cmd
	}
	if m.focus == onPanel && key.Matches(msg, m.keys.Input.Slash) { // else it would be a command of what follows
		m.say = m.keys.Words.Say("panel.no-filter")
		return nil
	}
	if m.focus != onInput && clean.Line(msg.Text) != "" { // a letter that means nothing in a pane
		return m.typed.toInput()
	}
	return m.globalKey(msg)
}

// interrupt is ctrl+c: it ends the answer, else it clears the input into the
// history, else it asks before it quits.
func (m *root) interrupt(leaving bool) tea.Cmd {
	switch {
	case m.conv.busy():
		m.say = m.keys.Words.Say("cancelled")
		return m.fx.cancel()
	case !m.input.Empty():
		// While the history is shown, the draft must not be lost.
		m.input.Remember(m.input.Draft())
		m.input.Clear()
		m.edited = true
		m.say = m.keys.Words.Say("input.cleared")
		m.setFocus(onInput)
	case leaving:
		return m.quit()
	default:
		m.leaving = true
		m.say = m.keys.Words.Say("quit.again")
	}
	return nil
}

func (m *root) paneKey(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch m.focus {
	case onPanel:
		return m.panelKey(msg)
	case onTalk:
		return m.talkKey(msg)
	}
	return m.inputKey(msg)
}

func (m *root) talkKey(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	k := m.keys.Talk
	switch {
	case key.Matches(msg, k.Up):
		m.branch.at = 0
		m.talk.Move(-1)
	case key.Matches(msg, k.Down):
		m.branch.at = 0
		m.talk.Move(1)
	case key.Matches(msg, k.Open):
		e, ok := m.talk.Selected()
		if !ok {
			break
		}
		a, ok := m.sent.Choose(e.TurnID)
		if !ok {
			m.say = m.keys.Words.Say("talk.unkept")
			break
		}
		return tea.Batch(m.sent.Do(a), m.Open(pane.Package)), true
	case key.Matches(msg, k.Sources):
		return m.sources.open(msg.String()), true
	case key.Matches(msg, k.Learned):
		if e, ok := m.talk.Selected(); ok {
			return m.sources.showLearned(e), true
		}
	case key.Matches(msg, k.Copy):
		if e, ok := m.talk.Selected(); ok {
			return m.Copy(e.Text), true
		}
	case key.Matches(msg, k.Code):
		return m.reader.nextCode(), true
	case key.Matches(msg, k.Next):
		m.reader.findNext(true)
	case key.Matches(msg, k.Prev):
		m.reader.findNext(false)
	case key.Matches(msg, k.Retry):
		return m.conv.retry(), true
	case key.Matches(msg, k.Regenerate):
		return m.branch.regenerate(), true
	case key.Matches(msg, k.Before):
		return m.branch.stepBy(-1), true
	case key.Matches(msg, k.After):
		return m.branch.stepBy(1), true
	case key.Matches(msg, k.Edit):
		return m.branch.editMessage(), true
	case key.Matches(msg, k.Fork):
		return m.branch.forkHere(), true
	case key.Matches(msg, k.UndoTurn):
		return m.branch.undoThisTurn(), true
	case key.Matches(msg, k.Undo):
		return m.commands.undo(), true
	case key.Matches(msg, m.keys.Panel.Help):
		m.openHelp()
	case key.Matches(msg, k.Back) && m.conv.pointed:
		m.setFocus(onPanel)
	case key.Matches(msg, k.Back):
		m.setFocus(onInput)
	default:
		return nil, false
	}
	return nil, true
}

func (m *root) inputKey(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	k := m.keys.Input
	switch {
	case key.Matches(msg, k.Send):
		if cmd, ok := m.commands.slashed(); ok {
			return cmd, true
		}
		if text, _ := m.input.Text(); m.input.Doubtful() {
			m.say = m.keys.Words.Say("typed.stray", clean.Truncate(clean.Line(text), keptCells, cells.Ellipsis))
			return nil, true
		}
		return m.conv.send(), true
	case key.Matches(msg, m.keys.Global.NextPane) && (m.commands.complete() || m.conv.completeName()):
		return nil, true
	case key.Matches(msg, k.Quit) && m.input.Empty():
		return m.quit(), true
	case key.Matches(msg, k.Up) && m.input.Empty() && len(m.conv.queue) > 0 && m.conv.busy():
		return m.conv.unsend(m.conv.queue[len(m.conv.queue)-1].ID), true
	case key.Matches(msg, k.Up) && m.input.Empty() && len(m.conv.sending) > 0:
		return nil, true // it is on its way into the queue, and is no history yet
	case key.Matches(msg, k.Up) && m.input.FirstLine():
		if m.input.Earlier() {
			m.edited = true
		}
		return nil, true
	case key.Matches(msg, k.Down) && m.input.LastLine():
		if m.input.Later() {
			m.edited = true
		}
		return nil, true
	}
	if m.global(msg) {
		return nil, false
	}
	if key.Matches(msg, k.PutBack) {
		m.edited = m.input.PutBack() || m.edited
		return nil, true
	}
	changed, cmd := m.input.Update(msg)
	m.edited = m.edited || changed
	if changed && m.input.Cuts(msg) {
		m.say = m.keys.Words.Say("input.cut", k.PutBack.Help().Key)
	}
	return cmd, changed || msg.Text != ""
}

// global reports whether a key belongs to what works everywhere, so that the
// input leaves it alone.
func (m *root) global(msg tea.KeyPressMsg) bool {
	g := m.keys.Global
	return key.Matches(msg, g.Help, g.NextPane, g.PrevPane, g.Panel, g.NewSession, g.Commands, g.Cancel,
		g.UseModel, g.Thoughts, g.Retry, g.Overrule, g.Unlearn, g.Held, g.EraseSecret, g.Search, g.Editor,
		g.PageUp, g.PageDown, g.Top, g.Bottom)
}

func (m *root) globalKey(msg tea.KeyPressMsg) tea.Cmd {
	g := m.keys.Global
	switch {
	case key.Matches(msg, g.Help):
		m.openHelp()
	case key.Matches(msg, g.NextPane):
		m.setFocus((m.focus + 1) % 3)
		if m.focus == onPanel {
			return m.current().Load()
		}
	case key.Matches(msg, g.PrevPane):
		m.setFocus((m.focus + 2) % 3)
	case key.Matches(msg, g.Panel):
		m.commands.togglePanel()
		if m.focus == onPanel {
			return m.current().Load()
		}
	case key.Matches(msg, g.Search):
		return m.commands.findSessions("")
	case key.Matches(msg, g.Editor):
		return m.commands.editor()
	case key.Matches(msg, g.NewSession):
		return m.conv.begin()
	case key.Matches(msg, g.Commands):
		m.commands.openPalette()
	case key.Matches(msg, g.Cancel):
		if m.branch.leaveEditing() {
			return nil
		}
		if m.conv.busy() {
			if m.say = m.keys.Words.Say("cancelled"); m.conv.judging != nil {
				m.say = m.keys.Words.Say("judging.new")
			}
			return m.fx.cancel()
		}
		if m.focus == onInput && len(m.problems.notices) == 0 && !m.showing {
			if cmd, was := m.guided.dismiss(); was {
				return cmd
			}
		}
		m.problems.notices, m.showing = nil, false
		m.setFocus(onInput)
	case key.Matches(msg, g.UseModel):
		return m.commands.useFound()
	case key.Matches(msg, g.Thoughts):
		m.reader.openThoughts()
	case key.Matches(msg, g.Retry):
		return m.conv.retry()
	case key.Matches(msg, g.Overrule):
		return m.conv.overrule()
	case key.Matches(msg, g.Unlearn):
		return m.lessons.undoLast()
	case key.Matches(msg, g.Held):
		return m.lessons.openHeld()
	case key.Matches(msg, g.EraseSecret):
		return m.conv.askErase()
	case key.Matches(msg, g.PageUp):
		m.talk.Page(-1)
	case key.Matches(msg, g.PageDown):
		m.talk.Page(1)
	case key.Matches(msg, m.keys.Confirm.Do):
		m.say = m.keys.Words.Say("ask.none")
	case key.Matches(msg, g.Top):
		m.talk.ScrollTop()
	case key.Matches(msg, g.Bottom):
		m.talk.ScrollEnd()
	}
	return nil
}

func (m *root) paste(msg tea.PasteMsg) tea.Cmd {
	if cmd, handled := m.typed.paste(msg); handled {
		return cmd
	}
	switch {
	case m.switching.going:
	case m.overlay == paletteOverlay:
		m.typed.pasted = true
		m.palette.Paste(msg)
	case m.overlay == noOverlay && m.focus == onPanel && m.current().About().Capturing:
		m.typed.pasted = true
		return m.Send(m.panel.shown, msg)
	default: // help gives way: what was pasted must not be lost
		m.overlay = noOverlay
		m.setFocus(onInput)
		if m.input.Paste(msg.Content) {
			m.edited = true
		}
	}
	return nil
}

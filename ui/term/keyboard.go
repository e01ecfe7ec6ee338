package term

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/actions"
	"memoria/ui/term/pane"
)

// key takes a key: what holds text or asks a question first, then an open
// dialog, then the part with the focus, then what works everywhere.
func (m *root) key(msg tea.KeyPressMsg) tea.Cmd {
	m.say = ""
	leaving := m.leaving
	m.leaving = false
	if m.question != nil {
		return m.answer(msg)
	}
	if key.Matches(msg, m.keys.Global.Interrupt) && m.overlay == noOverlay {
		return m.interrupt(leaving)
	}
	switch {
	case m.going: // there is a moment between two agents
		return nil
	case m.screen.Mode == 0: // too small to see what a key would do
		return nil
	case m.overlay == paletteOverlay:
		return m.paletteKey(msg)
	case m.overlay == helpOverlay:
		m.helpKey(msg)
		return nil
	}
	if m.asksFirst(msg) {
		return nil
	}
	if cmd, handled := m.paneKey(msg); handled {
		return cmd
	}
	if cmd, handled := m.toInput(msg); handled {
		return cmd
	}
	return m.globalKey(msg)
}

// interrupt is ctrl+c: it ends the answer, else it clears the input into the
// history, else it asks before it quits.
func (m *root) interrupt(leaving bool) tea.Cmd {
	switch {
	case m.busy():
		m.say = "cancelled"
		return m.fx.cancel()
	case !m.input.Empty():
		// While the history is shown it is the draft behind it that must not be lost.
		m.input.Remember(m.input.Draft())
		m.input.Clear()
		m.edited = true
		m.say = "cleared; ↑ brings it back"
		m.setFocus(onInput)
	case leaving:
		return m.quit()
	default:
		m.leaving = true
		m.say = "ctrl+c again quits"
	}
	return nil
}

// busy reports whether an answer is being given.
func (m *root) busy() bool { return m.turn != nil || m.handing != "" }

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
			m.say = "nothing is kept of what was sent for it"
			break
		}
		return tea.Batch(m.sent.Do(a), m.Open(pane.Context)), true
	case key.Matches(msg, k.Sources):
		return m.openSource(msg.String()), true
	case key.Matches(msg, k.Learned):
		if e, ok := m.talk.Selected(); ok {
			return m.showLearned(e), true
		}
	case key.Matches(msg, k.Copy):
		if e, ok := m.talk.Selected(); ok {
			return m.Copy(e.Text), true
		}
	case key.Matches(msg, k.Code):
		return m.nextCode(), true
	case key.Matches(msg, k.Next):
		m.findNext(true)
	case key.Matches(msg, k.Prev):
		m.findNext(false)
	case key.Matches(msg, k.Retry):
		return m.retry(), true
	case key.Matches(msg, k.Anew):
		return m.regenerate(), true
	case key.Matches(msg, k.Before):
		return m.stepBy(-1), true
	case key.Matches(msg, k.After):
		return m.stepBy(1), true
	case key.Matches(msg, k.Edit):
		return m.editMessage(), true
	case key.Matches(msg, k.Fork):
		return m.forkHere(), true
	case key.Matches(msg, k.UndoTurn):
		return m.undoThisTurn(), true
	case key.Matches(msg, k.TakeBack):
		return m.undo(), true
	case key.Matches(msg, m.keys.Panel.Help):
		m.openHelp()
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
		if cmd, ok := m.slashed(); ok {
			return cmd, true
		}
		return m.send(), true
	case key.Matches(msg, m.keys.Global.NextPane) && (m.complete() || m.completeName()):
		return nil, true
	case key.Matches(msg, k.Quit) && m.input.Empty():
		return m.quit(), true
	case key.Matches(msg, k.Up) && m.input.Empty() && len(m.queue) > 0 && m.busy():
		return m.fx.takeBack(m.queue[len(m.queue)-1].ID), true
	case key.Matches(msg, k.Up) && m.input.Empty() && len(m.sending) > 0:
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
	changed, cmd := m.input.Update(msg)
	m.edited = m.edited || changed
	return cmd, changed || msg.Text != ""
}

// global reports whether a key belongs to what works everywhere, so that the
// input leaves it alone.
func (m *root) global(msg tea.KeyPressMsg) bool {
	g := m.keys.Global
	return key.Matches(msg, g.Help, g.NextPane, g.PrevPane, g.Panel, g.NewSession, g.Commands, g.Cancel,
		g.UseModel, g.Thoughts, g.Retry, g.Overrule, g.Unlearn, g.Held, g.EraseSecret, g.Search, g.Editor, g.PageUp, g.PageDown, g.Top, g.Bottom)
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
		m.togglePanel()
		if m.focus == onPanel {
			return m.current().Load()
		}
	case key.Matches(msg, g.Search):
		return m.findSessions("")
	case key.Matches(msg, g.Editor):
		return m.editor()
	case key.Matches(msg, g.NewSession):
		return m.fx.newSession()
	case key.Matches(msg, g.Commands):
		m.openPalette()
	case key.Matches(msg, g.Cancel):
		if m.leaveEditing() {
			return nil
		}
		if m.busy() {
			if m.say = "cancelled"; m.judging != nil {
				m.say = "a new conversation"
			}
			return m.fx.cancel()
		}
		m.notices, m.showing = nil, false
		m.setFocus(onInput)
	case key.Matches(msg, g.UseModel):
		return m.useFound()
	case key.Matches(msg, g.Thoughts):
		m.openThoughts()
	case key.Matches(msg, g.Retry):
		return m.retry()
	case key.Matches(msg, g.Overrule):
		return m.overrule()
	case key.Matches(msg, g.Unlearn):
		return m.unlearn()
	case key.Matches(msg, g.Held):
		return m.openHeld()
	case key.Matches(msg, g.EraseSecret):
		return m.eraseSecret()
	case key.Matches(msg, g.PageUp):
		m.talk.Page(-1)
	case key.Matches(msg, g.PageDown):
		m.talk.Page(1)
	case key.Matches(msg, g.Top):
		m.talk.ScrollTop()
	case key.Matches(msg, g.Bottom):
		m.talk.ScrollEnd()
	}
	return nil
}

// send hands the input's text over.
func (m *root) send() tea.Cmd {
	text, spans, ok := m.input.Take()
	if !ok {
		return nil
	}
	text, spans = unslashed(text, spans)
	m.edited, m.showing = true, false
	m.talk.Unpoint()
	m.talk.ScrollEnd()
	m.locals++
	edits := m.branch.editing
	m.branch.editing = memory.Record{}
	m.sending = append(m.sending, outgoing{local: m.locals, text: text, spans: spans, edits: edits})
	if edits.ID != "" {
		return m.fx.sendEdited(m.locals, edits.ID, text, spans)
	}
	return m.fx.send(m.locals, text, spans)
}

// unslashed takes away the sign that said that a line is no command.
func unslashed(text string, spans []memory.Span) (string, []memory.Span) {
	said := actions.Message(text)
	cut := len(text) - len(said)
	if cut == 0 || len(spans) > 0 && spans[0].Offset < cut {
		return text, spans
	}
	moved := slices.Clone(spans)
	for i := range moved {
		moved[i].Offset -= cut
	}
	return said, moved
}

func (m *root) retry() tea.Cmd {
	if !m.unanswered() {
		m.say = "every message has its answer; a finished one is not asked for again"
		return nil
	}
	return m.fx.retry()
}

func (m *root) useFound() tea.Cmd {
	if len(m.found) == 0 || m.linking {
		return nil
	}
	m.linking = true
	return m.fx.use(m.found[0])
}

func (m *root) paste(msg tea.PasteMsg) tea.Cmd {
	switch {
	case m.going:
	case m.overlay == paletteOverlay:
		m.palette.Paste(msg)
	case m.overlay == noOverlay && m.focus == onPanel && m.current().About().Capturing:
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

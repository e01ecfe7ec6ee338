package term

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/term/pane"
)

// settle follows up on whatever changed: what must be saved, looked up, laid out
// or counted.
func (m *root) settle() tea.Cmd {
	var cmds []tea.Cmd
	if m.edited {
		m.edited = false
		cmds = append(cmds, m.followText())
	}
	m.arrange()
	if cmd := m.sources.readShown(); cmd != nil {
		cmds = append(cmds, cmd)
	}
	if !m.ticking {
		if d := m.counting(); d > 0 {
			m.ticking = true
			cmds = append(cmds, m.fx.tick(d))
		}
	}
	return tea.Batch(cmds...)
}

// counting is how long until the screen changes by time alone; 0 for never.
func (m *root) counting() time.Duration {
	switch {
	case m.conv.turn != nil, m.conv.judging != nil:
		return spinPause
	}
	if m.panel.ticks() {
		return countPause
	}
	return 0
}

// followText starts the timers that a changed input asks for. They run on during typing, so
// that preview and saved draft are never older than they promise.
func (m *root) followText() tea.Cmd {
	text, spans := m.input.Text()
	if m.commands.commanding() { // it recalls nothing
		text = ""
	}
	return tea.Batch(m.recall.Type(memory.Record{Content: text, Spans: spans}), m.drafts.followDraft())
}

// drafts saves the draft of the input.
type drafts struct {
	*root
	saved string // the draft that is stored
	timer bool
	busy  bool  // a write runs
	err   error // of the last write
}

// followDraft starts the draft's timer when there is something to save.
func (m *drafts) followDraft() tea.Cmd {
	if m.timer || m.busy || m.draftIsSaved() {
		return nil
	}
	m.timer = true
	return m.fx.After(draftPause, func() tea.Cmd {
		m.timer = false
		return m.saveDraft()
	})
}

func (m *drafts) draftNow() memory.Draft {
	text, spans := m.input.Draft()
	return memory.Draft{AgentID: m.opts.agent.ID, SessionID: m.conv.session.ID, Text: text, Spans: spans, UpdatedAt: m.now}
}

func (m *drafts) draftIsSaved() bool {
	text, _ := m.input.Draft()
	return text == m.saved
}

// saveDraft writes the draft, one write at a time so that they keep their order.
func (m *drafts) saveDraft() tea.Cmd {
	if m.switching.going || m.busy || m.draftIsSaved() { // who goes has saved it, or deletes the agent
		return nil
	}
	m.busy = true
	d := m.draftNow()
	if m.fx.remote != nil {
		m.fx.remote.Keep(d)
	}
	return pane.Then(m.fx.Do, func() (string, error) { return d.Text, m.fx.SaveDraft(&d) }, m.stored)
}

func (m *drafts) stored(text string, err error) tea.Cmd {
	m.busy, m.err = false, err
	if err == nil {
		m.saved = text
	}
	return m.followDraft()
}

// loadDraft brings the stored draft into an empty input.
func (m *drafts) loadDraft() tea.Cmd {
	return pane.Then(m.fx.Do, func() (memory.Draft, error) {
		return m.fx.draft()
	}, func(d memory.Draft, err error) tea.Cmd {
		if err != nil {
			m.Tell(err)
			return nil
		}
		m.saved = d.Text
		if m.input.Empty() && d.Text != "" {
			m.input.Set(d.Text, d.Spans)
			m.edited = true
		}
		return nil
	})
}

// keepDraft saves the draft after the last message.
func (m *drafts) keepDraft() {
	d := m.draftNow()
	for _, o := range m.conv.sending { // what was neither acknowledged nor kept comes back
		if m.fx.kept(o.text) {
			continue
		}
		if d.Text != "" {
			o.text, o.spans = o.text+"\n\n"+d.Text, nil
		}
		d.Text, d.Spans = o.text, o.spans
	}
	if d.Text == m.saved && !m.busy {
		return
	}
	if err := m.fx.saveDraftNow(d); err != nil {
		m.opts.Logger.Error("draft was not saved", "error", err)
	}
}

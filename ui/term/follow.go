package term

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	memrecall "memoria/memory/recall"
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
	if cmd := m.shownSources(); cmd != nil {
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
	case m.turn != nil, m.judging != nil:
		return spinPause
	}
	for i := range m.sides {
		if is(m.sides[i].counting) {
			return countPause
		}
	}
	return 0
}

// followText starts the timers that a changed input asks for. They run on while
// the user types, so that preview and saved draft are never older than they
// promise.
func (m *root) followText() tea.Cmd {
	text, _ := m.input.Text()
	if m.commanding() { // it recalls nothing
		text = ""
	}
	m.recall.SetTyping(text != "")
	var cmds []tea.Cmd
	if text == "" {
		m.previewID++ // an answer on its way is stale
		m.previewText = ""
		m.endPreview()
	} else if !m.previewTimer && text != m.previewText {
		m.previewTimer = true
		cmds = append(cmds, m.fx.after(previewPause, previewDueMsg{}))
	}
	cmds = append(cmds, m.followDraft())
	return tea.Batch(cmds...)
}

// followDraft starts the draft's timer when there is something to save.
func (m *root) followDraft() tea.Cmd {
	if m.draftTimer || m.draftBusy || m.draftIsSaved() {
		return nil
	}
	m.draftTimer = true
	return m.fx.after(draftPause, draftDueMsg{})
}

func (m *root) draftNow() memory.Draft {
	text, spans := m.input.Draft()
	return memory.Draft{AgentID: m.opts.agent.ID, SessionID: m.session.ID, Text: text, Spans: spans, UpdatedAt: m.now}
}

func (m *root) draftIsSaved() bool {
	text, _ := m.input.Draft()
	return text == m.draftSaved
}

// saveDraft writes the draft, one write at a time so that they keep their order.
func (m *root) saveDraft() tea.Cmd {
	if m.going || m.draftBusy || m.draftIsSaved() { // who goes has saved it, or deletes the agent
		return nil
	}
	m.draftBusy = true
	return m.fx.saveDraft(m.draftNow())
}

// keepDraft saves the draft after the last message.
func (m *root) keepDraft() {
	d := m.draftNow()
	for _, o := range m.sending { // what was neither acknowledged nor kept comes back
		if m.fx.kept(o.text) {
			continue
		}
		if d.Text != "" {
			o.text, o.spans = o.text+"\n\n"+d.Text, nil
		}
		d.Text, d.Spans = o.text, o.spans
	}
	if d.Text == m.draftSaved && !m.draftBusy {
		return
	}
	if err := m.fx.saveDraftNow(d); err != nil {
		m.opts.Logger.Error("draft was not saved", "error", err)
	}
}

func (m *root) lookUp() tea.Cmd {
	if m.commanding() {
		return nil
	}
	text, spans := m.input.Text()
	return m.lookUpText(text, spans...)
}

func (m *root) lookUpText(text string, spans ...memory.Span) tea.Cmd {
	if text == "" || m.opts.chat.Forgetful() {
		return nil
	}
	m.previewID++
	m.previewText = text
	// One look-up at a time: the former, slow where the index is being built, ends
	// for the newer text.
	m.endPreview()
	ctx, end := context.WithCancel(m.fx.ctx)
	m.endPreview = end
	asked := memory.Record{Content: text, Spans: spans}.Asked() // as the turn will
	return m.fx.preview(ctx, m.previewID, memrecall.Query{Text: head(asked, previewBytes), SessionID: m.session.ID, Typing: true})
}

// head is the beginning of s, at most n bytes of whole characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

func (m *root) loadItems() tea.Cmd {
	m.itemsID++
	return m.fx.items(m.itemsID, lookup.ItemFilter{Text: m.recall.FilterText(), All: true, Limit: m.itemsLimit})
}

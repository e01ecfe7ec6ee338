package term

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/agents"
	"memoria/ui/term/archive"
	"memoria/ui/term/evidence"
	"memoria/ui/term/health"
	"memoria/ui/term/inbox"
	"memoria/ui/term/journal"
	"memoria/ui/term/pane"
	"memoria/ui/term/profile"
	"memoria/ui/term/recall"
	"memoria/ui/term/sent"
	"memoria/ui/term/sessions"
	"memoria/ui/term/settings"
	"memoria/ui/term/working"
)

// panel are the panes, one of which is shown.
type panel struct {
	panes []pane.Pane // by [pane.ID]
	shown pane.ID
	last  []pane.ID // the view that was shown last, by tab

	recall   *recall.Pane
	memories *recall.Pane
	sent     *sent.Pane
	working  *working.Pane
	evidence *evidence.Pane
	sessions *sessions.Pane
	health   *health.Pane
	inbox    *inbox.Pane
	archive  *archive.Pane
	profile  *profile.Pane
	agents   *agents.Pane
	settings *settings.Pane
	journal  *journal.Pane
}

// newPanel returns the panes of a screen.
func newPanel(m *root) panel {
	k, loc, fx := m.keys, m.loc, m.fx.Effects
	p := panel{
		recall:   recall.NewPane(k, loc, fx, m.lessons, pane.Recall),
		memories: recall.NewPane(k, loc, fx, m.lessons, pane.All),
		sent:     sent.NewPane(k, loc, fx, m),
		working:  working.NewPane(k, loc, fx, m),
		evidence: evidence.NewPane(k, loc, m),
		sessions: sessions.NewPane(k, loc, fx, m.conv),
		health:   health.NewPane(k, loc, fx, m.conv),
		inbox:    inbox.NewPane(k, loc, fx, m),
		archive:  archive.NewPane(k, loc, fx, m),
		profile:  profile.NewPane(k, loc, fx, m),
		agents:   agents.NewPane(k, loc, fx, m.switching),
		settings: settings.NewPane(k, fx, m.commands),
		journal:  journal.NewPane(k, fx, m),
	}
	p.panes = []pane.Pane{
		pane.Recall: p.recall, pane.All: p.memories, pane.Inbox: p.inbox, pane.Profile: p.profile,
		pane.Package: p.sent, pane.Working: p.working, pane.Evidence: p.evidence,
		pane.Sessions: p.sessions, pane.Archive: p.archive, pane.Journal: p.journal,
		pane.Agents: p.agents, pane.Settings: p.settings, pane.Health: p.health,
	}
	for _, t := range pane.Tabs() {
		p.last = append(p.last, t.Views[0])
	}
	return p
}

// current is the pane that is shown.
func (p *panel) current() pane.Pane { return p.panes[p.shown] }

// choose makes a pane the one that is shown.
func (p *panel) choose(id pane.ID) {
	p.shown = id
	p.last[id.Tab()] = id
}

// next is the pane that many places after the one that is shown.
func (p *panel) next(by int) pane.ID {
	return pane.ID((int(p.shown) + by + len(p.panes)) % len(p.panes))
}

// nextView is [panel.next] among the views of the open tab.
func (p *panel) nextView(by int) pane.ID {
	views := pane.Tabs()[p.shown.Tab()].Views
	return views[(int(p.shown-views[0])+by+len(views))%len(views)]
}

// ticks reports whether a pane changes with time alone.
func (p *panel) ticks() bool {
	for _, one := range p.panes {
		if one.About().Counting {
			return true
		}
	}
	return false
}

// showPane shows a pane and leaves the keyboard where it is.
func (m *root) showPane(id pane.ID) tea.Cmd {
	m.showing = m.focus != onPanel
	m.panel.choose(id)
	m.setFocus(m.focus)
	return m.current().Load()
}

func (m *root) panelKey(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	now, k := m.current().About(), m.keys.Panel
	if now.Command != "" && msg.Code == tea.KeyEnter && msg.Mod == 0 {
		return m.commands.runSearched(now.Command), true
	}
	if now.Capturing && msg.Code != tea.KeyF1 {
		cmd, handled := m.current().Update(msg)
		return cmd, handled || msg.Text != ""
	}
	if now.Asking {
		return m.current().Update(msg)
	}
	for i, b := range k.Tabs {
		if key.Matches(msg, b) {
			return m.switchPane(m.panel.last[i]), true
		}
	}
	if now.Modal && key.Matches(msg, k.PrevView, k.NextView) {
		if cmd, handled := m.current().Update(msg); handled {
			return cmd, true
		}
	}
	switch {
	case key.Matches(msg, k.PrevView):
		return m.switchPane(m.panel.nextView(-1)), true
	case key.Matches(msg, k.NextView):
		return m.switchPane(m.panel.nextView(1)), true
	case key.Matches(msg, k.NextPane):
		return m.switchPane(m.panel.next(1)), true
	case key.Matches(msg, k.PrevPane):
		return m.switchPane(m.panel.next(-1)), true
	case key.Matches(msg, k.Help):
		m.openHelp()
		return nil, true
	}
	return m.current().Update(msg)
}

// switchPane is [root.showPane] for a key in the panel; the pane shown is not read again.
func (m *root) switchPane(id pane.ID) tea.Cmd {
	if id == m.panel.shown {
		return nil
	}
	return m.showPane(id)
}

package term

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/pane"
)

// panelParts joins the parts of the panel with what the root does for them.
func (m *root) panelParts() []side {
	p := m.keys.Panel
	return []side{
		pane.Recall: {
			title: "Recall", careful: m.keys.List.Careful(), size: m.recall, view: m.recall.View,
			key: doing(m.recall.Key, m.recallDo), paste: after(m.recall.Paste, m.recallDo), wheel: after(m.recall.Wheel, m.recallDo),
			setNow: m.recall.SetNow, capturing: m.recall.Capturing, asking: m.recall.Asking, modal: m.recall.Modal, counting: m.recall.Counting,
			hints: func() []key.Binding { return []key.Binding{p.Parts[pane.Context], m.keys.Global.NextPane} },
		},
		pane.Context: {
			title: "Context", size: m.sent, view: func() ([]string, *tea.Cursor) { return m.sent.View(), nil },
			key: doing(m.sent.Key, m.sentDo), wheel: func(n int) tea.Cmd { m.sent.Wheel(n); return nil },
			hints: func() []key.Binding {
				s := m.keys.Sent
				return []key.Binding{s.Open, s.All, s.Copy, p.Parts[pane.Recall]}
			},
		},
		pane.Working: {
			title: "Working", size: m.working, view: m.working.View, load: m.loadWorking,
			key: doing(m.working.Key, m.workingDo), paste: after(m.working.Paste, m.workingDo), wheel: after(m.working.Wheel, m.workingDo),
			setNow: m.working.SetNow, capturing: m.working.Capturing, asking: m.working.Asking, modal: m.working.Modal,
		},
		pane.Sessions: {
			title: "Sessions", careful: m.keys.Sessions.Careful(), size: m.sessions, view: m.sessions.View, load: m.loadSessions,
			key: doing(m.sessions.Key, m.sessionsDo), paste: after(m.sessions.Paste, m.sessionsDo), wheel: after(m.sessions.Wheel, m.sessionsDo),
			setNow: m.sessions.SetNow, capturing: m.sessions.Capturing, asking: m.sessions.Asking, modal: m.sessions.Modal, counting: m.sessions.Counting,
		},
		pane.Health: {
			title: "Health", careful: m.keys.Health.Careful(), size: m.health, view: func() ([]string, *tea.Cursor) { return m.health.View(), nil }, load: m.fx.health,
			key: doing(m.health.Key, m.healthDo), wheel: after(m.health.Wheel, m.healthDo), setNow: m.health.SetNow,
		},
		pane.Inbox: {
			title: "Inbox", careful: m.keys.Inbox.Careful(), count: func() int { return m.status.Held }, size: m.inbox, view: m.inbox.View, load: m.loadInbox,
			key: doing(m.inbox.Key, m.inboxDo), paste: after(m.inbox.Paste, m.inboxDo), wheel: after(m.inbox.Wheel, m.inboxDo),
			setNow: m.inbox.SetNow, capturing: m.inbox.Capturing, asking: m.inbox.Asking, modal: m.inbox.Modal, counting: m.inbox.Counting,
			hints: func() []key.Binding {
				i := m.keys.Inbox
				return []key.Binding{i.Accept, i.Edit, i.Reject}
			},
		},
		pane.Archive: {
			title: "Archive", careful: m.keys.Archive.Careful(), size: m.archive, view: m.archive.View, load: m.loadArchive,
			key: doing(m.archive.Key, m.archiveDo), paste: after(m.archive.Paste, m.archiveDo), wheel: after(m.archive.Wheel, m.archiveDo),
			setNow: m.archive.SetNow, capturing: m.archive.Capturing, asking: m.archive.Asking, modal: m.archive.Modal, counting: m.archive.Counting,
			hints: func() []key.Binding {
				a := m.keys.Archive
				return []key.Binding{a.Open, a.Search, a.Learned, a.Delete}
			},
		},
		pane.Profile: {
			title: "Profile", careful: m.keys.Profile.Careful(), size: m.profile, view: m.profile.View, load: m.loadProfile,
			key: doing(m.profile.Key, m.profileDo), paste: after(m.profile.Paste, m.profileDo), wheel: after(m.profile.Wheel, m.profileDo),
			setNow: m.profile.SetNow, capturing: m.profile.Capturing, modal: m.profile.Modal,
			hints: func() []key.Binding {
				p := m.keys.Profile
				return []key.Binding{p.Open, p.Edit, p.History, p.Undo}
			},
		},
		pane.Agents: {
			title: "Agents", careful: m.keys.Agents.Careful(), size: m.agents, view: m.agents.View, load: m.loadAgents,
			key: doing(m.agents.Key, m.agentsDo), paste: after(m.agents.Paste, m.agentsDo), wheel: after(m.agents.Wheel, m.agentsDo),
			setNow: m.agents.SetNow, capturing: m.agents.Capturing, asking: m.agents.Asking, modal: m.agents.Modal, counting: m.agents.Counting,
			hints: func() []key.Binding {
				a := m.keys.Agents
				return []key.Binding{a.Switch, a.Add, a.AddGroup, a.Edit, a.Delete}
			},
		},
		pane.Settings: {
			title: "Settings", careful: m.keys.Settings.Careful(), size: m.settings, view: m.settings.View, load: m.loadSettings,
			key: doing(m.settings.Key, m.settingsDo), paste: after(m.settings.Paste, m.settingsDo), wheel: after(m.settings.Wheel, m.settingsDo),
			capturing: m.settings.Capturing, modal: m.settings.Modal,
			hints: func() []key.Binding {
				s := m.keys.Settings
				return []key.Binding{s.Edit, s.Detail, s.Filter, s.Undo}
			},
		},
		pane.Journal: {
			title: "Journal", careful: m.keys.Journal.Careful(), size: m.journal, view: m.journal.View, load: m.loadJournal,
			key: doing(m.journal.Key, m.journalDo), paste: after(m.journal.Paste, m.journalDo), wheel: after(m.journal.Wheel, m.journalDo),
			setNow: m.journal.SetNow, capturing: m.journal.Capturing, modal: m.journal.Modal,
			hints: func() []key.Binding {
				j := m.keys.Journal
				return []key.Binding{j.Open, j.Edit, j.Write, j.Search}
			},
		},
	}
}

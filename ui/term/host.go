package term

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/config"
	"memoria/ui/editor"
	"memoria/ui/term/health"
	"memoria/ui/term/pane"
	"memoria/ui/term/theme"
)

// The root as its panes see it: [pane.Host] and what single panes need more.

// Say implements [pane.Host].
func (m *root) Say(text string) { m.say = text }

// Tell implements [pane.Host]. Notices are shown once, the newest last.
func (m *root) Tell(err error) {
	if err != nil && m.fx.Ctx.Err() == nil {
		m.notice(chat.Explain(err))
	}
}

// SetNow implements [pane.Host].
func (m *root) SetNow(now time.Time) {
	if now.IsZero() {
		return
	}
	m.now = now
	for _, p := range m.all {
		p.SetNow(now)
	}
	m.talk.SetDay(now)
}

// Session implements [pane.Host].
func (m *root) Session() memory.Session { return m.session }

// FocusInput implements [pane.Host].
func (m *root) FocusInput() { m.setFocus(onInput) }

// Open implements [pane.Host].
func (m *root) Open(id pane.ID, msgs ...tea.Msg) tea.Cmd {
	m.focus = onPanel
	cmds := []tea.Cmd{m.showPane(id)}
	for _, msg := range msgs {
		cmds = append(cmds, m.Send(id, msg))
	}
	return tea.Batch(cmds...)
}

// Send implements [pane.Host].
func (m *root) Send(id pane.ID, msg tea.Msg) tea.Cmd {
	cmd, _ := m.all[id].Update(msg)
	return cmd
}

// Browse implements [pane.Host]. Sending in a session resumes it (S9a).
func (m *root) Browse(session, record string) tea.Cmd {
	if m.busy() {
		m.say = "an answer is arriving; esc cancels it"
		return nil
	}
	m.pointAt = record
	m.setFocus(onTalk)
	if session == m.session.ID {
		m.pointNow()
		return nil
	}
	return m.fx.resume(session)
}

// Point implements [pane.Host].
func (m *root) Point(e memory.Evidence) bool { return m.point(e.RecordID, e.Offset, e.Length) }

// Copy implements [pane.Host]: to the clipboard of the terminal (OSC 52), which also works
// remotely, and of the system.
func (m *root) Copy(text string) tea.Cmd {
	m.say = "copied"
	return tea.Batch(tea.SetClipboard(text), m.fx.copy(text))
}

// Editor implements [pane.Host].
func (m *root) Editor() string {
	command := editor.Of(m.opts.Env)
	if command == "" {
		m.say = pane.NoEditor
	}
	return command
}

// MemoriesChanged implements [pane.Host].
func (m *root) MemoriesChanged(ids ...string) tea.Cmd {
	return tea.Batch(m.fx.status(), m.relearnItems(ids...))
}

// Relearn implements [recall.Host].
func (m *root) Relearn(turn string, changes []memory.Change) {
	if turn == "" || m.lessons.of[turn] == nil || len(m.opts.chat.Members()) > 0 {
		return
	}
	m.lessons.of[turn] = nil
	m.lessons.add(turn, "", changes)
	m.showLessons(turn)
}

// Program implements [health.Host].
func (m *root) Program(r *health.Report) {
	r.Agent = m.opts.agent.Name
	if m.storage != nil {
		r.Trouble = append(r.Trouble, m.storage.Title+": "+m.storage.Text)
	}
	if !m.info.Offline {
		r.Model, r.Endpoint = strings.Join(m.models(), ", "), m.info.Endpoint
	}
	r.TokensIn, r.TokensOut, r.Cost = m.session.TokensIn, m.session.TokensOut, m.sessionCost()
	r.Learning.SessionIn, r.Learning.SessionOut = m.session.LearnIn, m.session.LearnOut
}

// SetStatus implements [health.Host].
func (m *root) SetStatus(s manager.Status) {
	m.status = s
	m.inbox.SetHeld(s.Held)
}

// Follow implements [settings.Host].
func (m *root) Follow(s config.Setting) tea.Cmd {
	var cmd tea.Cmd
	switch s.Key {
	case "ui.theme":
		say := m.say
		cmd = m.useTheme(s.Value)
		m.say = say
	case "ui.mouse":
		m.mouse = s.Value == "true"
	case "ui.panel_width":
		if n, ok := s.Number(); ok {
			m.opts.Config.PanelWidth = n
		}
	}
	return tea.Batch(cmd, m.current().Load())
}

// InThisRun implements [settings.Host].
func (m *root) InThisRun(all []config.Setting) {
	for n, s := range all {
		switch {
		case s.Key == "ui.theme" && theme.Kind(s.Value) != m.theme:
			all[n].Note = "in this run it is " + string(m.theme) + ", by /theme"
		case s.Key == "ui.mouse" && (s.Value == "true") != m.mouse:
			all[n].Note = "in this run it is the other way, by /mouse"
		}
	}
}

// Renamed implements [sessions.Host].
func (m *root) Renamed(s memory.Session) {
	if s.ID == m.session.ID {
		m.session.Title = s.Title
	}
}

// Forget implements [sessions.Host].
func (m *root) Forget() { m.input.Forget() }

// readSession reads a session for the conversation.
func (m *root) readSession(id string) tea.Cmd { return m.fx.session(id, m.sent.Packages) }

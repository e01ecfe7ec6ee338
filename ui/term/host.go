package term

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/ui/editor"
	"memoria/ui/term/pane"
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

func (m *root) notice(p chat.Problem) {
	for _, n := range m.problems.notices {
		if n == p {
			return
		}
	}
	m.problems.notices = append(m.problems.notices, p)
}

// setNow sets the time on the whole screen.
func (m *root) setNow(now time.Time) {
	if now.IsZero() {
		return
	}
	m.now = now
	m.lessons.deleted() // before it is over
	for _, p := range m.panes {
		p.SetNow(now)
	}
	m.talk.SetDay(now)
}

// Session implements [pane.Host].
func (m *root) Session() memory.Session { return m.conv.session }

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
	cmd, _ := m.panes[id].Update(msg)
	return cmd
}

// Browse implements [pane.Host]. Sending in a session resumes it (S9a).
func (m *root) Browse(session, record string) tea.Cmd {
	if m.conv.busy() {
		m.say = m.keys.Words.Say("answer.arrives.esc")
		return nil
	}
	return m.typed.hold(func() tea.Cmd {
		m.conv.pointAt, m.conv.pointed = record, record != "" && m.focus == onPanel
		m.setFocus(onTalk)
		if session == m.conv.session.ID {
			m.conv.pointNow()
			return nil
		}
		return m.fx.change(m.fx.Chat.Resume, session)
	})
}

// Point implements [pane.Host].
func (m *root) Point(e memory.Evidence) bool { return m.conv.point(e.RecordID, e.Offset, e.Length) }

// Copy implements [pane.Host]: to the clipboard of the terminal (OSC 52), which also works
// remotely, and of the system.
func (m *root) Copy(text string) tea.Cmd {
	return m.typed.hold(func() tea.Cmd {
		m.say = m.keys.Words.Say("copied")
		return tea.Batch(tea.SetClipboard(text), m.fx.copy(text))
	})
}

// Editor implements [pane.Host].
func (m *root) Editor() string {
	command := editor.Of(m.opts.Env)
	if command == "" {
		m.say = m.keys.Words.Say(pane.NoEditor)
	}
	return command
}

// MemoriesChanged implements [pane.Host].
func (m *root) MemoriesChanged(ids ...string) tea.Cmd {
	return tea.Batch(m.fx.status(), m.lessons.relearnItems(ids...))
}

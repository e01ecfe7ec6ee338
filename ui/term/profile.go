package term

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/ui/term/profile"
	"memoria/ui/term/recall"
)

// profilePage is how many versions of the profile are loaded at once.
const profilePage = 30

type (
	// profileMsg is the profile and the newest of its versions.
	profileMsg struct {
		page    manager.Profile
		history manager.ProfileHistory
		err     error
	}
	// profileSavedMsg tells what became of a text that was to be the profile.
	profileSavedMsg struct {
		text  string
		shown int
		err   error
	}
	// profileEditedMsg is what the user's editor left.
	profileEditedMsg struct {
		text  string
		shown int
		err   error
	}
	profileUndoneMsg struct {
		change manager.ProfileChange
		err    error
	}
)

// loadProfile reads again as many versions as there are.
func (m *root) loadProfile() tea.Cmd { return m.fx.profile(max(profilePage, m.profile.Loaded())) }

// openProfile shows the profile, or does with it what follows the command.
func (m *root) openProfile(what string) tea.Cmd {
	if what == "" {
		return m.showPart(profilePart)
	}
	cmd := m.openPart(profilePart)
	for key, words := range map[rune][]string{'e': {"edit", "add", "编辑", "添加"}, 'h': {"history", "历史"}, 'u': {"undo", "撤销"}} {
		for _, w := range words {
			if what == w && m.profile.Loaded() > 0 && !m.profile.Modal() {
				a, _ := m.profile.Key(tea.KeyPressMsg{Code: key, Text: string(key)})
				return tea.Batch(cmd, m.profileDo(a))
			}
		}
	}
	return cmd
}

// profileDo makes an effect of what the part about the profile asks for.
func (m *root) profileDo(a profile.Action) tea.Cmd {
	switch a.Do {
	case profile.Save:
		return m.fx.setProfile(a.Version, a.Text)
	case profile.Editor:
		cmd := m.edit(a.Text, func(text string, err error) tea.Msg { return profileEditedMsg{text: text, shown: a.Version, err: err} })
		if cmd == nil {
			m.profile.Edited()
		}
		return cmd
	case profile.Undo:
		return m.fx.undoProfile(a.Version)
	case profile.Open:
		cmd := m.openPart(recallPart)
		m.recall.Show(recall.Detail{Item: memory.Item{ID: a.ID}})
		return tea.Batch(cmd, m.fx.detail(a.ID))
	case profile.Copy:
		return m.copyText(a.Text)
	case profile.More:
		return m.fx.profile(m.profile.Loaded() + profilePage)
	case profile.Leave:
		m.setFocus(onInput)
	}
	return nil
}

func (m *root) profileResult(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case profileMsg:
		if msg.err != nil {
			m.profile.ReadFailed(short(msg.err))
			return nil
		}
		m.profile.Show(msg.page, msg.history)
		return nil
	case profileEditedMsg:
		if msg.err != nil {
			m.profile.Failed("The editor's text was not taken: " + msg.err.Error())
			return nil
		}
		return m.fx.setProfile(msg.shown, msg.text)
	case profileSavedMsg:
		if msg.err != nil {
			m.profile.Retry(msg.text, msg.shown)
			m.profile.Failed(short(msg.err))
			return nil
		}
		m.profile.Saved()
		m.say = "the profile is saved"
	case profileUndoneMsg:
		switch {
		case errors.Is(msg.err, lookup.ErrNotFound):
			m.profile.Failed("There is nothing to take back.")
		case msg.err != nil:
			m.profile.Failed(short(msg.err))
		default:
			m.profile.Saved()
			m.say = "taken back; in the profile now: " + profileWords(msg.change)
		}
	}
	return m.loadProfile()
}

// profileWords says what a version changed, on one line.
func profileWords(c manager.ProfileChange) string {
	out := ""
	for i, d := range c.Diff {
		if i > 0 {
			out += " · "
		}
		out += d.String()
	}
	return out
}

func (e effects) profile(versions int) tea.Cmd {
	return e.look("profile", func() tea.Msg {
		p, err := e.memory.Profile(e.ctx, e.agent)
		if err != nil {
			return profileMsg{err: err}
		}
		h, err := e.memory.ProfileHistory(e.ctx, e.agent, versions, 0)
		return profileMsg{page: p, history: h, err: err}
	})
}

func (e effects) setProfile(shown int, text string) tea.Cmd {
	return e.do(func() tea.Msg {
		_, err := e.memory.SetProfile(e.ctx, e.agent, shown, text)
		return profileSavedMsg{text: text, shown: shown, err: err}
	})
}

func (e effects) undoProfile(version int) tea.Cmd {
	return e.do(func() tea.Msg {
		c, err := e.memory.UndoProfile(e.ctx, e.agent, version)
		return profileUndoneMsg{change: c, err: err}
	})
}

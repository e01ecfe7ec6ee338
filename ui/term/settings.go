package term

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/app"
	"memoria/ui/config"
	"memoria/ui/term/pane"
	"memoria/ui/term/settings"
	"memoria/ui/term/theme"
)

type (
	// settingsMsg is every setting; problem says what is wrong with the file.
	settingsMsg struct {
		all     []config.Setting
		problem string
	}
	// settingMsg tells what became of a change; typed says that it was asked for as a
	// command.
	settingMsg struct {
		change app.Change
		typed  bool
		err    error
	}
)

// errNoSettings means that the session has no settings.
var errNoSettings = errors.New("there are no settings to change here")

func (m *root) loadSettings() tea.Cmd { return m.fx.settings(m.opts.Settings) }

// findSettings shows the settings with these words.
func (m *root) findSettings(words string) tea.Cmd {
	m.settings.Filter(words)
	return m.showPart(pane.Settings)
}

// setSetting changes one as a command says: "memory.rag_top_n 7". Without a value it
// shows the setting.
func (m *root) setSetting(arg string) tea.Cmd {
	word, value, ok := config.Cut(arg)
	switch {
	case word == "undo" || word == "撤销":
		return m.fx.undoSetting(m.opts.Settings, true)
	case !ok:
		return m.findSettings(word)
	}
	return m.fx.setSetting(m.opts.Settings, word, value, true)
}

// unsetSetting lets one have its default again; the palette names none.
func (m *root) unsetSetting(word string) tea.Cmd {
	if word == "" {
		return m.findSettings("")
	}
	return m.fx.unsetSetting(m.opts.Settings, word, true)
}

// settingsDo makes an effect of what the part about the settings asks for.
func (m *root) settingsDo(a settings.Action) tea.Cmd {
	switch a.Do {
	case settings.Set:
		return m.fx.setSetting(m.opts.Settings, a.Key, a.Text, false)
	case settings.Unset:
		return m.fx.unsetSetting(m.opts.Settings, a.Key, false)
	case settings.Undo:
		return m.fx.undoSetting(m.opts.Settings, false)
	case settings.Copy:
		return m.copyText(a.Text)
	case settings.Leave:
		m.setFocus(onInput)
	}
	return nil
}

func (m *root) settingsResult(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case settingsMsg:
		m.settings.Show(m.inThisRun(msg.all), msg.problem)
	case settingMsg:
		switch {
		case msg.err != nil && msg.typed:
			m.say = msg.err.Error()
		case msg.err != nil:
			m.settings.Failed(msg.err.Error())
		default:
			m.settings.Done(msg.change.Words())
			if msg.typed {
				m.say = msg.change.Words()
			}
			return tea.Batch(m.follow(msg.change.Setting), m.loadSettings(), m.loadShown())
		}
	}
	return nil
}

// follow lets the screen be as a setting says.
func (m *root) follow(i config.Setting) tea.Cmd {
	switch i.Key {
	case "ui.theme":
		say := m.say
		cmd := m.useTheme(i.Value)
		m.say = say
		return cmd
	case "ui.mouse":
		m.mouse = i.Value == "true"
	case "ui.panel_width":
		if n, ok := i.Number(); ok {
			m.opts.Config.PanelWidth = n
		}
	case "chat.passive_timeout":
		cfg, _ := m.opts.chat.Config()
		m.opts.idleTimeout = cfg.PassiveTimeout
	}
	return nil
}

// inThisRun notes where a command of this run counts more.
func (m *root) inThisRun(all []config.Setting) []config.Setting {
	for n, i := range all {
		switch {
		case i.Key == "ui.theme" && theme.Kind(i.Value) != m.theme:
			all[n].Note = "in this run it is " + string(m.theme) + ", by /theme"
		case i.Key == "ui.mouse" && (i.Value == "true") != m.mouse:
			all[n].Note = "in this run it is the other way, by /mouse"
		}
	}
	return all
}

func (e effects) settings(s *app.Settings) tea.Cmd {
	return e.Look("settings", func() tea.Msg {
		if s == nil {
			return settingsMsg{problem: errNoSettings.Error()}
		}
		all, err := s.List()
		msg := settingsMsg{all: all}
		if err != nil {
			msg.problem = "The file as it is now cannot be used: " + strings.TrimSuffix(err.Error(), ".") + "."
		}
		return msg
	})
}

func (e effects) setSetting(s *app.Settings, key, value string, typed bool) tea.Cmd {
	return e.changing(s, typed, func() (app.Change, error) { return s.Set(key, value) })
}

func (e effects) unsetSetting(s *app.Settings, key string, typed bool) tea.Cmd {
	return e.changing(s, typed, func() (app.Change, error) { return s.Unset(key) })
}

func (e effects) undoSetting(s *app.Settings, typed bool) tea.Cmd {
	return e.changing(s, typed, func() (app.Change, error) { return s.Undo() })
}

func (e effects) changing(s *app.Settings, typed bool, change func() (app.Change, error)) tea.Cmd {
	return e.Do(func() tea.Msg {
		if s == nil {
			return settingMsg{typed: typed, err: errNoSettings}
		}
		c, err := change()
		return settingMsg{change: c, typed: typed, err: err}
	})
}

package term

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/setting"
	"memoria/ui/term/settings"
	"memoria/ui/term/theme"
)

type (
	// settingsMsg is every setting; problem says what is wrong with the file.
	settingsMsg struct {
		all     []setting.Info
		problem string
	}
	// settingMsg tells what became of a change; typed says that it was asked for as a
	// command.
	settingMsg struct {
		change setting.Change
		typed  bool
		err    error
	}
)

// errNoSettings: nobody keeps any.
var errNoSettings = errors.New("there are no settings to change here")

func (m *root) loadSettings() tea.Cmd { return m.fx.settings(m.opts.Settings) }

// findSettings shows the settings with these words.
func (m *root) findSettings(words string) tea.Cmd {
	m.settings.Filter(words)
	return m.showPart(settingsPart)
}

// setSetting changes one as a command says: "memory.rag_top_n 7". Without a value it
// shows the setting.
func (m *root) setSetting(arg string) tea.Cmd {
	word, value, ok := setting.Cut(arg)
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
			return tea.Batch(m.follow(msg.change.Info), m.loadSettings(), m.loadShown())
		}
	}
	return nil
}

// follow lets the screen be as a setting says.
func (m *root) follow(i setting.Info) tea.Cmd {
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
func (m *root) inThisRun(all []setting.Info) []setting.Info {
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

func (e effects) settings(a setting.Access) tea.Cmd {
	return e.look("settings", func() tea.Msg {
		if a.List == nil {
			return settingsMsg{problem: errNoSettings.Error()}
		}
		all, err := a.List()
		msg := settingsMsg{all: all}
		if err != nil {
			msg.problem = "The file as it is now cannot be used: " + strings.TrimSuffix(err.Error(), ".") + "."
		}
		return msg
	})
}

func (e effects) setSetting(a setting.Access, key, value string, typed bool) tea.Cmd {
	return e.changing(a.Set != nil, typed, func() (setting.Change, error) { return a.Set(key, value) })
}

func (e effects) unsetSetting(a setting.Access, key string, typed bool) tea.Cmd {
	return e.changing(a.Unset != nil, typed, func() (setting.Change, error) { return a.Unset(key) })
}

func (e effects) undoSetting(a setting.Access, typed bool) tea.Cmd {
	return e.changing(a.Undo != nil, typed, func() (setting.Change, error) { return a.Undo() })
}

func (e effects) changing(can, typed bool, change func() (setting.Change, error)) tea.Cmd {
	return e.do(func() tea.Msg {
		if !can {
			return settingMsg{typed: typed, err: errNoSettings}
		}
		c, err := change()
		return settingMsg{change: c, typed: typed, err: err}
	})
}

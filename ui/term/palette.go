package term

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/model"
	"memoria/ui/actions"
	"memoria/ui/config"
	"memoria/ui/term/palette"
	"memoria/ui/term/pane"
	"memoria/ui/term/theme"
)

// The lists that are filled when their content has been read.
const (
	choosingModel = "model"
	choosingAgent = "agent"
	choosingGroup = "group"
)

// chooseModel lets another model answer: the one named, or one from the
// endpoint's list.
func (m *commands) chooseModel(name string) tea.Cmd {
	if m.info.Offline {
		m.say = m.keys.Words.Say("model.unconnected")
		if len(m.found) > 0 {
			m.say = m.keys.Words.Say("found.key", m.keys.Global.UseModel.Help().Key)
		}
		return nil
	}
	if name != "" {
		return m.useModel(name)
	}
	m.choose(choosing{what: choosingModel, do: m.useModel},
		palette.List{Prompt: m.keys.Words.Say("palette.model"), Empty: m.keys.Words.Say("palette.model.asking")})
	return pane.Then(m.fx.Do, func() ([]string, error) { return m.fx.Models.List(m.fx.Ctx) }, m.listModels)
}

// listModels fills the open list of models.
func (m *commands) listModels(names []string, err error) tea.Cmd {
	if m.overlay != paletteOverlay || m.choosing.what != choosingModel {
		return nil
	}
	l := palette.List{Prompt: m.keys.Words.Say("palette.model"), Empty: m.keys.Words.SayTo(slash, "model.none")}
	if err != nil {
		l.Empty = m.keys.Words.SayTo(slash, "palette.model.failed", m.fx.Short(err))
	}
	if len(names) > 0 {
		unlisted := slices.DeleteFunc(m.conv.models(), func(name string) bool { return slices.Contains(names, name) })
		names = append(unlisted, names...)
	}
	for _, name := range names {
		c := palette.Command{ID: name, Name: name}
		if slices.Contains(m.conv.models(), name) {
			c.Key = m.keys.Words.Say("palette.model.now")
		}
		l.Commands = append(l.Commands, c)
	}
	m.palette.Set(l)
	return nil
}

func (m *commands) useModel(name string) tea.Cmd {
	m.say = m.keys.Words.SayTo(slash, "model.next", name)
	return m.fx.Change(func(context.Context) error {
		client, err := m.fx.Models.Use(name)
		if err == nil {
			m.fx.Chat.SetModelForAll(client)
		}
		return err
	})
}

// findModels looks for model servers on this computer.
func (m *commands) findModels() tea.Cmd {
	return pane.Then(m.fx.Do, func() ([]model.Found, error) { return m.fx.Models.Discover(m.fx.Ctx), nil },
		func(found []model.Found, _ error) tea.Cmd {
			m.found = found
			return nil
		})
}

// useFound lets the first model server of this computer answer.
func (m *commands) useFound() tea.Cmd {
	if len(m.found) == 0 || m.linking {
		return nil
	}
	m.linking = true
	found := m.found[0]
	return pane.Then(m.fx.Do, func() (any, error) {
		client, err := m.fx.Models.Connect(found)
		if err == nil {
			m.fx.Chat.SetModelForAll(client)
		}
		return nil, err
	}, func(_ any, err error) tea.Cmd {
		if m.linking = false; err == nil {
			m.found = nil
		}
		m.Tell(err)
		return nil
	})
}

// chooseTheme changes the colours: to those named, or to those chosen.
func (m *commands) chooseTheme(name string) tea.Cmd {
	if name != "" {
		if k := theme.Kind(strings.ToLower(name)); k.Valid() {
			return m.useTheme(string(k))
		}
		m.say = m.keys.Words.Say("theme.unknown", name, m.keys.Words.List(kindNames()))
		return nil
	}
	var list []palette.Command
	for _, k := range theme.Kinds() {
		c := palette.Command{ID: string(k), Name: string(k) + ": " + m.keys.Words.Named("theme", string(k))}
		if k == m.theme {
			c.Key = m.keys.Words.Say("palette.in-use")
		}
		list = append(list, c)
	}
	m.choose(choosing{do: m.useTheme}, palette.List{Prompt: m.keys.Words.Say("palette.theme"), Commands: list})
	return nil
}

func kindNames() (names []string) {
	for _, k := range theme.Kinds() {
		names = append(names, string(k))
	}
	return names
}

func (m *commands) useTheme(name string) tea.Cmd {
	m.theme = theme.Kind(name)
	m.restyle()
	m.say = m.keys.Words.SayTo(slash, "theme.keep", name)
	if m.theme.Asks() {
		return tea.RequestBackgroundColor
	}
	return nil
}

// searchTool lets the model search the memory by itself, or not, in this
// conversation.
func (m *commands) searchTool(how string) tea.Cmd {
	if how == "" {
		var list []palette.Command
		for _, c := range []palette.Command{
			{ID: "on", Name: m.keys.Words.Say("search.choose.on")},
			{ID: "off", Name: m.keys.Words.Say("search.choose.off")},
		} {
			if (c.ID == "on") == m.opts.chat.Searches() {
				c.Key = m.keys.Words.Say("palette.in-use")
			}
			list = append(list, c)
		}
		m.choose(choosing{do: m.searchTool}, palette.List{Prompt: m.keys.Words.Say("palette.on-off"), Commands: list})
		return nil
	}
	on, ok := actions.OnOff(how)
	switch {
	case m.opts.chat.Forgetful():
		m.say = m.keys.Words.Say("search.forgetful")
		return nil
	case !ok:
		m.say = m.keys.Words.Say("search.on-off")
		return nil
	}
	m.opts.chat.SetSearches(on)
	m.say = m.keys.Words.SayTo(slash, "search.next.on")
	if !on {
		m.say = m.keys.Words.SayTo(slash, "search.next.off")
	}
	return nil
}

// renameSession gives the running session a title.
func (m *commands) renameSession(title string) tea.Cmd {
	switch {
	case m.conv.session.ID == "":
		m.say = m.keys.Words.Say("session.unnamed")
	case title == "":
		m.setFocus(onInput)
		m.input.Set("/rename ", nil)
		m.edited = true
	default:
		return m.sessions.Rename(m.conv.session.ID, title)
	}
	return nil
}

// editor opens the text of the input in the user's editor.
func (m *commands) editor() tea.Cmd {
	text, _ := m.input.Text()
	command := m.Editor()
	if command == "" {
		return nil
	}
	m.setFocus(onInput)
	return m.fx.Edit(command, text, m.written)
}

// written takes the text of the user's editor.
func (m *commands) written(text string, err error) tea.Cmd {
	if err != nil {
		m.say = m.keys.Words.Say("input.editor-failed", m.keys.Words.Error(err))
	} else if m.input.Edit(text) {
		m.edited = true
	}
	return nil
}

// Follow implements [settings.Host].
func (m *commands) Follow(s config.Setting) tea.Cmd {
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
func (m *commands) InThisRun(all []config.Setting) {
	for n, s := range all {
		switch {
		case s.Key == "ui.theme" && theme.Kind(s.Value) != m.theme:
			all[n].Note = m.keys.Words.SayTo(slash, "theme.in-run", string(m.theme))
		case s.Key == "ui.mouse" && (s.Value == "true") != m.mouse:
			all[n].Note = m.keys.Words.SayTo(slash, "mouse.in-run")
		}
	}
}

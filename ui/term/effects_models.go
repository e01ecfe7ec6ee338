package term

import (
	tea "charm.land/bubbletea/v2"

	"memoria/chat/model"
)

// What reaches beyond the conversation and the memory: model servers, the
// clipboard, the user's editor.

// find looks for model servers on this computer.
func (e effects) find() tea.Cmd {
	return e.Do(func() tea.Msg { return foundMsg{found: e.Models.Discover(e.Ctx)} })
}

func (e effects) use(f model.Found) tea.Cmd {
	return e.Do(func() tea.Msg {
		client, err := e.Models.Connect(f)
		if err == nil {
			e.Chat.SetModelForAll(client)
		}
		return connectedMsg{found: f, err: err}
	})
}

func (e effects) listModels() tea.Cmd {
	return e.Do(func() tea.Msg {
		names, err := e.Models.List(e.Ctx)
		return modelsMsg{names: names, err: err}
	})
}

func (e effects) useModel(name string) tea.Cmd {
	return e.Fail(func() error {
		client, err := e.Models.Use(name)
		if err == nil {
			e.Chat.SetModelForAll(client)
		}
		return err
	})
}

// copy fills the system's clipboard. Where there is none, the terminal's own is
// all there is, so a failure tells nothing.
func (e effects) copy(text string) tea.Cmd {
	if e.clipboard == nil {
		return nil
	}
	return e.Do(func() tea.Msg { _ = e.clipboard(text); return nil })
}

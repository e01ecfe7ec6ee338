package term

import (
	"fmt"
	"io"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/model"
	"memoria/ui/editor"
)

// What reaches beyond the conversation and the memory: model servers, the
// clipboard, the user's editor.

// find looks for model servers on this computer.
func (e effects) find() tea.Cmd {
	return e.do(func() tea.Msg { return foundMsg{found: e.models.Discover(e.ctx)} })
}

func (e effects) use(f model.Found) tea.Cmd {
	return e.do(func() tea.Msg {
		client, err := e.models.Connect(f)
		if err == nil {
			e.chat.SetModelForAll(client)
		}
		return connectedMsg{found: f, err: err}
	})
}

func (e effects) listModels() tea.Cmd {
	return e.do(func() tea.Msg {
		names, err := e.models.List(e.ctx)
		return modelsMsg{names: names, err: err}
	})
}

func (e effects) useModel(name string) tea.Cmd {
	return e.fail(func() error {
		client, err := e.models.Use(name)
		if err == nil {
			e.chat.SetModelForAll(client)
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
	return e.do(func() tea.Msg { _ = e.clipboard(text); return nil })
}

// editor gives the terminal to the user's editor and brings the text back to done.
func (e effects) editor(command, text string, done func(text string, err error) tea.Msg) tea.Cmd {
	return e.anyones(func() tea.Msg {
		t, err := editor.Begin(e.memory.Vault().Dir(), text)
		if err != nil {
			return e.own(done("", err))
		}
		return tea.Exec(&unhurried{t.Command(e.ctx, command)}, func(err error) tea.Msg {
			defer func() { _ = t.Close() }()
			if err != nil {
				return e.own(done("", fmt.Errorf("%s: %w", command, err)))
			}
			return e.own(done(t.Read()))
		})()
	})
}

// leastAway is the shortest time that the terminal is away. Bubble Tea's renderer
// may stop for ever when it is started again before its old one has ended.
const leastAway = 100 * time.Millisecond

// unhurried is a process that runs for leastAway at least.
type unhurried struct{ *exec.Cmd }

func (u *unhurried) SetStdin(r io.Reader)  { u.Stdin = r }
func (u *unhurried) SetStdout(w io.Writer) { u.Stdout = w }
func (u *unhurried) SetStderr(w io.Writer) { u.Stderr = w }

// Run implements [tea.ExecCommand].
func (u *unhurried) Run() error {
	away := time.NewTimer(leastAway)
	err := u.Cmd.Run()
	<-away.C
	return err
}

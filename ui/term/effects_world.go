package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/model"
)

// What reaches beyond the conversation and the memory: model servers, the
// clipboard, the user's editor.

func (e effects) find() tea.Cmd {
	if e.discover == nil {
		return nil
	}
	return e.do(func() tea.Msg { return foundMsg{found: e.discover(e.ctx)} })
}

func (e effects) use(f model.Found) tea.Cmd {
	return e.do(func() tea.Msg {
		client, err := e.connect(f)
		if err == nil {
			e.chat.SetModel(client)
		}
		return connectedMsg{found: f, err: err}
	})
}

func (e effects) models(list func(context.Context) ([]string, error)) tea.Cmd {
	return e.do(func() tea.Msg {
		names, err := list(e.ctx)
		return modelsMsg{names: names, err: err}
	})
}

func (e effects) useModel(connect func(string) (model.Client, error), name string) tea.Cmd {
	return e.fail(func() error {
		client, err := connect(name)
		if err == nil {
			e.chat.SetModel(client)
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

// While a message is edited it lies in a folder of its own beside the memory, for
// its owner alone, so that what an editor puts next to it (backups, swap files)
// goes with it.
const (
	editing    = "editing-"
	editedFile = "message.md"
)

// maxEdited bounds what comes back from the editor, in bytes.
const maxEdited = 8 << 20

// editor gives the terminal to the user's editor and brings the text back. The
// command may have arguments, so a shell reads it, as git and others do.
func (e effects) editor(command, text string) tea.Cmd {
	return e.do(func() tea.Msg {
		removeEdits(e.memory.Dir())
		dir, err := os.MkdirTemp(e.memory.Dir(), editing)
		if err != nil {
			return editedMsg{err: err}
		}
		path := filepath.Join(dir, editedFile)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return editedMsg{err: errors.Join(err, os.RemoveAll(dir))}
		}
		c := exec.CommandContext(e.ctx, "sh", "-c", command+` "$1"`, "sh", path)
		return tea.Exec(&unhurried{c}, func(err error) tea.Msg {
			defer func() { _ = os.RemoveAll(dir) }()
			if err != nil {
				return editedMsg{err: fmt.Errorf("%s: %w", command, err)}
			}
			text, err := readEdited(path)
			return editedMsg{text: text, err: err}
		})()
	})
}

// removeEdits removes what a killed program left of its edits.
func removeEdits(data string) {
	left, _ := filepath.Glob(filepath.Join(data, editing+"*"))
	for _, dir := range left {
		_ = os.RemoveAll(dir)
	}
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

// readEdited reads what the editor left. The line end that editors put at the
// end of a file is not part of the message.
func readEdited(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxEdited+1))
	if err != nil {
		return "", err
	}
	if len(b) > maxEdited {
		return "", fmt.Errorf("it is larger than %d MB", maxEdited>>20)
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r"), nil
}

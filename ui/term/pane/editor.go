package pane

import (
	"fmt"
	"io"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/editor"
	"memoria/ui/words"
)

// Edit gives the terminal to the user's editor with a text, and the edited text to done in
// Update.
func (e *Effects) Edit(command, text string, done func(text string, err error) tea.Cmd) tea.Cmd {
	return Guard(func() tea.Msg {
		back := func(text string, err error) tea.Msg {
			return e.Result(Callback(func() tea.Cmd { return done(text, err) }))
		}
		if e.Remote {
			return back("", errRemote)
		}
		t, err := editor.Begin(e.Memory.Vault().Dir(), text)
		if err != nil {
			return back("", err)
		}
		return tea.Exec(&unhurried{t.Command(e.Ctx, command)}, func(err error) tea.Msg {
			defer func() { _ = t.Close() }()
			if err != nil {
				return back("", fmt.Errorf("%s: %w", command, err))
			}
			return back(t.Read())
		})()
	})
}

// errRemote says why there is no editor in a terminal whose program runs in another process.
var errRemote = words.Later("owner.no-editor")

// EditFile gives the terminal to the user's editor with the file that path returns.
func (e *Effects) EditFile(command string, path func() (string, error), done func(error) tea.Cmd) tea.Cmd {
	return Guard(func() tea.Msg {
		back := func(err error) tea.Msg { return e.Result(Callback(func() tea.Cmd { return done(err) })) }
		if e.Remote {
			return back(errRemote)
		}
		file, err := path()
		if err != nil {
			return back(err)
		}
		return tea.Exec(&unhurried{editor.Command(e.Ctx, command, file)}, func(err error) tea.Msg {
			if err != nil {
				err = fmt.Errorf("%s: %w", command, err)
			}
			return back(err)
		})()
	})
}

// leastAway is the shortest time that an editor has the terminal. Bubble Tea's renderer may
// stop for ever when it is started again before its old one has ended.
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

package term

import (
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/pane"
)

// suspend gives the terminal back to the shell until the program continues. It is not done by
// [tea.Suspend], which waits for ever where nothing can continue the program, and may restart
// the renderer too soon.
func (m *commands) suspend() tea.Cmd {
	if m.fx.remote != nil { // the terminal's program runs in the process that has the memory open
		m.say = m.keys.Words.Say("suspend.cannot")
		return nil
	}
	s := &suspension{}
	return pane.Guard(func() tea.Msg {
		return tea.Exec(s, func(error) tea.Msg {
			return m.fx.Result(pane.Callback(func() tea.Cmd {
				if !s.done {
					m.say = m.keys.Words.Say("suspend.cannot")
				}
				return nil
			}))
		})()
	})
}

// suspension is the command of a suspended program.
type suspension struct{ done bool }

// leastAway is the shortest time that the shell has the terminal: Bubble Tea's renderer may
// stop for ever when it is started again before its old one has ended.
const leastAway = 100 * time.Millisecond

// Run implements [tea.ExecCommand].
func (s *suspension) Run() error {
	s.done = stop()
	return nil
}

// SetStdin implements [tea.ExecCommand].
func (*suspension) SetStdin(io.Reader) {}

// SetStdout implements [tea.ExecCommand].
func (*suspension) SetStdout(io.Writer) {}

// SetStderr implements [tea.ExecCommand].
func (*suspension) SetStderr(io.Writer) {}

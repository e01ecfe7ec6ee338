package term

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/actions"
	"memoria/ui/clean"
)

// actedMsg is what a shared action did.
type actedMsg struct {
	result actions.Result
	err    error
}

// act runs an action of the table, and shows what it did in the last line.
func (e effects) act(s *actions.Console, a actions.Action, arg string) tea.Cmd {
	return e.InOrder(func() tea.Msg {
		r, err := a.Run(e.Ctx, s, arg)
		return actedMsg{result: r, err: err}
	})
}

// shared are the actions of the table that the screen has no pane or key of its own for.
func (m *root) shared(own []command) (out []command) {
	has := map[string]bool{}
	for _, c := range own {
		has[c.name] = true
	}
	for _, a := range actions.Screen.All() {
		if a.Run != nil && !has[a.Name] {
			out = append(out, command{name: a.Name, run: func(arg string) tea.Cmd {
				return m.fx.act(actions.NewConsole(m.opts.Session, actions.Screen), a, arg)
			}})
		}
	}
	return out
}

// said is what the action did, on one line.
func (msg actedMsg) said() string {
	var said []string
	for _, l := range append(msg.result.Lines, msg.result.Notes...) {
		said = append(said, clean.Line(l))
	}
	return strings.Join(said, " · ")
}

package settings

import (
	"errors"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/app"
	"memoria/ui/config"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
)

// errNone means that the session has no settings.
var errNone = errors.New("there are no settings to change here")

// Host is the root, which follows the settings of the screen.
type Host interface {
	pane.Host
	// Follow applies a setting to the screen and reads again what is shown.
	Follow(config.Setting) tea.Cmd
	// InThisRun notes which settings a command of this run overrides.
	InThisRun([]config.Setting)
}

// Pane is the settings with their effects.
type Pane struct {
	*Model
	fx   *pane.Effects
	host Host
}

// NewPane returns the settings of one screen.
func NewPane(k keys.Map, fx *pane.Effects, h Host) *Pane {
	return &Pane{Model: New(k), fx: fx, host: h}
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	k := p.keys.Settings
	return pane.About{
		Title: "Settings", Careful: k.Careful(), Hints: []key.Binding{k.Edit, k.Detail, k.Filter, k.Undo},
		Capturing: p.Capturing(), Modal: p.Modal(),
	}
}

// SetNow implements [pane.Pane].
func (p *Pane) SetNow(time.Time) {}

type (
	// readMsg is every setting; problem says why the file cannot be used.
	readMsg struct {
		all     []config.Setting
		problem string
	}
	// changedMsg is the result of a change; typed says that a command asked for it.
	changedMsg struct {
		change app.Change
		typed  bool
		err    error
	}
)

// Load reads every setting.
func (p *Pane) Load() tea.Cmd {
	return p.fx.Look("settings", func() tea.Msg {
		if p.fx.Settings == nil {
			return readMsg{problem: errNone.Error()}
		}
		all, err := p.fx.Settings.List()
		msg := readMsg{all: all}
		if err != nil {
			msg.problem = "The file as it is now cannot be used: " + strings.TrimSuffix(err.Error(), ".") + "."
		}
		return msg
	})
}

// Set does as a command says: "memory.rag_top_n 7" or "undo". For a key without a value it
// returns ok false.
func (p *Pane) Set(arg string) (cmd tea.Cmd, ok bool) {
	word, value, ok := config.Cut(arg)
	if word == "undo" || word == "撤销" {
		return p.change(Action{Do: Undo}, true), true
	}
	return p.change(Action{Do: Set, Key: word, Text: value}, true), ok
}

// Unset gives a setting its default again, as a command says.
func (p *Pane) Unset(word string) tea.Cmd { return p.change(Action{Do: Unset, Key: word}, true) }

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case readMsg:
		p.host.InThisRun(msg.all)
		p.Show(msg.all, msg.problem)
	case changedMsg:
		switch {
		case msg.err != nil && msg.typed:
			p.host.Say(msg.err.Error())
		case msg.err != nil:
			p.Failed(msg.err.Error())
		default:
			p.Done(msg.change.Words())
			if msg.typed {
				p.host.Say(msg.change.Words())
			}
			return tea.Batch(p.host.Follow(msg.change.Setting), p.Load()), true
		}
	default:
		return pane.Input(p, p.do, msg)
	}
	return nil, true
}

func (p *Pane) do(a Action) tea.Cmd {
	switch a.Do {
	case Set, Unset, Undo:
		return p.change(a, false)
	case Copy:
		return p.host.Copy(a.Text)
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

func (p *Pane) change(a Action, typed bool) tea.Cmd {
	return p.fx.Do(func() tea.Msg {
		s, msg := p.fx.Settings, changedMsg{typed: typed}
		switch {
		case s == nil:
			msg.err = errNone
		case a.Do == Set:
			msg.change, msg.err = s.Set(a.Key, a.Text)
		case a.Do == Unset:
			msg.change, msg.err = s.Unset(a.Key)
		default:
			msg.change, msg.err = s.Undo()
		}
		return msg
	})
}

package settings

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/app"
	"memoria/ui/config"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

// errNone means that the session has no settings.
var errNone = words.Later("setting.none")

// Host is the root, which follows the settings of the screen.
type Host interface {
	pane.Host
	// Follow applies a setting to the screen and reloads the content.
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
	p := &Pane{Model: New(k), fx: fx, host: h}
	p.AskFirst(p.Keys.Settings.Careful)
	return p
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	return pane.About{
		Command: p.Meant(), Search: p.Searched(), Capturing: p.Capturing(), Asking: p.Asking(), Modal: p.Modal(),
	}
}

// SetNow implements [pane.Pane].
func (p *Pane) SetNow(time.Time) {}

// Load reads every setting.
func (p *Pane) Load() tea.Cmd {
	problem := ""
	return pane.Then(p.fx.Look("settings"), func() ([]config.Setting, error) {
		if p.fx.Settings == nil {
			return nil, errNone
		}
		all, err := p.fx.Settings.List()
		if err != nil {
			problem = p.Words.Say("setting.broken", p.Words.Error(err))
		}
		return all, nil
	}, func(all []config.Setting, err error) tea.Cmd {
		if err != nil {
			problem = p.Words.Error(err)
		}
		p.host.InThisRun(all)
		p.Show(all, problem)
		return nil
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
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) { return pane.Input(p, p.do, msg) }

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

// change changes a setting; typed says that a command asked for it.
func (p *Pane) change(a Action, typed bool) tea.Cmd {
	return pane.Then(p.fx.Do, func() (app.Change, error) {
		s := p.fx.Settings
		switch {
		case s == nil:
			return app.Change{}, errNone
		case a.Do == Set:
			return s.Set(a.Key, a.Text)
		case a.Do == Unset:
			return s.Unset(a.Key)
		}
		return s.Undo()
	}, func(c app.Change, err error) tea.Cmd {
		switch {
		case err != nil && typed:
			p.host.Say(p.Words.Error(err))
			return nil
		case err != nil:
			p.Failed(p.Words.Error(err))
			return nil
		case typed:
			p.host.Say(c.In(p.Words.Language))
		}
		p.Done(c.In(p.Words.Language))
		return tea.Batch(p.host.Follow(c.Setting), p.Load())
	})
}

package working

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
)

// Pane is the working memory of the session with its effects.
type Pane struct {
	*Model
	fx   *pane.Effects
	host pane.Host
}

// NewPane returns the working memory of one screen.
func NewPane(k keys.Map, loc *time.Location, fx *pane.Effects, h pane.Host) *Pane {
	return &Pane{Model: New(k, loc), fx: fx, host: h}
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	return pane.About{Capturing: p.Capturing(), Asking: p.Asking(), Modal: p.Modal()}
}

// Load reads the working memory of the session.
func (p *Pane) Load() tea.Cmd {
	session := p.host.Session().ID
	if session == "" {
		p.None()
		return nil
	}
	return pane.Then(p.fx.Look("working"), func() (*State, error) { return p.read(session) }, func(s *State, err error) tea.Cmd {
		p.show(session, s, err)
		return nil
	})
}

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) { return pane.Input(p, p.do, msg) }

// show shows the working memory of a session, unless another session is open by now; nil
// when it has none.
func (p *Pane) show(session string, s *State, err error) {
	switch {
	case session != p.host.Session().ID:
	case err != nil:
		p.ReadFailed(p.fx.Short(err))
	case s == nil:
		p.None()
	default:
		if cfg, _ := p.fx.Chat.Config(); !s.Kept && cfg.PassiveTimeout > 0 { // W4
			s.EndsAt = s.UpdatedAt.Add(cfg.PassiveTimeout)
		}
		p.Show(*s)
	}
}

func (p *Pane) do(a Action) tea.Cmd {
	switch a.Do {
	case Topic:
		return p.edit(a, func(w *memory.Working) { w.CurrentTopic = a.Value })
	case Variable:
		return p.edit(a, func(w *memory.Working) {
			if w.ContextVariables == nil {
				w.ContextVariables = map[string]string{}
			}
			w.ContextVariables[a.Key] = a.Value
		})
	case Remove:
		return p.edit(a, func(w *memory.Working) { delete(w.ContextVariables, a.Key) })
	case Copy:
		return p.host.Copy(a.Value)
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

func (p *Pane) edit(a Action, change func(*memory.Working)) tea.Cmd {
	return pane.Then(p.fx.Do, func() (*State, error) {
		if _, err := p.fx.Memory.EditWorking(p.fx.Ctx, p.fx.Agent, a.SessionID, change); err != nil {
			return nil, err
		}
		return p.read(a.SessionID)
	}, func(s *State, err error) tea.Cmd {
		if err != nil {
			p.Failed(p.fx.Short(err))
			return nil
		}
		p.Saved()
		p.show(a.SessionID, s, nil)
		return nil
	})
}

// read reads a session's working memory, or what was kept of it (W4).
func (p *Pane) read(session string) (*State, error) {
	s, err := p.fx.Memory.Lookup().Session(p.fx.Ctx, p.fx.Agent, session)
	if errors.Is(err, lookup.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	w, err := p.fx.Memory.Lookup().Working(p.fx.Ctx, p.fx.Agent, session)
	switch {
	case err == nil:
		return &State{Working: w, Title: s.Title}, nil
	case !errors.Is(err, lookup.ErrNotFound):
		return nil, err
	case s.Kept == nil:
		return nil, nil
	}
	return &State{Working: *s.Kept, Title: s.Title, Kept: true}, nil
}

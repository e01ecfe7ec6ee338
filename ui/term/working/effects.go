package working

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/manager"
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
	return pane.About{Title: "Working", Capturing: p.Capturing(), Asking: p.Asking(), Modal: p.Modal()}
}

// Load reads the working memory of the session.
func (p *Pane) Load() tea.Cmd {
	session := p.host.Session().ID
	if session == "" {
		p.None()
		return nil
	}
	return p.fx.Look("working", func() tea.Msg {
		state, err := p.read(session)
		return readMsg{session: session, state: state, err: err}
	})
}

// readMsg is the working memory of a session; state is nil when it has none.
type readMsg struct {
	session string
	state   *State
	edited  bool
	err     error
}

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	read, ok := msg.(readMsg)
	if !ok {
		return pane.Input(p, p.do, msg)
	}
	if read.edited {
		if read.err != nil {
			p.Failed(pane.Short(read.err))
			return nil, true
		}
		p.Saved()
	}
	switch {
	case read.session != p.host.Session().ID:
	case read.err != nil:
		p.ReadFailed(pane.Short(read.err))
	case read.state == nil:
		p.None()
	default:
		s := *read.state
		if cfg, _ := p.fx.Chat.Config(); !s.Kept && cfg.PassiveTimeout > 0 { // W4
			s.EndsAt = s.UpdatedAt.Add(cfg.PassiveTimeout)
		}
		p.Show(s)
	}
	return nil, true
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
	return p.fx.Do(func() tea.Msg {
		if _, err := p.fx.Memory.EditWorking(p.fx.Ctx, p.fx.Agent, a.SessionID, change); err != nil {
			return readMsg{session: a.SessionID, edited: true, err: err}
		}
		state, err := p.read(a.SessionID)
		return readMsg{session: a.SessionID, state: state, edited: true, err: err}
	})
}

// read reads a session's working memory, or what was kept of it (W4).
func (p *Pane) read(session string) (*State, error) {
	s, err := p.fx.Memory.Session(p.fx.Ctx, p.fx.Agent, session)
	if errors.Is(err, manager.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	w, err := p.fx.Memory.Working(p.fx.Ctx, p.fx.Agent, session)
	switch {
	case err == nil:
		return &State{Working: w, Title: s.Title}, nil
	case !errors.Is(err, manager.ErrNotFound):
		return nil, err
	case s.Kept == nil:
		return nil, nil
	}
	return &State{Working: *s.Kept, Title: s.Title, Kept: true}, nil
}

package evidence

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/term/sent"
)

// Pane is the evidence of a turn with its effects.
type Pane struct {
	*Model
	host pane.Host
}

// NewPane returns the evidence of one screen.
func NewPane(k keys.Map, loc *time.Location, h pane.Host) *Pane {
	return &Pane{Model: New(k, loc), host: h}
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About { return pane.About{Modal: p.Modal()} }

// Load implements [pane.Pane]. The package view tells the turn.
func (p *Pane) Load() tea.Cmd { return nil }

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	if s, ok := msg.(sent.Shown); ok {
		p.Show(s)
		return nil, true
	}
	return pane.Input(p, p.do, msg)
}

func (p *Pane) do(a Action) tea.Cmd {
	switch a.Do {
	case Turn:
		return p.host.Send(pane.Package, a.Step)
	case Open:
		return p.host.Browse(a.Evidence.SessionID, a.Evidence.RecordID)
	case Item:
		return p.host.Open(pane.All, a.Memory)
	case Copy:
		return p.host.Copy(a.Text)
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

package health

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory/lookup"
	"memoria/memory/vault"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

// reportDays is how far back the charts look.
const reportDays = 30

// Host is the root, with what the report says of the running program.
type Host interface {
	pane.Host
	// Program fills in what the memory does not know: the model, the cost and the problems
	// of this run.
	Program(*Report)
	// SetStatus updates the counts of the memory on the screen.
	SetStatus(lookup.Status)
}

// Pane is the health report with its effects.
type Pane struct {
	*Model
	fx   *pane.Effects
	host Host
}

// NewPane returns the health report of one screen.
func NewPane(k keys.Map, loc *time.Location, fx *pane.Effects, h Host) *Pane {
	p := &Pane{Model: New(k, loc), fx: fx, host: h}
	p.AskFirst(p.Keys.Health.Careful)
	return p
}

// About implements [pane.Pane].
func (p *Pane) About() pane.About {
	return pane.About{Asking: p.Asking(), Modal: p.Asking()}
}

// Load reads the counts.
func (p *Pane) Load() tea.Cmd {
	var backups []vault.Backup
	return pane.Then(p.fx.Look("health"), func() (h lookup.Health, err error) {
		if h, err = p.fx.Memory.Lookup().Health(p.fx.Ctx, p.fx.Agent, reportDays); err == nil {
			backups, err = vault.Backups(p.fx.Memory.Vault().Dir())
		}
		return h, err
	}, func(h lookup.Health, err error) tea.Cmd {
		if err != nil {
			p.ReadFailed(p.fx.Short(err))
			return nil
		}
		p.host.SetStatus(h.Status)
		r := p.reportOf(h, backups)
		r.LogFile = p.fx.LogPath
		p.host.Program(&r)
		p.Show(r)
		return nil
	})
}

// Update implements [pane.Pane].
func (p *Pane) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		a, handled := p.Key(msg)
		return p.Do(a), handled
	case pane.Wheel:
		p.Wheel(int(msg))
	case pane.Click:
		return p.Do(p.Click(int(msg))), true
	default:
		return nil, false
	}
	return nil, true
}

// Do does what a key or a command asked for.
func (p *Pane) Do(a Action) tea.Cmd {
	switch a.Do {
	case Rebuild:
		return p.run(func() (string, error) {
			if err := p.fx.Memory.Recall().Rebuild(p.fx.Agent); err != nil {
				return "", err
			}
			return p.Words.Say("health.rebuilt"), p.fx.Memory.Recall().Settle(p.fx.Ctx, p.fx.Agent)
		})
	case Compact:
		return p.run(func() (string, error) {
			before, after, err := p.fx.Memory.CompactIndex(p.fx.Ctx, p.fx.Agent)
			return p.Words.Say("health.compacted", words.Bytes(before), words.Bytes(after)), err
		})
	case Backup:
		return p.run(func() (string, error) {
			b, err := p.fx.Memory.Vault().Backup(p.fx.Ctx, nil)
			return p.Words.Say("health.backed-up", b.Path), err
		})
	case Copy:
		return p.host.Copy(a.Text)
	case Leave:
		p.host.FocusInput()
	}
	return nil
}

// run does something slow and tells what it did.
func (p *Pane) run(f func() (string, error)) tea.Cmd {
	return pane.Then(p.fx.Do, f, func(text string, err error) tea.Cmd {
		if err != nil {
			p.Failed(p.fx.Short(err))
		} else {
			p.Done(text)
		}
		return p.Load()
	})
}

// reportOf is what the manager counted, as the pane shows it.
func (p *Pane) reportOf(h lookup.Health, backups []vault.Backup) Report {
	r := Report{
		Memories: h.Items, Held: h.Held, Messages: h.Records, Sessions: h.Sessions, Jobs: h.Jobs,
		StoreBytes: h.StoreBytes, FreeBytes: h.FreeBytes, Unwiped: h.Unwiped, DataDir: h.Dir,
		Backups: Backups{Count: len(backups), Failed: h.BackupError},
		Learning: Learning{
			Waiting: h.Asked.Waiting, Answered: h.Asked.Answered, Unusable: h.Asked.Unusable, Failing: h.Asked.Failing,
			Learned: h.Asked.Learned, Refused: h.Asked.Refused, TokensIn: h.Asked.TokensIn, TokensOut: h.Asked.TokensOut,
		},
	}
	if e := h.Erasing; e != nil {
		r.Erasing, r.EraseFailed = p.Words.Erasing(e, time.Local), len(e.Failed) > 0
	}
	for _, d := range h.Days {
		r.Days = append(r.Days, Day(d))
	}
	for _, d := range h.Derived {
		r.Indexes = append(r.Indexes, Index{
			Name: d.Name, State: d.State, Done: d.Done, Total: d.Total, Behind: uint64(max(d.Behind, 0)), Bytes: d.Bytes, Reason: d.Reason,
			Count: d.Count, Model: d.Model, Endpoint: d.Endpoint,
		})
	}
	if h.Damage != "" {
		r.Trouble = append(r.Trouble, p.Words.Say("health.damage", words.Sentence(h.Damage)))
	}
	for _, b := range backups {
		if b.Time.After(r.Backups.Newest) {
			r.Backups.Newest = b.Time
		}
	}
	return r
}

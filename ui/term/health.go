package term

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/memory/lookup"
	"memoria/memory/vault"
	"memoria/ui/term/health"
)

// healthDays is how far back the charts look.
const healthDays = 30

// healthDo makes an effect of what the part about health asks for.
func (m *root) healthDo(a health.Action) tea.Cmd {
	switch a.Do {
	case health.Rebuild:
		return m.fx.rebuild()
	case health.Compact:
		return m.fx.compact()
	case health.Backup:
		return m.fx.backup()
	case health.Copy:
		return m.copyText(a.Text)
	case health.Leave:
		m.setFocus(onInput)
	}
	return nil
}

func (m *root) onHealth(msg healthMsg) {
	if msg.err != nil {
		m.health.ReadFailed(short(msg.err))
		return
	}
	m.status = msg.health.Status
	r := report(msg.health, msg.backups)
	r.At, r.Agent = msg.now, m.opts.agent.Name
	if m.storage != nil {
		r.Trouble = append(r.Trouble, m.storage.Title+": "+m.storage.Text)
	}
	r.Model, r.Endpoint = strings.Join(m.models(), ", "), m.info.Endpoint
	if m.info.Offline {
		r.Model, r.Endpoint = "", ""
	}
	r.TokensIn, r.TokensOut, r.Cost = m.session.TokensIn, m.session.TokensOut, m.sessionCost()
	r.Learning.SessionIn, r.Learning.SessionOut = m.session.LearnIn, m.session.LearnOut
	r.DataDir, r.LogFile = msg.health.Dir, m.opts.LogPath
	m.setNow(msg.now)
	m.health.Show(r)
}

// report is what the manager counted, as the panel shows it.
func report(h lookup.Health, backups []vault.Backup) health.Report {
	r := health.Report{
		Memories: h.Items, Held: h.Held, Messages: h.Records, Sessions: h.Sessions, Jobs: h.Jobs,
		StoreBytes: h.StoreBytes, FreeBytes: h.FreeBytes, Unwiped: h.Unwiped,
		Backups: health.Backups{Count: len(backups)},
		Learning: health.Learning{
			Waiting: h.Asked.Waiting, Answered: h.Asked.Answered, Unusable: h.Asked.Unusable, Learned: h.Asked.Learned,
			Refused: h.Asked.Refused, TokensIn: h.Asked.TokensIn, TokensOut: h.Asked.TokensOut,
		},
	}
	for _, d := range h.Days {
		r.Days = append(r.Days, health.Day(d))
	}
	for _, d := range h.Derived {
		r.Indexes = append(r.Indexes, health.Index{
			Name: d.Name, State: d.State, Done: d.Done, Total: d.Total, Behind: uint64(max(d.Behind, 0)), Bytes: d.Bytes, Reason: d.Reason,
			Count: d.Count, Model: d.Model, Endpoint: d.Endpoint,
		})
	}
	if h.Damage != "" {
		r.Trouble = append(r.Trouble, "Of the store "+h.Damage+"; memoria doctor says more.")
	}
	r.Backups.Failed = h.BackupError
	for _, b := range backups {
		if b.Time.After(r.Backups.Newest) {
			r.Backups.Newest = b.Time
		}
	}
	return r
}

// onMended tells what became of an action of the health part.
func (m *root) onMended(msg mendedMsg) tea.Cmd {
	if msg.err != nil {
		m.health.Failed(short(msg.err))
	} else {
		m.health.Done(msg.text)
	}
	return m.fx.health()
}

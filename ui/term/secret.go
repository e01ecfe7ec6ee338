package term

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/policy/sensitive"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/term/pane"
)

// secret is the last message of the conversation that holds a secret, and its erasure (P5a).
type secret struct {
	record string // empty when there is none
	begins string // its first words, without the secret
}

// noteSecret notes a message that the user may want to erase.
func (m *conversation) noteSecret(r memory.Record) {
	if r.Role == memory.RoleUser && len(manager.SecretsIn(r)) > 0 {
		m.secret.record = r.ID
		m.secret.begins = clean.Truncate(clean.Line(sensitive.HideSecrets(r.Content)), keptCells, cells.Ellipsis)
	}
}

// eraseOffer is said under a message that holds a secret; empty for any other.
func (m *conversation) eraseOffer(r memory.Record) string {
	if r.Role != memory.RoleUser || m.opts.chat.Temporary() { // a temporary chat keeps nothing
		return ""
	}
	kinds := manager.SecretsIn(r)
	if len(kinds) == 0 {
		return ""
	}
	return m.keys.Words.Secret(kinds) + " · " + m.keys.Words.Say("secret.erase", m.keys.Global.EraseSecret.Help().Key)
}

// askErase deletes the last message of the conversation that holds a secret. It asks first where
// other messages repeat it.
func (m *conversation) askErase() tea.Cmd {
	record := m.secret.record
	read := func() ([]memory.Record, error) { return m.fx.Repetitions(record) }
	return pane.Then(m.fx.Do, read, func(all []memory.Record, err error) tea.Cmd {
		if err != nil || len(all) == 0 || record != m.secret.record {
			return m.eraseSecret()
		}
		w := m.keys.Words
		said := chat.Problem{Title: w.Say("secret.repeated", len(all)), Text: m.fx.Begins(all, m.now, m.loc)}
		m.notice(said)
		m.ask(w.Say("secret.ask", len(all)+1), func() tea.Cmd {
			m.problems.notices = slices.DeleteFunc(m.problems.notices, func(p chat.Problem) bool { return p == said })
			return m.eraseSecret()
		})
		return nil
	})
}

// eraseSecret deletes the last message of the conversation that holds a secret, and what repeats it.
func (m *conversation) eraseSecret() tea.Cmd {
	if m.secret.record == "" {
		m.say = m.keys.Words.Say("secret.none-here")
		return nil
	}
	record, begins := m.secret.record, m.secret.begins
	return pane.Then(m.fx.InOrder, func() (write.Deletion, error) {
		return m.fx.Chat.EraseSecret(m.fx.Ctx, record)
	}, func(d write.Deletion, err error) tea.Cmd {
		if err != nil {
			m.Tell(err)
			return nil
		}
		m.secret = secret{}
		w := m.keys.Words
		what := w.Count(d.Messages, "message")
		m.archive.Deleted(list.Removed{ID: d.ID, Of: record, What: what, Until: d.Until})
		m.say = w.Say("secret.message-erased", what, begins, w.Left(m.now, d.Until), m.keys.Global.Unlearn.Help().Key)
		return m.archive.Load()
	})
}

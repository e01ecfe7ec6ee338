package term

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/ui/words"
)

// secret is the last message of the conversation that holds a secret, and its erasure (P5a).
type secret struct {
	record   string // empty when there is none
	deletion string // while it can be taken back
	until    time.Time
}

// noteSecret notes a message that the user may want to erase.
func (m *root) noteSecret(r memory.Record) {
	if r.Role == memory.RoleUser && len(manager.SecretsIn(r)) > 0 {
		m.secret.record = r.ID
	}
}

// eraseOffer is said under a message that holds a secret; empty for any other.
func (m *root) eraseOffer(r memory.Record) string {
	if r.Role != memory.RoleUser || m.opts.chat.Temporary() { // a temporary chat keeps nothing
		return ""
	}
	kinds := manager.SecretsIn(r)
	if len(kinds) == 0 {
		return ""
	}
	return words.Secret(kinds) + " · " + m.keys.Global.EraseSecret.Help().Key + " erases it"
}

// eraseSecret deletes the last message of the conversation that holds a secret.
func (m *root) eraseSecret() tea.Cmd {
	if m.secret.record == "" {
		m.say = "no message of this conversation holds a secret"
		return nil
	}
	return m.fx.eraseSecret(m.secret.record)
}

// restoreSecret takes the erasure back while that can be.
func (m *root) restoreSecret() tea.Cmd {
	id := m.secret.deletion
	if id == "" || !m.now.Before(m.secret.until) {
		return nil
	}
	m.secret.deletion = ""
	return m.fx.restoreMessage(id)
}

func (m *root) onSecretErased(msg secretErasedMsg) tea.Cmd {
	if msg.err != nil {
		m.tell(msg.err)
		return nil
	}
	m.setNow(msg.now)
	m.secret = secret{deletion: msg.deletion.ID, until: msg.deletion.Until}
	m.say = "erased: the message with the secret · /undo takes it back for 10 seconds"
	return m.loadArchive()
}

// secretErasedMsg says what became of the erasure of a secret.
type secretErasedMsg struct {
	deletion write.Deletion
	now      time.Time
	err      error
}

func (e effects) eraseSecret(record string) tea.Cmd {
	return e.inOrder(func() tea.Msg {
		d, err := e.chat.EraseSecret(e.ctx, record)
		return secretErasedMsg{deletion: d, now: e.now(), err: err}
	})
}

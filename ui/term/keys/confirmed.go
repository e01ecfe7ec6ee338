package keys

import "charm.land/bubbles/v2/key"

// Letters that change something at once are careful: they ask before they do it, since
// whoever presses one may believe to be typing. What opens a form or a question is not
// among them; forms are saved by a key that is no text ([Form].Save).

// Careful are those of the conversation.
func (t Talk) Careful() []key.Binding {
	return []key.Binding{t.Retry, t.Anew, t.Edit, t.Fork, t.UndoTurn, t.TakeBack}
}

// Careful are those of memories.
func (l List) Careful() []key.Binding { return []key.Binding{l.TakeBack} }

// Careful are those of sessions.
func (s Sessions) Careful() []key.Binding { return []key.Binding{s.New, s.TakeBack, s.Export} }

// Careful are those of messages.
func (a Archive) Careful() []key.Binding { return []key.Binding{a.Mark, a.TakeBack} }

// Careful are those of the journal.
func (j Journal) Careful() []key.Binding { return []key.Binding{j.Write} }

// Careful are those of what waits.
func (i Inbox) Careful() []key.Binding { return []key.Binding{i.Accept, i.Reject, i.TakeBack} }

// Careful are those of the profile.
func (p Profile) Careful() []key.Binding { return []key.Binding{p.Undo} }

// Careful are those of agents.
func (a Agents) Careful() []key.Binding { return []key.Binding{a.TakeBack} }

// Careful are those of the state of the memory.
func (h Health) Careful() []key.Binding { return []key.Binding{h.Rebuild, h.Compact, h.Backup} }

// Careful are those of settings.
func (s Settings) Careful() []key.Binding { return []key.Binding{s.Reset, s.Undo} }

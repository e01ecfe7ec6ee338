package keys

import "charm.land/bubbles/v2/key"

// Letters that change something at once are careful: they ask before they do it, since the
// user may believe to be typing. Keys that open a form or a question are not among them; forms
// are saved by a key that is no text ([Form].Save).

// Careful returns the careful keys of the conversation.
func (t Talk) Careful() []key.Binding {
	return []key.Binding{t.Retry, t.Anew, t.Edit, t.Fork, t.UndoTurn, t.TakeBack}
}

// Careful returns the careful keys of memories.
func (l List) Careful() []key.Binding { return []key.Binding{l.TakeBack} }

// Careful returns the careful keys of sessions.
func (s Sessions) Careful() []key.Binding { return []key.Binding{s.New, s.TakeBack, s.Export} }

// Careful returns the careful keys of messages.
func (a Archive) Careful() []key.Binding { return []key.Binding{a.Mark, a.TakeBack} }

// Careful returns the careful keys of the journal.
func (j Journal) Careful() []key.Binding { return []key.Binding{j.Write} }

// Careful returns the careful keys of the inbox.
func (i Inbox) Careful() []key.Binding { return []key.Binding{i.Accept, i.Reject, i.TakeBack} }

// Careful returns the careful keys of the profile.
func (p Profile) Careful() []key.Binding { return []key.Binding{p.Undo} }

// Careful returns the careful keys of agents.
func (a Agents) Careful() []key.Binding { return []key.Binding{a.TakeBack} }

// Careful returns the careful keys of health.
func (h Health) Careful() []key.Binding { return []key.Binding{h.Rebuild, h.Compact, h.Backup} }

// Careful returns the careful keys of settings.
func (s Settings) Careful() []key.Binding { return []key.Binding{s.Reset, s.Undo} }

package keys

import "charm.land/bubbles/v2/key"

// A letter that would change something at once is careful: it asks first, since the user may
// believe to be typing. Keys that open a form or a question are not careful. A form is saved by
// a key that types no text ([Form].Save). A key that gives the terminal to an editor is.

// Careful returns the careful keys of the conversation.
func (t Talk) Careful() []key.Binding {
	return []key.Binding{t.Retry, t.Regenerate, t.Edit, t.Fork, t.UndoTurn, t.Undo}
}

// Careful returns the careful keys of memories.
func (l List) Careful() []key.Binding { return []key.Binding{l.Undo} }

// Careful returns the careful keys of sessions.
func (s Sessions) Careful() []key.Binding { return []key.Binding{s.New, s.Undo, s.Export} }

// Careful returns the careful keys of messages.
func (a Archive) Careful() []key.Binding { return []key.Binding{a.Mark, a.Undo} }

// Careful returns the careful keys of the journal.
func (j Journal) Careful() []key.Binding { return []key.Binding{j.Edit, j.Write} }

// Careful returns the careful keys of the inbox.
func (i Inbox) Careful() []key.Binding { return []key.Binding{i.Accept, i.Reject, i.Undo} }

// Careful returns the careful keys of the profile.
func (p Profile) Careful() []key.Binding { return []key.Binding{p.Undo} }

// Careful returns the careful keys of agents.
func (a Agents) Careful() []key.Binding { return []key.Binding{a.Undo} }

// Careful returns the careful keys of health.
func (h Health) Careful() []key.Binding { return []key.Binding{h.Rebuild, h.Compact, h.Backup} }

// Careful returns the careful keys of settings.
func (s Settings) Careful() []key.Binding { return []key.Binding{s.Reset, s.Undo} }

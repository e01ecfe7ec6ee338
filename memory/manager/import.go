package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/transfer/foreign"
)

// Imported counts what an import of conversations added.
type Imported struct {
	// Sessions are the ids of sessions with new messages.
	Sessions []string `json:"sessions"`
	Messages int      `json:"messages"`
	// Known are messages that were imported before, Deleted those that the user has
	// deleted since: they stay deleted.
	Known   int `json:"known"`
	Deleted int `json:"deleted"`
	// Failures say what was left out.
	Failures []*foreign.Failure `json:"-"`
}

func (i *Imported) add(more Imported) {
	i.Sessions = append(i.Sessions, more.Sessions...)
	i.Messages += more.Messages
	i.Known += more.Known
	i.Deleted += more.Deleted
}

// importBatch is how many messages are imported in one write: enough that the disk is not
// what is waited for, few enough that the program stays usable meanwhile.
const importBatch = 500

// Import adds the conversations of another program's export to the archive (D1). program
// names it: "chatgpt". progress, if not nil, is called after each write with the sums so
// far. An import that was interrupted is continued by importing again. An error says that
// the export was refused whole, ctx was done, or a write failed; what was written before
// stays.
func (m *Manager) Import(ctx context.Context, agentID, program string, e *foreign.Export, progress func(Imported)) (Imported, error) {
	sum := Imported{Sessions: []string{}}
	var batch []foreign.Conversation
	messages := 0
	write := func() error {
		if len(batch) == 0 {
			return nil
		}
		more, err := m.ImportConversations(ctx, agentID, program, batch)
		if err != nil {
			return err
		}
		sum.add(more)
		batch, messages = batch[:0], 0
		if progress != nil {
			progress(sum)
		}
		return nil
	}
	for c, err := range e.Conversations(ctx) {
		var failure *foreign.Failure
		switch {
		case errors.As(err, &failure):
			sum.Failures = append(sum.Failures, failure)
			continue
		case err != nil:
			return sum, err
		}
		batch = append(batch, c)
		if messages += len(c.Messages); messages < importBatch {
			continue
		}
		if err := write(); err != nil {
			return sum, err
		}
	}
	return sum, write()
}

// ImportConversations adds conversations in one write. Each becomes an ended session with
// its branches and original times. Nothing is learned from them. Importing the same
// conversation again adds only its new messages.
func (m *Manager) ImportConversations(ctx context.Context, agentID, program string, cs []foreign.Conversation) (Imported, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Imported{}, err
	}
	var stored []imported
	for _, c := range cs {
		i := importedFrom(a.id, program, c)
		for n, r := range i.records {
			if i.records[n], err = m.storeLongContent(ctx, r); err != nil {
				return Imported{}, fmt.Errorf("importing a conversation: %w", err)
			}
		}
		stored = append(stored, i)
	}
	var sum Imported
	err = m.update(ctx, a, func(t *tx) error {
		sum = Imported{}
		for _, i := range stored {
			if err := t.addImported(i, &sum); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Imported{}, fmt.Errorf("importing conversations: %w", err)
	}
	return sum, nil
}

// imported is a conversation as it is stored.
type imported struct {
	session memory.Session
	records []memory.Record // parents first
}

// importedFrom converts a conversation. All ids are derived from those of the other
// program.
func importedFrom(agentID, program string, c foreign.Conversation) imported {
	source := cmp.Or(c.ID, c.Title+"\x00"+c.Messages[0].Text)
	s := memory.Session{
		ID: memory.DerivedID(c.Began, program, source), AgentID: agentID, State: memory.SessionArchived,
		Title: c.Title, CreatedAt: cmp.Or(c.Created, c.Began),
		Imported: &memory.Imported{Program: program, ID: c.ID, UpdatedAt: c.Updated},
	}
	ids := map[string]string{"": ""}
	turns := map[string]string{}    // the turn of each message
	asked := map[string]string{}    // the user's message that each message follows
	answered := map[string]string{} // the first answer to each of the user's messages
	var out imported
	for _, m := range c.Messages {
		id := memory.DerivedID(m.Order, program, source, m.ID)
		ids[m.ID] = id
		r := memory.Record{
			ID: id, AgentID: agentID, SessionID: s.ID, ParentID: ids[m.Parent], Role: m.Role, Timestamp: m.Time,
			Status: memory.StatusComplete, Metadata: memory.RecordMetadata{Forgetful: true},
		}
		r.Root = r.ParentID == "" && len(out.records) > 0
		r.Content, r.Spans = importedContent(m)
		switch {
		case m.Role == memory.RoleUser:
			turns[m.ID], asked[m.ID] = id, m.ID
		case turns[m.Parent] == "":
			turns[m.ID] = id
		default:
			turns[m.ID], asked[m.ID] = turns[m.Parent], asked[m.Parent]
			if m.Parent == asked[m.Parent] && answered[m.Parent] != "" { // another answer is a turn of its own
				turns[m.ID], r.Metadata.Answers = id, ids[m.Parent]
			}
			answered[m.Parent] = cmp.Or(answered[m.Parent], m.ID)
		}
		r.TurnID = turns[m.ID]
		if m.Role == memory.RoleAssistant {
			if r.Model = m.Model; r.Model == memory.ModelOffline {
				r.Model = program
			}
			if m.Reasoning != "" {
				r.Reasoning = &memory.Reasoning{Text: m.Reasoning}
			}
		}
		out.records = append(out.records, r)
	}
	s.LastRecordID, s.ArchivedAt = ids[c.Current], cmp.Or(c.Updated, s.CreatedAt)
	out.session = s
	return out
}

// importedContent returns the words of a message, with its speaker and the names of its
// attachments.
func importedContent(m foreign.Message) (string, []memory.Span) {
	text, spans := m.Text, slices.Clone(m.Spans)
	if m.Speaker != "" {
		name := m.Speaker + ": "
		for i := range spans {
			spans[i].Offset += len(name)
		}
		spans = append([]memory.Span{{Length: len(name), Kind: memory.SpanName}}, spans...)
		text = name + text
	}
	if len(m.Attachments) > 0 {
		if text != "" {
			text += "\n\n"
		}
		names := "[" + strings.Join(m.Attachments, "]\n[") + "]"
		spans = append(spans, memory.Span{Offset: len(text), Length: len(names), Kind: memory.SpanTool})
		text += names
	}
	return text, spans
}

// addImported writes what is new of a conversation.
func (t *tx) addImported(i imported, sum *Imported) error {
	s, err := t.Session(t.a.id, i.session.ID)
	isNew := lacking(err)
	switch {
	case isNew:
		s = i.session
		s.Title = cmp.Or(s.Title, t.m.title(i.records[0].Asked()))
	case err != nil:
		return err
	}
	added, goesOn := 0, true // the session goes on here if its branch does not end with an imported message
	for _, r := range i.records {
		goesOn = goesOn && r.ID != s.LastRecordID
		known, err := t.HasRecord(t.a.id, r.ID)
		if err != nil {
			return err
		}
		deleted, err := t.ForgottenAt(t.a.id, memory.KindRecord, r.ID)
		switch {
		case err != nil:
			return err
		case known:
			sum.Known++
			continue
		case !deleted.IsZero() && isNew: // the user deleted the whole conversation
			sum.Deleted += len(i.records)
			return nil
		case !deleted.IsZero():
			sum.Deleted++
			continue
		}
		if err := t.AppendRecord(r); err != nil {
			return err
		}
		added++
		s.Messages++
		if r.Role == memory.RoleUser {
			s.Turns++
		}
		if r.Timestamp.After(s.LastMessageAt) {
			s.LastMessageAt = r.Timestamp
		}
	}
	newer := !isNew && s.Imported != nil && !i.session.Imported.UpdatedAt.Before(s.Imported.UpdatedAt)
	if newer {
		s.Imported = i.session.Imported
		if !s.Named && i.session.Title != "" {
			s.Title = i.session.Title
		}
		if !goesOn {
			s.LastRecordID = i.session.LastRecordID
		}
	}
	if added == 0 && !newer {
		return nil
	}
	if added > 0 {
		sum.Messages += added
		sum.Sessions = append(sum.Sessions, s.ID)
	}
	return t.PutSession(s)
}

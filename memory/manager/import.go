package manager

import (
	"cmp"
	"context"
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
}

// ImportConversations adds conversations of another program to the archive, in one write
// (D1). program names it: "chatgpt". Each conversation becomes an ended session with its
// branches and original times. Nothing is learned from them. Importing the same
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
		sum = Imported{Sessions: []string{}}
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
	first := c.Messages[0].Order
	s := memory.Session{
		ID: memory.DerivedID(first, program, c.ID), AgentID: agentID, State: memory.SessionArchived,
		Title: c.Title, CreatedAt: c.Messages[0].Time,
	}
	ids := map[string]string{"": ""}
	turns := map[string]string{}    // the turn of each message
	asked := map[string]string{}    // the user's message that each message follows
	answered := map[string]string{} // the turn's first answer, by the user's message
	var out imported
	for _, m := range c.Messages {
		id := memory.DerivedID(m.Order, program, c.ID, m.ID)
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
			s.Turns++
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
			if r.Model = cmp.Or(m.Model, c.Model, program); r.Model == memory.ModelOffline {
				r.Model = program
			}
			if m.Reasoning != "" {
				r.Reasoning = &memory.Reasoning{Text: m.Reasoning}
			}
		}
		out.records = append(out.records, r)
		if m.Time.After(s.LastMessageAt) {
			s.LastMessageAt = m.Time
		}
	}
	s.LastRecordID, s.ArchivedAt = ids[c.Current], s.LastMessageAt
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
		names := "[" + strings.Join(m.Attachments, "] [") + "]"
		spans = append(spans, memory.Span{Offset: len(text), Length: len(names), Kind: memory.SpanTool})
		text += names
	}
	return text, spans
}

func (t *tx) addImported(i imported, sum *Imported) error {
	s, err := t.Session(t.a.id, i.session.ID)
	isNew := lacking(err)
	switch {
	case isNew:
		s = i.session
		s.Turns = 0
		if s.Title == "" {
			s.Title = t.m.title(i.records[0].Asked())
		}
	case err != nil:
		return err
	}
	added, continued := 0, true
	for _, r := range i.records {
		continued = continued && r.ID != s.LastRecordID
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
	if added == 0 {
		return nil
	}
	if isNew || !continued { // the branch shown is the other program's until the user goes on here
		s.LastRecordID = i.session.LastRecordID
	}
	sum.Messages += added
	sum.Sessions = append(sum.Sessions, s.ID)
	return t.PutSession(s)
}

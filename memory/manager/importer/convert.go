package importer

import (
	"cmp"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/transfer/foreign"
)

// imported is a conversation as it is stored.
type imported struct {
	session memory.Session
	records []memory.Record // parents first
}

// convert converts a conversation. All ids are derived from those of the other
// program.
func convert(agentID, program string, c foreign.Conversation) imported {
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
			Status: memory.StatusComplete, Metadata: memory.RecordMetadata{Imported: true},
		}
		r.Root = r.ParentID == "" && len(out.records) > 0
		r.Content, r.Spans = contentOf(m)
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

// contentOf returns the words of a message, with its speaker and the names of its
// attachments.
func contentOf(m foreign.Message) (string, []memory.Span) {
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

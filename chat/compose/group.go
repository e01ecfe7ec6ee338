package compose

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/prompts"
)

// UserName is how the user is named in a group before what he says.
const UserName = "User"

// Group are the members of a conversation with a group.
type Group struct {
	// Members are the agents of the group, in the order in which they answer.
	Members []memory.Agent
	// Names tell members and former members apart, by id.
	Names map[string]string
}

// NewGroup gives every member a unique name: its id if its own name is taken or the user's.
// former are the names of former members, by id.
func NewGroup(members []memory.Agent, former map[string]string) Group {
	names := map[string]string{}
	maps.Copy(names, former)
	for _, m := range members {
		same := func(o memory.Agent) bool { return o.ID != m.ID && strings.EqualFold(o.Name, m.Name) }
		if names[m.ID] = m.Name; m.Name == "" || strings.EqualFold(m.Name, UserName) || slices.ContainsFunc(members, same) {
			names[m.ID] = m.ID
		}
	}
	return Group{Members: members, Names: names}
}

// Exists reports whether the conversation is with a group.
func (g Group) Exists() bool { return len(g.Members) > 0 }

// NameOf returns the name of a record's sender: the user, a member, or the id of a former
// member whose name is not known.
func (g Group) NameOf(sender string) string {
	switch name := g.Names[sender]; {
	case sender == "":
		return UserName
	case name != "":
		return name
	}
	return sender
}

// asHeard are records as the answering member heard them: only its own answers are those of
// the assistant.
func (b *builder) asHeard(records []memory.Record) []memory.Record {
	if !b.Group.Exists() {
		return records
	}
	out := slices.Clone(records)
	for i, r := range out {
		if r.Role == memory.RoleAssistant && r.Sender != b.Agent.ID {
			out[i].Role = memory.RoleUser
		}
	}
	return out
}

// spoken is a message, or the part that is sent, after the name of its sender unless that is
// the answering member.
func (b *builder) spoken(r memory.Record, c cut) []memory.Ref {
	ref := memory.Ref{Kind: memory.KindRecord, ID: r.ID, Cut: c.head, Tail: c.tail}
	if !b.Group.Exists() || r.Sender == b.Agent.ID {
		return []memory.Ref{ref}
	}
	return []memory.Ref{b.text(b.Group.NameOf(r.Sender) + ": "), ref}
}

// answers are the blocks of the answers that other members gave.
func (b *builder) answers() (out []memory.Block) {
	for _, r := range b.Heard {
		out = append(out, memory.Block{
			Layer: memory.LayerWindow, Role: memory.RoleUser, Parts: b.spoken(r, cut{}),
			Tokens: b.count(b.Group.NameOf(r.Sender) + ": " + r.Content),
		})
	}
	return out
}

// leaveAnswer removes the first answer (C7).
func (b *builder) leaveAnswer() {
	b.out.Package.Dropped = append(b.out.Package.Dropped, memory.Dropped{
		Layer: memory.LayerWindow, What: b.Heard[0].ID, Reason: "over the model's context",
	})
	b.Heard = b.Heard[1:]
}

// inCompany adds the other members to the system prompt.
func (b *builder) inCompany(said string) (string, error) {
	if !b.Group.Exists() {
		return said, nil
	}
	data := prompts.GroupData{Agent: b.Agent.Name, User: UserName}
	for _, m := range b.Group.Members {
		if m.ID != b.Agent.ID {
			data.Others = append(data.Others, b.Group.Names[m.ID])
		}
	}
	if len(data.Others) == 0 { // the last one left
		return said, nil
	}
	more, err := b.Prompts.Render(prompts.Group, data)
	if err != nil && more == "" {
		return "", fmt.Errorf("rendering the prompt of a group: %w", err)
	}
	return said + "\n\n" + more, nil
}

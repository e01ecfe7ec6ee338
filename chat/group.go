package chat

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/prompts"
)

// userName is how the user is named in a group before what he says.
const userName = "User"

// inGroup reports whether the conversation is with a group.
func (c *Chat) inGroup() bool { return len(c.members) > 0 }

// Members are the agents of the group that the conversation is with, in the order in
// which they answer; none when it is with one agent.
func (c *Chat) Members() []Agent { return slices.Clone(c.members) }

// InfoOf says which model answers as a member of the group; as nobody of it the one
// that judges and sums up.
func (c *Chat) InfoOf(member string) model.Info { return c.clientOf(member, c.client()).Info() }

// clientOf is who answers as a member of the group: its own model of the client's
// server, or the client.
func (c *Chat) clientOf(member string, client model.Client) model.Client {
	c.mu.Lock()
	one := c.oneModel
	c.mu.Unlock()
	i := slices.IndexFunc(c.members, func(m Agent) bool { return m.ID == member })
	if i < 0 || one {
		return client
	}
	return model.Named(client, c.members[i].Model)
}

// rememberers are those who learn from the conversation: the agent, or the group,
// whose sessions are summed up, and its members.
func (c *Chat) rememberers() []string {
	ids := []string{c.agent.ID}
	for _, m := range c.members {
		ids = append(ids, m.ID)
	}
	return ids
}

// names are those by which the members of a group are told apart, by id.
type names map[string]string

// namesOf gives every member a name of its own: the id of who has that of another, or
// the user's. Who left has the name by which he was known.
func namesOf(members []Agent, left map[string]string) names {
	out := names{}
	maps.Copy(out, left)
	for _, m := range members {
		same := func(o Agent) bool { return o.ID != m.ID && strings.EqualFold(o.Name, m.Name) }
		if out[m.ID] = m.Name; m.Name == "" || strings.EqualFold(m.Name, userName) || slices.ContainsFunc(members, same) {
			out[m.ID] = m.ID
		}
	}
	return out
}

// NameOf names who speaks in a group, by the sender of a record: the user, a member, or
// one that has left by its id.
func (c *Chat) NameOf(sender string) string { return c.nameOf(memory.Record{Sender: sender}) }

// nameOf names who says a record: the user, a member, or one that has left by its id.
func (c *Chat) nameOf(r memory.Record) string {
	switch name := c.names[r.Sender]; {
	case r.Sender == "":
		return userName
	case name != "":
		return name
	}
	return r.Sender
}

// answerers are those who answer a message: whom it is for; when it is answered again,
// those of them who gave no whole answer.
func (c *Chat) answerers(ctx context.Context, q queued) []Agent {
	if !c.inGroup() {
		return nil
	}
	if q.again {
		if owing := c.owingAnswer(ctx, q.record); len(owing) > 0 {
			return owing
		}
	}
	return Addressed(asked(q.record), c.members)
}

// owingAnswer are those whom a stored message is for and who gave no whole answer.
func (c *Chat) owingAnswer(ctx context.Context, said memory.Record) []Agent {
	to := Addressed(asked(said), c.members)
	records, err := c.memory.LastRecords(ctx, c.agent.ID, said.SessionID, lookBack)
	if err != nil {
		return to // whoever reads them next tells
	}
	return slices.DeleteFunc(to, func(who Agent) bool {
		return slices.ContainsFunc(records, func(r memory.Record) bool {
			return r.TurnID == said.TurnID && r.Sender == who.ID && r.Answers() && r.Status == memory.StatusComplete
		})
	})
}

// asked is what a message asks for, names included.
func asked(r memory.Record) string {
	r.Spans = r.Given()
	return r.Asked()
}

// withNames adds to the spans of a message the names of whom it is for: they are no
// part of what the user says of himself or looks for.
func (c *Chat) withNames(text string, spans []memory.Span) []memory.Span {
	if !c.inGroup() {
		return spans
	}
	_, at := addresses(asked(memory.Record{Content: text, Spans: spans}), c.members)
	return append(slices.Clip(spans), at...)
}

// first is in a group the member who answers first.
func (q queued) first() string {
	if len(q.to) == 0 {
		return ""
	}
	return q.to[0].ID
}

// answerInGroup lets those whom a message is for answer it, one after the other: each
// hears those before it. What they say to each other makes nobody speak, so that a
// turn ends. One who fails keeps nobody from answering; when the user cancels, nobody
// else is asked.
func (c *Chat) answerInGroup(ctx context.Context, q queued, turn manager.Turn, late *manager.UnsavedTurn, before owed) (left owed) {
	client, set := c.client(), c.settings()
	for i, who := range q.to {
		if i > 0 { // the turn is begun by then, or will be by what is left of it
			late = &manager.UnsavedTurn{Message: turn.Record, Kept: true, Begun: true, Place: late.Place, Learn: late.Learn}
		}
		mine := turn
		mine.Working = turn.Heard[who.ID]
		a := &attempt{
			c: c, agent: who, set: set, client: c.clientOf(who.ID, client), turn: mine, start: c.now(), late: late,
			before: append(slices.Clip(before), left...),
		}
		for _, n := range q.to[i+1:] {
			a.next = append(a.next, n.ID)
		}
		left = append(left, a.run(ctx)...)
		if len(a.next) == 0 {
			break
		}
	}
	return left
}

// sender is who answers, in a group.
func (a *attempt) sender() string {
	if !a.c.inGroup() {
		return ""
	}
	return a.agent.ID
}

// emit sends an event of the turn, with who answers.
func (a *attempt) emit(make func(Head) Event) {
	a.c.emit(a.turn.Record.TurnID, func(h Head) Event {
		h.Sender = a.sender()
		return make(h)
	})
}

// heard are the answers that others gave in the turn already.
func (a *attempt) heard(records []memory.Record) (out []memory.Record) {
	for _, r := range records {
		if a.c.inGroup() && r.TurnID == a.turn.Record.TurnID && r.Sender != "" && r.Sender != a.agent.ID && r.Answers() &&
			!r.Withheld() && !blank(r.Content) {
			out = append(out, r)
		}
	}
	return out
}

// asHeard are records as the one who answers has heard them: what others said is
// nothing that he said himself.
func (b *composer) asHeard(records []memory.Record) []memory.Record {
	if !b.c.inGroup() {
		return records
	}
	out := slices.Clone(records)
	for i, r := range out {
		if r.Role == memory.RoleAssistant && r.Sender != b.agent.ID {
			out[i].Role = memory.RoleUser
		}
	}
	return out
}

// spoken is a message of the conversation, or the part of it that is sent, behind the name of who
// says it, where that is another than the one who answers.
func (b *composer) spoken(r memory.Record, c cut) []memory.Ref {
	ref := memory.Ref{Kind: memory.KindRecord, ID: r.ID, Cut: c.head, Tail: c.tail}
	if !b.c.inGroup() || r.Sender == b.agent.ID {
		return []memory.Ref{ref}
	}
	return []memory.Ref{b.text(b.c.nameOf(r) + ": "), ref}
}

// answers are the blocks of what others answered to the message.
func (b *composer) answers() (out []memory.Block) {
	for _, r := range b.heard {
		out = append(out, memory.Block{
			Layer: memory.LayerWindow, Role: memory.RoleUser, Tokens: b.count(b.c.nameOf(r) + ": " + r.Content), Parts: b.spoken(r, cut{}),
		})
	}
	return out
}

// leaveAnswer takes the first of them away (C7).
func (b *composer) leaveAnswer() {
	b.out.pkg.Dropped = append(b.out.pkg.Dropped, memory.Dropped{
		Layer: memory.LayerWindow, What: b.heard[0].ID, Reason: "over the model's context",
	})
	b.heard = b.heard[1:]
}

// inCompany adds to the system prompt who else is there.
func (b *composer) inCompany(said string) (string, error) {
	if !b.c.inGroup() {
		return said, nil
	}
	data := prompts.GroupData{Agent: b.agent.Name, User: userName}
	for _, m := range b.c.members {
		if m.ID != b.agent.ID {
			data.Others = append(data.Others, b.c.names[m.ID])
		}
	}
	if len(data.Others) == 0 { // the last one left
		return said, nil
	}
	more, err := b.c.prompts.Render(prompts.Group, data)
	if err != nil && more == "" {
		return "", fmt.Errorf("rendering the prompt of a group: %w", err)
	}
	return said + "\n\n" + more, nil
}

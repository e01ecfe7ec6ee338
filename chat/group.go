package chat

import (
	"slices"

	"memoria/chat/model"
	"memoria/memory"
)

// Members are the agents of the group that the conversation is with, in the order in which
// they answer; none if it is with one agent.
func (c *Chat) Members() []Agent { return slices.Clone(c.group.Members) }

// InfoOf says which model answers as a member of the group; for any other id, the one that
// judges and sums up.
func (c *Chat) InfoOf(member string) model.Info { return c.clientOf(member, c.client()).Info() }

// NameOf names the sender of a record in a group: the user, a member, or a former member,
// by its id if its name is not known.
func (c *Chat) NameOf(sender string) string { return c.group.NameOf(sender) }

// askedWithNames is the text that a message asks, in which names of members count as words.
func askedWithNames(r memory.Record) string {
	r.Spans = r.Given()
	return r.Asked()
}

// withNames adds to the spans of a message the names of the members that it is for: they
// are no part of what the user says or looks for.
func (c *Chat) withNames(text string, spans []memory.Span) []memory.Span {
	_, at := addresses(askedWithNames(memory.Record{Content: text, Spans: spans}), c.group.Members)
	return append(slices.Clip(spans), at...)
}

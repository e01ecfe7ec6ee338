package memory

import (
	"maps"
	"slices"
	"time"
)

// Bounds of a group.
const (
	MinMembers   = 2
	MaxMembers   = 8
	MaxGroupName = 60 // in characters
)

// Group is several agents in one session (S9). Its id has the form of an agent's, and
// no agent uses it: the transcript is stored under it like an agent's. A group has no
// other memory; each member remembers what it heard.
type Group struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Members are agents, in answering order.
	Members []string `json:"members"`
	// Left are former members, which still have what they heard. Erasing in the group
	// erases it there too.
	Left []string `json:"left,omitempty"`
	// Away maps deleted members to their place in the order, for undo.
	Away map[string]int `json:"away,omitempty"`
	// Names are the last known names of members and former members.
	Names     map[string]string `json:"names,omitempty"`
	CreatedAt time.Time         `json:"created_at"`
	UpdatedAt time.Time         `json:"updated_at"`
}

// Has reports whether an agent is a member.
func (g Group) Has(agent string) bool { return slices.Contains(g.Members, agent) }

// Hearers returns all present and former members, in order of id.
func (g Group) Hearers() []string {
	all := slices.Sorted(slices.Values(append(slices.Clone(g.Members), g.Left...)))
	return slices.Compact(all)
}

// NameOf returns the name of a present or former member, or the id if none is known.
func (g Group) NameOf(agent string) string {
	if name := g.Names[agent]; name != "" {
		return name
	}
	return agent
}

// Reference returns a member's copy of a record that it heard: the fields that identify
// it, without its words.
func (r Record) Reference(member string) Record {
	return Record{
		ID: r.ID, AgentID: member, SessionID: r.SessionID, TurnID: r.TurnID, Role: r.Role,
		Timestamp: r.Timestamp, Sender: r.Sender, Heard: r.AgentID, Status: r.Status,
	}
}

// Resolved returns a reference with the words of its target record. The member's own
// fields are kept: owner, place, tags and bookmark.
func (r Record) Resolved(said Record) Record {
	said.AgentID, said.SessionID, said.ParentID, said.Heard = r.AgentID, r.SessionID, r.ParentID, r.Heard
	said.Tags, said.Collected = r.Tags, r.Collected
	return said
}

// Call records the members' names; called maps agent ids to names.
func (g *Group) Call(called map[string]string) {
	names := maps.Clone(g.Names)
	if names == nil {
		names = map[string]string{}
	}
	for _, id := range g.Members {
		if name := called[id]; name != "" {
			names[id] = name
		}
	}
	g.Names = names
}

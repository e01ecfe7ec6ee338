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

// Group is several agents that the user talks to at once (S9). Its id is of the
// same kind as an agent's, and no agent has it: the transcript lies under it as
// that of an agent does under his. A group remembers nothing else; each member
// remembers for itself what it heard.
type Group struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Members are agents, in the order in which they answer.
	Members []string `json:"members"`
	// Left are agents that were members and still have what they heard then: what
	// is erased in the group is erased there too.
	Left []string `json:"left,omitempty"`
	// Away are members that were deleted, with the place in the order to which they
	// come back when that is taken back.
	Away map[string]int `json:"away,omitempty"`
	// Names are those by which members and those who left were last known here.
	Names     map[string]string `json:"names,omitempty"`
	CreatedAt time.Time         `json:"created_at"`
	UpdatedAt time.Time         `json:"updated_at"`
}

// Has reports whether an agent is a member.
func (g Group) Has(agent string) bool { return slices.Contains(g.Members, agent) }

// Hearers are all who may have heard something in the group, in the order of
// their ids.
func (g Group) Hearers() []string {
	all := slices.Sorted(slices.Values(append(slices.Clone(g.Members), g.Left...)))
	return slices.Compact(all)
}

// NameOf is the name of a member, or of one who left; the id when none is known.
func (g Group) NameOf(agent string) string {
	if name := g.Names[agent]; name != "" {
		return name
	}
	return agent
}

// Reference is what a member keeps of a record that it heard: everything by which
// it is found, and none of its words.
func (r Record) Reference(member string) Record {
	return Record{
		ID: r.ID, AgentID: member, SessionID: r.SessionID, TurnID: r.TurnID, Role: r.Role,
		Timestamp: r.Timestamp, Sender: r.Sender, Heard: r.AgentID, Status: r.Status,
	}
}

// Resolved is a reference with the words of the record that it leads to. What is
// the member's own of it stays: whose it is, its place, tags and bookmark.
func (r Record) Resolved(said Record) Record {
	said.AgentID, said.SessionID, said.ParentID, said.Heard = r.AgentID, r.SessionID, r.ParentID, r.Heard
	said.Tags, said.Collected = r.Tags, r.Collected
	return said
}

// Call notes by which names the members are known; called are those of agents, by id.
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

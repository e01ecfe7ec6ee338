package policy

import (
	"memoria/memory"
	"memoria/memory/policy/subject"
)

// Event is one message to decide on.
type Event struct {
	Record memory.Record
	People []subject.Person // known to the memory by name
	Before string           // the user's previous message in the session, or empty
}

// Route says where a message goes (P1).
type Route struct {
	ToArchival bool // kept as it happened
	ToRecall   bool // worth analysing
	Reason     string
	// Teaches is the result of [Policy.Teaches] for a message that goes to recall.
	Teaches []Candidate
}

// Route sends every message to the archive and only statements of the user to recall (P2, P3). ToRecall
// says that the rules found something; a caller with a model may still analyse the others.
func (p *Policy) Route(e Event) Route {
	archival := func(reason string) Route { return Route{ToArchival: true, Reason: reason} }
	switch r := e.Record; {
	case r.Own():
		return archival("the program's own words")
	case r.NotForMemory:
		return archival("you had it forgotten")
	case r.Role == memory.RoleTool:
		return archival("a tool's output")
	case r.Role != memory.RoleUser:
		return archival("not the user's words")
	}
	found, why := p.teaches(e.Record.Typed(), e.People, e.Before)
	for _, c := range found {
		if c.Risk != RiskSecret {
			return Route{ToArchival: true, ToRecall: true, Reason: c.Reason, Teaches: found}
		}
	}
	if len(found) > 0 {
		return archival("holds a secret")
	}
	return archival(why)
}

package portable

import "time"

// Sum counts the things of one kind in an export by what an import makes of them.
type Sum struct {
	Total int `json:"total"`
	New   int `json:"new"`
	Known int `json:"known"` // equal, or older than what is here
	Newer int `json:"newer"` // they replace an older version here
	// Deleted were deleted here, or are the words of something that was: they stay so.
	Deleted int `json:"deleted"`
	// Kept differ from what is here without being newer: what is here is kept.
	Kept int `json:"kept"`
}

// Report says what an import would do or has done.
type Report struct {
	Agent      string    `json:"agent"` // of this memory
	From       string    `json:"from"`  // the agent of the export
	Name       string    `json:"name"`
	ExportedAt time.Time `json:"exported_at"`
	// Own says that this data folder wrote the export, Empty that the agent has no data
	// here, and DeletedAt when it was deleted here; zero for never.
	Own       bool      `json:"own"`
	Empty     bool      `json:"empty"`
	DeletedAt time.Time `json:"agent_deleted_at,omitzero"`

	Conversations Sum `json:"conversations"`
	Messages      Sum `json:"messages"`
	Memories      Sum `json:"memories"`
	Profile       Sum `json:"profile"` // versions
	Journal       Sum `json:"journal"` // files
	// Held are new memories that wait in the inbox.
	Held int `json:"held"`
	// Rules are new instructions in the export: memories about how to answer, lines of the
	// profile, and the persona.
	Rules []Rule `json:"rules"`
	// Conflicts are what differs here and in the export: what is here is kept.
	Conflicts []Conflict `json:"conflicts"`
	// Refusals says that the hashes of refused statements could not be taken over, because
	// this agent has its own key.
	Refusals bool `json:"refusals_left_out,omitempty"`
}

// Conflict is something that differs here and in an export.
type Conflict struct {
	Kind string `json:"kind"` // "session", "memory" or "journal"
	ID   string `json:"id"`
}

// Rule is an instruction in an export.
type Rule struct {
	Kind string `json:"kind"` // "memory", "profile" or "persona"
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`
}

// The kinds of a [Rule].
const (
	RuleMemory  = "memory"
	RuleProfile = "profile"
	RulePersona = "persona"
)

// Trusted reports whether the export can be imported without asking: this data folder
// wrote it, and it replaces nothing.
func (r Report) Trusted() bool { return r.Own && r.Empty && r.DeletedAt.IsZero() }

// Nothing reports whether an import would change nothing.
func (r Report) Nothing() bool {
	changes := 0
	for _, s := range []Sum{r.Conversations, r.Messages, r.Memories, r.Profile, r.Journal} {
		changes += s.New + s.Newer
	}
	return changes == 0 && !r.Empty
}

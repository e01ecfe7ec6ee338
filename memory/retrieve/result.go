package retrieve

import (
	"time"

	"memoria/memory"
)

// Scored is one candidate with everything a person needs to see why it was
// chosen or not (R8).
type Scored struct {
	Item  memory.Item  `json:"item"`
	Score float64      `json:"score"`
	Parts memory.Parts `json:"parts"` // raw
	// Contribution is each part times its weight.
	Contribution memory.Parts `json:"contribution"`
	Why          string       `json:"why"`
}

// Result is the outcome of one retrieval.
type Result struct {
	// Keywords are what was looked for: the message's, and Query.Asked.
	Keywords []string
	// Chosen are the items that would be sent, best first.
	Chosen []Scored
	// NotChosen are candidates that were looked at and left out, best first,
	// each with its reason.
	NotChosen []Scored
	// Total is the number of items that could have been recalled.
	Total int
	Took  time.Duration
	// Degraded says why the index, or the embedding model, did not answer; empty when
	// they did (R4).
	Degraded string
	// Note says what was left out on purpose; empty when nothing was.
	Note string
}

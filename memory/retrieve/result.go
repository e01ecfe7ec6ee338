package retrieve

import (
	"time"

	"memoria/memory"
)

// Scored is one candidate with the full explanation of its selection (R8).
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
	// Keywords are the search words: the message's, and Query.Asked.
	Keywords []string
	// Respelt are the words of the memory that stand for misspelt ones of the message, see
	// [Query.Respell].
	Respelt map[string][]string
	// People are those of the user's people and animals with a name that the question is about, see [Query.Know].
	People []Named
	// Chosen are the items that would be sent, best first.
	Chosen []Scored
	// NotChosen are the candidates left out, best first, each with its reason.
	NotChosen []Scored
	// Total is the number of recallable items.
	Total int
	Took  time.Duration
	// Degraded says why the index, or the embedding model, did not answer; empty if
	// they did (R4).
	Degraded string
	// Note says what was left out on purpose; empty if nothing was.
	Note string
}

package judge

import (
	"time"

	"memoria/memory"
)

// Message is one message of the conversation that may be revived, or the new
// one.
type Message struct {
	Role   memory.Role
	Sender string // who wrote it, in groups; "" where the role says it
	Text   string
	At     time.Time // zero when unknown
}

// Threshold is the total from which an old session comes back (S3): 6.0 itself
// brings it back.
const Threshold = 6.0

// Scores are the three judgements of S3, each 0–10.
type Scores struct {
	TopicRelevance   int `json:"topic_relevance"`
	IntentContinuity int `json:"intent_continuity"`
	EntityReference  int `json:"entity_reference"`
}

// tenths is ten times the total, in whole numbers: 0.4 + 0.4 + 0.2 has no exact
// form in binary, and 6.0 must not come out as 5.999.
func (s Scores) tenths() int {
	return 4*s.TopicRelevance + 4*s.IntentContinuity + 2*s.EntityReference
}

// Total is 0.4·topic + 0.4·intent + 0.2·entity: 0 to 10, in steps of 0.2.
func (s Scores) Total() float64 { return float64(s.tenths()) / 10 }

// Revives reports whether the old session comes back: Total is Threshold or
// more.
func (s Scores) Revives() bool { return s.Total() >= Threshold }

package judge

import (
	"time"

	"memoria/memory"
)

// Message is one message of the session that may be revived, or the new one.
type Message struct {
	Role   memory.Role
	Sender string // author, in groups; "" if the role says it
	Text   string
	At     time.Time // zero if unknown
}

// Threshold is the minimum total that revives an old session (S3), inclusive.
const Threshold = 6.0

// Scores are the three scores of S3, each 0–10.
type Scores struct {
	TopicRelevance   int `json:"topic_relevance"`
	IntentContinuity int `json:"intent_continuity"`
	EntityReference  int `json:"entity_reference"`
}

// tenths returns ten times the total, as an integer: 0.4 + 0.4 + 0.2 has no exact
// binary form, and 6.0 must not become 5.999.
func (s Scores) tenths() int {
	return 4*s.TopicRelevance + 4*s.IntentContinuity + 2*s.EntityReference
}

// Total returns 0.4·topic + 0.4·intent + 0.2·entity: 0 to 10, in steps of 0.2.
func (s Scores) Total() float64 { return float64(s.tenths()) / 10 }

// Revives reports whether the old session is revived: Total is at least Threshold.
func (s Scores) Revives() bool { return s.Total() >= Threshold }

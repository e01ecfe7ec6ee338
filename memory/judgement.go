package memory

import "time"

// Judgement says how a message that came after a pause found its session (S2–S4, S6).
// It stays with the message, so that it can be seen, and overruled, later.
type Judgement struct {
	// SessionID is the session that had timed out.
	SessionID string `json:"session_id"`
	// By is who judged, one of the JudgedBy constants, and Model the model's name.
	By    string `json:"by"`
	Model string `json:"model,omitempty"`
	// TopicRelevance, IntentContinuity and EntityReference are from 0 to 10, and
	// Score is what they come to, 0 to 10. All are 0 when Failed is set.
	TopicRelevance   int     `json:"topic_relevance"`
	IntentContinuity int     `json:"intent_continuity"`
	EntityReference  int     `json:"entity_reference"`
	Score            float64 `json:"score"`
	// Failed says in words why there is no judgement, and a new session therefore
	// (S4); empty when there is one.
	Failed string `json:"failed,omitempty"`
	// Revived is what was decided: the old session, or a new one.
	Revived bool `json:"revived"`
	// Idle is the pause, Took what the judging took.
	Idle time.Duration `json:"idle"`
	Took time.Duration `json:"took"`
	// Overruled says that the user decided otherwise since, OverruledAt when he last
	// did, or took it back.
	Overruled   bool      `json:"overruled,omitempty"`
	OverruledAt time.Time `json:"overruled_at,omitzero"`
	// From is where the message was before that; nil when it was never overruled.
	From *Stood `json:"from,omitempty"`
}

// Stood is a place in a session: behind which record a message was, ParentID and Root as
// in [Record], and where the session's branch ended when it was gone.
type Stood struct {
	SessionID string `json:"session_id"`
	ParentID  string `json:"parent_id,omitempty"`
	Root      bool   `json:"root,omitempty"`
	End       string `json:"end,omitempty"`
}

// Who judged.
const (
	JudgedByModel = "model"
	JudgedByRules = "rules"
	JudgedByTime  = "time" // nobody: the pause alone decided, and there are no scores
)

// InOld reports whether the message is in the session that had timed out, by
// judgement or because the user overruled it.
func (j Judgement) InOld() bool { return j.Revived != j.Overruled }

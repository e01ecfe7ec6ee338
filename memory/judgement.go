package memory

import "time"

// Judgement is the decision on a message after a pause: resume its session or not
// (S2–S4, S6). It is stored with the message, for display and for overruling.
type Judgement struct {
	// SessionID is the timed-out session.
	SessionID string `json:"session_id"`
	// By is one of the JudgedBy constants, and Model the model's name.
	By    string `json:"by"`
	Model string `json:"model,omitempty"`
	// TopicRelevance, IntentContinuity and EntityReference are from 0 to 10. Score
	// combines them, 0 to 10. All are 0 if Failed is set.
	TopicRelevance   int     `json:"topic_relevance"`
	IntentContinuity int     `json:"intent_continuity"`
	EntityReference  int     `json:"entity_reference"`
	Score            float64 `json:"score"`
	// Failed says in words why there is no judgement, and therefore a new session (S4);
	// empty if there is one.
	Failed string `json:"failed,omitempty"`
	// Revived is the decision: the old session, or a new one.
	Revived bool `json:"revived"`
	// Idle is the length of the pause, Took the duration of the judging.
	Idle time.Duration `json:"idle"`
	Took time.Duration `json:"took"`
	// Overruled says that the user has reversed the decision. OverruledAt is the time
	// of the last reversal, or of its undo.
	Overruled   bool      `json:"overruled,omitempty"`
	OverruledAt time.Time `json:"overruled_at,omitzero"`
	// From is the message's original place; nil if it was never overruled.
	From *Stood `json:"from,omitempty"`
}

// Stood is a place in a session: a message's ParentID and Root as in [Record], and the
// end of the session's branch without the message.
type Stood struct {
	SessionID string `json:"session_id"`
	ParentID  string `json:"parent_id,omitempty"`
	Root      bool   `json:"root,omitempty"`
	End       string `json:"end,omitempty"`
}

// Kinds of judges.
const (
	JudgedByModel = "model"
	JudgedByRules = "rules"
	JudgedByTime  = "time" // the pause alone decided; there are no scores
)

// InOld reports whether the message is in the timed-out session, by judgement or by
// overruling.
func (j Judgement) InOld() bool { return j.Revived != j.Overruled }

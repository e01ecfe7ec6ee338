package queue

import "time"

// Job is work that one process may leave for the next (L2).
type Job struct {
	ID        string `json:"id"`
	AgentID   string `json:"agent_id"`
	Kind      string `json:"kind"`
	SessionID string `json:"session_id"`
	TurnID    string `json:"turn_id"`
	RecordID  string `json:"record_id"` // the turn's last record; for [Rules] the user's message
	// SaidID is the user's message if it began another turn: an answer was regenerated.
	SaidID string `json:"said_id,omitempty"`
	// Ruled says that the message has, or had, a separate job of kind [Rules]: its [Analyse] does
	// not apply the rules again.
	Ruled     bool      `json:"ruled,omitempty"`
	Attempts  int       `json:"attempts"`
	CreatedAt time.Time `json:"created_at"`
	Error     string    `json:"error,omitempty"`
	// PutOff is when a model last failed to answer it: other jobs go first.
	PutOff time.Time `json:"put_off,omitzero"`
	// Generation and Epoch are those of a consolidation: it writes only while the
	// session still has this epoch (S5).
	Generation string `json:"generation,omitempty"`
	Epoch      int    `json:"epoch,omitempty"`
}

// The kinds of a job. Rules learns by rules from a turn's first message, whatever
// happens to the answer. Analyse follows the answer: it updates working memory by
// rules, and may become Ask, which waits for a language model. The job keeps its id.
// Consolidate, at the end of a session, may become Condense likewise.
const (
	Rules       = "rules"
	Analyse     = "analyse"
	Ask         = "ask"
	Consolidate = "consolidate"
	Condense    = "condense"
)

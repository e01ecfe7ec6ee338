package memory

import "time"

// SessionState is where a session stands in its life.
type SessionState string

// The states of a session.
const (
	SessionActive    SessionState = "active"
	SessionArchiving SessionState = "archiving"
	SessionArchived  SessionState = "archived"
)

// Session is one conversation with an agent.
type Session struct {
	ID      string       `json:"id"`
	AgentID string       `json:"agent_id"`
	State   SessionState `json:"state"`
	// Title is what the user sees: taken from the first message until the user
	// or a summary gives a better one.
	Title string `json:"title"`
	// Named is true when the user gave the title: no process changes it.
	Named     bool      `json:"named,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	// LastMessageAt is the time of the session's last message of any role (S1).
	LastMessageAt time.Time `json:"last_message_at"`
	ArchivedAt    time.Time `json:"archived_at,omitzero"`
	Turns         int       `json:"turns"`
	Messages      int       `json:"messages"`
	// LastRecordID is the newest record: the parent of the next one.
	LastRecordID string `json:"last_record_id,omitempty"`
	// Epoch counts resurrections. A background process remembers the epoch it
	// began in and may write only while it still holds (S5).
	Epoch int `json:"epoch"`
	// Generation names the process that made memories of this session; empty
	// when none did (S5's "memory_generated").
	Generation string `json:"generation,omitempty"`
	// Kept is what was worth keeping of the working memory (W4).
	Kept *Working `json:"kept,omitempty"`
	// TokensIn and TokensOut add up what servers reported.
	TokensIn  int `json:"tokens_in"`
	TokensOut int `json:"tokens_out"`
	// LearnIn and LearnOut are what learning from the session's turns took beside
	// that.
	LearnIn  int `json:"learn_tokens_in,omitempty"`
	LearnOut int `json:"learn_tokens_out,omitempty"`
}

// Working is what a running session is about right now (W1).
type Working struct {
	SessionID        string            `json:"session_id"`
	CurrentTopic     string            `json:"current_topic,omitempty"`
	ContextVariables map[string]string `json:"context_variables"`
	TurnCount        int               `json:"turn_count"`
	LastEmotion      string            `json:"last_emotion,omitempty"`
	CreatedAt        time.Time         `json:"created_at"`
	UpdatedAt        time.Time         `json:"updated_at"`
	// EditedAt is when the user last corrected it: what was to be analysed then
	// does not change it any more.
	EditedAt time.Time `json:"edited_at,omitzero"`
}

// Summary is title and snippet of an ended session (S12).
type Summary struct {
	SessionID  string    `json:"session_id"`
	AgentID    string    `json:"agent_id"`
	Title      string    `json:"title"`
	Snippet    string    `json:"snippet"`
	CreatedAt  time.Time `json:"created_at"`
	Generation string    `json:"generation,omitempty"`
}

// Draft is text that was typed and not sent. It survives quitting and crashing.
type Draft struct {
	AgentID   string `json:"agent_id"`
	SessionID string `json:"session_id,omitempty"`
	Text      string `json:"text"`
	// Spans are the parts that were not typed; they stay such over a restart.
	Spans     []Span    `json:"spans,omitempty"`
	UpdatedAt time.Time `json:"updated_at"`
}

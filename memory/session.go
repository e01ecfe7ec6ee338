package memory

import (
	"cmp"
	"strings"
	"time"
)

// SessionState is where a session stands in its life.
type SessionState string

// The states of a session.
const (
	SessionActive    SessionState = "active"
	SessionArchiving SessionState = "archiving"
	SessionArchived  SessionState = "archived"
)

// MemoryState is how far the memories of a session's end have come (S5).
type MemoryState string

// The states of a session's memories.
const (
	MemoriesNone       MemoryState = ""
	MemoriesGenerating MemoryState = "generating"
	MemoriesGenerated  MemoryState = "generated"
)

// Session is one conversation with an agent.
type Session struct {
	ID      string       `json:"id"`
	AgentID string       `json:"agent_id"`
	State   SessionState `json:"state"`
	// Group is the group in which it was held: this is then what a member has of
	// it, and it goes on there (S9).
	Group string `json:"group,omitempty"`
	// Title is what the user sees: taken from the first message until the user
	// or a summary gives a better one.
	Title string `json:"title"`
	// Named is true when the user gave the title: no process changes it.
	Named bool `json:"named,omitempty"`
	// Keep is true when the user marked the session to be kept where sessions are not by
	// default; Unkept when it has ended and its messages are to go (A1).
	Keep      bool      `json:"keep,omitempty"`
	Unkept    bool      `json:"unkept,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	// LastMessageAt is the time of the session's last message of any role (S1).
	LastMessageAt time.Time `json:"last_message_at"`
	ArchivedAt    time.Time `json:"archived_at,omitzero"`
	// Turns and Messages count all that is there of the session, TurnsAside those of
	// its turns that are not in the branch in use: undone, edited away. The store keeps
	// it.
	Turns      int `json:"turns"`
	TurnsAside int `json:"turns_aside,omitempty"`
	Messages   int `json:"messages"`
	// ForkedFrom is where the words before its first message lie; nil when it is no
	// fork of another session.
	ForkedFrom *Fork `json:"forked_from,omitempty"`
	// LastRecordID is the end of the branch in use: the parent of the next record.
	// It may be deleted; then the branch ends before it.
	LastRecordID string `json:"last_record_id,omitempty"`
	// Epoch counts resurrections. A background process remembers the epoch it
	// began in and may write only while it still holds (S5).
	Epoch int `json:"epoch"`
	// Generation names the process that makes or made memories of this session's
	// end, as Memories says; empty when none does (S5's "memory_generated").
	Generation string      `json:"generation,omitempty"`
	Memories   MemoryState `json:"memories,omitempty"`
	// Summary says what the session was about; nil until it has ended (S12).
	// Summaries counts the versions there ever were of it.
	Summary   *Summary `json:"summary,omitempty"`
	Summaries int      `json:"summaries,omitempty"`
	// Covered is how far consolidations have read the session, CoveredBefore how
	// far without Generation (P7).
	Covered       Reach `json:"covered,omitzero"`
	CoveredBefore Reach `json:"covered_before,omitzero"`
	// Silenced are words of the session of which the user deleted a memory: they
	// are not condensed into another one (D2).
	Silenced []Evidence `json:"silenced,omitempty"`
	// Question is what the program asked last about forgetting; nil when nothing waits
	// for an answer (U2).
	Question *Question `json:"question,omitempty"`
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

// TurnsShown is how many turns of its own the session shows: those of the branch in use.
func (s Session) TurnsShown() int { return max(0, s.Turns-s.TurnsAside) }

// Fork is where a session was forked from another one: behind RecordID, with so many
// messages before it as there were then. It holds no words of them.
type Fork struct {
	SessionID string `json:"session_id"`
	RecordID  string `json:"record_id"`
	Messages  int    `json:"messages"`
}

// Reach is a place in a session: behind so many turns, the last of whose records
// is To.
type Reach struct {
	Turns int    `json:"turns"`
	To    string `json:"to"`
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
	// From is the turn whose analysis wrote the topic ([FieldTopic]) or a variable:
	// it goes with the turn's messages (D2).
	From map[string]string `json:"from,omitempty"`
}

// Summary is title and snippet of an ended session (S12). A version of it is
// never rewritten: packages refer to it (C5).
type Summary struct {
	SessionID  string    `json:"session_id"`
	AgentID    string    `json:"agent_id"`
	Version    int       `json:"version"`
	Title      string    `json:"title"`
	Snippet    string    `json:"snippet"` // may be empty
	By         string    `json:"by"`      // ByRules or ByModel
	CreatedAt  time.Time `json:"created_at"`
	Generation string    `json:"generation,omitempty"`
	// Topics are the words that came up again and again, the most frequent first.
	Topics []Topic `json:"topics,omitempty"`
}

// Who wrote a summary.
const (
	ByRules = "rules"
	ByModel = "model"
)

// Topic is a word that a session came back to, and where the user said it.
type Topic struct {
	Word     string     `json:"word"`
	Evidence []Evidence `json:"evidence"`
}

// Line is the summary in one line, as it goes to a model.
func (s Summary) Line() string {
	switch {
	case s.Snippet == "" || strings.HasPrefix(s.Snippet, s.Title):
		return cmp.Or(s.Snippet, s.Title)
	case s.Title == "":
		return s.Snippet
	}
	return s.Title + ": " + s.Snippet
}

// Question asks which memories are to be forgotten. It holds for the next message of
// its session only.
type Question struct {
	// Items are the ids of the memories in the order of their numbers; with All the
	// question is whether all of them go.
	Items []string `json:"items,omitempty"`
	All   bool     `json:"all,omitempty"`
	// Asked are the ids of the messages that led to it.
	Asked []string `json:"asked,omitempty"`
	// Chinese is the language in which it was asked.
	Chinese bool `json:"chinese,omitempty"`
	// AnsweredBy is the id of the next message; empty until there is one.
	AnsweredBy string `json:"answered_by,omitempty"`
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

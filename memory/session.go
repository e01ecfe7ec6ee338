package memory

import (
	"cmp"
	"strings"
	"time"
)

// SessionState is a session's place in its life cycle.
type SessionState string

// The states of a session.
const (
	SessionActive    SessionState = "active"
	SessionArchiving SessionState = "archiving"
	SessionArchived  SessionState = "archived"
)

// MemoryState is the progress of a session's final memories (S5).
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
	// Group is the group in which it was held. The session is then a member's copy, and
	// continues in the group (S9).
	Group string `json:"group,omitempty"`
	// Title is shown to the user. It is taken from the first message until the user or
	// a summary gives a better one.
	Title string `json:"title"`
	// Named says that the user gave the title: no process changes it.
	Named bool `json:"named,omitempty"`
	// Keep says that the user wants to keep the session where sessions are not kept by
	// default. Unkept says that it has ended and its messages are to be deleted (A1).
	Keep      bool      `json:"keep,omitempty"`
	Unkept    bool      `json:"unkept,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	// LastMessageAt is the time of the session's last message of any role (S1).
	LastMessageAt time.Time `json:"last_message_at"`
	ArchivedAt    time.Time `json:"archived_at,omitzero"`
	// Turns and Messages count all of the session, TurnsAside its turns outside the
	// current branch: undone, edited away. The store maintains them.
	Turns      int `json:"turns"`
	TurnsAside int `json:"turns_aside,omitempty"`
	Messages   int `json:"messages"`
	// ForkedFrom locates the words before its first message; nil if it is not a fork.
	ForkedFrom *Fork `json:"forked_from,omitempty"`
	// LastRecordID is the end of the current branch: the parent of the next record. If
	// it was deleted, the branch ends before it.
	LastRecordID string `json:"last_record_id,omitempty"`
	// Epoch counts resurrections. A background process remembers its starting epoch and
	// may write only while that is current (S5).
	Epoch int `json:"epoch"`
	// Generation is the process that makes or made the session's final memories, in the
	// state Memories; empty for none (S5's "memory_generated").
	Generation string      `json:"generation,omitempty"`
	Memories   MemoryState `json:"memories,omitempty"`
	// Summary describes the session; nil until it has ended (S12). Summaries counts all
	// its versions.
	Summary   *Summary `json:"summary,omitempty"`
	Summaries int      `json:"summaries,omitempty"`
	// Covered is how far consolidations have read the session. CoveredBefore is the
	// same without Generation (P7).
	Covered       Reach `json:"covered,omitzero"`
	CoveredBefore Reach `json:"covered_before,omitzero"`
	// Silenced are words of the session whose memory the user deleted: they are not
	// consolidated again (D2).
	Silenced []Evidence `json:"silenced,omitempty"`
	// Question is the program's last question about forgetting; nil if none is pending
	// (U2).
	Question *Question `json:"question,omitempty"`
	// Imported locates the session in the program that it was imported from; nil if it was
	// held here (D1).
	Imported *Imported `json:"imported,omitempty"`
	// Kept is the saved part of the working memory (W4).
	Kept *Working `json:"kept,omitempty"`
	// TokensIn and TokensOut are the sums of the servers' reports.
	TokensIn  int `json:"tokens_in"`
	TokensOut int `json:"tokens_out"`
	// LearnIn and LearnOut are the additional tokens of learning from the session's
	// turns.
	LearnIn  int `json:"learn_tokens_in,omitempty"`
	LearnOut int `json:"learn_tokens_out,omitempty"`
}

// TurnsShown returns the number of the session's own turns in the current branch.
func (s Session) TurnsShown() int { return max(0, s.Turns-s.TurnsAside) }

// Fork locates where a session was forked from another one: after RecordID, with the
// number of messages before it at that time. It contains no words.
type Fork struct {
	SessionID string `json:"session_id"`
	RecordID  string `json:"record_id"`
	Messages  int    `json:"messages"`
}

// Imported locates a session in another program.
type Imported struct {
	Program string `json:"program"` // "chatgpt", "claude" or "jsonl"
	ID      string `json:"id,omitempty"`
	// UpdatedAt is the other program's time of the newest export that was imported.
	UpdatedAt time.Time `json:"updated_at,omitzero"`
	// Proposed says that the inbox has what the user said in the session.
	Proposed bool `json:"proposed,omitempty"`
	// ReadTo is the last message that a model has read, Read says that none is left, and
	// Unusable counts the unusable answers about the next ones.
	ReadTo   string `json:"read_to,omitempty"`
	Read     bool   `json:"read,omitempty"`
	Unusable int    `json:"unusable,omitempty"`
}

// Reach is a position in a session: after Turns turns, whose last record is To.
type Reach struct {
	Turns int    `json:"turns"`
	To    string `json:"to"`
}

// Working is the current context of a running session (W1).
type Working struct {
	SessionID        string            `json:"session_id"`
	CurrentTopic     string            `json:"current_topic,omitempty"`
	ContextVariables map[string]string `json:"context_variables"`
	TurnCount        int               `json:"turn_count"`
	LastEmotion      string            `json:"last_emotion,omitempty"`
	CreatedAt        time.Time         `json:"created_at"`
	UpdatedAt        time.Time         `json:"updated_at"`
	// EditedAt is when the user last corrected it. Analyses of earlier turns no longer
	// change it.
	EditedAt time.Time `json:"edited_at,omitzero"`
	// From maps the topic ([FieldTopic]) and variables to the turn whose analysis wrote
	// them. They are deleted with the turn's messages (D2).
	From map[string]string `json:"from,omitempty"`
}

// Summary is title and snippet of an ended session (S12). Versions are immutable, since
// packages refer to them (C5).
type Summary struct {
	SessionID  string    `json:"session_id"`
	AgentID    string    `json:"agent_id"`
	Version    int       `json:"version"`
	Title      string    `json:"title"`
	Snippet    string    `json:"snippet"` // may be empty
	By         string    `json:"by"`      // ByRules or ByModel
	CreatedAt  time.Time `json:"created_at"`
	Generation string    `json:"generation,omitempty"`
	// Topics are the recurring words, most frequent first.
	Topics []Topic `json:"topics,omitempty"`
}

// Authors of a summary.
const (
	ByRules = "rules"
	ByModel = "model"
)

// Topic is a recurring word of a session, and where the user said it.
type Topic struct {
	Word     string     `json:"word"`
	Evidence []Evidence `json:"evidence"`
}

// Line returns the summary in one line, as sent to a model.
func (s Summary) Line() string {
	switch {
	case s.Snippet == "" || strings.HasPrefix(s.Snippet, s.Title):
		return cmp.Or(s.Snippet, s.Title)
	case s.Title == "":
		return s.Snippet
	}
	return s.Title + ": " + s.Snippet
}

// Question asks which memories to forget. It is valid only for the next message of its
// session.
type Question struct {
	// Items are the ids of the memories, in the order of their numbers. With All the
	// question is whether to forget all of them.
	Items []string `json:"items,omitempty"`
	All   bool     `json:"all,omitempty"`
	// Saying are the ids of messages that no memory holds: the question is whether to keep them out of
	// the memory.
	Saying []string `json:"saying,omitempty"`
	// Waiting are the versions of Items, if the question is which of them to accept: they wait for approval. Their numbers
	// stand for them until another question is asked.
	Waiting []int `json:"waiting,omitempty"`
	// Asked are the ids of the messages that led to the question.
	Asked []string `json:"asked,omitempty"`
	// Chinese says that the question was asked in Chinese.
	Chinese bool `json:"chinese,omitempty"`
	// AnsweredBy is the id of the next message; empty until there is one.
	AnsweredBy string `json:"answered_by,omitempty"`
}

// Draft is typed but unsent text. It survives quitting and crashing.
type Draft struct {
	AgentID   string `json:"agent_id"`
	SessionID string `json:"session_id,omitempty"`
	Text      string `json:"text"`
	// Spans are the parts that were not typed; a restart keeps them.
	Spans     []Span    `json:"spans,omitempty"`
	UpdatedAt time.Time `json:"updated_at"`
}

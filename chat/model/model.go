package model

import (
	"context"
	"time"

	"memoria/memory"
)

// Roles of a [Message], as in the chat protocol.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// Purposes of a [Request]. They are logged, and the offline client answers only [PurposeReply].
const (
	PurposeReply    = "reply"
	PurposeJudge    = "judge"
	PurposeAnalysis = "analysis"
	PurposeWarm     = "warm" // one token, so that the server loads the model and caches the conversation
)

// Values of [Request.ToolChoice]; any other non-empty value is the name of the tool that must be called.
const (
	toolChoiceAuto     = "auto"
	toolChoiceNone     = "none"
	toolChoiceRequired = "required"
)

// Common finish reasons. Others are passed on unchanged.
const (
	FinishStop      = "stop"
	finishToolCalls = "tool_calls"
)

// Client is a language model.
type Client interface {
	// Stream sends req and calls on for every event, in order, from the calling goroutine. on may be nil; it
	// should return soon, because nothing is read while it runs. The reply is complete when the error is nil.
	// Otherwise the error is an [*Error], and the reply holds the part that arrived. Cancelling ctx ends the
	// call at once with [KindCancelled]; errors.Is finds context.Cause(ctx) in the error.
	Stream(ctx context.Context, req Request, on func(Event)) (Reply, error)
	// Info describes the client, for screens and records. It is cheap and never changes; see [ContextOf] for
	// the context size.
	Info() Info
}

// Info describes a client. It contains no secret and may be shown and stored.
type Info struct {
	Name          string // kind of client: "openai" or "offline"
	Endpoint      string // host and port, prefixed with "http://" if the connection is not encrypted; "" offline
	Model         string // the configured model's name
	SelfHosted    bool   // the server runs on this computer or is reached without encryption
	Offline       bool   // no language model is used
	ContextTokens int    // the configured context size in tokens, 0 if not set
}

// Message is one message of a conversation.
type Message struct {
	Role       string // one of the Role constants
	Content    string
	Name       string     // who spoke, in groups; characters that the protocol forbids are left out
	ToolCalls  []ToolCall // of an assistant message
	ToolCallID string     // of a tool message: the call it answers
}

// ToolCall is a call that the model asks for. Arguments is the model's JSON, unchecked and perhaps broken or
// cut; the owner of the tool must parse it strictly.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string
}

// Tool is a function offered to the model. Parameters is a JSON schema of type object; nil means no parameters.
type Tool struct {
	Name        string
	Description string
	Parameters  map[string]any
}

// Schema asks for a JSON answer of this shape. Servers that do not support it are asked again without it, so
// the caller must always check the answer.
type Schema struct {
	Name   string // letters, digits, _ and -, at most 64
	Schema map[string]any
	Strict bool
}

// Reasons for [Request].Unlearned.
const (
	UnlearnedPaused    = "paused"    // part of a game or a text to work on (P5b)
	UnlearnedSecret    = "secret"    // contains a secret (P5a)
	UnlearnedTemporary = "temporary" // said in a temporary chat (U5)
)

// Request holds everything needed for one answer. The client neither changes nor keeps it.
type Request struct {
	Messages    []Message
	Model       string // "" means the configured model
	Tools       []Tool
	ToolChoice  string   // "", "auto", "none", "required", or a tool's name
	MaxTokens   int      // maximum length of the answer in tokens, 0 for the server's own limit
	Temperature *float64 // 0–2, nil for the server's default
	JSONSchema  *Schema
	Toolless    *Schema // fallback where a server refuses or a model ignores tools; nil: the refusal is an error of KindTools
	Asked       string  // the user's own words; the offline client answers in their language; "" means the last user message
	Asks        bool    // the message asks something, also where the offline client cannot tell
	Chinese     bool    // the conversation is in Chinese; the offline client answers so a message without words
	Quotes      []Quote // quotes from memory for the offline client, best first; no other client sends or reads them
	Proofs      []Proof // quotes from the archive for the offline client, with their citation numbers
	ProofAsked  bool    // the user asks for proofs: when something was said, in what words, or how it is known
	Looked      bool    // the archive was searched, with or without results
	Wordless    bool    // the message has no word to search for: a greeting, thanks
	Waiting     int     // memories about the message that wait for the user's approval; only the offline client tells it
	// Learned is what the rules learned from the message before the answer, as the user sees it: new items,
	// replacements (Replaced), confirmed and held items. Only the offline client reads it, to say that it
	// remembers.
	Learned []memory.Change
	Brief   bool // the conversation ends with this answer, see [PlacesFor]; only the offline client reads it
	Told    bool // the session already has an offline answer, which explained itself and how to get a model
	// Unlearned is the reason why plain statements in the message are not kept, one of the Unlearned constants,
	// or "" if they are kept. Only the offline client reads it.
	Unlearned string
	Own       string // the program's own answer, given unchanged by the offline client; "" lets the client make one
	Once      bool   // failures are not retried
	Purpose   string // one of the Purpose constants; "" means PurposeReply
}

// Quote is a piece of memory with its source, ready to show.
type Quote struct {
	Text   string
	Source string // the journal file that has these words; empty for a memory
	// Loose says that it fits the question much less than the best; it is not shown beside better ones.
	Loose bool
	// Passage says that Text has the user's messages as the journal noted them, questions too.
	Passage bool
	When    time.Time // zero when unknown
}

// Proof is a verbatim quote from the archive, ready to show.
type Proof struct {
	Loose   bool // it only shares words with the question and must not count as evidence
	N       int
	Text    string
	Who     string // WhoUser, WhoNote, or the name of the agent that said it
	When    time.Time
	Session string // a short id; empty for a note
	Title   string // of the session; may be empty
}

// Speakers of a [Proof], besides agents.
const (
	WhoUser = "user"
	WhoNote = "note" // no speaker: a memory that was not made from a message
	WhoGone = "gone" // no speaker: a memory whose message was deleted
)

// Reply is a model's answer, complete or as far as it came.
type Reply struct {
	Text         string        // valid UTF-8, without reasoning at its beginning
	Reasoning    string        // the model's reasoning, the first 256 kB; it is never sent back (C9)
	ToolCalls    []ToolCall    // in order, including those that a server wrote into the text
	FinishReason string        // as the server named it, or ""
	Usage        memory.Usage  // the server's own count; all zero when it gave none
	Model        string        // as the server names it, else as requested
	FirstToken   time.Duration // from the call of Stream to the first event of the answer, waits included; 0 if none came
	Took         time.Duration // from the call of Stream to its end
}

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

// Purposes of a [Request]. They are written to the log, and the offline client answers only [PurposeReply].
const (
	PurposeReply    = "reply"
	PurposeJudge    = "judge"
	PurposeAnalysis = "analysis"
	PurposeWarm     = "warm" // one token, so that the server has the model and the conversation at hand
)

// Values of [Request.ToolChoice]; any other non-empty value is the name of the tool that must be called.
const (
	ToolChoiceAuto     = "auto"
	ToolChoiceNone     = "none"
	ToolChoiceRequired = "required"
)

// Finish reasons that servers commonly give. Others are passed on as they are.
const (
	FinishStop          = "stop"
	FinishLength        = "length"
	FinishToolCalls     = "tool_calls"
	FinishContentFilter = "content_filter"
)

// Client is a language model.
type Client interface {
	// Stream sends req and calls on for every event, in order, from the calling goroutine. on may be nil; it
	// should return soon, since nothing is read while it runs. The reply is complete when the error is nil.
	// With an error, which is always an [*Error], it holds what had arrived. Cancelling ctx ends the call at
	// once with [KindCancelled]; errors.Is finds context.Cause(ctx) in it.
	Stream(ctx context.Context, req Request, on func(Event)) (Reply, error)
	// Info says what is used, for screens and records. It is cheap and never changes; see [ContextOf] for the size of the context.
	Info() Info
}

// Info describes a client. It contains no secret and may be shown and stored.
type Info struct {
	Name          string // what kind of client: "openai" or "offline"
	Endpoint      string // host and port, with "http://" before it where the way there is not encrypted; "" offline
	Model         string // the configured model's name
	SelfHosted    bool   // the server is one that people run themselves: on this computer, or reached without encryption
	Offline       bool   // true when there is no language model behind it
	ContextTokens int    // the setting for the size of the model's context in tokens, 0 when it is not set
}

// Message is one message of a conversation.
type Message struct {
	Role       string // one of the Role constants
	Content    string
	Name       string     // who spoke, in groups; characters that the protocol forbids are left out
	ToolCalls  []ToolCall // of an assistant message
	ToolCallID string     // of a tool message: the call it answers
}

// ToolCall is a call that the model asks for. Arguments is JSON as the model wrote it: not checked, perhaps
// broken or cut, to be parsed strictly by whoever offered the tool.
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

// Schema asks for an answer that is JSON of this shape. Servers that do not know it are asked again without
// it, so the answer must be checked in any case.
type Schema struct {
	Name   string // letters, digits, _ and -, at most 64
	Schema map[string]any
	Strict bool
}

// Reasons for [Request].Unlearned.
const (
	UnlearnedPaused = "paused" // it is part of a game or a text to work on (P5b)
	UnlearnedSecret = "secret" // it holds a secret (P5a)
)

// Request is everything one answer is made from. The client does not change or keep it.
type Request struct {
	Messages    []Message
	Model       string // "" means the configured one
	Tools       []Tool
	ToolChoice  string   // "", or a ToolChoice constant, or a tool's name
	MaxTokens   int      // most tokens to answer with, 0 for the server's own limit
	Temperature *float64 // 0–2, nil for the server's default
	JSONSchema  *Schema
	Toolless    *Schema // stands in for the tools where a server refuses or a model ignores them; nil: the refusal is an error of KindTools
	Asked       string  // the user's own words, whose language the offline client answers in; "" means the last user message
	Quotes      []Quote // what memory offers to the offline client, best first; no other client sends or reads it
	Proofs      []Proof // what the archive has on it, for the offline client as well, numbered as they are cited
	ProofAsked  bool    // the user asks for them: when something was said, in what words, or how it is known
	Looked      bool    // the archive was looked into, whether it has proofs or not
	// Learned is what the rules made of the message before it was answered, as the user
	// is told: new items, items that took the place of others (Replaced), confirmed and
	// held ones. Only the offline client reads it, to say that it is remembered.
	Learned []memory.Change
	Told    bool // the session has an answer of the offline client already, which said what it is and how to get a model
	// Unlearned is why a message that states nothing to the memory is not kept, one of the
	// Unlearned constants; "" where plain statements are. Only the offline client reads it.
	Unlearned string
	Own       string // the program's own answer, which the offline client gives as it is; "" where it makes one of the rest
	Once      bool   // a failure is not repeated
	Purpose   string // one of the Purpose constants; "" counts as PurposeReply
}

// Quote is a piece of memory with its source, ready to be shown.
type Quote struct {
	Text   string
	Source string    // where it is from, as the user knows it: "preference", "memory.md", a session's title
	When   time.Time // zero when unknown
}

// Proof is a piece of what was said, word for word, ready to be shown.
type Proof struct {
	Loose   bool // it only shares words with what is asked, and must not be told as what was said
	N       int
	Text    string
	Who     string // WhoUser, WhoNote, or the name of the agent that said it
	When    time.Time
	Session string // a short id; empty for a note
	Title   string // of the session; may be empty
}

// Who said a [Proof], beside agents.
const (
	WhoUser = "user"
	WhoNote = "note" // nobody: it is a memory that was not made from a message
	WhoGone = "gone" // nobody: it is a memory whose message was deleted
)

// Usage is the server's own count. All zero means that it did not say.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
	CachedTokens     int `json:"cached_tokens,omitempty"` // the part of PromptTokens that the server had in its cache
}

// Reply is a model's answer, complete or as far as it came.
type Reply struct {
	Text         string     // valid UTF-8, without what the model thought at its beginning
	Reasoning    string     // what the model thought aloud, the first 256 kB of it; it is never sent back (C9)
	ToolCalls    []ToolCall // in their order, also those that a server wrote into the text
	FinishReason string     // as the server named it, "" when it named none
	Usage        Usage
	Model        string        // as the server names it, else as it was asked for
	FirstToken   time.Duration // from the call of Stream to the first event of the answer, waits included; 0 if none came
	Took         time.Duration // from the call of Stream to its end
}

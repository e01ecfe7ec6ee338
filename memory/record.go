package memory

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Role is the speaker of an archival record (A1).
type Role string

// The roles of a record.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
	RoleSystem    Role = "system"
)

// Status is how a record ended (A1).
type Status string

// The statuses of a record.
const (
	StatusIncoming    Status = "incoming"    // stored, its session not yet resolved
	StatusComplete    Status = "complete"    // ended normally
	StatusInterrupted Status = "interrupted" // the program or the connection ended it
	StatusCancelled   Status = "cancelled"   // the user ended it
	StatusError       Status = "error"       // a failure ended it; Metadata.Error says which
)

// ModelOffline is the Model of a reply written by the program. Such words are never
// sent to a model, analysed or indexed.
const ModelOffline = "offline"

// MaxContent is the size in bytes above which a record's content is in a separate file,
// named by ContentRef (A1).
const MaxContent = 256 << 10

// Usage is a server's report for one reply, in tokens.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
	// CachedTokens is the part of PromptTokens that was in the server's cache.
	CachedTokens int `json:"cached_tokens,omitempty"`
}

// Span marks a part of a record's content that is not its author's own statement.
// Offset and Length are bytes.
type Span struct {
	Offset int    `json:"offset"`
	Length int    `json:"length"`
	Kind   string `json:"kind"`
}

// The kinds of a span.
const (
	SpanPasted = "pasted"
	SpanTool   = "tool"
	SpanStdin  = "stdin"  // a text from standard input
	SpanPiped  = "piped"  // a message from standard input: its content is held (P10)
	SpanQuoted = "quoted" // typed, but not the author's own statement (K9)
	SpanName   = "name"   // typed: the addressee's name in a group
)

// Record is an archival record: one message as it happened (A1). Records are appended
// and never rewritten. The fields that the user may change (Tags, Collected,
// NotForMemory) are not part of the message.
type Record struct {
	ID        string `json:"id"`
	AgentID   string `json:"agent_id"`
	SessionID string `json:"session_id,omitempty"` // empty while incoming
	TurnID    string `json:"turn_id"`
	// ParentID is the previous record in its branch; empty for the first. It may be in
	// the session that this one was forked from, or be deleted.
	ParentID string `json:"parent_id,omitempty"`
	// Root says that the record starts a branch although others were written before: it
	// replaces the first message.
	Root       bool      `json:"root,omitempty"`
	Role       Role      `json:"role"`
	Content    string    `json:"content"`
	ContentRef string    `json:"content_ref,omitempty"`
	ContentSum string    `json:"content_sum,omitempty"` // SHA-256 of that file, hex
	Timestamp  time.Time `json:"timestamp"`
	Tags       []string  `json:"tags,omitempty"`
	Collected  bool      `json:"collected"`
	// NotForMemory says that the user had the program forget the message's content. The
	// message stays in the history; see [Record.Withheld].
	NotForMemory bool `json:"not_for_memory,omitempty"`
	// Sender is the speaking member of a group; empty for the user, and outside groups.
	Sender string `json:"sender,omitempty"`
	// Heard is the group that owns the words: this record is a member's reference
	// ([Record.Reference]). Reading resolves it.
	Heard        string `json:"heard,omitempty"`
	Status       Status `json:"status"`
	Model        string `json:"model,omitempty"`
	FinishReason string `json:"finish_reason,omitempty"`
	Usage        *Usage `json:"usage,omitempty"`
	// Reasoning is the model's reasoning before this reply (C9). It is stored for
	// display, never sent, learned from, indexed or quoted. It is nil if there is none.
	Reasoning *Reasoning `json:"reasoning,omitempty"`
	Spans     []Span     `json:"spans,omitempty"`
	// Frame marks the words of a user's message that are not about the user (P5b).
	Frame    Frame          `json:"frame,omitzero"`
	Metadata RecordMetadata `json:"metadata,omitzero"`
	// Judgement is set on the user's message after a judged pause; otherwise nil.
	Judgement *Judgement `json:"judgement,omitempty"`
	// Call is set on a record with role tool, whose content describes it in words.
	Call *Call `json:"call,omitempty"`
}

// Reasoning is a model's visible reasoning.
type Reasoning struct {
	Text string        `json:"text"`
	Took time.Duration `json:"took"` // from its first words to the first of the answer
}

// FinishCalls is the FinishReason of words followed by a tool call instead of the end
// of the answer.
const FinishCalls = "tool_calls"

// Answers reports whether the record ends an answer, unlike words before a tool call.
func (r Record) Answers() bool { return r.Role == RoleAssistant && r.FinishReason != FinishCalls }

// Own reports whether the words are the program's own (see [ModelOffline]).
func (r Record) Own() bool { return r.Model == ModelOffline }

// Forgetful reports whether the record is excluded from learning (U5, D1).
func (r Record) Forgetful() bool { return r.Metadata.Forgetful || r.Metadata.Imported }

// Withheld reports whether the record is hidden from models and from derived data:
// evidence, summaries, topics and memories.
func (r Record) Withheld() bool { return r.Own() || r.NotForMemory }

// Foreign returns the parts that are not the author's own words: pasted or piped, or
// typed quotations.
func (r Record) Foreign() []Span { return r.spansBut(SpanName) }

// Given returns the parts that the author did not type, as they came with the message.
func (r Record) Given() []Span { return r.spansBut(SpanName, SpanQuoted) }

func (r Record) spansBut(kinds ...string) (out []Span) {
	for _, s := range r.Spans {
		if !slices.Contains(kinds, s.Kind) {
			out = append(out, s)
		}
	}
	return out
}

// Asked returns the message's request, used for searches and the session's title: the
// author's typed words, including quotations, or all words if none was typed, as with a
// pipe or a paste. Learning uses [Record.Typed] instead.
func (r Record) Asked() string {
	if typed := blanked(r.Content, r.spansBut(SpanQuoted)); strings.TrimSpace(typed) != "" {
		return typed
	}
	return r.Content
}

// Typed returns the author's own typed statement. The bytes of every span are replaced
// by spaces, so that offsets stay valid.
func (r Record) Typed() string { return blanked(r.Content, r.Spans) }

func blanked(content string, spans []Span) string {
	if len(spans) == 0 {
		return content
	}
	b := []byte(content)
	for _, s := range spans {
		lo := min(max(s.Offset, 0), len(b))
		hi := min(max(s.Offset+s.Length, lo), len(b))
		for i := lo; i < hi; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	if !utf8.Valid(b) {
		return string([]rune(string(b)))
	}
	return string(b)
}

package memory

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Role says who speaks in an archival record (A1).
type Role string

// The roles of a record.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
	RoleSystem    Role = "system"
)

// Status says how a record came to its end (A1).
type Status string

// The statuses of a record.
const (
	StatusIncoming    Status = "incoming"    // kept, its session not yet resolved
	StatusComplete    Status = "complete"    // as it was meant
	StatusInterrupted Status = "interrupted" // the program or the connection ended it
	StatusCancelled   Status = "cancelled"   // the user ended it
	StatusError       Status = "error"       // a failure ended it; Metadata["error"] says which
)

// ModelOffline is the Model of a reply that no language model wrote. Such words
// are the program's own: they are never sent to a model, analysed or indexed.
const ModelOffline = "offline"

// MaxContent is the size in bytes above which a record's content lies in a file
// of its own, named by ContentRef (A1).
const MaxContent = 256 << 10

// Usage is what a server reported for one reply, in tokens.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
	// CachedTokens is the part of PromptTokens that the server had in its cache.
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
	SpanPiped  = "piped"  // a message from standard input: what it teaches is held (P10)
	SpanQuoted = "quoted" // typed, but not the author's own statement (K9)
	SpanName   = "name"   // typed: the name of whom a message in a group is for
)

// Record is an archival record: one message as it happened (A1). Records are
// appended and never rewritten; what the user may change beside the words
// (Tags, Collected, NotForMemory) is no part of the message.
type Record struct {
	ID        string `json:"id"`
	AgentID   string `json:"agent_id"`
	SessionID string `json:"session_id,omitempty"` // empty while incoming
	TurnID    string `json:"turn_id"`
	// ParentID is the record before this one in its branch; empty for the first. It
	// may lie in the session that this one was forked from, or be deleted.
	ParentID string `json:"parent_id,omitempty"`
	// Root says that nothing stands before it although others were written before:
	// it takes the place of the first message.
	Root       bool      `json:"root,omitempty"`
	Role       Role      `json:"role"`
	Content    string    `json:"content"`
	ContentRef string    `json:"content_ref,omitempty"`
	ContentSum string    `json:"content_sum,omitempty"` // SHA-256 of that file, hex
	Timestamp  time.Time `json:"timestamp"`
	Tags       []string  `json:"tags,omitempty"`
	Collected  bool      `json:"collected"`
	// NotForMemory says that the user had the program forget what the message says. It
	// stays in the history; see [Record.Withheld].
	NotForMemory bool `json:"not_for_memory,omitempty"`
	// Sender is the member of a group who speaks; empty for the user, and where there
	// is no group.
	Sender string `json:"sender,omitempty"`
	// Heard is the group under whose id the words lie: this record is what a member
	// has of it, a reference ([Record.Reference]). Reading resolves it.
	Heard        string `json:"heard,omitempty"`
	Status       Status `json:"status"`
	Model        string `json:"model,omitempty"`
	FinishReason string `json:"finish_reason,omitempty"`
	Usage        *Usage `json:"usage,omitempty"`
	// Reasoning is what the model thought before it said this (C9): kept to be shown,
	// never sent, learned from, indexed or quoted. nil where it thought nothing aloud.
	Reasoning *Reasoning `json:"reasoning,omitempty"`
	Spans     []Span     `json:"spans,omitempty"`
	// Frame says which words of a user's message are not about him (P5b).
	Frame    Frame             `json:"frame,omitzero"`
	Metadata map[string]string `json:"metadata,omitempty"`
	// Judgement is that of the user's message after which a session was revived, or
	// not; nil when nothing was judged.
	Judgement *Judgement `json:"judgement,omitempty"`
	// Call is that of a record with role tool, whose content says it in words.
	Call *Call `json:"call,omitempty"`
}

// Reasoning is what a model thought aloud.
type Reasoning struct {
	Text string        `json:"text"`
	Took time.Duration `json:"took"` // from its first words to the first of the answer
}

// FinishCalls is the FinishReason of words after which a model called a tool
// instead of ending its answer.
const FinishCalls = "tool_calls"

// Answers reports whether the record is the end of an answer, and not what a
// model said before it called a tool.
func (r Record) Answers() bool { return r.Role == RoleAssistant && r.FinishReason != FinishCalls }

// Own reports whether the words are the program's own (see [ModelOffline]).
func (r Record) Own() bool { return r.Model == ModelOffline }

// MetaForgetful in Metadata marks a message that nothing is to be learned from, and the
// answer to it (U5).
const MetaForgetful = "forgetful"

// Forgetful reports whether nothing is to be learned from the record (U5).
func (r Record) Forgetful() bool { return r.Metadata[MetaForgetful] != "" }

// Withheld reports whether no model sees the record and nothing is made of it: no
// evidence, summary, topic or memory.
func (r Record) Withheld() bool { return r.Own() || r.NotForMemory }

// Foreign returns the parts that are not the author's own words: what was not
// typed, and what was typed but quotes somebody else.
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

// Asked returns what the message asks for, which is what is looked up and what
// gives a session its title: the words its author typed, quotations included, and
// all of them where none was typed, as when everything came through a pipe or a
// paste. What is learned rests on [Record.Typed] alone.
func (r Record) Asked() string {
	if typed := blanked(r.Content, r.spansBut(SpanQuoted)); strings.TrimSpace(typed) != "" {
		return typed
	}
	return r.Content
}

// Typed returns what the author typed as his own statement. The bytes of every
// span are blanked out by spaces, so that offsets stay true.
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

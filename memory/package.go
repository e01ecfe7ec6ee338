package memory

import (
	"math"
	"time"
)

// Layer names a part of the content sent to the model (C1), after C5's blocks.
type Layer string

// The layers of a package.
const (
	LayerPersona   Layer = "persona_block"
	LayerProfile   Layer = "profile_block"
	LayerWorking   Layer = "working_block"
	LayerRecall    Layer = "recall_block"
	LayerJournal   Layer = "journal_block" // journal passages in addition to memories
	LayerSummaries Layer = "summaries_block"
	LayerEvidence  Layer = "archival_evidence_block"
	LayerWindow    Layer = "short_term_block"
	LayerNow       Layer = "now_block" // date and time (C6)
	LayerMessage   Layer = "message"
)

// Message is one message as a model receives it.
type Message struct {
	Role    Role   `json:"role"`
	Content string `json:"content"`
	// Calls are those of an assistant's message. CallID is the call that a tool's
	// message answers.
	Calls  []ToolCall `json:"tool_calls,omitempty"`
	CallID string     `json:"tool_call_id,omitempty"`
}

// Kind is the kind of a [Ref]'s target.
type Kind string

// The kinds of targets.
const (
	KindText    Kind = "text"    // the program's own words: ID is the hash of a stored text
	KindItem    Kind = "item"    // a recall item at Version
	KindRecord  Kind = "record"  // an archival record
	KindWorking Kind = "working" // working memory as of a turn (ID session, Version turn count)
	KindProfile Kind = "profile" // the profile at Version
	KindSummary Kind = "summary" // the summary of the session ID at Version
	KindPassage Kind = "passage" // words of the journal file Field; ID is their hash
	KindGroup   Kind = "group"   // a group; never part of a package
	KindUnkept  Kind = "unkept"  // a session whose messages were not kept (A1); never part of a package
)

// Form is how a referenced text is written into its message.
type Form string

// The forms of a part.
const (
	FormPlain Form = ""          // unchanged
	FormFence Form = "fenceline" // a memory line: [source] and one JSON string (C6)
	FormWish  Form = "wish"      // an answer preference: a dash and one JSON string (C6)
)

// Ref is one part of a message: a reference to stored text and how it was cut.
type Ref struct {
	Kind    Kind   `json:"kind"`
	ID      string `json:"id"`
	Version int    `json:"version,omitempty"`
	// Field is the part of working memory: [FieldTopic] or a variable's name. For journal
	// words it names the file, whose path is the source.
	Field string `json:"field,omitempty"`
	// From is the number of bytes omitted at the beginning, replaced by [OmissionMark].
	From int `json:"from,omitempty"`
	// Cut is the number of bytes used after From, followed by [TruncationMark]; 0 means
	// all.
	Cut int `json:"cut,omitempty"`
	// Tail is the number of bytes at the end of the text used after that mark. It has
	// no meaning without Cut.
	Tail int  `json:"tail,omitempty"`
	Form Form `json:"form,omitempty"`
	// Source is the label in brackets before a fenced line.
	Source string `json:"source,omitempty"`
}

// FieldTopic is the Field of the current topic.
const FieldTopic = "current_topic"

// TruncationMark ends a text that was cut at its end (C4).
const TruncationMark = "…[truncated]"

// OmissionMark begins a text that was cut at its beginning.
const OmissionMark = "…"

// Block is one layer of a package; the window is one block for each of its
// messages. See [Rendered.Messages] for how blocks become messages.
type Block struct {
	Layer Layer `json:"layer"`
	Role  Role  `json:"role"`
	Parts []Ref `json:"parts"`
	// Nonce is that of the block's fence; empty without fence (C6).
	Nonce string `json:"nonce,omitempty"`
	// Joined says that the block continues the fence of the previous one, without
	// separator.
	Joined bool `json:"joined,omitempty"`
	Tokens int  `json:"tokens"` // an estimate
	// Note says what was cut and why; empty if nothing was.
	Note string `json:"note,omitempty"`
}

// Parts are the factors of an item's score, raw (R5, R6).
type Parts struct {
	// Relevance is how well the item fits the message, absolute, 0–1 (R3a). It decides
	// whether the item may be chosen and has no weight of its own.
	Relevance float64 `json:"relevance,omitempty"`
	// KeywordScore is the relevance relative to the message's best candidate, 0–1
	// (R3a).
	KeywordScore float64 `json:"keyword_score"`
	// VectorScore is the semantic similarity, 0–1; 0 without embeddings. Its addition
	// to the keyword score is in a contribution (R3).
	VectorScore    float64 `json:"vector_score,omitempty"`
	CategoryBoost  float64 `json:"category_boost"`
	RecencyScore   float64 `json:"recency_score"`
	FrequencyScore float64 `json:"frequency_score"`
	Confidence     float64 `json:"confidence"`
	TopicBoost     float64 `json:"topic_boost"` // 1 or 1.3
}

// Rounded rounds a score for storage, to the sixth decimal. More digits are never shown,
// and would take as much room as everything else.
func Rounded(score float64) float64 { return math.Round(score*1e6) / 1e6 }

// Rounded returns the parts rounded for storage.
func (p Parts) Rounded() Parts {
	for _, f := range []*float64{
		&p.Relevance, &p.KeywordScore, &p.VectorScore, &p.CategoryBoost, &p.RecencyScore, &p.FrequencyScore, &p.Confidence, &p.TopicBoost,
	} {
		*f = Rounded(*f)
	}
	return p
}

// Used is an item that took part in a turn's retrieval, chosen or not (R8).
type Used struct {
	ItemID  string  `json:"item_id"`
	Version int     `json:"version"`
	Score   float64 `json:"score"`
	Parts   Parts   `json:"parts"`
	// Contribution is each part times its weight; the sum is the score before the topic
	// boost.
	Contribution Parts `json:"contribution"`
	Chosen       bool  `json:"chosen"`
	// Overview says that the item was chosen for an overview and not by its score: it
	// does not count as accessed (L4).
	Overview bool       `json:"overview,omitempty"`
	Why      string     `json:"why"`
	Evidence []Evidence `json:"evidence,omitempty"`
}

// Dropped is content that the budgets left out of a turn.
type Dropped struct {
	Layer  Layer  `json:"layer"`
	What   string `json:"what"` // a record or item id, or a count in words
	Reason string `json:"reason"`
}

// Citation is one evidence source of a turn (A3). It refers to the words and contains
// none.
type Citation struct {
	// N is its number in the answer, from 1.
	N int `json:"n"`
	// Evidence refers to the words. Its RecordID is empty for a memory without a source
	// message.
	Evidence
	// ItemID is the memory made from the words, at Version; empty for a source found by
	// its words alone.
	ItemID  string    `json:"item_id,omitempty"`
	Version int       `json:"version,omitempty"`
	Role    Role      `json:"role,omitempty"` // role of the author
	Time    time.Time `json:"time"`
	// InWindow says that the message was also part of the conversation window.
	InWindow bool `json:"in_window,omitempty"`
}

// FoundPassage is a journal passage that took part in a turn (J6). It contains no words.
type FoundPassage struct {
	File   string      `json:"file"` // id of the file, as in [Ref].Field
	Kind   JournalKind `json:"kind"`
	Date   string      `json:"date,omitempty"`
	Record string      `json:"record,omitempty"` // source message; empty for several
	Score  float64     `json:"score"`            // BM25, raw
	Chosen bool        `json:"chosen"`
	Why    string      `json:"why"`
}

// Quoted is quoted words of a journal file; Words is empty if only the path is needed.
type Quoted struct{ Path, Words string }

// Look says why a turn searched the archive (A2).
type Look struct {
	Trigger string `json:"trigger"` // see retrieve.Trigger
	// Before says that the sources are those of the previous answer, which the message
	// asks about.
	Before bool `json:"before,omitempty"`
	// Loose says that no source is relevant to the message: they only share words with
	// it.
	Loose bool `json:"loose,omitempty"`
	// From and To bound the time that the message names; zero means open.
	From time.Time `json:"from,omitzero"`
	To   time.Time `json:"to,omitzero"`
}

// Package describes the content that one turn sent to the model (C5), by reference.
type Package struct {
	AgentID   string    `json:"agent_id"`
	SessionID string    `json:"session_id"`
	TurnID    string    `json:"turn_id"`
	CreatedAt time.Time `json:"created_at"`
	// Turn is the turn's number in its session, and the version of working memory used.
	Turn     int     `json:"turn"`
	Model    string  `json:"model"`
	Endpoint string  `json:"endpoint"`
	Blocks   []Block `json:"blocks"`
	Used     []Used  `json:"used,omitempty"`
	// Look is nil if the archive was not searched (A2).
	Look      *Look      `json:"look,omitempty"`
	Citations []Citation `json:"citations,omitempty"`
	// Found are the journal passages found for the message, best first.
	Found    []FoundPassage `json:"found,omitempty"`
	Dropped  []Dropped      `json:"dropped,omitempty"`
	Keywords []string       `json:"keywords,omitempty"`
	// Degraded says why retrieval was degraded; empty if it was not (R4).
	Degraded string `json:"degraded,omitempty"`
	// Tokens is the estimate for the whole package; Limit is its maximum.
	Tokens int    `json:"tokens"`
	Limit  int    `json:"limit"`
	Hash   string `json:"hash"` // SHA-256 of the messages' JSON followed by Tools, hex
	// Tools are the descriptions of the callable tools.
	Tools []Ref `json:"tools,omitempty"`
	// Quoted are the journal words that parts refer to, and the paths of their files. They
	// are stored in a separate record, and are not loaded with the package.
	Quoted []Quoted `json:"-"`
	// Rounds are the further requests of the turn, each after a call of the model.
	Rounds []Round `json:"rounds,omitempty"`
}

// Shortened maps the record IDs of shortened conversation messages to what was left of
// them and why (C3).
func (p Package) Shortened() map[string]string {
	out := map[string]string{}
	for _, b := range p.Blocks {
		for _, part := range b.Parts {
			if b.Layer == LayerWindow && part.Kind == KindRecord && part.Cut > 0 {
				out[part.ID] = b.Note
			}
		}
	}
	return out
}

// RenderedBlock is a block with its text.
type RenderedBlock struct {
	Layer  Layer  `json:"layer"`
	Role   Role   `json:"role"`
	Text   string `json:"text"`
	Tokens int    `json:"tokens"`
	Note   string `json:"note,omitempty"`
	Joined bool   `json:"joined,omitempty"` // as in its [Block]
	// Forgotten counts the parts whose text was deleted since.
	Forgotten int `json:"forgotten,omitempty"`
}

// Rendered is a package with its references resolved.
type Rendered struct {
	Package
	Rendered []RenderedBlock `json:"rendered"`
	// Exact says that the messages hash to Hash: these are the bytes that were sent. It
	// is false once any content was deleted.
	Exact bool `json:"exact"`
	// Offered is the text of Tools.
	Offered []string `json:"offered,omitempty"`
	// Files maps the names in Found to paths, without deleted files.
	Files map[string]string `json:"files,omitempty"`
	// Further are the rounds; each has an Exact of its own.
	Further []RenderedRound `json:"further,omitempty"`
}

// Messages returns the rendered blocks as the messages of the turn's first request; see
// [Rendered.Request] for the others. Consecutive blocks of one role become one message, separated by
// an empty line unless joined: the templates of many local models refuse two messages of one role in a
// row, or a system message after the first.
func (r Rendered) Messages() []Message {
	var out []Message
	for _, b := range r.Rendered {
		if n := len(out); n > 0 && out[n-1].Role == b.Role {
			if !b.Joined {
				out[n-1].Content += "\n\n"
			}
			out[n-1].Content += b.Text
			continue
		}
		out = append(out, Message{Role: b.Role, Content: b.Text})
	}
	return out
}

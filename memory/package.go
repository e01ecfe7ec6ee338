package memory

import (
	"math"
	"time"
)

// Layer names one part of what is sent to the model (C1). The names are those
// of C5's blocks.
type Layer string

// The layers of a package.
const (
	LayerPersona   Layer = "persona_block"
	LayerProfile   Layer = "profile_block"
	LayerWorking   Layer = "working_block"
	LayerRecall    Layer = "recall_block"
	LayerJournal   Layer = "journal_block" // what the journal adds to the memories
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
	// Calls are those of an assistant's message; CallID names the one that a tool's
	// message answers.
	Calls  []ToolCall `json:"tool_calls,omitempty"`
	CallID string     `json:"tool_call_id,omitempty"`
}

// Kind says what a [Ref] points to.
type Kind string

// What a part of a package can be.
const (
	KindText    Kind = "text"    // words of the program: ID is the hash of a stored text
	KindItem    Kind = "item"    // a recall item at Version
	KindRecord  Kind = "record"  // an archival record
	KindWorking Kind = "working" // working memory as of a turn (ID session, Version turn count)
	KindProfile Kind = "profile" // the profile at Version
	KindSummary Kind = "summary" // the summary of the session ID at Version
	KindPassage Kind = "passage" // words of the file Field of the journal; ID is their hash
	KindGroup   Kind = "group"   // a group; no part of a package
	KindUnkept  Kind = "unkept"  // a session whose messages were not kept (A1); no part of a package
)

// Form says how the text behind a reference is written into its message.
type Form string

// The forms of a part.
const (
	FormPlain Form = ""          // as it is
	FormFence Form = "fenceline" // a memory line: [source] and one JSON string (C6)
	FormWish  Form = "wish"      // a wish about answers: a dash and one JSON string (C6)
)

// Ref is one part of a message: a reference to stored text and how it was cut.
type Ref struct {
	Kind    Kind   `json:"kind"`
	ID      string `json:"id"`
	Version int    `json:"version,omitempty"`
	// Field is the part of working memory: [FieldTopic] or a variable's name. Of words that
	// stand in the journal it names the file, whose path is the source.
	Field string `json:"field,omitempty"`
	// From is the number of bytes left out at the beginning, with [OmissionMark] in
	// their place.
	From int `json:"from,omitempty"`
	// Cut is the number of bytes of the text that were used, from there on, with
	// [TruncationMark] after them; 0 means all of it.
	Cut int `json:"cut,omitempty"`
	// Tail is the number of bytes of the text's end that were used as well, after that
	// mark. Without Cut it means nothing.
	Tail int  `json:"tail,omitempty"`
	Form Form `json:"form,omitempty"`
	// Source is what stands in brackets before a fenced line.
	Source string `json:"source,omitempty"`
}

// FieldTopic is the Field of the current topic.
const FieldTopic = "current_topic"

// TruncationMark ends every text that was cut (C4).
const TruncationMark = "…[truncated]"

// OmissionMark begins every text that was cut at its beginning.
const OmissionMark = "…"

// Block is one layer of a package; the window is one block for each of its
// messages. See [Rendered.Messages] for how blocks become messages.
type Block struct {
	Layer Layer `json:"layer"`
	Role  Role  `json:"role"`
	Parts []Ref `json:"parts"`
	// Nonce is that of the block's fence; empty when it has none (C6).
	Nonce string `json:"nonce,omitempty"`
	// Joined says that the block goes on in the fence of the one before it: nothing
	// stands between them.
	Joined bool `json:"joined,omitempty"`
	Tokens int  `json:"tokens"` // an estimate
	// Note says what was cut and why; empty when nothing was.
	Note string `json:"note,omitempty"`
}

// Parts are the factors of an item's score, raw (R5, R6).
type Parts struct {
	// Relevance is how well the item fits the message, absolute, 0–1 (R3a). It decides
	// whether the item may be chosen and has no weight of its own.
	Relevance float64 `json:"relevance,omitempty"`
	// KeywordScore is the relevance relative to the best of the message's candidates,
	// 0–1 (R3a).
	KeywordScore float64 `json:"keyword_score"`
	// VectorScore is how near the item is in meaning, 0–1; 0 without embeddings. What
	// it adds to the keyword score is in a contribution (R3).
	VectorScore    float64 `json:"vector_score,omitempty"`
	CategoryBoost  float64 `json:"category_boost"`
	RecencyScore   float64 `json:"recency_score"`
	FrequencyScore float64 `json:"frequency_score"`
	Confidence     float64 `json:"confidence"`
	TopicBoost     float64 `json:"topic_boost"` // 1 or 1.3
}

// Rounded is a score as a package keeps it, to the sixth decimal: more is said nowhere, and
// would take as much room as all the rest.
func Rounded(score float64) float64 { return math.Round(score*1e6) / 1e6 }

// Rounded returns the parts as a package keeps them.
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
	// Contribution is each part times its weight; they add up to the score
	// before the topic boost.
	Contribution Parts `json:"contribution"`
	Chosen       bool  `json:"chosen"`
	// Overview says that the item was chosen for an overview of the memory and not by
	// its score: it does not count as accessed (L4).
	Overview bool       `json:"overview,omitempty"`
	Why      string     `json:"why"`
	Evidence []Evidence `json:"evidence,omitempty"`
}

// Dropped says what the budgets left out of a turn.
type Dropped struct {
	Layer  Layer  `json:"layer"`
	What   string `json:"what"` // a record or item id, or a count in words
	Reason string `json:"reason"`
}

// Citation is one source that a turn had as evidence (A3). It leads to the words
// and holds none of them.
type Citation struct {
	// N is its number, from 1, by which an answer cites it.
	N int `json:"n"`
	// Evidence are the words; its RecordID is empty for a memory that no message
	// is left of, or that came from none.
	Evidence
	// ItemID is the memory made from them, at Version; empty when words alone led
	// here.
	ItemID  string    `json:"item_id,omitempty"`
	Version int       `json:"version,omitempty"`
	Role    Role      `json:"role,omitempty"` // who said it
	Time    time.Time `json:"time"`
	// InWindow says that the message was in front of the model anyway, as a part
	// of the conversation.
	InWindow bool `json:"in_window,omitempty"`
}

// FoundPassage is a passage of the journal that took part in a turn (J6). It holds none of
// its words.
type FoundPassage struct {
	File   string      `json:"file"` // names it, as [Ref].Field does
	Kind   JournalKind `json:"kind"`
	Date   string      `json:"date,omitempty"`
	Record string      `json:"record,omitempty"` // the message that it is from; empty: several
	Score  float64     `json:"score"`            // BM25, raw
	Chosen bool        `json:"chosen"`
	Why    string      `json:"why"`
}

// Quoted are words of a file of the journal; none where only its path is needed.
type Quoted struct{ Path, Words string }

// Look says why a turn looked into the archive (A2).
type Look struct {
	Trigger string `json:"trigger"` // see retrieve.Trigger
	// Before says that the sources are those of the answer before, which the
	// message asks about.
	Before bool `json:"before,omitempty"`
	// Loose says that none of the sources bears on the message: they only share words
	// with it.
	Loose bool `json:"loose,omitempty"`
	// From and To bound the time that the message names; zero is open.
	From time.Time `json:"from,omitzero"`
	To   time.Time `json:"to,omitzero"`
}

// Package says what one turn sent to the model (C5), by reference.
type Package struct {
	AgentID   string    `json:"agent_id"`
	SessionID string    `json:"session_id"`
	TurnID    string    `json:"turn_id"`
	CreatedAt time.Time `json:"created_at"`
	// Turn is the turn's number in its session, which is also the version of
	// working memory that it saw.
	Turn     int     `json:"turn"`
	Model    string  `json:"model"`
	Endpoint string  `json:"endpoint"`
	Blocks   []Block `json:"blocks"`
	Used     []Used  `json:"used,omitempty"`
	// Look is nil when the archive was not looked into (A2).
	Look      *Look      `json:"look,omitempty"`
	Citations []Citation `json:"citations,omitempty"`
	// Found are the passages of the journal that were found for the message, best first.
	Found    []FoundPassage `json:"found,omitempty"`
	Dropped  []Dropped      `json:"dropped,omitempty"`
	Keywords []string       `json:"keywords,omitempty"`
	// Degraded says why retrieval was not at its best; empty when it was (R4).
	Degraded string `json:"degraded,omitempty"`
	// Tokens is the estimate for the whole; Limit is what it had to fit into.
	Tokens int    `json:"tokens"`
	Limit  int    `json:"limit"`
	Hash   string `json:"hash"` // SHA-256 of the messages' JSON and of Tools behind it, hex
	// Tools are descriptions of what the model could call; none, when nothing.
	Tools []Ref `json:"tools,omitempty"`
	// Quoted are the words of the journal that parts refer to, and the paths of its files.
	// They are stored beside the package, and are not read with it.
	Quoted []Quoted `json:"-"`
	// Rounds are the further requests of the turn, each after a call of the model.
	Rounds []Round `json:"rounds,omitempty"`
}

// Shortened says of each message of the conversation that was sent in part what was
// left of it and why, by record ID (C3).
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

// Rendered is a package with its references resolved again.
type Rendered struct {
	Package
	Rendered []RenderedBlock `json:"rendered"`
	// Exact is true when the messages hash to Hash: these are the very bytes
	// that were sent. It is false once something in it was deleted.
	Exact bool `json:"exact"`
	// Offered is the text of Tools.
	Offered []string `json:"offered,omitempty"`
	// Files are the paths of Found, by their names; of those that were deleted there is none.
	Files map[string]string `json:"files,omitempty"`
	// Further are the rounds; each has an Exact of its own.
	Further []RenderedRound `json:"further,omitempty"`
}

// Messages returns the rendered blocks as they went to the model with the turn's
// first request; see [Rendered.Request] for the others. Neighbours of
// one role are one message, with an empty line between them unless they are joined: many local models'
// templates refuse two messages of one role in a row, or a system message after
// the first.
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

package policy

import (
	"encoding/json"
	"time"

	"memoria/memory"
)

// Polarity says on which side a statement stands. Two statements about one thing with different polarity
// contradict each other.
type Polarity string

// The sides a statement can stand on; a statement that takes none, like a name, has the zero value.
const (
	Positive Polarity = "positive"
	Negative Polarity = "negative"
)

// Risk says how careful one has to be with a candidate (P5).
type Risk int

// The risks, in order.
const (
	RiskNone   Risk = iota
	RiskPII         // holds personal data: treated as pii_policy says
	RiskSecret      // holds a key, card number or password: never written
)

// String returns "none", "pii" or "secret".
func (r Risk) String() string {
	switch r {
	case RiskPII:
		return "pii"
	case RiskSecret:
		return "secret"
	}
	return "none"
}

// Statement is the JSON in the Value of an item that a rule made: what the conclusion says, apart from
// its wording. Empty fields are left out.
type Statement struct {
	// Value is the object of the conclusion as the user wrote it: "oolong tea", "Bo", "学日语".
	Value string `json:"value"`
	// Polarity is set where the thing could also be denied.
	Polarity Polarity `json:"polarity,omitempty"`
	// Over is what Value is preferred to.
	Over string `json:"over,omitempty"`
	// When is a date or time limit in the user's words.
	When string `json:"when,omitempty"`
}

// Candidate is a recall item that somebody proposes: a rule ([Policy.Extract]), a model or another
// program. It is data only; whether and how it is written decide [Policy.PlanUpsert] and [Policy.Admit].
type Candidate struct {
	Type memory.Type
	// Key is the slot that the conclusion fills. A slot that holds one value (name, home, favourite/…) has
	// a fixed key; one of many (preference/…) ends in its folded object.
	Key   string
	Title string
	// Value is a [Statement] when a rule made the candidate, else any JSON.
	Value json.RawMessage
	// Content is the conclusion as a short sentence in the user's language, without a subject: the
	// subject of every item is the user, and naming it would make every item match the word "user".
	Content    string
	Tags       []string
	Confidence float64 // 0–1
	Importance float64 // 0–1
	Source     memory.Source
	// Explicit is true when the user asked for it to be remembered; that is a yes to pii_policy ask (P5).
	Explicit bool
	Polarity Polarity
	// Correction is true when the statement was marked as correcting an earlier one ("actually …").
	Correction bool
	// Corrects is the value that is declared wrong ("not Lyon"). A correction that names no slot itself
	// ("actually it's Paris, not Lyon") has a key below "correction/" and takes over the slot of the
	// existing item that holds this value; see [Policy.PlanUpsert].
	Corrects string
	// Ends are the items that end because of it (P4).
	Ends []Ending `json:",omitempty"`
	// ValidTo is when it holds no more, the end of its date; zero: it has no end (P9a).
	ValidTo time.Time `json:",omitzero"`
	// Doubt is what the message most probably is when that is nothing the user says of himself, such as "draft"; empty
	// when there is no doubt. Then the candidate waits for the user.
	Doubt string `json:",omitempty"`
	// Offset and Length are the bytes of the statement in the text it came from.
	Offset, Length int
	// Rule names the rule that fired; Reason says in a few words why this is worth keeping.
	Rule   string
	Reason string
	Risk   Risk
}

// Statement returns the candidate's value as a [Statement]; ok is false when it is other JSON.
func (c Candidate) Statement() (s Statement, ok bool) { return statementOf(c.Value) }

func statementOf(value json.RawMessage) (s Statement, ok bool) {
	if len(value) == 0 || json.Unmarshal(value, &s) != nil || s.Value == "" {
		return Statement{}, false
	}
	return s, true
}

// Item returns an item that says what the candidate says. Identity, times, evidence, trust and state are
// the caller's to fill in.
func (c Candidate) Item() memory.Item {
	return memory.Item{
		Type: c.Type, Key: c.Key, Title: c.Title, Value: c.Value, Content: c.Content, Tags: c.Tags,
		Confidence: c.Confidence, Importance: c.Importance, Source: c.Source, ValidTo: c.ValidTo,
	}
}

func (c *Candidate) setStatement(s Statement) {
	b, err := json.Marshal(s)
	if err != nil {
		panic("policy: a statement of strings did not encode: " + err.Error())
	}
	c.Value = b
}

package policy

import (
	"encoding/json"
	"time"

	"memoria/memory"
)

// Polarity is the side of a statement. Two statements about one thing with different polarity contradict
// each other.
type Polarity string

// The polarities; a statement without one, like a name, has the zero value.
const (
	Positive Polarity = "positive"
	Negative Polarity = "negative"
)

// Risk is the risk of storing a candidate (P5).
type Risk int

// The risks, in order.
const (
	RiskNone   Risk = iota
	RiskPII         // contains personal data: pii_policy applies
	RiskSecret      // contains a key, card number or password: never written
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

// Statement is the JSON Value of an item made by a rule: its meaning, independent of wording. Empty
// fields are omitted.
type Statement struct {
	// Value is the object of the conclusion as the user wrote it: "oolong tea", "Bo", "学日语".
	Value string `json:"value"`
	// Polarity is set if the thing could also be denied.
	Polarity Polarity `json:"polarity,omitempty"`
	// Over is the thing that Value is preferred to.
	Over string `json:"over,omitempty"`
	// When is a date or time limit in the user's words.
	When string `json:"when,omitempty"`
}

// Candidate is a recall item proposed by a rule ([Policy.Extract]), a model or another program. It is
// plain data; [Policy.PlanUpsert] and [Policy.Admit] decide whether and how it is written.
type Candidate struct {
	Type memory.Type
	// Key is the slot of the conclusion. A single-valued slot (name, home, favourite/…) has a fixed key; a
	// multi-valued one (preference/…) ends in its folded object.
	Key   string
	Title string
	// Value is a [Statement] if a rule made the candidate, otherwise any JSON.
	Value json.RawMessage
	// Content is the conclusion as a short sentence in the user's language, without a subject: the
	// subject of every item is the user, and naming it would make every item match the word "user".
	Content    string
	Tags       []string
	Confidence float64 // 0–1
	Importance float64 // 0–1
	Source     memory.Source
	// Explicit says that the user asked to remember it, which approves it under pii_policy ask (P5).
	Explicit bool
	Polarity Polarity
	// Correction says that the statement corrects an earlier one ("actually …").
	Correction bool
	// Corrects is the value declared wrong ("not Lyon"). A correction without a slot ("actually it's
	// Paris, not Lyon") has a key below "correction/" and takes the slot of the item with this value;
	// see [Policy.PlanUpsert].
	Corrects string
	// Ends are the items that the candidate ends (P4).
	Ends []Ending `json:",omitempty"`
	// ValidTo is the end of its date; zero for none (P9a).
	ValidTo time.Time `json:",omitzero"`
	// Doubt is the probable nature of the message if it is not a statement of the user about himself, such as
	// "draft"; empty if there is no doubt. With a doubt the candidate is held.
	Doubt string `json:",omitempty"`
	// Offset and Length are the bytes of the statement in its source text.
	Offset, Length int
	// Rule names the matching rule; Reason says in a few words why the conclusion is worth
	// keeping.
	Rule   string
	Reason string
	Risk   Risk
}

// Statement returns the candidate's value as a [Statement]; ok is false for other JSON.
func (c Candidate) Statement() (s Statement, ok bool) { return StatementOf(c.Value) }

// StatementOf returns the [Statement] of an item's value; ok is false for other JSON.
func StatementOf(value json.RawMessage) (s Statement, ok bool) {
	if len(value) == 0 || json.Unmarshal(value, &s) != nil || s.Value == "" {
		return Statement{}, false
	}
	return s, true
}

// Item returns an item with the candidate's content. The caller sets identity, times, evidence, trust
// and state.
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

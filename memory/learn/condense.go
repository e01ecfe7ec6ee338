package learn

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/policy"
	"memoria/prompts"
)

// Said is one message of the user in a consolidated session.
type Said struct {
	Text string // typed words; pasted parts are blanks
	// New says that no earlier consolidation has read it: memories may be made of it.
	New bool
	// Used are the words with a memory, or for which the user wants none.
	Used []Used
}

// Used is a part of a message with its memory; Content is empty if there shall be none.
type Used struct {
	Offset, Length int
	Content        string
}

// Dialogue is a session as input of a consolidation (P7, S12).
type Dialogue struct {
	Ended bool // a summary is requested
	Said  []Said
	// Accepted are the user's memories with sensitive content, which a summary may
	// mention.
	Accepted []string
}

// CondenseToolName is the answer tool of a consolidation.
const CondenseToolName = "consolidation"

const (
	maxDialogue   = 12000 // characters of all messages sent to the model
	maxMessage    = 800   // of one
	maxKnownItems = 20
	minEpisode    = 3 // sentences
	maxEpisode    = 4
	maxQuotes     = 4
)

// MaxTitle and MaxSnippet bound a summary, in characters.
const (
	MaxTitle   = 80
	MaxSnippet = 300
)

// condensedTypes are the types of a consolidation: those of a turn, and those that need
// several messages.
var condensedTypes = append(slices.Clone(itemTypes), memory.TypeEpisode)

// NewCondensing makes the request about a session (I6). From a long one it takes the
// latest messages. With an error that wraps a *prompts.OverrideError the request is
// complete.
func NewCondensing(set *prompts.Set, d Dialogue) (Request, error) {
	data := prompts.ConsolidationData{Ended: d.Ended}
	room := maxDialogue
	for _, s := range slices.Backward(d.Said) {
		said := cut(blanks(s.Text), maxMessage)
		if room -= utf8.RuneCountInString(said); room < 0 {
			break
		}
		data.Messages = append(data.Messages, prompts.ConsolidationMessage{Text: said, New: s.New})
		for _, u := range s.Used {
			if u.Content != "" && len(data.Known) < maxKnownItems && !slices.Contains(data.Known, u.Content) {
				data.Known = append(data.Known, cut(u.Content, maxBefore))
			}
		}
	}
	slices.Reverse(data.Messages)
	return newRequest(set, question{
		what: "a consolidation", prompt: prompts.Consolidation, tool: prompts.ConsolidationTool, fields: prompts.ConsolidationFields,
		name: CondenseToolName, tokens: answerTokens,
		schema: object(map[string]any{
			"title": textField, "snippet": textField,
			"items": list(itemSchema(condensedTypes, "quotes", list(textField))),
		}),
	}, data)
}

// Fits returns how many of the first messages fit into one request.
func Fits(said []Said) int {
	room := maxDialogue
	for i, s := range said {
		if room -= utf8.RuneCountInString(cut(blanks(s.Text), maxMessage)); room < 0 {
			return i
		}
	}
	return len(said)
}

// Condensed is a parsed but unjudged answer about a session.
type Condensed struct {
	Title, Snippet string // empty: no usable one
	Items          []CondensedItem
	Refused        []Refusal
}

// CondensedItem is an item with several quotations.
type CondensedItem struct {
	Item
	Quotes []string
}

// ParseCondensed parses an answer to [NewCondensing], as strictly as [Parse].
func ParseCondensed(a Answer) (Condensed, error) {
	fields, err := a.fields("title", "snippet", "items")
	if err != nil {
		return Condensed{}, err
	}
	var out Condensed
	var lines Analysis // reads lines
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch name {
		case "title":
			out.Title = lines.line(fields[name], MaxTitle, "a title")
		case "snippet":
			out.Snippet = lines.line(fields[name], MaxSnippet, "a snippet")
		case "items":
			out.Items, lines.Refused = itemsOf(fields[name], condensedItem, lines.Refused)
		default:
			lines.refuse("a field that a consolidation does not have", 1)
		}
	}
	out.Refused = lines.Refused
	return out, nil
}

func condensedItem(one json.RawMessage) (CondensedItem, string) {
	var in struct {
		Type, Subject, About, Content *string
		Quotes                        []*string
		Confidence, Importance        *float64
	}
	const form = "an item of the wrong form"
	if strict(one, &in) != nil || in.Type == nil || in.Content == nil || in.Confidence == nil || in.Importance == nil {
		return CondensedItem{}, form
	}
	it := CondensedItem{Item: Item{
		Type: memory.Type(*in.Type), Content: oneLine(*in.Content), Confidence: *in.Confidence, Importance: *in.Importance,
	}}
	it.Subject, it.About = lineOf(in.Subject), lineOf(in.About)
	for _, q := range in.Quotes {
		if q == nil {
			return it, form
		}
		if it.Quote = strings.TrimSpace(*q); it.unfit() != "" {
			return it, it.unfit()
		}
		it.Quotes = append(it.Quotes, it.Quote)
	}
	it.Quote = ""
	switch {
	case !slices.Contains(condensedTypes, it.Type):
		return it, whyType
	case len(it.Quotes) == 0:
		return it, policy.WhyNoQuote
	case len(it.Quotes) > maxQuotes:
		return it, "an item with too many quotations"
	}
	return it, it.unfit()
}

package learn

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/policy/sensitive"
)

// Limits of an answer; excess is refused, not cut.
const (
	maxAnswer    = 64 << 10 // bytes
	maxContent   = 600      // characters; memory has a separate limit
	maxQuote     = 1000
	maxAbout     = 64
	maxTopic     = 200
	maxName      = 64
	maxValue     = 200
	minConfident = 0.3

	// MaxItems bounds the items of one answer.
	MaxItems = 8
	// MaxVariables bounds a session's working memory variables from analyses.
	MaxVariables = 20
)

var (
	itemTypes = []memory.Type{
		memory.TypePreference, memory.TypeFact, memory.TypePattern, memory.TypeRelationship, memory.TypeGoal, memory.TypeRule,
	}
	emotions = []string{"happy", "sad", "tired", "angry", "anxious", "grateful"} // those of policy.Emotion
)

// Analysis is a parsed answer: every value has the right type and is within its limits,
// but is not judged yet.
type Analysis struct {
	Topic string // empty: no usable one
	// TopicQuote is the user's words that the topic rests on; empty means the topic
	// itself.
	TopicQuote string
	Emotion    string // one known to the rules; empty for none
	Variables  []Variable
	Items      []Item
	Refused    []Refusal // unreadable parts
}

// Variable is one value of working memory; an empty Value removes it. Quote is the
// user's words that it rests on; empty means the value itself.
type Variable struct{ Name, Value, Quote string }

// Item is a conclusion proposed by the model.
type Item struct {
	Type       memory.Type `json:"type"`
	Subject    string      `json:"subject"` // its party; empty: the user
	Op         Operation   `json:"op"`
	Target     string      `json:"target"` // short id of the memory to replace or end
	About      string      `json:"about"`
	Content    string      `json:"content"`
	Quote      string      `json:"quote"` // the user's words that it rests on
	Confidence float64     `json:"confidence"`
	Importance float64     `json:"importance"`
}

// Refusal counts refused parts by reason.
type Refusal struct {
	Reason string
	Count  int
}

// UnusableError says why an answer is unusable. It contains nothing of the answer.
type UnusableError struct{ Why string }

// Error describes the fault of the answer.
func (e *UnusableError) Error() string { return "the model's answer is not usable: " + e.Why }

// Parse parses an answer. The error is an *UnusableError if it contains no analysis.
func Parse(a Answer) (Analysis, error) {
	fields, err := a.fields("topic", "topic_quote", "emotion", "variables", "items")
	if err != nil {
		return Analysis{}, err
	}
	var out Analysis
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		out.field(name, fields[name])
	}
	return out, nil
}

// fields returns the fields of an answer that has one of the known ones.
func (a Answer) fields(known ...string) (map[string]json.RawMessage, error) {
	text := a.Arguments
	if strings.TrimSpace(text) == "" {
		text = a.Text
	}
	switch {
	case strings.TrimSpace(text) == "":
		return nil, &UnusableError{"it is empty"}
	case len(text) > maxAnswer:
		return nil, &UnusableError{"it is too long"}
	case !utf8.ValidString(text):
		return nil, &UnusableError{"it is not UTF-8"}
	}
	return find(text, known)
}

// field parses one field.
func (a *Analysis) field(name string, value json.RawMessage) {
	switch name {
	case "topic":
		a.Topic = a.line(value, maxTopic, "a topic")
	case "topic_quote":
		a.TopicQuote = a.line(value, maxQuote, "a quotation")
	case "emotion":
		e := a.line(value, maxName, "an emotion")
		switch {
		case slices.Contains(emotions, e):
			a.Emotion = e
		case e != "":
			a.refuse("an emotion that is none of those asked for", 1)
		}
	case "variables":
		a.variables(value)
	case "items":
		a.items(value)
	default:
		a.refuse("a field that an analysis does not have", 1)
	}
}

// line parses a short text as one line, or refuses it.
func (a *Analysis) line(value json.RawMessage, most int, what string) string {
	var s string
	if json.Unmarshal(value, &s) != nil || string(value) == "null" {
		a.refuse(what+" of the wrong type", 1)
		return ""
	}
	s = oneLine(s)
	switch {
	case utf8.RuneCountInString(s) > most:
		a.refuse(what+" that is too long", 1)
		return ""
	case len(sensitive.Secrets(s)) > 0:
		a.refuse(whySecret, 1)
		return ""
	}
	return s
}

func (a *Analysis) variables(value json.RawMessage) {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		a.refuse("variables of the wrong type", 1)
		return
	}
	for i, one := range list {
		if i == MaxVariables {
			a.refuse("more variables than are taken", len(list)-i)
			return
		}
		var v struct {
			Name  *string `json:"name"`
			Value *string `json:"value"`
			Quote *string `json:"quote"`
		}
		if strict(one, &v) != nil || v.Name == nil || v.Value == nil {
			a.refuse("a variable of the wrong form", 1)
			continue
		}
		name, said, quote := oneLine(*v.Name), oneLine(*v.Value), lineOf(v.Quote)
		switch {
		case name == "" || name == memory.FieldTopic:
			a.refuse("a variable of the wrong form", 1)
		case utf8.RuneCountInString(name) > maxName || utf8.RuneCountInString(said) > maxValue || utf8.RuneCountInString(quote) > maxQuote:
			a.refuse("a variable that is too long", 1)
		case secret(name, said):
			a.refuse(whySecret, 1)
		default:
			a.Variables = append(a.Variables, Variable{Name: name, Value: said, Quote: quote})
		}
	}
}

// secret reports whether a variable contains a secret; its name may reveal that.
func secret(name, value string) bool {
	named := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return ' '
	}, name)
	return value != "" && (len(sensitive.Secrets(name+" "+value)) > 0 || len(sensitive.Secrets(named+": "+value)) > 0)
}

func (a *Analysis) items(value json.RawMessage) {
	a.Items, a.Refused = itemsOf(value, item, a.Refused)
}

// itemsOf parses a list of items with read, which returns why one is unusable.
func itemsOf[T any](value json.RawMessage, read func(json.RawMessage) (T, string), refused []Refusal) (out []T, _ []Refusal) {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		return nil, add(refused, "items of the wrong type", 1)
	}
	if over := len(list) - MaxItems; over > 0 {
		refused = add(refused, "more items than are taken", over)
		list = list[:MaxItems]
	}
	for _, one := range list {
		it, why := read(one)
		if why != "" {
			refused = add(refused, why, 1)
			continue
		}
		out = append(out, it)
	}
	return out, refused
}

// item parses one item, or returns why it is unusable.
func item(one json.RawMessage) (Item, string) {
	var in struct {
		Type, Subject, Op, Target, About, Content, Quote *string
		Confidence, Importance                           *float64
	}
	if strict(one, &in) != nil || in.Type == nil || in.Content == nil || in.Quote == nil || in.Confidence == nil || in.Importance == nil {
		return Item{}, "an item of the wrong form"
	}
	it := Item{
		Type: memory.Type(*in.Type), Content: oneLine(*in.Content), Quote: strings.TrimSpace(*in.Quote),
		Confidence: *in.Confidence, Importance: *in.Importance,
	}
	it.Subject, it.About, it.Op, it.Target = lineOf(in.Subject), lineOf(in.About), Operation(lineOf(in.Op)), lineOf(in.Target)
	if it.Op == "" {
		it.Op = Add
	}
	switch {
	case !slices.Contains([]Operation{Add, Replace, End}, it.Op):
		return it, "an operation that is none of those asked for"
	case it.Op != Add && it.Target == "":
		return it, "an operation that names no memory"
	}
	if !slices.Contains(itemTypes, it.Type) {
		return it, whyType
	}
	return it, it.unfit()
}

const whyType = "an item of an unknown type"

// unfit says why an item of any type is unusable; "" if it is usable.
func (it Item) unfit() string {
	in01 := func(f float64) bool { return f >= 0 && f <= 1 }
	switch {
	case !in01(it.Confidence) || !in01(it.Importance):
		return "an item with a number that is not from 0 to 1"
	case it.Content == "" && it.Op != End:
		return "an item without words"
	case utf8.RuneCountInString(it.Content) > maxContent, utf8.RuneCountInString(it.About) > maxAbout,
		utf8.RuneCountInString(it.Subject) > maxAbout, utf8.RuneCountInString(it.Target) > maxAbout,
		utf8.RuneCountInString(it.Quote) > maxQuote:
		return "an item that is too long"
	case it.Confidence < minConfident:
		return "the model itself is not sure"
	}
	return ""
}

// lineOf is oneLine of an optional text.
func lineOf(s *string) string {
	if s == nil {
		return ""
	}
	return oneLine(*s)
}

func (a *Analysis) refuse(reason string, n int) { a.Refused = add(a.Refused, reason, n) }

func add(list []Refusal, reason string, n int) []Refusal {
	for i := range list {
		if list[i].Reason == reason {
			list[i].Count += n
			return list
		}
	}
	return append(list, Refusal{reason, n})
}

// strict decodes JSON without fields unknown to v; names are case-sensitive.
func strict(data []byte, v any) error {
	var names map[string]json.RawMessage
	if err := json.Unmarshal(data, &names); err != nil {
		return err
	}
	for name := range names {
		if name != strings.ToLower(name) {
			return errors.New("a name in capitals")
		}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}

// oneLine makes a text one line, without invisible characters, which could hide an
// instruction or split a secret.
func oneLine(s string) string {
	spaced := strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp):
			return ' '
		case unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d':
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(spaced), " ")
}

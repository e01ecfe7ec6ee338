package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"memoria/chat/model"
	"memoria/prompts"
)

// ToolName is the tool for a model's judgement (S3).
const ToolName = "context_judgment"

// fields are the tool's, in the order of Scores.
var fields = [3]string{"topic_relevance", "intent_continuity", "entity_reference"}

// maxArguments bounds the bytes read of a call. Three numbers need sixty; the rest
// allows for a model's remarks.
const maxArguments = 16 << 10

// Tool returns the tool for the model, which has to be called. The caller owns the
// value. With an error that wraps a *prompts.OverrideError it is complete.
func Tool(set *prompts.Set) (model.Tool, error) {
	said, err := set.Render(prompts.ContextTool, nil)
	about, ferr := set.Render(prompts.ContextFields, nil)
	if err = errors.Join(err, ferr); err != nil {
		err = fmt.Errorf("describing the tool of a judgement: %w", err)
	}
	properties := map[string]any{}
	for _, f := range fields {
		field := map[string]any{"type": "integer", "minimum": 0, "maximum": 10}
		if s := describing(about, f); s != "" {
			field["description"] = s
		}
		properties[f] = field
	}
	return model.Tool{
		Name: ToolName, Description: said,
		Parameters: map[string]any{
			"type": "object", "properties": properties, "required": fields[:], "additionalProperties": false,
		},
	}, err
}

// describing returns a field's description from lines such as "name: description".
func describing(lines, field string) string {
	for line := range strings.Lines(lines) {
		if name, said, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == field {
			return strings.TrimSpace(said)
		}
	}
	return ""
}

// Causes of a [ParseError].
var (
	ErrNoCall    = errors.New("the model did not call " + ToolName)
	ErrOtherTool = errors.New("the model called another tool than " + ToolName)
	ErrCalls     = errors.New("the model called " + ToolName + " more than once, with different numbers")
	ErrBroken    = errors.New("what the model wrote is not one JSON object")
	ErrMissing   = errors.New("a number is missing")
	ErrIllegal   = errors.New("a number is not allowed")
)

// ParseError says why an answer is not a judgement, for display. It quotes nothing of
// the answer except a number of a few digits.
type ParseError struct {
	Cause error  // one of the Err values
	Field string // the field at fault; may be empty
	words string
}

// Error returns one clause, such as "the model left out intent_continuity".
func (e *ParseError) Error() string {
	if e.words != "" {
		return e.words
	}
	return e.Cause.Error()
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Cause }

// Parse parses a model's judgement strictly (S4): one call of the tool and no other,
// one JSON object, each of the three fields an integral number from 0 to 10. 7.0 and
// 7e0 are 7; "7", 7.5, 11, -1 and null are illegal. Names are exact. Additional fields
// are ignored, since models like to add reasons, which do not make a number wrong. A
// repeated field or call is accepted if it has the same value, otherwise illegal.
//
// The error is a *[ParseError]; then the scores are zero.
func Parse(calls []model.ToolCall) (Scores, error) {
	if len(calls) == 0 {
		return Scores{}, &ParseError{Cause: ErrNoCall}
	}
	for _, c := range calls {
		if c.Name != ToolName {
			return Scores{}, &ParseError{Cause: ErrOtherTool}
		}
	}
	var first Scores
	for i, c := range calls {
		s, err := parse(c.Arguments)
		switch {
		case err != nil:
			return Scores{}, err
		case i == 0:
			first = s
		case s != first:
			return Scores{}, &ParseError{Cause: ErrCalls}
		}
	}
	return first, nil
}

// parse parses the arguments of one call.
func parse(arguments string) (Scores, error) {
	raw, err := members(arguments)
	if err != nil {
		return Scores{}, err
	}
	var values [3]int
	for i, field := range fields {
		if len(raw[i]) == 0 {
			return Scores{}, &ParseError{Cause: ErrMissing, Field: field, words: "the model left out " + field}
		}
		for k, r := range raw[i] {
			n, why := whole(r)
			switch {
			case why != "":
				return Scores{}, &ParseError{Cause: ErrIllegal, Field: field, words: field + " " + why}
			case k > 0 && n != values[i]:
				return Scores{}, &ParseError{Cause: ErrIllegal, Field: field, words: field + " stands there twice, with different numbers"}
			}
			values[i] = n
		}
	}
	return Scores{values[0], values[1], values[2]}, nil
}

// members returns all values of each field in a JSON object.
func members(arguments string) (raw [3][]json.RawMessage, err error) {
	if len(arguments) > maxArguments {
		return raw, &ParseError{Cause: ErrBroken, words: "the model wrote far more than three numbers"}
	}
	broken := &ParseError{Cause: ErrBroken}
	if !utf8.ValidString(arguments) {
		return raw, broken
	}
	d := json.NewDecoder(strings.NewReader(arguments))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return raw, broken
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return raw, broken
		}
		for i, field := range fields {
			if name == field {
				raw[i] = append(raw[i], value)
			}
		}
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return raw, broken
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return raw, broken
	}
	return raw, nil
}

// whole parses an integer from 0 to 10, or returns the fault of the value.
func whole(raw json.RawMessage) (n int, why string) {
	literal := string(raw)
	switch literal[0] {
	case '"':
		return 0, "is text; it has to be a number"
	case '{', '[':
		return 0, "is a list; it has to be a number"
	case 't', 'f':
		return 0, "is true or false; it has to be a number"
	case 'n':
		return 0, "is empty"
	}
	// Short enough to display; the exponent is too small to make exact parsing expensive.
	if len(literal) > 12 || longExponent(literal) {
		return 0, "is not a number from 0 to 10"
	}
	exact, ok := new(big.Rat).SetString(literal)
	switch {
	case !ok:
		return 0, "is not a number from 0 to 10"
	case exact.Sign() < 0 || exact.Cmp(big.NewRat(10, 1)) > 0:
		return 0, fmt.Sprintf("is %s; 0 to 10 are allowed", literal)
	case !exact.IsInt():
		return 0, fmt.Sprintf("is %s; only whole numbers are allowed", literal)
	}
	return int(exact.Num().Int64()), ""
}

// longExponent reports an exponent of more than two digits.
func longExponent(literal string) bool {
	_, exponent, found := strings.Cut(strings.ToLower(literal), "e")
	if !found {
		return false
	}
	n, err := strconv.Atoi(exponent)
	return err != nil || n > 99 || n < -99
}

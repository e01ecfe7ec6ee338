package judge_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"memoria/chat/judge"
	"memoria/chat/model"
	"memoria/prompts"
)

func call(arguments string) model.ToolCall {
	return model.ToolCall{ID: "1", Name: judge.ToolName, Arguments: arguments}
}

const sound = `{"topic_relevance": 7, "intent_continuity": 6, "entity_reference": 5}`

var soundScores = judge.Scores{TopicRelevance: 7, IntentContinuity: 6, EntityReference: 5}

// with is the sound answer with another value for the first field.
func with(value string) string { return strings.Replace(sound, "7", value, 1) }

// S4: valid judgements.
func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		calls []model.ToolCall
		want  judge.Scores
	}{
		"plain":               {[]model.ToolCall{call(sound)}, soundScores},
		"7.0":                 {[]model.ToolCall{call(with("7.0"))}, soundScores},
		"7e0":                 {[]model.ToolCall{call(with("7e0"))}, soundScores},
		"70E-1":               {[]model.ToolCall{call(with("70E-1"))}, soundScores},
		"the bounds":          {[]model.ToolCall{call(`{"topic_relevance":0,"intent_continuity":10,"entity_reference":-0}`)}, judge.Scores{IntentContinuity: 10}},
		"a reason beside":     {[]model.ToolCall{call(with(`7, "reason": {"a": ["7.5"]}`))}, soundScores},
		"a field twice, same": {[]model.ToolCall{call(with(`7, "topic_relevance": 7.0`))}, soundScores},
		"two calls, same":     {[]model.ToolCall{call(sound), call(with("7.0"))}, soundScores},
		"white space":         {[]model.ToolCall{call("\n " + sound + "\t\n")}, soundScores},
		"escaped name":        {[]model.ToolCall{call(strings.Replace(sound, "topic", `\u0074opic`, 1))}, soundScores},
	} {
		if got, err := judge.Parse(c.calls); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// S4: invalid judgements, each with a reason in words.
func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		calls []model.ToolCall
		cause error
		words string
	}{
		"no call":       {nil, judge.ErrNoCall, "the model did not call context_judgment"},
		"another tool":  {[]model.ToolCall{{Name: "search_memories", Arguments: sound}}, judge.ErrOtherTool, "another tool"},
		"one too many":  {[]model.ToolCall{call(sound), {Name: "search_memories", Arguments: "{}"}}, judge.ErrOtherTool, "another tool"},
		"two different": {[]model.ToolCall{call(sound), call(with("8"))}, judge.ErrCalls, "more than once"},
		"second broken": {[]model.ToolCall{call(sound), call("")}, judge.ErrBroken, "not one JSON object"},
		"nothing":       {[]model.ToolCall{call("")}, judge.ErrBroken, "not one JSON object"},
		"null":          {[]model.ToolCall{call("null")}, judge.ErrBroken, "not one JSON object"},
		"a list":        {[]model.ToolCall{call("[7, 6, 5]")}, judge.ErrBroken, "not one JSON object"},
		"cut off":       {[]model.ToolCall{call(sound[:40])}, judge.ErrBroken, "not one JSON object"},
		"something on":  {[]model.ToolCall{call(sound + sound)}, judge.ErrBroken, "not one JSON object"},
		"not UTF-8":     {[]model.ToolCall{call(with("7, \"a\": \"\xff\""))}, judge.ErrBroken, "not one JSON object"},
		"too long":      {[]model.ToolCall{call(with(`7, "a": "` + strings.Repeat("a", 1<<20) + `"`))}, judge.ErrBroken, "far more"},
		"a field short": {[]model.ToolCall{call(`{"topic_relevance": 7, "entity_reference": 5}`)}, judge.ErrMissing, "the model left out intent_continuity"},
		"other case":    {[]model.ToolCall{call(strings.Replace(sound, "topic", "Topic", 1))}, judge.ErrMissing, "the model left out topic_relevance"},
		"empty object":  {[]model.ToolCall{call("{}")}, judge.ErrMissing, "the model left out topic_relevance"},
		"7.5":           {[]model.ToolCall{call(with("7.5"))}, judge.ErrIllegal, "topic_relevance is 7.5; only whole numbers are allowed"},
		"text":          {[]model.ToolCall{call(with(`"7"`))}, judge.ErrIllegal, "topic_relevance is text; it has to be a number"},
		"11":            {[]model.ToolCall{call(with("11"))}, judge.ErrIllegal, "topic_relevance is 11; 0 to 10 are allowed"},
		"-1":            {[]model.ToolCall{call(with("-1"))}, judge.ErrIllegal, "topic_relevance is -1; 0 to 10 are allowed"},
		"10.1":          {[]model.ToolCall{call(with("10.1"))}, judge.ErrIllegal, "topic_relevance is 10.1; 0 to 10 are allowed"},
		"null value":    {[]model.ToolCall{call(with("null"))}, judge.ErrIllegal, "topic_relevance is empty"},
		"true":          {[]model.ToolCall{call(with("true"))}, judge.ErrIllegal, "topic_relevance is true or false"},
		"a list value":  {[]model.ToolCall{call(with("[7]"))}, judge.ErrIllegal, "topic_relevance is a list"},
		"nearly 7":      {[]model.ToolCall{call(with("7.00000000000000000001"))}, judge.ErrIllegal, "topic_relevance is not a number from 0 to 10"},
		"huge":          {[]model.ToolCall{call(with("1e999999999"))}, judge.ErrIllegal, "topic_relevance is not a number from 0 to 10"},
		"tiny":          {[]model.ToolCall{call(with("1e-99999999"))}, judge.ErrIllegal, "topic_relevance is not a number from 0 to 10"},
		"twice":         {[]model.ToolCall{call(with(`7, "topic_relevance": 8`))}, judge.ErrIllegal, "topic_relevance stands there twice"},
		"twice, text":   {[]model.ToolCall{call(with(`7, "topic_relevance": "7"`))}, judge.ErrIllegal, "topic_relevance is text"},
	} {
		got, err := judge.Parse(c.calls)
		var parse *judge.ParseError
		if !errors.As(err, &parse) || !errors.Is(err, c.cause) || !strings.Contains(err.Error(), c.words) || got != (judge.Scores{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// S3: the tool asks for what Parse takes, and for nothing else.
func TestTool(t *testing.T) {
	set, err := prompts.New("")
	if err != nil {
		t.Fatal(err)
	}
	tool, err := judge.Tool(set)
	if err != nil {
		t.Fatal(err)
	}
	properties, _ := tool.Parameters["properties"].(map[string]any)
	for name, p := range properties { // S4: each field says what it is for
		field, _ := p.(map[string]any)
		if said, _ := field["description"].(string); !strings.HasPrefix(said, "0 to 10: ") {
			t.Errorf("%s is described by %q", name, said)
		}
		delete(field, "description")
	}
	b, err := json.Marshal(tool.Parameters)
	want := `{"additionalProperties":false,"properties":{` +
		`"entity_reference":{"maximum":10,"minimum":0,"type":"integer"},` +
		`"intent_continuity":{"maximum":10,"minimum":0,"type":"integer"},` +
		`"topic_relevance":{"maximum":10,"minimum":0,"type":"integer"}},` +
		`"required":["topic_relevance","intent_continuity","entity_reference"],"type":"object"}`
	if err != nil || string(b) != want || tool.Name != "context_judgment" || tool.Description == "" {
		t.Errorf("%v, %+v", err, tool)
	}
	b, err = json.Marshal(soundScores)
	if got, parseErr := judge.Parse([]model.ToolCall{call(string(b))}); err != nil || parseErr != nil || got != soundScores {
		t.Errorf("scores as JSON: %s, %v, %v", b, got, parseErr)
	}
}

// S4: whatever a model writes, scores are legal, or there are none and a short
// reason.
func FuzzParse(f *testing.F) {
	for _, s := range []string{sound, with("7.0"), with("11"), with(`"7"`), with("1e1000000000"), "{", `{"topic_relevance":`, "[[[["} {
		f.Add(s, 1)
		f.Add(s, 2)
	}
	f.Fuzz(func(t *testing.T, arguments string, n int) {
		calls := []model.ToolCall{call(arguments)}
		if n%2 == 0 {
			calls = append(calls, calls[0])
		}
		s, err := judge.Parse(calls)
		for _, n := range []int{s.TopicRelevance, s.IntentContinuity, s.EntityReference} {
			if n < 0 || n > 10 || err != nil && n != 0 {
				t.Fatalf("%+v, %v", s, err)
			}
		}
		if err != nil {
			if len(err.Error()) > 120 {
				t.Errorf("long reason: %v", err)
			}
			return
		}
		// What was read is what any reader of JSON reads who is given the last of each field.
		var read map[string]any
		if json.Unmarshal([]byte(arguments), &read) != nil || read["topic_relevance"] != float64(s.TopicRelevance) ||
			read["intent_continuity"] != float64(s.IntentContinuity) || read["entity_reference"] != float64(s.EntityReference) {
			t.Errorf("%q gave %+v", arguments, s)
		}
	})
}

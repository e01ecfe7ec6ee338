package learn_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/policy"
)

const whole = `{"topic": "the flat", "emotion": "happy", "variables": [{"name": "floor", "value": "5"}],
 "items": [{"type": "fact", "about": "flat", "content": "Flat is on the fifth floor", "quote": "on the fifth floor", "confidence": 0.7, "importance": 0.4}]}`

var wholeRead = learn.Analysis{
	Topic: "the flat", Emotion: "happy", Variables: []learn.Variable{{Name: "floor", Value: "5"}},
	Items: []learn.Item{{
		Type: memory.TypeFact, Op: learn.Add, About: "flat", Content: "Flat is on the fifth floor", Quote: "on the fifth floor", Confidence: 0.7, Importance: 0.4,
	}},
}

// A model is a guest: what is put up with, and what it comes to.
func TestParseRepairsALittle(t *testing.T) {
	for name, a := range map[string]learn.Answer{
		"a tool call":      {Arguments: whole},
		"call beside text": {Arguments: whole, Text: "I have noted it."},
		"plain JSON":       {Text: whole},
		"a fence":          {Text: "```json\n" + whole + "\n```"},
		"prose before":     {Text: "Sure! Here is {my} analysis:\n\n" + whole},
		"thinking before":  {Text: "<think>maybe {\"items\": []} or so</think>\n" + whole + "\n"},
		"trailing commas":  {Text: strings.NewReplacer(`0.4}]`, `0.4,},]`, `"5"}]`, `"5"} , ]`).Replace(whole)},
	} {
		got, err := learn.Parse(a)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(wholeRead, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestParseRefusesTheRest(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "blanks": " \n", "garbage": "As an AI I cannot", "another object": `{"answer": 42}`,
		"half":              whole[:len(whole)-2],
		"half an item":      `{"topic": "x", "items": [{"type": "fact", "content": "a"}`,
		"prose behind":      whole + "\nHope that helps!",
		"a list":            "[" + whole + "]",
		"single quotes":     strings.ReplaceAll(whole, `"`, "'"),
		"comments":          strings.Replace(whole, "{", "{ // here\n", 1),
		"not UTF-8":         "{\"topic\": \"\xff\"}",
		"endless":           `{"topic": "` + strings.Repeat("x", 70<<10) + `"}`,
		"names in capitals": `{"Topic": "x", "Items": []}`,
	} {
		got, err := learn.Parse(learn.Answer{Text: text})
		var unusable *learn.UnusableError
		if !errors.As(err, &unusable) || got.Topic != "" || got.Items != nil {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
		if err != nil && strings.Contains(err.Error(), "fifth") {
			t.Errorf("%s: the error repeats the answer: %v", name, err)
		}
	}
}

// What is wrong in one place costs that place alone, and is counted.
func TestParseCountsWhatItLeavesOut(t *testing.T) {
	item := func(change string) string {
		old, now, _ := strings.Cut(change, " → ")
		return strings.Replace(`{"type":"fact","about":"a","content":"b c","quote":"b c","confidence":0.5,"importance":0.5}`, old, now, 1)
	}
	for text, want := range map[string]string{
		`{"topic": 7, "emotion": ["x"], "variables": {"a": "b"}, "items": "none"}`:                          "an emotion of the wrong type 1, items of the wrong type 1, a topic of the wrong type 1, variables of the wrong type 1",
		`{"topic": null, "items": null}`:                                                                    "a topic of the wrong type 1",
		`{"items": [], "delete_all": true, "forget": ["everything"], "trust": "user"}`:                      "a field that an analysis does not have 3",
		`{"emotion": "furious"}`:                                                                            "an emotion that is none of those asked for 1",
		`{"topic": "` + strings.Repeat("长", 201) + `"}`:                                                     "a topic that is too long 1",
		`{"topic": "my key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"}`:                                "a secret 1",
		`{"variables": [{"name": "wifi_password", "value": "hunter2x"}, {"name": "pin", "value": "4821"}]}`: "a secret 2",
		`{"topic": "a key sk-live\u200b-abcdefghijklmnopqr0123"}`:                                           "a secret 1",
		`{"variables": [{"name": "n", "value": 5}, "x", {"name": "", "value": "v"}, {"name": "a"}]}`:        "a variable of the wrong form 4",
		`{"variables": [{"name": "` + strings.Repeat("n", 65) + `", "value": "v"}]}`:                        "a variable that is too long 1",
		`{"variables": [` + strings.TrimSuffix(strings.Repeat(`{"name":"n","value":"v"},`, 23), ",") + `]}`: "more variables than are taken 3",
		`{"items": [` + item(`"fact" → "summary"`) + `]}`:                                                   "an item of an unknown type 1",
		`{"items": [` + item(`0.5 → "high"`) + `]}`:                                                         "an item of the wrong form 1",
		`{"items": [` + item(`0.5 → 1.5`) + `]}`:                                                            "an item with a number that is not from 0 to 1 1",
		`{"items": [` + item(`0.5 → 0.1`) + `]}`:                                                            "the model itself is not sure 1",
		`{"items": [` + item(`"type" → "action":"delete","type"`) + `]}`:                                    "an item of the wrong form 1",
		`{"items": [` + item(`"b c" → "  "`) + `]}`:                                                         "an item without words 1",
		`{"items": [7, null, [], ` + item(`"b c" → "`+strings.Repeat("b ", 400)+`"`) + `]}`:                 "an item of the wrong form 3, an item that is too long 1",
		`{"items": [` + strings.TrimSuffix(strings.Repeat(item(`x → x`)+",", 40), ",") + `]}`:               "more items than are taken 32",
	} {
		got, err := learn.Parse(learn.Answer{Arguments: text})
		if err != nil {
			t.Errorf("%.80s: %v", text, err)
			continue
		}
		said := ""
		for i, r := range got.Refused {
			if i > 0 {
				said += ", "
			}
			said += fmt.Sprintf("%s %d", r.Reason, r.Count)
		}
		if said != want {
			t.Errorf("%.80s:\nrefused %s\nwant    %s", text, said, want)
		}
	}
}

// What nobody sees on a screen is no part of what is remembered.
func TestParseHidesNothing(t *testing.T) {
	const tags = "\U000E0073\U000E0061\U000E0079" // letters that no terminal shows
	a, err := learn.Parse(learn.Answer{Text: strings.NewReplacer("fifth floor\"", "fifth\u202e floor"+tags+"\"", "the flat", "the\u200b flat").Replace(whole)})
	if err != nil || a.Topic != "the flat" || len(a.Items) != 1 || a.Items[0].Content != wholeRead.Items[0].Content {
		t.Errorf("%+v, %v", a, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(whole)
	f.Add("```json\n{\"items\":[{},],}\n```")
	f.Add(`<think>{</think>{"topic":"\""}`)
	p := policy.New(policy.Default())
	f.Fuzz(func(t *testing.T, text string) {
		a, err := learn.Parse(learn.Answer{Text: text})
		if err != nil {
			return
		}
		if len(a.Items) > 8 || len(a.Variables) > learn.MaxVariables || len([]rune(a.Topic)) > 200 {
			t.Fatalf("%+v is beyond the bounds", a)
		}
		// No echo: what is accepted stands in the user's own words.
		const typed = "Our flat is on the fifth floor, we moved there in May."
		for _, c := range learn.Judge(p, learn.Input{Said: typed}, a).Proposed {
			if c.Offset < 0 || c.Length <= 0 || c.Offset+c.Length > len(typed) || c.Confidence >= 0.9 && c.Trust != memory.TrustUser {
				t.Fatalf("%+v", c)
			}
		}
	})
}

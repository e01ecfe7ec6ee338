package policy_test

import (
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/policy"
)

// saidIn returns the topics of which Extract keeps a text as it was said, with the texts.
func saidIn(text string) (out []string) {
	for _, c := range newPolicy().Extract(text) {
		if c.AsSaid() {
			topic, _, _ := strings.Cut(strings.TrimPrefix(c.Key, "said/"), "/")
			out = append(out, topic+": "+c.Content)
		}
	}
	return out
}

// P2, P6: what the user says of himself in words that no rule names is kept as he said it.
func TestKeptAsSaid(t *testing.T) {
	for text, want := range map[string]string{
		"which bus goes to the lido? we're down near Fowey":         "home: We're down near Fowey.",
		"ended up in Tbilisi after the split":                       "home: Ended up in Tbilisi after the split.",
		"22 years on the trams, my knees know every cobble":         "work: 22 years on the trams, my knees know every cobble.",
		"handed my notice in, last day at Brightwell's is the 12th": "work: Handed my notice in, last day at Brightwell's is the 12th.",
		"three little brothers, all in bands, what do I buy them":   "people: Three little brothers, all in bands.",
		"the hens, all rescues, have stopped laying. why":           "pet: The hens, all rescues, have stopped laying.",
		"opera does nothing for me. what else is on in Verona":      "taste: Opera does nothing for me.",
		"I'd take a ferry over a plane any day":                     "taste: I'd take a ferry over a plane any day.",
		"dairy plays havoc with my guts. ice cream without?":        "diet: Dairy plays havoc with my guts.",
		"on Wednesdays it's always bell ringing, which day instead": "habit: On Wednesdays it's always bell ringing.",
		"inherited nan's kiln, nobody knows what it's worth":        "own: Inherited nan's kiln, nobody knows what it's worth.",
		"one day I'll walk Hadrian's Wall end to end":               "goal: One day I'll walk Hadrian's Wall end to end.",
	} {
		if got := strings.Join(saidIn(text), " | "); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

// P3: what only looks like that is not kept.
func TestNotKeptAsSaid(t *testing.T) {
	for _, text := range []string{
		"I like the second one better",
		"my laptop is frozen, what now",
		"what would I do if I lived in Oslo",
		"my colleague reckons I'm a born teacher",
		"our neighbour's dog barks all night",
		"my function returns a list of users who live in Rome",
		"I need a recipe for chicken",
		"oh great, another Monday meeting, I adore those",
		"I'm basically a potato at this point lol",
		"according to my aunt I hate sprouts",
		"if I had a boat I'd call it Doris",
		"thanks, that works a treat",
		"I'm just looking for a quick answer",
		"the girl in the story has two cats",
		"Mum called. She's been diagnosed with diabetes.",
	} {
		if got := saidIn(text); got != nil {
			t.Errorf("%q keeps %q", text, got)
		}
	}
}

// P4: what a message says is over ends, whatever the words in which it was kept.
func TestKeptEnds(t *testing.T) {
	p := newPolicy()
	for _, c := range []struct {
		known, said string
		over        bool
	}{
		{"three hens and a tortoise, Winston, live in the shed with me", "we had to put Winston to sleep last night", true},
		{"on Wednesdays it's always bell ringing", "I've given up bell ringing", true},
		{"inherited nan's old kiln", "sold the kiln in the end", true},
		{"on Wednesdays it's always bell ringing", "I've given up on this crossword", false},
		{"three hens and a tortoise, Winston, live in the shed with me", "would you put Winston to sleep?", false},
	} {
		known := p.Extract(c.known)[0].Item()
		ended := false
		for _, cand := range p.Extract(c.said) {
			ended = ended || len(policy.Ended(cand, nil, []memory.Item{known})) > 0
		}
		if ended != c.over {
			t.Errorf("%q, then %q: over %v", c.known, c.said, ended)
		}
	}
}

package chat_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// U3: "not A, its B" without apostrophes or pauses puts B in A's place, and keeps no sentence of its own.
func TestCorrectedWithoutPunctuation(t *testing.T) {
	noRace(t)
	t.Parallel()
	for _, c := range []struct{ said, left []string }{
		{[]string{"im allergic to aspirin", "actually im not allergic to aspirin its ibuprofen"}, []string{"Is allergic to ibuprofen."}},
		{[]string{"I'm allergic to kiwi.", "no im not allergic to kiwi, its mango"}, []string{"Is allergic to mango."}},
		{[]string{"my sister is called una", "shes not called una, shes called oonagh"}, []string{"Sister is called Oonagh."}},
		{[]string{"my brother lives in larne", "he doesnt live in larne he lives in antrim"}, []string{"Brother lives in antrim."}},
		{[]string{"my mum is 79", "mums not 79 shes 80"}, []string{"Mum is 80."}},
		{[]string{"I like tea.", "im not happy with its colour"}, []string{"Likes tea."}},
		{[]string{"im allergic to aspirin", "my cousin isnt allergic to aspirin"}, nil},
	} {
		h := offline(t, nil)
		for _, s := range c.said {
			h.tell(s)
			h.settle()
		}
		if c.left == nil {
			if !slices.Contains(h.remembered(), "Is allergic to aspirin.") {
				t.Errorf("%q left %q", c.said, h.remembered())
			}
			continue
		}
		if diff := cmp.Diff(c.left, h.remembered()); diff != "" {
			t.Errorf("%q: %s", c.said, diff)
		}
	}
}

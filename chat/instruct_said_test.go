package chat_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// U2–U5: instructions to the memory are carried out in almost any words, and nothing else is.
func TestSaidToTheMemory(t *testing.T) {
	noRace(t)
	t.Parallel()
	for _, c := range []struct {
		said []string
		left []string
	}{
		{[]string{"I work as a tailor.", "I like figs.", "kindly lose what you have on my job"}, []string{"Likes figs."}},                                        // U2
		{[]string{"I play the oboe.", "that bit about me playing the oboe, bin it please"}, []string{}},                                                          // U2
		{[]string{"我会弹琵琶。", "我会弹琵琶那条，从你的记忆里划掉"}, []string{}},                                                                                                     // U2
		{[]string{"I like Python.", "ok forget Python, do it in Go instead"}, []string{"Likes Python."}},                                                         // U2
		{[]string{"I like tea.", "remove tea from the list, I've got some"}, []string{"Likes tea."}},                                                             // U2
		{[]string{"I have two dogs.", "that's not right, I have three dogs"}, []string{"Has three dogs."}},                                                       // U3
		{[]string{"I study botany.", "er no, i study zoology not botany"}, []string{"Studies zoology."}},                                                         // U3
		{[]string{"我住在苏州。", "搞错了，是常州不是苏州"}, []string{"住在常州"}},                                                                                                    // U3
		{[]string{"I live in Toronto.", "What is the capital of Canada?", "no, it's Ottawa not Toronto"}, []string{"Lives in Toronto.", "Ottawa, not Toronto."}}, // U3
		{[]string{"Please talk like a pirate.", "no more pirate talk, I've had my fill"}, []string{}},                                                            // U4
		{[]string{"每次都列要点。", "用不着每次都列要点啦"}, []string{}},                                                                                                          // U4
		{[]string{"Always use bullet points.", "drop the bullet points in this list"}, []string{"Use bullet points."}},                                           // U4
		{[]string{"I live in Oslo.", "I like kimchi.", "whoa, unsave that last bit"}, []string{"Lives in Oslo."}},                                                // U4
		{[]string{"我喜欢打羽毛球。", "刚存的那条，撤掉"}, []string{}},                                                                                                           // U4
		{[]string{"keep this out of your memory, I work nights at a casino"}, []string{}},                                                                        // U5
		{[]string{"我收集邮票，这句别往记忆里写"}, []string{}},                                                                                                                 // U5
	} {
		h := offline(t, nil)
		for _, s := range c.said {
			h.tell(s)
			h.settle()
		}
		if diff := cmp.Diff(c.left, h.remembered()); diff != "" {
			t.Errorf("%q: %s", c.said, diff)
		}
	}
}

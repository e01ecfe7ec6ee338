package chat_test

import (
	"slices"
	"testing"
)

// P4: a debt that was paid back to a person known by name is over, in ordinary words; part of it, or a wish, ends nothing.
func TestDebtPaidInPlainWords(t *testing.T) {
	noRace(t)
	t.Parallel()
	for _, c := range []struct {
		said string
		over bool
	}{
		{"paid seamus back the 80 today", true},
		{"gave seamus back his 80 quid", true},
		{"marys brother seamus is paid, i dont owe him anything now", true},
		{"thats me all square with seamus", true},
		{"seamus has got his money back", true},
		{"i dont owe seamus a penny now", true},
		{"i should pay seamus back the 80", false},
		{"i havent paid seamus back yet", false},
		{"paid orla back the 80 today", false},
		{"seamus is paid every friday at the docks", false},
	} {
		h := offline(t, nil)
		for _, s := range []string{"my wife is called mary", "i owe marys brother seamus 80 quid for the gate", "accept 1", c.said} {
			h.tell(s)
			h.settle()
		}
		if over := !slices.Contains(h.remembered(), "I owe marys brother seamus 80 quid for the gate."); over != c.over {
			t.Errorf("%q: over %v, want %v: %q", c.said, over, c.over, h.remembered())
		}
	}
}

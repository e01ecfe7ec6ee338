package manager_test

import (
	"slices"
	"testing"
)

// P2: what happens every week is a habit, and one missed week does not end it.
func TestWeekly(t *testing.T) {
	noRace(t)
	for _, c := range []struct{ said, want []string }{
		{[]string{"netball with the girls is wednesdays at 7, indoor"}, []string{"Netball with the girls is wednesdays at 7."}},
		{[]string{"netball with the girls is wednesdays at 7", "this wednesday it's off cos of the ice"}, []string{"Netball with the girls is wednesdays at 7."}},
		{[]string{"choir practice is every thursday at half 7"}, []string{"Choir practice is every thursday at half 7."}},
		{[]string{"pub quiz is tuesdays at the crown"}, []string{"Pub quiz is tuesdays at the crown."}},
		{[]string{"kids swimming is saturdays at 9", "swimming's off this week"}, []string{"Kids swimming is saturdays at 9."}},
		{[]string{"pilates with jen is mondays and fridays at 6"}, []string{"Pilates with jen is mondays and fridays at 6."}},
	} {
		t.Run(c.said[len(c.said)-1], func(t *testing.T) { leaves(t, c.said, c.want) })
	}
}

// P2: no habit comes from a question, a single day, or what happens to nobody in particular.
func TestNotWeekly(t *testing.T) {
	noRace(t)
	for _, said := range []string{
		"is netball on wednesdays at 7?",
		"netball was on wednesdays at 7",
		"netball might be wednesdays at 7",
		"when is the quiz on tuesdays",
		"omar's netball is wednesdays at 7",
		"if training is wednesdays at 7 i can't go",
	} {
		t.Run(said, func(t *testing.T) {
			m, _ := open(t)
			say(t, m, luna, "", said)
			if got := activeContents(t, m); slices.ContainsFunc(got, func(string) bool { return true }) {
				t.Errorf("got %q", got)
			}
		})
	}
}

package manager_test

import (
	"slices"
	"strings"
	"testing"
)

// P4, P9a: a plan has its new day, and not the old one, however the move is told. Its other words stay.
func TestMovedDay(t *testing.T) {
	noRace(t)
	for _, c := range []struct {
		said []string
		want string
	}{
		{[]string{"i've got the optician on 10 december at 10", "the optician put me back to thursday"}, "thursday (26 November 2026) at 10"},
		{[]string{"my theory test is on 9 december", "they bumped me to the 18th for the theory test"}, "18 December (18 December 2026)"},
		{[]string{"the gas man is coming on friday", "gas man rang, he's coming tomorrow instead"}, "is coming tomorrow (22 November 2026)"},
		{[]string{"the plumber is coming on thursday between 8 and 12", "/new", "he can squeeze us in tomorrow instead, after 3"}, "tomorrow (22 November 2026) after 3"},
		{[]string{"electrician coming on thursday at 2", "sparky can't do thursday, he's coming monday instead"}, "monday (23 November 2026) at 2"},
		{[]string{"the decorator is coming on thursday", "decorator can only do tuesday now"}, "on tuesday (24 November 2026)"},
		{[]string{"the roofer is coming on tuesday", "the roofer can't make it till friday"}, "on friday (27 November 2026)"},
		{
			[]string{"got the hygienist on tuesday 8 december at 9.15", "surgery phoned, they can't see me tuesday now, it's the friday instead"},
			"friday (27 November 2026) at 9.15",
		},
		{[]string{"sports day is on 24 december", "school emailed, sports day has been brought forward a week, so the 17th"}, "on 17 December"},
		{[]string{"our flight to malta is on 20 december", "flight's been put back two days"}, "22 December (22 December 2026)"},
		{[]string{"book club is on 10 december at mine", "book club's now on the 17th"}, "on 17 December (17 December 2026) at mine"},
		{[]string{"i have physio on wednesday at 4", "swapped my physio to thursday"}, "thursday (26 November 2026) at 4"},
		{[]string{"my cousin pia is getting married on 6 june", "the wedding's been moved to the 13th"}, "Cousin pia is getting married on 13 June 2027"},
		{[]string{"my team review is on 28 december", "they've moved the team review back to the 4th"}, "on 4 January 2027"},
	} {
		t.Run(c.said[len(c.said)-1], func(t *testing.T) {
			m, _ := open(t)
			session, before := "", []string{}
			for i, s := range c.said {
				if s == "/new" {
					session = ""
					continue
				}
				turn, _ := say(t, m, luna, session, s)
				if session = turn.Session.ID; i == 0 {
					before = activeContents(t, m)
				}
			}
			after := activeContents(t, m)
			if !slices.ContainsFunc(after, func(s string) bool { return strings.Contains(s, c.want) }) || len(after) != len(before) {
				t.Errorf("%q became %q", before, after)
			}
		})
	}
}

// P4: a plan keeps its day where something else moved, or nothing did.
func TestNotMovedDay(t *testing.T) {
	noRace(t)
	for _, said := range []string{
		"omar's physio put back a week",
		"omars physio has been moved to the 16th",
		"they've moved mum's physio to the 16th",
		"her physio's been moved to the 16th",
		"if they move my physio to the 16th i'm complaining",
		"can i move my physio to the 16th?",
		"hope they bring my physio forward a week",
		"i need to move my physio to the 16th",
		"the clocks go forward a week on sunday",
		"my brother's coming tomorrow instead of his wife",
		"my brother rang, he's coming tomorrow instead",
		"in my story the physio rang, it's tomorrow instead",
		"what if the physio rang and it's tomorrow instead",
		"the match is on sunday instead",
		"i'll have pizza tomorrow instead",
		"they can't move my physio to the 16th",
		"omar says his physio is on friday instead",
	} {
		t.Run(said, func(t *testing.T) {
			m, _ := open(t)
			say(t, m, luna, "", "my physio is on 10 december")
			say(t, m, luna, "", said)
			if got := activeContents(t, m); !slices.Contains(got, "Physio on 10 december (10 December 2026).") {
				t.Errorf("got %q", got)
			}
		})
	}
}

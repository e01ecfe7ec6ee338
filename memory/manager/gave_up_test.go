package manager_test

import (
	"slices"
	"testing"
)

// P4: what one belonged to, paid for or did every week ends when it is cancelled, in few words too.
func TestGaveUpMembership(t *testing.T) {
	noRace(t)
	for _, c := range []struct {
		said, want []string
	}{
		{[]string{"i go to the pool every friday", "cancelled the pool"}, nil},
		{[]string{"i've got a climbing membership at beta bloc", "cancelled my climbing membership"}, nil},
		{[]string{"we have disney plus", "done with disney plus"}, nil},
		{[]string{"we've got netflix", "finally cancelled netflix"}, nil},
		{[]string{"i sing in a choir on wednesdays", "left the choir"}, []string{"Left the choir."}},
		{[]string{"i get a veg box every week", "unsubscribed from the veg box"}, nil},
		{[]string{"i do pilates on mondays", "not doing pilates anymore"}, nil},
		{[]string{"i play in a darts team on thursdays", "i've quit the darts team"}, nil},
		{[]string{"i go to spin class twice a week", "sacked off spin class"}, nil},
	} {
		t.Run(c.said[1], func(t *testing.T) { leaves(t, c.said, c.want) })
	}
}

// P4: a habit stays when somebody else gave it up, when it was only missed, and when it is only thought of.
func TestKeptMembership(t *testing.T) {
	noRace(t)
	for _, said := range []string{
		"my brother cancelled the gym",
		"omar packed in the gym",
		"thinking of cancelling the gym",
		"might pack in the gym",
		"should i cancel the gym?",
		"how do i cancel the gym",
		"nearly packed in the gym but i'm sticking with it",
		"cancelled the gym this week, got a cold",
		"skipped the gym tonight",
		"done at the gym, what's for tea",
		"done with the gym for today",
		"i'd never cancel the gym",
		"i want to cancel the gym but the contract runs till may",
		"left the gym early, legs like jelly",
		"left the gym at 9",
		"the gym cancelled my spin class",
		"cancelled my gym class for later",
		"they cancelled the gym show",
	} {
		t.Run(said, func(t *testing.T) {
			m, _ := open(t)
			say(t, m, luna, "", "i go to the gym every tuesday")
			say(t, m, luna, "", said)
			if got := activeContents(t, m); !slices.Contains(got, "Goes to the gym every tuesday.") {
				t.Errorf("got %q", got)
			}
		})
	}
}

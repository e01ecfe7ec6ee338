package manager_test

import (
	"slices"
	"testing"
)

// P4: a birthday replaces the age, also in words and by its number.
func TestTurnedAge(t *testing.T) {
	noRace(t)
	for _, c := range []struct {
		said, want []string
	}{
		{[]string{"my son otis is 8", "otis turned nine yesterday"}, []string{"Son Otis is nine.", "Son is called Otis."}},
		{[]string{"my son otis is 8", "it was my son otis's 9th birthday on sunday"}, []string{"Son Otis is 9.", "Son is called Otis."}},
		{[]string{"my son otis is 8", "my son turned nine yesterday"}, []string{"Son Otis is nine.", "Son is called Otis."}},
		{[]string{"my daughter elsie is 4", "elsie had her 5th birthday on saturday"}, []string{"Daughter Elsie is 5.", "Daughter is called Elsie."}},
		{[]string{"my mum is 59", "it's mum's 60th today"}, []string{"Mum is 60."}},
		{[]string{"my mum is 59", "mum was 60 on friday"}, []string{"Mum is 60."}},
		{[]string{"my dog pip is 3", "pip is 4 now"}, []string{"Dog Pip is 4.", "Dog is called Pip."}},
		{[]string{"i'm 41", "it's my 42nd today"}, []string{"Is 42 years old."}},
		{[]string{"i'm 39", "had my 40th at the weekend"}, []string{"Had my 40th at the weekend.", "Is 40 years old."}},
		{[]string{"i'm 39", "hit the big 4-0 yesterday"}, []string{"Is 40 years old."}},
		{[]string{"i'm 29", "i hit thirty last week"}, []string{"Is thirty years old."}},
		{[]string{"i'm 33", "it was my 34th birthday yesterday"}, []string{"Is 34 years old."}},
	} {
		t.Run(c.said[1], func(t *testing.T) { leaves(t, c.said, c.want) })
	}
}

// P4: an age stays when somebody else had a birthday, when it is to come, and when the number counts something else.
func TestNotTurnedAge(t *testing.T) {
	noRace(t)
	for _, said := range []string{
		"it's omar's 42nd today",
		"it's my 42nd next month",
		"it's our 10th anniversary today",
		"it's my 5th day off sick",
		"had my 2nd interview yesterday",
		"it's my 3rd marathon today",
		"had my 2nd today and it hurt less",
		"i remember when i turned 30",
		"it's turned 10 already",
		"my neighbour's lad turned ten yesterday",
		"hit 40 on the motorway",
		"i hit thirty emails today",
		"otis turns ten in may",
		"otis will be ten soon",
		"is it my 42nd today?",
		"if otis turned ten yesterday",
	} {
		t.Run(said, func(t *testing.T) {
			m, _ := open(t)
			say(t, m, luna, "", "i'm 41")
			say(t, m, luna, "", "my son otis is 8")
			say(t, m, luna, "", said)
			got := activeContents(t, m)
			if !slices.Contains(got, "Is 41 years old.") || !slices.Contains(got, "Son Otis is 8.") {
				t.Errorf("got %q", got)
			}
		})
	}
}

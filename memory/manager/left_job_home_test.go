package manager_test

import (
	"slices"
	"strings"
	"testing"
)

// gone says messages and checks that no active item has all words of old, and that one has those of now.
func gone(t *testing.T, said []string, old, now string) {
	t.Helper()
	m, _ := open(t)
	session := ""
	has := func(words string) bool {
		return slices.ContainsFunc(activeContents(t, m), func(s string) bool {
			return !slices.ContainsFunc(strings.Fields(words), func(w string) bool { return !strings.Contains(strings.ToLower(s), w) })
		})
	}
	for i, s := range said {
		turn, _ := say(t, m, luna, session, s)
		if session = turn.Session.ID; i == 0 && !has(old) {
			t.Fatalf("nothing is known of %q: %q", s, activeContents(t, m))
		}
	}
	if has(old) || now != "" && !has(now) {
		t.Errorf("got %q", activeContents(t, m))
	}
}

// P4: a job ends by the ways in which people leave it.
func TestLeftJob(t *testing.T) {
	noRace(t)
	for _, c := range []struct{ known, said, old, now string }{
		{"i work at homebase", "handed my notice in at homebase, start monday as a classroom assistant", "works homebase", "classroom assistant"},
		{"i'm on the tills at asda, 20 hrs a week", "handed my lanyard in, starting at the library on monday", "tills asda", "library"},
		{"i work as a barista at nero", "last shift at nero today, off to college in may", "works nero", ""},
		{"i work at tesco", "got the sack from tesco", "works tesco", ""},
		{"i work at tesco", "tesco let me go", "works tesco", ""},
		{"i work at tesco", "they've made me redundant", "works tesco", ""},
		{"i work at greggs", "i've jacked in greggs, driving for dpd now", "works greggs", "dpd"},
	} {
		t.Run(c.said, func(t *testing.T) { gone(t, []string{c.known, c.said}, c.old, c.now) })
	}
}

// P4: a job stays when somebody else leaves theirs, when it is only thought of, and at the end of a day.
func TestNotLeftJob(t *testing.T) {
	noRace(t)
	for _, said := range []string{
		"my brother handed his notice in at homebase",
		"thinking of handing my notice in",
		"wish i could hand my notice in at homebase",
		"handed in my notice on the flat",
		"handed my keys in at reception",
		"finished at homebase at 10 tonight, knackered",
		"left homebase at half ten",
		"last day at homebase is in june",
		"last day of the course today",
		"my manager got the sack from homebase",
		"homebase let me go early today",
		"they let me go home at 4",
		"should i hand in my notice?",
		"got the sack race at sports day",
	} {
		t.Run(said, func(t *testing.T) {
			m, _ := open(t)
			say(t, m, luna, "", "i work at homebase")
			say(t, m, luna, "", said)
			if got := activeContents(t, m); !slices.Contains(got, "Works at homebase.") {
				t.Errorf("got %q", got)
			}
		})
	}
}

// P4: where somebody of the user's stays ends when they move out or find a place.
func TestMovedOut(t *testing.T) {
	noRace(t)
	for _, c := range []struct{ known, said, old, now string }{
		{"my brother leon lives with us", "our leon's moved out, got a flat in bury", "leon with us", "leon bury"},
		{"our leon lives with us", "leon's moved out, got a flat in bury", "leon lives with us", ""},
		{"my brother leon is staying in our box room", "leon's got his own place in bury now", "leon box room", "leon bury"},
		{"my mate dev is kipping on our sofa", "dev's found a place finally, we've got the sofa back", "dev kipping", ""},
		{"my sister lena lives with me", "lena moved in with her boyfriend on saturday", "lena with them", "lena boyfriend"},
		{"my nan lives in leeds", "nan's gone into a care home in otley", "nan lives in leeds", "nan otley"},
		{"my brother in law pete is staying in our spare room", "got the spare room back, pete's gone", "pete staying", ""},
	} {
		t.Run(c.said, func(t *testing.T) { gone(t, []string{c.known, c.said}, c.old, c.now) })
	}
}

// P4: it stays when somebody else moves, when it is only wished, and for a visit.
func TestNotMovedOut(t *testing.T) {
	noRace(t)
	for _, said := range []string{
		"jo's brother's moved out, got a flat in bury",
		"leon wants to move out",
		"leon might get a flat in bury",
		"leon's viewing a flat in bury",
		"leon's gone to bury for the weekend",
		"if leon moves out we get the spare room back",
		"leon hasn't moved out yet",
		"leon's not found a place",
		"leon's got a place at uni in the team",
		"nearly got the spare room back",
		"has leon moved out?",
	} {
		t.Run(said, func(t *testing.T) {
			m, _ := open(t)
			say(t, m, luna, "", "my brother leon lives with us")
			say(t, m, luna, "", said)
			if got := strings.Join(activeContents(t, m), " "); !strings.Contains(got, "Leon lives with us") {
				t.Errorf("got %q", got)
			}
		})
	}
}

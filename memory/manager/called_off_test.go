package manager_test

import (
	"slices"
	"testing"
)

// leaves says messages one after the other in one session and compares what is active then. The first must teach something.
func leaves(t *testing.T, said, want []string) {
	t.Helper()
	m, _ := open(t)
	session := ""
	for i, s := range said {
		turn, _ := say(t, m, luna, session, s)
		session = turn.Session.ID
		if i == 0 && len(activeContents(t, m)) == 0 {
			t.Fatalf("nothing is known of %q", s)
		}
	}
	if got := activeContents(t, m); !slices.Equal(got, append([]string{}, want...)) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// P4: a plan ends when others call it off.
func TestCalledOffByOthers(t *testing.T) {
	noRace(t)
	for _, said := range [][]string{
		{"i'm having my hip op on 4 december", "the clinic have called off my op"},
		{"my scan is on 3 december at 10", "hospital rang, they've had to cancel my scan"},
		{"we've got a house viewing on thursday at 5", "the letting agents cancelled our viewing"},
		{"i've got the hygienist on tuesday at 4", "the hygienist has had to cancel my appointment"},
		{"i'm flying to porto on 20 december", "they've only gone and cancelled my flight"},
		{"the class trip is on 3 december", "the school called off the class trip"},
		{"i've got physio on tuesday at 4", "physio cancelled on me"},
		{"my swimming lesson is on saturday at 2", "teacher had to cancel saturday's lesson"},
		{"having brunch with cleo on friday", "cleo's called off brunch"},
		{"i'm having my root canal on 17 december", "won't be having the root canal now"},
		{"my work meeting is on 3 december at 9", "they scrapped the work meeting"},
	} {
		t.Run(said[1], func(t *testing.T) { leaves(t, said, nil) })
	}
}

// P4: a plan stays when something else was called off, or nothing was.
func TestNotCalledOff(t *testing.T) {
	noRace(t)
	for _, said := range []string{
		"Omar's op was called off",
		"they've called off my brother's op",
		"they've called off mum's op",
		"they've called off his op",
		"omar has called off his op",
		"my neighbour said the clinic called off his op",
		"if they call off my op again i'll scream",
		"have they called off my op?",
		"what happens if they've cancelled my op",
		"they nearly called off my op",
		"they haven't cancelled my op yet",
		"dreamt they'd called off my op",
		"they might have to cancel my op, strikes",
		"i'm scared they'll cancel my op",
		"imagine they've cancelled my op",
		"they called off my op last year as well",
		"they've called off the strike",
		"they've called off my hearing test",
		"they always cancel my op at the last minute",
		"the surgeon could still cancel my op",
		"they've cancelled my op, only joking",
		"they've cancelled my op haha no not really",
		"translate into french: they've cancelled my op",
	} {
		t.Run(said, func(t *testing.T) {
			m, _ := open(t)
			say(t, m, luna, "", "i'm having my hip op on 4 december")
			say(t, m, luna, "", said)
			if got := activeContents(t, m); !slices.Contains(got, "Is having their hip op on 4 december (4 December 2026).") {
				t.Errorf("got %q", got)
			}
		})
	}
}

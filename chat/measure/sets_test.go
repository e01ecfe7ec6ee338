package measure_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memoria/chat/measure"
)

// testdata is the folder of a set.
func testdata(name string) string {
	return filepath.Join("..", "..", "memory", "eval", "testdata", name)
}

// long skips what takes half a minute, and lets the sets be played at the same time.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it measures rules, which have no races")
	}
	t.Parallel()
}

// A test plays every third case of a set, and one of the two lives. With MEMORIA_SETS=all
// it plays everything, which takes three times as long.
const part = 3

func all() bool { return os.Getenv("MEMORIA_SETS") == "all" }

// sampled returns the cases that are played, by language.
func sampled[C any](set map[string][]C) map[string][]C {
	if all() {
		return set
	}
	out := map[string][]C{}
	for language, cases := range set {
		for i := 0; i < len(cases); i += part {
			out[language] = append(out[language], cases[i])
		}
	}
	return out
}

// bound returns the bound for the cases played: all or the sample.
func bound(ofAll, ofSample int) int {
	if all() {
		return ofAll
	}
	return ofSample
}

// show prints the tables with -v. The remarks on single cases stay out of tests: whoever
// writes rules must not see them.
func show(t *testing.T, out interface{ Print(w io.Writer) error }) {
	t.Helper()
	var b bytes.Buffer
	if err := out.Print(&b); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + b.String())
}

// P2, P3, P4, P5, P5a, P5b, P6, K9: what strangers say becomes memory, and what is not
// about them does not. The bounds are the figures of the last change: raise
// found and lower active with every figure that is better.
func TestStatements(t *testing.T) {
	long(t)
	set, err := measure.LoadStatements(testdata("statements"))
	if err != nil {
		t.Fatal(err)
	}
	set.Teach, set.Silent = sampled(set.Teach), sampled(set.Silent)
	got, err := measure.MeasureStatements(t.Context(), set, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	show(t, got)
	for language, want := range map[string]struct{ cases, found, active int }{
		"en": {bound(150, 50), bound(104, 32), bound(10, 3)},
		"zh": {bound(150, 50), bound(136, 49), bound(11, 3)},
	} {
		teach, silent := got.Teach[language], got.Silent[language]
		if teach.Cases != want.cases || silent.Active.Of != want.cases {
			t.Errorf("%s: %d and %d cases, want %d", language, teach.Cases, silent.Active.Of, want.cases)
		}
		if teach.Found.N < want.found {
			t.Errorf("%s: found %v, want at least %d", language, teach.Found, want.found)
		}
		if silent.Active.N > want.active {
			t.Errorf("%s: silent messages leave something active in %v cases, want at most %d", language, silent.Active, want.active)
		}
	}
}

// U1, U2, U3, U4, U5, P4: how many wordings of an instruction to the memory are carried
// out or recognised, and what messages that only look like one set off. The bounds are
// the figures of the last change; the first ones are in the README of the sets.
func TestInstructions(t *testing.T) {
	long(t)
	set, err := measure.LoadInstructions(testdata("instructions"))
	if err != nil {
		t.Fatal(err)
	}
	set.Say, set.Near = sampled(set.Say), sampled(set.Near)
	got, err := measure.MeasureInstructions(t.Context(), set, measure.Recognise, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	show(t, got)
	for language, want := range map[string]struct{ understood, destructive, others int }{
		"en": {bound(210, 71), bound(4, 2), bound(4, 2)},
		"zh": {bound(196, 65), bound(5, 2), bound(6, 3)},
	} {
		say, near := got.Say[language], got.Near[language]
		if u := say.Understood(); u.Of != bound(240, 80) || u.N < want.understood {
			t.Errorf("%s: understood %v, want at least %d of %d", language, u, want.understood, bound(240, 80))
		}
		if near.Destructive.Of != bound(150, 50) || near.Destructive.N > want.destructive {
			t.Errorf("%s: destructive alarms %v, want at most %d of %d", language, near.Destructive, want.destructive, bound(150, 50))
		}
		if near.Others.N > want.others {
			t.Errorf("%s: other alarms %v, want at most %d", language, near.Others, want.others)
		}
	}
}

// Q4, P2, P3, P4, P6, P9a: what 60 days of use leave in the memory by rules alone. The
// bounds are the figures of the last change.
func TestLives(t *testing.T) {
	testLives(t, false, "haoran", map[string]bounds{
		"haoran": {bad: 59, kept: 28, first: 1, found: 3},
		"ines":   {bad: 53, kept: 31, first: 2, found: 3},
	})
}

// Q4, P5c: the same days with a model that is right. The bounds are the figures of the
// last change.
func TestLivesWithAnalyst(t *testing.T) {
	testLives(t, true, "ines", map[string]bounds{
		"haoran": {bad: 31, kept: 41, first: 5, found: 8},
		"ines":   {bad: 26, kept: 45, first: 2, found: 6},
	})
}

// percents are the least percentages of all lines that are checked, of the last change.
type percents struct{ known, heldOut float64 }

// P4, P9a, U3, R1: what strangers tell, correct, end and ask, in whole conversations.
func TestStories(t *testing.T) {
	testStories(t, "stories", map[string]percents{"en": {82, 66}, "zh": {78, 64}})
}

// P4, P9a, L1, R1: what was told changes in other words; questions in other words.
func TestUpdates(t *testing.T) {
	testStories(t, "updates", map[string]percents{"en": {73, 56}, "zh": {77, 65}})
}

// P4, P9a, L1, R1, U2, U4, U5: changes, questions and instructions as people type them.
func TestTurns(t *testing.T) {
	testStories(t, "turns", map[string]percents{"en": {72, 67}, "zh": {72, 54}})
}

func testStories(t *testing.T, folder string, want map[string]percents) {
	long(t)
	set, err := measure.LoadStories(testdata(folder))
	if err != nil {
		t.Fatal(err)
	}
	got, err := measure.MeasureStories(t.Context(), set, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	show(t, got)
	for language, want := range want {
		if all := got.Known[language].All(); all.Percent() < want.known || all.Of == 0 {
			t.Errorf("%s, known: %v", language, all)
		}
		if all := got.HeldOut[language].All(); all.Percent() < want.heldOut || all.Of == 0 {
			t.Errorf("%s, held out: %v", language, all)
		}
	}
}

// bounds are what a life has to reach: at most bad percent of the active items, and at
// least the other numbers.
type bounds struct {
	bad                float64
	kept, first, found int
}

// testLives measures the life named sample, and with MEMORIA_SETS=all every life.
func testLives(t *testing.T, analyst bool, sample string, want map[string]bounds) {
	long(t)
	lives, err := measure.LoadLives(testdata("lives"))
	if err != nil {
		t.Fatal(err)
	}
	if len(lives) != len(want) {
		t.Errorf("%d lives, want %d", len(lives), len(want))
	}
	if !all() {
		lives = slices.DeleteFunc(lives, func(l measure.Life) bool { return l.Name != sample })
	}
	got, err := measure.MeasureLives(t.Context(), lives, analyst, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	show(t, got)
	if len(got) == 0 {
		t.Error("no life was played")
	}
	for i, f := range got {
		want := want[f.Name]
		if n := len(lives[i].Messages); n != 480 {
			t.Errorf("%s: %d messages", f.Name, n)
		}
		if f.Bad().Percent() > want.bad {
			t.Errorf("%s: bad items %v, want at most %v %%", f.Name, f.Bad(), want.bad)
		}
		if f.Kept.N < want.kept {
			t.Errorf("%s: facts kept %v, want at least %d", f.Name, f.Kept, want.kept)
		}
		if f.First.N < want.first || f.Top.N < want.found {
			t.Errorf("%s: questions found first %v, found %v; want at least %d and %d", f.Name, f.First, f.Top, want.first, want.found)
		}
	}
}

package measure

import (
	"path/filepath"
	"testing"
)

// played loads the stories in a folder of testdata.
func played(t *testing.T, name string) map[string][]Story {
	t.Helper()
	if testing.Short() {
		t.Skip("it measures rules, which have no races")
	}
	set, err := LoadStories(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// P4, U3, P9a: a correction or an end changes the memory that it names, however many turns lie between.
func TestChangesSaidPlainly(t *testing.T) {
	for language, stories := range played(t, "changes") {
		for _, s := range stories {
			failed, err := s.play(t.Context(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range failed {
				t.Errorf("%s.txt:%d, %s: there is %q", language, f.line, s.Name, f.got)
			}
		}
	}
}

// P4, U3: what others have, suppose, ask, quote or joke about changes no memory.
func TestUnchanged(t *testing.T) {
	for language, stories := range played(t, "unchanged") {
		for _, s := range stories {
			before, after, err := s.lastStep(t)
			if err != nil {
				t.Fatal(err)
			}
			if len(before.active) == 0 {
				t.Errorf("%s, %s: nothing was learned", language, s.Name)
			}
			if !after.hasAll(before.all()) {
				t.Errorf("%s, %s: %q, was %q", language, s.Name, contents(after.all()), contents(before.all()))
			}
		}
	}
}

// lastStep returns the memory before and after the last step of a story.
func (s Story) lastStep(tb testing.TB) (before, after left, err error) {
	tb.Helper()
	t, err := begin(tb.Context(), tb.TempDir(), nil)
	if err != nil {
		return before, after, err
	}
	defer func() {
		if err := t.end(); err != nil {
			tb.Error(err)
		}
	}()
	for i, step := range s.Steps {
		if i == len(s.Steps)-1 {
			if before, err = t.left(tb.Context()); err != nil {
				return before, after, err
			}
		}
		if _, _, err := t.step(tb.Context(), step); err != nil {
			return before, after, err
		}
	}
	after, err = t.left(tb.Context())
	return before, after, err
}

// U3, U4: an undo after a correction brings back what was corrected, and leaves nothing beside it.
func TestUndoOfACorrection(t *testing.T) {
	const told = "I drive a blue Skoda."
	s := Story{Name: "undone", Steps: []Step{
		{Mark: markSay, Text: told}, {Mark: markSay, Text: "what is a good snack?"}, {Mark: markSay, Text: "my car is red not blue"},
		{Mark: markActive, Want: "red skoda"}, {Mark: markSay, Text: "undo"},
		{Mark: markActive, Want: "blue skoda"}, {Mark: markGone, Want: "red"},
	}}
	failed, err := s.play(t.Context(), t.TempDir())
	if err != nil || len(failed) > 0 {
		t.Errorf("%+v, %v", failed, err)
	}
}

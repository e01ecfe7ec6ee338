package guide

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"memoria/ui/words"
)

// U6: the five steps follow what the user does.
func TestSteps(t *testing.T) {
	g := Begin()
	for i, c := range []struct {
		event Event
		key   string
	}{
		{Said, "first.say"}, {Answered, "first.say-plain"}, // a question that teaches nothing
		{Said, "first.say-plain"}, {Learned, "first.see"}, {Answered, "first.see"},
		{Looked, "first.ask"}, {Answered, "first.ask"}, // of the message before
		{Said, "first.ask"}, {Answered, "first.why"},
		{Looked, "first.why"}, {Opened, "first.delete"}, {Opened, "first.delete"},
	} {
		if g.Note(c.event); g.Message() != c.key {
			t.Errorf("event %d (%d): the guide says %q", i, c.event, g.Message())
		}
	}
	if !g.Note(Deleted) || g.Message() != "first.done" {
		t.Errorf("after the deletion the guide says %q", g.Message())
	}
	if g.Note(Said); g.On() {
		t.Error("the next message does not end it")
	}
}

// U6: who asks without looking is not sent back.
func TestAskAtOnce(t *testing.T) {
	g := Begin()
	g.Note(Learned)
	g.Note(Said)
	if g.Note(Answered); g.Step() != Why {
		t.Errorf("the guide is at step %d", g.Step())
	}
}

// U6: the last step is not repeated after a message that deletes nothing.
func TestLastStepOnce(t *testing.T) {
	g := Begin()
	for _, e := range []Event{Learned, Opened, Said} {
		if g.Note(e) {
			t.Fatalf("event %d ends it", e)
		}
	}
	if !g.Note(Answered) || g.On() {
		t.Errorf("the guide is at step %d", g.Step())
	}
}

// U6: a message that deletes is the last step.
func TestDeletedByMessage(t *testing.T) {
	g := Begin()
	for _, e := range []Event{Learned, Opened, Said} {
		g.Note(e)
	}
	if !g.Note(Deleted) || g.Step() != Done {
		t.Errorf("the guide is at step %d", g.Step())
	}
	if g.Note(Answered); g.Step() != Done {
		t.Errorf("the answer leads to step %d", g.Step())
	}
	if g.Note(Settled); g.On() {
		t.Error("it goes on after the deletion is settled")
	}
}

// U6: the guide never goes back, ends with a deletion or when it is skipped, and then stays off.
func TestNeverBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := Begin()
		for _, e := range rapid.SliceOf(rapid.SampledFrom([]Event{Said, Learned, Looked, Answered, Opened, Deleted, Settled})).Draw(t, "events") {
			was := g.Step()
			ended := g.Note(e)
			switch now := g.Step(); {
			case now < was && !(was >= Delete && now == Off):
				t.Fatalf("from step %d to %d", was, now)
			case ended != (e == Deleted && was > Off && was < Done || e == Answered && was == Delete && now == Off):
				t.Fatalf("event %d at step %d: ended is %v", e, was, ended)
			case was == Off && now != Off:
				t.Fatal("it began by itself")
			}
		}
		if g.Skip(); g.On() {
			t.Fatal("it was skipped and goes on")
		}
	})
}

// The step that asks speaks of the name where that is what was told.
func TestNamed(t *testing.T) {
	w := words.Words{Language: words.English}
	for named, want := range map[bool]string{true: "What is my name?", false: "in your own words"} {
		g := Begin()
		g.Note(Said)
		g.SetNamed(named)
		g.Note(Learned)
		g.Note(Looked)
		if got := g.Text(w); !strings.Contains(got, want) {
			t.Errorf("%v: %q", named, got)
		}
		if got := g.Line(w, 58); len(got) > 58 {
			t.Errorf("%v: %q", named, got)
		}
	}
}

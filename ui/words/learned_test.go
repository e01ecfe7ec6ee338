package words_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/ui/words"
)

func item(id, content string, state memory.State) *memory.Item {
	return &memory.Item{ID: id, Content: content, State: state}
}

// U6: each change has its line; what needs no text has none.
func TestLearned(t *testing.T) {
	bonn := item("i1", "Lives in Bonn.", memory.StateActive)
	for want, c := range map[string]memory.Change{
		"Remembered: Lives in Bonn.": {Action: memory.ActionAdded, Item: bonn},
		"Replaced: Lives in Shanghai. → Lives in Bonn.": {Action: memory.ActionSuperseded, Item: bonn, Replaced: item("i0",
			"Lives in Shanghai.", memory.StateInactive)},
		"Replaced an older memory: Lives in Bonn.": {Action: memory.ActionSuperseded, Item: bonn},
		"Still waits for your approval: Is vegan.": {Action: memory.ActionConfirmed, Item: &memory.Item{Content: "Is vegan.",
			State: memory.StateHeld}},
		"Confirmed: Lives in Bonn.": {Action: memory.ActionConfirmed, Item: bonn},
		"Held for your approval: 手机号 1. Why: personal data": {Action: memory.ActionHeld, Reason: "personal data",
			Item: item("i2", "手机号 1.", memory.StateHeld)},
		"Accepted: 手机号 1.": {Action: memory.ActionHeld, Reason: "personal data",
			Item: item("i2", "手机号 1.", memory.StateActive)},
		"Undone: Lives in Bonn.":     {Action: memory.ActionAdded, Undone: true, Item: bonn},
		"No longer true: Has a cat.": {Action: memory.ActionExpired, Item: item("i3", "Has a cat.", memory.StateInactive)},
		"No longer true: Has a dog.": {Action: memory.ActionEnded, Item: item("i4", "Has a dog.", memory.StateInactive)},
	} {
		if got := english.Learned(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for name, c := range map[string]memory.Change{
		"not stored": {Action: memory.ActionSkipped, Reason: "known"},
		"half of a replacement": {Action: memory.ActionSuperseded, Reason: memory.ReplacedBy("i1"), Item: item("i0",
			"Lives in Shanghai.", memory.StateInactive)},
		"rejected": {Action: memory.ActionHeld, Item: item("i2", "x", memory.StateInactive)},
		"an undo":  {Action: memory.ActionUndone, Undo: "u1", Item: bonn},
	} {
		if got := english.Learned(c); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// U6: what several members of a group learned is said once, and what a turn confirms of
// its own lessons is not said.
func TestTaught(t *testing.T) {
	tea := memory.Change{Action: memory.ActionAdded, ItemID: "a", Item: item("a", "Likes tea.", memory.StateActive)}
	again := memory.Change{Action: memory.ActionConfirmed, ItemID: "a", Item: tea.Item}
	email := memory.Change{Action: memory.ActionHeld, ItemID: "b", Item: item("b", "Email is b.", memory.StateHeld)}
	hers := tea
	hers.ItemID, hers.Item = "c", item("c", "Likes tea.", memory.StateActive)
	l := english.Taught(english.Taught(nil, "Ann", []memory.Change{tea, again, email}), "Bo", []memory.Change{hers})
	want := "Ann, Bo: Remembered: Likes tea. · Ann: Held for your approval: Email is b."
	if got := words.OneLine(l); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if diff := cmp.Diff([]string{"b"}, words.Waiting(l)); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
	if got := words.OneLine(english.Lessons(nil)); got != "" {
		t.Errorf("nothing is %q", got)
	}
}

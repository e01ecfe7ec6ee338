package recall

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/term/pane"
	"memoria/ui/term/panetest"
)

// The calendar counts what is in the store, a day lists its memories, and a memory's story has
// what it replaced.
func TestLifeAndStoryOfTheStore(t *testing.T) {
	p, _ := lookingUp(t)
	p.id, p.only = pane.All, partAll
	panetest.Show(p, 60, 20)
	run := func(cmd tea.Cmd) { p.fx.Accept(cmd().(pane.Result)).(pane.Callback)() }
	add := func(key, content string) memory.Item {
		it, err := p.fx.Memory.Learning().AddItem(t.Context(), "luna", memory.Item{Content: content, Key: key, Type: memory.TypeFact})
		if err != nil {
			t.Fatal(err)
		}
		return it
	}
	add("home", "lives in Bonn")
	now := add("home", "lives in Rome")
	gone := add("", "likes tea")
	if _, err := p.fx.Memory.DeleteItems(t.Context(), "luna", gone.ID); err != nil {
		t.Fatal(err)
	}
	p.SetFocus(true)
	run(p.List())
	run(p.do(press(p.Model, "c")))
	panetest.Shows(t, view(t, p.Model), "Today · 3 learned, 1 replaced, 1 forgotten", "in all: 3 learned")
	run(p.do(press(p.Model, "enter")))
	panetest.Shows(t, view(t, p.Model), "28 January · 2 memories", "1 memory was forgotten", "lives in Rome", "lives in Bonn")
	p.Show(Detail{Item: now})
	run(p.read(now.ID))
	panetest.Shows(t, view(t, p.Model), "it replaced", "lives in Bonn", "in no answer yet")
	run(p.do(press(p.Model, "esc", "esc")))
	panetest.Shows(t, view(t, p.Model), "all memories · 1,", "1 that ended · x shows them")
	run(p.do(press(p.Model, "x")))
	panetest.Shows(t, view(t, p.Model), "all memories · 1,", "and 1 that ended · x hides them", "lives in Bonn")
}

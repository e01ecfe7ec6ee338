package term

import (
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/ui/term/pane"

	"memoria/memory/lookup"

	tea "charm.land/bubbletea/v2"
)

// P9: what was learned from a turn is undone from the panel, one change or the
// whole turn after a question, and the undo itself in the memory's history.
func TestUndoInThePanel(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.say("I like green tea. My name is Bo.")
	s.see("learned from this turn · 2 changes", "all 2")
	s.press(tea.KeyTab)
	s.see("u undo", "U undo the turn")
	s.sure('u')
	s.see("no longer remembered: ", " undone ")
	wantLeft(t, w, 1)

	s.press('U')
	s.see("Undo what this turn did (1 change)?", "any other key leaves it")
	s.press('n')
	s.gone("Undo what this turn did")
	s.press('U')
	s.see("Undo what this turn did")
	s.ctrl('y')
	s.gone("Undo what this turn did")
	s.see("no longer remembered: ")
	wantLeft(t, w, 0)

	s.press('u')
	s.see("It is undone already")
	s.press(tea.KeyEnter)
	s.see("your words", "h history")
	s.press('h')
	s.see("history · 2", "undone (by hand): what brought it", "(undone)", "▸ 2026")
	s.sure('u')
	s.see("again: ", "history · 3")
	wantLeft(t, w, 1)
	s.press(tea.KeyEscape, tea.KeyEscape)
	s.see("all 1")
}

// P9: where nothing can be undone, u asks no question, and is not offered.
func TestNoUndoIsPromisedInVain(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.say("I live in Bonn.")
	s.ended(1)
	s.say("I moved to Bremen.")
	s.ended(2)
	s.press(tea.KeyTab)
	s.view(pane.All)
	s.see("[all 1]")
	s.press('x')
	s.see("ended  Lives in Bonn")
	s.press(tea.KeyDown, 'u')
	if frame := s.see("There is nothing to undo here."); strings.Contains(frame, "ctrl+y") {
		t.Errorf("the screen is\n%s", frame)
	}
	page, err := w.manager.Lookup().Items(t.Context(), "luna", lookup.ItemFilter{})
	must(t, err)
	_, err = w.manager.Learning().EditItem(t.Context(), "luna", page.Items[0].ID, func(it *memory.Item) { it.Content = "Lives in Brema." })
	must(t, err)
	s.see("Lives in Brema.")
	s.press(tea.KeyUp, tea.KeyEnter)
	s.see("it replaced", "h history")
	s.press('h')
	s.see("history · 2", "▸ 2026", "u undo")
	s.press(tea.KeyDown)
	s.see("▸ 2026-01-28 12:00, replaces", "u undo") // that cannot be undone: its words were changed since
	s.press('u')
	s.see("▸ 2026-01-28 12:00, edited", "ctrl+y yes")
	s.ctrl('y')
	s.see("as before: Lives in Bremen.", "history · 3")
}

// P9: an ended memory is brought back from the list and from its page, after a question, by the
// undo of its end. Where that cannot be undone, it says why.
func TestBringBack(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.say("I live in Bonn.")
	s.ended(1)
	s.say("I moved to Bremen.")
	s.ended(2)
	s.press(tea.KeyTab)
	s.view(pane.All)
	s.see("[all 1]")
	state := func(content string) (it memory.Item) {
		page, err := w.manager.Lookup().Items(t.Context(), "luna", lookup.ItemFilter{Text: content, All: true})
		must(t, err)
		return page.Items[0]
	}
	s.press('b')
	s.see("your text is in the message line") // of an active memory it means nothing
	s.press(tea.KeyBackspace, tea.KeyTab, 'x')
	s.see("ended  Lives in Bonn")
	s.press(tea.KeyDown)
	s.see("b bring it back")
	s.press('b')
	s.see("Bring “Lives in Bonn.” back?", "What replaced it is then no longer remembered", "ctrl+y yes")
	s.press('n')
	s.gone("back?")
	s.sure('b')
	s.see("as before: Lives in Bonn.", "ended  Lives in Bremen")
	if bonn, bremen := state("Bonn"), state("Bremen"); bonn.State != memory.StateActive || bremen.State != memory.StateInactive {
		t.Errorf("Bonn is %s, Bremen is %s", bonn.State, bremen.State)
	}
	s.press(tea.KeyHome, tea.KeyEnter)
	s.see("Lives in Bremen.", "b bring it back")
	s.sure('b')
	s.see("again: Lives in Bremen.")
	_, err := w.manager.Learning().EditItem(t.Context(), "luna", state("Bremen").ID, func(it *memory.Item) { it.Content = "Lives in Brema." })
	must(t, err)
	s.press(tea.KeyEscape, tea.KeyDown)
	s.see("ended  Lives in Bonn")
	s.sure('b')
	s.see("It cannot be brought back: it ended more than 30 days", "ago, or what ended it was changed since")
}

// The same in the panes whose undo is that of a deletion.
func TestNoUndoWithoutADeletion(t *testing.T) {
	for _, id := range []pane.ID{pane.Sessions, pane.Archive, pane.Inbox, pane.Agents} {
		m := still(t, 140, 40)
		m.Open(id)
		press(m, "u")
		if got := frame(t, m); m.typed.question != nil || !strings.Contains(got, "There is nothing to undo.") {
			t.Errorf("pane %d:\n%s", id, got)
		}
	}
}

// D2: what the filter of the panel shows is deleted together, and restored together.
func TestDeleteAllShown(t *testing.T) {
	w := newWorld(t, "", nil)
	for _, said := range []string{"learns pottery", "the pottery class is on Tuesdays", "likes tea"} {
		_, err := w.manager.Learning().AddItem(t.Context(), "luna", memory.Item{Content: said, Type: memory.TypeFact})
		if err != nil {
			t.Fatal(err)
		}
	}
	s := w.show(140, 40)
	s.see("all 3")
	s.press(tea.KeyTab, '/')
	s.tm.Type("pottery")
	s.press(tea.KeyEnter)
	s.gone("likes tea")
	s.press('D')
	s.see("Delete 2 memories with “pottery”?")
	s.press(tea.KeyDelete)
	s.see("deleted 2 memories · F7 restores it (10 s)", "Nothing has these words")
	wantLeft(t, w, 1)
	s.sure('u')
	s.see("restored: 2 memories", "learns pottery")
	wantLeft(t, w, 3)
}

// The list of all memories and its tab count what is remembered; inactive memories are shown on
// demand.
func TestInactiveOnDemand(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.say("I live in Bonn.")
	s.see("all 1")
	s.ended(1)
	s.say("I moved to Bremen.")
	s.ended(2)
	s.see("all 1")
	s.press(tea.KeyTab)
	s.view(pane.All)
	frame := s.see("[all 1]", "all memories · 1,", "1 that ended · x shows them")
	if strings.Contains(frame, "▸ fact       Lives in Bonn") {
		t.Errorf("the screen is\n%s", frame)
	}
	s.press('x')
	s.see("[all 1]", "all memories · 1,", "and 1 that ended · x hides them", "ended  Lives in Bonn")
	s.press('x')
	s.see("1 that ended · x shows them")
	s.press('/')
	s.tm.Type("bonn")
	s.see("1 memory matches", "ended  Lives in Bonn")
}

// U1: the palette finds the calendar and the inactive memories by what people look for.
func TestPaletteFindsCalendarAndInactive(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.say("I live in Bonn.")
	s.ended(1)
	s.say("I moved to Bremen.")
	s.ended(2)
	s.see("all 1")
	for _, words := range []string{"calendar", "日历"} {
		s.ctrl('p')
		s.see("type to find a command")
		s.tm.Type(words)
		s.see("▸ calendar of the memories")
		s.press(tea.KeyEnter)
		s.see("in all: 2 learned")
		s.press(tea.KeyEscape, tea.KeyEscape)
	}
	for _, words := range []string{"bring back", "restore", "恢复"} {
		s.ctrl('p')
		s.see("type to find a command")
		s.tm.Type(words)
		s.see("bring an ended memory back")
		if words == "bring back" {
			s.press(tea.KeyEnter)
			s.see("[all 1]", "ended  Lives in Bonn")
		} else {
			s.press(tea.KeyEscape)
		}
	}
}

// P9: /undo takes back the last change when no deletion can be taken back.
func TestSlashUndo(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.say("/undo")
	s.see("there is nothing to undo")
	s.say("I like green tea.")
	s.see("learned from this turn · 1 change")
	s.say("/undo")
	s.see("no longer remembered: Likes green tea.")
	wantLeft(t, w, 0)
	s.say("/undo")
	s.see("there is nothing to undo")
}

// wantLeft expects so many active memories.
func wantLeft(t *testing.T, w *world, want int) {
	t.Helper()
	page, err := w.manager.Lookup().Items(t.Context(), "luna", lookup.ItemFilter{})
	must(t, err)
	if page.Total != want {
		t.Errorf("%d memories are in force, want %d", page.Total, want)
	}
}

// D2, I1: a deletion that another program asked for is told, and /undo undoes it.
func TestUndoOfAnotherProgram(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.say("I like green tea.")
	s.see("all 1")
	page, err := w.manager.Lookup().Items(t.Context(), "luna", lookup.ItemFilter{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := w.manager.DeleteItems(t.Context(), "luna", page.Items[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	w.manager.Announce("another", d)
	s.gone("another program")
	w.manager.Announce("luna", d)
	s.see("another program deleted 1 memory; F7 restores it", "all 0")
	s.say("/undo")
	s.see("restored: Likes green tea.", "all 1")
	wantLeft(t, w, 1)
}

// A deletion in one view of the memories can be undone in the other.
func TestUndoInTheOtherView(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.say("I like green tea.")
	s.see("learned from this turn · 1 change", "all 1")
	s.press(tea.KeyTab)
	s.see("enter open")
	s.press('d')
	s.see("gone for good")
	s.press(tea.KeyDelete)
	s.see("all 0", "F7 restores it")
	s.view(pane.All)
	s.see("[all 0]", "F7 restores it")
	s.sure('u')
	s.see("[all 1]", "restored: ")
	s.gone("F7 restores it (")
	s.view(pane.Recall)
	s.see("[recall]")
	s.gone("F7 restores it (")
}

// P9: what the last turn taught is undone at once. An older change is named and asked about
// first, so that a second undo takes nothing away unasked.
func TestOlderChangesAskFirst(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(100, 30)
	s.say("I like oolong tea.")
	s.see("Remembered: Likes oolong tea.")
	s.ended(1)
	s.say("I like green pears.")
	s.see("Remembered: Likes green pears.")
	s.ended(2)
	s.press(tea.KeyF7)
	s.see("Undone: Likes green pears.")
	s.say("/undo")
	s.see("undo the last change, to “Likes oolong tea.”", "ctrl+y")
	s.press(tea.KeyEscape)
	s.settled()
	page, err := w.manager.Lookup().Items(t.Context(), "luna", lookup.ItemFilter{})
	must(t, err)
	if page.Total != 1 {
		t.Errorf("%d memories are left, want 1", page.Total)
	}
	s.say("/undo")
	s.see("undo the last change, to “Likes oolong tea.”")
	s.ctrl('y')
	s.see("Undone: Likes oolong tea.")
}

// A command with words filters by these alone, whatever was filtered before.
func TestMemoriesFilterAgain(t *testing.T) {
	m := still(t, 100, 30)
	m.commands.run("memories", "lisbon")
	m.setFocus(onInput)
	m.commands.run("memories", "sister")
	if got := m.memories.FilterText(); got != "sister" {
		t.Errorf("the filter is %q", got)
	}
}

// D2: F7, /undo and "undo" as a message restore what was just deleted, and say so: a memory,
// several, a session.
func TestDeletionsAreUndone(t *testing.T) {
	home := typistHome(t, true)
	withTypist(t, home, func(p *typist) {
		left := func() (items, sessions int) {
			page, err := p.w.manager.Lookup().Items(t.Context(), "luna", lookup.ItemFilter{})
			must(t, err)
			_, sessions, err = p.w.manager.Lookup().Sessions(t.Context(), "luna", 100, 0)
			must(t, err)
			return page.Total, sessions
		}
		deletions := map[string]func(){
			"a memory": func() { p.open(pane.All); p.key(tea.KeyEnd, tea.KeyDelete, tea.KeyDelete) },
			"several": func() {
				p.open(pane.All)
				p.key(tea.KeyEscape)
				p.open(pane.All)
				keysThen('/', 't', 'e', 'a', tea.KeyEnter, 'D', tea.KeyDelete)(p)
			},
			"a session": func() { p.open(pane.Sessions); p.key(tea.KeyEnd, tea.KeyDelete, tea.KeyDelete) },
			"by words":  func() { p.say("forget that I like green tea") },
		}
		undos := map[string]func(){
			"F7":    func() { p.key(tea.KeyF7) },
			"/undo": func() { p.words("/undo"); p.key(tea.KeyEnter) },
			"undo":  func() { p.words("undo"); p.key(tea.KeyEnter) },
			"撤销":    func() { p.words("撤销"); p.key(tea.KeyEnter) },
		}
		for what, remove := range deletions {
			for how, undo := range undos {
				p.home()
				items, sessions := left()
				remove()
				p.pass(time.Second)
				if i, s := left(); i >= items && s >= sessions {
					t.Fatalf("%s, %s: nothing is deleted\n%s", what, how, p.frame())
				}
				p.root.setFocus(onInput)
				undo()
				p.rest()
				if i, s := left(); i != items || s < sessions {
					t.Errorf("%s, %s: %d memories of %d, %d sessions of %d\n%s", what, how, i, items, s, sessions, p.frame())
				}
				if frame := p.frame(); !strings.Contains(frame, "estored: ") && !strings.Contains(frame, "已恢复") || strings.Contains(frame, "restores it") {
					t.Errorf("%s, %s: it does not say so\n%s", what, how, frame)
				}
			}
		}
	})
}

// D2: the words of a deleted memory leave the answers on the screen, and undo brings them back.
func TestDeletedWordsLeaveTheScreen(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.see("Nothing is remembered yet")
	s.say("I like oolong tea")
	s.see("1 turn ")
	s.say("What do you know about me?")
	s.see("• Likes oolong tea.", "2 turns")
	s.say("forget that I like oolong tea")
	s.see("• [deleted].", "Forgot: Likes oolong tea.")
	s.say("/undo")
	s.see("• Likes oolong tea.")
	s.press(tea.KeyTab)
	s.view(pane.All)
	s.see("▸ likes ", "Likes oolong tea.")
	s.press(tea.KeyDelete)
	s.see("Delete “Likes oolong tea.”?")
	s.ctrl('y')
	s.see("• [deleted].")
	s.press('u')
	s.see("Restore “", "ctrl+y yes")
	s.ctrl('y')
	s.see("• Likes oolong tea.")
}

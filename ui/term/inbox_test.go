package term

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/lookup"
)

// P5: the tab says how many wait, and the last line tells once when more do.
func TestInboxIsCounted(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 15}, {140, 40}} {
		m := still(t, size[0], size[1])
		m.Update(statusMsg{status: lookup.Status{Held: 2}})
		if m.say != "" {
			t.Errorf("what waited before is told: %q", m.say)
		}
		press(m, "tab")
		for _, tt := range []struct{ key, count string }{{"1", " inbox 2 "}, {"2", " Memory (2 to decide) "}} {
			press(m, tt.key)
			if got := frame(t, m); !strings.Contains(got, tt.count) {
				t.Errorf("%v: no %q in\n%s", size, tt.count, got)
			}
		}
		m.Update(statusMsg{status: lookup.Status{Held: 3}})
		if !strings.Contains(m.say, "new in the inbox: 1") {
			t.Errorf("says %q", m.say)
		}
		press(m, "down")
		m.Update(statusMsg{status: lookup.Status{Held: 3}})
		if m.say != "" {
			t.Errorf("told twice: %q", m.say)
		}
	}
}

// P5, P10: from a message to the inbox, to the words it came from, and to a yes;
// and a no that is taken back.
func TestInboxFromThePanel(t *testing.T) {
	w := newWorld(t, "", modeltest.NewServer(t))
	s := w.show(140, 40)
	s.answered(w, "my email is bo@example.org")
	s.see("Held for your approval: Email is bo@example.org.")
	s.answered(w, "我的手机号是13800138000")
	s.say("/收件箱")
	s.press(tea.KeyTab)
	s.see("inbox · 2", "▸ 手机号是13800138000", "contact: waits", "“my email is bo@example.org”")
	s.sure('d')
	s.see("inbox · 1", "rejected “手机号是", "▸ Email is bo@example.org.")
	s.sure('u')
	s.see("inbox · 2", "undone: 手机号")
	s.press(tea.KeyDown, 'o')
	s.see("▌you  12:00")
	s.press(tea.KeyEscape)
	s.say("/inbox")
	s.press(tea.KeyTab)
	s.sure('a')
	s.see("accepted: Email is bo@example.org.", "u undoes it", "inbox · 1")
	s.press(tea.KeyDown, 'x') // which shows inactive memories elsewhere, and means nothing here
	s.see("your text is in the message line")
	s.press(tea.KeyBackspace, tea.KeyTab, 'u')
	s.see("Let “Email is bo@example", "wait in the inbox again?")
	s.ctrl('y')
	s.see("waits in the inbox: Email is bo@example.org.", "inbox · 2")
	s.press(tea.KeyEnd)
	s.sure('a')
	s.see("accepted: Email is bo@example.org.", "inbox · 1")
	s.press('e', '!')
	s.ctrl('s')
	s.see("inbox · 0", "Nothing waits")
	page, err := w.manager.Lookup().Items(t.Context(), "luna", lookup.ItemFilter{})
	must(t, err)
	for _, it := range page.Items {
		if it.State != memory.StateActive {
			t.Errorf("not accepted: %+v", it)
		}
	}
	if page.Total != 2 || !strings.HasSuffix(page.Items[0].Content+page.Items[1].Content, ".") {
		t.Errorf("items %+v", page.Items)
	}
}

// P5: what changed while it was shown is refused in words, and the list shows how
// it is now.
func TestInboxChangedMeanwhile(t *testing.T) {
	m := still(t, 140, 40)
	ctx := t.Context()
	held := memory.Item{Content: "Email is bo@example.org.", State: memory.StateHeld}
	it, err := m.opts.Memory.Learning().AddItem(ctx, "luna", held)
	must(t, err)
	it, err = m.opts.Memory.Learning().EditItem(ctx, "luna", it.ID, func(it *memory.Item) { it.State = memory.StateHeld })
	must(t, err)
	press(m, "tab", "right", "right")
	m.Update(m.inbox.Load()())
	_, err = m.opts.Memory.Learning().EditItem(ctx, "luna", it.ID, func(it *memory.Item) { it.Content, it.State = "Email is eve@example.org.", memory.StateHeld })
	must(t, err)
	for _, msg := range outcomes(press(m, "a", "ctrl+y")) {
		m.Update(msg)
	}
	if got := frame(t, m); !strings.Contains(got, "It changed meanwhile") {
		t.Errorf("no word of it in\n%s", got)
	}
}

// P5: /accept and /reject take the numbers of the list shown last, in an answer or in the pane, and can be undone.
func TestInboxByNumbers(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.say("I owe Pauline 300 quid.")
	s.ended(1)
	s.say("I owe Barry 20 quid.")
	s.ended(2)
	s.say("what's in the inbox?")
	s.see("1. I owe Barry 20 quid.", "2. I owe Pauline 300 quid.", "say “accept 1”")
	s.say("/accept 1")
	s.see("accepted: I owe Barry 20 quid.")
	s.say("/accept 1")
	s.see("It changed meanwhile")
	s.say("/reject 2")
	s.see("I owe Pauline 300 quid.", "rejected")
	s.say("/undo")
	s.see("restored: I owe Pauline 300 quid.")
	s.say("/reject 7")
	s.see("the inbox has the numbers 1 to 2")
	s.say("/new")
	s.say("/accept all")
	s.see("accepted: I owe Pauline 300 quid.")
	s.say("/accept 1")
	s.see("nothing is waiting for your approval")
}

package term

import (
	"context"
	"errors"
	"testing"

	"memoria/memory"
)

// What is looked up while typing never piles up: a newer text ends the look-up of
// the one before, and so does a text that is gone.
func TestOneLookUpAtATime(t *testing.T) {
	m := still(t, 140, 40)
	if _, err := m.fx.memory.Learning().AddItem(t.Context(), m.fx.agent, memory.Item{Content: "uses pnpm, not npm"}); err != nil {
		t.Fatal(err)
	}
	lookUp := func(text string) func() previewMsg {
		cmd := m.lookUpText(text)
		return func() previewMsg {
			msg, ok := unwrapped(cmd()).(previewMsg)
			if !ok {
				t.Fatalf("looking %q up gave %T", text, msg)
			}
			return msg
		}
	}
	ended := func(msg previewMsg) {
		t.Helper()
		if !errors.Is(msg.err, context.Canceled) {
			t.Fatalf("the former look-up went on: %v", msg.err)
		}
		m.Update(msg)
		if len(m.notices) > 0 {
			t.Fatalf("an ended look-up is told: %+v", m.notices)
		}
	}
	former, newer := lookUp("pnpm"), lookUp("pnpm scripts")
	ended(former())
	msg := newer()
	if msg.err != nil || len(msg.result.Chosen) != 1 {
		t.Fatalf("the newest look-up found %d, %v", len(msg.result.Chosen), msg.err)
	}
	last := lookUp("pnpm?")
	m.input.Clear()
	m.followText()
	ended(last())
}

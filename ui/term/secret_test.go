package term

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/model/modeltest"
)

// P5a, D2: F9 says how much it erased and how that began, without the secret. Under a message that holds a secret stands the key that erases it and the answer that repeats it; that can be
// taken back.
func TestEraseSecret(t *testing.T) {
	w := newWorld(t, "", modeltest.NewServer(t)) // it repeats what was said
	s := w.show(140, 40)
	s.press(tea.KeyF9)
	s.see("no message of this conversation holds a secret")
	s.answered(w, "we water the tomatoes in the morning")
	s.answered(w, "remember that my password is hunter2-rose")
	s.see("not remembered: the message holds a secret (password) · F9 erases it")
	s.press(tea.KeyF9) // the answer repeats it
	s.see("Other messages that repeat this secret: 1", "“remember that my passwo…” (28", "erase all 2 messages with the secret", "ctrl+y")
	s.press(tea.KeyEscape)
	s.gone("erase all 2")
	s.press(tea.KeyF9)
	s.see("erase all 2 messages with the secret")
	s.ctrl('y')
	s.see("erased: 2 messages with the secret, from “remember that my password is", "F7", "restores it within 10 s")
	s.gone("hunter2-rose")
	if n := len(w.records(t)); n != 2 {
		t.Errorf("%d messages are left", n)
	}
	s.press(tea.KeyF7)
	s.see("restored", "my password is hunter2-rose", "F9 erases it")
}

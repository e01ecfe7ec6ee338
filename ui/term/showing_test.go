package term

import (
	"strings"
	"testing"
)

// Design, "Typing never destroys anything": a command that only shows something leaves the
// keyboard in the input, which stays on the screen, at any size.
func TestShowingLeavesTheInput(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}, {140, 40}} {
		m := still(t, size[0], size[1])
		converse(m)
		for command, title := range map[string]string{
			"recall": "recall]", "context": "sent]", "working": "session notes]", "evidence": "sources]", "health": "health]", "inbox": "inbox]",
			"archive": "archive]", "profile": "profile]", "settings": "settings]",
		} {
			m.commands.run(command, "")
			if m.focus != onInput {
				t.Fatalf("%v: /%s moves the keyboard", size, command)
			}
			press(m, "s", "o")
			if got := frame(t, m); !strings.Contains(got, title) || !strings.Contains(got, "> so") {
				t.Errorf("%v: after /%s and two letters:\n%s", size, command, got)
			}
			press(m, "ctrl+u", "esc")
		}
		if got := frame(t, m); size[0] < 100 && !strings.Contains(got, "pnpm build") {
			t.Errorf("%v: esc does not lead back to the conversation:\n%s", size, got)
		}
	}
}

// The same: a letter that changes something asks first; enter, esc and n say no, y waits for
// another key, and a letter that means nothing goes to the input.
func TestLettersAskFirst(t *testing.T) {
	m := still(t, 140, 40)
	converse(m)
	press(m, "tab", "tab", "U")
	if !strings.Contains(m.say, "undo the last turn? ctrl+y yes") {
		t.Errorf("it says %q", m.say)
	}
	if press(m, "y"); m.typed.question == nil || !strings.Contains(m.say, "ctrl+y yes") {
		t.Errorf("y answers: it says %q", m.say)
	}
	for _, no := range []string{"enter", "n", "esc"} {
		if m.typed.question == nil {
			press(m, "U")
		}
		if press(m, no); m.typed.question != nil || m.say != "left as it was" {
			t.Errorf("%s: question %v, it says %q", no, m.typed.question, m.say)
		}
	}
	press(m, "U")
	if press(m, "ctrl+y") == nil {
		t.Error("ctrl+y does nothing")
	}
	press(m, "z", "o", "o")
	if text, _ := m.input.Text(); text != "zoo" || m.focus != onInput {
		t.Errorf("the input holds %q", text)
	}
}

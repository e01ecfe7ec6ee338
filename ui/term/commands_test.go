package term

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/ui/term/theme"
)

func typeIn(m *root, text string) {
	for _, r := range text {
		m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// outcomes runs a command and all that it is made of, and returns what came of it.
func outcomes(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var all []tea.Msg
		for _, c := range msg {
			all = append(all, outcomes(c)...)
		}
		return all
	default:
		return []tea.Msg{msg}
	}
}

func TestSlashCommand(t *testing.T) {
	m := still(t, 80, 24)
	typeIn(m, "/th")
	if got := frame(t, m); !strings.Contains(got, "/theme [NAME]") || !strings.Contains(got, "complete") {
		t.Errorf("the beginning of a command is not explained:\n%s", got)
	}
	press(m, "tab")
	typeIn(m, "contrast")
	press(m, "enter")
	if m.theme != theme.Contrast || !m.input.Empty() {
		t.Errorf("theme %s, input empty %v", m.theme, m.input.Empty())
	}
	typeIn(m, "／主题 none")
	press(m, "enter")
	if m.theme != theme.None {
		t.Errorf("theme %s", m.theme)
	}
	typeIn(m, "/them")
	press(m, "enter") // only one command begins like this
	if got := frame(t, m); m.overlay != paletteOverlay || !strings.Contains(got, "high contrast") {
		t.Errorf("no list of themes:\n%s", got)
	}
	press(m, "esc")
	typeIn(m, "／")
	press(m, "enter")
	if m.overlay != paletteOverlay {
		t.Error("a slash alone lists nothing")
	}
}

// What is no command is sent; a sign in front sends what looks like one; a
// command that does not exist loses nothing.
func TestSlashAndMessages(t *testing.T) {
	for _, tt := range []struct{ typed, sent string }{
		{"/etc/hosts is gone", "/etc/hosts is gone"},
		{"//help", "/help"},
		{" /quit", "/quit"},
		{"a / b", "a / b"},
		{"/frobnicate it", ""},
		{"/quit now", ""},
	} {
		m := still(t, 80, 24)
		typeIn(m, tt.typed)
		press(m, "enter")
		switch {
		case tt.sent == "":
			if text, _ := m.input.Text(); text != tt.typed || m.say == "" {
				t.Errorf("%q: input %q, said %q", tt.typed, text, m.say)
			}
		case len(m.sending) != 1 || m.sending[0].text != tt.sent:
			t.Errorf("%q: sent %+v", tt.typed, m.sending)
		}
	}
	m := still(t, 80, 24)
	m.Update(tea.PasteMsg{Content: "/quit"})
	press(m, "enter")
	if len(m.sending) != 1 || m.sending[0].text != "/quit" {
		t.Errorf("a paste is obeyed: %+v", m.sending)
	}
	m = still(t, 80, 24)
	typeIn(m, "//look ")
	m.Update(tea.PasteMsg{Content: "here"})
	press(m, "enter")
	if s := m.sending; len(s) != 1 || s[0].text != "/look here" || s[0].spans[0] != (memory.Span{Offset: 6, Length: 4, Kind: memory.SpanPasted}) {
		t.Errorf("sent %+v", s)
	}
}

func TestChooseModel(t *testing.T) {
	var used string
	m := still(t, 80, 24, func(o *Options) {
		o.Models = func(context.Context) ([]string, error) { return []string{"small", "大模型"}, nil }
		o.UseModel = func(name string) (model.Client, error) {
			used = name
			return model.NewOffline(o.Now), nil
		}
	})
	cmd := m.run("model", "")
	if got := frame(t, m); !strings.Contains(got, "asking the server") {
		t.Errorf("frame:\n%s", got)
	}
	for _, msg := range outcomes(cmd) {
		m.Update(msg)
	}
	typeIn(m, "大")
	for _, msg := range outcomes(press(m, "enter")) {
		m.Update(msg)
	}
	if used != "大模型" || m.overlay != noOverlay {
		t.Errorf("used %q", used)
	}
	m.run("model", "")
	m.Update(modelsMsg{err: errors.New("no route")})
	if got := frame(t, m); !strings.Contains(got, "/model NAME") {
		t.Errorf("a failure is not told:\n%s", got)
	}
	press(m, "esc")
	m.Update(modelsMsg{names: []string{"late"}})
	if m.overlay != noOverlay {
		t.Error("a late answer opens the list")
	}
}

func TestCopy(t *testing.T) {
	var copied []string
	m := still(t, 80, 24, func(o *Options) {
		o.Clipboard = func(s string) error { copied = append(copied, s); return nil }
	})
	conversation(m)
	outcomes(m.run("copy", ""))
	outcomes(m.run("code", ""))
	if len(copied) != 2 || !strings.HasPrefix(copied[0], "Yes — `pnpm") || copied[1] != "pnpm build" {
		t.Errorf("copied %q", copied)
	}
	press(m, "tab", "tab", "up")
	press(m, "down")
	outcomes(press(m, "c"))
	if len(copied) != 3 || copied[2] != "pnpm build" {
		t.Errorf("copied %q, said %q", copied, m.say)
	}
	if m.run("code", "7"); !strings.Contains(m.say, "1 to 1") {
		t.Errorf("said %q", m.say)
	}
}

func TestEditorCommand(t *testing.T) {
	for _, tt := range []struct {
		env  []string
		want string
	}{
		{nil, ""},
		{[]string{"EDITOR=vi"}, "vi"},
		{[]string{"EDITOR=vi", "VISUAL=code -w"}, "code -w"},
		{[]string{"VISUAL= ", "EDITOR=nano"}, "nano"},
		{[]string{"EDITOR=vi", "EDITOR=ed"}, "ed"},
	} {
		if got := editorOf(tt.env); got != tt.want {
			t.Errorf("%q: %q", tt.env, got)
		}
	}
	m := still(t, 80, 24)
	if m.run("editor", ""); !strings.Contains(m.say, "EDITOR") {
		t.Errorf("said %q", m.say)
	}
	m.Update(editedMsg{text: "写好了\nsecond"})
	if text, _ := m.input.Text(); text != "写好了\nsecond" {
		t.Errorf("input %q", text)
	}
	m.Update(editedMsg{err: errors.New("exit status 1")})
	if text, _ := m.input.Text(); text == "" || m.say == "" {
		t.Errorf("a failed editor: input %q, said %q", text, m.say)
	}
}

// D4: what is edited lies in a file of its owner alone, and a link that lies in
// its place is not followed.
func TestEditedFile(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "message.md"), filepath.Join(dir, "other")
	must(t, os.WriteFile(other, []byte("kept"), 0o644))
	must(t, os.Symlink(other, path))
	must(t, writePrivate(path, "喝茶\n"))
	st, err := os.Lstat(path)
	must(t, err)
	if st.Mode() != 0o600 {
		t.Errorf("mode %v", st.Mode())
	}
	if b, _ := os.ReadFile(other); string(b) != "kept" {
		t.Error("the link was followed")
	}
	if text, err := readEdited(path); err != nil || text != "喝茶" {
		t.Errorf("%q, %v", text, err)
	}
	must(t, os.WriteFile(path, make([]byte, maxEdited+1), 0o600))
	if _, err := readEdited(path); err == nil {
		t.Error("no bound")
	}
}

// A banner stands as long as nothing can be written; esc and new messages do not
// take it away.
func TestStorageBanner(t *testing.T) {
	m := still(t, 80, 24)
	s := conversation(m)
	happen(m, s, chat.StorageChanged{Head: chat.Head{Seq: 7}, Problem: &chat.Problem{Title: "The disk is full", Text: "Nothing can be written.", Hint: "Make room."}})
	press(m, "esc")
	if got := frame(t, m); !strings.Contains(got, "! The disk is full: Nothing can be written. Make room.") || !strings.Contains(got, "not saved") {
		t.Errorf("no banner:\n%s", got)
	}
	happen(m, s, chat.StorageChanged{Head: chat.Head{Seq: 8}})
	if got := frame(t, m); strings.Contains(got, "The disk is full") || !strings.Contains(got, "● saved") || !strings.Contains(got, "written again") {
		t.Errorf("the banner stays:\n%s", got)
	}
}

func TestMouseAndCost(t *testing.T) {
	m := still(t, 140, 40, func(o *Options) {
		o.Money = model.DefaultConfig().Money
		o.Cost = func(_ string, u memory.Usage) (float64, bool) { return float64(u.CompletionTokens) / 1e6, true }
	})
	was := m.View().MouseMode
	m.run("mouse", "")
	if m.View().MouseMode == was {
		t.Error("the mouse is not switched")
	}
	s := conversation(m)
	r := memory.Record{ID: "r4", TurnID: "t3", Role: memory.RoleAssistant, Content: "ok", Status: memory.StatusComplete, Usage: &memory.Usage{CompletionTokens: 2100}}
	happen(m, s, finished("t3", r))
	if m.cost != "$0.0021" || m.sessionCost() != "$0.0021" || !strings.Contains(frame(t, m), "$0.0021") {
		t.Errorf("turn %q, session %q", m.cost, m.sessionCost())
	}
}

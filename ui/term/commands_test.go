package term

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/term/pane"
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
	case pane.Result:
		if msg.Msg == nil {
			return nil
		}
		return []tea.Msg{msg.Msg}
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
	press(m, "enter") // only tab completes
	if m.overlay != noOverlay || !strings.Contains(m.say, "nearest is /theme") {
		t.Errorf("half a command is obeyed: %q", m.say)
	}
	press(m, "tab", "enter")
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
		case len(m.conv.sending) != 1 || m.conv.sending[0].text != tt.sent:
			t.Errorf("%q: sent %+v", tt.typed, m.conv.sending)
		}
	}
	m := still(t, 80, 24)
	m.Update(tea.PasteMsg{Content: "/quit"})
	press(m, "enter")
	if len(m.conv.sending) != 1 || m.conv.sending[0].text != "/quit" {
		t.Errorf("a paste is obeyed: %+v", m.conv.sending)
	}
	for _, short := range []string{"/qt", "/nw", "/q now"} {
		m = still(t, 80, 24)
		typeIn(m, short)
		if cmd := press(m, "enter"); m.say == "" || m.input.Empty() {
			t.Errorf("%s is obeyed: %v", short, cmd)
		}
	}
	m = still(t, 80, 24)
	typeIn(m, "//look ")
	m.Update(tea.PasteMsg{Content: "here"})
	press(m, "enter")
	if s := m.conv.sending; len(s) != 1 || s[0].text != "/look here" || s[0].spans[0] != (memory.Span{Offset: 6, Length: 4, Kind: memory.SpanPasted}) {
		t.Errorf("sent %+v", s)
	}
}

// Typing destroys nothing: what is pasted while help is open closes it and is in the input.
func TestPasteOverHelp(t *testing.T) {
	m := still(t, 80, 24)
	press(m, "f1")
	if m.overlay != helpOverlay {
		t.Fatal("help is not open")
	}
	m.Update(tea.PasteMsg{Content: "three words here"})
	if text, _ := m.input.Text(); text != "three words here" || m.overlay != noOverlay {
		t.Errorf("input %q, overlay %v", text, m.overlay)
	}
}

func TestChooseModel(t *testing.T) {
	server := modeltest.NewServer(t)
	server.Models = []string{"small", "大模型"}
	w := newWorld(t, "", nil)
	m := w.still(80, 24)
	if m.commands.run("model", "small"); !m.opts.chat.Info().Offline || !strings.Contains(m.say, "no model is connected") {
		t.Errorf("offline: said %q", m.say)
	}
	_, err := m.opts.Models.Connect(model.Found{Name: "here", BaseURL: server.URL, Models: []string{"small"}})
	must(t, err)
	m.info = model.Info{Model: "small", Endpoint: "here"}
	cmd := m.commands.run("model", "")
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
	if used := m.opts.chat.Info().Model; used != "大模型" || m.overlay != noOverlay {
		t.Errorf("used %q", used)
	}
	m.commands.run("model", "")
	m.commands.listModels(nil, errors.New("no route"))
	if got := frame(t, m); !strings.Contains(got, "/model NAME") {
		t.Errorf("a failure is not told:\n%s", got)
	}
	press(m, "esc")
	m.commands.listModels([]string{"late"}, nil)
	if m.overlay != noOverlay {
		t.Error("a late answer opens the list")
	}
}

func TestCopy(t *testing.T) {
	var copied []string
	m := still(t, 80, 24, func(o *Options) {
		o.Clipboard = func(s string) error { copied = append(copied, s); return nil }
	})
	converse(m)
	outcomes(m.commands.run("copy", ""))
	outcomes(m.commands.run("code", ""))
	if len(copied) != 2 || !strings.HasPrefix(copied[0], "Yes — `pnpm") || copied[1] != "pnpm build" {
		t.Errorf("copied %q", copied)
	}
	press(m, "tab", "tab", "up")
	press(m, "down")
	outcomes(press(m, "c"))
	if len(copied) != 3 || copied[2] != "pnpm build" {
		t.Errorf("copied %q, said %q", copied, m.say)
	}
	if m.commands.run("code", "7"); !strings.Contains(m.say, "1 to 1") {
		t.Errorf("said %q", m.say)
	}
}

// Commands with an argument do what they say, or say why not.
func TestCommandArguments(t *testing.T) {
	m := still(t, 140, 40)
	converse(m)
	if m.commands.run("context", "7"); !strings.Contains(m.say, "the turns 1 to 1") {
		t.Errorf("said %q", m.say)
	}
	m.say = ""
	if m.commands.run("context", "1"); m.say != "" || m.panel.shown != pane.Package {
		t.Errorf("said %q, part %d", m.say, m.panel.shown)
	}
	if m.commands.run("help", "delete"); !strings.Contains(m.say, "/delete WORDS") || !strings.Contains(m.say, "删除") {
		t.Errorf("said %q", m.say)
	}
	m.commands.run("recall", "喝什么茶")
	if text, _ := m.input.Text(); text != "喝什么茶" || m.panel.shown != pane.Recall {
		t.Errorf("input %q", text)
	}
	_, err := m.opts.Memory.Learning().AddItem(t.Context(), "luna", memory.Item{Content: "uses pnpm"})
	must(t, err)
	run := func(line ...string) {
		t.Helper()
		for _, msg := range outcomes(m.commands.run(line[0], line[1])) {
			m.Update(msg)
		}
	}
	run("delete", "pnpm")
	if got := frame(t, m); !strings.Contains(got, "Delete “uses pnpm”?") {
		t.Errorf("no question:\n%s", got)
	}
	if cmd := press(m, "enter"); strings.Contains(frame(t, m), "deleted") || cmd != nil && len(outcomes(cmd)) > 0 {
		t.Error("enter deletes")
	}
	if strings.Contains(frame(t, m), "Delete “") {
		t.Error("enter leaves the question open")
	}
	run("delete", "zzz")
	if !strings.Contains(m.say, "no memory") {
		t.Errorf("said %q", m.say)
	}
	long := "a sentence that is much longer than half of the last line, with its help at the very end"
	m = still(t, 80, 24)
	m.say = long
	m.settle()
	if got := frame(t, m); !strings.Contains(got, "very end") {
		t.Errorf("the end is cut:\n%s", got)
	}
}

// Leaving while something is not saved asks once.
func TestQuitAsksBeforeALoss(t *testing.T) {
	m := still(t, 80, 24)
	m.problems.storage = &chat.Problem{Title: "The disk is full"}
	if cmd := m.quit(); cmd != nil || !strings.Contains(m.say, "would be lost") {
		t.Errorf("said %q", m.say)
	}
	if m.quit() == nil {
		t.Error("the second time does not quit")
	}
}

func TestEditorCommand(t *testing.T) {
	m := still(t, 80, 24)
	if m.commands.run("editor", ""); !strings.Contains(m.say, "EDITOR") {
		t.Errorf("said %q", m.say)
	}
	m.commands.written("写好了\nsecond", nil)
	if text, _ := m.input.Text(); text != "写好了\nsecond" {
		t.Errorf("input %q", text)
	}
	m.commands.written("", errors.New("exit status 1"))
	if text, _ := m.input.Text(); text == "" || m.say == "" {
		t.Errorf("a failed editor: input %q, said %q", text, m.say)
	}
}

// D4: what is edited lies in a folder of its owner alone, together with what the
// editor leaves beside it, and nothing of it stays.
func TestEditedFile(t *testing.T) {
	w := newWorld(t, "", nil)
	script := filepath.Join(t.TempDir(), "editor")
	must(t, os.WriteFile(script, []byte("#!/bin/sh\nstat -c %a \"$1\" \"$(dirname \"$1\")\" >\"$0.modes\"\ncp \"$1\" \"$1~\"\nprintf '写好了\\n' >\"$1\"\n"), 0o700))
	w.opts.Env = append(w.opts.Env, "EDITOR="+script)
	must(t, os.Mkdir(filepath.Join(w.dir, "editing-left"), 0o700))
	s := w.show(80, 24)
	s.see("type here")
	s.ctrl('g')
	s.see("写好了")
	modes, err := os.ReadFile(script + ".modes")
	must(t, err)
	if string(modes) != "600\n700\n" {
		t.Errorf("modes %q", modes)
	}
	if left, _ := filepath.Glob(filepath.Join(w.dir, "editing-*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// A banner stands as long as nothing can be written; esc and new messages do not
// take it away.
func TestStorageBanner(t *testing.T) {
	m := still(t, 80, 24)
	s := converse(m)
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
		cfg := model.DefaultConfig()
		cfg.Prices = map[string]model.Price{"": {Output: 1}}
		o.Models = app.NewModels(app.ModelOptions{Config: cfg, Client: model.NewOffline(o.Now)})
	})
	was := m.View().MouseMode
	m.commands.run("mouse", "")
	if m.View().MouseMode == was {
		t.Error("the mouse is not switched")
	}
	s := converse(m)
	r := memory.Record{ID: "r4", TurnID: "t3", Role: memory.RoleAssistant, Content: "ok", Status: memory.StatusComplete, Usage: &memory.Usage{CompletionTokens: 2100}}
	happen(m, s, finished("t3", r))
	if m.conv.cost != "$0.0021" || m.conv.spent.Sum(m.opts.Models) != "$0.0021" || !strings.Contains(frame(t, m), "$0.0021") {
		t.Errorf("turn %q, session %q", m.conv.cost, m.conv.spent.Sum(m.opts.Models))
	}
}

// The list of commands begins with its first one, however low the screen is.
func TestSlashListOnALowScreen(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {60, 20}, {80, 24}, {140, 40}} {
		w := newWorld(t, "", nil)
		w.opts.StateDir = t.TempDir() // with the guide
		s := w.show(size[0], size[1])
		s.see("My name is Bo.")
		s.tm.Type("/")
		all := actions.Screen.All()
		s.see(" "+all[0].Usage()+" ", " "+all[1].Usage()+" ", "more; / and enter lists all")
	}
}

// The name of a command that is typed into the filter of a list, where no row has it, runs by
// enter. What has rows is a filter.
func TestCommandTypedIntoAFilter(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(140, 40)
	s.say("I like oolong tea.")
	s.ended(1)
	s.press(tea.KeyTab)
	s.view(pane.All)
	s.see("[all 1]")
	s.tm.Type("/help")
	s.see("/ help", "Nothing has these words", "enter runs /help")
	s.press(tea.KeyEnter)
	s.see("type to search, as in")
	s.press(tea.KeyEscape)
	s.gone("type to search, as in")
	s.gone("Nothing has these words")
	s.press(tea.KeyTab)
	s.tm.Type("/tea")
	s.see("1 memory matches")
	s.press(tea.KeyEnter)
	s.see("▸ likes ", "Likes oolong tea.")
	s.press(tea.KeyEscape)
	s.tm.Type("/rename") // nothing without a title
	s.see("Nothing has these words")
	s.gone("enter runs")
}

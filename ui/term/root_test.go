package term

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/lookup"
	"memoria/ui/app"
	"memoria/ui/clean"
	"memoria/ui/term/pane"
	"memoria/ui/term/sent"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// still is a root over a real, empty folder to which messages are given by
// hand; none of its commands run.
func still(t testing.TB, w, h int, change ...func(*Options)) *root {
	t.Helper()
	world := newWorld(t, "", nil)
	for _, c := range change {
		c(&world.opts)
	}
	return world.still(w, h)
}

// still returns a root over the world.
func (w *world) still(width, height int) *root {
	w.t.Helper()
	m := newModel(w.t.Context(), w.opts)
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	m.conv.started(nil, nil)
	m.settle()
	m.recall.SetItems(nil, 0)
	m.memories.SetItems(nil, 0)
	return m
}

func frame(t testing.TB, m *root) string {
	t.Helper()
	lines, _ := view{m}.frame()
	if len(lines) != m.height {
		t.Errorf("%d lines, want %d", len(lines), m.height)
	}
	for i, l := range lines {
		if n := clean.Width(l); n != m.width {
			t.Errorf("line %d is %d wide, want %d: %q", i, n, m.width, l)
		}
	}
	return strings.Join(lines, "\n")
}

// happen gives events to the model as if they came one by one.
func happen(m *root, s memory.Session, events ...chat.Event) {
	for _, e := range events {
		m.Update(eventMsg{event: e, session: s, at: m.now})
	}
}

func keyOf(s string) tea.KeyPressMsg {
	named := map[string]rune{"enter": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "f1": tea.KeyF1, "f5": tea.KeyF5, "pgup": tea.KeyPgUp, "left": tea.KeyLeft, "right": tea.KeyRight}
	if c, ok := named[s]; ok {
		return tea.KeyPressMsg{Code: c}
	}
	if c, ok := strings.CutPrefix(s, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(c[0]), Mod: tea.ModCtrl}
	}
	r := []rune(s)
	return tea.KeyPressMsg{Code: r[0], Text: s}
}

func press(m *root, keys ...string) (cmd tea.Cmd) {
	for _, k := range keys {
		_, cmd = m.Update(keyOf(k))
		cmd = tea.Batch(m.typed.end(), cmd) // each key alone
	}
	return cmd
}

// converse fills the model with a session like the one in README's picture.
func converse(m *root) memory.Session {
	s := memory.Session{ID: "s1", AgentID: "luna", Title: "Deploying to Fly 部署", Turns: 12}
	at := noon.Add(2 * time.Hour)
	m.now = at
	it := memory.Item{ID: "i1", Type: memory.TypePreference, Content: "uses pnpm, not npm", State: memory.StateActive, CreatedAt: noon, Confidence: 0.9}
	goal := memory.Item{ID: "i2", Type: memory.TypeGoal, Content: "ship v2 by Friday", State: memory.StateActive, CreatedAt: at}
	pkg := memory.Package{
		SessionID: "s1", TurnID: "t1", CreatedAt: at, Model: "gpt-4.1-mini", Endpoint: "api.openai.com", Tokens: 1284, Limit: 8192,
		Keywords: []string{"部署", "脚本", "pnpm"}, Hash: strings.Repeat("ab", 32),
		Blocks: []memory.Block{
			{Layer: memory.LayerPersona, Tokens: 359}, {Layer: memory.LayerWindow, Tokens: 400}, {Layer: memory.LayerWindow, Tokens: 412, Note: "cut to 500 characters"},
			{Layer: memory.LayerRecall, Tokens: 96}, {Layer: memory.LayerMessage, Tokens: 17},
		},
		Used: []memory.Used{
			{ItemID: "i1", Score: 0.82, Chosen: true, Why: "its words match", Contribution: memory.Parts{KeywordScore: .36, CategoryBoost: .3, RecencyScore: .12, Confidence: .14}},
			{ItemID: "i9", Score: 0.3, Why: "below the minimum: its words match 0.02"},
		},
		Dropped: []memory.Dropped{{Layer: memory.LayerWindow, What: "3 messages", Reason: "over the history budget"}},
	}
	happen(m, s,
		chat.SessionChanged{Head: chat.Head{Seq: 1, SessionID: "s1"}, Session: s, Why: chat.WhyContinued},
		chat.UserStored{Head: chat.Head{Seq: 2, SessionID: "s1", TurnID: "t1"}, Record: memory.Record{ID: "r1", SessionID: "s1", TurnID: "t1", Role: memory.RoleUser, Content: "部署脚本还用 pnpm 吗？", Timestamp: at}},
		chat.PackageStored{Head: chat.Head{Seq: 3, SessionID: "s1", TurnID: "t1"}, Package: pkg},
		chat.Delta{Head: chat.Head{Seq: 4, SessionID: "s1", TurnID: "t1"}, Text: "Yes — `pnpm install --frozen-lockfile`, as you decided in May.\n```sh\npnpm build\n```\n"},
		chat.Finished{Head: chat.Head{Seq: 5, SessionID: "s1", TurnID: "t1"}, Took: 400 * time.Millisecond, Record: memory.Record{
			ID: "r2", SessionID: "s1", TurnID: "t1", Role: memory.RoleAssistant, Model: "gpt-4.1-mini", Status: memory.StatusComplete, Timestamp: at,
			Content: "Yes — `pnpm install --frozen-lockfile`, as you decided in May.\n```sh\npnpm build\n```\n",
		}},
		chat.Learned{Head: chat.Head{Seq: 6, SessionID: "s1", TurnID: "t1"}, Changes: []memory.Change{{ItemID: "i2", Action: memory.ActionAdded, Item: &goal}}},
	)
	m.sent.Show("t1", sent.Detail{
		Rendered: memory.Rendered{Package: pkg, Exact: true, Rendered: []memory.RenderedBlock{
			{Layer: memory.LayerPersona, Role: memory.RoleSystem, Text: "You are luna.", Tokens: 359},
			{Layer: memory.LayerWindow, Role: memory.RoleUser, Text: "我们用什么？", Tokens: 400},
			{Layer: memory.LayerWindow, Role: memory.RoleAssistant, Text: "pnpm", Tokens: 412},
			{Layer: memory.LayerRecall, Role: memory.RoleUser, Text: "## Memory\n[preference] \"uses pnpm, not npm\"", Tokens: 96},
			{Layer: memory.LayerMessage, Role: memory.RoleUser, Text: "部署脚本还用 pnpm 吗？", Tokens: 17},
		}},
		Items: map[string]memory.Item{"i1": it},
	})
	m.setNow(at)
	m.recall.SetItems(nil, 214)
	m.memories.SetItems([]memory.Item{goal, it}, 214)
	m.Update(statusMsg{status: lookup.Status{Items: 214, Sessions: 9}})
	return s
}

var scenes = []struct {
	name string
	set  func(m *root)
}{
	{"welcome", func(*root) {}},
	{"talk", func(m *root) { converse(m) }},
	{"busy", func(m *root) {
		s := converse(m)
		happen(m, s,
			chat.UserStored{Head: chat.Head{Seq: 7, SessionID: "s1", TurnID: "t2"}, Record: memory.Record{ID: "r3", SessionID: "s1", TurnID: "t2", Role: memory.RoleUser, Content: "and now?", Timestamp: m.now}},
			chat.QueueChanged{Head: chat.Head{Seq: 8, SessionID: "s1"}, Waiting: []chat.Waiting{{ID: "q1", Text: "第二个问题"}, {ID: "q2", Text: "third\nquestion"}}},
			chat.Retrying{Head: chat.Head{Seq: 9, SessionID: "s1", TurnID: "t2"}, Attempt: 2, Of: 4, Wait: 3 * time.Second, Reason: "the server asks to slow down"},
			chat.Notice{Head: chat.Head{Seq: 10}, Problem: chat.Problem{Title: "The disk is full", Text: "Nothing can be written.", Hint: "Make room."}},
		)
		m.conv.status.Index = indexer.Status{State: indexer.StateBuilding, Done: 500, Total: 2000}
		press(m, "h", "i")
	}},
	{"context", func(m *root) { converse(m); press(m, "tab", "2") }},
	{"panel", func(m *root) { converse(m); press(m, "tab") }},
	{"all", func(m *root) { converse(m); press(m, "tab", "right") }},
	{"select", func(m *root) { converse(m); press(m, "tab", "tab") }},
	{"help", func(m *root) { converse(m); press(m, "f1") }},
	{"commands", func(m *root) { converse(m); press(m, "ctrl+p") }},
}

func TestFrames(t *testing.T) {
	for _, sc := range scenes {
		frames(t, sc.name, sc.set)
	}
}

// frames compares a scene with its pictures.
func frames(t *testing.T, name string, set func(*root)) {
	t.Helper()
	for _, size := range [][2]int{{60, 15}, {80, 24}, {140, 40}} {
		t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
			m := still(t, size[0], size[1])
			set(m)
			golden.RequireEqual(t, frame(t, m))
		})
	}
}

func TestTooSmall(t *testing.T) {
	m := still(t, 59, 14)
	if got := frame(t, m); !strings.Contains(got, "needs 60×15") {
		t.Errorf("frame %q", got)
	}
	press(m, "x", "enter", "tab")
	if !m.input.Empty() || m.focus != onInput {
		t.Error("keys work where nothing is seen")
	}
	m.Update(tea.WindowSizeMsg{Width: 3, Height: 2})
	frame(t, m)
}

// The terminal's cursor stands behind what was typed, wide characters included,
// so that input methods open in the right place.
func TestCursorPlace(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}, {140, 40}} {
		m := still(t, size[0], size[1])
		press(m, "部", "署", "a", "脚")
		v := m.View()
		if v.Cursor == nil || v.Cursor.X != 3+7 || v.Cursor.Y != size[1]-3 {
			t.Errorf("%v: cursor %+v", size, v.Cursor)
		}
		press(m, "ctrl+j", "本")
		if v = m.View(); v.Cursor.X != 3+2 || v.Cursor.Y != size[1]-3 {
			t.Errorf("%v: cursor in the second line %+v", size, v.Cursor)
		}
		press(m, "tab")
		if v = m.View(); v.Cursor != nil {
			t.Errorf("%v: a cursor while a list has the keyboard", size)
		}
		press(m, "/", "茶")
		v = m.View()
		if v.Cursor == nil || v.Cursor.X != m.screen.Panel.X+3+2 || v.Cursor.Y != m.screen.Panel.Y+tabLines {
			t.Errorf("%v: cursor in the filter %+v", size, v.Cursor)
		}
	}
}

func TestFocusIsVisible(t *testing.T) {
	m := still(t, 140, 40)
	seen := map[string]bool{}
	for range 3 {
		var rules []string
		for _, l := range strings.Split(frame(t, m), "\n") {
			if strings.ContainsAny(l, "━─") {
				rules = append(rules, strings.ReplaceAll(strings.Join(strings.Fields(l), ""), "─", ""))
			}
		}
		sign := strings.Join(rules, "/")
		if strings.Count(sign, "━") == 0 || seen[sign] {
			t.Errorf("focus %d looks like another: %s", m.focus, sign)
		}
		seen[sign] = true
		press(m, "tab")
	}
	if m.focus != onInput {
		t.Error("tab does not come around")
	}
}

// A gap in the events' numbers reloads the session.
func TestGapReloads(t *testing.T) {
	m := still(t, 80, 24)
	s := converse(m)
	ended, end := context.WithCancel(t.Context())
	end() // so that what waits for the next event ends at once
	m.fx.Ctx = ended
	_, cmd := m.Update(eventMsg{event: chat.QueueChanged{Head: chat.Head{Seq: 7}}, session: s, at: noon})
	if n := loads(cmd); n != 0 {
		t.Errorf("%d reloads without a gap", n)
	}
	_, cmd = m.Update(eventMsg{event: chat.QueueChanged{Head: chat.Head{Seq: 9}}, session: s, at: noon})
	if n := loads(cmd); n != 1 {
		t.Errorf("%d reloads after a gap", n)
	}
}

// loads runs a command and all that it leads to, and counts the session loads.
func loads(cmd tea.Cmd) (n int) {
	if cmd == nil {
		return 0
	}
	switch msg := unwrapped(cmd()).(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			n += loads(c)
		}
	case sessionMsg:
		n++
	}
	return n
}

// Answers that were overtaken are dropped.
func TestStaleAnswersAreDropped(t *testing.T) {
	m := still(t, 140, 40)
	m.Update(sessionMsg{id: "other", branch: lookup.Branch{Records: []memory.Record{{ID: "r", Role: memory.RoleUser, Content: "stale message"}}}})
	if got := frame(t, m); strings.Contains(got, "stale") {
		t.Errorf("stale:\n%s", got)
	}
}

// A session that was read while an answer arrives may hold more than the events have
// told: what comes after that answer is not shown before it.
func TestAnswersStayInOrder(t *testing.T) {
	m := still(t, 80, 30)
	at := memory.Session{ID: "s1"}
	said := func(id, turn, text string) memory.Record {
		return memory.Record{ID: id, SessionID: "s1", TurnID: turn, Role: memory.RoleUser, Content: text, Timestamp: noon}
	}
	replied := func(id, turn, text string) memory.Record {
		r := said(id, turn, text)
		r.Role, r.Status, r.Model = memory.RoleAssistant, memory.StatusComplete, "scripted"
		return r
	}
	records := []memory.Record{said("1", "t1", "red?"), replied("2", "t1", "rose"), said("3", "t2", "blue?"), replied("4", "t2", "violet")}
	happen(m, at, chat.SessionChanged{Head: chat.Head{Seq: 1}, Session: at}, chat.UserStored{Head: chat.Head{Seq: 2, TurnID: "t1"}, Record: records[0]},
		chat.Delta{Head: chat.Head{Seq: 3, TurnID: "t1"}, Text: "ro"})
	m.Update(sessionMsg{id: "s1", branch: lookup.Branch{Session: at, Records: records}})
	happen(m, at, chat.Delta{Head: chat.Head{Seq: 4, TurnID: "t1"}, Text: "se"}, chat.Finished{Head: chat.Head{Seq: 5, TurnID: "t1"}, Record: records[1]},
		chat.UserStored{Head: chat.Head{Seq: 6, TurnID: "t2"}, Record: records[2]}, chat.Finished{Head: chat.Head{Seq: 7, TurnID: "t2"}, Record: records[3]})
	var got []string
	for _, e := range m.talk.Entries() {
		got = append(got, e.Text)
	}
	if diff := cmp.Diff([]string{"red?", "rose", "blue?", "violet"}, got); diff != "" {
		t.Error(diff)
	}
}

// Messages are handed over in the order in which they were written, whichever of the
// commands runs first.
func TestMessagesKeepTheirOrder(t *testing.T) {
	m := still(t, 80, 24)
	must(t, m.opts.chat.Start(t.Context()))
	m.input.Set("first", nil)
	first := m.conv.send()
	m.input.Set("second", nil)
	second := m.conv.send()
	later := make(chan tea.Msg)
	go func() { later <- second() }()
	for range 100 { // the second has every chance to run
		runtime.Gosched()
	}
	if msg, ok := unwrapped(first()).(sentMsg); !ok || msg.err != nil {
		t.Fatalf("%+v", msg)
	}
	if msg, ok := unwrapped(<-later).(sentMsg); !ok || msg.err != nil {
		t.Fatalf("%+v", msg)
	}
	var said []string
	for len(said) < 2 {
		select {
		case e := <-m.opts.chat.Events():
			if u, ok := e.(chat.UserStored); ok {
				said = append(said, u.Record.Content)
			}
		case <-time.After(patience):
			t.Fatalf("stored: %v", said)
		}
	}
	if said[0] != "first" {
		t.Errorf("stored: %v", said)
	}
}

// A message that could not be kept comes back into the input.
func TestUnsentComesBack(t *testing.T) {
	m := still(t, 80, 24)
	press(m, "h", "i", "enter")
	if got := frame(t, m); !strings.Contains(got, "sending: “hi”") || !strings.Contains(got, "○ saving") {
		t.Errorf("not shown as being sent:\n%s", got)
	}
	m.Update(sentMsg{local: 1, err: fmt.Errorf("writing: %w", fs.ErrPermission)})
	got := frame(t, m)
	if text, _ := m.input.Text(); text != "hi" || !strings.Contains(got, "cannot be written") {
		t.Errorf("input %q:\n%s", text, got)
	}
	m.drafts.stored("", errors.New("no room"))
	if got := frame(t, m); !strings.Contains(got, "✗ not saved") {
		t.Errorf("failed draft is not told:\n%s", got)
	}
}

// A letter is a letter in the input, whatever it means elsewhere.
func TestLettersAreLetters(t *testing.T) {
	m := still(t, 140, 40)
	for _, k := range strings.Split("q?/deuyoaxn12[]jk", "") {
		press(m, k)
	}
	if text, _ := m.input.Text(); text != "q?/deuyoaxn12[]jk" {
		t.Errorf("input %q", text)
	}
	press(m, "tab", "a", "d", "q", "?", "1")
	if got := frame(t, m); !strings.Contains(got, "dq?1") {
		t.Errorf("form:\n%s", got)
	}
}

func TestMouse(t *testing.T) {
	m := still(t, 140, 40)
	converse(m)
	for i := range 40 {
		m.talk.Put(m.conv.entry(memory.Record{ID: fmt.Sprint(i), Role: memory.RoleUser, Content: fmt.Sprint("message ", i)}, nil))
	}
	m.Update(tea.MouseWheelMsg{X: 5, Y: 10, Button: tea.MouseWheelUp})
	if m.talk.AtEnd() {
		t.Error("the wheel does not scroll")
	}
	m.Update(tea.MouseClickMsg{X: m.screen.Panel.X + 3, Y: 10, Button: tea.MouseLeft})
	if m.focus != onPanel {
		t.Error("a click does not choose the pane")
	}
	m.Update(tea.MouseWheelMsg{X: m.screen.Panel.X + 3, Y: 10, Button: tea.MouseWheelDown})
	m.Update(tea.MouseClickMsg{X: 5, Y: m.screen.Input.Y, Button: tea.MouseLeft})
	if m.focus != onInput {
		t.Error("a click does not choose the input")
	}
}

func TestCopyUsesTheClipboard(t *testing.T) {
	m := still(t, 140, 40)
	converse(m)
	cmd := press(m, "tab", "tab", "y")
	if cmd == nil {
		t.Fatal("no command")
	}
	if got := fmt.Sprintf("%T", first(cmd)); got != "tea.setClipboardMsg" {
		t.Errorf("copying gave %s", got)
	}
}

// first runs a command and goes into batches for the first message.
func first(cmd tea.Cmd) tea.Msg {
	msg := cmd()
	for {
		b, ok := msg.(tea.BatchMsg)
		if !ok || len(b) == 0 {
			return msg
		}
		msg = b[0]()
	}
}

func TestThemes(t *testing.T) {
	m := still(t, 80, 24, func(o *Options) { o.Config.Theme = theme.Auto })
	if !strings.Contains(m.View().Content, "\x1b[") {
		t.Error("no colours")
	}
	dark := m.View().Content
	m.Update(tea.BackgroundColorMsg{Color: white{}})
	if m.dark || m.View().Content == dark {
		t.Error("a light background changes nothing")
	}
	m = still(t, 80, 24)
	if strings.Contains(m.View().Content, "\x1b") {
		t.Error("colours without a theme")
	}
}

type white struct{}

func (white) RGBA() (r, g, b, a uint32) { return 0xffff, 0xffff, 0xffff, 0xffff }

// A panic while drawing gives the terminal back.
func TestPanicInView(t *testing.T) {
	m := still(t, 80, 24)
	ended := false
	m.abort = func() { ended = true }
	m.talk = nil
	m.View()
	if m.crash == nil || !ended {
		t.Errorf("crash %v, ended %v", m.crash, ended)
	}
	m = still(t, 80, 24)
	m.input = nil
	if _, cmd := m.Update(tea.WindowSizeMsg{Width: 90, Height: 30}); m.crash == nil || cmd == nil {
		t.Error("a panic in Update goes on")
	} else if _, ok := cmd().(tea.QuitMsg); !ok {
		t.Error("a panic in Update does not quit")
	}
}

func TestRunNeedsATerminal(t *testing.T) {
	w := newWorld(t, "", nil)
	w.opts.In, w.opts.Out = strings.NewReader(""), &strings.Builder{}
	if err := Run(t.Context(), w.opts); !errors.Is(err, app.ErrNoTerminal) {
		t.Errorf("error %v", err)
	}
	w.opts.Config.Theme = "pink"
	if err := Run(t.Context(), w.opts); err == nil || errors.Is(err, app.ErrNoTerminal) {
		t.Errorf("error %v", err)
	}
}

// Whatever is shown of others' words is clean.
func TestScreenIsClean(t *testing.T) {
	evil := "a\x1b]0;x\x07b\u202ec\u009b31md\U000E0041"
	m := still(t, 140, 40, func(o *Options) { o.agent.Name = evil })
	s := memory.Session{ID: "s1", Title: evil, Turns: 1}
	happen(m, s,
		chat.SessionChanged{Head: chat.Head{Seq: 1}, Session: s, Why: chat.WhyFirst},
		chat.ModelChanged{Head: chat.Head{Seq: 2}, Info: model.Info{Model: evil, Endpoint: evil}},
		chat.UserStored{Head: chat.Head{Seq: 3, TurnID: "t"}, Record: memory.Record{ID: "r", Role: memory.RoleUser, Content: evil, Sender: evil}},
		chat.PackageStored{Head: chat.Head{Seq: 4, TurnID: "t"}, Package: memory.Package{TurnID: "t", Model: evil, Endpoint: evil, Hash: evil, Degraded: evil, Keywords: []string{evil},
			Blocks: []memory.Block{{Layer: memory.Layer(evil), Note: evil}}, Dropped: []memory.Dropped{{What: evil, Reason: evil}}, Used: []memory.Used{{ItemID: "i", Why: evil}}}},
		chat.Delta{Head: chat.Head{Seq: 5, TurnID: "t"}, Text: evil},
		chat.QueueChanged{Head: chat.Head{Seq: 6}, Waiting: []chat.Waiting{{ID: "q", Text: evil}}},
		chat.Retrying{Head: chat.Head{Seq: 7, TurnID: "t"}, Attempt: 1, Of: 2, Wait: time.Second, Reason: evil},
		chat.Notice{Head: chat.Head{Seq: 8}, Problem: chat.Problem{Title: evil, Text: evil, Hint: evil}},
	)
	m.sent.Show("t", sent.Detail{Rendered: memory.Rendered{Rendered: []memory.RenderedBlock{{Text: evil, Role: memory.Role(evil)}}}, Items: map[string]memory.Item{"i": {Content: evil}}})
	check := func() {
		t.Helper()
		v := m.View()
		if i := strings.IndexAny(v.Content+v.WindowTitle, "\x1b\x07\u202e\u009b\U000E0041"); i >= 0 {
			t.Errorf("not clean: %q", (v.Content + v.WindowTitle)[max(0, i-60):i+20])
		}
	}
	check()
	happen(m, s, chat.Finished{Head: chat.Head{Seq: 9, TurnID: "t"}, Record: memory.Record{ID: "r2", Role: memory.RoleAssistant, Content: evil, Status: memory.StatusError}, Problem: &chat.Problem{Title: evil, Text: evil, Hint: evil}})
	check()
	press(m, "tab", "2", "a")
	check()
	m.found = []model.Found{{Name: evil, BaseURL: evil, Models: []string{evil}}}
	m.info.Offline = true
	m.say = "restored: " + evil
	check()
	m.recall.ShowSource(words.Quote{Text: evil, Whole: evil, Session: evil})
	m.Open(pane.Recall)
	m.settle()
	check()
	if !slices.Contains(strings.Split(m.View().Content, ""), "␛") {
		t.Error("the escape character is hidden altogether")
	}
}

// BenchmarkDelta is one piece of an answer that is 64 KB long already, from the
// event to the finished frame.
func BenchmarkDelta(b *testing.B) {
	m := still(b, 140, 40)
	s := converse(m)
	long := strings.Repeat("Some words of an answer, with `code` and **weight**. 部署脚本还用 pnpm 吗？\n\n", 64<<10/95)
	happen(m, s, chat.Delta{Head: chat.Head{Seq: 7, TurnID: "t2"}, Text: long})
	m.View()
	seq := uint64(7)
	for b.Loop() {
		seq++
		happen(m, s, chat.Delta{Head: chat.Head{Seq: seq, TurnID: "t2"}, Text: "and on "})
		m.View()
	}
}

// BenchmarkType is one letter typed into a conversation of a thousand messages.
func BenchmarkType(b *testing.B) {
	m := still(b, 140, 40)
	converse(m)
	for i := range 1000 {
		m.talk.Put(m.conv.entry(memory.Record{ID: fmt.Sprint(i), Role: memory.RoleUser, Content: fmt.Sprint("message ", i)}, nil))
	}
	for b.Loop() {
		press(m, "a", "ctrl+u")
		m.View()
	}
}

// What a panic said may hold the user's words: the log has its type and place.
func TestPanicIsLoggedWithoutItsWords(t *testing.T) {
	m := still(t, 80, 24)
	var log bytes.Buffer
	m.opts.Logger = slog.New(slog.NewTextHandler(&log, nil))
	m.Update(pane.Fault{Value: errors.New("I live in Lisbon"), Stack: []byte("effects.go:45")})
	if s := log.String(); !strings.Contains(s, "*errors.errorString") || !strings.Contains(s, "effects.go:45") || strings.Contains(s, "Lisbon") {
		t.Errorf("log: %s", s)
	}
}

// finished is the end of a turn as an event.
func finished(turn string, r memory.Record) chat.Finished {
	return chat.Finished{Head: chat.Head{Seq: 7, SessionID: "s1", TurnID: turn}, Took: time.Second, Record: r}
}

// S9a: a message goes to the session that was chosen before it was sent, whichever of
// the commands runs first; so does whatever else the conversation is changed by.
func TestMessageFollowsTheChosenSession(t *testing.T) {
	m := still(t, 80, 24)
	must(t, m.opts.chat.Start(t.Context()))
	for name, change := range map[string]func() tea.Cmd{
		"resume":  func() tea.Cmd { return m.fx.change(m.fx.Chat.Resume, "none") },
		"step":    func() tea.Cmd { return m.branch.step("none", 1, false) },
		"answer":  func() tea.Cmd { return m.fx.change(m.fx.Chat.Regenerate, "none") },
		"retry":   func() tea.Cmd { return m.fx.Change(m.fx.Chat.Retry) },
		"judging": func() tea.Cmd { return m.fx.change(m.fx.Chat.Overrule, "none") },
		"again":   func() tea.Cmd { return m.archive.Restore("none") },
		"unsent":  func() tea.Cmd { return m.conv.unsend("none") },
	} {
		first := change()
		m.input.Set(name, nil)
		second := m.conv.send()
		sent := make(chan tea.Msg, 1)
		go func() { sent <- second() }()
		for range 100 { // the message has every chance to overtake
			runtime.Gosched()
		}
		select {
		case <-sent:
			t.Errorf("%s: the message did not wait", name)
			first()
			continue
		default:
		}
		first()
		if msg, ok := unwrapped(<-sent).(sentMsg); !ok || msg.err != nil {
			t.Errorf("%s: %+v", name, msg)
		}
	}
}

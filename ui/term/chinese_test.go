package term

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/ui/words"
)

// chineseScenes are states in which the root of the screen says something. The panes are drawn
// by TestViews.
var chineseScenes = []struct {
	name string
	set  func(m *root)
}{
	{"welcome", func(*root) {}},
	{"welcome, a model", func(m *root) { m.info = model.Info{Model: "gpt-4.1-mini", Endpoint: "api.openai.com"} }},
	{"welcome, again", func(m *root) { m.Update(statusMsg{status: lookup.Status{Items: 5, Sessions: 2}}) }},
	{"a model server", func(m *root) {
		converse(m)
		m.found = []model.Found{{Name: "Ollama", BaseURL: "http://127.0.0.1:11434/v1", Models: []string{"qwen3"}}}
	}},
	{"busy", scenes[2].set},
	{"answering", func(m *root) {
		s := converse(m)
		happen(m, s,
			chat.UserStored{Head: chat.Head{Seq: 7, SessionID: "s1", TurnID: "t2"}, Record: memory.Record{ID: "r3", SessionID: "s1", TurnID: "t2", Role: memory.RoleUser, Content: "现在呢？", Timestamp: m.now}},
			chat.Searching{Head: chat.Head{Seq: 8, SessionID: "s1", TurnID: "t2"}, Words: "pnpm"})
	}},
	{"incomplete", func(m *root) {
		s := converse(m)
		happen(m, s,
			chat.UserStored{Head: chat.Head{Seq: 7, SessionID: "s1", TurnID: "t2"}, Record: memory.Record{ID: "r3", SessionID: "s1", TurnID: "t2", Role: memory.RoleUser, Content: "现在呢？", Timestamp: m.now}},
			chat.Finished{Head: chat.Head{Seq: 8, SessionID: "s1", TurnID: "t2"}, Record: memory.Record{ID: "r4", SessionID: "s1", TurnID: "t2", Role: memory.RoleAssistant, Status: memory.StatusError, Timestamp: m.now},
				Problem: &chat.Problem{Title: "The model server cannot be reached", Text: "connection refused", Hint: "Check base_url and the network; a local server may not be running."}})
	}},
	{"judging", func(m *root) {
		s := converse(m)
		happen(m, s, chat.Judging{Head: chat.Head{Seq: 7, SessionID: "s1"}, Model: "gpt-4.1-mini", Within: 5 * time.Second})
		m.conv.overrule()
	}},
	{"judged", func(m *root) {
		s := converse(m)
		happen(m, s, chat.UserStored{Head: chat.Head{Seq: 7, SessionID: "s1", TurnID: "t2"}, Record: memory.Record{
			ID: "r3", SessionID: "s1", TurnID: "t2", Role: memory.RoleUser, Content: "现在呢？", Timestamp: m.now,
			Judgement: &memory.Judgement{SessionID: "s0", Idle: time.Hour, By: memory.JudgedByRules},
		}})
	}},
	{"the disk is full", func(m *root) {
		s := converse(m)
		happen(m, s, chat.StorageChanged{Head: chat.Head{Seq: 7}, Problem: &chat.Problem{
			Title: "The disk is full", Text: "Nothing can be written: /data (no space left on device).",
			Hint: "Make room; what was acknowledged is safe, and writing goes on by itself.",
		}})
		m.quit()
	}},
	{"a turn is undone", func(m *root) {
		converse(m)
		m.branch.turnUndone(manager.LeftTurns{Message: memory.Record{Content: "部署脚本还用 pnpm 吗？"}}, nil)
		m.branch.ahead = 1
	}},
	{"a question", func(m *root) {
		converse(m)
		press(m, "ctrl+p", "b", "a", "c", "k", "enter")
	}},
	{"a command", func(m *root) {
		converse(m)
		for _, r := range "/se" {
			press(m, string(r))
		}
	}},
	{"nothing to choose from", func(m *root) {
		converse(m)
		m.commands.switching.switchAgent("")
	}},
}

// What the root of the screen says, in Chinese, at the smallest sizes.
func TestChineseFrames(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d := &drawn{}
			for _, sc := range chineseScenes {
				m := still(t, size[0], size[1], inChinese)
				sc.set(m)
				m.settle()
				d.add(sc.name, plainFrame(t, m))
			}
			w := newWorld(t, "", nil).inGroup(t, modeltest.NewServer(t))
			inChinese(&w.opts)
			d.add("a group", plainFrame(t, w.still(size[0], size[1])))
			golden.RequireEqual(t, d.String())
		})
	}
}

func inChinese(o *Options) { o.Words = words.Words{Language: words.Chinese} }

// trailing are the spaces at the end of a line.
var trailing = regexp.MustCompile(`(?m) +$`)

// plainFrame is a frame without spaces at the ends of its lines.
func plainFrame(t testing.TB, m *root) string {
	t.Helper()
	return trailing.ReplaceAllString(strings.ReplaceAll(frame(t, m), "\u00a0", " "), "")
}

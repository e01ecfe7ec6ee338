package working

import (
	"testing"
	"time"

	"memoria/memory"
	"memoria/ui/term/keys"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

// The states of the pane in Chinese.
func TestChineseViews(t *testing.T) {
	s := State{
		Working: memory.Working{
			SessionID: "s1", CurrentTopic: "部署脚本怎么改成 bun", ContextVariables: map[string]string{"项目": "memoria", "语言": "Go"},
			TurnCount: 1284, LastEmotion: "tired", CreatedAt: noon.Add(-25 * time.Hour), UpdatedAt: noon.Add(-2 * time.Minute),
		},
		Title: "部署到 Fly", EndsAt: noon.Add(28 * time.Minute),
	}
	kept, over, bare := s, s, s
	kept.Kept = true
	over.EndsAt = noon
	bare.Working = memory.Working{SessionID: "s1", TurnCount: 1, CreatedAt: noon, UpdatedAt: noon}
	filled := func(w, h int) *Model {
		m := panetest.Show(New(keys.Default(words.Words{Language: words.Chinese}), time.UTC), w, h)
		m.Show(s)
		m.SetFocus(true)
		return m
	}
	panetest.Views(t, [][2]int{{40, 18}, {60, 16}}, filled, map[string]func(m *Model){
		"nothing":         func(m *Model) { m.None() },
		"unread":          func(m *Model) { m.None(); m.ReadFailed("存储已锁定") },
		"filled":          func(*Model) {},
		"over":            func(m *Model) { m.Show(over) },
		"bare":            func(m *Model) { m.Show(bare); press(m, "delete") },
		"kept":            func(m *Model) { m.Show(kept); press(m, "e") },
		"topic":           func(m *Model) { press(m, "e") },
		"add":             func(m *Model) { press(m, "a"); typed(m, "分支"); press(m, "ctrl+s") },
		"delete topic":    func(m *Model) { press(m, "delete") },
		"delete variable": func(m *Model) { press(m, "end", "delete") },
	})
}

package sessions

import (
	"testing"
	"time"

	"memoria/memory"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

// The states of the pane in Chinese.
func TestChineseViews(t *testing.T) {
	newPane := func(w, h int) *Model {
		return panetest.Show(New(keys.Default(words.Words{Language: words.Chinese}), time.UTC), w, h)
	}
	forked := some()
	forked[2].ForkedFrom = &memory.Fork{SessionID: "s1"}
	forked[3].ForkedFrom = &memory.Fork{SessionID: "gone"}
	sizes := [][2]int{{40, 18}, {60, 16}, {80, 15}}
	panetest.Views(t, sizes, newPane, map[string]func(m *Model){
		"reading": func(*Model) {},
		"unread":  func(m *Model) { m.LoadFailed("存储已锁定") },
		"empty":   func(m *Model) { m.SetSessions(nil, 0); m.SetFocus(true) },
	})
	filled := func(w, h int) *Model {
		m := newPane(w, h)
		m.SetSessions(forked, 2140)
		m.SetCurrent("s1")
		m.SetFocus(true)
		return m
	}
	panetest.Views(t, sizes, filled, map[string]func(m *Model){
		"list":      func(m *Model) { press(m, "down") },
		"searching": func(m *Model) { press(m, "/"); typed(m, "pnpm 部署") },
		"found": func(m *Model) {
			m.OpenSearch("pnpm 部署")
			r := found()
			r.Messages = 1206
			m.Found("pnpm 部署", r)
			press(m, "enter", "down")
		},
		"nothing": func(m *Model) {
			m.OpenSearch("没有的词")
			m.Found("没有的词", Results{Degraded: "the index is being built, so the messages were read through and some may be missing"})
		},
		"search failed": func(m *Model) { m.OpenSearch("x"); m.SearchFailed("x", "索引已损坏") },
		"no jump":       func(m *Model) { press(m, "o") },
		"rename":        func(m *Model) { press(m, "down", "r") },
		"confirm":       func(m *Model) { press(m, "down", "delete") },
		"deleting":      func(m *Model) { press(m, "down", "delete", "delete") },
		"deleted": func(m *Model) {
			m.Deleted(list.Removed{ID: "d1", Of: "s2", Title: some()[1].Title, Until: noon.Add(8 * time.Second)})
		},
	})
}

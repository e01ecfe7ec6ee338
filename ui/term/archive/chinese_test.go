package archive

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
	newPane := func(w, h int) *Model {
		return panetest.Show(New(keys.Default(words.Words{Language: words.Chinese}), time.UTC), w, h)
	}
	sizes := [][2]int{{40, 18}, {60, 14}}
	panetest.Views(t, sizes, newPane, map[string]func(m *Model){"reading": func(*Model) {}})
	filled := func(w, h int) *Model {
		m := newPane(w, h)
		m.Found(m.Question(), Page{Hits: some(), Total: 1204})
		m.SetFocus(true)
		return m
	}
	panetest.Views(t, sizes, filled, map[string]func(m *Model){
		"empty":     func(m *Model) { m.Found(m.Question(), Page{}) },
		"list":      func(m *Model) { press(m, "down") },
		"unread":    func(m *Model) { m.NotFound(m.Question(), "存储已锁定") },
		"searching": func(m *Model) { press(m, "/"); typed(m, "上周 陶艺") },
		"field":     func(m *Model) { press(m, "/") },
		"found": func(m *Model) {
			m.OpenSearch("陶艺")
			p := found()
			p.Words, p.Time = "陶艺", "2026-01-19 至 2026-01-25"
			m.Found(m.Question(), p)
			press(m, "enter")
		},
		"nothing":      func(m *Model) { m.OpenSearch("没有"); m.Found(m.Question(), Page{Words: "没有"}) },
		"bookmarks":    func(m *Model) { press(m, "b"); m.Found(m.Question(), Page{Hits: some()[1:3], Total: 2}) },
		"no bookmarks": func(m *Model) { press(m, "b"); m.Found(m.Question(), Page{}) },
		"no bookmark like it": func(m *Model) {
			press(m, "b")
			m.OpenSearch("没有")
			m.asked.Collected = true
			m.Found(m.asked, Page{Words: "没有"})
		},
		"confirm":  func(m *Model) { press(m, "down", "delete") },
		"deleting": func(m *Model) { press(m, "down", "delete", "delete") },
		"learned": func(m *Model) {
			press(m, "l")
			m.ShowLearned("r1", []memory.Item{
				{ID: "i1", Type: memory.TypeFact, State: memory.StateActive, Content: "窑温 1240 度。", CreatedAt: noon},
				{ID: "i2", Type: memory.TypePreference, State: memory.StateHeld, Content: "喜欢陶艺", CreatedAt: noon},
			})
		},
		"taught nothing": func(m *Model) { press(m, "l"); m.ShowLearned("r1", nil) },
	})
}

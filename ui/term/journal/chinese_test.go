package journal

import (
	"testing"

	"memoria/memory"
	files "memoria/memory/journal"
	"memoria/ui/term/keys"
	"memoria/ui/term/markdown"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

// The states of the pane in Chinese.
func TestChineseViews(t *testing.T) {
	newPane := func(w, h int) *Model {
		m := panetest.Show(New(keys.Default(words.Words{Language: words.Chinese})), w, h)
		m.SetMarkdown(rendered{markdown.NoColor})
		return m
	}
	sizes := [][2]int{{40, 34}, {60, 34}}
	panetest.Views(t, sizes, newPane, map[string]func(m *Model){
		"loading": func(*Model) {},
		"unread":  func(m *Model) { m.NotRead("磁盘不见了") },
		"off":     func(m *Model) { m.Set(State{}) },
		"empty": func(m *Model) {
			m.Set(State{Status: files.Status{Enabled: true, Dir: "/data/journal/luna"}})
			m.SetFocus(true)
		},
	})
	filled := func(w, h int) *Model {
		m := newPane(w, h)
		m.Set(some())
		m.SetFocus(true)
		return m
	}
	panetest.Views(t, sizes, filled, map[string]func(m *Model){
		"tree": func(m *Model) { press(m, "down") },
		"file": func(m *Model) { m.Show(some().Files[0], kilnFile()); press(m, "enter") },
		"blank": func(m *Model) {
			m.Show(memory.JournalFile{Path: "memory.md", Kind: memory.JournalOwn}, "<!-- nothing -->\n")
		},
		"gone":    func(m *Model) { m.Gone("memory.md") },
		"writing": func(m *Model) { press(m, "r") },
		"field":   func(m *Model) { press(m, "/") },
		"found":   func(m *Model) { m.OpenSearch("窑温"); m.Found("窑温", found); press(m, "enter") },
		"nothing": func(m *Model) { m.OpenSearch("飞艇"); m.Found("飞艇", nil) },
	})
}

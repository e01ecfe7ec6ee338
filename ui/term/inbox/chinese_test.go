package inbox

import (
	"testing"
	"time"

	"memoria/memory"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

func chinese(w, h int) *Model {
	m := panetest.Show(New(keys.Default(words.Words{Language: words.Chinese}), time.UTC), w, h)
	mail := entry("i1", "邮箱是 bo@example.org。", "contact: waits for your approval")
	mail.Said, mail.Session = "顺便说，我的邮箱是 bo@example.org", "周末的安排"
	tea := entry("i2", "喜欢咖啡胜过茶", "contradicts what you said")
	tea.Item.Type, tea.Replaces, tea.Gone = memory.TypePreference, "喜欢茶胜过咖啡。", true
	fly := entry("i3", "项目部署在 Fly 上", "comes from foreign text")
	fly.Item.Evidence, fly.Said = nil, ""
	m.SetEntries([]Entry{mail, tea, fly}, 9)
	m.SetFocus(true)
	return m
}

func TestChinese(t *testing.T) {
	panetest.Views(t, [][2]int{{40, 22}, {60, 15}}, chinese, map[string]func(m *Model){
		"list":   func(*Model) {},
		"end":    func(m *Model) { press(m, "end", "o") },
		"empty":  func(m *Model) { m.SetEntries(nil, 0) },
		"failed": func(m *Model) { m.ReadFailed("磁盘不见了。") },
		"edit":   func(m *Model) { press(m, "e") },
		"all":    func(m *Model) { press(m, "A") },
		"group":  func(m *Model) { m.SetEntries(imports(), 5); press(m, "end", "T") },
		"rejected": func(m *Model) {
			press(m, "x")
			m.Rejected(list.Removed{ID: "d1", Title: "邮箱是 bo@example.org。", Until: noon.Add(8 * time.Second)})
		},
	})
}

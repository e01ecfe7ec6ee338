package profile

import (
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager/profiles"
	rules "memoria/memory/profile"
	"memoria/ui/term/keys"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

func chinese(w, h int) *Model {
	m := panetest.Show(New(keys.Default(words.Words{Language: words.Chinese}), time.UTC), w, h)
	m.SetFocus(true)
	p := page(7,
		memory.ProfileLine{Section: memory.SectionReply, Text: "- 回答要简短", ItemID: "I1"},
		memory.ProfileLine{Section: memory.SectionReply, Text: "- 一次最多问一个问题：问两个我总会忘记回答其中的一个"},
		memory.ProfileLine{Section: memory.SectionBackground, Text: "- 住在里昂。", ItemID: "I2"},
	)
	p.Waiting = 2
	moved := profiles.Change{
		Version: 6, Time: noon.Add(-5 * time.Hour), Origin: memory.OriginTurn, Reason: "memory superseded", Items: []string{"I2"}, Undone: true,
		Diff: []rules.Difference{
			{ProfileLine: memory.ProfileLine{Section: memory.SectionBackground, Text: "- 住在巴黎。"}},
			{Added: true, ProfileLine: memory.ProfileLine{Section: memory.SectionBackground, Text: "- 住在里昂。"}},
		},
	}
	undone := profiles.Change{Version: 7, Time: noon.Add(-2 * time.Minute), Origin: memory.OriginUser, Reason: "version 6 undone by the user", Undoes: 6}
	m.Show(p, profiles.History{Total: 40, Versions: []profiles.Change{undone, moved}})
	return m
}

func TestChinese(t *testing.T) {
	panetest.Views(t, [][2]int{{40, 20}, {60, 15}}, chinese, map[string]func(m *Model){
		"page":     func(*Model) {},
		"own line": func(m *Model) { press(m, "down", "enter") },
		"empty":    func(m *Model) { m.Show(page(0), profiles.History{}) },
		"off":      func(m *Model) { m.page.Sent = false; m.Build() },
		"unread":   func(m *Model) { m.ReadFailed("存储已锁定。") },
		"versions": func(m *Model) { press(m, "h", "down") },
		"none":     func(m *Model) { m.Show(page(0), profiles.History{}); press(m, "h") },
		"form":     func(m *Model) { press(m, "e") },
		"new form": func(m *Model) { m.Show(page(0), profiles.History{}); press(m, "e") },
	})
}

// The page that is edited has Chinese headings, which are read again as the same sections.
func TestChineseHeadings(t *testing.T) {
	m := chinese(60, 20)
	if got := rules.Parse(m.text()); !slices.EqualFunc(got, m.page.Lines, func(a, b memory.ProfileLine) bool {
		return a.Section == b.Section && a.Text == b.Text
	}) {
		t.Errorf("%+v of\n%s", got, m.text())
	}
	if strings.Contains(m.text(), "Reply style") {
		t.Error(m.text())
	}
}

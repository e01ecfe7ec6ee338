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

var noon = panetest.Noon

func session(id, title string, turns int, ago time.Duration) memory.Session {
	s := memory.Session{
		ID: id, Title: title, State: memory.SessionArchived, Turns: turns, Messages: 2 * turns,
		CreatedAt: noon.Add(-ago - time.Hour), LastMessageAt: noon.Add(-ago),
	}
	return s
}

func some() []memory.Session {
	list := []memory.Session{
		session("s1", "Deploying to Fly", 12, 3*time.Minute),
		session("s2", "部署脚本还用 pnpm 吗？从上海的同事那里听说要改成 bun 了", 4, 5*time.Hour),
		session("s3", "", 1, 49*time.Hour),
		session("s4", "The 👩‍💻 who \x1b[31mwrote\u202e it", 1284, 400*24*time.Hour),
	}
	list[0].State = memory.SessionActive
	return list
}

func newPane(w, h int) *Model { return panetest.Show(New(keys.Default(words.Words{}), time.UTC), w, h) }

func filled(w, h int) *Model {
	m := newPane(w, h)
	m.SetSessions(some(), 214)
	m.SetCurrent("s1")
	m.SetFocus(true)
	return m
}

func found() Results {
	list := some()
	return Results{
		Sessions: []Group{
			{Session: list[1], Messages: 5, Hits: []Hit{
				{RecordID: "r1", Who: "you", Time: noon.Add(-5 * time.Hour), Text: "部署脚本还用 pnpm 吗？"},
				{RecordID: "r2", Who: "luna", Time: noon.Add(-5 * time.Hour), Text: "Yes — `pnpm install --frozen-lockfile`, as you said when we spoke about the deploying of the new server in Shanghai."},
				{RecordID: "r3", Who: "you", Time: noon.Add(-4 * time.Hour), Text: "It was a long evening, and only at the very end of a rambling message with many words do we come to deployed things like 部署."},
				{RecordID: "r4", Who: "you", Time: noon.Add(-4 * time.Hour), Text: "pnpm again"},
			}},
			{Session: list[0], Messages: 1, Hits: []Hit{{RecordID: "r5", Who: "you", Time: noon.Add(-3 * time.Minute), Text: "\x1b]52;c;xx\x07 ship it with pnpm\nand \u202enothing else"}}},
		},
		Messages: 6,
	}
}

var (
	press = panetest.Press[Action]
	typed = panetest.Type[Action]
)

func view(t panetest.T, m *Model) string { return panetest.View(t, m, m.Width, m.Height) }

func TestViews(t *testing.T) {
	panetest.Views(t, panetest.Sizes(20), newPane, map[string]func(m *Model){"reading": func(*Model) {}, "unread": func(m *Model) { m.LoadFailed("the store is locked") }})
	panetest.Views(t, panetest.Sizes(20), filled, map[string]func(m *Model){
		"empty": func(m *Model) { m.SetSessions(nil, 0) },
		"list":  func(m *Model) { press(m, "down") },
		"menu":  func(m *Model) { press(m, "down", "enter", "down") },
		"more": func(m *Model) {
			m.SetSessions(some(), 4)
			m.AddSessions(4, []memory.Session{session("s5", "One more", 2, time.Hour)}, 9)
			press(m, "end")
			m.LoadFailed("the disk is gone")
		},
		"searching": func(m *Model) { press(m, "/"); typed(m, "pnpm 部署") },
		"found": func(m *Model) {
			m.OpenSearch("pnpm 部署")
			m.Found("pnpm 部署", found())
			press(m, "enter", "down")
		},
		"nothing": func(m *Model) {
			m.OpenSearch("nowhere")
			m.Found("nowhere", Results{Degraded: "the index is being built, so the messages were read through"})
		},
		"search failed": func(m *Model) { m.OpenSearch("x"); m.SearchFailed("x", "The index is broken.") },
		"rename":        func(m *Model) { press(m, "down", "r"); typed(m, "！") },
		"confirm":       func(m *Model) { press(m, "down", "d") },
		"deleted": func(m *Model) {
			m.Deleted(list.Removed{ID: "d1", Of: "s2", Title: some()[1].Title, Until: noon.Add(8 * time.Second)})
		},
	})

}

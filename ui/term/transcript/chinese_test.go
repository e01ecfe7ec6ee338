package transcript

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/term/panetest"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// drawn is a transcript as panetest compares it.
type drawn struct{ *Model }

func (d drawn) View() ([]string, *tea.Cursor) { return d.Model.View(), nil }

// What the program adds to messages, in Chinese.
func TestChineseViews(t *testing.T) {
	noon := panetest.Noon
	open := func(w, h int) drawn {
		md := &plainText{}
		m := New(md, time.UTC, words.Pictures{Words: words.Words{Language: words.Chinese}})
		m.SetStyles(theme.New(theme.None, true), md)
		m.SetDay(noon)
		m.SetSize(w, h)
		return drawn{m}
	}
	said := func(id string, role memory.Role, text string) Entry {
		return Entry{ID: id, TurnID: "t" + id, Role: role, Author: map[memory.Role]string{memory.RoleUser: "你"}[role], Time: noon, Text: text}
	}
	panetest.Views(t, [][2]int{{40, 34}, {60, 28}}, open, map[string]func(drawn){
		"notes": func(m drawn) {
			earlier := said("1", memory.RoleUser, "部署脚本还用 pnpm 吗？\u202e")
			earlier.Time = noon.Add(-72 * time.Hour)
			m.Put(earlier)
			m.SetShortened(map[string]string{"1": "shortened to 500 of 1284 characters: history budget"})
			cancelled := said("2", memory.RoleAssistant, "用。")
			cancelled.Status, cancelled.Thought = memory.StatusCancelled, Thought{"先看看记忆。", 4200 * time.Millisecond}
			m.Put(cancelled)
			m.SetSources("t2", []Source{{N: 1, Text: "用 pnpm，不用 npm", Recalled: true}})
			broken := said("3", memory.RoleAssistant, "用")
			broken.Status = memory.StatusInterrupted
			m.Put(broken)
			failed := said("4", memory.RoleAssistant, "")
			failed.Note = &Note{Title: "The model server does not answer", Text: "it did not answer in time"}
			m.Put(failed)
			none := said("5", memory.RoleAssistant, "")
			none.Status = memory.StatusError
			m.Put(none)
		},
		"sources": func(m drawn) {
			m.Put(said("1", memory.RoleAssistant, "用。"))
			var s []Source
			for n := range 5 {
				s = append(s, Source{N: n + 1, Who: "你", Time: noon, Text: "部署脚本用 pnpm，不用 npm"})
			}
			m.SetSources("t1", s)
			m.OpenThoughts()
		},
		"below": func(m drawn) {
			for _, id := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"} {
				m.Put(said(id, memory.RoleUser, "第一行\n第二行\n第三行\n第四行"))
			}
			m.View()
			m.ScrollBy(-20)
			m.Put(said("new", memory.RoleUser, "新消息"))
		},
	})
}

package sent

import (
	"testing"
	"time"

	"memoria/memory"
	"memoria/ui/term/keys"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

func chinese(w, h int) *Model {
	return panetest.Show(New(keys.Default(words.Words{Language: words.Chinese}), time.UTC), w, h)
}

// turn is [pack] with notes and reasons as they are stored.
func turn(id string) memory.Package {
	p := pack(id)
	p.Blocks[2].Note = "shortened to 500 of 1284 characters: history budget"
	p.Used[0].Why = "below the minimum: shares only everyday words with the message"
	p.Dropped = []memory.Dropped{{Layer: memory.LayerWindow, What: "older messages", Reason: "they left in an earlier turn"}}
	return p
}

// The states of the pane in Chinese.
func TestChineseViews(t *testing.T) {
	panetest.Views(t, [][2]int{{40, 40}, {60, 40}}, chinese, map[string]func(m *Model){
		"empty":   func(*Model) {},
		"reading": func(m *Model) { m.SetTurns([]memory.Package{turn("t1")}) },
		"open": func(m *Model) {
			m.SetTurns([]memory.Package{turn("t0"), turn("t1")})
			m.Show("t1", detail(turn("t1")))
			m.SetFocus(true)
			press(m, "down", "down", "enter", "#")
		},
		"forgotten": func(m *Model) {
			p := turn("t1")
			p.Degraded = "the index does not answer, so the items were read through"
			p.Found = []memory.FoundPassage{
				{File: "f1", Score: 7.2, Chosen: true, Why: "it fits the words of the message"}, {File: "f2", Score: 3.1, Why: "over the memory budget"},
			}
			m.SetTurns([]memory.Package{p})
			d := detail(p)
			d.Exact, d.Items, d.Files = false, nil, map[string]string{"f1": "memory/2026-01-27-陶艺.md"}
			d.Rendered.Rendered[3].Forgotten = 1
			m.Show("t1", d)
		},
		"evidence": func(m *Model) {
			m.SetTurns([]memory.Package{looked("t1")})
			m.Show("t1", lookedDetail())
		},
		"offline": func(m *Model) {
			p := turn("t1")
			p.Endpoint, p.Model, p.Limit, p.Used, p.Dropped = "", memory.ModelOffline, 0, nil, nil
			m.SetTurns([]memory.Package{p})
			m.Show("t1", detail(p))
		},
		"calls": func(m *Model) {
			p := turn("t1")
			p.Tools = []memory.Ref{{}}
			p.Rounds = []memory.Round{{Calls: []string{"r1", "r2", "r3"}}}
			m.SetTurns([]memory.Package{p})
			d := detail(p)
			d.Offered = []string{"Searches the memory."}
			d.Further = []memory.RenderedRound{{
				Round: memory.Round{Hash: "abcdefabcdefabcdef"}, SaidText: "我查一下。",
				Called: []memory.RenderedCall{
					{Call: memory.Call{Name: "search_memories", Arguments: `{"keyword":"部署"}`, Found: 2, Tokens: 96, Written: `{keyword: 部署}`}, Text: "…", Forgotten: 1},
					{Call: memory.Call{Name: "search_memories", Arguments: `{"time":"?"}`, Failed: "the time was not understood"}},
					{},
				},
			}}
			m.Show("t1", d)
			m.SetFocus(true)
			press(m, "end")
		},
	})
}

// The note in the place of deleted words is in Chinese; the same words in a message stay.
func TestChineseDeletionNote(t *testing.T) {
	m := New(keys.Default(words.Words{Language: words.Chinese}), time.UTC)
	const text = "[forgotten 2026-01-28] and [forgotten]"
	if got := m.noted(text, 2); got != "[2026-01-28 已删除] and [已删除]" {
		t.Errorf("%q", got)
	}
	if got := m.noted(text, 0); got != text {
		t.Errorf("%q", got)
	}
}

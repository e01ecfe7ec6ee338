package sent

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/term/keys"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

var noon = panetest.Noon

func pack(turn string) memory.Package {
	return memory.Package{
		TurnID: turn, CreatedAt: noon, Model: "gpt-4.1-mini", Endpoint: "api.openai.com", Tokens: 1284, Limit: 8192,
		Keywords: []string{"部署", "pnpm"}, Hash: strings.Repeat("ab", 32),
		Blocks: []memory.Block{
			{Layer: memory.LayerPersona, Tokens: 359},
			{Layer: memory.LayerWindow, Tokens: 400}, {Layer: memory.LayerWindow, Tokens: 412, Note: "cut to 500 characters"},
			{Layer: memory.LayerRecall, Tokens: 96}, {Layer: memory.LayerMessage, Tokens: 17},
		},
		Used: []memory.Used{
			{ItemID: "i9", Score: 0.3, Why: "below the minimum"},
			{ItemID: "i1", Score: 0.82, Chosen: true, Why: "its words match", Contribution: memory.Parts{KeywordScore: .36}},
		},
		Dropped: []memory.Dropped{{Layer: memory.LayerWindow, What: "3 messages", Reason: "over the history budget"}},
	}
}

func detail(p memory.Package) Detail {
	return Detail{
		Rendered: memory.Rendered{Package: p, Exact: true, Rendered: []memory.RenderedBlock{
			{Role: memory.RoleSystem, Text: "You are luna.\n答案要短。", Tokens: 359},
			{Role: memory.RoleUser, Text: "我们用什么？", Tokens: 400},
			{Role: memory.RoleAssistant, Text: "pnpm", Tokens: 412},
			{Role: memory.RoleUser, Text: "## Memory\n\"uses pnpm\"", Tokens: 96},
			{Role: memory.RoleUser, Text: "部署脚本还用 pnpm 吗？", Tokens: 17},
		}},
		Items: map[string]memory.Item{"i1": {ID: "i1", Content: "uses pnpm, not npm"}},
	}
}

// looked is the package of a turn that asked for proof.
func looked(turn string) memory.Package {
	p := pack(turn)
	p.Used, p.Dropped = nil, []memory.Dropped{{Layer: memory.LayerEvidence, What: "R9", Reason: "over the evidence budget"}}
	p.Blocks = []memory.Block{
		{Layer: memory.LayerPersona, Tokens: 359}, {Layer: memory.LayerEvidence, Tokens: 120, Note: "1 of 2 messages cut around the words"},
		{Layer: memory.LayerMessage, Tokens: 17},
	}
	p.Look = &memory.Look{Trigger: "proof", From: noon.AddDate(0, 0, -7), To: noon}
	p.Citations = []memory.Citation{
		{N: 1, Evidence: memory.Evidence{RecordID: "R1", SessionID: "S1", Offset: 7, Length: 9}, ItemID: "i1", Role: memory.RoleUser, Time: noon.AddDate(0, 0, -7)},
		{N: 2, ItemID: "i2", Time: noon.AddDate(0, 0, -6)},
		{N: 3, Evidence: memory.Evidence{RecordID: "R3"}, Role: memory.RoleAssistant, Time: noon, InWindow: true},
	}
	return p
}

func lookedDetail() Detail {
	p := looked("t1")
	d := Detail{
		Rendered: memory.Rendered{Package: p, Exact: true, Rendered: []memory.RenderedBlock{
			{Role: memory.RoleSystem, Text: "You are luna."},
			{Role: memory.RoleUser, Text: "## Evidence\n[1 · user] \"I prefer oolong tea\"", Tokens: 120},
			{Role: memory.RoleUser, Text: "Why did you know that?"},
		}},
		Items: map[string]memory.Item{"i2": {ID: "i2", Content: "喜欢乌龙茶"}},
	}
	for i, text := range []string{"I prefer oolong tea in the evening.", "喜欢乌龙茶", "[forgotten 2026-01-28]"} {
		d.Sources = append(d.Sources, recall.Source{Citation: p.Citations[i], Text: text, Forgotten: i == 2})
	}
	return d
}

// A3, A4: each source leads to its words, or to its memory; what was deleted leads
// nowhere.
func TestSourcesOpen(t *testing.T) {
	m := newPane(55, 40)
	m.SetTurns([]memory.Package{looked("t1")})
	m.Show("t1", lookedDetail())
	m.SetFocus(true)
	press(m, "down", "down", "down")
	if a := press(m, "enter"); a.Do != Source || a.Evidence.RecordID != "R1" || a.Evidence.Offset != 7 {
		t.Errorf("the first source: %+v", a)
	}
	if a := press(m, "down", "enter"); a.Do != Item || a.ID != "i2" || a.Memory.Content != "喜欢乌龙茶" {
		t.Errorf("the second source: %+v", a)
	}
	if a := press(m, "y"); a.Do != Copy || a.Text != "喜欢乌龙茶" {
		t.Errorf("copied: %+v", a)
	}
	if a := press(m, "down", "enter"); a.Do == Source {
		t.Errorf("a deleted source is opened: %+v", a)
	}
}

func newPane(w, h int) *Model { return panetest.Show(New(keys.Default(words.Words{}), time.UTC), w, h) }

var press = panetest.Press[Action]

func view(t panetest.T, m *Model) string { return panetest.View(t, m, m.Width, m.Height) }

func TestViews(t *testing.T) {
	panetest.Views(t, [][2]int{{60, 10}, {55, 30}, {40, 40}, {80, 30}}, newPane, map[string]func(m *Model){
		"empty":   func(*Model) {},
		"reading": func(m *Model) { m.SetTurns([]memory.Package{pack("t1")}) },
		"folded":  func(m *Model) { m.SetTurns([]memory.Package{pack("t1")}); m.Show("t1", detail(pack("t1"))) },
		"open": func(m *Model) {
			m.SetTurns([]memory.Package{pack("t1")})
			m.Show("t1", detail(pack("t1")))
			m.SetFocus(true)
			press(m, "a")
		},
		"forgotten": func(m *Model) {
			m.SetTurns([]memory.Package{pack("t0"), pack("t1")})
			d := detail(pack("t1"))
			d.Exact, d.Items = false, nil
			d.Rendered.Rendered[3].Forgotten = 1
			m.Show("t1", d)
		},
		"offline": func(m *Model) {
			p := pack("t1")
			p.Endpoint, p.Model, p.Used, p.Dropped, p.Degraded = "", "offline", nil, nil, "the index does not answer"
			m.SetTurns([]memory.Package{p})
			m.Show("t1", Detail{Problem: "Not found: there is nothing under this id."})
		},
		"evidence": func(m *Model) {
			m.SetTurns([]memory.Package{looked("t1")})
			m.Show("t1", lookedDetail())
			m.SetFocus(true)
			press(m, "down", "down", "enter")
		},
	})

}

// C5: any past turn can be chosen; the newest is shown until then.
func TestTurns(t *testing.T) {
	m := newPane(55, 30)
	if a := m.SetTurns(nil); a.Do != Load || a.ID != "" {
		t.Errorf("got %+v", a)
	}
	for i := 1; i <= 3; i++ {
		id := fmt.Sprint("t", i)
		if a := m.AddTurn(pack(id)); a.Do != Load || a.ID != id {
			t.Fatalf("a new turn gave %+v", a)
		}
		m.Show(id, detail(pack(id)))
	}
	if a := press(m, "p"); a.Do != Load || a.ID != "t2" {
		t.Errorf("p gave %+v", a)
	}
	m.Show("t3", detail(pack("t3"))) // too late: another turn is shown
	panetest.Shows(t, view(t, m), "turn 2 of 3", "reading")
	if a := m.AddTurn(pack("t4")); a.Do != Nothing || m.Turn() != "t2" {
		t.Error("a new turn takes the reader away from an old one")
	}
	if a, ok := m.Choose("t1"); !ok || a.ID != "t1" {
		t.Errorf("chose %+v", a)
	}
	if _, ok := m.Choose("t9"); ok {
		t.Error("chose what is not there")
	}
	press(m, "p", "p")
	if m.Turn() != "t1" {
		t.Error("went before the first")
	}
	if a := m.Stale(); a.Do != Load || a.ID != "t1" {
		t.Errorf("what is being read and may be deleted meanwhile is not read again: %+v", a)
	}
	m.Show("t1", detail(pack("t1")))
	if a := m.Stale(); a.Do != Load || a.ID != "t1" {
		t.Errorf("stale gave %+v", a)
	}
}

func TestOpenAndCopy(t *testing.T) {
	m := newPane(55, 60)
	m.SetTurns([]memory.Package{pack("t1")})
	m.Show("t1", detail(pack("t1")))
	m.SetFocus(true)
	if a := press(m, "y"); a.Do != Copy || a.Text != "You are luna.\n答案要短。" {
		t.Errorf("copy gave %+v", a)
	}
	press(m, "down", "enter")
	got := view(t, m)
	if !strings.Contains(got, "我们用什么？") || strings.Contains(got, "You are luna") {
		t.Errorf("open:\n%s", got)
	}
	press(m, "enter")
	if strings.Contains(view(t, m), "我们用什么？") {
		t.Error("does not close")
	}
	press(m, "end")
	if a := press(m, "enter"); a.Do != Item || a.ID != "i1" || a.Memory.Content == "" {
		t.Errorf("a memory gave %+v", a)
	}
	if a := press(m, "esc"); a.Do != Leave {
		t.Errorf("esc gave %+v", a)
	}
}

// Every line can be reached at any height.
func TestScrolling(t *testing.T) {
	for _, h := range []int{3, 7, 12} {
		m := newPane(55, h)
		m.SetTurns([]memory.Package{pack("t1")})
		m.Show("t1", detail(pack("t1")))
		m.SetFocus(true)
		press(m, "a", "home")
		seen := map[string]bool{}
		for range 200 {
			for _, l := range strings.Split(view(t, m), "\n") {
				seen[strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l), "▸"))] = true
			}
			press(m, "down")
		}
		for _, r := range m.rows {
			if !seen[strings.TrimSpace(r.text)] {
				t.Errorf("height %d: never seen: %q", h, r.text)
			}
		}
		for range 200 {
			press(m, "up")
		}
		if got := view(t, m); !strings.Contains(got, "turn 1 of 1") {
			t.Errorf("height %d: the top is not reached:\n%s", h, got)
		}
	}
}

// A profile is sent as facts and wishes; its version is named once.
func TestProfileVersionOnce(t *testing.T) {
	m := panetest.Show(New(keys.Default(words.Words{}), time.UTC), 60, 30)
	p := pack("t1")
	profile := memory.Block{Layer: memory.LayerProfile, Tokens: 30, Note: "version 4"}
	p.Blocks = append(p.Blocks, profile, profile)
	m.SetTurns([]memory.Package{p})
	if got := panetest.View(t, m, 60, 30); strings.Count(got, "version 4") != 1 {
		t.Errorf("the view is\n%s", got)
	}
}

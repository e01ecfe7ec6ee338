package evidence

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/term/panetest"
	"memoria/ui/term/sent"
	"memoria/ui/words"
)

var noon = panetest.Noon

// searched is a turn that asked for proof: a message that a memory was made from, one in the
// window, a memory without a message, a message deleted since, and what was left out.
func searched() sent.Shown {
	s := sent.Shown{Answer: "t2", Head: "turn 2 of 3 · 2026-01-28 12:00"}
	s.TurnID = "t2"
	s.Look = &memory.Look{Trigger: retrieve.TriggerProof, From: noon.AddDate(0, 0, -7), To: noon}
	s.Keywords = []string{"glaze", "釉"}
	for _, one := range []struct {
		c     memory.Citation
		text  string
		title string
	}{
		{memory.Citation{Evidence: at("S1", "R1"), ItemID: "i1", Role: memory.RoleUser}, "I want a glaze that runs: celadon over iron.", glazing},
		{memory.Citation{Evidence: at("S1", "R2"), Role: memory.RoleAssistant}, strings.TrimSpace(strings.Repeat(thin, 9)), glazing},
		{memory.Citation{ItemID: "i3"}, "喜欢青瓷釉", ""},
		{memory.Citation{Evidence: at("S4", "R4"), Role: memory.RoleUser}, "[forgotten 2026-01-28]", ""},
		{memory.Citation{Evidence: at("S5", "R5"), Role: memory.RoleUser, InWindow: true}, "上釉之前要素烧吗？", ""},
	} {
		one.c.N, one.c.Time = len(s.Sources)+1, noon.AddDate(0, 0, len(s.Sources)-7)
		s.Citations = append(s.Citations, one.c)
		s.Sources = append(s.Sources, recall.Source{Citation: one.c, Text: one.text, Title: one.title, Forgotten: one.c.RecordID == "R4"})
	}
	s.Items = map[string]memory.Item{"i1": {ID: "i1", Content: "Wants a celadon glaze."}, "i3": {ID: "i3", Content: "喜欢青瓷釉"}}
	s.LeftOut = []sent.LeftOut{
		{What: "R6", Reason: "over the evidence budget", Source: recall.Source{
			Citation: memory.Citation{Evidence: at("S6", "R6"), Role: memory.RoleUser, Time: noon}, Text: "the glaze again", Title: "Firing",
		}},
		{What: "3 more calls of the model", Reason: "agentic_search_limit"},
	}
	return s
}

const (
	glazing = "Glazing the tea bowls"
	thin    = "Then thin it with water until it drips from the brush. "
)

func at(session, record string) memory.Evidence {
	return memory.Evidence{SessionID: session, RecordID: record}
}

// quiet is a turn that did not look into the archive.
func quiet() sent.Shown {
	s := sent.Shown{Answer: "t3", Head: "turn 3 of 3 · 2026-01-28 12:00"}
	s.TurnID = "t3"
	return s
}

func newPane(w, h int) *Model { return panetest.Show(New(keys.Default(words.Words{}), time.UTC), w, h) }

func filled(w, h int) *Model {
	m := newPane(w, h)
	m.Show(searched())
	m.SetFocus(true)
	return m
}

var press = panetest.Press[Action]

func view(t panetest.T, m *Model) string { return panetest.View(t, m, m.Width, m.Height) }

// states are the states of the pane.
var states = map[string]func(m *Model){
	"empty":      func(m *Model) { m.Show(sent.Shown{}) },
	"reading":    func(m *Model) { m.Show(sent.Shown{Answer: "t2", Head: searched().Head}) },
	"unread":     func(m *Model) { s := quiet(); s.Problem = "the store is locked"; m.Show(s) },
	"not looked": func(m *Model) { m.Show(quiet()) },
	"filled":     func(*Model) {},
	"second":     func(m *Model) { press(m, "down") },
	"deleted":    func(m *Model) { press(m, "down", "down", "down", "o") },
	"end":        func(m *Model) { press(m, "end") },
	"menu":       func(m *Model) { press(m, "enter") },
	"loose": func(m *Model) {
		s := searched()
		s.Look, s.Degraded = &memory.Look{Trigger: retrieve.TriggerMentioned, Loose: true}, "the index does not answer"
		s.Sources, s.LeftOut = s.Sources[:1], nil
		m.Show(s)
	},
	"nothing": func(m *Model) {
		s := quiet()
		s.Look = &memory.Look{Trigger: retrieve.TriggerProof, Before: true}
		s.Keywords = []string{"know"}
		m.Show(s)
	},
}

func TestViews(t *testing.T) {
	panetest.Views(t, panetest.Sizes(30), filled, states)
}

// The states of the pane in Chinese.
func TestChineseViews(t *testing.T) {
	panetest.Views(t, [][2]int{{40, 30}, {60, 24}}, func(w, h int) *Model {
		m := panetest.Show(New(keys.Default(words.Words{Language: words.Chinese}), time.UTC), w, h)
		s := searched()
		s.Head = "第 2/3 轮 · 2026-01-28 12:00"
		m.Show(s)
		m.SetFocus(true)
		return m
	}, states)
}

// A3, A4: each source leads to its words, and to the memory made from them; a deleted one nowhere.
func TestKeys(t *testing.T) {
	s := searched()
	panetest.Asks(t, filled, map[string]panetest.Case[*Model, Action]{
		"open":              {Keys: "o", Want: Action{Do: Open, Evidence: s.Sources[0].Evidence}},
		"first of the menu": {Keys: "enter enter", Want: Action{Do: Open, Evidence: s.Sources[0].Evidence}},
		"memory":            {Keys: "m", Want: Action{Do: Item, Memory: s.Items["i1"]}},
		"memory, menu":      {Keys: "enter down enter", Want: Action{Do: Item, Memory: s.Items["i1"]}},
		"copy":              {Keys: "y", Want: Action{Do: Copy, Text: s.Sources[0].Text}},
		"no memory":         {Keys: "down m", Want: Action{}},
		"no message":        {Keys: "down down o", Want: Action{Do: Item, Memory: s.Items["i3"]}},
		"no message, menu":  {Keys: "down down enter down enter", Want: Action{Do: Copy, Text: s.Sources[2].Text}},
		"deleted":           {Keys: "down down down o", Want: Action{}},
		"deleted, copy":     {Keys: "down down down y", Want: Action{}},
		"left out":          {Keys: "end o", Want: Action{Do: Open, Evidence: s.LeftOut[0].Evidence}},
		"turn before":       {Keys: "p", Want: Action{Do: Turn, Step: -1}},
		"turn after":        {Keys: "n", Want: Action{Do: Turn, Step: 1}},
		"last turn":         {Keys: "l", Want: Action{Do: Turn, Step: sent.Latest}},
		"leave":             {Keys: "esc", Want: Action{Do: Leave}},
	})
	for _, k := range []string{"o", "m", "y"} {
		if _, handled := newPane(56, 35).Key(panetest.Key(k)); handled {
			t.Errorf("%s means something without a source", k)
		}
	}
}

// The turn read again leaves the cursor on its source; another turn begins with its first.
func TestCursor(t *testing.T) {
	m := filled(56, 35)
	press(m, "down")
	m.Show(searched())
	panetest.Shows(t, view(t, m), "▸ [2]")
	s := searched()
	s.Answer = "t9"
	m.Show(s)
	panetest.Shows(t, view(t, m), "▸ [1]")
}

// A long quote is whole while the cursor is on it.
func TestLongQuote(t *testing.T) {
	m := filled(56, 40)
	if got := strings.Count(view(t, m), "drips"); got > 4 {
		t.Errorf("%d lines of a quote without the cursor", got)
	}
	press(m, "down")
	if got := strings.Count(strings.Join(strings.Fields(view(t, m)), " "), "drips from the brush."); got < 8 {
		t.Errorf("the quote under the cursor has %d of 9 sentences:\n%s", got, view(t, m))
	}
}

// What others wrote cannot reach the terminal as it is.
func TestEverythingIsCleaned(t *testing.T) {
	evil := panetest.Hostile
	m := newPane(56, 50)
	m.SetFocus(true)
	s := sent.Shown{Answer: evil, Head: "turn 1 of 1"}
	s.TurnID = evil
	panetest.Cleans(t, func() string { return view(t, m) },
		func() { s.Problem = evil; m.Show(s) },
		func() {
			s.Problem, s.Look, s.Degraded, s.Keywords = "", &memory.Look{Trigger: evil}, evil, []string{evil}
			c := memory.Citation{N: 1, Evidence: at(evil, evil), Role: memory.Role(evil), ItemID: evil}
			s.Citations = []memory.Citation{c}
			s.Sources = []recall.Source{{Citation: c, Text: evil, Title: evil}, {Citation: c, Text: evil, Forgotten: true}}
			s.Items = map[string]memory.Item{evil: {ID: evil, Content: evil}}
			s.LeftOut = []sent.LeftOut{{What: evil, Reason: evil}, {Source: s.Sources[0], Reason: evil}}
			m.Show(s)
		},
		func() { press(m, "enter") },
	)
}

func TestFillsItsPlace(t *testing.T) {
	texts := panetest.Texts
	panetest.Fills(t, "o m y p n l", func(t *rapid.T) *Model {
		s := sent.Shown{Answer: "t", Head: texts.Draw(t, "head")}
		s.TurnID, s.Degraded = "t", texts.Draw(t, "degraded")
		s.Look = &memory.Look{Trigger: texts.Draw(t, "trigger"), Loose: rapid.Bool().Draw(t, "loose")}
		for i := range rapid.IntRange(0, 4).Draw(t, "sources") {
			c := memory.Citation{N: i + 1, Evidence: at("S", texts.Draw(t, "record")), InWindow: rapid.Bool().Draw(t, "in the window")}
			s.Citations = append(s.Citations, c)
			s.Sources = append(s.Sources, recall.Source{
				Citation: c, Text: texts.Draw(t, "text"), Title: texts.Draw(t, "title"), Forgotten: rapid.Bool().Draw(t, "forgotten"),
			})
			s.LeftOut = append(s.LeftOut, sent.LeftOut{Source: s.Sources[i], What: texts.Draw(t, "what"), Reason: texts.Draw(t, "reason")})
		}
		m := newPane(0, 0)
		m.Show(s)
		return m
	}, func(*rapid.T, *Model, Action) {})
}

// host is a root that notes what the pane asks for.
type host struct {
	pane.Host
	asked []string
}

func (h *host) Send(id pane.ID, msg tea.Msg) tea.Cmd {
	h.asked = append(h.asked, fmt.Sprintf("send %d %v", id, msg))
	return nil
}

func (h *host) Open(id pane.ID, msgs ...tea.Msg) tea.Cmd {
	h.asked = append(h.asked, fmt.Sprintf("open %d %s", id, msgs[0].(memory.Item).ID))
	return nil
}

func (h *host) Browse(session, record string) tea.Cmd {
	h.asked = append(h.asked, "browse "+session+" "+record)
	return nil
}

func (h *host) Copy(text string) tea.Cmd {
	h.asked = append(h.asked, "copy "+text)
	return nil
}

func (h *host) FocusInput() { h.asked = append(h.asked, "leave") }

// What the pane asks for reaches the root.
func TestEffects(t *testing.T) {
	h := &host{}
	p := NewPane(keys.Default(words.Words{}), time.UTC, h)
	panetest.Show(p.Model, 56, 35)
	p.SetFocus(true)
	if _, ok := p.Update(searched()); !ok {
		t.Error("the turn means nothing")
	}
	for _, k := range []string{"p", "o", "m", "y", "esc"} {
		p.Update(panetest.Key(k))
	}
	want := []string{
		fmt.Sprintf("send %d -1", pane.Package), "browse S1 R1", fmt.Sprintf("open %d i1", pane.All),
		"copy " + searched().Sources[0].Text, "leave",
	}
	if got := strings.Join(h.asked, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("asked for\n%s", got)
	}
}

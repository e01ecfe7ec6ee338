package transcript

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
)

func sources(n int) (out []Source) {
	texts := []string{"By the way, I prefer oolong tea in the evening, when the house is quiet and nobody calls.", "我喜欢周末去陶艺课。", "You might try gyokuro \x1b[31mas well\x1b[m.", "four", "five"}
	for i := range n {
		who := "you"
		if i == 2 {
			who = "luna"
		}
		out = append(out, Source{N: i + 1, Who: who, Time: noon.Add(-time.Duration(7*24+i) * time.Hour), Text: texts[i]})
	}
	return out
}

// A3: under an answer stand its sources, by number, with date and words.
func TestSources(t *testing.T) {
	recalled := []Source{{N: 1, Text: "uses pnpm, not npm", Recalled: true}, {N: 2, Text: "项目跑在 Fly 上", Recalled: true}, {N: 3, Text: strings.Repeat("long ", 30), Recalled: true}}
	for _, size := range [][2]int{{60, 14}, {36, 16}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			m, _ := newTalk(size[0], size[1])
			m.Put(say("1", "Why did you know that?"))
			m.Put(reply("2", "You said so [1]."))
			m.SetSources("t2", sources(5))
			m.Put(reply("3", "Yes."))
			m.SetSources("t3", recalled)
			m.Put(reply("4", "And so."))
			m.SetSources("t4", sources(1))
			golden.RequireEqual(t, view(m))
		})
	}
}

// Sources that are told again change nothing; without an answer they are dropped,
// and a question has none.
func TestSourcesAreRenderedOnce(t *testing.T) {
	m, _ := newTalk(60, 20)
	m.Put(say("2", "why?"))
	m.SetSources("t2", sources(2))
	if got := view(m); strings.Contains(got, "sources") {
		t.Errorf("a question has sources:\n%s", got)
	}
	m.Put(reply("3", "so"))
	m.SetSources("t3", sources(2))
	view(m)
	before := m.Renders
	m.SetSources("t3", sources(2))
	m.SetSources("unheard of", sources(2))
	view(m)
	if m.Renders != before {
		t.Errorf("%d renders of the same sources", m.Renders-before)
	}
	m.SetSources("t3", nil)
	if got := view(m); strings.Contains(got, "sources") {
		t.Errorf("they are still there:\n%s", got)
	}
}

// C3: a message that the model was sent in part says so, for as long as it is so.
func TestShortened(t *testing.T) {
	m, _ := newTalk(80, 20)
	m.Put(say("1", "Write it."))
	m.Put(reply("2", "A long program."))
	m.Put(say("3", "Faster."))
	const note = "shortened to 500 of 18027 characters: history budget"
	m.SetShortened(map[string]string{"2": note})
	if got := view(m); strings.Count(got, "↳ for the model "+note) != 1 {
		t.Errorf("not shown:\n%s", got)
	}
	before := m.Renders
	m.SetShortened(map[string]string{"2": note})
	if view(m); m.Renders != before {
		t.Errorf("%d renders of the same", m.Renders-before)
	}
	m.SetShortened(nil)
	if got := view(m); strings.Contains(got, "for the model") {
		t.Errorf("still shown:\n%s", got)
	}
}

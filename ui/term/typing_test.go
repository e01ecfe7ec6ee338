package term

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
)

// typed are sentences that a person types without looking where the focus is. Together
// the first two have every letter; each ends with Enter.
var typed = []string{
	"Unfortunately Rui left",
	"da quick box jumps, very lazy AGENTS wither? n m y x",
	"我昨天 and y 她都走了 a",
}

// typingStates lead from a conversation to every state in which keys can mean
// something else than text.
var typingStates = map[string]func(*screen){
	"input": func(*screen) {},
	"talk":  func(s *screen) { s.press(tea.KeyTab, tea.KeyTab) },
	"talk, older message": func(s *screen) {
		s.press(tea.KeyTab, tea.KeyTab)
		s.press(tea.KeyUp, tea.KeyUp)
	},
	"recall":             inPart('1'),
	"recall, a memory":   inPart('1', tea.KeyDown),
	"recall, opened":     inPart('1', tea.KeyEnter),
	"recall, delete?":    inPart('1', 'd'),
	"recall, undo turn?": inPart('1', 'U'),
	"context":            inPart('2'),
	"working":            inPart('3'),
	"working, delete?":   inPart('3', 'd'),
	"sessions":           inPart('4'),
	"sessions, older":    inPart('4', tea.KeyDown),
	"sessions, delete?":  inPart('4', tea.KeyDown, 'd'),
	"health":             inPart('5'),
	"inbox":              inPart('6'),
	"inbox, all?":        inPart('6', 'A'),
	"archive":            inPart('7'),
	"archive, delete?":   inPart('7', 'd'),
	"profile":            inPart('8'),
	"profile, versions":  inPart('8', 'h'),
	"agents":             inPart('9', tea.KeyDown),
	"agents, opened":     inPart('9', tea.KeyDown, 'o'),
	"agents, delete?":    inPart('9', tea.KeyDown, 'd'),
	"settings":           inPart('0'),
	"help":               func(s *screen) { s.press(tea.KeyF1) },
	"/find":              afterCommand("/find word5"),
	"/sessions":          afterCommand("/sessions"),
	"/recall":            afterCommand("/recall"),
	"/memories":          afterCommand("/memories"),
	"/memories WORDS":    afterCommand("/memories tea"),
	"/delete":            afterCommand("/delete green"),
	"/context":           afterCommand("/context"),
	"/working":           afterCommand("/working"),
	"/health":            afterCommand("/health"),
	"/profile":           afterCommand("/profile"),
	"/inbox":             afterCommand("/inbox"),
	"/agents":            afterCommand("/agents"),
	"/archive":           afterCommand("/archive"),
	"/archive WORDS":     afterCommand("/archive kiln"),
	"/settings":          afterCommand("/settings"),
	"F8":                 func(s *screen) { s.press(tea.KeyF8) },
	"ctrl+r":             func(s *screen) { s.ctrl('r') },
}

// inPart opens a part of the panel by its number and presses keys there.
func inPart(number rune, keys ...rune) func(*screen) {
	return func(s *screen) {
		s.press(tea.KeyTab, number)
		s.idle()
		for _, k := range keys {
			s.press(k)
			s.idle()
		}
	}
}

func afterCommand(line string) func(*screen) {
	return func(s *screen) { s.say(line) }
}

// idle waits until what the keys so far asked for has been done.
func (s *screen) idle() {
	s.t.Helper()
	for range 3 {
		s.settled()
	}
}

// stored is what a person would miss.
type stored struct {
	items, records, sessions, agents, branches map[string]string
	profile                                    string
}

func (w *world) stored() stored {
	w.t.Helper()
	ctx := context.Background()
	out := stored{items: map[string]string{}, records: map[string]string{}, sessions: map[string]string{}, agents: map[string]string{}, branches: map[string]string{}}
	items, err := w.manager.Lookup().Items(ctx, "luna", lookup.ItemFilter{All: true})
	must(w.t, err)
	for _, it := range items.Items {
		out.items[it.ID] = fmt.Sprint(it.Content, it.Type, it.State)
	}
	held, err := w.manager.Lookup().Inbox(ctx, "luna", 0, 0)
	must(w.t, err)
	for _, h := range held.Items {
		out.items[h.Item.ID] = fmt.Sprint(h.Item.Content, h.Item.Type, h.Item.State)
	}
	page, err := w.manager.Recall().SearchArchive(ctx, "luna", recall.ArchiveQuery{Limit: 500})
	must(w.t, err)
	for _, h := range page.Hits {
		out.records[h.Record.ID] = fmt.Sprint(h.Record.Role, h.Record.Content, h.Record.Collected)
	}
	list, _, err := w.manager.Lookup().Sessions(ctx, "luna", 0, 0)
	must(w.t, err)
	for _, s := range list {
		out.sessions[s.ID] = fmt.Sprint(s.Title, s.State)
		b, err := w.manager.Lookup().Branch(ctx, "luna", s.ID)
		must(w.t, err)
		for _, r := range b.Records {
			out.branches[s.ID] += r.ID + " "
		}
	}
	agents, err := w.conversations.Agents(ctx)
	must(w.t, err)
	for _, a := range agents {
		out.agents[a.ID] = fmt.Sprint(a.Name, a.Persona)
	}
	p, err := w.manager.Profile(ctx, "luna")
	must(w.t, err)
	out.profile = p.Markdown
	return out
}

// lost is what of before is not as it was, and what came that nothing said brought.
func lost(before, now stored) (out []string) {
	gone := func(what string, was, is map[string]string) {
		for id, v := range was {
			if is[id] != v {
				out = append(out, fmt.Sprintf("%s %q is %q", what, v, is[id]))
			}
		}
	}
	gone("memory", before.items, now.items)
	gone("message", before.records, now.records)
	gone("session", before.sessions, now.sessions)
	gone("agent", before.agents, now.agents)
	for id, was := range before.branches {
		if !strings.HasPrefix(now.branches[id], was) {
			out = append(out, "messages left the conversation "+before.sessions[id])
		}
	}
	if n := len(now.sessions) - len(before.sessions); n > 0 {
		out = append(out, fmt.Sprintf("%d new sessions", n))
	}
	if n := len(now.agents) - len(before.agents); n > 0 {
		out = append(out, fmt.Sprintf("%d new agents", n))
	}
	if len(now.records) == len(before.records) && len(now.items) > len(before.items) {
		out = append(out, "a memory that no message brought")
	}
	if d := cmp.Diff(before.profile, now.profile); d != "" && len(now.records) == len(before.records) {
		out = append(out, "profile "+d)
	}
	return out
}

// U2, D2, design "Typing never destroys anything": whatever a person types, wherever the
// keyboard is, changes nothing but for the messages that are sent by it.
func TestTypingDestroysNothing(t *testing.T) {
	sentences := typed
	if testing.Short() {
		sentences = typed[:1]
	}
	bad := 0
	for name, enter := range typingStates {
		for i, sentence := range sentences {
			size := [2]int{140, 40}
			if i%2 == 1 {
				size = [2]int{80, 24}
			}
			// The keys come one by one, or all at once as from somebody who types fast.
			t.Run(fmt.Sprintf("%s/%d", name, i), func(t *testing.T) {
				w := newWorld(t, "", modeltest.NewServer(t))
				_, err := w.conversations.AddAgent(t.Context(), memory.Agent{ID: "nova", Name: "Nova"})
				must(t, err)
				s := w.show(size[0], size[1])
				s.quick(w, "my email is bo@example.org word5")
				s.ctrl('n')
				s.see("A new session.")
				w.clock.add(time.Hour)
				s.quick(w, "I like green tea. My name is Bo.")
				s.quick(w, "the kiln is at 1050 degrees word5")
				enter(s)
				s.idle()
				before := w.stored()
				for _, r := range sentence {
					s.tm.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
					if i%2 == 0 {
						s.settled()
					}
				}
				s.press(tea.KeyEnter)
				s.idle()
				s.until("the end of the answer", func(string) bool { return !w.chat.Busy() })
				s.idle()
				if l := lost(before, w.stored()); len(l) > 0 {
					bad++
					t.Errorf("typing %q: %s\n%s", sentence, strings.Join(l, "; "), s.text())
				}
			})
		}
	}
	t.Logf("%d of %d lose something", bad, len(typingStates)*len(sentences))
}

// quick says something and waits for the end of the answer, at any size.
func (s *screen) quick(w *world, text string) {
	s.t.Helper()
	s.mu.Lock()
	before := s.ends
	s.mu.Unlock()
	s.say(text)
	s.ended(before + 1)
	s.until("the answer", func(string) bool { return !w.chat.Busy() })
}

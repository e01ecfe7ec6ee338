package term

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/teatest/v2"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	files "memoria/memory/journal"
	"memoria/memory/lookup"
	"memoria/memory/manager/profiles"
	"memoria/memory/retrieve"
	"memoria/ui/clean/oracle"
	"memoria/ui/config"
	"memoria/ui/term/agents"
	"memoria/ui/term/archive"
	"memoria/ui/term/composer"
	"memoria/ui/term/evidence"
	"memoria/ui/term/field"
	"memoria/ui/term/health"
	"memoria/ui/term/help"
	"memoria/ui/term/inbox"
	"memoria/ui/term/journal"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/palette"
	"memoria/ui/term/pane"
	"memoria/ui/term/profile"
	"memoria/ui/term/quote"
	"memoria/ui/term/recall"
	"memoria/ui/term/sent"
	"memoria/ui/term/sessions"
	"memoria/ui/term/settings"
	"memoria/ui/term/status"
	"memoria/ui/term/theme"
	"memoria/ui/term/transcript"
	"memoria/ui/term/working"
	"memoria/ui/words"
)

// sink shows what a part shows: every view that see is given.
type sink struct {
	evil   string
	kinds  bool
	w, h   int
	styles theme.Styles
	keys   keys.Map
	see    func(what string, lines []string)
}

func (s sink) seeWith(what string) func([]string, *tea.Cursor) {
	return func(lines []string, _ *tea.Cursor) { s.see(what, lines) }
}

// drawing are all rooms below this one that draw; a test finds those that are
// missing.
var drawing = map[string]func(s sink){
	"recall": func(s sink) {
		m := recall.New(s.keys, time.UTC)
		m.SetStyles(s.styles)
		m.SetSize(s.w, s.h)
		m.SetNow(noon)
		m.SetFocus(true)
		m.SetItems(oracle.Poison[[]memory.Item](s.evil, s.kinds), 2)
		m.SetLearned(oracle.Poison[[]memory.Change](s.evil, s.kinds))
		s.seeWith("list")(m.View())
		m.SetTyping(true)
		m.SetPreview(oracle.Poison[retrieve.Result](s.evil, s.kinds))
		s.seeWith("preview")(m.View())
		m.Deleted(oracle.Poison[list.Removed](s.evil, s.kinds))
		m.Failed(s.evil)
		s.seeWith("failed")(m.View())
		m.Show(oracle.Poison[recall.Detail](s.evil, s.kinds))
		s.seeWith("detail")(m.View())
		m.Key(pressed("e"))
		s.seeWith("form")(m.View())
		m.Paste(tea.PasteMsg{Content: s.evil})
		s.seeWith("form with a paste")(m.View())
		m.ShowSource(oracle.Poison[words.Quote](s.evil, s.kinds))
		s.seeWith("source")(m.View())
		m.OpenSearch("")
		m.Paste(tea.PasteMsg{Content: s.evil})
		s.seeWith("filter")(m.View())
	},
	"sent": func(s sink) {
		m := sent.New(s.keys, time.UTC)
		m.SetStyles(s.styles)
		m.SetSize(s.w, s.h)
		m.SetFocus(true)
		m.SetTurns(oracle.Poison[[]memory.Package](s.evil, s.kinds))
		s.seeWith("turn")(m.View())
		d := oracle.Poison[sent.Detail](s.evil, s.kinds)
		d.Problem = ""
		m.Show(s.evil, d)
		for _, k := range []string{"enter", "down", "enter", "a"} {
			m.Key(pressed(k))
			s.seeWith("opened")(m.View())
		}
		m.Show(s.evil, oracle.Poison[sent.Detail](s.evil, s.kinds))
		s.seeWith("problem")(m.View())
	},
	"sessions": func(s sink) {
		m := sessions.New(s.keys, time.UTC)
		m.SetStyles(s.styles)
		m.SetSize(s.w, s.h)
		m.SetNow(noon)
		m.SetFocus(true)
		session := oracle.Poison[memory.Session](s.evil, s.kinds)
		m.SetSessions(oracle.Poison[[]memory.Session](s.evil, s.kinds), 5)
		s.seeWith("list")(m.View())
		m.LoadFailed(s.evil)
		m.Failed(s.evil)
		s.seeWith("failed")(m.View())
		m.OpenRename(session)
		s.seeWith("rename")(m.View())
		m.OpenDelete(session)
		s.seeWith("delete")(m.View())
		m.Deleted(oracle.Poison[list.Removed](s.evil, s.kinds))
		s.seeWith("deleted")(m.View())
		m.OpenSearch(s.evil)
		s.seeWith("searching")(m.View())
		m.Found(m.Query(), oracle.Poison[sessions.Results](s.evil, s.kinds))
		s.seeWith("found")(m.View())
		m.SearchFailed(m.Query(), s.evil)
		s.seeWith("search failed")(m.View())
	},
	"archive": func(s sink) {
		m := archive.New(s.keys, time.UTC)
		m.SetStyles(s.styles)
		m.SetSize(s.w, s.h)
		m.SetNow(noon)
		m.SetFocus(true)
		page := oracle.Poison[archive.Page](s.evil, s.kinds)
		m.Found(m.Question(), page)
		s.seeWith("list")(m.View())
		for _, k := range []string{"l", "esc", "d"} {
			m.Key(pressed(k))
			s.seeWith("after " + k)(m.View())
		}
		m.Failed(s.evil)
		s.seeWith("failed")(m.View())
		m.Key(pressed("m"))
		s.seeWith("deleting")(m.View())
		m.Deleted(list.Removed{ID: s.evil, Of: s.evil, What: s.evil, Until: noon.Add(time.Second)})
		s.seeWith("deleted")(m.View())
		m.Found(m.Question(), page)
		m.Key(pressed("l"))
		hit := page.Hits[0]
		m.ShowLearned(hit.RecordID, oracle.Poison[[]memory.Item](s.evil, s.kinds))
		s.seeWith("learned")(m.View())
		m.Key(pressed("esc"))
		m.OpenSearch(s.evil)
		s.seeWith("searching")(m.View())
		m.Found(m.Question(), page)
		s.seeWith("found")(m.View())
		m.NotFound(m.Question(), s.evil)
		s.seeWith("search failed")(m.View())
	},
	"quote": func(s sink) {
		for _, room := range []int{5, 20, s.w} {
			s.see("quote", []string{quote.New(s.evil).Cut(s.evil, room, s.styles), quote.New("evil").Cut(s.evil, room, s.styles)})
		}
	},
	"working": func(s sink) {
		m := working.New(s.keys, time.UTC)
		m.SetStyles(s.styles)
		m.SetSize(s.w, s.h)
		m.SetNow(noon)
		m.SetFocus(true)
		m.Show(oracle.Poison[working.State](s.evil, s.kinds))
		s.seeWith("state")(m.View())
		for range 6 {
			m.Key(pressed("down"))
			for _, k := range []string{"e", "esc", "d", "esc", "enter", "esc"} {
				m.Key(pressed(k))
				s.seeWith("after " + k)(m.View())
			}
		}
		m.Failed(s.evil)
		s.seeWith("failed")(m.View())
		m.ReadFailed(s.evil)
		s.seeWith("not read")(m.View())
	},
	"evidence": func(s sink) {
		m := evidence.New(s.keys, time.UTC)
		m.SetStyles(s.styles)
		m.SetSize(s.w, s.h)
		m.SetNow(noon)
		m.SetFocus(true)
		turn := oracle.Poison[sent.Shown](s.evil, s.kinds)
		m.Show(turn)
		s.seeWith("problem")(m.View())
		turn.Problem, turn.Head = "", "turn 1 of 1"
		m.Show(turn)
		for _, k := range []string{"down", "enter", "esc", "end", "o", "m"} {
			m.Key(pressed(k))
			s.seeWith("after " + k)(m.View())
		}
	},
	"health": func(s sink) {
		m := health.New(s.keys, time.UTC)
		m.SetStyles(s.styles)
		m.SetSize(s.w, s.h)
		m.SetNow(noon)
		m.SetFocus(true)
		m.Show(oracle.Poison[health.Report](s.evil, s.kinds))
		s.seeWith("report")(m.View())
		m.Done(s.evil)
		s.seeWith("done")(m.View())
		m.Failed(s.evil)
		s.seeWith("failed")(m.View())
		m.ReadFailed(s.evil)
		s.seeWith("not read")(m.View())
	},
	"inbox": func(s sink) {
		m := inbox.New(s.keys, time.UTC)
		m.SetStyles(s.styles)
		m.SetSize(s.w, s.h)
		m.SetNow(noon)
		m.SetFocus(true)
		e := oracle.Poison[inbox.Entry](s.evil, s.kinds)
		e.Gone = false
		m.SetEntries([]inbox.Entry{e, oracle.Poison[inbox.Entry](s.evil, s.kinds)}, 5)
		s.seeWith("list")(m.View())
		m.Failed(s.evil)
		m.Rejected(oracle.Poison[list.Removed](s.evil, s.kinds))
		s.seeWith("rejected")(m.View())
		for _, k := range []string{"A", "esc", "e"} {
			m.Key(pressed(k))
			s.seeWith("after " + k)(m.View())
		}
		m.Paste(tea.PasteMsg{Content: s.evil})
		s.seeWith("form with a paste")(m.View())
		m.Done()
		m.ReadFailed(s.evil)
		s.seeWith("not read")(m.View())
	},
	"journal": func(s sink) {
		m := journal.New(s.keys)
		m.SetStyles(s.styles)
		m.SetMarkdown(&transcript.Rendering{})
		m.SetSize(s.w, s.h)
		m.SetNow(noon)
		m.SetFocus(true)
		state := oracle.Poison[journal.State](s.evil, s.kinds)
		state.Unavailable, state.Status.Enabled = "", true
		for i, date := range []string{"2026-01-28", "2026-01", s.evil, ""} {
			if i < len(state.Files) {
				state.Files[i].Date = date
			}
		}
		m.Set(state)
		s.seeWith("tree")(m.View())
		m.Written(s.evil)
		s.seeWith("written")(m.View())
		m.Show(oracle.Poison[memory.JournalFile](s.evil, s.kinds), s.evil)
		s.seeWith("file")(m.View())
		m.Gone(s.evil)
		m.OpenSearch(s.evil)
		hit := oracle.Poison[files.Hit](s.evil, s.kinds)
		hit.Text, hit.From, hit.To = s.evil, 0, len(s.evil)
		m.Found(m.Asked(), []files.Hit{hit})
		s.seeWith("found")(m.View())
		m.Paste(tea.PasteMsg{Content: s.evil})
		m.Failed(s.evil)
		s.seeWith("failed")(m.View())
		m.Key(pressed("esc"))
		m.NotRead(s.evil)
		s.seeWith("not read")(m.View())
	},
	"agents": func(s sink) {
		m := agents.New(s.keys, time.UTC)
		m.SetStyles(s.styles)
		m.SetSize(s.w, s.h)
		m.SetNow(noon)
		m.SetFocus(true)
		a := oracle.Poison[lookup.AgentInfo](s.evil, s.kinds)
		m.Show([]lookup.AgentInfo{a, oracle.Poison[lookup.AgentInfo](s.evil, s.kinds)})
		m.SetCurrent(a.ID)
		s.seeWith("list")(m.View())
		m.Failed(s.evil)
		m.Deleted(oracle.Poison[list.Removed](s.evil, s.kinds))
		s.seeWith("deleted")(m.View())
		m.Show([]lookup.AgentInfo{a})
		for _, k := range []string{"o", "esc", "d", "esc", "e"} {
			m.Key(pressed(k))
			s.seeWith("after " + k)(m.View())
		}
		m.Paste(tea.PasteMsg{Content: s.evil})
		m.Edited(s.evil)
		s.seeWith("form with a paste")(m.View())
		m.Key(pressed("esc"))
		m.LoadFailed(s.evil)
		s.seeWith("not read")(m.View())
	},
	"profile": func(s sink) {
		m := profile.New(s.keys, time.UTC)
		m.SetStyles(s.styles)
		m.SetSize(s.w, s.h)
		m.SetNow(noon)
		m.SetFocus(true)
		page := oracle.Poison[profiles.Profile](s.evil, s.kinds)
		for i := range page.Lines {
			page.Lines[i].Hidden = false
		}
		m.Show(page, oracle.Poison[profiles.History](s.evil, s.kinds))
		s.seeWith("page")(m.View())
		for _, k := range []string{"h", "down", "enter", "esc", "e"} {
			m.Key(pressed(k))
			s.seeWith("after " + k)(m.View())
		}
		m.Paste(tea.PasteMsg{Content: s.evil})
		s.seeWith("form with a paste")(m.View())
		m.Failed(s.evil)
		s.seeWith("failed")(m.View())
		m.Retry(s.evil, 1)
		s.seeWith("again")(m.View())
		m.Saved()
		m.ReadFailed(s.evil)
		s.seeWith("not read")(m.View())
	},
	"settings": func(s sink) {
		m := settings.New(s.keys)
		m.SetStyles(s.styles)
		m.SetSize(s.w, s.h)
		m.SetFocus(true)
		all := oracle.Poison[[]config.Setting](s.evil, s.kinds)
		for i, kind := range []config.Kind{config.Text, config.Choice} {
			if i < len(all) {
				all[i].Kind = kind
			}
		}
		m.Show(all, s.evil)
		s.seeWith("list")(m.View())
		for _, k := range []string{"down", "o", "esc", "enter", "esc", "down", "e"} {
			m.Key(pressed(k))
			s.seeWith("after " + k)(m.View())
		}
		m.Paste(tea.PasteMsg{Content: s.evil})
		m.Failed(s.evil)
		s.seeWith("failed")(m.View())
		m.Done(s.evil)
		s.seeWith("done")(m.View())
		m.Filter(s.evil)
		s.seeWith("filtered")(m.View())
	},
	"status": func(s sink) {
		s.see("top", []string{oracle.Poison[status.Top](s.evil, s.kinds).View(s.styles, s.w)})
		b := status.Bottom{Say: s.evil, Index: s.evil, Cost: s.evil, Keys: []key.Binding{s.keys.Global.Help}, Tokens: 3, Window: 3, Took: time.Second}
		s.see("bottom", []string{b.View(s.styles, s.w)})
		b.Say = ""
		s.see("bottom with keys", []string{b.View(s.styles, s.w)})
	},
	"help": func(s sink) {
		m := help.New(words.Words{}, s.keys.Groups()) // no text of a user or a model is in it
		m.Open(keys.Writing)
		s.seeWith("help")(m.View(s.styles, s.w, s.h))
	},
	"palette": func(s sink) {
		m := palette.New(words.Words{})
		l := oracle.Poison[palette.List](s.evil, s.kinds)
		l.Prompt = "choose" // our own words
		m.Open(l)
		s.seeWith("list")(m.View(s.styles, s.w, s.h))
		m.Paste(tea.PasteMsg{Content: s.evil})
		s.seeWith("filter")(m.View(s.styles, s.w, s.h))
		l.Commands = nil
		m.Set(l)
		s.seeWith("empty")(m.View(s.styles, s.w, s.h))
	},
	"field": func(s sink) {
		m := field.New(3)
		m.SetStyles(s.styles)
		m.SetWidth(s.w)
		m.Focus()
		m.Set(s.evil)
		s.see("set", m.View())
		m.Set("")
		m.Update(tea.PasteMsg{Content: s.evil})
		m.Update(tea.KeyPressMsg{Code: 'x', Text: s.evil})
		s.see("typed", m.View())
	},
	"composer": func(s sink) {
		m := composer.New(words.Words{})
		m.SetStyles(s.styles)
		m.SetSize(s.w, 8)
		m.Focus()
		m.Set(s.evil, nil)
		s.see("set", m.View())
		m.Clear()
		m.Paste(s.evil)
		m.Update(tea.KeyPressMsg{Code: 'x', Text: s.evil})
		s.see("typed", m.View())
		m.Seed(oracle.Poison[[]memory.Record](s.evil, s.kinds))
		m.Clear()
		m.Earlier()
		s.see("earlier", m.View())
		m.Edit(s.evil + "!")
		s.see("edited elsewhere", m.View())
	},
	"transcript": func(s sink) {
		md := &transcript.Rendering{}
		m := transcript.New(md, time.UTC, words.Pictures{})
		m.SetStyles(s.styles, md)
		m.SetSize(s.w, s.h)
		m.SetDay(noon)
		for _, role := range []memory.Role{memory.RoleUser, memory.RoleAssistant, memory.Role(s.evil)} {
			e := oracle.Poison[transcript.Entry](s.evil, s.kinds)
			e.ID, e.Role = string(role), role
			m.Put(e)
			e.ID, e.Status = "failed"+e.ID, memory.StatusError
			m.Put(e)
		}
		s.see("messages", m.View())
		for _, id := range []string{string(memory.RoleUser), string(memory.RoleAssistant)} {
			m.Point(id, len(s.evil)/3, len(s.evil)/3)
			s.see("pointed", m.View())
		}
		m.Find(s.evil[:4], true)
		s.see("found", m.View())
		m.SetSize(s.w, 12)
		m.Put(transcript.Entry{ID: "live", Role: memory.RoleAssistant, Author: s.evil})
		for i := range len(s.evil) { // byte by byte
			m.Append("live", s.evil[i:i+1])
			s.see("streaming", m.View())
		}
	},
}

// pressed is a key by its name.
func pressed(name string) tea.KeyPressMsg {
	switch name {
	case "enter":
		return tea.KeyPressMsg{Code: tea.KeyEnter}
	case "esc":
		return tea.KeyPressMsg{Code: tea.KeyEscape}
	case "down":
		return tea.KeyPressMsg{Code: tea.KeyDown}
	}
	return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
}

// C6: what is said in the last line is also said where the terminal is too small.
func TestNoticesReachTheTerminalClean(t *testing.T) {
	for _, evil := range oracle.Hostile {
		for _, size := range [][2]int{{50, 10}, {80, 24}, {140, 40}} {
			m := still(t, size[0], size[1])
			m.say = "restored: " + evil
			m.notice(chat.Problem{Title: evil, Text: evil, Hint: evil})
			m.problems.storage = &chat.Problem{Title: evil, Text: evil}
			m.settle()
			oracle.Check(t, oracle.Styled, frame(t, m))
		}
	}
}

// C6: whatever the texts are, a part draws text and our colours, in rows that
// are as wide for a terminal that counts code points as for one that counts
// clusters.
func TestEveryPartIsSafe(t *testing.T) {
	noRace(t)
	rooms, err := os.ReadDir(".")
	must(t, err)
	for _, room := range rooms {
		if quiet := []string{"cells", "guide", "keys", "layout", "markdown", "pane", "list", "panetest", "picture", "refresh", "shapes", "theme", "testdata"}; !room.IsDir() || slices.Contains(quiet, room.Name()) {
			continue
		}
		show := drawing[room.Name()]
		if show == nil {
			t.Errorf("ui/term/%s is not tried with hostile texts", room.Name())
			continue
		}
		t.Run(room.Name(), func(t *testing.T) {
			for i, evil := range oracle.Hostile {
				for _, kinds := range []bool{false, true} {
					sizes := [][2]int{{58, 150}, {36, 150}, {80, 8}}
					for _, size := range sizes {
						s := sink{evil: evil, kinds: kinds, w: size[0], h: size[1], styles: theme.New(theme.Dark, true), keys: keys.Default(words.Words{})}
						s.see = func(what string, lines []string) { checkLines(t, i, s.w, what, lines) }
						show(s)
					}
				}
			}
		})
	}
}

func checkLines(t *testing.T, i, w int, what string, lines []string) {
	t.Helper()
	for _, l := range lines {
		faults := oracle.Faults(oracle.Styled, l)
		if len(faults) > 0 || strings.ContainsAny(l, "\n\t") {
			t.Fatalf("text %d, %s, %d wide: %v in %+q", i, what, w, faults, l)
		}
		if n := ansi.StringWidth(l); n > w || n != ansi.StringWidthWc(l) {
			t.Fatalf("text %d, %s: %d cells by cluster, %d by code point, of %d: %+q", i, what, n, ansi.StringWidthWc(l), w, l)
		}
	}
}

// C6: what the program writes to the terminal, from its first byte to its last,
// is text and what Bubble Tea needs, though name, messages, answers and errors
// are evil.
func TestTheProgramsBytesAreOurs(t *testing.T) {
	server := modeltest.NewServer(t,
		modeltest.Step{Text: oracle.Hostile[0] + oracle.Hostile[2], Deltas: 9}, modeltest.Step{Text: oracle.Hostile[3] + oracle.Hostile[1] + "\n\ndone", Deltas: 9},
		modeltest.Step{Status: 400, Body: `{"error":{"message":"bad \u001b]0;t\u0007 \u009b31m \u202e request"}}`, Repeat: true})
	w := newWorld(t, "", server)
	w.opts.agent.Name = "luna " + oracle.Hostile[0]
	w.opts.Config.Theme = theme.Dark
	s := w.show(120, 40)
	s.see("You talk to")
	for i, seen := range []string{"evil", "done", "refused the request"} {
		s.tm.Send(tea.PasteMsg{Content: "My name is " + oracle.Hostile[i]})
		s.press(tea.KeyEnter)
		s.see(seen)
	}
	s.tm.Send(tea.WindowSizeMsg{Width: 70, Height: 20})
	s.tm.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
	s.press(tea.KeyF1)
	s.press(tea.KeyEscape)
	s.ctrl('p')
	s.press(tea.KeyEscape, tea.KeyTab)
	for id := pane.Recall; id <= pane.Health; id++ {
		s.view(id)
	}
	s.press(tea.KeyEscape, tea.KeyTab, tea.KeyTab, 'y') // a copy
	s.see("copied")
	var out []byte
	teatest.WaitFor(t, s.tm.Output(), func(b []byte) bool {
		out = bytes.Clone(b)
		return bytes.Contains(b, []byte("\x1b]52;c;")) && bytes.Contains(b, []byte("\x1b]2;memoria · luna evil"))
	}, teatest.WithDuration(patience))
	must(t, s.tm.Quit())
	rest, err := io.ReadAll(s.tm.FinalOutput(t, teatest.WithFinalTimeout(patience)))
	must(t, err)
	out = append(out, rest...)
	oracle.Check(t, oracle.Screen, string(out))
}

package sessions

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/ui/term/list"
	"memoria/ui/term/panetest"
)

func TestKeys(t *testing.T) {
	search := func(m *Model) {
		m.OpenSearch("pnpm")
		m.Found("pnpm", found())
		press(m, "enter")
	}
	panetest.Asks(t, filled, map[string]panetest.Case[*Model, Action]{
		// S9a: opening is browsing.
		"open":            {Keys: "down enter enter", Want: Action{Do: Open, SessionID: "s2"}},
		"new":             {Keys: "n", Want: Action{Do: Begin}},
		"copy a title":    {Keys: "y", Want: Action{Do: Copy, SessionID: "s1", Text: "Deploying to Fly"}},
		"leave":           {Keys: "esc", Want: Action{Do: Leave}},
		"nothing back":    {Keys: "u", Want: Action{}},
		"no message":      {Keys: "o", Want: Action{}},
		"asks first":      {Keys: "d", Want: Action{}},
		"messages":        {Keys: "d delete", Want: Action{Do: Delete, SessionID: "s1", Title: "Deploying to Fly"}},
		"with memories":   {Keys: "d ctrl+x", Want: Action{Do: Delete, SessionID: "s1", Title: "Deploying to Fly", Memories: true}},
		"not after all":   {Keys: "d n", Want: Action{}},
		"enter is no yes": {Keys: "d enter", Want: Action{}},
		"rename":          {Keys: "r ! ctrl+s", Want: Action{Do: Rename, SessionID: "s1", Title: "Deploying to Fly!"}},
		"rename with e":   {Keys: "e n ctrl+s", Want: Action{Do: Rename, SessionID: "s1", Title: "Deploying to Flyn"}},
		"as it was":       {Keys: "r ctrl+s", Want: Action{}},
		"menu":            {Keys: "enter down down down enter", Want: Action{Do: Export, SessionID: "s1"}},
		"menu, rename":    {Keys: "enter down enter ! ctrl+s", Want: Action{Do: Rename, SessionID: "s1", Title: "Deploying to Fly!"}},
		"menu, its key":   {Keys: "enter n", Want: Action{Do: Begin}},
		"menu, esc":       {Keys: "enter esc y", Want: Action{Do: Copy, SessionID: "s1", Text: "Deploying to Fly"}},
		"left":            {Keys: "r x esc", Want: Action{}},
		"the best":        {Set: search, Keys: "o", Want: Action{Do: Open, SessionID: "s2", RecordID: "r1"}},
		"found session":   {Set: search, Keys: "enter enter", Want: Action{Do: Open, SessionID: "s2"}},
		"found message":   {Set: search, Keys: "down down o", Want: Action{Do: Open, SessionID: "s2", RecordID: "r2"}},
		"enter on it":     {Set: search, Keys: "down enter enter", Want: Action{Do: Open, SessionID: "s2", RecordID: "r1"}},
		"copy a message":  {Set: search, Keys: "down y", Want: Action{Do: Copy, SessionID: "s2", RecordID: "r1", Text: "部署脚本还用 pnpm 吗？"}},
		"delete found":    {Set: search, Keys: "end d delete", Want: Action{Do: Delete, SessionID: "s1", Title: "Deploying to Fly"}},
		"end of search":   {Set: search, Keys: "esc", Want: Action{Do: Search}},
		"leave after":     {Set: search, Keys: "esc esc", Want: Action{Do: Leave}},
	})

	if _, handled := filled(56, 35).Key(panetest.Key("z")); handled {
		t.Error("z is said to mean something")
	}
}

// A4: every change is a question; typing goes on while the answer is awaited, and
// late answers are dropped.
func TestSearchKeepsTypingFree(t *testing.T) {
	m := filled(60, 20)
	press(m, "／")
	if !m.Capturing() {
		t.Fatal("letters are not text in the field")
	}
	if a := typed(m, "d"); a.Do != Search || a.Query != "d" {
		t.Errorf("got %+v", a)
	}
	if a := typed(m, "n"); a.Do != Search || a.Query != "dn" {
		t.Errorf("got %+v", a)
	}
	if a := typed(m, " "); a.Do != Nothing {
		t.Errorf("a space asked %+v", a)
	}
	m.Found("d", found())
	panetest.Shows(t, view(t, m), "searching …")
	panetest.Lacks(t, view(t, m), "pnpm")
	m.Found("dn", found())
	panetest.Shows(t, view(t, m), "6 messages in 2 sessions")
	typed(m, "s")
	panetest.Shows(t, view(t, m), "searching …", "Yes —")
	m.SearchFailed("dn", "old")
	m.SearchFailed("dn s", "The index is broken.")
	panetest.Shows(t, view(t, m), "broken")
	if a := press(m, "enter"); a.Do != Search || a.Query != "dn s" {
		t.Errorf("enter does not try again: %+v", a)
	}
	m.Paste(tea.PasteMsg{Content: "\nx"})
	if m.Query() != "dn s x" {
		t.Errorf("asked for %q after a paste", m.Query())
	}
	press(m, "esc")
	m.Found("dn s x", found())
	if got := view(t, m); m.Capturing() || m.Modal() || !strings.Contains(got, "sessions · 214") {
		t.Errorf("esc does not lead back to the list:\n%s", got)
	}
}

func TestSearchCursor(t *testing.T) {
	m := filled(60, 20)
	m.OpenSearch("中文a")
	if _, c := m.View(); c == nil || c.X != 3+5 || c.Y != 0 {
		t.Errorf("cursor %+v", c)
	}
	m.SetFocus(false)
	if _, c := m.View(); c != nil || m.Capturing() {
		t.Error("a cursor without the keyboard")
	}
}

func TestRename(t *testing.T) {
	m := filled(56, 20)
	press(m, "down", "r")
	typed(m, " 了")
	_, c := m.View()
	if c == nil || c.Y != 20-3 { // second line of the title, above the button and the keys
		t.Errorf("cursor %+v", c)
	}
	a := press(m, "ctrl+s")
	if a.Do != Rename || !strings.HasSuffix(a.Title, "bun 了 了") {
		t.Fatalf("got %+v", a)
	}
	if a := press(m, "ctrl+s"); a.Do != Nothing {
		t.Error("asked twice")
	}
	m.Failed("The disk is full.")
	if got := view(t, m); !m.Capturing() || !strings.Contains(got, "disk is full") || !strings.Contains(got, "了 了") {
		t.Errorf("the title is lost after a failure:\n%s", got)
	}
	if a := press(m, "ctrl+s"); a.Do != Rename {
		t.Error("cannot try again")
	}
	s := some()[1]
	s.Title = "bun 了"
	m.Renamed(s)
	if got := view(t, m); m.Capturing() || !strings.Contains(got, "▸   bun 了") {
		t.Errorf("not renamed:\n%s", got)
	}
	m.OpenRename(session("s3", "", 1, 0))
	if press(m, "ctrl+s"); !strings.Contains(view(t, m), "needs some words") {
		t.Error("takes an empty title")
	}
}

// D2: gone from every view at once, and for ten seconds a key takes it back.
func TestDeleteAndTakeBack(t *testing.T) {
	m := filled(60, 20)
	m.OpenSearch("pnpm")
	m.Found("pnpm", found())
	press(m, "enter", "d")
	if a := press(m, "ctrl+x", "ctrl+x"); a.Do != Nothing {
		t.Error("deleted twice")
	}
	if !strings.Contains(view(t, m), "deleting “") {
		t.Error("does not say that it is at it")
	}
	m.Deleted(list.Removed{ID: "d1", Of: "s2", Title: "部署", Until: noon.Add(10 * time.Second)})
	panetest.Shows(t, view(t, m), "deleted “部署” · F7 restores it (10 s)", "1 message in 1 session")
	panetest.Lacks(t, view(t, m), "部署脚本")
	press(m, "esc")
	panetest.Shows(t, view(t, m), "sessions · 213")
	panetest.Lacks(t, view(t, m), "脚本")
	m.SetNow(noon.Add(7500 * time.Millisecond))
	if got := view(t, m); !m.Counting() || !strings.Contains(got, "restores it (3 s)") {
		t.Errorf("does not count down:\n%s", got)
	}
	m.Deleted(list.Removed{ID: "d2", Of: "s3", Until: noon.Add(17 * time.Second)})
	panetest.Shows(t, view(t, m), "deleted “a session wi…” and 1 more")
	if a := press(m, "u"); a.Do != Restore || a.ID != "d2" {
		t.Errorf("took back %+v", a)
	}
	m.Restored("d2")
	m.SetNow(noon.Add(10 * time.Second))
	if got := view(t, m); m.Counting() || strings.Contains(got, "restores it") {
		t.Errorf("the offer outlives its time:\n%s", got)
	}
	press(m, "d", "delete")
	m.Failed("The disk is full.")
	panetest.Shows(t, view(t, m), "The disk is full.", "Delete “Deploying")
}

func TestMoreIsLoadedNearTheEnd(t *testing.T) {
	m := newPane(60, 12)
	all := make([]memory.Session, 120)
	for i := range all {
		all[i] = session(fmt.Sprint("s", i), fmt.Sprint("talk ", i), 1, time.Hour)
	}
	m.SetSessions(all[:50], 120)
	m.SetFocus(true)
	if a := press(m, "down"); a.Do != Nothing {
		t.Errorf("got %+v at the start", a)
	}
	if diff := cmp.Diff(Action{Do: Load, Offset: 50}, press(m, "end")); diff != "" {
		t.Error(diff)
	}
	if a := press(m, "up", "down"); a.Do != Nothing {
		t.Error("asked twice")
	}
	m.LoadFailed("no")
	if a := press(m, "down"); a.Do != Load {
		t.Error("does not try again")
	}
	m.AddSessions(40, all[40:90], 120) // an answer to another question
	if m.Loaded() != 50 {
		t.Errorf("%d sessions", m.Loaded())
	}
	m.AddSessions(50, all[49:100], 121) // one came meanwhile, so one comes again
	if m.Loaded() != 100 {
		t.Errorf("%d sessions", m.Loaded())
	}
	if a := press(m, "end"); a.Do != Load || a.Offset != 100 {
		t.Errorf("got %+v", a)
	}
	m.AddSessions(100, nil, 121)
	panetest.Shows(t, view(t, m), "talk 99")
	if a := press(m, "up", "end"); a.Do != Nothing {
		t.Errorf("asks on after the end: %+v", a)
	}
	n := newPane(60, 12)
	n.SetFocus(true)
	n.LoadFailed("no")
	if a := press(n, "enter"); a.Do != Load || a.Offset != 0 {
		t.Errorf("got %+v", a)
	}
}

func TestCursorStaysOnItsSession(t *testing.T) {
	m := filled(60, 20)
	press(m, "down", "down")
	m.SetSessions(append([]memory.Session{session("s9", "newest", 1, 0)}, some()...), 215)
	if s, _ := m.Selected(); s.ID != "s3" {
		t.Errorf("the cursor stands on %q", s.ID)
	}
	m.SetSessions(some()[:2], 2)
	if s, ok := m.Selected(); !ok || s.ID != "s2" {
		t.Errorf("the cursor stands on %q when its row goes", s.ID)
	}
}

// What others wrote cannot reach the terminal as it is.
func TestEverythingIsCleaned(t *testing.T) {
	evil := panetest.Hostile
	s := session("s1", evil, 1, 0)
	s.State = memory.SessionState(evil)
	m := newPane(56, 35)
	m.SetFocus(true)
	panetest.Cleans(t, func() string { return view(t, m) },
		func() { m.LoadFailed(evil) },
		func() { m.SetSessions([]memory.Session{s}, 2) },
		func() { m.LoadFailed(evil) },
		func() { press(m, "r") },
		func() { press(m, "esc", "d") },
		func() {
			press(m, "n")
			m.Failed(evil)
		},
		func() { m.OpenSearch(evil) },
		func() {
			m.Found(m.Query(), Results{Degraded: evil, Sessions: []Group{{Session: s, Hits: []Hit{{RecordID: "r", Who: evil, Text: evil}}}}})
		},
		func() { m.SearchFailed(m.Query(), evil) },
		func() { m.Deleted(list.Removed{ID: "d", Title: evil, Until: noon.Add(time.Minute)}) },
	)
}

func TestFillsItsPlace(t *testing.T) {
	var all []memory.Session
	filled := func(t *rapid.T) *Model {
		m := newPane(0, 0)
		all = nil
		for i := range rapid.IntRange(0, 9).Draw(t, "sessions") {
			turns := rapid.IntRange(0, 1<<40).Draw(t, "turns")
			all = append(all, session(fmt.Sprint("s", i), panetest.Texts.Draw(t, "title"), turns, time.Duration(i)*30*time.Hour))
		}
		m.SetSessions(all, rapid.IntRange(0, 20).Draw(t, "total"))
		m.SetCurrent("s1")
		return m
	}
	panetest.Fills(t, "/ r d m a n u delete ctrl+x", filled, func(t *rapid.T, m *Model, a Action) {
		switch {
		case a.Do == Search && a.Query != "":
			r := Results{Degraded: panetest.Texts.Draw(t, "degraded")}
			for i := range all {
				hit := Hit{RecordID: fmt.Sprint("r", i), Who: panetest.Texts.Draw(t, "who"), Text: panetest.Texts.Draw(t, "text")}
				r.Sessions = append(r.Sessions, Group{Session: all[i], Hits: []Hit{hit}})
			}
			m.Found(a.Query, r)
		case a.Do == Delete:
			m.Deleted(list.Removed{ID: "d", Of: a.SessionID, Title: a.Title, Until: noon.Add(time.Minute)})
		}
	})
}

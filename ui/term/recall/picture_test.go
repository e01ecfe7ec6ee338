package recall

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/retrieve"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

// lived is a life of some weeks.
func lived() Life {
	var days []lookup.Day
	for i := range 80 {
		d := lookup.Day{Date: time.Date(2026, 1, 28-i, 0, 0, 0, 0, time.UTC)}
		if i%5 == 0 {
			d.Learned = 1 + i%7
		}
		if i == 10 || i == 33 {
			d.Forgotten = 2
		}
		days = append(days, d)
	}
	old := item("i1", memory.TypeFact, "lives in Bonn")
	old.Supersedes, old.CreatedAt = "i0", noon.AddDate(0, 0, -5)
	return NewLife(days, append(planned(), old, item("i2", memory.TypeFact, "likes tea")), noon, time.UTC)
}

// planned are goals with a date: one that is over, and four to come.
func planned() (out []memory.Item) {
	for i, days := range []int{40, 2, -3, 1, 9} {
		g := item(fmt.Sprint("g", i), memory.TypeGoal, fmt.Sprintf("plan in %d days", days))
		g.CreatedAt, g.ValidTo = noon.AddDate(0, -1, 0), time.Date(2026, 1, 28+days+1, 0, 0, 0, 0, time.UTC)
		out = append(out, g)
	}
	return out
}

// P9a: the calendar begins with what is planned, the next first, where there is room for both.
func TestLifeShowsPlans(t *testing.T) {
	m := filled(56, 24)
	m.SetFocus(true)
	press(m, "c")
	m.SetLife(lived())
	got := view(t, m)
	panetest.Shows(t, got, "coming up", "Tomorrow plan in 1 days", "30 January plan in 2 days")
	panetest.Lacks(t, got, "plan in -3 days")
	if strings.Index(got, "plan in 1 ") > strings.Index(got, "plan in 2 ") || strings.Index(got, "plan in 40") > strings.Index(got, "Mon") {
		t.Errorf("in another order:\n%s", got)
	}
	m.SetLife(NewLife([]lookup.Day{{Date: noon, Learned: 1}}, nil, noon, time.UTC))
	panetest.Shows(t, view(t, m), "No plan with a date")
}

// answered is what the answer used, in no order.
func answered() Answered {
	r := result()
	return Answered{Turn: "t1", Keywords: r.Keywords, Chosen: []retrieve.Scored{r.Chosen[1], r.Chosen[0]}}
}

func TestPictures(t *testing.T) {
	story := Detail{
		Item: item("i1", memory.TypePreference, "uses pnpm, not npm; 小明 说 pnpm 更快 👩‍💻"),
		Quotes: []words.Quote{
			{Evidence: memory.Evidence{Length: 12}, Session: "Deploying to Fly", Time: noon, Text: "I prefer pnpm", Whole: "I prefer pnpm over npm."},
		},
		History:  []memory.Change{{Action: memory.ActionAdded, Origin: memory.OriginTurn, Reason: "a plain statement", Time: noon}},
		Replaced: []memory.Item{item("i0", memory.TypePreference, "uses npm")},
	}
	story.Item.AccessCount, story.Item.LastAccessed, story.Item.Supersedes = 12, noon.Add(-3*time.Hour), "i0"
	ended := story
	ended.Item.State, ended.Item.SupersededBy, ended.Item.Evidence, ended.Quotes = memory.StateInactive, "i9", nil, nil
	by := item("i9", memory.TypePreference, "uses bun")
	ended.By, ended.Replaced = &by, nil
	sizes := [][2]int{{60, 10}, {80, 19}, {40, 35}, {56, 24}, {80, 24}}
	panetest.Views(t, sizes, filled, map[string]func(m *Model){
		"used":         func(m *Model) { m.SetAnswered(answered()) },
		"used numbers": func(m *Model) { m.SetAnswered(answered()); m.SetFocus(true); press(m, "#") },
		"life":         func(m *Model) { m.SetFocus(true); press(m, "c"); m.SetLife(lived()); press(m, "left", "up") },
		"life empty":   func(m *Model) { m.SetFocus(true); press(m, "c"); m.SetLife(Life{}) },
		"life reading": func(m *Model) { m.SetFocus(true); press(m, "c") },
		"day": func(m *Model) {
			m.SetFocus(true)
			press(m, "c")
			m.SetLife(lived())
			press(m, "left", "up", "up", "up", "enter")
			m.SetItems([]memory.Item{item("i1", memory.TypeFact, "lives in Bonn")}, 1)
		},
		"story":    func(m *Model) { m.SetFocus(true); m.Show(story) },
		"replaced": func(m *Model) { m.SetFocus(true); m.Show(ended) },
		"details":  func(m *Model) { m.SetFocus(true); m.Show(story); press(m, "i") },
	})
}

// The bars are sorted by the score that they show, and the numbers wait for a key.
func TestBarsAreSorted(t *testing.T) {
	m := filled(56, 24)
	m.SetFocus(true)
	m.SetAnswered(answered())
	got := view(t, m)
	if strings.Index(got, "uses pnpm") > strings.Index(got, "project runs on Fly") {
		t.Errorf("not sorted:\n%s", got)
	}
	panetest.Lacks(t, got, "0.92", ".36")
	press(m, "#")
	panetest.Shows(t, view(t, m), "0.92", ".36", "0.90")
}

// What the answer used stays until the next message is typed, and returns when it is not.
func TestUsedStays(t *testing.T) {
	m := filled(56, 24)
	m.SetAnswered(answered())
	panetest.Shows(t, view(t, m), "used in this answer · 2")
	m.SetTyping(true)
	panetest.Lacks(t, view(t, m), "used in this answer")
	m.SetPreview(result())
	panetest.Shows(t, view(t, m), "would recall · 2 of 214")
	m.SetTyping(false)
	panetest.Shows(t, view(t, m), "used in this answer · 2")
	m.SetAnswered(Answered{})
	panetest.Lacks(t, view(t, m), "used in this answer")
}

func TestLifeFiltersByDay(t *testing.T) {
	m := filled(56, 24)
	m.SetFocus(true)
	if a := press(m, "c"); a.Do != ReadLife || !m.Modal() || !m.LifeShown() {
		t.Fatalf("c gave %+v", a)
	}
	m.SetLife(lived())
	if a := press(m, "up", "enter"); a.Do != Nothing || !strings.Contains(view(t, m), "Nothing happened on 27 January") {
		t.Fatalf("an empty day gave %+v", a)
	}
	if a := press(m, "down", "left", "down", "enter"); a.Do != Nothing { // today has no day after it
		t.Fatalf("the day %v gave %+v", m.life.at, a)
	}
	press(m, "end")
	if a := press(m, "enter"); a.Do != Filter || !m.Day().Equal(time.Date(2026, 1, 28, 0, 0, 0, 0, time.UTC)) {
		t.Fatalf("enter gave %+v, %v", a, m.Day())
	}
	m.SetItems([]memory.Item{item("i1", memory.TypeFact, "lives in Bonn")}, 1)
	panetest.Shows(t, view(t, m), "28 January · 1 memory", "lives in Bonn", "esc shows all days")
	if a := press(m, "D"); a.Do != Nothing {
		t.Errorf("D without words gave %+v", a)
	}
	if a := press(m, "esc"); a.Do != Filter || !m.Day().IsZero() {
		t.Errorf("esc gave %+v", a)
	}
	press(m, "c", "home")
	if want := time.Date(2025, 11, 14, 0, 0, 0, 0, time.UTC); !m.life.at.Equal(want) {
		t.Errorf("home is %v, want %v", m.life.at, want)
	}
	if press(m, "esc"); m.Modal() {
		t.Error("esc does not close the calendar")
	}
}

// The calendar fills its pane and shows the chosen day, wherever that is.
func TestLifeFills(t *testing.T) {
	long := lived()
	long.days[date{2021, time.March, 3}], long.first = Tally{Learned: 3}, time.Date(2021, 3, 3, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		m := newPane(rapid.IntRange(1, 120).Draw(t, "w"), rapid.IntRange(0, 30).Draw(t, "h"))
		m.SetItems(nil, 0)
		m.SetFocus(true)
		press(m, "c")
		m.SetLife(long)
		for range rapid.IntRange(0, 15).Draw(t, "keys") {
			press(m, rapid.SampledFrom([]string{"left", "right", "up", "down", "pgup", "pgdn", "home", "end"}).Draw(t, "key"))
			got := view(t, m)
			if m.Width >= 36 && m.Height >= 14 && strings.Count(got, "◆") != 1 {
				t.Fatalf("%v is not marked:\n%s", m.life.at, got)
			}
		}
	})
}

// Everything that a picture shows is cleaned.
func TestPicturesAreClean(t *testing.T) {
	m := newPane(80, 30)
	evil := item("i1", memory.TypeFact, panetest.Hostile)
	m.SetItems([]memory.Item{evil}, 1)
	m.SetFocus(true)
	scored := retrieve.Scored{Item: evil, Score: 1, Contribution: memory.Parts{KeywordScore: .4}, Why: panetest.Hostile}
	panetest.Cleans(t, func() string { return view(t, m) },
		func() {
			m.SetAnswered(Answered{Turn: "t", Keywords: []string{panetest.Hostile, "a"}, Chosen: []retrieve.Scored{scored}})
		},
		func() { press(m, "#") },
		func() {
			m.Show(Detail{Item: evil, Replaced: []memory.Item{evil}, By: &evil, Quotes: []words.Quote{{Text: panetest.Hostile, Session: panetest.Hostile}}})
		},
		func() { press(m, "i") },
	)
}

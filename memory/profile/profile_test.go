package profile

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/policy"
	"memoria/prompts"
)

var noon = time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)

func line(s memory.Section, text string) memory.ProfileLine {
	return memory.ProfileLine{Section: s, Text: text}
}

func item(id, key, content string) memory.Item {
	kind := memory.TypeFact
	if strings.HasPrefix(key, "rule/") {
		kind = memory.TypeRule
	}
	return memory.Item{
		ID: id, Key: key, Type: kind, Content: content, Version: 1, Importance: 0.5,
		State: memory.StateActive,
	}
}

func follow(p memory.Profile, items ...memory.Item) memory.Profile {
	var news []News
	for _, it := range items {
		news = append(news, News{ID: it.ID, Item: &it})
	}
	return Follow(p, news, noon)
}

func TestDocument(t *testing.T) {
	const text = "# Me\n\n## reply   STYLE\n\n- short\n\n\n\n- and kind\n\n## Background\nBo\n##Background\n### Language habits\n## Language habits\n\n中文  \n\n## Background\r\nLyon\n"
	got := Parse(text)
	want := []memory.ProfileLine{
		line(memory.SectionNone, "# Me"),
		line(memory.SectionReply, "- short"), line(memory.SectionReply, ""), line(memory.SectionReply, "- and kind"),
		line(memory.SectionLanguage, "中文"),
		line(memory.SectionBackground, "Bo"), line(memory.SectionBackground, "##Background"),
		line(memory.SectionBackground, "### Language habits"), line(memory.SectionBackground, "Lyon"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	const tidied = "# Me\n\n## Reply style\n\n- short\n\n- and kind\n\n## Language habits\n\n中文\n\n## Background\n\nBo\n##Background\n### Language habits\nLyon\n"
	if md := Markdown(got); md != tidied {
		t.Errorf("written:\n%s", md)
	}
	if md := Markdown(nil); md != "## Reply style\n\n## Language habits\n\n## Background\n" {
		t.Errorf("empty:\n%s", md)
	}
}

// Whatever is read: nothing of it is lost but headings and blank lines, and what is
// written of it reads as the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "\n\n", "## Background\n- a\n## Background\n- b", "# x\r\n##  reply style \r\n\tq\r\n", "## Reply style\x00\n```\n## Background\n```",
		"## Background", "- \n-", "\u2028## Background\n\xff\xfe",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := Parse(text)
		again := Parse(Markdown(lines))
		if diff := cmp.Diff(lines, again); diff != "" {
			t.Fatalf("%q (-once +twice):\n%s", text, diff)
		}
		n := 0
		for raw := range strings.SplitSeq(text, "\n") {
			raw = strings.TrimRight(raw, " \t\r")
			if _, ok := headed(raw); ok || raw == "" {
				continue
			}
			n++
			if !slices.ContainsFunc(lines, func(l memory.ProfileLine) bool { return l.Text == raw }) {
				t.Fatalf("%q is lost", raw)
			}
		}
		if kept := len(slices.DeleteFunc(slices.Clone(lines), func(l memory.ProfileLine) bool { return l.Text == "" })); kept != n {
			t.Fatalf("%d lines of %d", kept, n)
		}
	})
}

// W5: what the rules learn of this kind has its section; everything else has none.
func TestSections(t *testing.T) {
	p := policy.New(policy.Default())
	for said, want := range map[string]memory.Section{
		"Please keep your answers short.":       memory.SectionReply,
		"请回答得简短一点":                              memory.SectionReply,
		"以后不要用表情":                               memory.SectionReply,
		"Please always answer in German.":       memory.SectionLanguage,
		"请用中文回答我":                               memory.SectionLanguage,
		"I speak Japanese.":                     memory.SectionLanguage,
		"我会说法语":                                 memory.SectionLanguage,
		"My name is Bo.":                        memory.SectionBackground,
		"我叫小波":                                  memory.SectionBackground,
		"I live in Lyon.":                       memory.SectionBackground,
		"我住在里昂":                                 memory.SectionBackground,
		"I work as a carpenter.":                memory.SectionBackground,
		"I'm allergic to peanuts.":              memory.SectionBackground,
		"I like oolong tea.":                    "none",
		"我喜欢乌龙茶":                                "none",
		"My sister lives in Rome.":              "none",
		"I want to run a marathon in May.":      "none",
		"Remember that the gate code is blue.":  "none",
		"I go running every morning before six": "none",
	} {
		found := p.Extract(said)
		if len(found) == 0 {
			t.Errorf("%q: the rules read nothing", said)
			continue
		}
		got, ok := SectionOf(found[0].Item())
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%q (%s, %s): %q, want %q", said, found[0].Type, found[0].Key, got, want)
		}
	}
	model := memory.Item{Type: memory.TypePreference, Key: "preference/concise-answers", Content: "Prefers concise answers"}
	if s, ok := SectionOf(model); !ok || s != memory.SectionReply {
		t.Errorf("an inferred wish: %q, %v", s, ok)
	}
}

// W5: lines follow their items, each in its place, and only they.
func TestFollow(t *testing.T) {
	mine := memory.Profile{Lines: Parse("## Background\n\n- mine\n")}
	a, b := item("A", "home", "Lives in Paris."), item("B", "name", "Name is\nBo.")
	p := follow(mine, a, b)
	if got := Markdown(p.Lines); !strings.HasSuffix(got, "\n- mine\n- Lives in Paris.\n- Name is Bo.\n") {
		t.Fatalf("added:\n%s", got)
	}
	ended := a
	ended.State, ended.SupersededBy, ended.Version = memory.StateInactive, "C", 2
	c := item("C", "home", "Lives in Lyon.")
	c.Supersedes = "A"
	if got := Markdown(follow(p, ended, c).Lines); !strings.HasSuffix(got, "\n- mine\n- Lives in Lyon.\n- Name is Bo.\n") {
		t.Errorf("superseded:\n%s", got)
	}
	confirmed := a
	confirmed.Version = 3
	if q := follow(p, confirmed); !Equal(p, q) || q.Lines[1].ItemVersion != 1 {
		t.Errorf("confirmed: %+v", q.Lines)
	}
	edited := a
	edited.Version, edited.Content = 4, "Lives in Paris, by the canal."
	if q := follow(p, edited); q.Lines[1].ItemVersion != 4 || q.Lines[1].Text != "- Lives in Paris, by the canal." {
		t.Errorf("edited: %+v", q.Lines)
	}
	over := a
	over.ValidTo = noon
	if q := follow(p, over); len(q.Lines) != 2 {
		t.Errorf("expired: %+v", q.Lines)
	}
	if q := Follow(p, []News{{ID: "A"}, {ID: "B"}}, noon); !Equal(q, mine) {
		t.Errorf("deleted: %+v", q.Lines)
	}
}

// W5: what the user wrote or changed is his; what he took out does not come back.
func TestEdit(t *testing.T) {
	p := follow(memory.Profile{Version: 1}, item("A", "home", "Lives in Paris."), item("B", "name", "Name is Bo."), item("C", "job", "Job is carpenter."))
	e := Edit(p, p, "## Background\n\n- Lives in Paris, 11e.\n- Job is carpenter.\n- own\n")
	if e.Lines[0].Derived() || e.Lines[1].ItemID != "C" || e.Lines[2].Derived() || !slices.Equal(e.Removed, []string{"A", "B"}) {
		t.Fatalf("%+v, removed %v", e.Lines, e.Removed)
	}
	if q := follow(e, item("A", "home", "Lives in Rome."), item("B", "name", "Name is Bo.")); !Equal(e, q) {
		t.Errorf("a line came back: %+v", q.Lines)
	}
	// While he writes, one memory goes, another comes, and he himself adds a line elsewhere.
	now := follow(Follow(p, []News{{ID: "B"}}, noon), item("D", "origin", "Comes from Basel."))
	now.Version = 2
	now.Lines = append(now.Lines, line(memory.SectionBackground, "- from another window"))
	e = Edit(now, p, Markdown(p.Lines)+"- own\n")
	if got := Markdown(e.Lines); !strings.HasSuffix(got, "\n- Lives in Paris.\n- Job is carpenter.\n- own\n- Comes from Basel.\n- from another window\n") || len(e.Removed) > 0 {
		t.Errorf("%s\nremoved %v", got, e.Removed)
	}
	moved := Edit(p, p, "## Reply style\n- Name is Bo.\n## Background\n- Lives in Paris.\n- Job is carpenter.\n")
	if moved.Lines[0].Derived() || !slices.Equal(moved.Removed, []string{"B"}) {
		t.Errorf("moved to another section: %+v", moved)
	}
}

// W5: the document stays under 800 tokens; the least important lines of items give
// way, and the user's text never.
func TestFit(t *testing.T) {
	var p memory.Profile
	for i := range 200 {
		it := item("I"+strconv.Itoa(i), "fact/timezone/"+strconv.Itoa(i), "Fact number "+strconv.Itoa(i)+" is of some length, 还有一些中文。")
		it.Importance = float64(i%10) / 10
		p = follow(p, it)
	}
	p.Lines = append(p.Lines, line(memory.SectionBackground, "- mine"))
	lines, err := Fit(p.Lines, prompts.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	doc := Markdown(lines)
	if n := prompts.Tokens(doc); n >= MaxTokens || n < MaxTokens*9/10 {
		t.Errorf("%d tokens", n)
	}
	hidden := 0
	for _, l := range lines {
		if l.Hidden {
			hidden++
		} else if l.Derived() && l.Importance < 0.7 {
			t.Errorf("shown: %+v", l)
		}
	}
	if hidden != maxHidden || !strings.Contains(doc, "- mine\n") {
		t.Errorf("%d wait:\n%s", hidden, doc)
	}
	again, err := Fit(lines, prompts.Tokens)
	if diff := cmp.Diff(lines, again); diff != "" || err != nil {
		t.Errorf("twice is another thing: %v\n%s", err, diff)
	}
	long := append(slices.Clone(lines), line(memory.SectionNone, strings.Repeat("word ", 900)))
	var tooLong *TooLongError
	if _, err := Fit(long, prompts.Tokens); !errors.As(err, &tooLong) || tooLong.Tokens < MaxTokens {
		t.Errorf("%v", err)
	}
	// What the user says himself is not said twice, and comes back when he does not.
	p = follow(memory.Profile{Lines: Parse("## Background\nlives in LYON")}, item("A", "home", "Lives in Lyon."))
	if lines, _ = Fit(p.Lines, prompts.Tokens); !lines[1].Hidden {
		t.Errorf("said twice: %+v", lines)
	}
	if lines, _ = Fit(lines[1:], prompts.Tokens); lines[0].Hidden {
		t.Errorf("not back: %+v", lines)
	}
}

// P9: a version is taken back alone, and taken back again it is as before.
func TestUndo(t *testing.T) {
	v := []memory.Profile{{}}
	next := func(p memory.Profile) {
		p.Version = len(v)
		v = append(v, p)
	}
	next(follow(v[0], item("A", "home", "Lives in Paris."), item("B", "name", "Name is Bo.")))
	next(Edit(v[1], v[1], "## Background\n- first\n- Lives in Paris.\n- own\n"))
	next(follow(v[2], item("C", "job", "Job is carpenter.")))
	undone := Undo(v[3], v[1], v[2])
	if got := Markdown(undone.Lines); !strings.HasSuffix(got, "\n- Lives in Paris.\n- Name is Bo.\n- Job is carpenter.\n") || len(undone.Removed) > 0 {
		t.Errorf("the edit alone:\n%s\nremoved %v", got, undone.Removed)
	}
	next(undone)
	redone := Undo(v[4], v[3], v[4])
	if diff := cmp.Diff(v[3].Lines, redone.Lines); diff != "" || !slices.Equal(redone.Removed, v[3].Removed) {
		t.Errorf("redone, removed %v:\n%s", redone.Removed, diff)
	}
	last := Undo(v[3], v[2], v[3])
	if diff := cmp.Diff(v[2].Lines, last.Lines); diff != "" || !slices.Contains(last.Removed, "C") {
		t.Errorf("the last, removed %v:\n%s", last.Removed, diff)
	}
	if diff := Diff(v[1], v[2]); len(diff) != 3 || diff[0].String() != "- background: Name is Bo." || diff[1].String() != "+ background: first" {
		t.Errorf("difference: %v", diff)
	}
	if back := Join(v[2], memory.Profile{Version: 9, Lines: Parse("## Background\n- own\n- since\n"), Removed: []string{"A"}}); len(back.Lines) != 4 || !slices.Equal(back.Removed, []string{"B"}) {
		t.Errorf("joined: %+v", back)
	}
}

// W5: no order of anything takes a line of the user's away that he did not take out
// himself, or leaves one of an item that is not in force.
func TestAnyOrder(t *testing.T) {
	slots := []string{"name", "home", "job", "rule/style", "language/german"}
	words := rapid.SampledFrom([]string{"short", "in Paris", "是木匠", "with no jokes", "a b\nc", ""})
	rapid.Check(t, func(t *rapid.T) {
		p := memory.Profile{Version: 1}
		now := map[string]*memory.Item{}
		mine := map[place]int{}
		put := func(q memory.Profile) {
			lines, err := Fit(q.Lines, prompts.Tokens)
			if err != nil {
				t.Fatal(err)
			}
			q.Lines, q.Version = lines, p.Version+1
			p = q
		}
		t.Repeat(map[string]func(*rapid.T){
			"item": func(t *rapid.T) {
				id := "I" + strconv.Itoa(rapid.IntRange(1, 6).Draw(t, "id"))
				it := item(id, rapid.SampledFrom(slots).Draw(t, "slot"), "Says "+words.Draw(t, "words"))
				it.State = rapid.SampledFrom([]memory.State{memory.StateActive, memory.StateInactive}).Draw(t, "state")
				it.Version = p.Version
				if now[id] = &it; rapid.IntRange(0, 5).Draw(t, "deleted") == 0 {
					now[id] = nil
				}
				put(Follow(p, []News{{ID: id, Item: now[id]}}, noon))
			},
			"write": func(t *rapid.T) {
				lines := p.Shown()
				l := line(rapid.SampledFrom(memory.Sections()).Draw(t, "section"), "- mine "+words.Draw(t, "words"))
				at := rapid.IntRange(0, len(lines)).Draw(t, "at")
				doc := Markdown(append(slices.Clone(lines[:at]), append([]memory.ProfileLine{l}, lines[at:]...)...))
				for _, w := range Parse(Markdown([]memory.ProfileLine{l})) {
					mine[placeOf(w)]++
				}
				put(Edit(p, p, doc))
			},
			"take out": func(t *rapid.T) {
				lines := p.Shown()
				if len(lines) == 0 {
					return
				}
				at := rapid.IntRange(0, len(lines)-1).Draw(t, "at")
				gone := lines[at]
				if !gone.Derived() {
					mine[placeOf(gone)]--
				}
				put(Edit(p, p, Markdown(slices.Delete(slices.Clone(lines), at, at+1))))
				if gone.Derived() && (!slices.Contains(p.Removed, gone.ItemID) || indexOf(p.Lines, gone.ItemID) >= 0) {
					t.Fatalf("%+v stays", gone)
				}
			},
			"": func(t *rapid.T) {
				have := map[place]int{}
				for _, l := range p.Lines {
					if !l.Derived() {
						have[placeOf(l)]++
						continue
					}
					it := now[l.ItemID]
					if it == nil || !it.IsActive() || LineOf(it.Content) != l.Text || slices.Contains(p.Removed, l.ItemID) {
						t.Fatalf("a line of nothing: %+v of %+v, removed %v", l, it, p.Removed)
					}
				}
				for at, n := range mine {
					if have[at] != n && at.text != "" {
						t.Fatalf("%q: %d lines, want %d", at.text, have[at], n)
					}
				}
				for id, it := range now {
					if it != nil && it.IsActive() && !slices.Contains(p.Removed, id) && indexOf(p.Lines, id) < 0 {
						t.Fatalf("no line of %+v", it)
					}
				}
			},
		})
	})
}

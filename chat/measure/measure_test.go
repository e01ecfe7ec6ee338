package measure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/learn"
)

func item(content string) memory.Item {
	return memory.Item{ID: content, Type: memory.TypeFact, Content: content, State: memory.StateActive}
}

func TestExpectedMatches(t *testing.T) {
	e := Expected{Words: Words{"Oslo|奥斯陆", "live|住"}, Not: Words{"Bergen"}}
	for content, want := range map[string]bool{
		"Lives in OSLO.": true, "住在奥斯陆": true, "Oslo": false, "Lives in Oslo, not in Bergen.": false, "Lives in Narvik.": false,
	} {
		if got := e.Matches(item(content)); got != want {
			t.Errorf("%q: %v", content, got)
		}
	}
}

// A set with a fault is refused, and the error names the place.
func TestFaultySets(t *testing.T) {
	const good = `{"id":"a","messages":["I keep a yak."],"teaches":[{"type":["fact"],"about":"pet","words":["yak"]}]}`
	for name, c := range map[string]struct{ lines, want string }{
		"fine":      {good, ""},
		"repeated":  {good + "\n" + good, "teach.en.jsonl:2: id a is there twice"},
		"unknown":   {strings.Replace(good, `"id"`, `"sort":1,"id"`, 1), `unknown field "sort"`},
		"no type":   {strings.Replace(good, `"fact"`, ``, 1), "without a type"},
		"not JSON":  {good + "\nyak", "teach.en.jsonl:2"},
		"empty":     {"\n", "is empty"},
		"anything":  {strings.Replace(good, `["yak"]`, `["yak|"]`, 1), "an alternative is empty"},
		"no words":  {strings.Replace(good, `["yak"]`, `[]`, 1), "without words"},
		"wordless":  {strings.Replace(good, `I keep a yak.`, ` `, 1), "a message without words"},
		"no id":     {strings.Replace(good, `"a"`, `""`, 1), "no id"},
		"odd types": {strings.Replace(good, `"fact"`, `"thing"`, 1), `type "thing" is none`},
	} {
		dir := t.TempDir()
		writeFile(t, dir, "teach.en.jsonl", c.lines)
		writeFile(t, dir, "silent.en.jsonl", `{"id":"b","category":"c","messages":["Hm."],"allowed":[]}`)
		_, err := LoadStatements(dir)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func writeFile(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// P2, P5: a statement is played through a real conversation, and counted.
func TestStatementsAreCounted(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "teach.en.jsonl", `{"id":"a","messages":["My name is Bo.","I like oolong tea."],"teaches":[`+
		`{"type":["fact"],"about":"name","words":["Bo"]},{"type":["preference"],"about":"taste","words":["oolong"]},`+
		`{"type":["fact"],"about":"home","words":["Oslo"]}]}`)
	writeFile(t, dir, "silent.en.jsonl", `{"id":"b","category":"plain","messages":["My name is Bo."],"allowed":[]}
{"id":"c","category":"plain","messages":["Good morning."],"allowed":[]}`)
	set, err := LoadStatements(dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := MeasureStatements(t.Context(), set, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if f := got.Teach["en"]; f.Found != (Share{2, 3}) || f.Extra != (Share{0, 2}) || *f.ByAbout["home"] != (Share{0, 1}) {
		t.Errorf("%+v", f)
	}
	if f := got.Silent["en"]; f.Active != (Share{1, 2}) {
		t.Errorf("%+v", f)
	}
}

// U1–U5: each kind is done when, and only when, the memory or the answer shows it.
func TestInstructionsDone(t *testing.T) {
	tea, oslo, rome := item("Likes tea."), item("Lives in Oslo."), item("Lives in Rome.")
	of := func(items ...memory.Item) left { return left{active: items} }
	before := of(tea, oslo)
	about := func(kind string, object ...string) Instruction {
		return Instruction{Kind: kind, Object: object, All: len(object) == 0}
	}
	for name, c := range map[string]struct {
		Instruction
		told
		want bool
	}{
		"list, shown":        {about(kindList), told{before: before, answer: "Likes tea; lives in Oslo"}, true},
		"list, half":         {about(kindList), told{before: before, answer: "Likes tea."}, false},
		"list, narrowed":     {about(kindList, "Oslo"), told{before: before, answer: "You live in Oslo."}, true},
		"forget":             {about(kindForget, "tea"), told{before: before, after: of(oslo)}, true},
		"forget, asked":      {about(kindForget), told{before: before, after: before}, true},
		"forget, nothing":    {about(kindForget, "tea"), told{before: before, after: before, agreed: before}, false},
		"forget, too much":   {about(kindForget, "tea"), told{before: before}, false},
		"correct":            {about(kindCorrect, "Rome"), told{before: before, after: of(tea, rome)}, true},
		"correct, added":     {about(kindCorrect, "Rome"), told{before: before, after: of(tea, oslo, rome)}, false},
		"correct, was there": {about(kindCorrect, "Oslo"), told{before: before, after: before}, false},
		"withdraw":           {about(kindWithdraw, "tea"), told{before: before, after: of(oslo)}, true},
		"undo":               {about(kindUndo), told{earlier: of(tea), before: before, after: of(tea)}, true},
		"undo, nothing made": {about(kindUndo), told{earlier: before, before: before, after: before}, false},
		"unrecorded, kept":   {about(kindUnrecorded), told{before: before, after: before, agreed: of(tea, oslo, rome)}, false},
		"unrecorded":         {about(kindUnrecorded), told{before: before, after: before, agreed: before}, true},
	} {
		if _, got := c.done(c.told); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Near misses: a memory that is gone or says something else is a destructive alarm, one
// that was confirmed is none.
func TestDestructiveAlarms(t *testing.T) {
	tea := item("Likes tea.")
	changed, confirmed := tea, tea
	changed.Content, confirmed.Version = "Likes coffee.", 2
	none := func(string) (kind, object string, all, ok bool) { return "", "", false, false }
	offers := func(string) (kind, object string, all, ok bool) { return kindForget, "tea", false, true }
	for _, c := range []struct {
		after     []memory.Item
		recognise Recogniser
		want      int
	}{{nil, none, 1}, {[]memory.Item{changed}, none, 1}, {[]memory.Item{confirmed}, none, 0}, {[]memory.Item{tea}, offers, 1}} {
		f := NearFigures{ByResembles: shares{}}
		f.count(NearMiss{Resembles: kindForget}, told{before: left{active: []memory.Item{tea}}, after: left{active: c.after}}, c.recognise)
		if f.Destructive.N != c.want {
			t.Errorf("%q: %v", contents(c.after), f.Destructive)
		}
	}
}

// Q4: stale, garbled and doubled items are told apart, and so are facts that share words.
func TestLifeIsCounted(t *testing.T) {
	fact := func(name, word string, to int) Fact {
		return Fact{Name: name, About: "home", Types: []memory.Type{memory.TypeFact}, Words: Words{word}, From: 1, To: to}
	}
	l := Life{
		Name:      "bo",
		Facts:     []Fact{fact("rome", "rome", 9), fact("oslo", "oslo", 0), fact("tea", "tea", 0), fact("teal", "teal", 9)},
		Messages:  []Message{{Says: []string{"oslo"}, Ends: []string{"rome"}}, {Says: []string{"teal"}}},
		Questions: []Question{{Text: "Where do I live?", Fact: "oslo"}},
	}
	stale, teal, garbled := item("Lives in Rome."), item("Likes teal."), item("Is Ka.")
	current, again := item("Lives in Oslo."), item("In Oslo now.")
	teal.Evidence = []memory.Evidence{{TurnID: "2"}}
	out := lived{
		left:  left{active: []memory.Item{stale, teal, current, again, garbled}},
		turns: map[string]Message{"2": l.Messages[1]},
		asked: [][]memory.Item{{stale, current}},
	}
	var got LifeFigures
	got.count(l, out)
	got.Details = nil
	want := LifeFigures{
		Active: 5, Stale: 2, Contradicted: 1, Garbled: 1, Unfounded: 1, Doubled: 1, Kept: Share{1, 2}, First: Share{0, 1}, Top: Share{1, 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// An item that says two facts leaves room for one that says only the first.
func TestDoubled(t *testing.T) {
	for _, c := range []struct {
		said [][]string
		want int
	}{
		{[][]string{{"a", "b"}, {"a"}}, 0},
		{[][]string{{"a"}, {"a", "b"}}, 0},
		{[][]string{{"a"}, {"a"}, {}}, 1},
		{[][]string{{"a", "b"}, {"a", "b"}, {"b"}}, 1},
	} {
		if got := doubled(c.said); len(got) != c.want {
			t.Errorf("%v: %v", c.said, got)
		}
	}
}

// P5c: the scripted model maps the facts of its script to the memories that it is shown,
// ends what rules misread, and proposes nothing that is known.
func TestAnalystNamesMemories(t *testing.T) {
	operations := map[string]any{"properties": map[string]any{"items": map[string]any{"items": map[string]any{
		"properties": map[string]any{"op": map[string]any{}},
	}}}}
	a := &analyst{
		facts: map[string]Expected{
			"rome": {Words: Words{"rome"}}, "oslo": {Words: Words{"oslo"}}, "cat": {Words: Words{"cat"}}, "tea": {Words: Words{"tea"}},
		},
		message: Message{
			Text: "moved to oslo, the cat died, tea as ever", Says: []string{"oslo", "tea"}, Ends: []string{"cat", "rome"},
			Analyst: []Proposal{
				{Op: opReplace, Fact: "oslo", Target: "rome", Type: memory.TypeFact, Content: "Lives in Oslo.", Quote: "moved to oslo"},
				{Op: opEnd, Fact: "cat", Quote: "the cat died"},
				{Op: opAdd, Fact: "tea", Type: memory.TypePreference, Content: "Likes tea.", Quote: "tea as ever"},
			},
		},
	}
	prompt := `Memory m1, from this message: "Is Ka."
Memory m2: "Lives in Rome."
Memory m3: "Has a cat."
Memory m4: "Likes tea."
`
	ops := func(req learn.Request) (out []string) {
		for _, p := range a.items(req) {
			p := p.(map[string]any)
			op, _ := p["op"].(string)
			target, _ := p["target"].(string)
			content, _ := p["content"].(string)
			out = append(out, strings.TrimSpace(op+" "+target+" "+content))
		}
		return out
	}
	got := ops(learn.Request{Prompt: prompt, Tool: learn.Tool{Schema: operations}})
	if diff := cmp.Diff([]string{"replace m2 Lives in Oslo.", "end m3", "end m1"}, got); diff != "" {
		t.Error(diff)
	}
	got = ops(learn.Request{Prompt: prompt})
	if diff := cmp.Diff([]string{"Lives in Oslo.", "Likes tea."}, got); diff != "" {
		t.Error(diff)
	}
}

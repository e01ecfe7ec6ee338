package demo

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
)

const small = `when: 12 days before, 09:05
model: demo-small

@you
Hello,
again.

@memoria
    @media is indented

@hand
add rule [style, 风格] Be kind
edit kind => Be kinder
tag kinder => a, b
accept 电话 number
forget a b

@you +7m
Good night!

@memoria cut
Good ni
`

func TestParse(t *testing.T) {
	got, err := parse("01.md", small)
	if err != nil {
		t.Fatal(err)
	}
	want := session{
		name: "01.md", at: moment{days: 12, hour: 9, minute: 5}, model: "demo-small",
		turns: []turn{
			{pause: usualPause, said: "Hello,\nagain.", answer: "    @media is indented", acts: []act{
				{verb: "add", kind: memory.TypeRule, tags: []string{"style", "风格"}, text: "Be kind"},
				{verb: "edit", words: "kind", text: "Be kinder"},
				{verb: "tag", words: "kinder", tags: []string{"a", "b"}},
				{verb: "accept", words: "电话 number"},
				{verb: "forget", words: "a b"},
			}},
			{pause: 7 * time.Minute, said: "Good night!", answer: "Good ni", cut: true},
		},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(session{}, moment{}, turn{}, act{})); d != "" {
		t.Error(d)
	}
}

// What is not understood is an error that names the place.
func TestParseIsStrict(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"when: 12 days before, 09:05\n", "", "01.md:3: the header needs when and model"},
		{"model: demo-small\n", "", "01.md:3: the header needs when and model"},
		{"12 days before, 09:05", "yesterday", `01.md:1: when is "yesterday"`},
		{"09:05", "24:05", "01.md:1: when is"},
		{"demo-small", "Demo 8", "01.md:2: model is"},
		{"demo-small\n", "demo-small\nmodel: other\n", "01.md:3: \"model\" is no header, or there twice"},
		{"demo-small\n", "demo-small\nmood: sunny\n", "01.md:3: \"mood\" is no header"},
		{"@you\n", "@\n", "01.md:4: a block is"},
		{"@you\n", "@me\n", "01.md:4: @me cannot stand here"},
		{"@you\n", "@memoria\n", "01.md:4: @memoria cannot stand here"},
		{"+7m", "7m", "01.md:18: @you has a pause"},
		{"+7m", "+26m", "01.md:18: @you has a pause"},
		{"+7m", "+7m now", "01.md:18: @you has a pause"},
		{"@memoria cut", "@memoria late", "01.md:21: @memoria takes nothing but cut"},
		{"@hand\n", "@hand twice\n", "01.md:11: @hand twice cannot stand here"},
		{"Hello,\nagain.", "", "01.md:7: @you says nothing"},
		{"@memoria cut\nGood ni\n", "", "01.md:20: the last message has no answer"},
		{"Good ni\n", "", "01.md:21: @memoria says nothing"},
		{"forget a b", "forget", `01.md:16: "forget" is nothing that a hand can do`},
		{"forget a b", "eat cake", "is nothing that a hand can do"},
		{"edit kind => Be kinder", "edit kind", "is nothing that a hand can do"},
		{"add rule [style, 风格] Be kind", "add opinion Be kind", "add needs a type and a text"},
	} {
		text := strings.Replace(small, c.from, c.to, 1)
		if text == small {
			t.Fatalf("%q is not in the text", c.from)
		}
		if _, err := parse("01.md", text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q → %q: %v, want %s", c.from, c.to, err, c.want)
		}
	}
	if _, err := parse("01.md", ""); err == nil {
		t.Error("an empty file was read")
	}
}

// A moment is as far before now as it says, in now's own zone.
func TestMoments(t *testing.T) {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Skip("no time zones here")
	}
	now := time.Date(2026, 3, 29, 0, 20, 0, 0, lisbon) // the night in which the clocks go forward
	if got, want := (moment{minutes: 21}).before(now), time.Date(2026, 3, 28, 23, 59, 0, 0, lisbon); !got.Equal(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := (moment{days: 1, hour: 21, minute: 20}).before(now), time.Date(2026, 3, 28, 21, 20, 0, 0, lisbon); !got.Equal(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(small)
	f.Add("when: 5 minutes before\nmodel: m\n@you +1s\nx\n@memoria\ny\n@hand\nforget x\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parse("x", text)
		if err != nil {
			return
		}
		if len(s.turns) == 0 || s.at == (moment{}) || s.model == "" {
			t.Fatalf("%+v", s)
		}
		for _, turn := range s.turns {
			if strings.TrimSpace(turn.said) == "" || strings.TrimSpace(turn.answer) == "" || turn.pause <= 0 || turn.pause > longestPause {
				t.Fatalf("%+v", turn)
			}
		}
	})
}

package chat_test

import (
	"slices"
	"strings"
	"testing"

	"memoria/chat"
)

var club = []chat.Agent{
	{ID: "ann", Name: "Ann"}, {ID: "bo", Name: "Bo"}, {ID: "bo-2", Name: "Bobby"},
	{ID: "ming", Name: "小明"}, {ID: "mingming", Name: "小明明"}, {ID: "who", Name: "Dr Who"},
}

func ids(agents []chat.Agent) string {
	var out []string
	for _, a := range agents {
		out = append(out, a.ID)
	}
	return strings.Join(out, " ")
}

// S9: whom a message in a group is for.
func TestAddressed(t *testing.T) {
	t.Parallel()
	const everyone = "ann bo bo-2 ming mingming who"
	for _, c := range []struct{ text, want string }{
		{"hello", everyone},
		{"", everyone},
		{"@bo hello", "bo"},
		{"hello @Bo", "bo"},
		{"＠bo hello", "bo"},
		{"＠ＢＯ hello", "bo"},
		{"@BO, @ann: who is first?", "ann bo"}, // in the members' order
		{"@bobby hi", "bo-2"},
		{"@Bo-2 hi", "bo-2"},
		{"@bob hi", everyone}, // no member has that name
		{"@bo_x and @bo2", everyone},
		{"@bo.", "bo"},
		{"@bo's tea", "bo"},
		{"@bo!", "bo"},
		{"(@bo)", "bo"},
		{"**@bo**", "bo"},
		{"to:@bo", everyone},
		{": @bo", "bo"},
		{"@小明你好", "ming"},
		{"@小明明你好", "mingming"},
		{"你好@小明", "ming"},
		{"请＠小明，@ann 回答", "ann ming"},
		{"@bo你好", "bo"},
		{"@dr who, hello", "who"},
		{"@dr　who", "who"},
		{"@dr", everyone},
		{"@all hello", everyone},
		{"@ALL @bo", everyone},
		{"@所有人 你好", everyone},
		{"@bo @所有人", everyone},
		{"@allan", everyone},
		{"write to me@bo.example", everyone},
		{"me@bo", everyone},
		{"me.@bo", everyone},
		{"mailto:@bo", everyone},
		{"https://example.com/@bo", everyone},
		{"@bo.example.com", everyone},
		{"@bo@example.com", everyone},
		{"@@bo", everyone},
		{`\@bo`, everyone},
		{"`@bo`", everyone},
		{"``a ` @bo``, @ann", "ann"},
		{"a ` @bo", "bo"}, // no code without an end
		{"```\n@bo\n```", everyone},
		{"~~~go\n@bo\n~~~\n@ann", "ann"},
		{"```\n@bo", everyone},
		{"````\n```\n@bo\n````\n@ann", "ann"},
		{"@bo\n```\n@ann\n```", "bo"},
	} {
		if got := ids(chat.Addressed(c.text, club)); got != c.want {
			t.Errorf("%q: for %q, want %q", c.text, got, c.want)
		}
	}
	named := []chat.Agent{{ID: "x", Name: "All"}, {ID: "y", Name: "Yi"}, {ID: "z", Name: "yi"}}
	if got := ids(chat.Addressed("@all", named)); got != "x" {
		t.Errorf("a member called All: for %q", got)
	}
	if got := ids(chat.Addressed("@YI", named)); got != "y z" {
		t.Errorf("two of one name: for %q", got)
	}
}

// S9: what can be completed.
func TestNamesAt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want, begun string }{
		{"@b", "Bo Bobby", "b"},
		{"hi ＠BO", "Bo Bobby", "BO"},
		{"@小", "小明 小明明", "小"},
		{"@min", "ming mingming", "min"},
		{"@a", "Ann all", "a"},
		{"@b ", "", ""},
		{"me@b", "", ""},
		{"`@b", "Bo Bobby", "b"},
		{"hello", "", ""},
	} {
		names, begun := chat.NamesAt(c.text, club)
		if got := strings.Join(names, " "); got != c.want || begun != c.begun {
			t.Errorf("%q: %q, %q", c.text, got, begun)
		}
	}
}

func FuzzAddressed(f *testing.F) {
	for _, s := range []string{"@bo", "＠小明你好", "```\n@bo", "`@a` ``@b``", "a@b.c @Dr Who", "~~~~\n~~~", "@\xff@bo"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := chat.Addressed(text, club)
		if len(got) == 0 {
			t.Fatal("a message is for nobody")
		}
		at := -1
		for _, a := range got { // in order, each once
			i := slices.Index(club, a)
			if i <= at {
				t.Fatalf("%q: for %s", text, ids(got))
			}
			at = i
		}
		if !strings.ContainsAny(text, "@＠") && len(got) != len(club) {
			t.Fatalf("%q: for %s without a name", text, ids(got))
		}
		// Code addresses no member, whatever it contains.
		if fenced := "````````\n" + strings.ReplaceAll(text, "`", "") + "\n````````\n@bo"; ids(chat.Addressed(fenced, club)) != "bo" {
			t.Fatalf("%q: code names %s", text, ids(chat.Addressed(fenced, club)))
		}
	})
}

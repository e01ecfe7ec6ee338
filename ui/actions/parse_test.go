package actions

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/ui/words"
)

// A line is a command or a message, and what is a message arrives as it was
// meant.
func TestCommandOrMessage(t *testing.T) {
	for _, c := range []struct {
		line    string
		command bool
		sent    string // when it is a message
	}{
		{"/new", true, ""},
		{"／新会话", true, ""},
		{"/new\nmore", true, ""},
		{"/nonsense at all", true, ""},
		{"/model gpt-4/turbo", true, ""},
		{"/记住我喜欢茶，不喜欢咖啡", true, ""},
		{"", false, ""},
		{"hello /new", false, "hello /new"},
		{"/", false, "/"},
		{"/ new", false, "/ new"},
		{"/etc/hosts is gone", false, "/etc/hosts is gone"},
		{"/记住/etc/hosts", false, "/记住/etc/hosts"},
		{"/tmp.", false, "/tmp."},
		{"//new", false, "/new"},
		{"／／new", false, "／new"},
		{" /new", false, "/new"},
		{"　/new", false, "/new"},
		{"// a comment", false, "// a comment"},
		{"//TODO: more", false, "//TODO: more"},
		{" indented", false, " indented"},
		{"/" + strings.Repeat("a", maxName+1), false, "/" + strings.Repeat("a", maxName+1)},
	} {
		if got := IsCommand(c.line); got != c.command {
			t.Errorf("IsCommand(%q) = %v", c.line, got)
		}
		if _, err := Screen.Parse(c.line); errors.Is(err, ErrMessage) == c.command {
			t.Errorf("Parse(%q): %v", c.line, err)
		}
		if got := Message(c.line); !c.command && got != c.sent {
			t.Errorf("Message(%q) = %q", c.line, got)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		line string
		in   Mode
		want Call
		err  string // part of the error
	}{
		{"/new", Screen, Call{"new", ""}, ""},
		{"/NEW  ", Screen, Call{"new", ""}, ""},
		{"／ｎｅｗ", Screen, Call{"new", ""}, ""},
		{"/記住 我喜歡茶", Screen, Call{"add", "我喜歡茶"}, ""}, // traditional
		{"/记住我喜欢茶", Screen, Call{"add", "我喜欢茶"}, ""},
		{"/记住：茶", Screen, Call{"add", "：茶"}, ""},
		{"/删除会话部署", Plain, Call{"delete-session", "部署"}, ""}, // the longest name wins
		{"/工作记忆", Plain, Call{"working", ""}, ""},
		{"/add I use pnpm.\n\nAlways. ", Plain, Call{"add", "I use pnpm.\n\nAlways."}, ""},
		{"/model  gpt 4 ", Screen, Call{"model", "gpt 4"}, ""},
		{"/编辑", Screen, Call{"editor", ""}, ""},
		{"/编辑 pnpm", Plain, Call{"edit", "pnpm"}, ""},
		{"/q", Plain, Call{"quit", ""}, ""},

		{"/mdoel", Screen, Call{}, "there is no command /mdoel; the nearest is /model [NAME]; to send it as a message"},
		{"/记忆们在哪", Screen, Call{"memories", "们在哪"}, ""},
		{"/mem", Plain, Call{}, "the nearest is /memories [WORDS]"},
		{"/zzzzzzzz", Screen, Call{}, "there is no command /zzzzzzzz; to send it"},
		{"/rename", Screen, Call{}, "/rename TITLE"},
		{"/help me with this", Screen, Call{"help", "me with this"}, ""},
		{"/new friends came", Screen, Call{}, "nothing can stand after /new"},
		{"/mouse", Plain, Call{}, "only on the full screen"},
		{"/repeat", Screen, Call{}, "only in the screen-reader mode"},
	} {
		got, err := c.in.Parse(c.line)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("Parse(%q) = %+v, %v", c.line, got, err)
		}
		var usage *UsageError
		if err != nil && (!errors.As(err, &usage) || usage.Typed == "") {
			t.Errorf("Parse(%q): %#v", c.line, err)
		}
	}
}

func TestComplete(t *testing.T) {
	names := func(cc []Action) (out []string) {
		for _, c := range cc {
			out = append(out, c.Name)
		}
		return out
	}
	for _, c := range []struct {
		prefix string
		in     Mode
		want   []string
	}{
		{"/re", Screen, []string{"resume", "rename", "recall", "reject", "retry", "regenerate", "add", "memories", "erase-secret", "profile",
			"overrule", "archive"}}, // add is remember too
		{"/re", Plain, []string{"resume", "rename", "recall", "reject", "retry", "regenerate", "repeat", "add", "memories", "more",
			"erase-secret", "profile", "overrule", "archive"}},
		{"记", Screen, []string{"memories", "add"}},
		{"／ＭＯ", Screen, []string{"model", "mouse", "memories"}},
		{"mmrs", Screen, []string{"memories"}},
		{"/zzz", Screen, nil},
		{"/new x", Screen, nil},
		{strings.Repeat("长", 1<<16), Screen, nil},
	} {
		if got := names(c.in.Complete(c.prefix)); !slices.Equal(got, c.want) {
			t.Errorf("Complete(%.20q) = %v, want %v", c.prefix, got, c.want)
		}
	}
	if got := Screen.Complete("/"); !slices.EqualFunc(got, Screen.All(), func(a, b Action) bool { return a.Name == b.Name }) {
		t.Errorf("Complete(/) = %v", names(got))
	}
}

// The table says nothing twice, and every name can be typed.
func TestTable(t *testing.T) {
	owner := map[string]Action{}
	for _, c := range table {
		if c.Help == "" || strings.HasSuffix(c.Help, ".") || c.In == 0 {
			t.Errorf("%s: %+v", c.Name, c)
		}
		for _, n := range append([]string{c.Name}, c.Aliases...) {
			if o, twice := owner[n]; twice && o.In&c.In != 0 {
				t.Errorf("%q is %s and %s", n, o.Name, c.Name)
			}
			owner[n] = c
			if !named(n) || text.Fold(n) != n {
				t.Errorf("%q cannot be typed", n)
			}
			for _, m := range []Mode{Screen, Plain} {
				line := "/" + n
				if c.needs() {
					line += " x"
				}
				if call, err := m.Parse(line); c.In&m != 0 && (err != nil || call.Name != c.Name) {
					t.Errorf("%q: %+v, %v", line, call, err)
				}
				if got, ok := m.Find(" ／" + n); c.In&m != 0 && (!ok || got.Name != c.Name) {
					t.Errorf("Find(%q): %v %v", n, got, ok)
				}
			}
		}
	}
}

// Parse never panics and agrees with IsCommand, a call is what its line says,
// and a message loses at most the character that made it one.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"/new", "／记住我喜欢茶", "/model a/b", "//x", " /x", "/\xff", "/add \u2028", "/ㅤ",
		"/etc/hosts", "/K", "/ﬁnd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, m := range []Mode{Screen, Plain} {
			call, err := m.Parse(line)
			if errors.Is(err, ErrMessage) == IsCommand(line) {
				t.Fatalf("%q: IsCommand %v, %v", line, IsCommand(line), err)
			}
			if err != nil {
				continue
			}
			again, err := m.Parse(call.String())
			if err != nil || again != call {
				t.Fatalf("%q: %+v, then %+v, %v", line, call, again, err)
			}
			if !strings.Contains(line, call.Arg) {
				t.Fatalf("%q: argument %q", line, call.Arg)
			}
		}
		sent := Message(line)
		_, size := utf8.DecodeRuneInString(line)
		if sent != line && sent != line[size:] {
			t.Fatalf("%q is sent as %q", line, sent)
		}
		Screen.Complete(line)
		Plain.Find(line)
	})
}

// Every action is described in Chinese; what must follow it, and what may, stays so.
func TestChineseActions(t *testing.T) {
	for _, a := range table {
		w := a.Worded(words.Chinese)
		if w.Help == a.Help || w.Arg == a.Arg && a.Arg != "" && a.Arg != "[on|off]" {
			t.Errorf("%s: %q %q", a.Name, w.Arg, w.Help)
		}
		if w.needs() != a.needs() || w.takes() != a.takes() {
			t.Errorf("%s takes %q, in Chinese %q", a.Name, a.Arg, w.Arg)
		}
	}
	_, err := Plain.Parse("/add")
	if got, want := words.Chinese.Error(err), "用法是 /add 内容：添加一条记忆"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

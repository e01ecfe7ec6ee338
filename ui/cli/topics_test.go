package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memoria/ui/actions"
	"memoria/ui/clean"
	"memoria/ui/config"
	"memoria/ui/words"
)

// Each topic is shown by its name and is a section of the manual page.
func TestTopics(t *testing.T) {
	h := newHome(t)
	_, list, _ := h.run(t, nil, "help")
	_, page, _ := h.run(t, nil, "man")
	for _, one := range topics(words.Words{}) {
		code, out, errs := h.run(t, nil, "help", one.name)
		if code != ExitDone || errs != "" || !strings.HasSuffix(out, one.String()) {
			t.Errorf("%s: code %d, %q %q", one.name, code, out, errs)
		}
		if !strings.Contains(list, "  "+one.name+" ") || !strings.Contains(list, " "+one.title+"\n") {
			t.Errorf("%s is not listed", one.name)
		}
		if !strings.Contains(page, "\n.SH "+escaped(strings.ToUpper(one.title))+"\n") {
			t.Errorf("%s is not in the manual page", one.name)
		}
		for l := range strings.Lines(one.String()) {
			if wide := strings.HasPrefix(l, "  "); clean.Width(l) > topicWidth+1 && !wide { // lines to copy stay whole
				t.Errorf("%s: %q", one.name, l)
			}
			if strings.Contains(l, "\t") || strings.Contains(l, "@keys") || strings.Contains(l, "@slash") {
				t.Errorf("%s: %q", one.name, l)
			}
		}
	}
	_, out, _ := h.run(t, nil, "help", "slash")
	for _, a := range actions.Screen.All() {
		if !strings.Contains(out, "  "+a.Usage()+" ") {
			t.Errorf("%s is not told", a.Usage())
		}
	}
}

// A command and a topic of one name are shown together; what is neither is refused, with
// what was probably meant.
func TestHelp(t *testing.T) {
	h := newHome(t)
	for _, c := range []struct {
		args string
		code int
		want []string
	}{
		{"forget", ExitDone, []string{"memoria forget [flags]", "Out of reach are"}},
		{"deleting", ExitDone, []string{"Out of reach are"}},
		{"import chatgpt", ExitDone, []string{"memoria import chatgpt FILE"}},
		{"privacy", ExitDone, []string{"Only what goes to the model you chose"}},
		{"keys", ExitDone, []string{"Writing\n", "ctrl+j"}},
		{"privcy", ExitUsage, []string{`no command "privcy"; did you mean privacy?`, "memoria --help"}},
		{"agnet", ExitUsage, []string{"did you mean agent?"}},
		{"wear", ExitUsage, []string{"these topics mention it: forget"}},
		{"nothing of it", ExitUsage, []string{`no command "nothing of it"`}},
	} {
		code, out, errs := h.run(t, nil, append([]string{"help"}, strings.Fields(c.args)...)...)
		for _, want := range c.want {
			if code != c.code || !strings.Contains(out+errs, want) {
				t.Errorf("help %s: code %d, %q %q has no %q", c.args, code, out, errs, want)
			}
		}
	}
	_, out, _ := h.run(t, nil, "__complete", "help", "p")
	if !strings.Contains(out, "privacy\tWhat leaves") || strings.Count(out, "profile\t") != 1 {
		t.Errorf("completion: %q", out)
	}
}

// comment is the remark behind an example.
var comment = regexp.MustCompile(`(?m) +# .*$`)

// The Chinese manual has the topics of the English one, in its order, with the same terms to type
// and the same examples, and as many paragraphs.
func TestChineseManual(t *testing.T) {
	shape := func(w words.Words) (out []string) {
		for _, one := range topics(w) {
			out = append(out, "= "+one.name)
			for _, b := range one.blocks {
				switch {
				case b.example && strings.HasPrefix(b.text, "  memoria") || strings.HasPrefix(b.text, "  {"):
					out = append(out, comment.ReplaceAllString(b.text, ""))
				case b.example:
					out = append(out, "list")
				case b.term == "":
					out = append(out, "paragraph")
				case isASCII(b.term):
					out = append(out, b.term)
				default:
					out = append(out, "term")
				}
			}
		}
		return out
	}
	english, chinese := shape(words.Words{}), shape(words.In(config.LanguageChinese))
	same := map[string]bool{}
	for _, s := range chinese {
		same[s] = true
	}
	for i, s := range english { // a term of words is in Chinese
		if !same[s] {
			english[i] = "term"
		}
	}
	if diff := cmp.Diff(english, chinese); diff != "" {
		t.Error(diff)
	}
	for _, one := range topics(words.In(config.LanguageChinese)) {
		if isASCII(one.title) {
			t.Errorf("the title of %s is %q", one.name, one.title)
		}
		for l := range strings.Lines(one.String()) {
			if wide := strings.HasPrefix(l, "  "); clean.Width(l) > topicWidth+1 && !wide {
				t.Errorf("%s: %q", one.name, l)
			}
		}
	}
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

// The help and the manual speak the language of the run.
func TestChineseHelp(t *testing.T) {
	h := newHome(t, "LANG=zh_CN.UTF-8")
	for args, want := range map[string]string{
		"help": "  privacy     什么会离开这台电脑", "help privacy": "只有发给你所选模型的内容", "help keys": "记忆：收件箱",
		"help slash": "/add 内容", "memory --help": "修改记忆", "ask --help": "用法：", "man": ".SH 第一步", "help 备份": "备份会自动进行",
	} {
		if code, out, errs := h.run(t, nil, strings.Fields(args)...); code != ExitDone || !strings.Contains(out, want) {
			t.Errorf("%s: code %d, %q has no %q", args, code, out+errs, want)
		}
	}
}

// What each command and each flag does is told in Chinese, with the examples of the English help.
func TestChineseCommands(t *testing.T) {
	speaking := func(lang string) *cobra.Command {
		p, _, _ := newHome(t, "LANG="+lang).program()
		p.Speak()
		return p.rootCommand()
	}
	commands := func(example string) (out []string) { // without the remarks beside those of the program itself
		for l := range strings.Lines(example) {
			typed, _, _ := strings.Cut(strings.TrimSpace(l), "   ")
			out = append(out, typed)
		}
		return out
	}
	var check func(english, chinese *cobra.Command)
	check = func(english, chinese *cobra.Command) {
		name := english.CommandPath()
		if isASCII(chinese.Short) {
			t.Errorf("%s: %q", name, chinese.Short)
		}
		if (english.Long == "") != (chinese.Long == "") || chinese.Long != "" && isASCII(chinese.Long) {
			t.Errorf("%s: the help is %q", name, chinese.Long)
		}
		if diff := cmp.Diff(commands(english.Example), commands(chinese.Example)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for l := range strings.Lines(chinese.Long) {
			if clean.Width(l) > topicWidth+1 {
				t.Errorf("%s: %q", name, l)
			}
		}
		chinese.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && isASCII(f.Usage) {
				t.Errorf("%s --%s: %q", name, f.Name, f.Usage)
			}
		})
		for _, sub := range english.Commands() {
			if other, _, err := chinese.Find([]string{sub.Name()}); err != nil {
				t.Error(err)
			} else {
				check(sub, other)
			}
		}
	}
	check(speaking("en_US.UTF-8"), speaking("zh_CN.UTF-8"))
}

// screen is an output that is a terminal.
type screen struct{ bytes.Buffer }

func (*screen) IsTerminal() bool { return true }

// On a terminal the manual is text; troff is for other programs, or asked for.
func TestManOnATerminal(t *testing.T) {
	for args, want := range map[string]struct{ has, not string }{
		"man":         {"\n──────────", ".SH "},
		"man --troff": {".SH COMMANDS", "\n──────────"},
	} {
		p, _, errs := newHome(t).program(strings.Fields(args)...)
		out := &screen{}
		p.Stdout = out
		if code := p.Run(t.Context()); code != ExitDone || errs.Len() > 0 {
			t.Errorf("%s: code %d, %s", args, code, errs)
		}
		if got := out.String(); !strings.Contains(got, want.has) || strings.Contains(got, want.not) {
			t.Errorf("%s begins with %.300q", args, got)
		}
		for _, told := range []string{"memory add", "--data-dir FOLDER", "First steps"} {
			if args == "man" && !strings.Contains(out.String(), told) {
				t.Errorf("%q is not told", told)
			}
		}
	}
}

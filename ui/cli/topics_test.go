package cli

import (
	"strings"
	"testing"

	"memoria/ui/actions"
	"memoria/ui/clean"
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

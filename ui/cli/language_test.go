package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"memoria/ui/app"
)

// The language is that of the setting, else of the locale. Names of commands and JSON are the
// same in every language.
func TestLanguage(t *testing.T) {
	for _, c := range []struct {
		name, file string
		env        []string
		chinese    bool
	}{
		{name: "no locale"},
		{name: "English", env: []string{"LANG=en_US.UTF-8"}},
		{name: "Chinese", env: []string{"LANG=zh_CN.UTF-8"}, chinese: true},
		{name: "Chinese of Taiwan", env: []string{"LANG=zh_TW"}, chinese: true},
		{name: "another that begins alike", env: []string{"LANG=zha_CN.UTF-8"}},
		{name: "messages before LANG", env: []string{"LANG=en_US.UTF-8", "LC_MESSAGES=zh_CN.UTF-8"}, chinese: true},
		{name: "LC_ALL before messages", env: []string{"LC_ALL=C.UTF-8", "LC_MESSAGES=zh_CN.UTF-8"}},
		{name: "the file before the locale", file: "[ui]\nlanguage = \"zh\"\n", env: []string{"LANG=en_US.UTF-8"}, chinese: true},
		{name: "the variable before the file", file: "[ui]\nlanguage = \"zh\"\n", env: []string{"MEMORIA_UI_LANGUAGE=en"}},
		{name: "auto", file: "[ui]\nlanguage = \"auto\"\n", env: []string{"LANG=zh_CN.UTF-8"}, chinese: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t, c.env...)
			p, _, _ := h.program()
			if c.file != "" {
				path := p.Paths().Config
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, usage := "there is no command", "/help says"
			if c.chinese {
				want, usage = "没有命令", "/help 看"
			}
			if code, _, errs := h.run(t, nil, "help", "nothing"); code != ExitUsage || !strings.Contains(errs, want) {
				t.Errorf("code %d, %q", code, errs)
			}
			if _, out, _ := h.run(t, strings.NewReader("/quit\n"), "--screen-reader"); !strings.Contains(out, usage) {
				t.Errorf("line mode: %q", out)
			}
			if _, out, _ := h.run(t, nil, "doctor", "--json"); !strings.Contains(out, "nothing was ever remembered here") &&
				!strings.Contains(out, "every page is in its place") {
				t.Errorf("JSON: %q", out)
			}
		})
	}
}

// Faults of the configuration and of calls, problems and remedies are told in the language.
func TestChineseProblems(t *testing.T) {
	h := newHome(t, "LANG=zh_CN.UTF-8")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"bogus"}, "没有命令 bogus\n用法见：memoria --help"},
		{[]string{"memroy"}, "没有命令 memroy；是不是 memory？"},
		{[]string{"memory", "lst"}, `没有子命令 "lst"；是不是 list？`},
		{[]string{"--bogus"}, "没有选项 --bogus"},
		{[]string{"memory", "show"}, "memoria memory show 后面还要写：记忆的 ID"},
		{[]string{"memory", "show", "nothing"}, "没有找到\n  没有记忆 nothing。\n  查看有哪些：memoria memory list --all"},
		{[]string{"restore", "/nowhere"}, "读取 /nowhere：没有这个文件或文件夹"},
		{[]string{"config", "set", "ui.languag", "zh"}, "没有设置项 ui.languag；是不是 ui.language？"},
		{[]string{"--agent", "nobody", "memory", "list"}, "没有角色叫 nobody"},
	} {
		code, out, errs := h.run(t, nil, c.args...)
		if code == ExitDone || !strings.Contains(errs, c.want) {
			t.Errorf("%q: code %d, %q %q", c.args, code, out, errs)
		}
	}
}

// said collects what a program prints while it runs.
type said struct {
	mu   sync.Mutex
	text strings.Builder
	more chan struct{}
}

func (s *said) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
	return s.text.Write(b)
}

func (s *said) until(t *testing.T, want string) {
	t.Helper()
	for {
		s.mu.Lock()
		text := s.text.String()
		s.mu.Unlock()
		if strings.Contains(text, want) {
			return
		}
		select {
		case <-s.more:
		case <-t.Context().Done():
			t.Fatalf("%q is not in %q", want, text)
		}
	}
}

// A process that has the memory open runs commands of other terminals: each speaks the
// language of its own user, also while another runs.
func TestLanguageBelongsToTheRun(t *testing.T) {
	h, shared := newHome(t), &app.Shared{}
	h.run(t, nil, "memory", "add", "--type", "preference", "喜欢茶")
	speaking := func(language string, args ...string) *Program {
		p, _, _ := h.program(args...)
		p.Env, p.Shared = append([]string{"LANG=" + language}, h.env...), shared
		return p
	}
	owner := speaking("zh_CN.UTF-8", "--screen-reader", "--typed")
	in, typing := io.Pipe()
	screen := &said{more: make(chan struct{}, 1)}
	owner.Stdin, owner.Stdout = in, screen
	ended := make(chan int)
	go func() { ended <- owner.Run(t.Context()) }()
	screen.until(t, "逐行模式")
	for _, c := range []struct{ language, want string }{
		{"en_US.UTF-8", "preference"}, {"zh_CN.UTF-8", "偏好"}, {"C", "preference"},
	} {
		p := speaking(c.language, "memory", "list")
		var out strings.Builder
		p.Stdout = &out
		if code := p.Run(t.Context()); code != ExitDone || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: code %d, %q", c.language, code, out.String())
		}
		_, _ = io.WriteString(typing, "/memories\n")
		screen.until(t, "共 1 条记忆")
	}
	_, _ = io.WriteString(typing, "/quit\n")
	_ = typing.Close()
	if code := <-ended; code != ExitDone {
		t.Errorf("code %d", code)
	}
	if text := screen.text.String(); strings.Contains(text, "in all") || strings.Count(text, "共 1 条记忆") != 3 {
		t.Errorf("%q", text)
	}
}

package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"memoria/ui/app"
	"memoria/ui/plain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// runLines runs the program line by line.
func runLines(ctx context.Context, s *app.Session, t Terminal) error {
	return plain.Run(ctx, plain.Options{Session: s, In: t.In, Out: t.Out, Typed: t.Typed, ByHand: t.ByHand, Interrupts: t.Interrupts})
}

// home is a place for a program of its own, without a configuration.
type home struct {
	dir string
	env []string
	now time.Time
}

func newHome(t *testing.T, env ...string) *home {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
		env = append(env, name+"="+filepath.Join(dir, name))
	}
	return &home{dir: dir, env: env, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
}

// program returns a program without standard input, and its two outputs.
func (h *home) program(args ...string) (p *Program, out, errs *bytes.Buffer) {
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	return &Program{
		Options: app.Options{Env: h.env, Now: func() time.Time { return h.now }, Version: "test"},
		Args:    args, Stdin: strings.NewReader(""), Stdout: out, Stderr: errs, Lines: runLines,
	}, out, errs
}

// run runs a program to its end.
func (h *home) run(t *testing.T, stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	p, out, errs := h.program(args...)
	if stdin != nil {
		p.Stdin = stdin
	}
	code = p.Run(t.Context())
	return code, out.String(), errs.String()
}

// Wrong usage is exit code 2, says what is wrong on stderr alone, and begins
// nothing.
func TestWrongUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"bogus"}, `unknown command "bogus"`},
		{[]string{"memory", "lst"}, "did you mean list?"},
		{[]string{"memory", "bogus"}, "'memoria memory --help'"},
		{[]string{"help", "nothing"}, `no command "nothing"`},
		{[]string{"help", "memory", "nothing"}, `no command "memory nothing"`},
		{[]string{"--bogus"}, "unknown flag"},
		{[]string{"ask", "-s"}, "needs an argument"},
		{[]string{"ask", "-s", "", "x"}, "needs the ID"},
		{[]string{"ask", "--new", "-s", "ABCD", "x"}, "use one of them"},
		{[]string{"ask"}, "needs a text"},
		{[]string{"ask", " \n "}, "needs a text"},
		{[]string{"recall"}, "needs a QUERY"},
		{[]string{"recall", "--k", "0", "x"}, "at least 1"},
		{[]string{"recall", "--k", "many", "x"}, "invalid"},
		{[]string{"context", "a", "1", "2"}, "at most 2"},
		{[]string{"memory", "show"}, "needs the ID of a memory"},
		{[]string{"memory", "show", "a", "b"}, `not "b" as well`},
		{[]string{"memory", "delete"}, "takes IDs of memories"},
		{[]string{"memory", "add"}, "needs a TEXT"},
		{[]string{"inbox", "list", "x"}, `"x"`},
		{[]string{"memory", "list", "--type", "opinion"}, "preference, fact, pattern"},
		{[]string{"memory", "list", "--limit", "-1"}, "not negative"},
		{[]string{"memory", "edit", "ABCD"}, "at least one of --content"},
		{[]string{"memory", "edit", "ABCD", "--agent", "x"}, "at least one of --content"},
		{[]string{"--agent", "Luna", "memory", "list"}, "a-z, 0-9"},
		{[]string{"session", "lst"}, "did you mean list?"},
		{[]string{"agent", "list", "x"}, `"x"`},
		{[]string{"session", "list", "--offset", "-1"}, "not negative"},
		{[]string{"session", "list", "--find", ""}, "needs words"},
		{[]string{"session", "show"}, "needs the ID of a session"},
		{[]string{"session", "show", "last", "--last", "0"}, "at least 1"},
		{[]string{"session", "rename", "last"}, "needs the ID of a session and a TITLE"},
		{[]string{"session", "delete"}, "needs the ID of a session"},
		{[]string{"session", "delete", "a", "b"}, `not "b" as well`},
		{[]string{"index", "shrink"}, `unknown command "shrink"`},
		{[]string{"index", "status", "x"}, `"x"`},
		{[]string{"models", "x"}, `"x"`},
		{[]string{"config", "chek"}, "did you mean check?"},
		{[]string{"config", "show", "x"}, `"x"`},
		{[]string{"backup", "later"}, `for a file of this name write ./later`},
		{[]string{"doctor", "--yes"}, "belong to --repair"},
		{[]string{"doctor", "x"}, `"x"`},
		{[]string{"completion"}, "needs a SHELL"},
		{[]string{"completion", "tcsh"}, "the shells are bash"},
		{[]string{"man", "x"}, `"x"`},
		{[]string{"version", "x"}, `"x"`},
	} {
		h := newHome(t)
		code, out, errs := h.run(t, nil, c.args...)
		if code != ExitUsage || out != "" || !strings.Contains(errs, c.want) || !strings.Contains(errs, "--help'") {
			t.Errorf("%q: code %d, stdout %q, stderr %q", c.args, code, out, errs)
		}
		if left, err := os.ReadDir(h.dir); err != nil || len(left) > 0 {
			t.Errorf("%q: wrote %v, %v", c.args, left, err)
		}
	}
}

// What cannot be stored is wrong usage too.
func TestInvalidMemoryIsWrongUsage(t *testing.T) {
	h := newHome(t)
	for want, args := range map[string][]string{
		"needs words":       {"memory", "add", " "},
		"between 0 and 1":   {"memory", "add", "--confidence", "7", "x"},
		"not JSON":          {"memory", "add", "--value", "{half", "x"},
		"the types are":     {"memory", "add", "--type", "opinion", "x"},
		"at most 600 (atom": {"memory", "add", strings.Repeat("茶", 601)},
	} {
		if code, out, errs := h.run(t, nil, args...); code != ExitUsage || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%.40q: code %d, stdout %q, stderr %q", args, code, out, errs)
		}
	}
}

func TestHelpIsAnAnswer(t *testing.T) {
	h := newHome(t)
	for _, args := range [][]string{{"--help"}, {"help"}, {"help", "memory", "edit"}, {"memory"}, {"ask", "--help"}, {"completion",
		"bash"}, {"--version"},
		{"session"}, {"config"}, {"index"}, {"backup"}, {"man"}, {"version"}, {"help", "doctor"}, {"help", "session", "delete"}} {
		code, out, errs := h.run(t, nil, args...)
		if code != ExitDone || out == "" || errs != "" {
			t.Errorf("%q: code %d, stdout %q, stderr %q", args, code, out, errs)
		}
		if strings.Contains(out, "\x1b") {
			t.Errorf("%q: coloured", args)
		}
	}
}

// An interrupt ends the wait for standard input: exit code 130.
func TestInterruptWhileReadingStdin(t *testing.T) {
	h := newHome(t)
	r, w := io.Pipe()
	defer func() { _ = w.Close() }()
	p, _, _ := h.program("ask", "x")
	p.Stdin = r
	ctx, cancel := context.WithCancel(t.Context())
	code := make(chan int)
	go func() { code <- p.Run(ctx) }()
	if _, err := w.Write([]byte("some")); err != nil { // it is reading
		t.Fatal(err)
	}
	cancel()
	if got := <-code; got != ExitInterrupted {
		t.Errorf("code %d", got)
	}
}

func TestTooMuchStdin(t *testing.T) {
	h := newHome(t)
	code, _, errs := h.run(t, io.LimitReader(zeros{}, maxStdin+1), "ask", "x")
	if code != ExitUsage || !strings.Contains(errs, "longer than 2 MB") {
		t.Errorf("code %d, stderr %q", code, errs)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '0'
	}
	return len(b), nil
}

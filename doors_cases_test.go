package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
)

// caseWait is how long a case waits for anything that should happen at once.
const caseWait = 2 * time.Minute

// caseHome is a home folder with its own data folder, in which the cases of the doors run
// the real program.
type caseHome struct {
	t   *testing.T
	dir string
	cwd string // the working directory of its commands
	env []string
}

// oneByOne skips a test with -short, which the race detector runs with: one short command after the other is slow
// there, and nothing is found in them.
func oneByOne(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one command after the other")
	}
}

// newCaseHome returns an empty home. Its path is short: a socket's path has at most 107
// bytes.
func newCaseHome(t *testing.T, env ...string) *caseHome {
	t.Helper()
	dir, err := os.MkdirTemp("", "mem")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return &caseHome{t: t, dir: dir, cwd: dir, env: append([]string{
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TZ=UTC", clockVariable + "=0s", "MEMORIA_MEMORY_ANALYSIS=rules",
	}, env...)}
}

// with returns the same home for commands with more variables.
func (h *caseHome) with(env ...string) *caseHome {
	out := *h
	out.env = append(append([]string(nil), h.env...), env...)
	return &out
}

// data returns the path of a file in the data folder.
func (h *caseHome) data(elem ...string) string {
	return filepath.Join(append([]string{h.dir, ".local", "share", "memoria"}, elem...)...)
}

// in returns the same home for commands with another working directory.
func (h *caseHome) in(dir string) *caseHome {
	out := *h
	out.cwd = dir
	return &out
}

// command returns a command of the program.
func (h *caseHome) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "memoria", args...)
	cmd.Env, cmd.Dir = h.env, h.cwd
	cmd.WaitDelay = time.Second
	return cmd
}

// feed runs a command with its standard input and returns its answer. A command that does
// not end has the exit code -1.
func (h *caseHome) feed(stdin io.Reader, args ...string) answer {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), caseWait)
	defer cancel()
	cmd := h.command(ctx, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &errs
	err := cmd.Run()
	return answer{code: exitCode(err), out: out.String(), err: errs.String(), interrupted: ctx.Err() != nil}
}

// try runs a command with an empty standard input.
func (h *caseHome) try(args ...string) answer {
	h.t.Helper()
	return h.feed(nil, args...)
}

// run runs a command that must succeed and returns its standard output.
func (h *caseHome) run(args ...string) string {
	h.t.Helper()
	a := h.try(args...)
	if a.code != 0 {
		h.t.Fatalf("memoria %s: exit code %d\n%s%s", strings.Join(args, " "), a.code, a.out, a.err)
	}
	return a.out
}

// read runs a command with --json and decodes its output.
func (h *caseHome) read(args ...string) object {
	h.t.Helper()
	out, o := h.run(append(args, "--json")...), object{}
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		h.t.Fatalf("memoria %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return o
}

// list runs a command with --json and returns the objects in a field of its output.
func (h *caseHome) list(field string, args ...string) []object {
	h.t.Helper()
	return objects(h.t, h.read(args...)[field])
}

// add remembers a text and returns the item's id.
func (h *caseHome) add(content string, args ...string) string {
	h.t.Helper()
	return text(h.t, h.read(append(append([]string{"memory", "add"}, args...), content)...), "id")
}

// mute mutes an item of the agent memoria. No process may have the data folder.
func (h *caseHome) mute(id string) {
	h.t.Helper()
	ctx := context.Background()
	m, err := manager.Open(ctx, manager.Options{
		Dir: h.data(), Config: write.DefaultConfig(), Now: func() time.Time { return time.Now().UTC() },
	})
	if err != nil {
		h.t.Fatal(err)
	}
	_, err = m.Learning().EditItem(ctx, "memoria", id, func(it *memory.Item) { it.State = memory.StateMuted })
	if err := errors.Join(err, m.Close()); err != nil {
		h.t.Fatal(err)
	}
}

// contentsOf returns the contents of items.
func contentsOf(t *testing.T, items []object) (out []string) {
	t.Helper()
	for _, it := range items {
		out = append(out, text(t, it, "content"))
	}
	return out
}

// caseProcess is a running program. Its standard output arrives line by line; what is not
// read is kept.
type caseProcess struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan string
	done  chan struct{} // closed when the program has ended
	mu    sync.Mutex
	errs  bytes.Buffer
}

// start starts the program, which is killed at the end of the test.
func (h *caseHome) start(args ...string) *caseProcess {
	h.t.Helper()
	p := &caseProcess{t: h.t, lines: make(chan string, 1<<16), done: make(chan struct{})}
	p.cmd = h.command(context.Background(), args...)
	p.cmd.Stderr = p
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		h.t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		scan := bufio.NewReader(out)
		for {
			line, err := scan.ReadString('\n')
			if line != "" {
				p.lines <- strings.TrimSuffix(line, "\n")
			}
			if err != nil {
				break
			}
		}
		close(p.lines)
		_ = p.cmd.Wait()
	}()
	h.t.Cleanup(func() {
		p.kill()
		if h.t.Failed() && p.stderr() != "" {
			h.t.Logf("standard error of memoria %s:\n%.4000s", strings.Join(args, " "), p.stderr())
		}
	})
	return p
}

// Write receives the program's standard error.
func (p *caseProcess) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.errs.Write(b)
}

func (p *caseProcess) stderr() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.errs.String()
}

// kill kills the program and waits for its end.
func (p *caseProcess) kill() {
	_ = p.cmd.Process.Kill()
	for range p.lines { // the reader must not block
	}
	<-p.done
}

// signal sends a signal and returns the exit code.
func (p *caseProcess) signal(s os.Signal) int {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
	return p.wait()
}

// wait waits for the program's end and returns its exit code.
func (p *caseProcess) wait() int {
	p.t.Helper()
	late := time.After(caseWait)
	for {
		select {
		case _, ok := <-p.lines:
			if !ok {
				<-p.done
				return p.cmd.ProcessState.ExitCode()
			}
		case <-late:
			p.t.Fatalf("the program has not ended; standard error:\n%s", p.stderr())
		}
	}
}

// line returns the next line of standard output.
func (p *caseProcess) line() string {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		if !ok {
			<-p.done
			p.t.Fatalf("the program ended with exit code %d:\n%s", p.cmd.ProcessState.ExitCode(), p.stderr())
		}
		return line
	case <-time.After(caseWait):
		p.t.Fatalf("no line on standard output; standard error:\n%s", p.stderr())
	}
	return ""
}

// until reads lines up to the first that matches, and returns it.
func (p *caseProcess) until(pattern string) string {
	p.t.Helper()
	for re := regexp.MustCompile(pattern); ; {
		if line := p.line(); re.MatchString(line) {
			return line
		}
	}
}

// say writes a line to the program's standard input.
func (p *caseProcess) say(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.stdin, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// resident returns the program's resident memory in bytes; ok is false where the system
// does not tell.
func (p *caseProcess) resident() (bytes int, ok bool) {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/status")
	if err != nil || runtime.GOOS != "linux" {
		return 0, false
	}
	m := regexp.MustCompile(`VmRSS:\s*(\d+) kB`).FindSubmatch(status)
	if m == nil {
		return 0, false
	}
	kb, err := strconv.Atoi(string(m[1]))
	return kb << 10, err == nil
}

// eventually waits until what holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), caseWait)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for !holds() {
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("%s: not within %s", what, caseWait)
		}
	}
}

// hasBytes returns a file below the home that holds these bytes, or "".
func (h *caseHome) hasBytes(want string) (where string) {
	h.t.Helper()
	_ = filepath.WalkDir(h.dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if b, err := os.ReadFile(name); err == nil && bytes.Contains(b, []byte(want)) {
			where = name
		}
		return nil
	})
	return where
}

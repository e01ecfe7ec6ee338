package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func init() {
	scriptCommands["halve"] = spoil(func(b []byte) []byte { return b[:len(b)/2] })
	scriptCommands["flip"] = spoil(func(b []byte) []byte {
		for i := 700; i < len(b); i += 700 {
			b[i] ^= 0xff
		}
		return b
	})
}

// spoil makes the commands halve FILE and flip FILE: the file loses its second half, or many
// of its bytes are inverted.
func spoil(how func([]byte) []byte) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		usage(ts, !neg && len(args) == 1, "halve|flip FILE")
		file := ts.MkAbs(args[0])
		b, err := os.ReadFile(file)
		ts.Check(err)
		ts.Check(os.WriteFile(file, how(b), 0o600))
	}
}

// copyOf returns a user with a copy of another one's home.
func (u *user) copyOf(t *testing.T) *user {
	t.Helper()
	out := newUser(t)
	if err := os.RemoveAll(out.home); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(out.home, os.DirFS(u.home)); err != nil {
		t.Fatal(err)
	}
	err := filepath.Walk(out.home, func(name string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		if info.IsDir() {
			return os.Chmod(name, 0o700)
		}
		return os.Chmod(name, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	out.ahead = u.ahead
	return out
}

// process runs a command in a process of its own, and kills it after the given time
// unless that is 0.
func (u *user) process(after time.Duration, args ...string) answer {
	u.t.Helper()
	cmd := exec.Command("memoria", args...)
	cmd.Env = append(u.env(), clockVariable+"="+u.ahead.String(), "TZ=UTC")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	if err := cmd.Start(); err != nil {
		u.t.Fatal(err)
	}
	limit := time.Minute
	if after > 0 {
		limit = after
	}
	kill := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		u.t.Fatal(err)
	}
	return answer{code: cmd.ProcessState.ExitCode(), out: out.String(), err: errs.String(), took: time.Since(began)}
}

// kills is how often a command is killed, MEMORIA_KILLS.
func kills(t *testing.T) int {
	t.Helper()
	oneByOne(t)
	if n, err := strconv.Atoi(os.Getenv("MEMORIA_KILLS")); err == nil {
		return n
	}
	return 6
}

// talk imports a conversation of n messages, each with the canary.
func (u *user) talk(c canary, n int) {
	u.t.Helper()
	var lines bytes.Buffer
	for i := range n {
		line, err := json.Marshal(map[string]string{
			"session": "of " + strconv.Itoa(n), "role": []string{"user", "assistant"}[i%2],
			"text": fmt.Sprintf("Number %d says that %s was there, %s", i, c.word, strings.Repeat("and it goes on, ", 20)),
		})
		if err != nil {
			u.t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	file := u.out("talk.jsonl")
	if err := os.WriteFile(file, lines.Bytes(), 0o600); err != nil {
		u.t.Fatal(err)
	}
	u.run("import", "jsonl", file, "--yes")
}

// D2, Q3: a program that is killed while it erases leaves a memory that is whole, and the
// next one finishes.
func TestErasingKilled(t *testing.T) {
	t.Parallel()
	n := kills(t)
	r := rand.New(rand.NewPCG(7, uint64(n)))
	c := newCanary(r, false)
	made := newUser(t)
	made.run("memory", "add", "Plays the cello")
	made.run("ask", "We spoke about the kiln.")
	made.talk(c, 600)
	made.run("memory", "add", "Owns a "+c.word)
	made.run("journal", "run")
	made.run("index", "rebuild")
	made.run("backup", "now")
	for _, s := range made.list("sessions", "session", "list", "--find", c.word) {
		made.run("session", "delete", text(t, s, "id"), "--with-memories", "--yes")
	}
	made.run(append([]string{"memory", "delete", "--yes"}, made.items(c)...)...)
	made.ahead += 11 * time.Minute

	commands := [][]string{{"forget", "--now"}, {"memory", "list"}, {"index", "compact"}}
	took := map[string]time.Duration{}
	for _, command := range commands {
		a := made.copyOf(t).process(0, command...)
		if a.code != 0 {
			t.Errorf("%v: exit code %d: %s", command, a.code, a.err)
		}
		took[command[0]] = a.took
	}
	killed := 0
	for i := range n {
		command := commands[[]int{0, 0, 0, 1, 0, 2}[i%6]]
		u := made.copyOf(t)
		for range 1 + r.IntN(2) { // the second one while it takes up what the first one left
			after := time.Duration(float64(took[command[0]])*r.Float64()) + time.Millisecond
			if a := u.process(after, command...); a.code == -1 {
				killed++
			}
		}
		for _, look := range [][]string{{"memory", "list"}, {"forget", "--now"}, {"archive", "search"}, {"doctor"}} {
			a := u.process(0, look...)
			if a.code != 0 {
				t.Errorf("kill %d of %v, then %v: exit code %d: %s%s", i, command, look, a.code, a.out, a.err)
			}
			if c.in(a.out) {
				t.Errorf("kill %d of %v: %v shows what is deleted", i, command, look)
			}
		}
		if got := u.run("memory", "list") + u.run("archive", "search"); !strings.Contains(got, "cello") || !strings.Contains(got, "kiln") {
			t.Errorf("kill %d of %v: what was not deleted is lost: %s", i, command, got)
		}
		if v, ok := u.verify(c); ok && !v.Verified {
			t.Errorf("kill %d of %v: forget --verify finds it: %.500s", i, command, fmt.Sprint(v.Found))
		}
		report(t, written{canary: c, how: fmt.Sprintf("kill %d of %v", i, command)}, "scope source", places(contents(t, u.data(), u.state(), u.config()), c))
	}
	t.Logf("%d rounds, %d processes killed while they ran; erasing takes %v", n, killed, took["forget"])
}

// D2, Q3: a program that is killed while it restores leaves the memory as it was or as the
// backup has it, and never shows what was deleted since.
func TestRestoreKilled(t *testing.T) {
	t.Parallel()
	n := kills(t)
	r := rand.New(rand.NewPCG(8, uint64(n)))
	c, kept := newCanary(r, false), newCanary(r, false)
	made := newUser(t)
	made.run("memory", "add", "Plays the cello")
	made.talk(kept, 400)
	gone := strings.TrimSpace(made.run("memory", "add", "Owns a "+c.word))
	made.run("ask", "--new", "We saw "+c.word+" on the way home.")
	file := made.out("one.backup")
	if a := made.process(0, "backup", file); a.code != 0 {
		t.Fatalf("backup: exit code %d: %s", a.code, a.err)
	}
	made.run("memory", "delete", "--yes", gone)
	var ids []string
	for id := range made.records(c) {
		ids = append(ids, id)
	}
	made.run(append([]string{"archive", "delete", "--with-memories", "--yes"}, ids...)...)
	made.run("memory", "add", "Owns a viola")
	made.ahead += 11 * time.Minute
	made.erase([]string{"memory", "list"})

	first := made.copyOf(t).process(0, "restore", file, "--yes")
	if first.code != 0 {
		t.Fatalf("restore: exit code %d: %s", first.code, first.err)
	}
	outcomes := map[string]int{}
	for i := range n {
		u := made.copyOf(t)
		u.process(time.Duration(float64(first.took)*r.Float64())+time.Millisecond, "restore", file, "--yes")
		a := u.process(0, "memory", "list", "--all")
		switch {
		case a.code != 0 || !strings.Contains(a.out, "cello"):
			t.Errorf("kill %d: exit code %d: %s%s", i, a.code, a.out, a.err)
		case strings.Contains(a.out, "viola"):
			outcomes["as it was"]++
		default:
			outcomes["restored"]++
		}
		if b := u.process(0, "archive", "search", "--limit", "0"); c.in(a.out) || c.in(b.out) {
			t.Errorf("kill %d: what is deleted is shown", i)
		} else if !kept.in(b.out) {
			t.Errorf("kill %d: the messages are lost: exit code %d: %s", i, b.code, b.err)
		}
		if a := u.process(0, "restore", file, "--yes"); a.code != 0 {
			t.Errorf("kill %d, then once more: exit code %d: %s", i, a.code, a.err)
		}
		if a := u.process(0, "memory", "list", "--all"); !strings.Contains(a.out, "cello") || strings.Contains(a.out, "viola") || c.in(a.out) {
			t.Errorf("kill %d, then once more: %s%s", i, a.out, a.err)
		}
		u.process(0, "forget", "--now")
		found := slices.DeleteFunc(contents(t, u.data(), u.state(), u.config()), func(in content) bool { return len(in.bytes) == 0 })
		report(t, written{canary: c, how: fmt.Sprintf("kill %d of restore", i)}, "scope source", places(found, c))
	}
	t.Logf("%d rounds: %v", n, outcomes)
}

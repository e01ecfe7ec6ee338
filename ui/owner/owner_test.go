package owner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var quiet = slog.New(slog.DiscardHandler)

// running is an owner that listens for a folder.
func running(t *testing.T, dir string, run func(context.Context, *Command) int) (closing func()) {
	t.Helper()
	closing = New(Options{Version: "v1", Run: run}).Opened(dir, quiet, func(string, ...any) {})
	if _, err := readPlace(dir); err != nil {
		t.Fatal(err)
	}
	return closing
}

// relay runs a command from a process of a version.
func relay(ctx context.Context, dir, version string, in io.Reader, args ...string) (out, errs string, code int, done bool, err error) {
	var stdout, stderr bytes.Buffer
	o := New(Options{
		Version: version, Env: []string{"MEMORIA_X=1", "SECRET=2", "MY_KEY=3"},
		Run: func(context.Context, *Command) int { return 99 },
	})
	code, done, err = o.Relay(ctx, Call{Args: args, Stdin: in, Stdout: &stdout, Stderr: &stderr, Dir: dir, Keys: []string{"MY_KEY"}})
	return stdout.String(), stderr.String(), code, done, err
}

func TestRelay(t *testing.T) {
	dir := t.TempDir()
	defer running(t, dir, func(_ context.Context, c *Command) int {
		c.Began()
		b, err := io.ReadAll(c.Stdin)
		_, _ = fmt.Fprintf(c.Stdout, "%s %d bytes, %v", strings.Join(c.Args, " "), len(b), err)
		_, _ = fmt.Fprint(c.Stderr, strings.Join(c.Env, " "), c.Stdin.IsTerminal(), filepath.IsAbs(c.Dir))
		return 7
	})()
	out, errs, code, done, err := relay(t.Context(), dir, "v1", strings.NewReader(strings.Repeat("x", 3*maxFrame)), "ask", "语")
	if want := fmt.Sprintf("ask 语 %d bytes, <nil>", 3*maxFrame); out != want || code != 7 || !done || err != nil {
		t.Errorf("%q, code %d, done %t, %v", out, code, done, err)
	}
	if !strings.HasPrefix(errs, "MEMORIA_X=1 MY_KEY=3") || strings.Contains(errs, "SECRET") || !strings.HasSuffix(errs, "false true") {
		t.Errorf("the command sees %q", errs)
	}
}

// What no command asked for stays in standard input.
func TestStdinIsPulled(t *testing.T) {
	dir := t.TempDir()
	defer running(t, dir, func(context.Context, *Command) int { return 0 })()
	in := strings.NewReader("the next command's")
	if _, _, code, _, err := relay(t.Context(), dir, "v1", in); code != 0 || err != nil || in.Len() == 0 {
		t.Errorf("code %d, %v, %d bytes are left", code, err, in.Len())
	}
}

func TestNoOwner(t *testing.T) {
	if _, _, _, done, err := relay(t.Context(), t.TempDir(), "v1", nil); done || err != nil {
		t.Errorf("done %t, %v", done, err)
	}
}

// A place that a crashed owner left is no owner, and the next owner replaces it.
func TestStalePlace(t *testing.T) {
	dir := t.TempDir()
	l, address, remove, err := listen(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if u, ok := l.(*net.UnixListener); ok {
		u.SetUnlinkOnClose(false)
	}
	_ = l.Close()
	if err := (place{Address: address, Nonce: random()}).write(dir); err != nil {
		t.Fatal(err)
	}
	if _, _, _, done, err := relay(t.Context(), dir, "v1", nil); done || err != nil {
		t.Errorf("with a stale place: done %t, %v", done, err)
	}
	closing := running(t, dir, func(context.Context, *Command) int { return 3 })
	if runtime.GOOS != "windows" {
		if _, err := os.Lstat(filepath.Dir(address)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the stale socket is there: %v", err)
		}
	}
	if _, _, code, _, err := relay(t.Context(), dir, "v1", nil); code != 3 || err != nil {
		t.Errorf("code %d, %v", code, err)
	}
	closing()
	remove()
	if _, err := os.Lstat(filepath.Join(dir, placeFile)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the place is there: %v", err)
	}
}

func TestOtherVersion(t *testing.T) {
	dir := t.TempDir()
	defer running(t, dir, func(context.Context, *Command) int { t.Error("it ran"); return 0 })()
	_, _, _, done, err := relay(t.Context(), dir, "v2", nil)
	var other *VersionError
	if !errors.As(err, &other) || !done || other.Owner != "v1" || other.Mine != "v2" || other.PID != os.Getpid() {
		t.Errorf("done %t, %v", done, err)
	}
}

// Neither side tells anything to one that does not know the nonce.
func TestProof(t *testing.T) {
	for name, c := range map[string]struct{ owner, caller []byte }{
		"same": {[]byte("n"), []byte("n")}, "other": {[]byte("n"), []byte("m")},
	} {
		a, b := net.Pipe()
		admitted := make(chan error, 1)
		go func() {
			admitted <- admit(a, c.owner, "v1")
			_ = a.Close()
		}()
		err := introduce(b, c.caller, "v1", 1)
		if ok := name == "same"; (err == nil) != ok || (<-admitted == nil) != ok {
			t.Errorf("%s nonce: %v", name, err)
		}
	}
}

// A process that replays the caller's own proof as the owner's is found out.
func TestReflection(t *testing.T) {
	a, b := net.Pipe()
	go func() {
		defer func() { _ = a.Close() }()
		var sent auth
		_ = writeJSON(a, kindHello, hello{Protocol: protocol, Challenge: random()})
		_ = readJSON(a, kindAuth, maxProof, &sent)
		_ = writeJSON(a, kindWelcome, welcome{Version: "v1", MAC: sent.MAC})
	}()
	if err := introduce(b, []byte("n"), "v1", 1); !errors.Is(err, errProof) {
		t.Errorf("error %v", err)
	}
}

// Garbage, silence and huge frames harm nothing.
func TestForeigners(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("dials sockets")
	}
	dir := t.TempDir()
	defer running(t, dir, func(context.Context, *Command) int { return 0 })()
	p, err := readPlace(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, say := range []string{"", "GET / HTTP/1.1\r\n\r\n", "\x02\xff\xff\xff\xff", "\x10\x00\x80\x00\x00", "\x02\x00\x00\x00\x02{}"} {
		conn, err := net.Dial("unix", p.Address)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, say)
		if say != "" {
			_, _ = io.Copy(io.Discard, conn) // until it is closed
		}
		_ = conn.Close()
	}
	if _, _, code, done, err := relay(t.Context(), dir, "v1", nil); code != 0 || !done || err != nil {
		t.Errorf("after them: code %d, done %t, %v", code, done, err)
	}
}

// A place that others may have written is not read.
func TestPlaceOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("has no modes")
	}
	dir := t.TempDir()
	defer running(t, dir, func(context.Context, *Command) int { return 0 })()
	if err := os.Chmod(filepath.Join(dir, placeFile), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readPlace(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// The folder of a socket has the set-group-ID bit of the folder that it is in, where that has it.
func TestGroupFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("has no modes")
	}
	top, err := os.MkdirTemp("/tmp", "m") // a short path
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(top) }()
	if err := os.Chmod(top, 0o700|os.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	o := New(Options{Version: "v1", Env: []string{"TMPDIR=" + top}, Run: func(context.Context, *Command) int { return 7 }})
	defer o.Opened(dir, quiet, func(string, ...any) {})()
	if _, _, code, done, err := relay(t.Context(), dir, "v1", nil); code != 7 || !done || err != nil {
		t.Errorf("code %d, done %t, %v", code, done, err)
	}
}

// A command of a caller that is gone, or that cancels, is cancelled.
func TestCancel(t *testing.T) {
	dir := t.TempDir()
	began, why := make(chan struct{}), make(chan error, 1)
	defer running(t, dir, func(ctx context.Context, c *Command) int {
		c.Began()
		close(began)
		<-ctx.Done()
		why <- context.Cause(ctx)
		return 130
	})()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-began
		cancel()
	}()
	if _, _, code, _, err := relay(ctx, dir, "v1", nil); code != 130 || err != nil || !errors.Is(<-why, errStop) {
		t.Errorf("code %d, %v", code, err)
	}
}

// The owner lets a short command end, and moves one that lasts to the next owner: here the
// caller itself, which gets what the command kept and the input that it did not take.
func TestMove(t *testing.T) {
	dir := t.TempDir()
	began := make(chan struct{})
	closing := running(t, dir, func(ctx context.Context, c *Command) int {
		c.Lasts()
		c.Began()
		c.KeepAgent("luna")
		c.KeepTemporary(true)
		line := make([]byte, 3)
		_, _ = io.ReadFull(c.Stdin, line)
		_, _ = c.Stdout.Write(line)
		close(began)
		<-ctx.Done()
		return 130
	})
	in, typed := io.Pipe()
	go func() {
		_, _ = io.WriteString(typed, "one")
		<-began
		closing()
		_, _ = io.WriteString(typed, "two")
	}()
	var stdout bytes.Buffer
	next := New(Options{Version: "v1", Run: func(_ context.Context, c *Command) int {
		rest := make([]byte, 3)
		_, _ = io.ReadFull(c.Stdin, rest)
		_, _ = fmt.Fprintf(c.Stdout, " %s %t %s", c.Resume.Agent, c.Resume.Temporary, rest)
		return 0
	}})
	code, done, err := next.Relay(t.Context(), Call{Stdin: in, Stdout: &stdout, Stderr: io.Discard, Dir: dir})
	if code != 0 || !done || err != nil || stdout.String() != "one luna true two" {
		t.Errorf("%q, code %d, %v", stdout.String(), code, err)
	}
}

// When an owner dies, a command that had not begun is begun again with the same input, and
// of one that had the caller says that it does not know.
func TestOwnerDies(t *testing.T) {
	for _, begun := range []bool{false, true} {
		dir := t.TempDir()
		closing := running(t, dir, func(_ context.Context, c *Command) int {
			if begun {
				c.Began()
			}
			one := make([]byte, 3)
			_, _ = io.ReadFull(c.Stdin, one)
			_ = removePlace(dir)
			_ = c.link.Close() // as its death does
			return 0
		})
		var stdout bytes.Buffer
		next := New(Options{Version: "v1", Run: func(_ context.Context, c *Command) int {
			b, _ := io.ReadAll(c.Stdin)
			_, _ = c.Stdout.Write(b)
			return 5
		}})
		code, done, err := next.Relay(t.Context(), Call{Stdin: strings.NewReader("onetwo"), Stdout: &stdout, Stderr: io.Discard, Dir: dir})
		switch {
		case begun && (!errors.Is(err, ErrUnknown) || !done):
			t.Errorf("begun: code %d, %v", code, err)
		case !begun && (code != 5 || err != nil || stdout.String() != "onetwo"):
			t.Errorf("not begun: code %d, %q, %v", code, stdout.String(), err)
		}
		closing()
	}
}

// A memory that is held by a process that does not listen is tried until it is free.
func TestHeld(t *testing.T) {
	dir, tries := t.TempDir(), 0
	o := New(Options{Version: "v1", Run: func(_ context.Context, c *Command) int {
		if tries++; tries < 3 {
			c.Held()
			return 1
		}
		return 4
	}})
	code, done, err := o.Relay(t.Context(), Call{Stdin: nil, Stdout: io.Discard, Stderr: io.Discard, Dir: dir, Held: true})
	if code != 4 || !done || err != nil || tries != 3 {
		t.Errorf("code %d after %d tries, %v", code, tries, err)
	}
}

// A slow caller keeps only its own command waiting, and is cut off at the end.
func TestSlowCaller(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the end of an owner")
	}
	dir := t.TempDir()
	began := make(chan struct{}, 1)
	closing := running(t, dir, func(ctx context.Context, c *Command) int {
		if len(c.Args) > 0 {
			return 0
		}
		c.Lasts()
		began <- struct{}{}
		for ctx.Err() == nil {
			if _, err := c.Stdout.Write(make([]byte, maxFrame)); err != nil {
				return 1
			}
		}
		return 1
	})
	stuck, release := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		o := New(Options{Version: "v1", Run: func(context.Context, *Command) int { return 0 }})
		_, _, _ = o.Relay(t.Context(), Call{Stdin: nil, Stdout: release, Stderr: io.Discard, Dir: dir})
	}()
	<-began
	if _, _, code, _, err := relay(t.Context(), dir, "v1", nil, "list"); code != 0 || err != nil {
		t.Errorf("beside it: code %d, %v", code, err)
	}
	start := time.Now()
	closing()
	if took := time.Since(start); took > drainTime {
		t.Errorf("the owner ended after %v", took)
	}
	_ = stuck.Close()
	<-ended
}

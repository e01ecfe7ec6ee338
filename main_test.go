package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/memory/retrieve"
	"memoria/ui/app"
	"memoria/ui/app/demo"
	"memoria/ui/clean/oracle"
	"memoria/ui/cli"
	"memoria/ui/config"
)

// The scripts run the real program as a process of its own. This variable moves
// its clock, which nothing but this wrapper knows.
const clockVariable = "TEST_CLOCK"

func TestMain(m *testing.M) {
	time.Local = time.UTC // as TZ says to the processes of the scripts
	testscript.Main(m, map[string]func(){"memoria": func() {
		ahead, err := time.ParseDuration(cmp.Or(os.Getenv(clockVariable), "0s"))
		if err != nil {
			panic(err)
		}
		os.Exit(run(func() time.Time { return time.Now().Add(ahead) }))
	}})
}

// variables are the environment variables that a script can set for the program.
var variables = sync.OnceValue(func() []string {
	names := []string{
		"PATH", "HOME", "TMPDIR", "LC_ALL", "OPENAI_API_KEY", config.BaseURLVariable,
		"MEMORIA_CONFIG", "MEMORIA_DATA_DIR", "MEMORY_RETRIEVAL_LIMIT", "MEMORY_EVICTION_THRESHOLD",
	}
	for _, s := range config.Settings() {
		names = append(names, s.Variable)
	}
	return names
})

// inside ARG…: runs "memoria ARG…" in the process of the test and expects exit code 0.
// Every process that reads a message compiles the rules, which takes half a second; this
// one compiles them once. Standard input is empty, and paths must be absolute.
func inside(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) > 0, "inside ARG…")
	if got := runInside(ts, args); got != 0 {
		ts.Fatalf("exit code %d, want 0", got)
	}
}

func runInside(ts *testscript.TestScript, args []string) int {
	ahead, err := time.ParseDuration(ts.Getenv(clockVariable))
	ts.Check(err)
	env := []string{
		"XDG_DATA_HOME=" + filepath.Dir(ts.Getenv("DATA")), "XDG_STATE_HOME=" + filepath.Dir(ts.Getenv("STATE")),
		"XDG_CONFIG_HOME=" + filepath.Dir(ts.Getenv("CONFIG")),
	}
	for _, name := range variables() {
		env = append(env, name+"="+ts.Getenv(name))
	}
	p := cli.Program{
		Options: app.Options{Env: env, Now: func() time.Time { return time.Now().Add(ahead) }, Version: version()},
		Args:    args, Stdin: strings.NewReader(""), Stdout: ts.Stdout(), Stderr: ts.Stderr(), Screen: screen, Lines: lines,
	}
	return p.Run(context.Background())
}

// sideBySide are the scripts in which much happens at once. The others run one short
// command after the other, which the race detector makes slow and finds nothing in.
var sideBySide = []string{
	"testdata/script/conversation.txt", "testdata/script/interrupt.txt", "testdata/script/learn.txt",
	"testdata/script/plain.txt", "testdata/script/searchtool.txt", "testdata/script/second.txt",
}

// TestScripts runs testdata/script, and with -short only those that [sideBySide] names.
// scriptCommands says what a script can do beside testscript's own commands.
func TestScripts(t *testing.T) {
	dir, files := "testdata/script", []string(nil)
	if testing.Short() {
		dir, files = "", sideBySide
	}
	testscript.Run(t, testscript.Params{
		Dir: dir, Files: files, Cmds: scriptCommands, Setup: setUpScript, RequireExplicitExec: true, RequireUniqueNames: true,
	})
}

// setUpScript gives a script a home of its own and a scripted model server at $SERVER.
func setUpScript(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	if err := os.Mkdir(home, 0o755); err != nil {
		return err
	}
	model := modeltest.New()
	model.Subject = subject
	listening := httptest.NewServer(model)
	env.Defer(func() {
		listening.CloseClientConnections()
		listening.Close()
	})
	env.Setenv("HOME", home)
	env.Setenv("DATA", filepath.Join(home, ".local", "share", "memoria"))
	env.Setenv("STATE", filepath.Join(home, ".local", "state", "memoria"))
	env.Setenv("CONFIG", filepath.Join(home, ".config", "memoria"))
	env.Setenv("TZ", "UTC")
	env.Setenv("SERVER", listening.URL+"/v1")
	env.Setenv(clockVariable, "0s")
	env.Values[serverKey{}] = model
	return nil
}

type serverKey struct{}

func server(ts *testscript.TestScript) *modeltest.Server {
	return ts.Value(serverKey{}).(*modeltest.Server)
}

var scriptCommands = map[string]func(*testscript.TestScript, bool, []string){
	"code": code, "inside": inside, "connect": connect, "history": history, "serve": serve, "requests": requests, "embeddings": embeddings,
	"interrupt": signalled(os.Interrupt), "crash": signalled(os.Kill),
	"terminate": signalled(syscall.SIGTERM), "hangup": signalled(syscall.SIGHUP), "onscreen": onScreen,
	"json": jsonValue, "keys": jsonKeys, "private": private, "nowhere": nowhere, "safe": safe,
}

func usage(ts *testscript.TestScript, ok bool, how string) {
	if !ok {
		ts.Fatalf("usage: %s", how)
	}
}

func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// code N COMMAND…: runs it, which may be [inside], and expects exit code N.
func code(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) >= 2, "code N COMMAND…")
	var got int
	if args[1] == "inside" {
		got = runInside(ts, args[2:])
	} else {
		got = exitCode(ts.Exec(args[1], args[2:]...))
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// subject is what the scripted server's vectors say that a text is about.
func subject(text string) string {
	for i, p := range retrieve.Probes() {
		if text == p.Question || text == p.Memory {
			return "probe " + strconv.Itoa(i)
		}
	}
	for _, w := range []string{"tea", "beverage", "茶"} {
		if strings.Contains(text, w) {
			return "drinks"
		}
	}
	return "that of " + text
}

// embeddings N [FILE]: expects that the server was asked N times for vectors of
// anything but the probes, and writes the last one's Authorization, model and texts to
// FILE.
func embeddings(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && (len(args) == 1 || len(args) == 2), "embeddings N [FILE]")
	var got []*modeltest.EmbedRequest
	for _, r := range server(ts).Embeddings() {
		if !strings.HasPrefix(subject(r.Input[0]), "probe ") {
			got = append(got, r)
		}
	}
	if strconv.Itoa(len(got)) != args[0] {
		ts.Fatalf("the server was asked %d times for vectors, want %s", len(got), args[0])
	}
	if len(args) == 2 {
		last := got[len(got)-1]
		out := fmt.Sprintf("Authorization: %s\n%s\n%s\n", last.Header.Get("Authorization"), last.Model, strings.Join(last.Input, "\n"))
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(out), 0o600))
	}
}

// history DIR: DIR holds the demo's history, of now.
func history(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "history DIR")
	ts.Check(demo.Fill(context.Background(), demo.Options{Dir: args[0], Agent: chat.Agent{ID: config.DefaultAgent}, Now: time.Now()}))
}

// connect: the program talks to the scripted server from now on.
func connect(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 0, "connect")
	ts.Setenv("MEMORIA_MODEL_BASE_URL", ts.Getenv("SERVER"))
	ts.Setenv("MEMORIA_MODEL_NAME", "scripted")
	ts.Setenv("MEMORIA_MEMORY_ANALYSIS", "rules") // the server answers what is said, and nothing else
}

// serve FILE…: the server's next answers, in the form of modeltest.ParseScript.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) > 0, "serve FILE…")
	for _, name := range args {
		steps, err := modeltest.ParseScript(strings.NewReader(ts.ReadFile(name)))
		ts.Check(err)
		server(ts).Add(steps...)
	}
}

// requests N [FILE]: waits until the server has had N requests, expects no more,
// and writes the last one's Authorization and body to FILE.
func requests(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && (len(args) == 1 || len(args) == 2), "requests N [FILE]")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	got := server(ts).Wait(ctx, want)
	if len(got) != want {
		ts.Fatalf("the server had %d requests, want %d", len(got), want)
	}
	if len(args) == 2 {
		last := got[len(got)-1]
		text := "Authorization: " + last.Header.Get("Authorization") + "\n" + last.Body + "\n"
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
	}
}

// signalled makes the commands interrupt, terminate, hangup and crash, N TEXT COMMAND…: it runs the
// command until TEXT is on its stdout, sends it the signal, and expects the exit
// code N, which is -1 for a process that was killed.
func signalled(sent os.Signal) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		usage(ts, !neg && len(args) >= 3, "interrupt|terminate|hangup|crash N TEXT COMMAND…")
		runUntil(ts, sent, args)
	}
}

func runUntil(ts *testscript.TestScript, sig os.Signal, args []string) {
	cmd := exec.Command(args[2], args[3:]...)
	cmd.Dir = ts.Getenv("HOME")
	for _, name := range []string{"HOME", "PATH", clockVariable, "MEMORIA_MODEL_BASE_URL", "MEMORIA_MODEL_NAME"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	errs := &bytes.Buffer{}
	cmd.Stderr = errs
	cmd.Stdin = strings.NewReader(ts.Getenv("TYPED"))
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	stuck := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	defer stuck.Stop()
	var said []byte
	piece := make([]byte, 512)
	for sent := false; err == nil; {
		var n int
		n, err = out.Read(piece)
		said = append(said, piece[:n]...)
		if !sent && bytes.Contains(said, []byte(args[1])) {
			sent = true
			ts.Check(cmd.Process.Signal(sig))
		}
	}
	got := exitCode(cmd.Wait())
	_, _ = ts.Stdout().Write(said)
	_, _ = ts.Stderr().Write(errs.Bytes())
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s\n%s%s", got, args[0], said, errs)
	}
}

// at follows a path such as items.0.id into stdout's JSON.
func at(ts *testscript.TestScript, path string) any {
	var v any
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	ts.Check(dec.Decode(&v))
	if _, err := dec.Token(); err != io.EOF {
		ts.Fatalf("stdout is more than one JSON value")
	}
	if path == "." {
		return v
	}
	for step := range strings.SplitSeq(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[step]
		case []any:
			i, err := strconv.Atoi(step)
			ts.Check(err)
			if i >= len(in) {
				ts.Fatalf("%s: there are only %d", path, len(in))
			}
			v = in[i]
		default:
			ts.Fatalf("%s: nothing lies below %v", path, v)
		}
	}
	return v
}

// json PATH VALUE: stdout's JSON has the value there. json PATH -> NAME sets an
// environment variable to it.
func jsonValue(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, len(args) == 2 || len(args) == 3 && args[1] == "->" && !neg, "[!] json PATH VALUE, or json PATH -> NAME")
	got := fmt.Sprint(at(ts, args[0]))
	if len(args) == 3 {
		ts.Setenv(args[2], got)
		return
	}
	if (got == args[1]) == neg {
		ts.Fatalf("%s is %q", args[0], got)
	}
}

// keys PATH NAME…: the object there has these fields and no others.
func jsonKeys(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) > 1, "keys PATH NAME…")
	object, ok := at(ts, args[0]).(map[string]any)
	if !ok {
		ts.Fatalf("%s is no object", args[0])
	}
	var got []string
	for name := range object {
		got = append(got, name)
	}
	want := slices.Sorted(slices.Values(args[1:]))
	if slices.Sort(got); !slices.Equal(got, want) {
		ts.Fatalf("%s has %v, want %v", args[0], got, want)
	}
}

func files(ts *testscript.TestScript, dir string, visit func(name string, info fs.FileInfo)) {
	n := 0
	ts.Check(filepath.WalkDir(ts.MkAbs(dir), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n++
			visit(name, info)
		}
		return err
	}))
	if n < 2 {
		ts.Fatalf("%s holds nothing", dir)
	}
}

// private DIR: it and all below is its owner's alone.
func private(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "private DIR")
	files(ts, args[0], func(name string, info fs.FileInfo) {
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[info.IsDir()]; info.Mode().Perm() != want {
			ts.Fatalf("%s has mode %o, want %o", name, info.Mode().Perm(), want)
		}
	})
}

// nowhere TEXT DIR: no file below has it.
func nowhere(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, len(args) == 2, "[!] nowhere TEXT DIR")
	found := ""
	files(ts, args[1], func(name string, info fs.FileInfo) {
		if info.Mode().IsRegular() && strings.Contains(ts.ReadFile(name), args[0]) {
			found = name
		}
	})
	if (found != "") != neg {
		ts.Fatalf("%q: found in %q", args[0], found)
	}
}

// safe stdout|stderr: it is text that commands no terminal and hides nothing.
func safe(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "safe stdout|stderr")
	if faults := oracle.Faults(oracle.Plain, ts.ReadFile(args[0])); len(faults) > 0 {
		ts.Fatalf("%s has %v: %+q", args[0], faults, ts.ReadFile(args[0]))
	}
}

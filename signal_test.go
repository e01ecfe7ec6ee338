package main

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
)

// signals are those that end the program, all but crash in order, by the names of the scripts.
var signals = map[string]os.Signal{"interrupt": os.Interrupt, "terminate": syscall.SIGTERM, "hangup": syscall.SIGHUP, "crash": os.Kill}

// onScreen SIGNAL N TEXT COMMAND…: runs the command in a terminal of its own with
// its errors apart, until TEXT is on it; sends the signal and expects the exit
// code N.
func onScreen(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) >= 4 && signals[args[0]] != nil, "onscreen interrupt|terminate|hangup|crash N TEXT COMMAND…")
	cmd := exec.Command(args[3], args[4:]...)
	cmd.Dir = ts.Getenv("HOME")
	cmd.Env = []string{"TERM=xterm-256color"}
	for _, name := range []string{"HOME", "PATH", clockVariable, "MEMORIA_MODEL_BASE_URL", "MEMORIA_MODEL_NAME"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	errs := &bytes.Buffer{}
	cmd.Stderr = errs
	screen, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 100, Rows: 30})
	ts.Check(err)
	defer func() { _ = screen.Close() }()
	stuck := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	defer stuck.Stop()
	var said []byte
	piece := make([]byte, 4096)
	for sent := false; err == nil; { // reading ends with the program
		var n int
		n, err = screen.Read(piece)
		said = append(said, piece[:n]...)
		if !sent && bytes.Contains(said, []byte(args[2])) {
			sent = true
			ts.Check(cmd.Process.Signal(signals[args[0]]))
		}
	}
	got := exitCode(cmd.Wait())
	_, _ = ts.Stdout().Write(said)
	_, _ = ts.Stderr().Write(errs.Bytes())
	if strconv.Itoa(got) != args[1] {
		ts.Fatalf("exit code %d, want %s\n%q %s", got, args[1], said, errs)
	}
}

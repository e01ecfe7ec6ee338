package owner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"memoria/chat"
	"memoria/ui/config"
	"memoria/ui/words"
)

// How long a caller tries.
const (
	// patience is how long it waits for a memory that is held by a process that does not
	// listen: one that starts, ends or repairs it.
	patience = 20 * time.Second
	// firstPause and lastPause are the pauses between two attempts, which double.
	firstPause = 10 * time.Millisecond
	lastPause  = 500 * time.Millisecond
)

// errNone says that no process listens for a data folder.
var errNone = errors.New("no memoria has the memory open")

// Told is an error with words for a person.
type Told struct {
	title, text, hint words.Message
	err               error
}

func (e *Told) Error() string { return e.err.Error() }
func (e *Told) Unwrap() error { return e.err }

// Told returns the words in the language of the run.
func (e *Told) Told(w words.Words) chat.Problem {
	return chat.Problem{Title: e.title.In(w.Language), Text: e.text.In(w.Language), Hint: e.hint.In(w.Language)}
}

// ErrUnknown says that an owner died while it ran a command, which may have been done.
var ErrUnknown = errors.New("the outcome of the command is not known")

// ErrSilent says that the process that holds a memory does not listen.
var ErrSilent = errors.New("the memory is held by a process that does not answer")

// told returns an error with the words that the catalogue has for what happened; args are
// those of its text.
func told(err error, what string, args ...any) error {
	return &Told{
		title: words.Later("owner." + what + ".title"), text: words.Later("owner."+what+".text", args...),
		hint: words.Later("owner." + what + ".hint"), err: err,
	}
}

// unknown is ErrUnknown in words.
func unknown() error { return told(ErrUnknown, "unknown") }

// silent is ErrSilent in words.
func silent(pid string) error { return told(ErrSilent, "silent", pid) }

// otherVersion is a [*VersionError] in words.
func otherVersion(e *VersionError) error { return told(e, "version", e.PID, e.Owner, e.Mine) }

// Relay lets the owner of the data folder run a command, and takes over when the owner ends.
// done is false if this process is to open the memory itself, because no other has it open.
// code is the exit code otherwise. The errors are [*Told], and nothing was done except in the
// case of [ErrUnknown].
func (o *Owner) Relay(ctx context.Context, call Call) (code int, done bool, err error) {
	c := &caller{
		call: call, env: o.passed(call.Keys), stdin: newStdin(call.Stdin), console: newConsole(call.Stdin, call.Stdout),
		clip: o.o.Clipboard,
	}
	if c.dir, err = os.Getwd(); err != nil {
		return 0, false, fmt.Errorf("finding the current folder: %w", err)
	}
	defer c.console.rescue()
	begin := func() (how ending, code int, err error) { return o.ask(ctx, c) }
	how, code, err := begin()
	if errors.Is(err, errNone) && !call.Held {
		return 0, false, nil
	}
	pause, late := firstPause, time.NewTimer(patience)
	defer late.Stop()
	for {
		switch {
		case errors.Is(err, errNone): // it is free, or its holder does not listen yet
		case err != nil:
			return 0, true, err
		case how == exited:
			return code, true, nil
		case how == lost && ctx.Err() != nil:
			return interrupted, true, nil
		case how == moved, c.lasts:
			c.console.clear()
			c.stdin.next()
			pause = firstPause
			late.Reset(patience)
		case c.begun || !c.stdin.again():
			return 0, true, unknown()
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, lastPause)
		case <-ctx.Done():
			return interrupted, true, nil
		case <-late.C:
			return 0, true, silent(holder(call.Dir))
		}
		if how, code, err = begin(); errors.Is(err, errNone) {
			var held bool
			if how, code, held = o.takeOver(ctx, c); !held {
				err = nil
			}
		}
	}
}

// interrupted is the exit code of an interrupted command.
const interrupted = 130

// holder names the process that holds a memory, as far as it is known.
func holder(dir string) string {
	b, err := os.ReadFile(filepath.Join(dir, "memoria.db.lock"))
	if pid := strings.TrimSpace(string(b)); err == nil && pid != "" && !strings.ContainsAny(pid, " \n") {
		return pid
	}
	return "?"
}

// ask lets the owner run the command. The error is errNone if no process listens.
func (o *Owner) ask(ctx context.Context, c *caller) (how ending, code int, err error) {
	p, err := readPlace(c.call.Dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return 0, 0, errNone
		}
		return 0, 0, err
	}
	dialing, stop := context.WithTimeout(ctx, proofTime)
	defer stop()
	conn, err := dial(dialing, p.Address)
	if err != nil {
		return 0, 0, errNone
	}
	undo := context.AfterFunc(dialing, func() { _ = conn.Close() })
	err = checkPeer(conn)
	if err == nil {
		err = introduce(conn, p.Nonce, o.o.Version, p.PID)
	}
	if !undo() && err == nil {
		err = errNone
	}
	var other *VersionError
	switch {
	case errors.As(err, &other):
		_ = conn.Close()
		return 0, 0, otherVersion(other)
	case err != nil: // it ends, or is none of ours
		_ = conn.Close()
		return 0, 0, errNone
	}
	how, code = c.relay(ctx, &link{Conn: conn})
	return how, code, nil
}

// takeOver runs the command in this process, which becomes the owner if it gets the store.
// held says that it did not.
func (o *Owner) takeOver(ctx context.Context, c *caller) (how ending, code int, held bool) {
	mine, other := net.Pipe()
	ended := make(chan bool, 1)
	go func() {
		l := &link{Conn: other}
		var r request
		if readJSON(l, kindRun, maxRun, &r) != nil {
			ended <- false
			return
		}
		ended <- o.serve(l, r, true, slog.New(slog.DiscardHandler))
	}()
	how, code = c.relay(ctx, &link{Conn: mine})
	return how, code, <-ended
}

// kept are the variables of the environment that a command may read, or their beginnings.
var kept = []string{
	"MEMORIA_", "MEMORY_", "OPENAI_", "XDG_", "LC_", "HOME=", "LANG=", "LANGUAGE=", "TZ=", "TMPDIR=", "TERM", "COLOR", "CLICOLOR",
	"NO_COLOR=", "TMUX=", "STY=", "VISUAL=", "EDITOR=", "WT_SESSION=", "SSH_TTY=", "PATH=", "DISPLAY=", "WAYLAND_DISPLAY=",
	"USERPROFILE=", "APPDATA=", "LOCALAPPDATA=",
}

// passed are the variables that go to the owner: those that a command may read, and those
// that hold the keys of this command.
func (o *Owner) passed(keys []string) (out []string) {
	for _, kv := range o.o.Env {
		name, _, _ := strings.Cut(kv, "=")
		if slices.Contains(keys, name) || slices.ContainsFunc(kept, func(begin string) bool { return strings.HasPrefix(kv, begin) }) {
			out = append(out, kv)
		}
	}
	for name, dir := range map[string]string{
		"XDG_CONFIG_HOME": xdg.ConfigHome, "XDG_DATA_HOME": xdg.DataHome, "XDG_STATE_HOME": xdg.StateHome,
	} {
		if !filepath.IsAbs(config.Lookup(out, name)) { // the owner's own may be others
			out = append(out, name+"="+dir)
		}
	}
	return out
}

package editor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// folder is the prefix of the names of these folders; file is the name of the text
// inside.
const (
	folder = "editing-"
	file   = "message.md"
)

// maxText is the largest text that is read back, in bytes.
const maxText = 8 << 20

// Of returns the editor for a program that has the terminal: that of [Named], else a usual one that
// is on the PATH of the environment; "" for none.
func Of(env []string) string {
	if named := Named(env); named != "" {
		return named
	}
	return usual(env)
}

// Named returns the user's editor as the environment names it, VISUAL before EDITOR; "" for none. The
// command may contain arguments. A command of the shell, which may run without a person, opens no other.
func Named(env []string) string {
	for _, name := range []string{"VISUAL=", "EDITOR="} {
		// Of several entries the last one counts, as in os/exec.
		for _, kv := range slices.Backward(env) {
			if v, ok := strings.CutPrefix(kv, name); ok {
				if v = strings.TrimSpace(v); v != "" {
					return v
				}
				break
			}
		}
	}
	return ""
}

// usual returns an editor that is on the PATH: one that tells how to leave it comes first.
func usual(env []string) string {
	if runtime.GOOS == "windows" {
		return "notepad"
	}
	path := ""
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, "PATH="); ok {
			path = v
		}
	}
	for _, name := range []string{"nano", "vim", "vi"} {
		for _, dir := range filepath.SplitList(path) {
			if !filepath.IsAbs(dir) {
				continue
			}
			if _, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
				return name
			}
		}
	}
	return ""
}

// Text is a text that is open in an editor. Close removes it.
type Text struct{ dir string }

// Begin writes a text to a new folder in the data folder. Folders left by a killed
// program are removed.
func Begin(data, text string) (*Text, error) {
	RemoveLeft(data)
	dir, err := os.MkdirTemp(data, folder)
	if err != nil {
		return nil, err
	}
	t := &Text{dir: dir}
	if err := os.WriteFile(t.path(), []byte(text), 0o600); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

func (t *Text) path() string { return filepath.Join(t.dir, file) }

// Command returns the command that opens the text. A shell parses the editor's
// arguments, as in git.
func (t *Text) Command(ctx context.Context, command string) *exec.Cmd {
	return Command(ctx, command, t.path())
}

// Command returns the command that opens one of the user's files.
func Command(ctx context.Context, command, path string) *exec.Cmd {
	return exec.CommandContext(ctx, "sh", "-c", command+` "$1"`, "sh", path)
}

// Read returns the edited text without the newline that editors put at the end of a
// file.
func (t *Text) Read() (string, error) {
	f, err := os.Open(t.path())
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxText+1))
	if err != nil {
		return "", err
	}
	if len(b) > maxText {
		return "", fmt.Errorf("the text is larger than %d MB", maxText>>20)
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r"), nil
}

// Close removes the text and its folder.
func (t *Text) Close() error { return os.RemoveAll(t.dir) }

// RemoveLeft removes the folders that a killed program left.
func RemoveLeft(data string) {
	left, _ := filepath.Glob(filepath.Join(data, folder+"*"))
	for _, dir := range left {
		_ = os.RemoveAll(dir)
	}
}

package editor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// folder begins the names of the folders, file is the text in one.
const (
	folder = "editing-"
	file   = "message.md"
)

// maxText bounds what comes back, in bytes.
const maxText = 8 << 20

// Of is what an environment calls the user's editor, VISUAL before EDITOR; empty
// when it names none. It may have arguments.
func Of(env []string) string {
	for _, name := range []string{"VISUAL=", "EDITOR="} {
		// Of several entries the last counts, as for os/exec.
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

// Text is a text on its way through an editor. Close removes it.
type Text struct{ dir string }

// Begin writes a text below the data folder. What a killed program left there is
// removed.
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

// Command is the editor with the text. The command may have arguments, so a shell
// reads it, as git and others do.
func (t *Text) Command(ctx context.Context, command string) *exec.Cmd {
	return Command(ctx, command, t.path())
}

// Command is the editor with a file of the user's.
func Command(ctx context.Context, command, path string) *exec.Cmd {
	return exec.CommandContext(ctx, "sh", "-c", command+` "$1"`, "sh", path)
}

// Read returns what the editor left. The line end that editors put at the end of a
// file is not part of it.
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
		return "", fmt.Errorf("it is larger than %d MB", maxText>>20)
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r"), nil
}

// Close removes the text with all that lies beside it.
func (t *Text) Close() error { return os.RemoveAll(t.dir) }

// RemoveLeft removes what a killed program left.
func RemoveLeft(data string) {
	left, _ := filepath.Glob(filepath.Join(data, folder+"*"))
	for _, dir := range left {
		_ = os.RemoveAll(dir)
	}
}

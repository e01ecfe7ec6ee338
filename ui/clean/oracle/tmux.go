package oracle

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	border = "│"
	hit    = "╳" // written over each border at its expected place
)

// Straight draws rows in tmux and fails the test if a border │ is not at the column
// that width computes for it. Rows may contain SGR sequences and have at most 200
// cells. The test is skipped without tmux or with -short.
func Straight(t testing.TB, width func(string) int, rows []string) {
	t.Helper()
	var out strings.Builder
	for _, row := range rows {
		out.WriteString(row)
		for i := 0; i < len(row); i++ {
			if strings.HasPrefix(row[i:], border) {
				fmt.Fprintf(&out, "\x1b[%dG%s", width(row[:i])+1, hit)
			}
		}
		out.WriteString("\r\n")
	}
	shown := screen(t, out.String(), len(rows))
	for i, row := range rows {
		if strings.Contains(shown[i], border) || strings.Count(shown[i], hit) != strings.Count(row, border)+strings.Count(row, hit) {
			t.Errorf("a border is not where it was counted in %q:\n%s\n%s", row, row, shown[i])
		}
	}
}

// screen shows out in a private tmux and returns its first rows. It queries the
// terminal for its cursor at the end: the reply means that everything has been drawn.
func screen(t testing.TB, out string, rows int) []string {
	t.Helper()
	tmux, err := exec.LookPath("tmux")
	if err != nil || testing.Short() {
		t.Skip("needs tmux")
	}
	dir := t.TempDir()
	name, socket := filepath.Join(dir, "rows"), filepath.Join(dir, "tmux")
	if err := os.WriteFile(name, []byte(out+"\x1b[6n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) ([]byte, error) {
		setting := []string{"LC_ALL=C.UTF-8", "TERM=xterm-256color", "SHELL=/bin/sh", tmux, "-u", "-S", socket, "-f", os.DevNull}
		return exec.Command("env", append(setting, args...)...).CombinedOutput()
	}
	inside := strings.Join([]string{
		"stty raw -echo",
		fmt.Sprintf("cat '%s'", name),
		"dd bs=1 count=1 >/dev/null 2>&1",
		fmt.Sprintf("'%s' -S '%s' wait-for -S drawn", tmux, socket),
		"exec tail -f /dev/null",
	}, "; ")
	said, err := run("new-session", "-d", "-x", "200", "-y", fmt.Sprint(rows+2), inside, ";", "wait-for", "drawn")
	defer func() { _, _ = run("kill-server") }()
	if err != nil {
		t.Skipf("tmux does not start: %v: %s", err, said)
	}
	said, err = run("capture-pane", "-p", "-S", "0", "-E", fmt.Sprint(rows-1))
	if err != nil || !utf8.Valid(said) {
		t.Fatalf("reading the screen: %v: %q", err, said)
	}
	lines := strings.Split(string(said), "\n")
	if len(lines) < rows {
		t.Fatalf("%d rows on the screen, want %d", len(lines), rows)
	}
	return lines
}

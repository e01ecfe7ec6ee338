package tomlfile

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// changerFile names the file to a process that changes it, changerKey what it sets, to
// the numbers from 1.
const (
	changerFile = "MEMORIA_TEST_TOML_FILE"
	changerKey  = "MEMORIA_TEST_TOML_KEY"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(changerFile); path != "" {
		if err := changeOften(path, os.Getenv(changerKey)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const changes = 12

// changeOften sets keys one after the other and says before each how often it was
// asked for the last one, and whether it then saw what another had set before.
func changeOften(path, key string) error {
	fmt.Println("begins")
	for n := 1; n <= changes; n++ {
		calls, saw := 0, false
		err := Change(path, "", func(text string) (string, error) {
			if calls++; calls == 1 {
				saw = strings.Contains(text, "first = true")
			}
			return Edit(text, []string{key, fmt.Sprintf("k%d", n)}, fmt.Sprint(n))
		})
		if err != nil {
			return err
		}
		fmt.Println(n, calls, saw)
	}
	return nil
}

func changer(t *testing.T, path, key string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), changerFile+"="+path, changerKey+"="+key)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// I5: while one process changes the file, another waits, and sees then what it changed.
func TestProcessWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	write(t, path, "# mine\n")
	var cmd *exec.Cmd
	var out *bufio.Scanner
	err := Change(path, "", func(text string) (string, error) {
		if cmd == nil {
			if cmd, out = changer(t, path, "other"); !out.Scan() || out.Text() != "begins" {
				t.Errorf("the other process says %q", out.Text())
			}
		}
		return Edit(text, []string{"first"}, "true")
	})
	if err != nil {
		t.Fatal(err)
	}
	if !out.Scan() || out.Text() != "1 1 true" {
		t.Errorf("the other process says %q", out.Text())
	}
	for out.Scan() {
		continue
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	alone(t, path)
}

// I5: of the changes that several processes make at once none is lost, also when there
// was neither file nor folder.
func TestProcessesAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "config.toml")
	var all []*exec.Cmd
	for _, key := range []string{"a", "b", "c"} {
		cmd, out := changer(t, path, key)
		go func() {
			for out.Scan() {
				continue
			}
		}()
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	got := content(t, path)
	for _, key := range []string{"a", "b", "c"} {
		if n := strings.Count(got, "["+key+"]"); n != 1 {
			t.Errorf("%d tables %s", n, key)
		}
	}
	if n := strings.Count(got, "\nk"); n != 3*changes {
		t.Errorf("%d of %d changes are there:\n%s", n, 3*changes, got)
	}
	alone(t, path)
}

package manager_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain is also where the processes begin that tests start: the test binary
// again, with the name of a child and a path.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && strings.HasPrefix(os.Args[1], "__") {
		os.Exit(beChild(os.Args[1], os.Args[2]))
	}
	goleak.VerifyTestMain(m)
}

// children are other programs that the test binary can be; each gets a path.
var children = map[string]func(path string) error{}

func beChild(name, path string) int {
	do := children[name]
	if do == nil {
		fmt.Fprintln(os.Stderr, "no such child:", name)
		return 2
	}
	if err := do(path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// A victim is a child that works on a data folder for ever, and prints a line
// after each thing it did that must last, until it is killed.
type victim struct {
	cmd    *exec.Cmd
	out    *bufio.Reader
	stderr bytes.Buffer
}

func newVictim(t *testing.T, name, dir string) *victim {
	t.Helper()
	v := &victim{cmd: exec.Command(os.Args[0], name, dir)}
	v.cmd.Stderr = &v.stderr
	out, err := v.cmd.StdoutPipe()
	if err == nil {
		v.out = bufio.NewReader(out)
		err = v.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// kill kills it at some moment within a time from now.
func (v *victim) kill(within time.Duration) {
	time.AfterFunc(rand.N(within), func() { _ = v.cmd.Process.Kill() })
}

// live calls f with each line until the victim is dead. A line that
// was cut off was not acknowledged. To die by itself is an error, and so is a word
// on its stderr, as of a data race.
func (v *victim) live(t *testing.T, f func(line string)) {
	t.Helper()
	for {
		line, err := v.out.ReadString('\n')
		if err != nil {
			break
		}
		f(strings.TrimSuffix(line, "\n"))
	}
	if err := v.cmd.Wait(); err == nil || v.stderr.Len() > 0 {
		t.Fatalf("the process ended by itself: %v %s", err, v.stderr.String())
	}
}

// killedAfter lets a victim print some lines, kills it within a time from then, and
// calls f with each line: what it did, and with what.
func killedAfter(t *testing.T, name, dir string, lines int, within time.Duration, f func(what, id string)) {
	t.Helper()
	v := newVictim(t, name, dir)
	v.live(t, func(line string) {
		what, id, _ := strings.Cut(line, " ")
		f(what, id)
		if lines--; lines == 0 {
			v.kill(within)
		}
	})
}

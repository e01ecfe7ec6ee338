package index

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The test binary starts itself again with these set, to be killed or to meet
// damaged files.
const (
	childRole = "MEMORIA_INDEX_TEST_CHILD"
	childDir  = "MEMORIA_INDEX_TEST_DIR"
)

func child(role string) int {
	dir := os.Getenv(childDir)
	switch role {
	case "apply":
		return applyForEver(dir, os.Stdout)
	case "open":
		return openDamaged(dir, os.Stdout)
	}
	return 2
}

func childCommand(ctx context.Context, tb testing.TB, role, dir string) *exec.Cmd {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), childRole+"="+role, childDir+"="+dir)
	return cmd
}

// historyBatch is the batch of a sequence in the history that all processes
// know.
func historyBatch(sequence uint64) Batch {
	return randomBatch(rand.New(rand.NewPCG(sequence, 77)), 50)
}

func history(sequence uint64) model {
	m := model{}
	for n := range sequence {
		m.apply(historyBatch(n + 1))
	}
	return m
}

// applyForEver goes on with the history where the index stands, and names each
// sequence when Apply has returned.
func applyForEver(dir string, out io.Writer) int {
	ix, err := Open(context.Background(), Options{Dir: dir})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	sequence, _ := ix.Sequence()
	for {
		sequence++
		if err := ix.Apply(historyBatch(sequence), sequence); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if _, err := fmt.Fprintln(out, sequence); err != nil {
			return 1
		}
	}
}

func rounds(tb testing.TB, def int) int {
	tb.Helper()
	s := os.Getenv("MEMORIA_KILL_ROUNDS")
	if s == "" {
		return def
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// Q3: after kill -9 at any moment of an Apply the index is, as a whole, what it
// was after the sequence of its marker, and no Apply that returned is lost.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	var acknowledged uint64
	for range rounds(t, 20) {
		acknowledged = killOnce(t, dir, rng, acknowledged)
		ix := mustOpen(t, Options{Dir: dir})
		sequence, _ := ix.Sequence()
		if sequence < acknowledged {
			t.Fatalf("sequence %d, but %d was acknowledged", sequence, acknowledged)
		}
		agree(t, ix, history(sequence), rng, 3)
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 40 {
		t.Errorf("%d files left, %v", len(files), err)
	}
	t.Logf("%d batches acknowledged", acknowledged)
}

// killOnce lets a child apply batches for a moment, kills it, and gives the
// last sequence that it named.
func killOnce(t *testing.T, dir string, rng *rand.Rand, last uint64) uint64 {
	t.Helper()
	cmd := childCommand(t.Context(), t, "apply", dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for seen := false; lines.Scan(); {
		if last, err = strconv.ParseUint(strings.TrimSpace(lines.Text()), 10, 64); err != nil {
			t.Fatal(err)
		}
		if !seen {
			seen = true
			timer := time.AfterFunc(time.Duration(rng.IntN(40_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
			defer timer.Stop()
		}
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Exited() {
		t.Fatalf("child ended by itself: %v: %s", err, stderr.String())
	}
	return last
}

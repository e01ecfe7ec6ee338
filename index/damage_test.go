package index

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// damageSequence is where the index that gets damaged stands.
const damageSequence = 40

// damagedIndex makes an index of several segments and gives its files.
func damagedIndex(t *testing.T) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	ix := mustOpen(t, Options{Dir: dir})
	for n := range uint64(damageSequence) {
		apply(t, ix, n+1, historyBatch(n+1))
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	// On a busy machine many files are left over. Damage to them would say nothing.
	if err := mustOpen(t, Options{Dir: dir}).Close(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = b
	}
	return files
}

// injury changes a file's content; nil removes the file.
type injury struct {
	name string
	do   func(rng *rand.Rand, b []byte) []byte
}

var injuries = []injury{
	{"flipped bit", func(rng *rand.Rand, b []byte) []byte {
		b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		return b
	}},
	{"changed byte", func(rng *rand.Rand, b []byte) []byte {
		b[rng.IntN(len(b))] += byte(1 + rng.IntN(255))
		return b
	}},
	{"truncated", func(rng *rand.Rand, b []byte) []byte { return b[:rng.IntN(len(b))] }},
	{"zeroed page", func(rng *rand.Rand, b []byte) []byte {
		from := rng.IntN(len(b)) &^ 511
		clear(b[from:min(len(b), from+512<<rng.IntN(4))])
		return b
	}},
	{"zeroed", func(_ *rand.Rand, b []byte) []byte { clear(b); return b }},
	{"longer", func(rng *rand.Rand, b []byte) []byte { return append(b, make([]byte, 1+rng.IntN(600))...) }},
	{"empty", func(*rand.Rand, []byte) []byte { return []byte{} }},
	{"missing", func(*rand.Rand, []byte) []byte { return nil }},
}

// damage writes a copy of files with one or two of them damaged.
func damage(t *testing.T, rng *rand.Rand, files map[string][]byte, names []string, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	did := map[string]string{}
	if rng.IntN(10) == 0 { // one file in the place of another
		a, b := names[rng.IntN(len(names))], names[rng.IntN(len(names))]
		files = maps.Clone(files)
		files[a], files[b] = files[b], files[a]
		did[a], did[b] = "was "+b, "was "+a
	} else {
		for range 1 + rng.IntN(2) {
			did[names[rng.IntN(len(names))]] = ""
		}
	}
	return write(t, rng, files, names, did, dir)
}

func write(t *testing.T, rng *rand.Rand, files map[string][]byte, names []string, did map[string]string, dir string) string {
	t.Helper()
	for _, name := range names {
		b := append([]byte{}, files[name]...)
		if how, hurt := did[name]; hurt && how == "" && len(b) > 0 {
			i := injuries[rng.IntN(len(injuries))]
			did[name] = i.name
			if b = i.do(rng, b); b == nil {
				continue
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprint(did)
}

// Q3: damaged files never crash or hang the program. The index says that it is
// broken, or is right.
func TestDamage(t *testing.T) {
	files := damagedIndex(t)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, files %v", seed, names)
	rng := rand.New(rand.NewPCG(seed, 1))
	root := t.TempDir()
	how := map[string]string{}
	copies := 10 * rounds(t, 20)
	for i := range copies {
		name := fmt.Sprintf("copy-%03d", i)
		how[name] = damage(t, rng, files, names, filepath.Join(root, name))
	}

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := childCommand(ctx, t, "open", root)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	verdicts, at := map[string]int{}, ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		name, verdict, ended := strings.Cut(lines.Text(), " ")
		at = name
		if !ended {
			continue
		}
		verdicts[strings.Fields(verdict)[0]]++
		if strings.HasPrefix(verdict, "WRONG") {
			t.Errorf("%s, %s: %s", name, how[name], verdict)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v at %s, %s: %s", err, at, how[at], stderr.String())
	}
	t.Logf("%v", verdicts)
	if verdicts["broken"] < copies/2 || verdicts["broken"]+verdicts["right"] != copies {
		t.Errorf("verdicts %v of %d", verdicts, copies)
	}
}

// openDamaged opens each folder in root and names it before and, with a
// verdict, after.
func openDamaged(root string, out io.Writer) int {
	entries, err := os.ReadDir(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, e := range entries {
		_, err := fmt.Fprintf(out, "%s\n", e.Name())
		if err == nil {
			_, err = fmt.Fprintf(out, "%s %s\n", e.Name(), verdict(filepath.Join(root, e.Name())))
		}
		if err != nil {
			return 1
		}
	}
	return 0
}

func verdict(dir string) string {
	ix, err := Open(context.Background(), Options{Dir: dir})
	switch {
	case errors.Is(err, ErrBroken):
		return rebuilt(dir)
	case err != nil:
		return "WRONG error: " + err.Error()
	}
	defer func() { _ = ix.Close() }()
	rng := rand.New(rand.NewPCG(1, 1))
	sequence, _ := ix.Sequence()
	if problem := disagreement(ix, history(sequence), rng, 10); problem != "" {
		return fmt.Sprintf("WRONG at sequence %d: %s", sequence, strings.ReplaceAll(problem, "\n", " "))
	}
	// It can be written on, too.
	for n := range uint64(5) {
		if err := ix.Apply(historyBatch(sequence+n+1), sequence+n+1); err != nil {
			return "WRONG apply: " + err.Error()
		}
	}
	if problem := disagreement(ix, history(sequence+5), rng, 3); problem != "" {
		return "WRONG after apply: " + strings.ReplaceAll(problem, "\n", " ")
	}
	return "right"
}

// rebuilt does what a caller does about a broken index.
func rebuilt(dir string) string {
	if err := Destroy(dir); err != nil {
		return "WRONG destroy: " + err.Error()
	}
	ix, err := Open(context.Background(), Options{Dir: dir})
	if err != nil {
		return "WRONG after destroy: " + err.Error()
	}
	defer func() { _ = ix.Close() }()
	if n, err := ix.Count(); n != 0 || err != nil {
		return fmt.Sprintf("WRONG after destroy: %d documents, %v", n, err)
	}
	return "broken"
}

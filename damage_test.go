package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/kv/damage"
)

// The program may think for ten seconds over a damaged copy, and wait for two minutes.
const (
	damageThinks = 10 * time.Second
	damageWaits  = 2 * time.Minute
)

// answer is what one command said.
type answer struct {
	code        int
	out, err    string
	took        time.Duration
	interrupted bool
}

// commandOn runs a command in a home of its own.
func commandOn(t *testing.T, home string, args ...string) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), damageWaits)
	defer cancel()
	cmd := exec.CommandContext(ctx, "memoria", args...)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), clockVariable + "=0s", "TZ=UTC"}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	s := cmd.ProcessState
	return answer{s.ExitCode(), out.String(), errs.String(), s.UserTime() + s.SystemTime(), ctx.Err() != nil}
}

// shown are the values of a JSON answer that have a number, each as it was printed. extra
// are the names beside the list, which tell of damage.
func shown(out string) (values map[string]string, extra []string) {
	values = map[string]string{}
	var page map[string]json.RawMessage
	if json.Unmarshal([]byte(out), &page) != nil {
		return values, nil
	}
	for name, raw := range page {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			extra = append(extra, name)
			continue
		}
		for _, v := range list {
			var of struct {
				ID     string
				Record json.RawMessage
			}
			if json.Unmarshal(v, &of) == nil && of.Record != nil { // its score depends on what else is there
				v = of.Record
				_ = json.Unmarshal(v, &of)
			}
			if of.ID != "" {
				values[name+" "+of.ID] = string(v)
			}
		}
	}
	return values, extra
}

// looks are the commands that read a damaged copy; the first shows the sessions, and the
// last is for one of them.
var looks = [][]string{
	{"session", "list", "--json"},
	{"memory", "list", "--all", "--json"},
	{"archive", "search", "cello", "--json"},
	{"session", "show", "--json"},
}

// Q3, K4: of a damaged copy no command of the program shows something wrong as right, says
// nothing when something is missing, crashes or thinks for longer than ten seconds; and
// what it says it has kept is there. MEMORIA_COPIES and MEMORIA_SEED as in the campaign.
func TestDamagedThroughTheBinary(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	home := t.TempDir()
	data := filepath.Join(".local", "share", "memoria")
	for n := range 10 {
		commandOn(t, home, "ask", fmt.Sprintf("I like cello concerto %d. %s", n, strings.Repeat("It goes on. ", n*20)))
		commandOn(t, home, "memory", "add", fmt.Sprintf("Owns cello %d", n))
	}
	want := map[string]map[string]string{}
	looks := slices.Clone(looks)
	for i, look := range looks {
		key := strings.Join(look, " ")
		if want[key], _ = shown(commandOn(t, home, look...).out); len(want[key]) == 0 {
			t.Fatalf("%s shows nothing", key)
		}
		for id := range want[key] {
			if i == 0 {
				looks[len(looks)-1] = append(looks[len(looks)-1], strings.TrimPrefix(id, "sessions "))
			}
		}
	}
	copies, seed := 4, uint64(time.Now().UnixNano())
	for name, set := range map[string]func(n int){"COPIES": func(n int) { copies = n }, "SEED": func(n int) { seed = uint64(n) }} {
		if n, err := strconv.Atoi(os.Getenv("MEMORIA_" + name)); err == nil {
			set(n)
		}
	}
	t.Logf("seed %d", seed)
	var work sync.WaitGroup
	next, told := make(chan int), make(chan string, copies)
	for range 2 {
		work.Go(func() {
			for n := range next {
				to := t.TempDir()
				did, err := damage.Folder(rand.New(rand.NewPCG(seed, uint64(n))), filepath.Join(home, data), filepath.Join(to, data), "memoria.db")
				if err != nil {
					t.Error(err)
					continue
				}
				verdict, wrong := judged(t, to, looks, want)
				for _, w := range wrong {
					t.Errorf("copy %d, %s: %.2000s", n, did, w)
				}
				told <- verdict
				_ = os.RemoveAll(to)
			}
		})
	}
	for n := range copies {
		next <- n
	}
	close(next)
	work.Wait()
	close(told)
	count := map[string]int{}
	for verdict := range told {
		count[verdict]++
	}
	t.Logf("%d copies: %v", copies, count)
}

// judged looks at a damaged copy and writes to it.
func judged(t *testing.T, home string, looks [][]string, want map[string]map[string]string) (verdict string, wrong []string) {
	t.Helper()
	verdict = "right"
	run := func(args ...string) answer {
		a := commandOn(t, home, args...)
		switch {
		case strings.Contains(a.err, "goroutine ") || strings.Contains(a.err, "panic:") || a.code < 0:
			wrong = append(wrong, fmt.Sprintf("%v crashed (%d): %s", args, a.code, a.err))
		case a.interrupted || a.took > damageThinks:
			wrong = append(wrong, fmt.Sprintf("%v took %s", args, a.took))
		}
		return a
	}
	for _, look := range looks {
		key := strings.Join(look, " ")
		a := run(look...)
		values, extra := shown(a.out)
		says := a.code != 0 || a.err != "" || slices.ContainsFunc(extra, func(name string) bool {
			return name == "unreadable" || name == "degraded" || name == "damage"
		})
		for id, v := range values {
			if w := want[key][id]; w != v {
				wrong = append(wrong, fmt.Sprintf("%s: %s is not what was written: %s", key, id, cmp.Diff(w, v)))
			}
		}
		for id := range want[key] {
			if _, there := values[id]; there {
				continue
			}
			if verdict = "told"; !says {
				wrong = append(wrong, fmt.Sprintf("%s: nothing is said of %s: %s", key, id, a.out))
			}
		}
	}
	run("doctor", "--json")
	if a := run("memory", "add", "Owns a viola"); a.code == 0 {
		if b := run("memory", "list", "--json"); !strings.Contains(b.out, "Owns a viola") {
			wrong = append(wrong, fmt.Sprintf("what was added is not there: %s %s", b.out, b.err))
		}
	} else {
		verdict = "refused"
	}
	return verdict, wrong
}

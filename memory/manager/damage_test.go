package manager_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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

	"memoria/memory"
	"memoria/memory/manager"
)

func init() { children["__read"] = readChild }

// damageLimit is how much of a processor a damaged copy may take, from the start of
// a process to its end; hangLimit is for one that does nothing at all.
const (
	damageLimit = 10 * time.Second
	hangLimit   = 2 * time.Minute
)

// readChild reads everything of one damaged copy, writes to it, and prints a
// verdict: refused, right, told (less than everything, and said so) or WRONG.
func readChild(dir string) error {
	ctx, cancel := context.WithTimeout(context.Background(), hangLimit-time.Second)
	defer cancel()
	b, err := os.ReadFile(filepath.Join(filepath.Dir(dir), "census.json"))
	if err != nil {
		return err
	}
	want := census{}
	if err := json.Unmarshal(b, &want); err != nil {
		return err
	}
	path := filepath.Join(dir, "memoria.db")
	before, _ := os.ReadFile(path)
	m, err := manager.Open(ctx, manager.Options{Dir: dir, Config: manager.DefaultConfig(), Now: time.Now})
	var lost *manager.LostError
	switch {
	case errors.As(err, &lost):
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			fmt.Println("WRONG: the file was changed")
			return nil
		}
		fmt.Println("refused", err)
		return nil
	case err != nil:
		fmt.Println("WRONG: opening:", err)
		return nil
	}
	fmt.Println(compare(&want, takeCensus(ctx, m)), live(ctx, m))
	return m.Close()
}

func compare(want, got *census) string {
	for key, v := range got.Values {
		if want.Values[key] != v && !(strings.Contains(key, "/recall/") || strings.Contains(key, "/archive/")) {
			return fmt.Sprintf("WRONG: %s is %.200s, was %.200s", key, v, want.Values[key])
		}
	}
	missing := 0
	for key, v := range want.Values {
		if got.Values[key] == v {
			continue
		}
		if missing++; len(got.told) == 0 {
			return "WRONG: nothing is said of " + key
		}
	}
	if missing == 0 && len(got.told) == 0 {
		return "right"
	}
	return fmt.Sprintf("told %d missing: %.200s", missing, strings.Join(got.told, "; "))
}

// live goes on with a memory as if nothing had happened. Errors are allowed, a
// panic is not.
func live(ctx context.Context, m *manager.Manager) string {
	it, err := m.AddItem(ctx, killAgents[0], memory.Item{Content: "Sold a viola"})
	if err != nil {
		return "adding fails: " + err.Error()
	}
	in, err := m.KeepIncoming(ctx, killAgents[1], "I sold a viola", nil)
	if err == nil {
		_, err = m.BeginTurn(ctx, killAgents[1], in.ID, manager.Place{})
	}
	if err != nil {
		return "a turn fails: " + err.Error()
	}
	if back, err := m.Item(ctx, killAgents[0], it.ID); err != nil || back.Content != it.Content {
		return fmt.Sprintf("WRONG: what was just written reads as %q, %v", back.Content, err)
	}
	return ""
}

// damages change the content of a file; nil removes it.
var damages = []struct {
	name string
	do   func(rng *rand.Rand, b []byte) []byte
}{
	{"flipped bit", func(rng *rand.Rand, b []byte) []byte { b[rng.IntN(len(b))] ^= 1 << rng.IntN(8); return b }},
	{"flipped bits", func(rng *rand.Rand, b []byte) []byte {
		for range 20 {
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		}
		return b
	}},
	{"truncated", func(rng *rand.Rand, b []byte) []byte { return b[:rng.IntN(len(b))] }},
	{"zeroed page", func(rng *rand.Rand, b []byte) []byte {
		from := rng.IntN(len(b)) &^ 4095
		clear(b[from:min(len(b), from+4096<<rng.IntN(3))])
		return b
	}},
	{"page over another", func(rng *rand.Rand, b []byte) []byte {
		if pages := len(b) / 4096; pages > 1 {
			copy(b[rng.IntN(pages)*4096:], b[rng.IntN(pages)*4096:][:4096])
		}
		return b
	}},
	{"zeroed", func(_ *rand.Rand, b []byte) []byte { clear(b); return b }},
	{"empty", func(*rand.Rand, []byte) []byte { return []byte{} }},
	{"missing", func(*rand.Rand, []byte) []byte { return nil }},
	{"junk at the end", func(rng *rand.Rand, b []byte) []byte { return append(b, make([]byte, 1+rng.IntN(9000))...) }},
}

// hurt copies a data folder and damages one or two of its files, mostly the
// store where that is in use, and says what it did.
func hurt(rng *rand.Rand, from, to string) (string, error) {
	files := map[string][]byte{}
	var others []string
	err := filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if files[name], err = os.ReadFile(path); name != "memoria.db" {
			others = append(others, name)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	slices.Sort(others)
	var did []string
	for range 1 + rng.IntN(2) {
		name := "memoria.db"
		if rng.IntN(5) < 2 {
			name = others[rng.IntN(len(others))]
		}
		d := damages[rng.IntN(len(damages))]
		b := slices.Clone(files[name])
		if len(b) == 0 {
			continue
		}
		used := len(b)
		if name == "memoria.db" && !strings.Contains(d.name, "end") { // the file's tail is room
			for used > 4096 && b[used-1] == 0 {
				used--
			}
		}
		switch out := d.do(rng, b[:used:used]); {
		case out == nil:
			delete(files, name)
		case d.name == "truncated", d.name == "empty":
			files[name] = out
		default:
			files[name] = append(out, b[min(used, len(b)):]...)
		}
		did = append(did, name+" "+d.name)
	}
	for name, b := range files {
		path := filepath.Join(to, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, b, 0o600)); err != nil {
			return "", err
		}
	}
	return strings.Join(did, ", "), nil
}

// Q3: of a memory that is damaged in any way nothing wrong is ever shown as
// right. Every value is what was written, or is told to be damaged; nothing
// panics, nothing takes longer than ten seconds, and a store that is refused is
// left as it was. MEMORIA_DAMAGE_ROUNDS sets the number of copies.
func TestDamagedCopies(t *testing.T) {
	noRace(t)
	rounds := 30
	if s := os.Getenv("MEMORIA_DAMAGE_ROUNDS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		rounds = n
	}
	dir, want := healthy(t)
	root := t.TempDir()
	b, err := json.Marshal(want)
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "census.json"), b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, %d values", seed, len(want.Values))
	var (
		mu       sync.Mutex
		verdicts = map[string]int{}
		longest  time.Duration
		work     sync.WaitGroup
		next     = make(chan int)
	)
	for range 2 {
		work.Go(func() {
			for n := range next {
				did, verdict, took := damageRound(t.Context(), rand.New(rand.NewPCG(seed, uint64(n))), dir, filepath.Join(root, fmt.Sprint(n)))
				mu.Lock()
				kind, _, _ := strings.Cut(verdict, " ")
				verdicts[kind]++
				longest = max(longest, took)
				mu.Unlock()
				if strings.Contains(verdict, "WRONG") || !slices.Contains([]string{"refused", "right", "told"}, kind) {
					t.Errorf("round %d, %s: %.2000s", n, did, verdict)
				}
			}
		})
	}
	for n := range rounds {
		next <- n
	}
	close(next)
	work.Wait()
	t.Logf("%d copies: %v, the longest took %s", rounds, verdicts, longest.Round(time.Millisecond))
	if verdicts["refused"] < rounds/10 || verdicts["right"] == 0 && rounds >= 30 {
		t.Errorf("the damage was too little or too much to prove anything: %v", verdicts)
	}
}

func damageRound(ctx context.Context, rng *rand.Rand, from, to string) (did, verdict string, took time.Duration) {
	did, err := hurt(rng, from, to)
	if err != nil {
		return did, err.Error(), 0
	}
	defer func() { _ = os.RemoveAll(to) }()
	ctx, cancel := context.WithTimeout(ctx, hangLimit)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "__read", to)
	out, err := child.CombinedOutput()
	if s := child.ProcessState; s != nil {
		took = s.UserTime() + s.SystemTime()
	}
	switch {
	case ctx.Err() != nil:
		return did, fmt.Sprintf("hung: %s", out), took
	case err != nil:
		return did, fmt.Sprintf("crashed, %v: %s", err, out), took
	case took > damageLimit:
		return did, fmt.Sprintf("slow, %v: %s", took, out), took
	}
	return did, strings.TrimSpace(string(out)), took
}

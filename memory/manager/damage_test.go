package manager_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"memoria/kv/damage"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/vault"
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
	m, err := manager.Open(ctx, manager.Options{Dir: dir, Config: write.DefaultConfig(), Now: time.Now})
	var lost *vault.LostError
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
	it, err := m.Learning().AddItem(ctx, killAgents[0], memory.Item{Content: "Sold a viola"})
	if err != nil {
		return "adding fails: " + err.Error()
	}
	in, err := m.KeepIncoming(ctx, killAgents[1], "I sold a viola", nil, "")
	if err == nil {
		_, err = m.BeginTurn(ctx, killAgents[1], in.ID, manager.Place{})
	}
	if err != nil {
		return "a turn fails: " + err.Error()
	}
	if back, err := m.Lookup().Item(ctx, killAgents[0], it.ID); err != nil || back.Content != it.Content {
		return fmt.Sprintf("WRONG: what was just written reads as %q, %v", back.Content, err)
	}
	return ""
}

// Q3: of a memory that is damaged in any way nothing wrong is ever shown as
// right. Every value is what was written, or is told to be damaged; nothing
// panics, nothing takes longer than ten seconds, and a store that is refused is
// left as it was. MEMORIA_COPIES sets their number.
func TestDamagedCopies(t *testing.T) {
	noRace(t)
	rounds := often(t, "COPIES", 30)
	dir, want := healthy(t)
	root := t.TempDir()
	b, err := json.Marshal(want)
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "census.json"), b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	seed := seedOf(t)
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
	did, err := damage.Folder(rng, from, to, "memoria.db")
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

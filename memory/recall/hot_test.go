package recall

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
)

// The preferences touched last are those of a full sort, through every kind of
// change (R5).
func TestPreferencesAreTheLastTouched(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	h := newHot(Config{LoadOnStart: LoadAll})
	h.begin(nil)
	all := map[string]memory.Head{}
	for range 400 {
		id := fmt.Sprintf("item-%02d", rng.IntN(60))
		head := memory.Head{
			ID: id, Type: memory.Types()[rng.IntN(2)], State: []memory.State{memory.StateActive, memory.StateMuted}[rng.IntN(2)],
			CreatedAt: time.Unix(int64(rng.IntN(20)), 0), LastAccessed: time.Unix(int64(rng.IntN(20)), 0),
		}
		gone := rng.IntN(5) == 0
		if h.apply([]HeadChange{{ID: id, Head: head, Deleted: gone}}); gone {
			delete(all, id)
		} else {
			all[id] = head
		}
		var want []memory.Head
		for _, head := range all {
			if head.Type == memory.TypePreference && head.State == memory.StateActive {
				want = append(want, head)
			}
		}
		slices.SortFunc(want, lastTouchedFirst)
		n := 1 + rng.IntN(12)
		got := h.preferences(n)
		same := slices.EqualFunc(got, want[:min(n, len(want))], func(id string, head memory.Head) bool { return id == head.ID })
		if !same {
			t.Fatalf("seed %d: got %v of %+v", seed, got, want)
		}
	}
}

// A panic while the hot set is loaded leaves an empty set that can be used.
func TestHotSetSurvivesAPanic(t *testing.T) {
	var log bytes.Buffer
	h := newHot(DefaultConfig())
	h.load(nil, "luna", slog.New(slog.NewTextHandler(&log, nil)))
	h.wait()
	h.apply([]HeadChange{{ID: "I1", Head: memory.Head{ID: "I1"}}})
	if _, ok := h.get("I1"); !ok {
		t.Error("the set takes nothing in")
	}
	if !strings.Contains(log.String(), "fault while loading items") {
		t.Errorf("log: %s", log.String())
	}
}

package lookup_test

import (
	"context"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
)

// The list of served items is that of all items, filtered, whatever happened between two
// readings of it.
func TestServedItemsFollow(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		var passed atomic.Int64 // background work reads the time
		now := func() time.Time { return began.Add(time.Duration(passed.Load())) }
		ctx := context.Background()
		m, err := manager.Open(ctx, manager.Options{
			Dir: filepath.Join(dir, string(rune('a'+n%26)), time.Duration(n).String()), Config: write.DefaultConfig(), NoSync: true,
			Now: now,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = m.Close() }()
		ok := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		var deletions []string
		one := func() (string, bool) {
			page, err := m.Lookup().Items(ctx, "luna", lookup.ItemFilter{All: true})
			if ok(err); len(page.Items) == 0 {
				return "", false
			}
			return rapid.SampledFrom(page.Items).Draw(t, "item").ID, true
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				_, err := m.Learning().AddItem(ctx, "luna", memory.Item{
					Content: rapid.StringMatching("[a-z]{6}").Draw(t, "content"), Type: rapid.SampledFrom(memory.Types()).Draw(t, "type"),
					ValidTo: rapid.SampledFrom([]time.Time{{}, now().Add(time.Hour)}).Draw(t, "end"),
				})
				ok(err)
			},
			"other agent": func(*rapid.T) {
				_, err := m.Learning().AddItem(ctx, "nova", memory.Item{Content: "of another"})
				ok(err)
			},
			"state": func(t *rapid.T) {
				if id, there := one(); there {
					_, err := m.Learning().EditItem(ctx, "luna", id, func(it *memory.Item) {
						it.State = rapid.SampledFrom([]memory.State{
							memory.StateActive, memory.StateMuted, memory.StateHeld, memory.StateInactive,
						}).Draw(t, "state")
					})
					ok(err)
				}
			},
			"delete": func(*rapid.T) {
				if id, there := one(); there {
					d, err := m.DeleteItems(ctx, "luna", id)
					ok(err)
					deletions = append(deletions, d.ID)
				}
			},
			"undo": func(*rapid.T) {
				if len(deletions) > 0 {
					_, err := m.UndoDeletion(ctx, "luna", deletions[0])
					ok(err)
					deletions = deletions[1:]
				}
			},
			"delete agent": func(*rapid.T) {
				if _, there := one(); !there {
					return
				}
				d, err := m.DeleteAgent(ctx, "luna")
				ok(err)
				deletions = nil
				if rapid.Bool().Draw(t, "undone") {
					_, err = m.UndoAgentDeletion(ctx, "luna", d.ID)
					ok(err)
				}
			},
			"time": func(*rapid.T) { passed.Add(int64(time.Second)) },
			"": func(t *rapid.T) {
				all, err := m.Lookup().Items(ctx, "luna", lookup.ItemFilter{All: true})
				ok(err)
				f := lookup.ServedFilter{
					Limit: rapid.IntRange(1, 5).Draw(t, "limit"), Offset: rapid.IntRange(0, 3).Draw(t, "offset"),
					Type:  rapid.SampledFrom([]memory.Type{"", memory.TypeFact}).Draw(t, "only type"),
					State: rapid.SampledFrom([]memory.State{"", memory.StateActive, memory.StateInactive, memory.StateHeld}).Draw(t, "only state"),
				}
				var want, ids []string
				for _, it := range all.Items {
					if !lookup.Served(it, now()) {
						continue
					}
					ids = append(ids, it.ID)
					if (f.Type == "" || it.Type == f.Type) && (f.State == "" || it.State == f.State) {
						want = append(want, it.ID)
					}
				}
				page, err := m.Lookup().ServedItems(ctx, "luna", f)
				ok(err)
				total := len(want)
				want = want[min(f.Offset, total):]
				want = want[:min(f.Limit, len(want))]
				var got []string
				for _, it := range page.Items {
					got = append(got, it.ID)
				}
				if page.Total != total || !slices.Equal(got, want) {
					t.Fatalf("%+v: %v of %d, want %v of %d", f, got, page.Total, want, total)
				}
				if got, err := m.Lookup().ServedIDs(ctx, "luna"); err != nil || !slices.Equal(got, ids) {
					t.Fatalf("ids %v, %v, want %v", got, err, ids)
				}
			},
		})
	})
}

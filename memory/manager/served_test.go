package manager_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
)

// P10: other programs see what can be recalled and what is inactive; not what is held,
// muted, expired or deleted, neither in lists nor by id.
func TestServedItems(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	add := func(content string, set ...func(*memory.Item)) memory.Item {
		return must(m.Learning().AddItem(ctx, luna, memory.Item{Content: content}, set...))(t)
	}
	add("Plays the cello.")
	preferred := add("Likes quartz.", func(it *memory.Item) { it.Type = memory.TypePreference })
	replaced := add("Lives in Bern.", func(it *memory.Item) { it.Key = "home" })
	add("Lives in Lyon.", func(it *memory.Item) { it.Key = "home" })
	muted := add("Owns a bicycle.")
	must(m.Learning().EditItem(ctx, luna, muted.ID, func(it *memory.Item) { it.State = memory.StateMuted }))(t)
	over := add("Is on leave.", func(it *memory.Item) { it.ValidTo = c.Now().Add(time.Minute) })
	deleted := add("Sings.")
	must(m.DeleteItems(ctx, luna, deleted.ID))(t)
	say(t, m, luna, "", email)
	held := inbox(t, m)[0]
	list := func(f lookup.ServedFilter) (out []string) {
		t.Helper()
		page := must(m.Lookup().ServedItems(ctx, luna, f))(t)
		for _, it := range page.Items {
			out = append(out, it.Content)
			if got := must(m.Lookup().ServedItem(ctx, luna, it.ID))(t); got.Content != it.Content {
				t.Errorf("by id: %+v", got)
			}
		}
		if f.Limit == 0 && f.Offset == 0 && page.Total != len(out) {
			t.Errorf("%d are counted, %v listed", page.Total, out)
		}
		return out
	}
	if got := list(lookup.ServedFilter{}); !slices.Contains(got, over.Content) {
		t.Errorf("before it expires: %v", got)
	}
	c.Add(time.Hour)
	for _, x := range []struct {
		filter lookup.ServedFilter
		want   []string
	}{
		{lookup.ServedFilter{}, []string{"Lives in Lyon.", "Lives in Bern.", "Likes quartz.", "Plays the cello."}},
		{lookup.ServedFilter{State: memory.StateInactive}, []string{"Lives in Bern."}},
		{lookup.ServedFilter{State: memory.StateHeld}, nil},
		{lookup.ServedFilter{State: memory.StateMuted}, nil},
		{lookup.ServedFilter{Type: memory.TypePreference}, []string{"Likes quartz."}},
		{lookup.ServedFilter{Limit: 2}, []string{"Lives in Lyon.", "Lives in Bern."}},
		{lookup.ServedFilter{Limit: 2, Offset: 3}, []string{"Plays the cello."}},
		{lookup.ServedFilter{Offset: 9}, nil},
	} {
		if got := list(x.filter); !slices.Equal(got, x.want) {
			t.Errorf("%+v: %v", x.filter, got)
		}
	}
	for _, id := range []string{muted.ID, over.ID, deleted.ID, held.ID, "", replaced.ID[:20]} {
		if it, err := m.Lookup().ServedItem(ctx, luna, id); !errors.Is(err, lookup.ErrNotFound) || it.ID != "" {
			t.Errorf("%s: %+v, %v", id, it, err)
		}
	}
	must(m.Learning().EditItem(ctx, luna, preferred.ID, func(it *memory.Item) { it.State = memory.StateMuted }))(t)
	if got := list(lookup.ServedFilter{Type: memory.TypePreference}); len(got) != 0 {
		t.Errorf("muted since the last list: %v", got)
	}
	if got := must(m.Lookup().ServedItems(ctx, trio, lookup.ServedFilter{}))(t); got.Total != 0 {
		t.Errorf("another agent: %+v", got)
	}
}

// BenchmarkServedItems lists a page of 100,000 items, in memory between two writes.
func BenchmarkServedItems(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "data")
	fillStore(b, dir, 100_000)
	m, err := openReal(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	for _, offset := range []int{0, 50_000} {
		b.Run(fmt.Sprint("offset=", offset), func(b *testing.B) {
			for b.Loop() {
				page, err := m.Lookup().ServedItems(b.Context(), luna, lookup.ServedFilter{Limit: 50, Offset: offset})
				if err != nil || page.Total != 100_000 || len(page.Items) != 50 {
					b.Fatal(err, page.Total)
				}
			}
		})
	}
}

package manager_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/lookup"
)

// L6: a page of the list is a part of the whole list, and says how many there are.
func TestPageOfItems(t *testing.T) {
	m, _ := open(t)
	for i := range 9 {
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: fmt.Sprint("Parcel number ", i)}))(t)
	}
	whole := must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true}))(t)
	for offset := range 11 {
		for _, limit := range []int{1, 4, 9, 20} {
			got := must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true, Offset: offset, Limit: limit}))(t)
			from := min(offset, 9)
			want := lookup.ItemPage{Items: whole.Items[from:min(from+limit, 9)], Total: 9}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d from %d:\n%s", limit, offset, diff)
			}
		}
	}
}

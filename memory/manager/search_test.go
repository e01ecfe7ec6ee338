package manager_test

import (
	"slices"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/recall"
)

// I2, L4: a search finds items and messages of one agent in a time, and marks
// nothing as used; what need not be found is not.
func TestSearchMemories(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	early, err := m.Learning().AddItem(ctx, luna, memory.Item{Content: "The kiln is gas-fired"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Learning().AddItem(ctx, "sol", memory.Item{Content: "A kiln of another agent"}); err != nil {
		t.Fatal(err)
	}
	middle := c.Now().Add(24 * time.Hour)
	c.Add(48 * time.Hour)
	late, err := m.Learning().AddItem(ctx, luna, memory.Item{Content: "The kiln broke"})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Recall().Settle(ctx, luna); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		q    recall.MemoryQuery
		want []string
	}{
		{recall.MemoryQuery{Keyword: "kiln", Items: 5}, []string{early.ID, late.ID}},
		{recall.MemoryQuery{Keyword: "kiln", Items: 5, To: middle}, []string{early.ID}},
		{recall.MemoryQuery{Keyword: "kiln", Items: 5, From: middle}, []string{late.ID}},
		{recall.MemoryQuery{Keyword: "zeppelin", Items: 5}, nil},
		{recall.MemoryQuery{Items: 5, From: middle}, nil},
	} {
		found, err := m.Recall().SearchMemories(ctx, luna, tt.q)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range found.Items {
			got = append(got, s.Item.ID)
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) || found.Total != len(tt.want) || len(found.Messages) != 0 {
			t.Errorf("%+v finds %v of %d, %d messages", tt.q, got, found.Total, len(found.Messages))
		}
	}
	if it, err := m.Lookup().Item(ctx, luna, early.ID); err != nil || it.AccessCount != 0 {
		t.Errorf("access count %d, %v", it.AccessCount, err)
	}
}

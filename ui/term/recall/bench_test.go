package recall

import (
	"fmt"
	"testing"
	"time"

	"memoria/memory"
)

// many is a focused pane with n memories over two years.
func many(n int) *Model {
	m := newPane(80, 40)
	items := make([]memory.Item, n)
	for i := range items {
		items[i] = item(fmt.Sprint("i", i), memory.Types()[i%8], fmt.Sprintf("memory %d 喜欢乌龙茶 and a longer sentence about it", i))
		items[i].CreatedAt = noon.Add(-time.Duration(i) * 100 * time.Minute)
	}
	m.SetItems(items, n)
	m.SetFocus(true)
	return m
}

func BenchmarkView(b *testing.B) {
	m := many(10_000)
	b.ReportAllocs()
	for b.Loop() {
		m.View()
	}
}

func BenchmarkMove(b *testing.B) {
	m := many(10_000)
	b.ReportAllocs()
	for b.Loop() {
		press(m, "down")
		m.View()
	}
}

// The pane is rebuilt with each answer while the user types.
func BenchmarkPreview(b *testing.B) {
	m := many(10_000)
	m.SetTyping(true)
	r := result()
	b.ReportAllocs()
	for b.Loop() {
		m.SetPreview(r)
		m.View()
	}
}

func BenchmarkMinute(b *testing.B) {
	m := many(10_000)
	now := noon
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(time.Minute)
		m.SetNow(now)
		m.View()
	}
}

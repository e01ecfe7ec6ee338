package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"memoria/ui/term/markdown"
)

// answer is a plausible answer of at least n bytes: prose in two languages,
// lists, tables and code.
func answer(t testing.TB, n int) string {
	docs := corpus(t)
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "## Part %d\n\n%s\n\n%s\n\n", i, docs["english"], docs["chinese"])
	}
	return b.String()[:n]
}

func openFence(n int) string {
	var b strings.Builder
	b.WriteString("Here it is:\n\n```go\n")
	for i := 0; i < n; i++ {
		fmt.Fprintf(&b, "\tv%d, err := load(ctx, \"name\", %d) // 读取\n", i, i)
	}
	return b.String()
}

// BenchmarkDelta is the cost of one delta of some 20 bytes with its redraw,
// averaged over a whole answer of 64 KB.
func BenchmarkDelta(b *testing.B) {
	for name, doc := range map[string]string{
		"answer-64KB":    answer(b, 64<<10),
		"fence-500":      openFence(500),
		"fence-64KB":     openFence(1500),
		"paragraph-64KB": strings.Repeat("One very long paragraph with **bold** words and 中文，", 1200),
		"list-64KB":      strings.Repeat("- item with `code` and some words 中文\n", 1600),
	} {
		b.Run(name, func(b *testing.B) {
			r := markdown.NewRenderer(80, markdown.Dark)
			s, at := markdown.NewStream(r), 0
			for b.Loop() {
				if at >= len(doc) {
					b.StopTimer()
					s, at = markdown.NewStream(r), 0
					b.StartTimer()
				}
				s.Append(doc[at:min(at+20, len(doc))])
				s.Lines()
				at += 20
			}
		})
	}
}

func BenchmarkRender(b *testing.B) {
	for _, n := range []int{4 << 10, 16 << 10, 64 << 10} {
		b.Run(fmt.Sprint(n>>10, "KB"), func(b *testing.B) {
			doc := answer(b, n)
			r := markdown.NewRenderer(80, markdown.Dark)
			b.SetBytes(int64(n))
			for b.Loop() {
				r.Render(doc)
			}
		})
	}
}

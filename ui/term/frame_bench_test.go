package term

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/chat"
	"memoria/memory"
	"memoria/ui/term/pane"
)

// BenchmarkFrame is what a person waits for while an answer streams beside the list of 10,000
// memories: a piece of the answer, a key that moves in the list or types, and the frame after
// it. Of these frames one in twenty takes longer than p95-ms.
func BenchmarkFrame(b *testing.B) {
	m := still(b, 140, 40)
	s := converse(m)
	items := make([]memory.Item, 10_000)
	for i := range items {
		items[i] = memory.Item{
			ID: fmt.Sprint("i", i), AgentID: "luna", Type: memory.Types()[i%8], State: memory.StateActive, Confidence: .8,
			Content:   fmt.Sprintf("memory %d 喜欢乌龙茶 and a longer sentence about it", i),
			CreatedAt: m.now.Add(-time.Duration(i) * 100 * time.Minute),
		}
	}
	m.memories.SetItems(items, len(items))
	m.Open(pane.All)
	m.settle()
	long := strings.Repeat("Some words of an answer, with `code` and **weight**. 部署脚本还用 pnpm 吗？\n\n", 64<<10/95)
	happen(m, s, chat.Delta{Head: chat.Head{Seq: 7, TurnID: "t2"}, Text: long})
	m.View()
	var took []time.Duration
	seq := uint64(7)
	keys := []string{"down", "down", "pgdown", "up"}
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		if n := len(took); n%2 == 0 {
			seq++
			happen(m, s, chat.Delta{Head: chat.Head{Seq: seq, TurnID: "t2"}, Text: "and on "})
		} else {
			press(m, keys[n/2%len(keys)])
		}
		m.View()
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}

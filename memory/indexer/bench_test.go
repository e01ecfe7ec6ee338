package indexer_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/store"
)

// writing makes sentences whose words follow Zipf's law, half of them Chinese.
type writing struct {
	rng          *rand.Rand
	words, chars *rand.Zipf
}

func newWriting() *writing {
	rng := rand.New(rand.NewPCG(3, 2))
	return &writing{rng: rng, words: rand.NewZipf(rng, 1.1, 20, 20_000), chars: rand.NewZipf(rng, 1.2, 10, 3_000)}
}

func (w *writing) sentence(least, most int) string {
	n := least + w.rng.IntN(most-least+1)
	var b strings.Builder
	if w.rng.IntN(2) == 0 {
		for range 2 * n {
			b.WriteRune(rune(0x4e00 + w.chars.Uint64()))
		}
		return b.String()
	}
	for range n {
		fmt.Fprintf(&b, "w%05x ", w.words.Uint64()*2_654_435_761%(1<<20))
	}
	return b.String()
}

// BenchmarkRebuild makes an index from the store, as after a change of the mapping
// or a damage. It gives how many records are indexed a second.
//
//	go test -run xxx -bench Rebuild/messages/100000 -benchtime 1x ./memory/indexer
func BenchmarkRebuild(b *testing.B) {
	for _, kind := range []struct {
		name string
		kind indexer.Kind
		fill func(w *world, s *writing, n int)
	}{
		{"items", indexer.Recall, fillItems},
		{"messages", indexer.Archive, fillMessages},
	} {
		for _, n := range []int{10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", kind.name, n), func(b *testing.B) {
				w, s := newWorld(b), newWriting()
				for done := 0; done < n; done += 1000 {
					kind.fill(w, s, min(1000, n-done))
				}
				for b.Loop() {
					if err := os.RemoveAll(w.dir); err != nil {
						b.Fatal(err)
					}
					f := w.open(kind.kind)
					if err := f.Settle(b.Context()); err != nil {
						b.Fatal(err)
					}
					w.close(f)
				}
				b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "records/s")
			})
		}
	}
}

func fillItems(w *world, s *writing, n int) {
	items := make([]memory.Item, n)
	for i := range items {
		items[i] = w.item(s.sentence(6, 25))
	}
	w.put(items...)
}

func fillMessages(w *world, s *writing, n int) {
	w.update(func(tx *store.Tx) error {
		for range n {
			r := memory.Record{
				ID: w.ids.New(tx.Now()), AgentID: luna, SessionID: "S1", Role: memory.RoleUser, Content: s.sentence(10, 60),
			}
			if err := tx.AppendRecord(r); err != nil {
				return err
			}
		}
		return nil
	})
}

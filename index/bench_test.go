package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// corpus draws documents whose words follow Zipf's law, half of them with a
// Chinese run. Queries leave out the most frequent ones, as stop words are.
type corpus struct {
	rng   *rand.Rand
	words *rand.Zipf
	chars *rand.Zipf
}

func newCorpus(seed uint64) *corpus {
	rng := rand.New(rand.NewPCG(seed, 1))
	return &corpus{rng: rng, words: rand.NewZipf(rng, 1.1, 4, 20_000), chars: rand.NewZipf(rng, 1.2, 8, 3_000)}
}

// spell makes a word of its rank in the order of frequency.
func spell(rank uint64) string { return fmt.Sprintf("w%05x", rank*2654435761%(1<<20)) }

func (c *corpus) grams(n int) []string {
	run := make([]rune, n)
	for i := range run {
		run[i] = rune(0x4e00 + c.chars.Uint64())
	}
	return gramsOfRun(run)
}

func gramsOfRun(run []rune) []string {
	var out []string
	for i := range run {
		out = append(out, string(run[i]))
		if i > 0 {
			out = append(out, string(run[i-1:i+1]))
		}
	}
	return out
}

func (c *corpus) document(i int) Document {
	d := Document{ID: fmt.Sprintf("01J%023d", i), Labels: []string{
		[]string{"type:preference", "type:fact", "type:goal"}[c.rng.IntN(3)],
		fmt.Sprintf("session:%d", c.rng.IntN(50)),
	}}
	for range 5 + c.rng.IntN(30) {
		d.Words = append(d.Words, spell(c.words.Uint64()))
	}
	if c.rng.IntN(2) == 0 {
		d.Grams = c.grams(5 + c.rng.IntN(25))
	}
	return d
}

const stopWords = 15

// query is of 3 to 6 words, the last by its first letters, and of the 11
// characters and bigrams of a run of 6.
func (c *corpus) query() Query {
	q := Query{Limit: 50}
	for range 3 + c.rng.IntN(4) {
		q.Words = append(q.Words, Term{Text: spell(stopWords + c.words.Uint64())})
	}
	last := &q.Words[len(q.Words)-1]
	last.Text, last.Prefix = last.Text[:5], true
	run := make([]rune, 6)
	for i := range run {
		run[i] = rune(0x4e00 + stopWords + c.chars.Uint64())
	}
	q.Grams = gramsOfRun(run)
	return q
}

func filled(tb testing.TB, dir string, n, perBatch int) *Index {
	tb.Helper()
	ix, err := Open(context.Background(), Options{Dir: dir})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = ix.Close() })
	c := newCorpus(7)
	var batch Batch
	for i := range n {
		batch.Put = append(batch.Put, c.document(i))
		if len(batch.Put) == perBatch || i == n-1 {
			if err := ix.Apply(batch, uint64(i+1)); err != nil {
				tb.Fatal(err)
			}
			batch.Put = batch.Put[:0]
		}
	}
	return ix
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			ix := filled(b, b.TempDir(), n, 1000)
			c := newCorpus(99)
			var took []time.Duration
			var matched int
			for b.Loop() {
				q := c.query()
				start := time.Now()
				r, err := ix.Search(context.Background(), q)
				if err != nil {
					b.Fatal(err)
				}
				matched += r.Matched
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(matched/len(took)), "matched")
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
		})
	}
}

// BenchmarkNear looks among some 20,000 words with the same first letter.
func BenchmarkNear(b *testing.B) {
	ix := filled(b, b.TempDir(), 20_000, 500)
	for b.Loop() {
		if _, err := ix.Near(context.Background(), "wxyzxy", 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkApply(b *testing.B) {
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			ix := filled(b, b.TempDir(), 10_000, 1000)
			c := newCorpus(5)
			sequence := uint64(100_000)
			for b.Loop() {
				var batch Batch
				for range n {
					batch.Put = append(batch.Put, c.document(c.rng.IntN(20_000)))
				}
				sequence++
				if err := ix.Apply(batch, sequence); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			if err := filled(b, dir, n, 1000).Close(); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				ix, err := Open(context.Background(), Options{Dir: dir})
				if err != nil {
					b.Fatal(err)
				}
				if err := ix.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package manager_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// writer generates sentences whose words follow Zipf's law without stop words, half of
// them Chinese.
type writer struct {
	rng   *rand.Rand
	words *rand.Zipf
	chars *rand.Zipf
}

func newWriter(seed uint64) *writer {
	rng := rand.New(rand.NewPCG(seed, 2))
	return &writer{rng: rng, words: rand.NewZipf(rng, 1.1, 20, 20_000), chars: rand.NewZipf(rng, 1.2, 10, 3_000)}
}

// word spells the word of a rank with one syllable a digit, so that it is a word
// to every stage of the way, stemming included.
func (w *writer) word() string {
	syllables := strings.Fields("ba ce di fo gu ha ke li mo nu pa re si to vu za")
	var b strings.Builder
	for rank := w.words.Uint64()*2_654_435_761%(1<<16) + 16; rank > 0; rank /= 16 {
		b.WriteString(syllables[rank%16])
	}
	return b.String()
}

func (w *writer) sentence(least, most int) string {
	n := least + w.rng.IntN(most-least+1)
	var b strings.Builder
	if w.rng.IntN(2) == 0 {
		b.WriteString("我")
		for range 2 * n {
			b.WriteRune(rune(0x4e00 + w.chars.Uint64()))
		}
		return b.String()
	}
	b.WriteString("the")
	for range n {
		b.WriteString(" " + w.word())
	}
	return b.String()
}

// filledWith writes n items at once and opens a manager over them.
func filledWith(b *testing.B, n int) *manager.Manager {
	b.Helper()
	dir, c := b.TempDir(), newClock()
	st, err := store.Open(store.Options{Path: filepath.Join(dir, "memoria.db"), Now: c.Now})
	if err != nil {
		b.Fatal(err)
	}
	w, ids := newWriter(1), memory.NewIDs(nil)
	err = st.Update(func(tx *store.Tx) error {
		for i := range n {
			created := start.Add(-time.Duration(i) * time.Minute)
			it := memory.Item{
				ID: ids.New(created), AgentID: luna, Type: memory.Types()[i%8], Key: fmt.Sprint("note/", i), Content: w.sentence(6, 25),
				Confidence: 0.9, Importance: 0.5, Source: memory.SourceUserStated, Origin: memory.OriginUser,
				CreatedAt: created, UpdatedAt: created, AccessCount: i % 7, Trust: memory.TrustUser, State: memory.StateActive, Version: 1,
			}
			if err := tx.PutItem(it, ids.New(created), memory.Change{Action: memory.ActionAdded, Time: created}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := st.Close(); err != nil {
		b.Fatal(err)
	}
	m := openAt(b, dir, c, nil)
	if err := m.Recall().Settle(b.Context(), luna); err != nil {
		b.Fatal(err)
	}
	return m
}

// BenchmarkRetrieve is a whole retrieval over 10,000 items (Q1): keywords, index,
// score, choice, contents.
func BenchmarkRetrieve(b *testing.B) {
	m := filledWith(b, 10_000)
	for _, kind := range []struct {
		name        string
		least, most int
		prefix      string
	}{{"short", 2, 8, ""}, {"long", 20, 60, ""}, {"preference", 2, 8, "I prefer "}} {
		b.Run(kind.name, func(b *testing.B) {
			w := newWriter(99)
			var took []time.Duration
			chosen := 0
			for b.Loop() {
				message := kind.prefix + w.sentence(kind.least, kind.most)
				begin := time.Now()
				res, err := m.Recall().Retrieve(b.Context(), luna, recall.Query{Text: message})
				if err != nil || res.Degraded != "" {
					b.Fatal(err, res.Degraded)
				}
				took = append(took, time.Since(begin))
				chosen += len(res.Chosen)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
			b.ReportMetric(float64(chosen)/float64(len(took)), "chosen")
		})
	}
}

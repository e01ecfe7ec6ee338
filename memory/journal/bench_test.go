package journal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
)

// BenchmarkSearch searches ten years of daily summaries, 3,650 files of 10 MB, and reports
// the time of the slowest twentieth and of opening the journal over them.
func BenchmarkSearch(b *testing.B) {
	w := newWorld(b, morning)
	random := rand.New(rand.NewPCG(3, 4))
	vocabulary := make([]string, 6000)
	for i := range vocabulary {
		vocabulary[i] = fmt.Sprintf("%c%cword%d", 'a'+i%26, 'a'+i/26%26, i)
	}
	sentence := func(n int) string {
		var out []string
		for range n {
			out = append(out, vocabulary[int(random.ExpFloat64()*600)%len(vocabulary)])
		}
		return strings.Join(out, " ")
	}
	dir := b.TempDir()
	w.j.Dir, w.j.disk.dir, w.j.Index = dir, dir, b.TempDir()
	for i := range 3650 {
		day := morning.AddDate(0, 0, -i-6).Format(time.DateOnly)
		var body strings.Builder
		for range 24 {
			body.WriteString("- " + sentence(12) + "\n")
		}
		w.write(summaryPath(day), Document{Kind: memory.JournalDay, Date: day, By: "rules", Body: body.String()}.String())
	}
	start := time.Now()
	if _, err := w.j.Files(context.Background()); err != nil {
		b.Fatal(err)
	}
	indexing := time.Since(start)
	w.j.told.Store(true) // as where the system tells of edits
	var took []time.Duration
	for b.Loop() {
		q := Query{Text: sentence(6), Limit: 5}
		began := time.Now()
		if _, err := w.j.Search(context.Background(), q); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "P95-ms")
	b.ReportMetric(indexing.Seconds(), "index-s")
}

// BenchmarkArchive archives 1,000 messages of ten days without a model.
func BenchmarkArchive(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		w := newWorld(b, morning)
		for day := range 10 {
			w.now = morning.AddDate(0, 0, day)
			s := w.session()
			for i := range 100 {
				role := memory.RoleUser
				if i%2 == 1 {
					role = memory.RoleAssistant
				}
				w.say(s, fmt.Sprintf("On day %d I moved the kiln number %d to the shed and fired it at %d degrees.", day, i, 900+i), func(r *memory.Record) { r.Role = role })
			}
		}
		rules := w.rules()
		b.StartTimer()
		if r := w.archive(rules); r.Messages != 1000 {
			b.Fatalf("%d messages", r.Messages)
		}
		b.StopTimer()
		b.StartTimer()
	}
}

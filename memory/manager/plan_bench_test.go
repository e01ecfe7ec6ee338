package manager_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
)

// BenchmarkLearn measures learning from one turn with 100,000 items in the store, plan
// and write together, by outcome (P4): a new item, a repetition, another value, and a
// correction that names only the wrong value.
func BenchmarkLearn(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "data")
	fillStore(b, dir, 100_000)
	m, err := openReal(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	if err := m.Recall().Load(luna); err != nil {
		b.Fatal(err)
	}
	if err := m.Recall().Settle(b.Context(), luna); err != nil {
		b.Fatal(err)
	}
	for name, words := range map[string]func(i int) string{
		"new":        func(i int) string { return fmt.Sprintf("Remember that box %d stands in the attic", i) },
		"again":      func(int) string { return "I like oolong tea" },
		"other":      func(i int) string { return fmt.Sprintf("I live in Town%d", i) },
		"correction": func(i int) string { return fmt.Sprintf("No, not Town%d, I meant Town%d", i, i+1) },
		"纠正":         func(i int) string { return fmt.Sprintf("不对，我说错了，我住在第%d村", i) },
	} {
		b.Run(name, func(b *testing.B) {
			benchmarkLearn(b, m, words)
		})
	}
}

// turn stores a message and an answer to it.
func turn(b *testing.B, m *manager.Manager, words string) {
	b.Helper()
	in, err := m.KeepIncoming(b.Context(), luna, words, nil, "")
	if err != nil {
		b.Fatal(err)
	}
	t, err := m.BeginTurn(b.Context(), luna, in.ID, manager.Place{})
	if err != nil {
		b.Fatal(err)
	}
	_, err = m.FinishTurn(b.Context(), memory.Record{
		AgentID: luna, SessionID: t.Session.ID, TurnID: t.Record.TurnID, Role: memory.RoleAssistant, Content: "Noted.",
	}, true)
	if err != nil {
		b.Fatal(err)
	}
}

// benchmarkLearn measures learning from turns with words(0), words(1) and so on.
func benchmarkLearn(b *testing.B, m *manager.Manager, words func(i int) string) {
	var took []time.Duration
	i := 0
	for b.Loop() {
		b.StopTimer()
		turn(b, m, words(i))
		i++
		b.StartTimer()
		begun := time.Now()
		if err := m.Learning().Learn(context.Background(), luna, nil); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
	b.ReportMetric(ms(took[len(took)*95/100]), "p95-ms")
}

// BenchmarkLearnNamed measures learning from one turn with 100 people known by name and 10,000 memories in
// the user's words, by whom the message is about.
func BenchmarkLearnNamed(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "data")
	fillWith(b, dir, 10_000, func(i int) (key, content string) {
		if i < 100 {
			return fmt.Sprintf("relation/cousin-%d/name", i), fmt.Sprintf("Cousin is called Ana%c%c.", 'a'+i/26, 'a'+i%26)
		}
		return fmt.Sprintf("said/other/book-reads-%d", i), fmt.Sprintf("I have read book %d twice.", i)
	})
	m, err := openReal(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	if err := m.Recall().Settle(b.Context(), luna); err != nil {
		b.Fatal(err)
	}
	for name, words := range map[string]string{
		"me": "so what about %d", "known": "Anabc said %d", "unknown": "Piotr said %d",
	} {
		b.Run(name, func(b *testing.B) {
			benchmarkLearn(b, m, func(i int) string { return fmt.Sprintf(words, i) })
		})
	}
}

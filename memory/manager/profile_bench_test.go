package manager_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"memoria/memory"
	"memoria/memory/manager"
)

// fullProfile is a memory whose profile has no room left.
func fullProfile(b *testing.B) (*manager.Manager, manager.Turn) {
	m, err := manager.Open(b.Context(), manager.Options{Dir: filepath.Join(b.TempDir(), "data"), Config: rulesOnly(), Now: newClock().Now})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = m.Close() })
	for n := range 80 {
		must(m.Learning().AddItem(b.Context(), luna, memory.Item{Type: memory.TypeRule, Content: fmt.Sprintf("Wants answer number %d to be short", n)}))(b)
	}
	turn, _ := say(b, m, luna, "", "hello")
	return m, turn
}

// Reading the profile for a turn, and storing the package with it: what a full
// profile adds to the way from Enter to the request.
func BenchmarkProfileRead(b *testing.B) {
	m, _ := fullProfile(b)
	for b.Loop() {
		must(m.Profile(b.Context(), luna))(b)
	}
}

func BenchmarkProfileSent(b *testing.B) {
	m, turn := fullProfile(b)
	refs, _ := profileRefs(b, m, page(b, m))
	for name, parts := range map[string][]memory.Ref{"full": refs, "none": nil} {
		b.Run(name, func(b *testing.B) {
			b.ReportMetric(float64(len(parts)), "lines")
			for b.Loop() {
				must(m.SavePackage(b.Context(), memory.Package{
					AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID,
					Blocks: []memory.Block{{Layer: memory.LayerProfile, Role: memory.RoleUser, Parts: parts}},
				}, nil))(b)
			}
		})
	}
}

// One more item that belongs into a full profile: the whole write.
func BenchmarkProfileFollows(b *testing.B) {
	m, _ := fullProfile(b)
	for b.Loop() {
		must(m.Learning().AddItem(b.Context(), luna, memory.Item{Type: memory.TypeRule, Content: "Wants tables"}))(b)
	}
}

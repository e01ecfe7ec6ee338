package cli

import (
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
)

// D3: a person reads from the history which of two items is the newer one.
func TestDescribeReplacement(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)
	said := describe(shown{Item: memory.Item{Content: "Likes tea", AccessCount: 1}, History: []memory.Change{
		{Time: at, Action: memory.ActionSuperseded, Origin: memory.OriginTurn, Reason: "the user corrected it"},
		{Time: at, Action: memory.ActionSuperseded, Origin: memory.OriginUser, Reason: memory.ReplacedBy("01KG")},
	}})
	for _, want := range []string{
		"2026-03-01 12:00  replaces an older one, by turn: the user corrected it\n",
		"2026-03-01 12:00  replaced by a newer one, by user\n", "used         1 time\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
}

// Q3: a list that cannot show everything says so, and where to go.
func TestUnreadableIsTold(t *testing.T) {
	p, _, errs := newHome(t).program()
	if err := p.tellUnreadable(t.Context(), nil, manager.ItemPage{Unreadable: 2}); err != nil || errs.String() != "2 cannot be read: memoria doctor\n" {
		t.Errorf("%v, %q", err, errs)
	}
}

// A name that nobody configured and that has no memory is told once a run, with
// what it may have meant; the exit code stays.
func TestNewAgentIsTold(t *testing.T) {
	h := newHome(t, "MEMORIA_AGENT=luna")
	if _, _, errs := h.run(t, nil, "memory", "add", "Plays chess"); !strings.HasPrefix(errs, `agent "luna" is new: it has no memory yet; configured is memoria`+"\n") {
		t.Errorf("from a variable: %q", errs)
	}
	if _, _, errs := h.run(t, nil, "memory", "list"); strings.Contains(errs, "new") {
		t.Errorf("with a memory: %q", errs)
	}
	code, _, errs := h.run(t, nil, "--agent", "lnua", "memory", "list")
	if want := `agent "lnua" is new: it has no memory yet; configured is memoria; did you mean luna?` + "\n"; code != ExitDone || !strings.HasPrefix(errs, want) {
		t.Errorf("code %d, %q", code, errs)
	}
	if _, _, errs := h.run(t, nil, "--agent", "memoria", "memory", "list"); strings.Contains(errs, "is new") {
		t.Errorf("the default: %q", errs)
	}
}

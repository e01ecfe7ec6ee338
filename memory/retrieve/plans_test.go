package retrieve

import (
	"testing"
	"time"

	"memoria/memory"
)

// thursday is when the questions of these tests are asked.
var thursday = time.Date(2026, time.November, 26, 9, 0, 0, 0, time.UTC)

// R1, R12: a question about plans asks for the goals of the time it names, or for those to
// come.
func TestPlans(t *testing.T) {
	day := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 0, 0, 0, 0, time.UTC) }
	goal := func(end time.Time) memory.Head {
		return memory.Head{ID: "goal", Type: memory.TypeGoal, State: memory.StateActive, ValidTo: end}
	}
	var (
		friday  = goal(day(time.November, 28)) // its end
		weekend = goal(day(time.November, 30))
		tuesday = goal(day(time.December, 2))
		rome    = goal(day(time.December, 21))
		someday = goal(time.Time{})
		past    = goal(day(time.November, 20))
	)
	for message, want := range map[string][]memory.Head{
		"what do I have planned this week?":  {friday, weekend},
		"am I free tomorrow?":                {friday},
		"what are my plans for december":     {tuesday, rome},
		"what am I doing next week?":         {tuesday},
		"any appointments coming up?":        {friday, weekend, tuesday, rome, someday},
		"what are my plans?":                 {friday, weekend, tuesday, rome, someday},
		"what's going on at the weekend?":    {weekend},
		"12月有什么安排":                           {tuesday, rome},
		"下周我有什么事":                            {tuesday},
		"我12月要去哪里？":                          {tuesday, rome},
		"where am I off to this weekend?":    {weekend},
		"我上周去哪里了？":                           nil,
		"周末有空吗":                              {weekend},
		"最近有什么安排？":                           {friday, weekend, tuesday, rome, someday},
		"I plan to go to Rome in December.":  nil,
		"can you plan a trip for December?":  nil,
		"what was planned last week?":        nil,
		"帮我安排一下12月的旅行好吗？":                    nil,
		"what is the capital of France?":     nil,
		"what is the deadline for taxes?":    nil,
		"这个项目的计划是什么？":                        nil,
		"which river flows through Budapest": nil,
	} {
		q := AnalyseAt(message, "", thursday)
		if q.AsksPlans && q.Empty() {
			t.Errorf("%q is empty", message)
		}
		for _, h := range []memory.Head{friday, weekend, tuesday, rome, someday, past} {
			wanted := false
			for _, w := range want {
				wanted = wanted || w.ValidTo.Equal(h.ValidTo)
			}
			if got := q.Due(h); got != wanted {
				t.Errorf("%q: a plan until %v: %v, want %v (asks %v, in %v)", message, h.ValidTo, got, wanted, q.AsksPlans, q.PlansIn)
			}
		}
	}
	q := AnalyseAt("what are my plans?", "", thursday)
	for _, h := range []memory.Head{
		{ID: "a fact", Type: memory.TypeFact, State: memory.StateActive},
		{ID: "held", Type: memory.TypeGoal, State: memory.StateHeld},
	} {
		if q.Due(h) {
			t.Errorf("%s is due", h.ID)
		}
	}
}

// R4, R5: a plan that is asked for is chosen without a word in common, by the index and by
// the scan.
func TestPlansAreChosen(t *testing.T) {
	q := AnalyseAt("what do I have on tomorrow?", "", thursday)
	h := fresh("dentist")
	h.Type, h.ValidTo = memory.TypeGoal, time.Date(2026, time.November, 28, 0, 0, 0, 0, time.UTC)
	heads := func(id string) (memory.Head, bool) { return h, id == h.ID }
	chosen := func(found Found) bool {
		all := Rank(q, found, DefaultConfig(), thursday)
		return len(all) == 1 && all[0].Chosen
	}
	if !chosen(Gathered{Plans: []string{h.ID}, Head: heads}.Candidates(q)) {
		t.Error("the index's candidates do not have it")
	}
	scanned := ScanItems(q, func(yield func(memory.Head, string) bool) { yield(h, "Sees the dentist.") })
	if !chosen(scanned) {
		t.Error("the scan does not have it")
	}
}

package chat

import (
	"testing"
	"time"

	"memoria/memory"
)

// S11: which session a message belongs to is decided apart from sending, from
// what is known alone (S1, S2, S3, S6, S9a, S10).
func TestResolve(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	passive, day := 30*time.Minute, 24*time.Hour
	cfg := DefaultConfig()
	plain := cfg
	plain.SmartContext = false
	long := cfg
	long.PassiveTimeout = 2 * day
	active := memory.Session{ID: "A", State: memory.SessionActive, LastMessageAt: noon}
	ended := memory.Session{ID: "A", State: memory.SessionArchived, LastMessageAt: noon}
	for name, c := range map[string]struct {
		want destination
		last memory.Session
		has  bool
		now  time.Time
		cfg  Config
		is   place
	}{
		"first":         {destination{}, memory.Session{}, false, noon, cfg, place{why: WhyFirst}},
		"at once":       {destination{}, active, true, noon, cfg, place{sessionID: "A", why: WhyContinued}},
		"just in time":  {destination{}, active, true, noon.Add(passive - 1), cfg, place{sessionID: "A", why: WhyContinued}},
		"timeout":       {destination{}, active, true, noon.Add(passive), cfg, place{archive: "A", why: WhyTimeout, judge: true}},
		"not judged":    {destination{}, active, true, noon.Add(passive), plain, place{archive: "A", why: WhyTimeout}},
		"a day":         {destination{}, active, true, noon.Add(day), cfg, place{archive: "A", why: WhyTimeout, judge: true}},
		"over a day":    {destination{}, active, true, noon.Add(day + 1), cfg, place{archive: "A", why: WhyEnded}},
		"longer pauses": {destination{}, active, true, noon.Add(2*day - 1), long, place{sessionID: "A", why: WhyContinued}},
		"and over":      {destination{}, active, true, noon.Add(2*day + 1), long, place{archive: "A", why: WhyEnded}},
		"clock back":    {destination{}, active, true, noon.Add(-time.Hour), cfg, place{sessionID: "A", why: WhyContinued}},
		"ended":         {destination{}, ended, true, noon, cfg, place{why: WhyEnded}},
		"new":           {destination{fresh: true}, active, true, noon, cfg, place{archive: "A", why: WhyRequested}},
		"new, and long": {destination{fresh: true}, active, true, noon.Add(passive), cfg, place{archive: "A", why: WhyRequested}},
		"resume":        {destination{sessionID: "B"}, active, true, noon, cfg, place{sessionID: "B", archive: "A", why: WhyResumed}},
		"resume itself": {destination{sessionID: "A"}, active, true, noon.Add(2 * day), cfg, place{sessionID: "A", archive: "A", why: WhyResumed}},
	} {
		if got := resolve(c.want, c.last, c.has, c.cfg, c.now); got != c.is {
			t.Errorf("%s: %+v, want %+v", name, got, c.is)
		}
	}
}

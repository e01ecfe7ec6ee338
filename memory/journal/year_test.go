package journal

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// J2, J3, J4, J5, J6, A1: over a year of 5 to 200 messages a day, with months of 28 to 31
// days, a model that fails for three days, a clock that is set back, journeys, crashes, and
// messages with old dates, every message that may be written ends up in exactly one tier,
// and no other in any.
func TestYear(t *testing.T) {
	days := 366
	if testing.Short() {
		days = 75
	}
	random := rand.New(rand.NewPCG(7, 2026))
	w := newWorld(t, time.Date(2026, 1, 1, 7, 0, 0, 0, time.UTC))
	zones := []*time.Location{time.UTC, time.FixedZone("CST", 8*3600), time.FixedZone("PST", -8*3600)}
	model := &fails{by: firstWordsOf{}}
	start := w.now
	model.down = func() bool { d := int(w.now.Sub(start).Hours() / 24); return d >= 40 && d < 43 }
	expected := map[string]bool{}
	var deleted int
	topics := strings.Fields("kiln pottery deploy tomato garden violin marathon tax passport bicycle 陶艺 面包 签证 装修 跑步 小提琴")
	for day := range days {
		morning := start.AddDate(0, 0, day)
		w.now = morning.In(zones[day/40%len(zones)])
		var session string
		n := 5 + random.IntN(20)
		if day%30 == 3 {
			n = 200
		}
		for i := range n {
			w.now = w.now.Add(time.Duration(random.IntN(5)) * time.Minute)
			if i%25 == 0 {
				session = w.session()
			}
			what := topics[random.IntN(len(topics))]
			switch random.IntN(30) {
			case 0: // not for memory
				w.say(session, "Don't remember this "+what, func(r *memory.Record) { r.Metadata = map[string]string{memory.MetaForgetful: "true"} })
			case 1: // the program's own
				w.say(session, "I keep this "+what, func(r *memory.Record) { r.Role, r.Model = memory.RoleAssistant, memory.ModelOffline })
			case 2: // imported, with an old date
				expected[w.say(session, "Long ago I had a "+what, func(r *memory.Record) {
					r.Timestamp = w.now.AddDate(0, -random.IntN(14), -random.IntN(28))
				})] = true
			default:
				role := memory.RoleUser
				if i%2 == 1 {
					role = memory.RoleAssistant
				}
				expected[w.say(session, fmt.Sprintf("On day %d I worked on the %s for %d hours.", day, what, i), func(r *memory.Record) { r.Role = role })] = true
			}
			if i%40 == 20 {
				w.run(model)
			}
		}
		if day%17 == 5 { // deleted again
			for id := range expected {
				w.delete(id)
				delete(expected, id)
				deleted++
				break
			}
		}
		if day%23 == 11 {
			w.now = w.now.Add(-26 * time.Hour) // a clock that is set back
			w.run(model)
			w.now = w.now.Add(26 * time.Hour)
		}
		if day%9 == 0 {
			w.reopen()
		}
		w.now = w.now.Add(7 * time.Hour)
		w.run(model)
		w.wantHistory()
	}
	w.now = w.now.Add(48 * time.Hour) // past every pause
	for range 3 {
		w.now = w.now.Add(7 * time.Hour)
		w.archive(model)
	}
	tiers := w.tiers()
	for id := range expected {
		if n := len(tiers[id]); n != 1 {
			t.Errorf("message %s is in %d tiers: %v", id, n, tiers[id])
		}
	}
	for id, in := range tiers {
		if !expected[id] {
			t.Errorf("message %s may not be written and is in %v", id, in)
		}
	}
	t.Logf("%d messages, %d deleted, %d files, the model was asked %d times", len(expected), deleted, len(w.paths()), model.n)
}

func (w *world) delete(id string) {
	w.Helper()
	w.must(w.st.Update(func(tx *store.Tx) error {
		_, err := tx.Trash(luna, w.ids.New(w.now), nil, nil, id)
		return err
	}))
	w.purge()
}

// purge makes deletions final.
func (w *world) purge() {
	w.Helper()
	w.must(w.st.Update(func(tx *store.Tx) error {
		_, _, err := tx.PurgeTrash(w.now.Add(time.Second))
		return err
	}))
}

// wantHistory checks the limits of J2 and that an archiving leaves nothing pending.
func (w *world) wantHistory() {
	w.Helper()
	w.must(w.st.View(func(tx *store.Tx) error {
		all, yes := 0, 0
		for id, e := range tx.Histories(luna) {
			all++
			switch e.Archived {
			case memory.ArchivedYes:
				yes++
			case memory.ArchivedPending:
				w.Errorf("%s stays pending", id)
			}
		}
		if all > softLimit && yes > 0 {
			w.Errorf("the history has %d messages, %d of them archived", all, yes)
		}
		return nil
	}))
}

// J4: 31 January and 1 February, and months of other lengths.
func TestTiers(t *testing.T) {
	for _, c := range []struct {
		day, today string
		want       memory.JournalKind
	}{
		{"2026-01-31", "2026-01-31", memory.JournalVerbatim},
		{"2026-01-26", "2026-01-31", memory.JournalVerbatim},
		{"2026-01-25", "2026-01-31", memory.JournalDay},
		{"2025-12-01", "2026-01-31", memory.JournalDay},
		{"2025-12-31", "2026-01-31", memory.JournalDay},
		{"2025-11-30", "2026-01-31", memory.JournalMonth},
		{"2025-12-01", "2026-02-01", memory.JournalMonth},
		{"2025-12-31", "2026-02-01", memory.JournalMonth},
		{"2026-01-01", "2026-02-01", memory.JournalDay},
		{"2026-01-31", "2026-02-01", memory.JournalVerbatim},
		{"2026-02-26", "2026-03-03", memory.JournalVerbatim},
		{"2026-02-25", "2026-03-03", memory.JournalDay},
		{"2026-01-31", "2026-03-31", memory.JournalMonth},
		{"2026-02-28", "2026-03-31", memory.JournalDay},
		{"2024-02-29", "2024-03-31", memory.JournalDay},
		{"2024-02-29", "2024-04-01", memory.JournalMonth},
		{"2026-02-05", "2026-02-01", memory.JournalVerbatim}, // a clock that was set back
	} {
		if got := tierOf(c.day, c.today); got != c.want {
			t.Errorf("%s on %s: %s, want %s", c.day, c.today, got, c.want)
		}
	}
}

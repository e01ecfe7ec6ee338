package journal

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// J2, J3, J4, J5, J6, A1: over a year of 5 to 200 messages a day, with months of 28 to 31
// days, a model that fails for three days, a clock that is set back, journeys, crashes, and
// messages with old dates, every message that may be written ends up in exactly one tier,
// and no other in any. The journal works in the background by its own timers, and a model is
// asked every hour, as the chat does.
func TestYear(t *testing.T) {
	days := 95 // months of 28, 31 and 30 days; MEMORIA_DAYS=366 is the whole year
	if n, err := strconv.Atoi(os.Getenv("MEMORIA_DAYS")); err == nil {
		days = n
	}
	if testing.Short() {
		days = 14
	}
	synctest.Test(t, func(t *testing.T) { liveYear(t, days) })
}

// calendar is the clock of a year: that of the bubble, moved and shown in a zone.
type calendar struct {
	mu    sync.Mutex
	ahead time.Duration
	zone  *time.Location
}

func (c *calendar) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead).In(c.zone)
}

// move sets the clock by d.
func (c *calendar) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

func (c *calendar) travel(to *time.Location) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.zone = to
}

func liveYear(t *testing.T, days int) {
	random := rand.New(rand.NewPCG(7, 2026))
	start := time.Date(2026, 2, 1, 7, 0, 0, 0, time.UTC)
	c := &calendar{ahead: time.Until(start), zone: time.UTC}
	w := newLiveWorld(t, c.now)
	zones := []*time.Location{time.UTC, time.FixedZone("CST", 8*3600), time.FixedZone("PST", -8*3600)}
	model := &fails{by: firstWordsOf{}}
	model.down = func() bool { d := int(c.now().Sub(start).Hours() / 24); return d >= 20 && d < 23 }
	expected := map[string]bool{}
	deleted := 0
	until := func(at time.Time) { // sleeps, and lets the model work every hour
		for c.now().Before(at) {
			time.Sleep(min(time.Hour, at.Sub(c.now())))
			synctest.Wait()
			if w.j.Due(t.Context()) {
				w.run(model)
			}
		}
	}
	topics := strings.Fields("kiln pottery deploy tomato garden violin marathon tax passport bicycle 陶艺 面包 签证 装修 跑步 小提琴")
	for day := range days {
		c.travel(zones[day/40%len(zones)])
		until(start.AddDate(0, 0, day))
		session := ""
		n := 5 + random.IntN(20)
		if day%30 == 3 {
			n = 200
		}
		for i := range n {
			time.Sleep(time.Duration(random.IntN(5)) * time.Second)
			if i%25 == 0 {
				time.Sleep(time.Duration(random.IntN(90)) * time.Minute)
				w.now = c.now()
				session = w.session()
			}
			w.now = c.now()
			what := topics[random.IntN(len(topics))]
			switch random.IntN(30) {
			case 0: // not for memory
				w.say(session, "Don't remember this "+what, func(r *memory.Record) { r.Metadata.Forgetful = true })
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
		}
		if day%17 == 5 { // deleted again
			for id := range expected {
				w.now = c.now()
				w.delete(id)
				delete(expected, id)
				deleted++
				break
			}
		}
		if day%23 == 11 {
			c.move(-26 * time.Hour) // a clock that is set back
			time.Sleep(time.Hour)
			synctest.Wait()
			c.move(26 * time.Hour)
		}
		if day%9 == 0 {
			w.reopen()
		}
		time.Sleep(7 * time.Hour)
		synctest.Wait()
		w.wantHistory()
	}
	until(c.now().Add(72 * time.Hour)) // past every pause
	w.wantTiers(expected)
	w.wantUncovered(topics)
	t.Logf("%d messages, %d deleted, %d files, the model was asked %d times", len(expected), deleted, len(w.paths()), model.n)
}

// wantUncovered checks that no search returns a file that a coarser one covers (J6).
func (w *world) wantUncovered(words []string) {
	w.Helper()
	covered := 0
	for _, f := range w.j.snapshot() {
		if f.Covered != "" {
			covered++
		}
	}
	found := 0
	for _, word := range words {
		for _, more := range []string{"", " hours", " day 3", " worked on day 12"} {
			hits, err := w.j.Search(w.Context(), Query{Text: word + more, Limit: MostHits})
			w.must(err)
			for _, h := range hits {
				if found++; w.j.file(h.Path).Covered != "" {
					w.Errorf("%q finds %s, which %s covers", word+more, h.Path, w.j.file(h.Path).Covered)
				}
			}
		}
	}
	if covered == 0 || found == 0 {
		w.Errorf("%d files are covered, %d passages were found: nothing was proven", covered, found)
	}
}

// wantTiers checks that each message of expected is in one tier, and no other in any.
func (w *world) wantTiers(expected map[string]bool) {
	w.Helper()
	tiers := w.tiers()
	for id := range expected {
		if n := len(tiers[id]); n != 1 {
			w.Errorf("message %s is in %d tiers: %v", id, n, tiers[id])
		}
	}
	for id, in := range tiers {
		if !expected[id] {
			w.Errorf("message %s may not be written and is in %v", id, in)
		}
	}
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

package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// imports appends messages of old days, as an import does, in one write.
func (w *world) imports(times []time.Time) (ids []string) {
	w.Helper()
	w.must(w.st.Update(func(tx *store.Tx) error {
		s := memory.Session{ID: w.session(), AgentID: luna, CreatedAt: w.now, State: memory.SessionActive, LastMessageAt: w.now, Messages: len(times)}
		for n, at := range times {
			r := memory.Record{
				ID: w.ids.New(w.now), AgentID: luna, SessionID: s.ID, TurnID: w.ids.New(w.now), Role: memory.RoleUser,
				Content: fmt.Sprintf("Long ago I moved to house number %d", n), Timestamp: at, Status: memory.StatusComplete,
			}
			s.LastRecordID, ids = r.ID, append(ids, r.ID)
			if n == 0 {
				if err := tx.PutSession(s); err != nil {
					return err
				}
			}
			if err := tx.AppendRecord(r); err != nil {
				return err
			}
		}
		return tx.PutSession(s)
	}))
	return ids
}

// J2, J4: 750 imported messages of five years are lost nowhere: without a summariser already
// each month gets one summary by rules, no day gets one, and no model is asked.
func TestAttackImport(t *testing.T) {
	noRace(t)
	w := newWorld(t, morning)
	var times []time.Time
	for n := range 750 {
		times = append(times, time.Date(2019, 1, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(n)*3500*time.Minute))
	}
	ids := w.imports(times)
	if r := w.run(nil); r.Waiting != 0 {
		t.Errorf("without a summariser %+v", r)
	}
	model := &fails{by: firstWordsOf{}, down: func() bool { return false }}
	w.run(model)
	tiers := w.tiers()
	months := map[string]bool{}
	for _, id := range ids {
		if len(tiers[id]) != 1 {
			t.Fatalf("%s is in %v", id, tiers[id])
		}
		months[tiers[id][0]] = true
	}
	st, err := w.j.Status(context.Background())
	w.must(err)
	if model.n > 0 || len(w.paths()) != len(months) || st.Files[memory.JournalMonth] != len(months) || len(months) != 60 {
		t.Errorf("asked %d times, %d months, files %v", model.n, len(months), st.Files)
	}
	if st.History > softLimit {
		t.Errorf("%+v", st)
	}
}

// J2: that too many messages wait is noted once, however often nothing can be done about it,
// so that other events are not pushed out.
func TestAttackOverflowIsToldOnce(t *testing.T) {
	w := newWorld(t, morning)
	session := w.session()
	for range 400 {
		w.say(session, "The kiln is hot")
	}
	w.now = w.now.AddDate(0, 0, 12) // summaries are due, without a summariser
	for range 5 {
		w.run(nil)
		w.now = w.now.Add(time.Minute)
	}
	st, err := w.j.Status(context.Background())
	w.must(err)
	if len(st.Events) != 1 {
		t.Errorf("%d events", len(st.Events))
	}
}

// J4, J6: messages that come late for a month that is summarised are found, with all others of it,
// each in one tier.
func TestAttackLateMessages(t *testing.T) {
	w := newWorld(t, day("2025-10-03"))
	ids := []string{w.on(day("2025-10-03"), "The quince was planted")}
	w.now = morning
	w.archive(firstWordsOf{})
	w.now = w.now.Add(time.Hour)
	ids = append(ids, w.imports([]time.Time{day("2025-10-09"), day("2025-10-10")})...)
	w.archive(firstWordsOf{})
	w.wantIn("memory/summary/2025-10.md", ids...)
	w.now = w.now.Add(time.Hour)
	if r := w.archive(firstWordsOf{}); len(r.Files) > 0 {
		t.Errorf("then %+v", r)
	}
}

// J4: a month that a model has summarised is given to the model again when messages come late.
func TestAttackLateMessagesKeepTheModel(t *testing.T) {
	w := newWorld(t, day("2025-10-03"))
	w.on(day("2025-10-03"), "The quince was planted")
	w.now = morning
	model := &fails{by: firstWordsOf{}, down: func() bool { return false }}
	w.archive(model)
	w.now = w.now.Add(time.Hour)
	w.imports([]time.Time{day("2025-10-09")})
	w.archive(model)
	if d := Parse(w.read("memory/summary/2025-10.md")); d.By != "test-model" {
		t.Errorf("it is by %s", d.By)
	}
}

// refuses is a model that refuses one day.
type refuses struct{ date string }

func (r refuses) Summarise(ctx context.Context, m Material) (Summary, error) {
	if m.Date == r.date {
		return Summary{}, errors.New("refused")
	}
	return firstWordsOf{}.Summarise(ctx, m)
}

// J3, J4, J5, J6: a day whose summary always fails keeps no other day back, copies are made
// meanwhile, and its own words are found in the file that it has.
func TestAttackOneBadDay(t *testing.T) {
	w := newWorld(t, day("2026-01-02"))
	var ids []string
	for n := range 21 {
		ids = append(ids, w.on(day("2026-01-02").AddDate(0, 0, n), fmt.Sprintf("I wrote about house number %d", n)))
		w.archive(nil)
	}
	bad := w.in(ids[3])
	w.now = day("2026-01-31")
	for range 9 {
		w.archive(refuses{"2026-01-05"})
		w.now = w.now.Add(2 * time.Hour)
	}
	fresh := w.say(w.session(), "The kiln is at 1050 degrees")
	w.archive(refuses{"2026-01-05"})
	w.wantIn(bad, ids[3])
	w.wantIn("memory/2026-02-01-", fresh)
	for n, id := range ids {
		if n != 3 && !strings.HasPrefix(w.in(id), summaryDir) {
			t.Errorf("message %d is in %s", n, w.in(id))
		}
	}
	w.wantHistory()
}

// J4, J5: an archiving that is ended again and again, because the user writes, gets somewhere.
func TestAttackInterrupted(t *testing.T) {
	w := newWorld(t, day("2026-01-02"))
	for n := range 12 {
		w.on(day("2026-01-02").AddDate(0, 0, n), fmt.Sprintf("I wrote about house number %d", n))
		w.archive(nil)
	}
	w.now = day("2026-01-31")
	for range 20 {
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		_, err := w.j.RunWith(ctx, hooked{ended{}, func() {
			if n++; n == 4 { // three summaries are made
				cancel()
			}
		}}, Wanted{Now: true})
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			w.must(err)
		}
		w.wantHistory()
	}
	if st, err := w.j.Status(context.Background()); err != nil || st.Files[memory.JournalDay] != 12 {
		t.Errorf("after 20 archivings: %v, %v", st.Files, err)
	}
}

// ended is a summariser that ends with its context.
type ended struct{}

func (ended) Summarise(ctx context.Context, m Material) (Summary, error) {
	if ctx.Err() != nil {
		return Summary{}, context.Cause(ctx)
	}
	return firstWordsOf{}.Summarise(ctx, m)
}

// J2, J4, J6: three months without any summariser leave nothing waiting, and all is found word for word.
func TestAttackNoModel(t *testing.T) {
	w := newWorld(t, morning)
	var ids []string
	for n := range 90 {
		ids = append(ids, w.on(morning.AddDate(0, 0, n), fmt.Sprintf("I wrote about house number %d", n)))
		if r := w.archive(nil); r.Waiting > 0 {
			t.Fatalf("day %d: %+v", n, r)
		}
	}
	tiers := w.tiers()
	for n, id := range ids {
		if len(tiers[id]) != 1 || !has(tiers[id], dayOf(morning.AddDate(0, 0, n), time.UTC)) {
			t.Errorf("day %d is in %v", n, tiers[id])
		}
	}
	w.wantHistory()
}

// J1: a name that is taken by the user's own notes is left to him; of many conversations with one name
// each has its own, and what comes after one was erased takes nothing over from it.
func TestAttackNames(t *testing.T) {
	w := newWorld(t, morning)
	w.fill()
	w.write("memory/2026-01-28-deploy-worker.md", "My own notes on porcelain\n")
	var sessions, ids []string
	for n := range 3 {
		sessions = append(sessions, w.session())
		ids = append(ids, w.say(sessions[n], "Deploy the worker"), w.say(sessions[n], "Secret word zeppelin"+fmt.Sprint(n)))
	}
	w.archive(nil)
	first := w.in(ids[0])
	w.must(w.st.Update(func(tx *store.Tx) error { _, err := tx.Trash(luna, "D1", sessions[:1], nil); return err }))
	w.purge()
	w.run(nil)
	w.nowhere("zeppelin0")
	s := w.session()
	d := w.say(s, "Deploy the worker")
	w.archive(nil)
	all := append(slices.Clone(ids[2:]), d)
	for _, id := range all {
		w.in(id)
	}
	if doc := Parse(w.read(w.in(d))); doc.Session != s || !slices.Equal(doc.Records, []string{d}) {
		t.Errorf("%s, after %s was erased: %+v", w.in(d), first, doc)
	}
	if got := w.find("zeppelin0"); has(got, "zeppelin0") || w.read("memory/2026-01-28-deploy-worker.md") != "My own notes on porcelain\n" {
		t.Errorf("found %q", got)
	}
	w.must(w.st.View(func(tx *store.Tx) error {
		lists, err := tx.JournalLists(luna)
		if len(lists.With(ids[0])) > 0 || w.j.file(first).Session == sessions[0] {
			t.Errorf("something is known of what was erased")
		}
		return err
	}))
}

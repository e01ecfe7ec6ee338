package journal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/store"
)

const luna = "luna"

// world is a store with the journal of one agent, and a clock.
type world struct {
	testing.TB
	st    *store.Store
	j     *Journal
	now   time.Time
	ids   *memory.IDs
	cfg   Config
	dir   string
	sizes map[string]int // messages of sessions
	sync  bool           // each write waits for the disk
	// clock is where the time comes from, nil for now; with one, the journal works in the
	// background.
	clock func() time.Time
}

func newWorld(t testing.TB, at time.Time) *world {
	t.Helper()
	w := &world{TB: t, now: at, ids: memory.NewIDs(nil), cfg: DefaultConfig(), dir: t.TempDir(), sizes: map[string]int{}}
	w.open()
	w.run(nil) // it follows the feed from now on
	t.Cleanup(func() { w.shut() })
	return w
}

// newLiveWorld is a world whose time goes by, for a bubble of synctest.
func newLiveWorld(t testing.TB, clock func() time.Time) *world {
	t.Helper()
	w := &world{TB: t, now: clock(), ids: memory.NewIDs(nil), cfg: DefaultConfig(), dir: t.TempDir(), sizes: map[string]int{}, clock: clock}
	w.open()
	w.run(nil)
	t.Cleanup(func() { w.shut() })
	return w
}

func (w *world) open() {
	w.Helper()
	var err error
	now := func() time.Time { return w.now }
	if w.clock != nil {
		now = w.clock
	}
	w.st, err = store.Open(store.Options{
		Path: filepath.Join(w.dir, "memoria.db"), Now: now, Logger: slog.New(slog.DiscardHandler), NoSync: !w.sync,
	})
	w.must(err)
	p := policy.New(policy.Default())
	w.j = newJournal(Options{
		Store: w.st, Dir: filepath.Join(w.dir, "journal", luna), Index: filepath.Join(w.dir, "index"), Agent: luna,
		Logger: slog.New(slog.DiscardHandler), Now: now, Config: func() Config { return w.cfg },
		Policy: func() *policy.Policy { return p }, Content: func(r memory.Record) memory.Record { return r },
		Keeps:    func(s memory.Session) bool { return !s.Unkept },
		Accepted: func() []string { return nil },
	})
	if w.clock != nil {
		go w.j.background()
		return
	}
	close(w.j.done) // nothing runs in the background
}

func (w *world) shut() {
	w.must(errors.Join(w.j.Close(), w.st.Close()))
}

func (w *world) reopen() {
	w.Helper()
	w.shut()
	w.open()
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// say appends a message, at the time of the clock.
func (w *world) say(session, content string, change ...func(*memory.Record)) string {
	w.Helper()
	r := memory.Record{
		ID: w.ids.New(w.now), AgentID: luna, SessionID: session, TurnID: w.ids.New(w.now), Role: memory.RoleUser,
		Content: content, Timestamp: w.now, Status: memory.StatusComplete,
	}
	for _, c := range change {
		c(&r)
	}
	w.must(w.st.Update(func(tx *store.Tx) error {
		s, err := tx.Session(luna, session)
		if errors.Is(err, store.ErrNotFound) {
			s = memory.Session{ID: session, AgentID: luna, CreatedAt: w.now, State: memory.SessionActive, Title: titleOf(content)}
		} else if err != nil {
			return err
		}
		s.LastMessageAt, s.LastRecordID = w.now, r.ID
		s.Messages++
		return errors.Join(tx.PutSession(s), tx.AppendRecord(r))
	}))
	return r.ID
}

func titleOf(s string) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(len(words), 3)], " ")
}

func (w *world) session() string { return w.ids.New(w.now) }

func (w *world) run(by Summariser) Report {
	w.Helper()
	report, err := w.j.Run(context.Background(), by)
	w.must(err)
	return report
}

func (w *world) archive(by Summariser) Report {
	w.Helper()
	report, err := w.j.RunWith(context.Background(), by, Wanted{Now: true})
	w.must(err)
	return report
}

func (w *world) rules() Summariser { return Rules{w.j.Policy()} }

func (w *world) paths() (out []string) {
	w.Helper()
	files, err := w.j.Files(context.Background())
	w.must(err)
	for _, f := range files {
		out = append(out, f.Path)
	}
	slices.Sort(out)
	return out
}

func (w *world) find(words string) (out []string) {
	w.Helper()
	hits, err := w.j.Search(context.Background(), Query{Text: words, Limit: 5})
	w.must(err)
	for _, h := range hits {
		out = append(out, h.Path+": "+h.Text[h.From:h.To])
	}
	return out
}

func (w *world) write(p, words string) {
	w.Helper()
	name := filepath.Join(w.j.Dir, filepath.FromSlash(p))
	w.must(os.MkdirAll(filepath.Dir(name), 0o700))
	w.must(os.WriteFile(name, []byte(words), 0o600))
}

func (w *world) read(p string) string {
	w.Helper()
	words, err := w.j.Read(p)
	w.must(err)
	return words
}

// tiers says for each message of the journal which visible files have it.
func (w *world) tiers() map[string][]string {
	w.Helper()
	out := map[string][]string{}
	files := w.j.snapshot()
	s := search{Journal: w.j}
	w.must(w.st.View(func(tx *store.Tx) error {
		for p, f := range files {
			if f.Kind == memory.JournalOwn || !s.visible(f) {
				continue
			}
			ids, err := tx.JournalIDs(luna, p)
			if err != nil {
				return err
			}
			on := Parse(w.read(p))
			if !slices.Equal(on.Records, ids) {
				return fmt.Errorf("%s names %d messages, the store %d", p, len(on.Records), len(ids))
			}
			for _, id := range ids {
				out[id] = append(out[id], p)
			}
		}
		return nil
	}))
	return out
}

// fails is a summariser that answers by rules, when it answers.
type fails struct {
	by   Summariser
	down func() bool
	n    int
}

func (f *fails) Summarise(ctx context.Context, m Material) (Summary, error) {
	f.n++
	if f.down() {
		return Summary{}, errors.New("the model is out")
	}
	s, err := f.by.Summarise(ctx, m)
	s.By = "test-model"
	return s, err
}

func has(all []string, part string) bool {
	return slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, part) })
}

// firstWordsOf is a model that returns the first words of each session.
type firstWordsOf struct{}

func (firstWordsOf) Summarise(_ context.Context, m Material) (s Summary, _ error) {
	for _, t := range m.Talks {
		s.Lines = append(s.Lines, Line{About: t.Title, Text: t.Said[0].Text})
	}
	return s, nil
}

package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// ErrRunning says that an archiving is already running.
var ErrRunning = errors.New("the journal is being written already")

// Report is the result of an archiving.
type Report struct {
	Messages int      // written to files
	Files    []string // written files, by path
	Failed   []Failed
	// Waiting is the number of messages not yet in the journal.
	Waiting int
}

// Failed is a failed summary.
type Failed struct {
	Path string
	Err  error
	Next time.Time
}

// Wanted requests additional work of an archiving.
type Wanted struct {
	// Now archives without waiting for a number of messages or a time.
	Now bool
	// Retry retries failed summaries without backoff.
	Retry bool
	// Redo regenerates the summaries made by rules.
	Redo bool
}

// Run archives due messages (J3). It copies recent messages, and has by make the summaries
// (J4); if by is nil, those wait. It returns ErrRunning if another archiving is running.
// Failed summaries are retried later (J5) and are not errors of Run.
func (j *Journal) Run(ctx context.Context, by Summariser) (Report, error) {
	return j.RunWith(ctx, by, Wanted{})
}

// RunWith is Run with requests of the user.
func (j *Journal) RunWith(ctx context.Context, by Summariser, w Wanted) (Report, error) {
	select {
	case j.running <- struct{}{}:
		defer func() { <-j.running }()
	default:
		return Report{}, ErrRunning
	}
	if !j.Config().Enabled || j.Store.DB().ReadOnly() {
		return Report{}, nil
	}
	if err := j.refresh(ctx); err != nil {
		return Report{}, err
	}
	r := &run{Journal: j, by: by, wanted: w, now: j.Now()}
	r.today = dayOf(r.now, r.now.Location())
	err := r.all(ctx)
	if len(r.report.Files) > 0 {
		err = errors.Join(err, j.refresh(context.WithoutCancel(ctx)))
		j.notify()
	}
	return r.report, err
}

// run is one archiving.
type run struct {
	*Journal
	by     Summariser
	wanted Wanted
	now    time.Time
	today  string
	report Report
	anew   []unit // files to be written under another name
	erased bool   // forgotten words were removed from files
	again  bool   // an edited file was found: its messages need another file
	// postponed says that messages wait for a summary without a summariser. The next run with
	// one is still due.
	postponed bool
	crowded   bool // the history is over its limits
}

// unit is a file to be written by an archiving.
type unit struct {
	kind    memory.JournalKind
	date    string
	session string
	fresh   []string // its messages that are in no file yet
	old     bool     // all of fresh are old
}

func (u unit) before(o unit) int {
	rank := func(k memory.JournalKind) int {
		return slices.Index([]memory.JournalKind{memory.JournalVerbatim, memory.JournalDay, memory.JournalMonth}, k)
	}
	return cmp.Or(cmp.Compare(rank(u.kind), rank(o.kind)), cmp.Compare(u.date, o.date), cmp.Compare(u.session, o.session))
}

func (r *run) all(ctx context.Context) error {
	if err := r.renewStale(ctx); err != nil {
		return err
	}
	if err := r.dropTooRecent(); err != nil {
		return err
	}
	if err := r.archive(ctx, r.anew); err != nil {
		return err
	}
	due := false
	for range passes {
		units, isDue, err := r.plan()
		if err != nil {
			return err
		}
		due, r.again = due || isDue, false
		for batch := range slices.Chunk(units, batchUnits) {
			if ctx.Err() != nil {
				break
			}
			if err := r.archive(ctx, batch); err != nil {
				return err
			}
		}
		if !r.again {
			break
		}
		r.wanted.Now = r.wanted.Now || due
	}
	if due || r.crowded || len(r.report.Files) > 0 {
		if err := r.tidy(due); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// dropTooRecent removes summaries of days that are too recent for them, written while a clock
// was ahead. Their messages are found in the covered files, or wait again.
func (r *run) dropTooRecent() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.snapshotLocked() {
		day := f.Date
		switch {
		case f.Edited || f.Removed || !f.Written() || f.Kind != memory.JournalDay && f.Kind != memory.JournalMonth:
			continue
		case f.Kind == memory.JournalMonth:
			first, err := time.Parse(monthOnly, f.Date)
			if err != nil {
				continue
			}
			day = first.AddDate(0, 1, -1).Format(time.DateOnly)
		}
		if tier := tierOf(day, r.today); tier == f.Kind || tier == memory.JournalMonth {
			continue
		}
		if err := r.disk.remove(f.Path); err != nil {
			return err
		}
		if err := r.unmake(f); err != nil {
			return err
		}
		r.report.Files = append(r.report.Files, f.Path)
	}
	return nil
}

// unmake removes a summary's record, and relists its messages that no other file has. The
// caller holds mu.
func (r *run) unmake(f memory.JournalFile) error {
	return r.Store.Update(func(tx *store.Tx) error {
		ids, err := tx.JournalIDs(r.Agent, f.Path)
		if err != nil && !store.Unreadable(err) {
			return err
		}
		if err := errors.Join(r.drop(tx, f.Path), r.uncover(tx, f.Path)); err != nil {
			return err
		}
		lists, err := tx.JournalLists(r.Agent)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if len(lists.With(id)) > 0 {
				continue
			}
			if err := r.relist(tx, id, f.Date); err != nil {
				return err
			}
		}
		return nil
	})
}

// passes is the number of attempts of an archiving when files are edited meanwhile.
const passes = 3

// batchUnits is the number of files written between two store writes, which wait for the
// disk.
const batchUnits = 32

// plan returns the files to be written: for waiting messages, if archiving is due, and for
// days that are too old for their kind of file.
func (r *run) plan() (units []unit, due bool, err error) {
	found := map[string]*unit{}
	add := func(kind memory.JournalKind, day, session string) *unit {
		u := unit{kind: kind, date: day, old: true}
		switch kind {
		case memory.JournalVerbatim:
			u.session = session
		case memory.JournalMonth:
			u.date = monthOf(day)
		}
		key := string(kind) + u.date + u.session
		if found[key] == nil {
			found[key] = &u
		}
		return found[key]
	}
	byModel := map[string]bool{} // days and months with a summary by a model
	r.mu.Lock()
	for _, f := range r.files {
		if !f.Written() || f.Edited || f.Removed {
			continue
		}
		if f.By != "" && f.By != memory.JournalByRules {
			byModel[f.Date] = true
		}
		switch {
		case f.Covered == "" && (f.Regenerate || r.wanted.Redo && f.By == memory.JournalByRules):
			day := f.Date
			if f.Kind == memory.JournalMonth {
				day += "-01"
			}
			add(f.Kind, day, "").old = false
		case f.Covered != "" || f.Kind == memory.JournalMonth:
		default:
			if tier := tierOf(f.Date, r.today); tier != memory.JournalVerbatim && tier != f.Kind {
				u := add(tier, f.Date, "")
				u.old = u.old && f.By == memory.JournalByRules
			}
		}
	}
	r.mu.Unlock()
	err = r.Store.View(func(tx *store.Tx) error {
		waiting, err := r.waiting(tx)
		if err != nil {
			return err
		}
		r.report.Waiting = waiting.count
		r.crowded = waiting.total > softLimit || waiting.bytes > hardBytes
		state, err := tx.JournalState(r.Agent)
		if err != nil && !store.Unreadable(err) {
			return err
		}
		if due = r.wanted.Now || waiting.due(r.now, state.LastRun, r.Config()); !due {
			return nil
		}
		for id, e := range waiting.entries {
			if r.resting(e.Failing) {
				continue
			}
			u := add(tierOf(e.Day, r.today), e.Day, e.Session)
			u.fresh, u.old = append(u.fresh, id), u.old && e.Old
		}
		return nil
	})
	for _, u := range found {
		u.old = u.old && !byModel[u.date]
		if u.kind != memory.JournalVerbatim && r.pauses(*u) {
			continue
		}
		if u.kind != memory.JournalVerbatim && r.by == nil && !u.old {
			r.postponed = r.postponed || len(u.fresh) > 0
			continue
		}
		slices.Sort(u.fresh)
		units = append(units, *u)
	}
	slices.SortFunc(units, unit.before)
	return units, due, err
}

// pauses reports whether a failed summary is in backoff.
func (r *run) pauses(u unit) bool {
	return r.resting(r.file(summaryPath(u.date)).Failing)
}

// resting reports whether it is too early for a retry. A failure in the future, after a
// clock was set back, does not count.
func (r *run) resting(f memory.Failing) bool {
	return !r.wanted.Retry && r.now.Before(f.NextAt) && !r.now.Before(f.FailedAt)
}

// work is a file being prepared.
type work struct {
	unit
	file    memory.JournalFile
	sources []string // messages that were read
	begun   []string // their state before, to detect changes
	ids     []string // those that are written
	doc     Document
	fault   error
}

// archive writes the files of some units. The next archiving restarts the work of a killed
// one: its messages are pending, and nothing else was stored.
func (r *run) archive(ctx context.Context, units []unit) error {
	if len(units) == 0 {
		return nil
	}
	if err := r.claim(units); err != nil {
		return err
	}
	var ready, failed []*work
	for i, u := range units {
		w := r.make(ctx, u)
		if w.fault != nil && ctx.Err() != nil {
			if err := r.release(units[i:]); err != nil {
				return err
			}
			break // write the finished ones
		}
		if w.fault == nil {
			ready = append(ready, w)
		} else {
			failed = append(failed, w)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.follow(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	ready = slices.DeleteFunc(ready, func(w *work) bool { return !r.holds(w) })
	return errors.Join(r.write(ready), r.fail(failed))
}

// holds reports whether the messages of a file are unchanged since it was prepared. If not,
// the next archiving regenerates it.
func (r *run) holds(w *work) bool {
	now, err := r.standing(w.sources)
	return err == nil && slices.Equal(now, w.begun)
}

// standing returns the ids of the messages that may be written, with their forgotten
// words.
func (r *run) standing(ids []string) (out []string, err error) {
	err = r.Store.View(func(tx *store.Tx) error {
		out = nil
		silenced := map[string][]memory.Evidence{}
		for _, id := range ids {
			m, err := tx.Record(r.Agent, id)
			if err != nil || !mayBeWritten(m) {
				continue
			}
			if _, known := silenced[m.SessionID]; !known {
				s, _ := tx.Session(r.Agent, m.SessionID)
				silenced[m.SessionID] = s.Silenced
			}
			out = append(out, id)
			for _, ev := range silenced[m.SessionID] {
				if ev.RecordID == id {
					out = append(out, fmt.Sprint(ev.Offset, ev.Length))
				}
			}
		}
		return nil
	})
	return out, err
}

// claim marks the messages of units as pending (J2).
func (r *run) claim(units []unit) error {
	return r.mark(units, func(e *memory.HistoryEntry) bool {
		claimed := e.Archived == memory.ArchivedNo
		e.Archived = memory.ArchivedPending
		return claimed
	})
}

// release reverts claim when the archiving was stopped.
func (r *run) release(units []unit) error {
	return r.mark(units, func(e *memory.HistoryEntry) bool {
		held := e.Archived == memory.ArchivedPending
		e.Archived = memory.ArchivedNo
		return held
	})
}

func (r *run) mark(units []unit, set func(*memory.HistoryEntry) bool) error {
	if !slices.ContainsFunc(units, func(u unit) bool { return len(u.fresh) > 0 }) {
		return nil
	}
	return r.Store.Update(func(tx *store.Tx) error {
		for _, u := range units {
			if err := r.markIn(tx, u.fresh, set); err != nil {
				return err
			}
		}
		return nil
	})
}

func (j *Journal) markIn(tx *store.Tx, ids []string, set func(*memory.HistoryEntry) bool) error {
	for _, id := range ids {
		e, err := tx.History(j.Agent, id)
		if errors.Is(err, store.ErrNotFound) || store.Unreadable(err) {
			continue
		}
		if err != nil {
			return err
		}
		if set(&e) {
			if err := tx.PutHistory(j.Agent, id, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// make reads a file's sources and generates its content.
func (r *run) make(ctx context.Context, u unit) *work {
	w := &work{unit: u}
	if w.ids, w.fault = r.idsOf(u); w.fault != nil {
		return w
	}
	w.sources = w.ids
	if w.begun, w.fault = r.standing(w.sources); w.fault != nil { // before they are read
		return w
	}
	m, ids, err := r.material(u, w.sources)
	if w.fault = err; err != nil {
		return w
	}
	w.ids = ids
	w.doc = Document{Kind: u.kind, Date: u.date, Session: u.session, Records: ids}
	if len(ids) == 0 {
		return w
	}
	if u.kind == memory.JournalVerbatim {
		w.doc.Body = verbatimBody(m, r.now.Location())
		return w
	}
	by := r.by
	if u.old || m.Imported {
		by = Rules{r.Policy()}
	}
	s, err := by.Summarise(ctx, m)
	if w.fault = err; err != nil {
		return w
	}
	w.doc.By, w.doc.Body = s.By, summaryBody(m, s)
	return w
}

// idsOf returns the source messages of a file: the waiting ones, and those of the files that
// it replaces. Edited files keep theirs, and those of removed files do not return.
func (r *run) idsOf(u unit) ([]string, error) {
	all, kept := map[string]bool{}, map[string]bool{}
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.Store.View(func(tx *store.Tx) error {
		for p, f := range r.files {
			if !u.takes(f) {
				continue
			}
			ids, err := tx.JournalIDs(r.Agent, p)
			if err != nil && !store.Unreadable(err) {
				return err
			}
			for _, id := range ids {
				if f.Edited || f.Removed && f.Covered == "" {
					kept[id] = true
				} else {
					all[id] = true
				}
			}
		}
		return nil
	})
	for _, id := range u.fresh {
		all[id] = true
	}
	var out []string
	for id := range all {
		if !kept[id] {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out, err
}

// takes reports whether a file is within the scope of a unit.
func (u unit) takes(f memory.JournalFile) bool {
	switch u.kind {
	case memory.JournalVerbatim:
		return f.Kind == memory.JournalVerbatim && f.Date == u.date && f.Session == u.session
	case memory.JournalDay:
		return f.Date == u.date
	}
	return f.Date != "" && strings.HasPrefix(f.Date, u.date)
}

// write writes files to the disk, between two store writes. The first announces the content,
// so that after a crash it is not taken for an edit. The second records that the files exist.
// The caller holds mu.
func (r *run) write(all []*work) error {
	if len(all) == 0 {
		return nil
	}
	for _, w := range all {
		w.file = r.place(w, all)
	}
	if err := r.announceFiles(all); err != nil {
		return err
	}
	for _, w := range all {
		if len(w.ids) == 0 {
			continue
		}
		w.fault = r.replace(w)
	}
	var lost error
	err := r.Store.Update(func(tx *store.Tx) error {
		for _, w := range all {
			if w.fault != nil {
				if !errors.Is(w.fault, errEdited) {
					lost = w.fault
				}
				if err := r.markIn(tx, w.fresh, unclaim); err != nil {
					return err
				}
				continue
			}
			if err := r.finish(tx, w); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, w := range all {
		if w.fault == nil && len(w.ids) > 0 {
			r.report.Files = append(r.report.Files, w.file.Path)
			r.report.Messages += len(w.fresh)
		}
	}
	if lost != nil {
		return fmt.Errorf("writing the journal: %w", lost)
	}
	return nil
}

func unclaim(e *memory.HistoryEntry) bool {
	e.Archived = memory.ArchivedNo
	return true
}

func (r *run) announceFiles(all []*work) error {
	return r.Store.Update(func(tx *store.Tx) error {
		for _, w := range all {
			if len(w.ids) == 0 {
				continue
			}
			w.file.Next = sumOf([]byte(w.doc.String()))
			if err := r.put(tx, w.file); err != nil {
				return err
			}
		}
		return nil
	})
}

// replace writes one file. A file that the user has edited keeps its content and
// messages; the other messages get a separate file in the next pass, so both survive
// (J7).
func (r *run) replace(w *work) error {
	kept, err := r.disk.replace(w.file.Path, w.doc.String(), w.file.Sum, w.file.Next)
	if kept != "" {
		r.log.Info("a file was edited while it was written; both are kept", "file", kept)
	}
	if !errors.Is(err, errEdited) {
		return err
	}
	f := w.file
	r.again = true
	return errors.Join(errEdited, r.Store.Update(func(tx *store.Tx) error {
		if !f.Written() {
			return r.drop(tx, f.Path) // a file of this name was just created
		}
		f.Edited, f.Next = true, ""
		return r.put(tx, f)
	}))
}

// place returns the path of a file: that of the file it replaces, or a free one.
func (r *run) place(w *work, all []*work) memory.JournalFile {
	usable := func(f memory.JournalFile) bool {
		return f.Kind == w.kind && f.Date == w.date && f.Session == w.session && !f.Edited && !f.Removed
	}
	base := summaryPath(w.date)
	if w.kind == memory.JournalVerbatim {
		base = verbatimPath(w.date, Slug(firstWords(w.doc), w.session))
	}
	var own []memory.JournalFile
	for _, f := range r.files {
		if usable(f) && !r.disk.blocked(f.Path) {
			own = append(own, f)
		}
	}
	if len(own) > 0 {
		return slices.MinFunc(own, func(a, b memory.JournalFile) int { return cmp.Compare(a.Path, b.Path) })
	}
	taken := func(p string) bool {
		_, known := r.files[p]
		return known || r.disk.occupied(p) ||
			slices.ContainsFunc(all, func(o *work) bool { return o != w && o.file.Path == p })
	}
	p := base
	for n := 2; taken(p); n++ {
		p = numbered(base, n)
	}
	return memory.JournalFile{Path: p, Kind: w.kind, Date: w.date, Session: w.session}
}

// finish records that a file exists, its messages, and the finer files that it covers.
func (r *run) finish(tx *store.Tx, w *work) error {
	if err := r.markIn(tx, w.fresh, func(e *memory.HistoryEntry) bool {
		e.Archived, e.Failing = memory.ArchivedYes, memory.Failing{}
		return true
	}); err != nil {
		return err
	}
	if len(w.ids) == 0 {
		return nil
	}
	f := w.file
	f.Sum, f.Next, f.Messages, f.By = f.Next, "", len(w.ids), w.doc.By
	f.Stale, f.Regenerate, f.Covered, f.Failing = false, false, "", memory.Failing{}
	if err := errors.Join(r.put(tx, f), tx.PutJournalIDs(r.Agent, f.Path, w.ids)); err != nil {
		return err
	}
	if w.kind == memory.JournalVerbatim {
		return nil
	}
	return r.cover(tx, f, w)
}

// cover records the files whose messages are all in a summary (J6).
func (r *run) cover(tx *store.Tx, by memory.JournalFile, w *work) error {
	has := make(map[string]bool, len(w.ids))
	for _, id := range w.ids {
		has[id] = true
	}
	for p, f := range r.files {
		if p == by.Path || f.Edited || f.Removed || !w.takes(f) || !f.Written() || f.Kind == memory.JournalMonth {
			continue
		}
		ids, err := tx.JournalIDs(r.Agent, p)
		if err != nil && !store.Unreadable(err) {
			return err
		}
		if slices.ContainsFunc(ids, func(id string) bool { return !has[id] }) {
			continue
		}
		f.Covered = by.Path
		if err := r.put(tx, f); err != nil {
			return err
		}
	}
	return nil
}

// Backoff of failed summaries (J5); after the last value, one day.
var backoff = []time.Duration{10 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour}

const backlogPause = 24 * time.Hour

func failedAgain(f memory.Failing, now time.Time) memory.Failing {
	pause := backlogPause
	if f.Attempts < len(backoff) {
		pause = backoff[f.Attempts]
	}
	return memory.Failing{Attempts: f.Attempts + 1, FailedAt: now, NextAt: now.Add(pause)}
}

// fail records failed summaries: their messages wait again (J5). The caller holds mu.
func (r *run) fail(all []*work) error {
	if len(all) == 0 {
		return nil
	}
	return r.Store.Update(func(tx *store.Tx) error {
		for _, w := range all {
			p := summaryPath(w.date)
			f, known := r.files[p]
			if !known {
				f = memory.JournalFile{Path: p, Kind: w.kind, Date: w.date}
			}
			f.Failing = failedAgain(f.Failing, r.now)
			r.report.Failed = append(r.report.Failed, Failed{Path: p, Err: w.fault, Next: f.NextAt})
			r.log.Warn("a summary could not be made", "file", p, "attempts", f.Attempts, "error", w.fault)
			err := r.markIn(tx, w.fresh, func(e *memory.HistoryEntry) bool {
				e.Archived, e.Failing = memory.ArchivedNo, f.Failing
				return true
			})
			if err = errors.Join(err, r.put(tx, f)); err != nil {
				return err
			}
			if f.Attempts == len(backoff) {
				text := fmt.Sprintf("The summary of %s failed %d times.", w.date, f.Attempts)
				if err := r.event(tx, memory.ArchiveBacklog, text); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

const mostEvents = 50

func (r *run) event(tx *store.Tx, kind, text string) error {
	s, err := tx.JournalState(r.Agent)
	if err != nil && !store.Unreadable(err) {
		return err
	}
	noteEvent(&s, kind, r.now, text)
	return tx.PutJournalState(r.Agent, s)
}

func noteEvent(s *memory.JournalState, kind string, at time.Time, text string) {
	s.Events = append(s.Events, memory.JournalEvent{Kind: kind, At: at, Text: text})
	s.Events = s.Events[max(len(s.Events)-mostEvents, 0):]
}

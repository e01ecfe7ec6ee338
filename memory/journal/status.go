package journal

import (
	"context"
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// Status describes the state of the journal.
type Status struct {
	Enabled bool   `json:"enabled"`
	Dir     string `json:"dir"`
	// Waiting messages are in no file yet; Pending of them are being archived.
	Waiting int `json:"waiting"`
	Pending int `json:"pending"`
	// History is the number of messages in the list of J2, Bytes their total length.
	History int `json:"history"`
	Bytes   int `json:"bytes"`
	// LastRun is zero before the first archiving. NextRun is the latest time of the next
	// one; zero if nothing waits.
	LastRun time.Time `json:"last_run,omitzero"`
	NextRun time.Time `json:"next_run,omitzero"`
	// Files counts the files on the disk by kind.
	Files map[memory.JournalKind]int `json:"files"`
	// Rules is the number of summaries made by rules.
	Rules int `json:"rules"`
	// Failing are the summaries pending a retry.
	Failing []memory.JournalFile `json:"failing,omitempty"`
	// Running says that an archiving is running.
	Running bool `json:"running"`
	// Broken says why there is no index; empty if there is one.
	Broken string                `json:"broken,omitempty"`
	Events []memory.JournalEvent `json:"events,omitempty"`
}

// Status returns the current state, after following the feed and scanning the files.
func (j *Journal) Status(ctx context.Context) (Status, error) {
	cfg := j.Config()
	out := Status{Enabled: cfg.Enabled, Dir: j.Dir, Running: len(j.running) > 0, Files: map[memory.JournalKind]int{}}
	if cfg.Enabled {
		if err := j.refresh(ctx); err != nil {
			return out, err
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, f := range j.files {
		if j.there(f) {
			out.Files[f.Kind]++
		}
		if f.By == memory.JournalByRules && f.Covered == "" && j.there(f) {
			out.Rules++
		}
		if f.Attempts > 0 {
			out.Failing = append(out.Failing, f)
		}
	}
	slices.SortFunc(out.Failing, func(a, b memory.JournalFile) int { return strings.Compare(a.Path, b.Path) })
	if j.ix == nil {
		out.Broken = j.broken
	}
	err := j.Store.View(func(tx *store.Tx) error {
		w, err := j.waiting(tx)
		if err != nil {
			return err
		}
		s, err := tx.JournalState(j.Agent)
		if err != nil && !store.Unreadable(err) {
			return err
		}
		out.Waiting, out.History, out.Bytes, out.LastRun, out.Events = w.count, w.total, w.bytes, s.LastRun, s.Events
		for _, e := range w.entries {
			if e.Archived == memory.ArchivedPending {
				out.Pending++
			}
		}
		if w.count > 0 {
			if out.NextRun = s.LastRun; s.LastRun.IsZero() {
				out.NextRun = w.oldest
			}
			out.NextRun = out.NextRun.Add(cfg.Every)
		}
		return nil
	})
	return out, err
}

// Due reports whether an archiving has work for a [Summariser].
func (j *Journal) Due(ctx context.Context) bool {
	if !j.Config().Enabled || j.Store.DB().ReadOnly() || j.refresh(ctx) != nil {
		return false
	}
	r := &run{Journal: j, by: Rules{}, now: j.Now()}
	r.today = dayOf(r.now, r.now.Location())
	units, _, err := r.plan()
	return err == nil && slices.ContainsFunc(units, func(u unit) bool { return u.kind != memory.JournalVerbatim })
}

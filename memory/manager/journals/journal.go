package journals

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// goneFolder is the folder of the journals of deleted agents, each named by its deletion,
// until that is final.
const goneFolder = ".gone"

// Journal returns the journal of an agent (J1–J7). For a group the error is write.ErrGroup: its
// members have journals of what they heard.
func (w *Writer) Journal(agentID string) (*journal.Journal, error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return nil, err
	}
	err = w.Store.View(func(tx *store.Tx) error {
		_, err := tx.Group(agentID)
		return err
	})
	if err == nil {
		return nil, fmt.Errorf("the journal of %s: %w", agentID, write.ErrGroup)
	}
	if !lookup.Lacking(err) {
		return nil, err
	}
	var j *journal.Journal
	open := w.WhileOpen(func() {
		if a.Deleted {
			err = recall.ErrExcluded
			return
		}
		err = nil
		if j = w.opened[agentID]; j != nil {
			return
		}
		j = journal.Open(journal.Options{
			Store: w.Store, Dir: filepath.Join(w.Vault().Dir(), vault.JournalFolder, agentID),
			Index: filepath.Join(w.Vault().Dir(), vault.IndexFolder, agentID, "journal"),
			Agent: agentID, Logger: w.Log, Now: w.Now, Config: w.JournalConfig, Policy: w.Policy, Content: w.Recall().Fetch, Keeps: w.Keeps,
			Accepted: func() []string {
				out, err := w.Accepted(context.Background(), a) // the run has begun
				if err != nil {
					w.Log.Warn("reading what is accepted failed", "agent", agentID, "error", err)
				}
				return out
			},
			Notify: w.Changed, Watch: w.watch,
		})
		w.opened[agentID] = j
	})
	if !open {
		return nil, recall.ErrClosed
	}
	return j, err
}

// enabled returns the journal of an agent, or nil for a group or if journals are disabled.
func (w *Writer) enabled(agentID string) (*journal.Journal, error) {
	if !w.JournalConfig().Enabled {
		return nil, nil
	}
	j, err := w.Journal(agentID)
	if errors.Is(err, write.ErrGroup) {
		return nil, nil
	}
	return j, err
}

// Close closes the journal of an unloaded agent.
func (w *Writer) Close(agentID string) {
	var j *journal.Journal
	w.WhileOpen(func() {
		j = w.opened[agentID]
		delete(w.opened, agentID)
	})
	if j != nil {
		_ = j.Close()
	}
}

// Compact rebuilds the journal's index if there is one.
func (w *Writer) Compact(ctx context.Context, agentID string) error {
	j, err := w.enabled(agentID)
	if j == nil {
		return err
	}
	return j.Compact(ctx)
}

// JournalConfig returns the current configuration of journals.
func (w *Writer) JournalConfig() journal.Config {
	return *w.config.Load()
}

// SetJournalConfig replaces the configuration of journals while the memory is in use
// (I5).
func (w *Writer) SetJournalConfig(cfg journal.Config) error {
	if err := cfg.Validate(); err != nil {
		return fmt.Errorf("journal settings: %w", err)
	}
	w.config.Store(&cfg)
	return nil
}

// Passage is a journal passage found for a message, with its reference for a package.
type Passage struct {
	journal.Hit
	Ref    memory.Ref
	Said   string // the complete text of Ref
	Quoted memory.Quoted
}

// SearchJournal finds passages in an agent's journal for a message (J6). A group, and a
// disabled journal, have none. It marks nothing as accessed.
func (w *Writer) SearchJournal(ctx context.Context, agentID string, q journal.Query) ([]Passage, error) {
	if q.Limit = min(q.Limit, w.JournalConfig().Hits); q.Limit <= 0 {
		return nil, nil
	}
	j, err := w.enabled(agentID)
	if j == nil {
		return nil, err
	}
	hits, err := j.Search(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("searching the journal: %w", err)
	}
	out := make([]Passage, 0, len(hits))
	for _, h := range hits {
		out = append(out, w.passage(agentID, h))
	}
	return out, nil
}

// passage returns the reference for a hit. It refers to the message if that contains the
// words unchanged, so that they are not stored twice, and else to a copy stored with the
// package.
func (w *Writer) passage(agentID string, h journal.Hit) Passage {
	said := h.Text[h.From:h.To]
	p := Passage{Hit: h, Quoted: memory.Quoted{Path: h.Path}}
	p.Ref = memory.Ref{Form: memory.FormFence, Field: store.JournalName(h.Path), Source: h.Path}
	if h.Record != "" {
		_ = w.Store.View(func(tx *store.Tx) error {
			r, err := tx.Record(agentID, h.Record)
			if err != nil || r.ContentRef != "" {
				return err
			}
			if at := strings.Index(r.Content, said); at >= 0 {
				p.Ref.Kind, p.Ref.ID, p.Ref.From, p.Said = memory.KindRecord, h.Record, at, r.Content
				if p.Ref.Cut = len(said); at+len(said) == len(r.Content) {
					p.Ref.Cut = 0
				}
			}
			return nil
		})
	}
	if p.Ref.Kind == "" {
		p.Ref.Kind = memory.KindPassage
		cut := 0
		if h.To < len(h.Text) {
			cut = h.To - h.From
		}
		p.Quoted.Words = lookup.Extract(h.Text, memory.Ref{From: h.From, Cut: cut})
		p.Ref.ID, p.Said = store.TextID(p.Quoted.Words), p.Quoted.Words
	}
	return p
}

// RunJournal archives the due parts of an agent's journal, with summaries by a model or,
// if by is nil, without. For a group it does nothing.
func (w *Writer) RunJournal(ctx context.Context, agentID string, by journal.Summariser) (journal.Report, error) {
	j, err := w.enabled(agentID)
	if j == nil {
		return journal.Report{}, err
	}
	report, err := j.Run(ctx, by)
	if errors.Is(err, journal.ErrRunning) {
		err = nil
	}
	return report, err
}

// SettleJournals does the due archiving that needs no model in the open journals, for at
// most within. Commands call it after their work.
func (w *Writer) SettleJournals(ctx context.Context, within time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	var open []string
	w.WhileOpen(func() { open = slices.Collect(maps.Keys(w.opened)) })
	for _, id := range open {
		if _, err := w.RunJournal(ctx, id, nil); err != nil && ctx.Err() == nil {
			w.Log.Warn("the journal was not brought up to date", "agent", id, "error", err)
		}
	}
}

// JournalRules returns the summariser that works without a model.
func (w *Writer) JournalRules() journal.Summariser { return journal.Rules{Policy: w.Policy()} }

// Move moves the files of a deleted agent aside, so that a recreated one starts
// empty, and back when the deletion is undone.
func (w *Writer) Move(agentID, deletionID string, back bool) {
	root := filepath.Join(w.Vault().Dir(), vault.JournalFolder)
	from, to := filepath.Join(root, agentID), filepath.Join(root, goneFolder, deletionID)
	if back {
		from, to = to, from
	}
	err := os.MkdirAll(filepath.Dir(to), 0o700)
	if err == nil {
		err = os.Rename(from, to)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.Log.Warn("the files of a journal were not moved", "agent", agentID, "error", err)
	}
}

// RemoveGone removes the files of agents whose deletion is final.
func (w *Writer) RemoveGone() {
	root := filepath.Join(w.Vault().Dir(), vault.JournalFolder, goneFolder)
	all, err := os.ReadDir(root)
	if err != nil {
		return
	}
	kept := map[string]bool{}
	err = w.Store.View(func(tx *store.Tx) error {
		for id, err := range tx.DeletionIDs() {
			if err != nil {
				return err
			}
			kept[id] = true
		}
		return nil
	})
	if err != nil {
		return
	}
	for _, e := range all {
		if !kept[e.Name()] {
			if err := os.RemoveAll(filepath.Join(root, e.Name())); err != nil {
				w.Log.Warn("the files of a deleted agent's journal were not removed", "error", err)
			}
		}
	}
}

// Listen has the journals note which paragraphs of edited files repeat messages in the trash:
// after the purge there are no words left to compare. Failures are logged.
func (w *Writer) Listen(ctx context.Context) {
	for _, id := range w.existing() {
		j, err := w.Journal(id)
		if err == nil {
			err = j.Erase(ctx)
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, write.ErrGroup) {
			w.Log.Warn("a journal was not read before a deletion", "agent", id, "error", err)
		}
	}
}

// Erase removes finally deleted content from the files of all journals and from their
// indexes, also while journals are disabled.
func (w *Writer) Erase(ctx context.Context) (err error) {
	for _, id := range w.existing() {
		j, jerr := w.Journal(id)
		if jerr == nil {
			jerr = j.Erase(ctx)
		}
		if jerr != nil && !errors.Is(jerr, write.ErrGroup) {
			err = errors.Join(err, jerr)
		}
	}
	return err
}

// existing lists the agents with files of a journal.
func (w *Writer) existing() (ids []string) {
	all, err := os.ReadDir(filepath.Join(w.Vault().Dir(), vault.JournalFolder))
	if err != nil {
		return nil
	}
	known := map[string]bool{}
	err = w.Store.View(func(tx *store.Tx) error {
		agents, err := tx.Agents()
		for _, id := range agents {
			known[id] = true
		}
		return err
	})
	for _, e := range all {
		if err == nil && e.IsDir() && memory.ValidAgentID(e.Name()) && known[e.Name()] {
			ids = append(ids, e.Name())
		}
	}
	return ids
}

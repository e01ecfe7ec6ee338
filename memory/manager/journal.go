package manager

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
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// journalFolder holds the agents' journals, each in a folder named by its id. Its
// subfolder goneFolder holds those of deleted agents, each named by its deletion, until
// that is final.
const (
	journalFolder = "journal"
	goneFolder    = ".gone"
)

// Journal returns the journal of an agent (J1–J7). For a group the error is ErrGroup: its
// members have journals of what they heard.
func (m *Manager) Journal(agentID string) (*journal.Journal, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return nil, err
	}
	err = m.Store.View(func(tx *store.Tx) error {
		_, err := tx.Group(agentID)
		return err
	})
	if err == nil {
		return nil, fmt.Errorf("the journal of %s: %w", agentID, ErrGroup)
	}
	if !lookup.Lacking(err) {
		return nil, err
	}
	var j *journal.Journal
	open := m.WhileOpen(func() {
		if a.Deleted {
			err = recall.ErrExcluded
			return
		}
		err = nil
		if j = m.opened[agentID]; j != nil {
			return
		}
		j = journal.Open(journal.Options{
			Store: m.Store, Dir: filepath.Join(m.Vault().Dir(), journalFolder, agentID),
			Index: filepath.Join(m.Vault().Dir(), vault.IndexFolder, agentID, "journal"),
			Agent: agentID, Logger: m.Log, Now: m.Now, Config: m.JournalConfig, Policy: m.Policy, Content: m.Recall().Fetch, Keeps: m.Keeps,
			Accepted: func() []string {
				out, err := m.Accepted(context.Background(), a) // the run has begun
				if err != nil {
					m.Log.Warn("reading what is accepted failed", "agent", agentID, "error", err)
				}
				return out
			},
			Notify: m.Changed, Watch: !m.readOnly && m.watchFiles,
		})
		m.opened[agentID] = j
	})
	if !open {
		return nil, recall.ErrClosed
	}
	return j, err
}

// closeJournal closes the journal of an unloaded agent.
func (m *Manager) closeJournal(agentID string) {
	var j *journal.Journal
	m.WhileOpen(func() {
		j = m.opened[agentID]
		delete(m.opened, agentID)
	})
	if j != nil {
		_ = j.Close()
	}
}

// compactJournal rebuilds the journal's index if there is one.
func (m *Manager) compactJournal(ctx context.Context, agentID string) error {
	if !m.JournalConfig().Enabled {
		return nil
	}
	j, err := m.Journal(agentID)
	if errors.Is(err, ErrGroup) {
		return nil
	}
	if err != nil {
		return err
	}
	return j.Compact(ctx)
}

// JournalConfig returns the current configuration of journals.
func (m *Manager) JournalConfig() journal.Config {
	if cfg := m.journals.Load(); cfg != nil {
		return *cfg
	}
	return journal.Config{}
}

// SetJournalConfig replaces the configuration of journals while the memory is in use
// (I5).
func (m *Manager) SetJournalConfig(cfg journal.Config) error {
	if err := cfg.Validate(); err != nil {
		return fmt.Errorf("journal settings: %w", err)
	}
	m.journals.Store(&cfg)
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
func (m *Manager) SearchJournal(ctx context.Context, agentID string, q journal.Query) ([]Passage, error) {
	cfg := m.JournalConfig()
	if q.Limit = min(q.Limit, cfg.Hits); !cfg.Enabled || q.Limit <= 0 {
		return nil, nil
	}
	j, err := m.Journal(agentID)
	if errors.Is(err, ErrGroup) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	hits, err := j.Search(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("searching the journal: %w", err)
	}
	out := make([]Passage, 0, len(hits))
	for _, h := range hits {
		out = append(out, m.passage(agentID, h))
	}
	return out, nil
}

// passage returns the reference for a hit. It refers to the message if that contains the
// words unchanged, so that they are not stored twice, and else to a copy stored with the
// package.
func (m *Manager) passage(agentID string, h journal.Hit) Passage {
	said := h.Text[h.From:h.To]
	p := Passage{Hit: h, Quoted: memory.Quoted{Path: h.Path}}
	p.Ref = memory.Ref{Form: memory.FormFence, Field: store.JournalName(h.Path), Source: h.Path}
	if h.Record != "" {
		_ = m.Store.View(func(tx *store.Tx) error {
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
func (m *Manager) RunJournal(ctx context.Context, agentID string, by journal.Summariser) (journal.Report, error) {
	if !m.JournalConfig().Enabled {
		return journal.Report{}, nil
	}
	j, err := m.Journal(agentID)
	if errors.Is(err, ErrGroup) {
		return journal.Report{}, nil
	}
	if err != nil {
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
func (m *Manager) SettleJournals(ctx context.Context, within time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	var open []string
	m.WhileOpen(func() { open = slices.Collect(maps.Keys(m.opened)) })
	for _, id := range open {
		if _, err := m.RunJournal(ctx, id, nil); err != nil && ctx.Err() == nil {
			m.Log.Warn("the journal was not brought up to date", "agent", id, "error", err)
		}
	}
}

// JournalRules returns the summariser that works without a model.
func (m *Manager) JournalRules() journal.Summariser { return journal.Rules{Policy: m.Policy()} }

// moveJournal moves the files of a deleted agent aside, so that a recreated one starts
// empty, and back when the deletion is undone.
func (m *Manager) moveJournal(agentID, deletionID string, back bool) {
	root := filepath.Join(m.Vault().Dir(), journalFolder)
	from, to := filepath.Join(root, agentID), filepath.Join(root, goneFolder, deletionID)
	if back {
		from, to = to, from
	}
	err := os.MkdirAll(filepath.Dir(to), 0o700)
	if err == nil {
		err = os.Rename(from, to)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.Log.Warn("the files of a journal were not moved", "agent", agentID, "error", err)
	}
}

// removeJournals removes the files of agents whose deletion is final.
func (m *Manager) removeJournals() {
	root := filepath.Join(m.Vault().Dir(), journalFolder, goneFolder)
	all, err := os.ReadDir(root)
	if err != nil {
		return
	}
	kept := map[string]bool{}
	err = m.Store.View(func(tx *store.Tx) error {
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
				m.Log.Warn("the files of a deleted agent's journal were not removed", "error", err)
			}
		}
	}
}

// renewJournals removes finally deleted content from the files of journals. Agents
// without a journal are skipped.
func (m *Manager) renewJournals() {
	if !m.JournalConfig().Enabled {
		return
	}
	all, err := os.ReadDir(filepath.Join(m.Vault().Dir(), journalFolder))
	if err != nil {
		return
	}
	for _, e := range all {
		if !memory.ValidAgentID(e.Name()) || !m.Begin() {
			continue
		}
		go func() {
			defer m.Tasks.Done()
			if _, err := m.RunJournal(m.Life, e.Name(), nil); err != nil && m.Life.Err() == nil {
				m.Log.Warn("the journal was not brought up to date", "agent", e.Name(), "error", err)
			}
		}()
	}
}

// CompactIndex makes the agent's indexes anew in fresh files, so that what was
// forgotten is gone from them to the last byte, and waits until they are ready.
// It returns their size on disk before and after. An index of the archive that
// was never made is not made for this. When ctx ends, the work goes on in the
// background.
func (m *Manager) CompactIndex(ctx context.Context, agentID string) (before, after int64, err error) {
	before, after, err = m.Recall().Compact(ctx, agentID)
	if err == nil {
		err = m.compactJournal(ctx, agentID)
	}
	if err != nil {
		return before, 0, fmt.Errorf("compacting the index: %w", err)
	}
	return before, after, nil
}

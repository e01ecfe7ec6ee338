package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/index"
	"memoria/memory"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

// ArchiveQuery says what to look up in the archive (A4).
type ArchiveQuery struct {
	Text string
	// SessionID bounds the search to one session; empty is all.
	SessionID string
	Limit     int // 0 is 20
}

// ArchiveHit is a message that was found.
type ArchiveHit struct {
	Record memory.Record `json:"record"`
	// Score is how well the words match, 0–1, as for items (R3a).
	Score float64 `json:"score"`
}

const archiveLimit = 20

// RetrieveArchive looks messages up, best first (I4). It is never part of a turn
// (A2): the archive's index is opened when this is first called. While the index
// cannot answer, the messages are read through.
func (m *Manager) RetrieveArchive(ctx context.Context, agentID string, q ArchiveQuery) ([]ArchiveHit, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return nil, err
	}
	if q.Limit <= 0 {
		q.Limit = archiveLimit
	}
	rq := retrieve.Analyse(q.Text, "")
	found, err := m.archiveIndexed(ctx, a, rq, q)
	if err != nil && ctx.Err() == nil {
		found, err = m.archiveScan(ctx, a, rq, q)
	}
	if err != nil {
		return nil, fmt.Errorf("searching the archive: %w", err)
	}
	return found, nil
}

func (m *Manager) archiveIndexed(ctx context.Context, a *agent, rq retrieve.Query, q ArchiveQuery) ([]ArchiveHit, error) {
	iq := index.Query{Words: append(terms(rq, rq.Terms, nil), prefixes(rq)...), Grams: rq.Grams, Limit: q.Limit}
	if q.SessionID != "" {
		iq.Labels = []string{"session:" + q.SessionID}
	}
	follower := m.archive(a)
	if follower == nil {
		return nil, errClosed
	}
	res, err := follower.Search(ctx, iq)
	if err != nil {
		return nil, err
	}
	out := make([]ArchiveHit, 0, len(res.Hits))
	full := res.WordsIDF + idfOf(res.Grams, rq.KeyGrams)
	err = m.store.View(func(tx *store.Tx) error {
		for _, h := range res.Hits {
			r, err := tx.Record(a.id, h.ID)
			if errors.Is(err, ErrNotFound) || store.Unreadable(err) {
				continue
			}
			if err != nil {
				return err
			}
			score, _ := retrieve.Relevance(retrieve.BM25{Score: h.Words + h.Grams, IDF: full}, retrieve.BM25{})
			out = append(out, ArchiveHit{Record: r, Score: score})
		}
		return nil
	})
	for i := range out {
		out[i].Record = m.fetch(out[i].Record)
	}
	return out, err
}

// archiveScan reads through the messages, the newest of equal ones first.
func (m *Manager) archiveScan(ctx context.Context, a *agent, rq retrieve.Query, q ArchiveQuery) ([]ArchiveHit, error) {
	var out []ArchiveHit
	err := m.store.View(func(tx *store.Tx) error {
		for r, err := range tx.AllRecords(a.id) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if r.Own() || q.SessionID != "" && r.SessionID != q.SessionID {
				continue
			}
			match := retrieve.Share(rq, r.Content[:min(len(r.Content), maxScanLength)])
			if match.Keyword > 0 {
				out = append(out, ArchiveHit{Record: r, Score: match.Keyword})
			}
		}
		return nil
	})
	slices.SortStableFunc(out, func(x, y ArchiveHit) int {
		if x.Score != y.Score {
			if x.Score > y.Score {
				return -1
			}
			return 1
		}
		return strings.Compare(y.Record.ID, x.Record.ID)
	})
	return out[:min(len(out), q.Limit)], err
}

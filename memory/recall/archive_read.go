package recall

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/retrieve"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// readAtOnce is the number of messages read in one transaction: a long one delays a
// writer whose file must grow.
const readAtOnce = 500

// archiveList lists messages, newest first. It reads only those of the page.
func (r *Reader) archiveList(ctx context.Context, a *agent, q ArchiveQuery) (page ArchivePage, err error) {
	err = r.view(ctx, func(tx *store.Tx) error {
		// If everything is listed, the total is known.
		everything := q.SessionID == "" && !q.Collected && q.span().All()
		for id, err := range listed(tx, a, q) {
			if err != nil {
				return err
			}
			if page.Total++; page.Total <= q.Offset || len(page.Hits) >= q.Limit {
				if everything && len(page.Hits) == q.Limit {
					page.Total, err = tx.Count(a.id, counter.Records)
					return err
				}
				if page.Total%1024 == 0 && ctx.Err() != nil {
					return context.Cause(ctx)
				}
				continue
			}
			rec, err := tx.Record(a.id, id)
			if store.Unreadable(err) {
				page.Total--
				continue
			}
			if err != nil {
				return err
			}
			page.Hits = append(page.Hits, ArchiveHit{Record: rec})
		}
		return nil
	})
	return page, err
}

// listed returns the ids of the messages that a query without words selects, newest
// first.
func listed(tx *store.Tx, a *agent, q ArchiveQuery) iter.Seq2[string, error] {
	ids := tx.RecordIDs(a.id, q.span(), "")
	if q.Collected {
		ids = tx.Bookmarks(a.id, q.span(), "")
	}
	if q.SessionID == "" {
		return ids
	}
	return func(yield func(string, error) bool) {
		for id, err := range ids {
			if err == nil {
				var in string
				if in, err = tx.SessionOf(a.id, id); store.Unreadable(err) || err == nil && in != q.SessionID {
					continue
				}
			}
			if !yield(id, err) || err != nil {
				return
			}
		}
	}
}

// archiveScan scans the messages; ties are ordered newest first.
func (r *Reader) archiveScan(ctx context.Context, a *agent, rq retrieve.Query, q ArchiveQuery) (page ArchivePage, err error) {
	scan, need := retrieve.NewScan(rq), q.Offset+q.Limit
	var best []ArchiveHit
	err = r.readThrough(ctx, a, q, func(rec memory.Record) {
		said := r.Fetch(rec).Content
		if score := scan.Keyword(said[:min(len(said), maxScanned)]); score > 0 {
			page.Total++
			if best = append(best, ArchiveHit{Record: rec, Score: score}); len(best) >= 2*need+readAtOnce {
				best = bestHits(best, need)
			}
		}
	})
	best = bestHits(best, need)
	page.Hits = best[min(q.Offset, len(best)):]
	return page, err
}

func bestHits(hits []ArchiveHit, n int) []ArchiveHit {
	slices.SortFunc(hits, func(x, y ArchiveHit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), strings.Compare(y.Record.ID, x.Record.ID))
	})
	return hits[:min(len(hits), n)]
}

// readThrough visits the messages within the bounds of a query, newest first, except
// the program's own words and tool calls.
func (r *Reader) readThrough(ctx context.Context, a *agent, q ArchiveQuery, visit func(memory.Record)) error {
	for before, more := "", true; more; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var batch []memory.Record
		err := r.view(ctx, func(tx *store.Tx) error {
			ids := tx.RecordIDs(a.id, q.span(), before)
			if q.Collected {
				ids = tx.Bookmarks(a.id, q.span(), before)
			}
			seen := 0
			for id, err := range ids {
				if err != nil {
					return err
				}
				if before = id; q.SessionID != "" {
					if in, err := tx.SessionOf(a.id, id); err != nil && !store.Unreadable(err) {
						return err
					} else if in != q.SessionID {
						continue
					}
				}
				rec, err := tx.Record(a.id, id)
				if err != nil && !store.Unreadable(err) {
					return err
				}
				if err == nil && !store.Derived(rec) {
					batch = append(batch, rec)
				}
				if seen++; seen == readAtOnce {
					return nil
				}
			}
			more = false
			return nil
		})
		if err != nil {
			return err
		}
		for _, rec := range batch {
			visit(rec)
		}
	}
	return nil
}

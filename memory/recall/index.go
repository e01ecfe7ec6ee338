package recall

import (
	"context"
	"errors"

	"memoria/index"
	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

// maxCandidates is the number of hits taken from an index for each part of a message.
const maxCandidates = 200

// search looks the parts of a message up in the agent's index. The error is that of the
// parts other than Related: without synonyms the message's own words must do.
func (r *Reader) search(ctx context.Context, a *agent, s retrieve.Searches, g *retrieve.Gathered) (err error) {
	if g.Said, err = lookUp(ctx, a.items, s.Said); err != nil {
		return err
	}
	if !s.Asked.Empty() {
		if g.Asked, err = lookUp(ctx, a.items, s.Asked); err != nil {
			return err
		}
	}
	if !s.Topic.Empty() {
		if g.Topic, err = lookUp(ctx, a.items, s.Topic); err != nil {
			return err
		}
	}
	if !s.Whose.Empty() {
		if g.Whose, err = lookUp(ctx, a.items, s.Whose); err != nil {
			return err
		}
	}
	if !s.Related.Empty() {
		if g.Related, err = lookUp(ctx, a.items, s.Related); err != nil && ctx.Err() == nil {
			r.log.Warn("the index did not answer an expansion", "agent", a.id)
		}
	}
	return nil
}

func lookUp(ctx context.Context, f *indexer.Follower, s retrieve.Search) (retrieve.Matches, error) {
	res, err := f.Search(ctx, indexQuery(s, maxCandidates))
	if err != nil {
		return retrieve.Matches{}, err
	}
	return matchesOf(res), nil
}

func indexQuery(s retrieve.Search, limit int) index.Query {
	q := index.Query{Words: make([]index.Term, len(s.Terms)), Grams: s.Grams, Limit: limit}
	for i, t := range s.Terms {
		q.Words[i] = index.Term(t)
	}
	return q
}

func matchesOf(res index.Result) retrieve.Matches {
	m := retrieve.Matches{Hits: make([]retrieve.Hit, len(res.Hits)), Words: statsOf(res.Words), Grams: statsOf(res.Grams)}
	for i, h := range res.Hits {
		m.Hits[i] = retrieve.Hit{ID: h.ID, Words: h.Words, Grams: h.Grams, Marked: h.Marked}
	}
	return m
}

func statsOf(stats []index.TermStat) []retrieve.TermStat {
	out := make([]retrieve.TermStat, len(stats))
	for i, s := range stats {
		out[i] = retrieve.TermStat{Text: s.Text, Boost: s.Boost, IDF: s.IDF, Held: s.DocFrequency > 0}
	}
	return out
}

// scan matches all recallable items without the index (R4).
func (r *Reader) scan(ctx context.Context, a *agent, q retrieve.Query) (found retrieve.Found, err error) {
	err = r.view(ctx, func(tx *store.Tx) error {
		var failed error
		found = retrieve.ScanItems(q, func(yield func(memory.Head, string) bool) {
			for it, err := range tx.Items(a.id) {
				if err == nil {
					err = context.Cause(ctx)
				}
				if err != nil {
					failed = err
					return
				}
				if it.IsActive() && !yield(store.HeadOf(it), retrieve.TextOf(it)) {
					return
				}
			}
		})
		return failed
	})
	return found, err
}

// itemReader reads items within a transaction. It remembers the first error that is not
// about a single item.
type itemReader struct {
	tx  *store.Tx
	a   *agent
	err error
}

// item returns an item; ok is false if it is deleted or unreadable.
func (i *itemReader) item(id string) (it memory.Item, ok bool) {
	it, err := i.tx.Item(i.a.id, id)
	if err != nil && !missing(err) && i.err == nil {
		i.err = err
	}
	return it, err == nil
}

// head returns an item's head, from memory if it is there.
func (i *itemReader) head(id string) (memory.Head, bool) {
	if head, ok := i.a.hot.get(id); ok {
		return head, true
	}
	it, ok := i.item(id)
	return store.HeadOf(it), ok
}

// text returns what an item says.
func (i *itemReader) text(id string) (string, bool) {
	it, ok := i.item(id)
	return retrieve.TextOf(it), ok
}

// missing reports whether a record is deleted, damaged or of a newer version.
func missing(err error) bool { return errors.Is(err, store.ErrNotFound) || store.Unreadable(err) }

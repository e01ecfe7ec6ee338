package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"memoria/index"
	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

// SessionHit is a session that was found.
type SessionHit struct {
	Session memory.Session `json:"session"`
	// Score is that of the best message, or of the title when it matches better.
	Score float64      `json:"score"`
	Hits  []ArchiveHit `json:"hits,omitempty"` // the best messages, at most 3
	Total int          `json:"total"`          // messages that match
}

const (
	hitsShown = 3
	// hitsLooked is how many messages of all sessions are looked at, the best
	// ones first.
	hitsLooked = 2000
)

// SessionPage is what a search for sessions found.
type SessionPage struct {
	Sessions []SessionHit
	// Degraded says why the search was slow and its result may be incomplete; empty
	// when neither is so (R4).
	Degraded string
}

// FindSessions is [Reader.SearchSessions] without the reason of a degraded search.
func (r *Reader) FindSessions(ctx context.Context, agentID string, q ArchiveQuery) ([]SessionHit, error) {
	page, err := r.SearchSessions(ctx, agentID, q)
	return page.Sessions, err
}

// SearchSessions looks sessions up by the words of their messages, their titles and
// their summaries, best first; of equal ones, the last used first (A4). With a span of time
// only its messages count, and without words all sessions that have some are
// found. q.Limit and q.Offset count sessions. While the archive's index cannot
// answer, the messages are read through. A change of a moment ago may not be found
// yet; a deleted message never is.
func (r *Reader) SearchSessions(ctx context.Context, agentID string, q ArchiveQuery) (page SessionPage, err error) {
	a, err := r.agent(agentID)
	if err != nil {
		return page, err
	}
	if q.Limit <= 0 {
		q.Limit = archiveLimit
	}
	want := sought{Query: retrieve.Analyse(q.Text, ""), folded: foldLine(q.Text)}
	if want.folded == "" && q.span().All() {
		return page, nil
	}
	among, err := r.sessionsOf(ctx, a, q)
	if err == nil {
		page.Sessions, err = r.sessionsIndexed(ctx, a, want, q, among)
		if err != nil && ctx.Err() == nil {
			page.Sessions, err = r.sessionsScanned(ctx, a, want, q, among)
			page.Degraded = r.whyRead(a)
		}
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return SessionPage{}, fmt.Errorf("searching the sessions: %w", err)
	}
	for _, f := range page.Sessions {
		for j := range f.Hits {
			f.Hits[j].Record = r.Fetch(f.Hits[j].Record)
		}
	}
	return page, nil
}

// candidate is a session that may be found.
type candidate struct {
	memory.Session
	inSpan int // how many of its messages lie in the span, where there is one
}

// sessionsOf returns the sessions that a query is about, the last used first.
func (r *Reader) sessionsOf(ctx context.Context, a *agent, q ArchiveQuery) (out []candidate, err error) {
	err = r.view(ctx, func(tx *store.Tx) error {
		var in map[string]int
		if !q.span().All() {
			if in, err = tx.SessionsIn(a.id, q.span()); err != nil {
				return err
			}
		}
		for s, err := range tx.Sessions(a.id) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if q.SessionID != "" && s.ID != q.SessionID || in != nil && in[s.ID] == 0 {
				continue
			}
			out = append(out, candidate{s, in[s.ID]})
		}
		return nil
	})
	return out, err
}

// sought is what the user looks for.
type sought struct {
	retrieve.Query
	folded string
}

func foldLine(s string) string { return strings.Join(strings.Fields(text.Fold(s)), " ") }

// in says how well a line matches: 1 when it holds the very words in their order.
func (s sought) in(line string) float64 {
	if strings.Contains(foldLine(line), s.folded) {
		return 1
	}
	return retrieve.Share(s.Query, line).Keyword
}

// placed is a message that was found, before it is read.
type placed struct {
	id    string
	score float64
}

// sessionsIndexed asks the index for messages and gathers them by session.
func (r *Reader) sessionsIndexed(ctx context.Context, a *agent, want sought, q ArchiveQuery, among []candidate) ([]SessionHit, error) {
	if want.folded == "" { // no words: all of them
		return rankSessions(ctx, among, want, q, func(candidate) (float64, int) { return 0, 0 })
	}
	follower, err := r.openArchive(ctx, a, openPatience)
	if err != nil {
		return nil, err
	}
	res, err := follower.Search(ctx, wordQuery(want.Query, q, hitsLooked))
	if err != nil {
		return nil, err
	}
	full := res.WordsIDF + idfOf(res.Grams, want.KeyGrams)
	var out []SessionHit
	err = r.view(ctx, func(tx *store.Tx) error {
		bySession := map[string][]placed{}
		for _, h := range res.Hits {
			session, err := tx.SessionOf(a.id, h.ID)
			if missing(err) {
				continue // deleted a moment ago, or damaged
			}
			if err != nil {
				return err
			}
			score, _ := retrieve.Relevance(retrieve.BM25{Score: h.Words + h.Grams, IDF: full}, retrieve.BM25{})
			bySession[session] = append(bySession[session], placed{h.ID, score})
		}
		out, err = rankSessions(ctx, among, want, q, func(s candidate) (float64, int) {
			if hits := bySession[s.ID]; len(hits) > 0 {
				return hits[0].score, len(hits)
			}
			return 0, 0
		})
		for i := range out {
			hits := bySession[out[i].Session.ID]
			for _, h := range hits[:min(len(hits), hitsShown)] {
				rec, err := tx.Record(a.id, h.id)
				if store.Unreadable(err) {
					continue
				}
				if err != nil {
					return err
				}
				out[i].Hits = append(out[i].Hits, ArchiveHit{Record: rec, Score: h.score})
			}
		}
		return err
	})
	return out, err
}

// sessionsScanned reads through the messages, session by session.
func (r *Reader) sessionsScanned(ctx context.Context, a *agent, want sought, q ArchiveQuery, among []candidate) ([]SessionHit, error) {
	scan, best := retrieve.NewScan(want.Query), map[string][]ArchiveHit{}
	out, err := rankSessions(ctx, among, want, q, func(s candidate) (score float64, total int) {
		hits, total := r.scanSession(ctx, a, scan, s.ID, q.span())
		if total == 0 {
			return 0, 0
		}
		best[s.ID] = hits
		return hits[0].Score, total
	})
	for i := range out {
		out[i].Hits = best[out[i].Session.ID]
	}
	return out, err
}

// scanSession returns the best messages of a session and how many match. What
// cannot be read does not count.
func (r *Reader) scanSession(ctx context.Context, a *agent, scan *retrieve.Scan, session string, span store.Span) (best []ArchiveHit, total int) {
	err := r.view(ctx, func(tx *store.Tx) error {
		for rec, err := range tx.RecordsOf(a.id, session) {
			if err != nil || ctx.Err() != nil {
				return err
			}
			if rec.Own() || !span.Has(rec.ID) {
				continue
			}
			said := r.Fetch(rec).Content
			score := scan.Keyword(said[:min(len(said), maxScanned)])
			if score == 0 {
				continue
			}
			total++
			best = append(best, ArchiveHit{Record: rec, Score: score})
			slices.SortStableFunc(best, func(x, y ArchiveHit) int { return cmp.Compare(y.Score, x.Score) })
			best = best[:min(len(best), hitsShown)]
		}
		return nil
	})
	if err != nil {
		r.log.Warn("a session was not read to its end", "session", session, "error", err)
	}
	return best, total
}

// rankSessions brings sessions into the order of their matches. said tells how
// well a session's messages match, and how many do. Without words they stay in
// the order of their use.
func rankSessions(ctx context.Context, among []candidate, want sought, q ArchiveQuery, said func(candidate) (float64, int)) ([]SessionHit, error) {
	out := []SessionHit{}
	for _, s := range among {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if want.folded == "" {
			out = append(out, SessionHit{Session: s.Session, Total: s.inSpan})
			continue
		}
		score, total := said(s)
		if score = max(score, want.in(s.Title)); s.Summary != nil {
			score = max(score, want.in(s.Summary.Snippet))
		}
		if score > 0 {
			out = append(out, SessionHit{Session: s.Session, Score: score, Total: total})
		}
	}
	slices.SortStableFunc(out, func(x, y SessionHit) int { return cmp.Compare(y.Score, x.Score) })
	out = out[min(max(q.Offset, 0), len(out)):]
	return out[:min(len(out), q.Limit)], nil
}

// idfOf returns Σ idf of the wanted terms.
func idfOf(stats []index.TermStat, wanted []string) (sum float64) {
	for _, s := range stats {
		if slices.Contains(wanted, s.Text) {
			sum += s.Boost * s.IDF
		}
	}
	return sum
}

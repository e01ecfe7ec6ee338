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

// SessionHit is a session found.
type SessionHit struct {
	Session memory.Session `json:"session"`
	// Score is that of the best message, or of the title if that is higher.
	Score float64      `json:"score"`
	Hits  []ArchiveHit `json:"hits,omitempty"` // the best messages, at most 3
	Total int          `json:"total"`          // messages that match
}

const (
	hitsShown = 3
	// hitsLooked is the maximum number of messages of all sessions, best first.
	hitsLooked = 2000
)

// SessionPage is one page of the result of a search.
type SessionPage struct {
	Sessions []SessionHit
	// Degraded says why the result may be incomplete; empty if it is complete (R4).
	Degraded string
}

// FindSessions is [Reader.SearchSessions], and returns only the sessions.
func (r *Reader) FindSessions(ctx context.Context, agentID string, q ArchiveQuery) ([]SessionHit, error) {
	page, err := r.SearchSessions(ctx, agentID, q)
	return page.Sessions, err
}

// SearchSessions finds sessions by the words of their messages, titles and summaries,
// best first; ties are ordered last used first (A4). With a span of time only its
// messages count; without words all sessions with such messages are found. q.Limit and
// q.Offset count sessions. While the archive's index cannot answer, the messages are
// scanned. It may miss a change of a moment ago, but never finds a deleted message.
func (r *Reader) SearchSessions(ctx context.Context, agentID string, q ArchiveQuery) (page SessionPage, err error) {
	a, err := r.agent(agentID)
	if err != nil {
		return page, err
	}
	if q.Limit <= 0 {
		q.Limit = archiveLimit
	}
	s := sessionSearch{r: r, a: a, q: q, words: retrieve.Analyse(q.Text, ""), folded: foldLine(q.Text)}
	if s.folded == "" && q.span().All() {
		return page, nil
	}
	if s.among, err = s.sessions(ctx); err == nil {
		page.Sessions, err = s.indexed(ctx)
		if err != nil && ctx.Err() == nil {
			page.Sessions, err = s.scanned(ctx)
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

// sessionSearch is one search for sessions.
type sessionSearch struct {
	r      *Reader
	a      *agent
	q      ArchiveQuery
	words  retrieve.Query
	folded string      // the text searched for; empty means all sessions
	among  []candidate // the sessions to search, the last used first
}

// candidate is a session that may be found.
type candidate struct {
	memory.Session
	inSpan int // number of messages in the span, if there is one
}

// sessions returns the sessions within the bounds of the search, the last used first.
func (s sessionSearch) sessions(ctx context.Context) (out []candidate, err error) {
	a, q := s.a, s.q
	err = s.r.view(ctx, func(tx *store.Tx) error {
		var in map[string]int
		if !q.span().All() {
			if in, err = tx.SessionsIn(a.id, q.span()); err != nil {
				return err
			}
		}
		for one, err := range tx.Sessions(a.id) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if q.SessionID != "" && one.ID != q.SessionID || in != nil && in[one.ID] == 0 {
				continue
			}
			out = append(out, candidate{one, in[one.ID]})
		}
		return nil
	})
	return out, err
}

func foldLine(s string) string { return strings.Join(strings.Fields(text.Fold(s)), " ") }

// matches returns how well a line matches, 0–1: 1 if it has the searched text itself.
func (s sessionSearch) matches(line string) float64 {
	if strings.Contains(foldLine(line), s.folded) {
		return 1
	}
	return retrieve.Share(s.words, line).Keyword
}

// placed is a message found, not yet read.
type placed struct {
	id    string
	score float64
}

// indexed searches the index for messages and groups them by session.
func (s sessionSearch) indexed(ctx context.Context) ([]SessionHit, error) {
	if s.folded == "" {
		return s.rank(ctx, func(candidate) (float64, int) { return 0, 0 })
	}
	follower, err := s.r.openArchive(ctx, s.a, openPatience)
	if err != nil {
		return nil, err
	}
	res, err := follower.Search(ctx, wordQuery(s.words, s.q, hitsLooked))
	if err != nil {
		return nil, err
	}
	full := res.WordsIDF + idfOf(res.Grams, s.words.KeyGrams)
	var out []SessionHit
	err = s.r.view(ctx, func(tx *store.Tx) error {
		bySession := map[string][]placed{}
		for _, h := range res.Hits {
			session, err := tx.SessionOf(s.a.id, h.ID)
			if missing(err) {
				continue // deleted a moment ago, or damaged
			}
			if err != nil {
				return err
			}
			score, _ := retrieve.Relevance(retrieve.BM25{Score: h.Words + h.Grams, IDF: full}, retrieve.BM25{})
			bySession[session] = append(bySession[session], placed{h.ID, score})
		}
		out, err = s.rank(ctx, func(c candidate) (float64, int) {
			if hits := bySession[c.ID]; len(hits) > 0 {
				return hits[0].score, len(hits)
			}
			return 0, 0
		})
		for i := range out {
			hits := bySession[out[i].Session.ID]
			for _, h := range hits[:min(len(hits), hitsShown)] {
				rec, err := tx.Record(s.a.id, h.id)
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

// scanned reads all messages, session by session.
func (s sessionSearch) scanned(ctx context.Context) ([]SessionHit, error) {
	scan, best := retrieve.NewScan(s.words), map[string][]ArchiveHit{}
	out, err := s.rank(ctx, func(c candidate) (score float64, total int) {
		hits, total := s.scan(ctx, scan, c.ID)
		if total == 0 {
			return 0, 0
		}
		best[c.ID] = hits
		return hits[0].Score, total
	})
	for i := range out {
		out[i].Hits = best[out[i].Session.ID]
	}
	return out, err
}

// scan returns the best messages of a session and the number that match. Unreadable ones
// do not count.
func (s sessionSearch) scan(ctx context.Context, scan *retrieve.Scan, session string) (best []ArchiveHit, total int) {
	span := s.q.span()
	err := s.r.view(ctx, func(tx *store.Tx) error {
		for rec, err := range tx.RecordsOf(s.a.id, session) {
			if err != nil || ctx.Err() != nil {
				return err
			}
			if rec.Own() || !span.Has(rec.ID) {
				continue
			}
			said := s.r.Fetch(rec).Content
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
		s.r.log.Warn("a session was not read to its end", "session", session, "error", err)
	}
	return best, total
}

// rank orders the sessions by their matches. said returns how well a session's messages
// match, and how many do. Without words the sessions stay in the order of their use.
func (s sessionSearch) rank(ctx context.Context, said func(candidate) (float64, int)) ([]SessionHit, error) {
	out := []SessionHit{}
	for _, c := range s.among {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if s.folded == "" {
			out = append(out, SessionHit{Session: c.Session, Total: c.inSpan})
			continue
		}
		score, total := said(c)
		if score = max(score, s.matches(c.Title)); c.Summary != nil {
			score = max(score, s.matches(c.Summary.Snippet))
		}
		if score > 0 {
			out = append(out, SessionHit{Session: c.Session, Score: score, Total: total})
		}
	}
	slices.SortStableFunc(out, func(x, y SessionHit) int { return cmp.Compare(y.Score, x.Score) })
	out = out[min(max(s.q.Offset, 0), len(out)):]
	return out[:min(len(out), s.q.Limit)], nil
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

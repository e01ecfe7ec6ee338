package recall

import (
	"context"
	"fmt"
	"strings"
	"time"

	"memoria/index"
	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

// ArchiveQuery describes a search of the archive (A4).
type ArchiveQuery struct {
	Text string
	// SessionID limits the search to one session; empty means all.
	SessionID string
	// From (inclusive) and To (exclusive) limit it in time; zero is open. The time of a
	// message is that of its id: when it was sent, or its answer stored.
	From, To time.Time
	// Collected limits it to bookmarked messages.
	Collected bool
	Limit     int // 0 means 20
	Offset    int // of the hits, the best first
	// Asked says that Text is a message of the archive itself: its misspelt words are there, too.
	Asked bool
}

// AskArchive splits a question into the time that it names, by [text.Dates], and the
// remaining words.
func AskArchive(question string, now time.Time, loc *time.Location) ArchiveQuery {
	rest, from, to, _ := text.Dates(question, now, loc)
	return ArchiveQuery{Text: rest, From: from, To: to}
}

func (q ArchiveQuery) span() store.Span { return store.Span{From: q.From, To: q.To} }

// ArchiveHit is a message found.
type ArchiveHit struct {
	Record memory.Record `json:"record"`
	// Score is the relevance, 0–1: that of its own words and, with the index, of its
	// neighbours and its session (R11). It is 0 without words.
	Score float64 `json:"score"`
	// Neighbour says that the message has no match itself, but is next to one that has
	// (R11).
	Neighbour bool `json:"neighbour,omitempty"`
	// Title is the title of the session.
	Title string `json:"title,omitempty"`
}

// ArchivePage is one page of the result of a search.
type ArchivePage struct {
	Hits  []ArchiveHit `json:"hits"`
	Total int          `json:"total"`
	// Degraded says why the result may be incomplete; empty if it is complete (R4).
	Degraded string `json:"degraded,omitempty"`
}

const (
	archiveLimit = 20
	maxScanned   = 64 << 10 // bytes of one message that a scan reads
)

// The patience of a search that waits for the archive's index. Opening takes about 0.1
// s for a million messages, and much longer on a slow disk; a scan takes a minute. A
// build is waited for only if it ends at once.
const (
	openPatience  = 10 * time.Second
	buildPatience = 250 * time.Millisecond
)

// The reasons for a scan instead of the index. It finds messages with a whole keyword;
// the index also finds single Chinese characters.
const (
	readOpening  = "the index is still being opened, so the messages were read through and some may be missing"
	readBuilding = "the index is being built, so the messages were read through and some may be missing"
	readThrough  = "the index does not answer, so the messages were read through and some may be missing"
)

// SearchArchive finds messages, best first, as parts of conversations (R11). Without
// keywords it lists them, newest first. A time in the text is a soft boost, and selects
// by itself if there are no keywords (R12); From and To are a hard limit. A question
// also finds messages without a match next to one. Turns use [Reader.FindEvidence]
// instead (A2). The first search of either kind opens the archive's index. While the
// index cannot answer, the messages are scanned. The answers of the offline model are
// listed but not searched: they repeat the memory (I4).
func (r *Reader) SearchArchive(ctx context.Context, agentID string, q ArchiveQuery) (ArchivePage, error) {
	a, err := r.agent(agentID)
	if err != nil {
		return ArchivePage{}, err
	}
	if q.Limit <= 0 {
		q.Limit = archiveLimit
	}
	q.Offset = max(q.Offset, 0)
	page, err := r.lookInto(ctx, a, q)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err == nil {
		err = r.present(ctx, a, &page)
	}
	if err != nil {
		return ArchivePage{}, fmt.Errorf("searching the archive: %w", err)
	}
	return page, nil
}

func (r *Reader) lookInto(ctx context.Context, a *agent, q ArchiveQuery) (ArchivePage, error) {
	rq := retrieve.AnalyseAt(q.Text, "", r.now())
	wordless := len(rq.Terms)+len(rq.Prefixes) == 0
	if rq.Wordless() && !rq.When.All() && q.span().All() { // R12: the time alone selects
		wordless, q.From, q.To = true, rq.When.From, rq.When.To
	}
	switch {
	case strings.TrimSpace(q.Text) == "", wordless && (q.Collected || !q.span().All()):
		return r.archiveList(ctx, a, q)
	case wordless && len(rq.Grams) == 0:
		return ArchivePage{}, nil
	case q.Collected: // they are few
		return r.archiveScan(ctx, a, rq, q)
	}
	page, err := r.archiveIndexed(ctx, a, rq, q)
	if err == nil || ctx.Err() != nil {
		return page, err
	}
	if page, err = r.archiveScan(ctx, a, rq, q); err == nil {
		page.Degraded = r.whyRead(a)
	}
	return page, err
}

func (r *Reader) whyRead(a *agent) string {
	if f := r.archive(a); f != nil {
		switch f.Status().State {
		case indexer.StateOpening:
			return readOpening
		case indexer.StateBuilding:
			return readBuilding
		}
	}
	return readThrough
}

// openArchive returns the follower of the agent's archive, after waiting for its index
// to open, or for a short build.
func (r *Reader) openArchive(ctx context.Context, a *agent, patience time.Duration) (*indexer.Follower, error) {
	follower := r.archive(a)
	if follower == nil {
		return nil, ErrClosed
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	_ = follower.Opened(ctx) // the search reports failure
	if follower.Status().State == indexer.StateBuilding {
		ctx, stop := context.WithTimeout(ctx, buildPatience)
		defer stop()
		_ = follower.Settle(ctx)
	}
	return follower, nil
}

// wordQuery returns the index query for the words of a question.
func wordQuery(rq retrieve.Query, q ArchiveQuery, limit int) index.Query {
	iq := indexQuery(rq.Own(), limit)
	if q.SessionID != "" {
		iq.Labels = []string{"session:" + q.SessionID}
	}
	if span := q.span(); !span.All() {
		iq.Keep = span.Has
	}
	return iq
}

func (r *Reader) archiveIndexed(ctx context.Context, a *agent, rq retrieve.Query, q ArchiveQuery) (ArchivePage, error) {
	follower, err := r.openArchive(ctx, a, openPatience)
	if err != nil {
		return ArchivePage{}, err
	}
	search := r.newRankedSearch(ctx, a, rq, q)
	if err := search.run(ctx, follower); err != nil {
		return ArchivePage{}, err
	}
	return search.page(ctx)
}

// present reads the contents and titles of the hits.
func (r *Reader) present(ctx context.Context, a *agent, page *ArchivePage) error {
	titles := map[string]string{}
	err := r.view(ctx, func(tx *store.Tx) error {
		for i, h := range page.Hits {
			id := h.Record.SessionID
			if _, known := titles[id]; !known {
				s, err := tx.Session(a.id, id)
				if err != nil && !missing(err) {
					return err
				}
				titles[id] = s.Title
			}
			page.Hits[i].Title = titles[id]
		}
		return nil
	})
	for i := range page.Hits {
		page.Hits[i].Record = r.Fetch(page.Hits[i].Record)
	}
	return err
}

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

// ArchiveQuery says what to look up in the archive (A4).
type ArchiveQuery struct {
	Text string
	// SessionID bounds the search to one session; empty is all.
	SessionID string
	// From and To bound it in time: From belongs to it, To does not, and zero is
	// open. The time of a message is that of its id, when it was sent or when its
	// answer was stored.
	From, To time.Time
	// Collected leaves the bookmarked messages.
	Collected bool
	Limit     int // 0 is 20
	Offset    int // of the hits, the best first
}

// AskArchive reads a question as a person asks it: the time that it names, by
// [text.Dates], and the words that are left.
func AskArchive(question string, now time.Time, loc *time.Location) ArchiveQuery {
	rest, from, to, _ := text.Dates(question, now, loc)
	return ArchiveQuery{Text: rest, From: from, To: to}
}

func (q ArchiveQuery) span() store.Span { return store.Span{From: q.From, To: q.To} }

// ArchiveHit is a message that was found.
type ArchiveHit struct {
	Record memory.Record `json:"record"`
	// Score is how well the message answers, 0–1: its own words and, in an answer of
	// the index, its neighbours and its session (R11). 0 without words.
	Score float64 `json:"score"`
	// Neighbour is true when the message matches no word itself and stands beside one
	// that does (R11).
	Neighbour bool `json:"neighbour,omitempty"`
	// Title is that of the session.
	Title string `json:"title,omitempty"`
}

// ArchivePage is a part of what a search found.
type ArchivePage struct {
	Hits  []ArchiveHit `json:"hits"`
	Total int          `json:"total"`
	// Degraded says why the search was slow and its result may be incomplete; empty
	// when neither is so (R4).
	Degraded string `json:"degraded,omitempty"`
}

const (
	archiveLimit = 20
	maxScanned   = 64 << 10 // bytes of one message that a scan reads
)

// How long a look-up waits for the archive's index. Opening takes some 0.1 s for a
// million messages, and much longer on a slow disk; reading the messages instead
// takes a minute. Building is only waited for where it is over at once.
const (
	openPatience  = 10 * time.Second
	buildPatience = 250 * time.Millisecond
)

// Why an answer did not come from the index. Reading the messages finds those that
// hold a whole keyword; the index also finds single Chinese characters.
const (
	readOpening  = "the index is still being opened, so the messages were read through and some may be missing"
	readBuilding = "the index is being built, so the messages were read through and some may be missing"
	readThrough  = "the index does not answer, so the messages were read through and some may be missing"
)

// RetrieveArchive is [Reader.SearchArchive] for those who want the hits alone
// (I4).
func (r *Reader) RetrieveArchive(ctx context.Context, agentID string, q ArchiveQuery) ([]ArchiveHit, error) {
	page, err := r.SearchArchive(ctx, agentID, q)
	return page.Hits, err
}

// SearchArchive looks messages up, best first, as parts of conversations (R11);
// without words that mean something it lists them, newest first. A time in the text
// is a soft boost, and selects by itself where there are no other words (R12); From
// and To are a hard limit. A question also finds messages that match no word
// themselves, next to such as do. It is never part of a turn (A2), which asks
// [Reader.FindEvidence]: the archive's index is opened when one of them is first
// called. While the index cannot answer, the
// messages are read through. The answers of the offline model are listed, and
// not found by words: they say what memory says.
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

// openArchive returns the follower of the agent's archive once it has opened its
// index, within patience, or has built one that is small.
func (r *Reader) openArchive(ctx context.Context, a *agent, patience time.Duration) (*indexer.Follower, error) {
	follower := r.archive(a)
	if follower == nil {
		return nil, ErrClosed
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	_ = follower.Opened(ctx) // the search says whether it came to anything
	if follower.Status().State == indexer.StateBuilding {
		ctx, stop := context.WithTimeout(ctx, buildPatience)
		defer stop()
		_ = follower.Settle(ctx)
	}
	return follower, nil
}

// wordQuery asks the index for the words of a question.
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
	search := r.newRankedSearch(a, rq, q)
	if err := search.run(ctx, follower); err != nil {
		return ArchivePage{}, err
	}
	return search.page(ctx)
}

// present reads the contents and titles of what is shown.
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

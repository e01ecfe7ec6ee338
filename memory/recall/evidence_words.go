package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

// evidencePatience is how long a turn waits for an archive index that is opening or being
// built; the search itself may then wait a second. newestRead is the number of messages
// read if the index does not answer.
const (
	evidencePatience = 250 * time.Millisecond
	newestRead       = 1000
)

// Limits of the quoted messages. A message of everyday words alone ("like", "time")
// proves little, so it must have more of the question. The limits come from the open
// sets: of questions that a conversation answers, 8 of 10 have a message of 0.25 in one
// set, and half in another. Of questions about other conversations, one or two of 10 do.
const (
	nearBestHit = 0.1  // minimum share of the best score
	everyday    = 0.35 // minimum relevance without a distinctive word
	bearing     = 0.25 // minimum relevance of a message that bears on the question
	mentions    = 0.15 // minimum relevance for the archive to mention the question's subject
	onlyAsks    = 0.5  // weight of a message that only asks
)

// wordHit is a message with words of the question.
type wordHit struct {
	record      memory.Record
	score       float64 // orders the hits
	relevance   float64 // of its own words, 0–1 (R3a)
	distinctive bool
	named       bool // the question names its author
	place       store.Place
}

// named reports whether the question names the agent that wrote a message in a group.
func (e *evidenceSearch) named(ctx context.Context, r memory.Record) bool {
	if r.Sender == "" || r.Sender == e.a.id {
		return false
	}
	if e.naming == nil {
		e.naming = map[string]bool{}
	}
	yes, known := e.naming[r.Sender]
	if !known {
		yes = strings.Contains(text.Fold(e.q.Text), text.Fold(e.r.nameOf(ctx, r.Sender)))
		e.naming[r.Sender] = yes
	}
	return yes
}

// nameOf returns the name of an agent, or its id if it has none.
func (r *Reader) nameOf(ctx context.Context, agentID string) string {
	if name, given := r.o.Names[agentID]; given {
		return cmp.Or(name, agentID)
	}
	name := ""
	_ = r.view(ctx, func(tx *store.Tx) error { // unreadable: the id is its name
		a, err := tx.Agent(agentID)
		name = a.Name
		return err
	})
	return cmp.Or(name, agentID)
}

// reaches reports whether a message has enough of the question for a minimum relevance.
func (h wordHit) reaches(footing float64, words retrieve.Query) bool {
	if len(words.Distinctive) == 0 {
		return h.relevance >= everyday
	}
	return (h.distinctive || h.named) && h.relevance >= footing
}

// ofWords adds messages with the question's words. If it has none but names a time, it
// adds those of that time.
func (e *evidenceSearch) ofWords(ctx context.Context, words retrieve.Query, ask ArchiveQuery) error {
	wordless := len(words.Terms)+len(words.Prefixes) == 0
	if wordless && (e.q.Trigger != retrieve.TriggerProof || ask.span().All()) {
		return nil
	}
	var hits []wordHit
	var err error
	if wordless {
		hits, err = e.inTime(ctx, ask)
	} else if hits, err = e.indexed(ctx, words, ask); err != nil && ctx.Err() == nil {
		hits, err = e.newest(ctx, words, ask)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	hits = slices.DeleteFunc(e.worth(ctx, hits, words), func(h wordHit) bool { return hasSecret(h.record) })
	if e.q.Trigger == retrieve.TriggerMentioned &&
		!slices.ContainsFunc(hits, func(h wordHit) bool { return h.reaches(mentions, words) }) {
		return nil
	}
	for _, h := range hits {
		q := Quote{Record: h.record, Bears: wordless || h.reaches(bearing, words)}
		q.span(retrieve.Excerpt(words, h.record.Content, longest(h.record.Content)))
		e.add(q)
	}
	return nil
}

// worth chooses the messages to quote, best first.
func (e *evidenceSearch) worth(ctx context.Context, hits []wordHit, words retrieve.Query) (out []wordHit) {
	wordless := len(words.Terms)+len(words.Prefixes) == 0
	best := 0.0
	for _, h := range hits {
		switch {
		case h.record.ID == e.q.Except, h.record.Withheld(), e.held[h.record.ID], h.record.Content == "":
			continue
		case h.record.Role == memory.RoleUser:
			asks := retrieve.OnlyAsks(h.record.Content)
			if e.wanted.Whose == retrieve.WordsYours || retrieve.Trigger(h.record.Content, nil, proofOnly) != "" ||
				asks && !wordless && retrieve.Trigger(h.record.Content, nil, retrieve.Triggers()) != "" {
				continue // that asked the same, and proves nothing
			}
			if asks && !wordless {
				h.score *= onlyAsks
			}
		case h.record.Role != memory.RoleAssistant:
			continue
		case e.named(ctx, h.record):
			h.named = true
		case e.wanted.Whose == retrieve.WordsMine:
			continue
		}
		if e.q.Trigger == retrieve.TriggerMentioned && len(words.Distinctive) > 0 && !h.distinctive && h.relevance < everyday {
			continue
		}
		best = max(best, h.score)
		out = append(out, h)
	}
	out = e.beside(out)
	out = slices.DeleteFunc(out, func(h wordHit) bool { return h.score < nearBestHit*best })
	slices.SortStableFunc(out, func(x, y wordHit) int {
		return cmp.Or(cmp.Compare(y.score, x.score), strings.Compare(y.record.ID, x.record.ID))
	})
	return out[:min(len(out), mostQuotes)]
}

// beside drops messages without a match, unless the next or the previous one has a match.
// They never prove what the user said.
func (e *evidenceSearch) beside(hits []wordHit) []wordHit {
	matches := map[store.Place]bool{}
	for _, h := range hits {
		if h.relevance > 0 {
			matches[h.place] = true
		}
	}
	next := func(p store.Place, by int) bool {
		p.Position += uint64(by) // wraps around below 0, where there is nothing
		return matches[p]
	}
	return slices.DeleteFunc(hits, func(h wordHit) bool {
		proves := e.q.Trigger == retrieve.TriggerProof && e.wanted.Whose != retrieve.WordsYours
		return h.relevance == 0 && (proves || !next(h.place, -1) && !next(h.place, 1))
	})
}

var proofOnly = []string{retrieve.TriggerProof}

// indexed searches the archive's index, which ranks messages as parts of conversations
// (R11).
func (e *evidenceSearch) indexed(ctx context.Context, words retrieve.Query, ask ArchiveQuery) ([]wordHit, error) {
	follower, err := e.r.openArchive(ctx, e.a, evidencePatience)
	if err != nil {
		return nil, err
	}
	ask.Text, ask.Asked = e.q.Text, true
	search := e.r.newRankedSearch(ctx, e.a, words, ask)
	if err := search.run(ctx, follower); err != nil {
		return nil, err
	}
	e.out.Respelt = search.respelt
	var out []wordHit
	err = e.view(ctx, func(tx *store.Tx) error {
		ranked, err := search.rank(tx)
		if err != nil {
			return err
		}
		for _, h := range ranked[:min(len(ranked), hitsWeighed)] {
			r, ok, err := search.readable(tx, h)
			if err != nil {
				return err
			}
			if ok && r.ID != e.q.Except {
				out = append(out, wordHit{
					record: e.r.Fetch(r), score: h.Score, relevance: min(1, h.Own/search.boost(r)), distinctive: h.Distinctive,
					place: store.Place{Session: h.Session, Position: h.Position},
				})
			}
		}
		return nil
	})
	return out, err
}

// inTime returns the newest messages of the time that the question names.
func (e *evidenceSearch) inTime(ctx context.Context, ask ArchiveQuery) (out []wordHit, err error) {
	err = e.each(ctx, ask, func(r memory.Record) bool {
		out = append(out, wordHit{record: e.r.Fetch(r), score: 1, relevance: 1})
		return len(out) < hitsWeighed
	})
	return out, err
}

// newest scans the newest messages; it replaces an index that does not answer.
func (e *evidenceSearch) newest(ctx context.Context, words retrieve.Query, ask ArchiveQuery) (out []wordHit, err error) {
	why := "does not answer"
	if f := e.r.archive(e.a); f != nil {
		switch f.Status().State {
		case indexer.StateOpening:
			why = "is still being opened"
		case indexer.StateBuilding:
			why = "is being built"
		}
	}
	e.out.Degraded = fmt.Sprintf("the archive's index %s, so only its newest %d messages were looked at", why, newestRead)
	scan, read := retrieve.NewScan(words), 0
	err = e.each(ctx, ask, func(r memory.Record) bool {
		said := e.r.Fetch(r).Content
		if score := scan.Keyword(said[:min(len(said), maxScanned)]); score > 0 {
			r.Content = said
			own := retrieve.Share(words, said[:min(len(said), answerRead)]).Own
			out = append(out, wordHit{record: r, score: score, relevance: score, distinctive: own})
		}
		read++
		return read < newestRead && ctx.Err() == nil
	})
	return out, err
}

// each visits the messages of the requested time, newest first, until visit returns
// false.
func (e *evidenceSearch) each(ctx context.Context, ask ArchiveQuery, visit func(memory.Record) bool) error {
	return e.view(ctx, func(tx *store.Tx) error {
		for id, err := range tx.RecordIDs(e.a.id, ask.span(), "") {
			if err != nil {
				return err
			}
			r, err := tx.Record(e.a.id, id)
			if missing(err) || err == nil && (r.Withheld() || e.held[r.ID] || r.ID == e.q.Except) {
				continue
			}
			if err != nil {
				return err
			}
			if !visit(r) {
				return nil
			}
		}
		return nil
	})
}

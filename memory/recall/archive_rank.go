package recall

import (
	"context"
	"errors"
	"maps"
	"slices"

	"memoria/index"
	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

const (
	// archiveRanked is the number of best matches that are ranked as parts of
	// conversations; the others follow in the order of their own words.
	archiveRanked = 300
	// archiveInTime is the number of matches ranked with them from the time that a
	// question names.
	archiveInTime = 100
	// archivePassages is the number of best matches scored by passages if longer than
	// longMessage bytes: reading them is most of a search's cost.
	archivePassages = 20
	longMessage     = 6 * retrieve.PassageWords
	// mostRare is the number of messages that may have a word that is misspelt in a question: the question
	// is in the archive, too, and was perhaps asked before.
	mostRare = 3
)

// rankedSearch is one search of the archive that ranks messages as parts of
// conversations (R11).
type rankedSearch struct {
	r      *Reader
	a      *agent
	q      ArchiveQuery
	words  retrieve.Query
	w      retrieve.ArchiveRanking
	ask    index.Query
	res    index.Result
	inTime index.Result
	// respelt are the words that stand for misspelt ones of the query.
	respelt map[string][]string
}

// newRankedSearch prepares a search for the words of a query.
func (r *Reader) newRankedSearch(ctx context.Context, a *agent, words retrieve.Query, q ArchiveQuery) *rankedSearch {
	s := &rankedSearch{r: r, a: a, q: q, words: words, w: configOf(ctx, r.config()).Archive}
	s.words.EverydayWeight = s.w.Everyday
	s.ask = wordQuery(s.words, q, max(archiveRanked, q.Offset+q.Limit))
	s.ask.LabelBoost = map[string]float64{}
	if retrieve.AsksForReplies(q.Text) {
		s.ask.LabelBoost["role:"+string(memory.RoleAssistant)] = s.w.Replies
	} else {
		s.ask.LabelBoost["role:"+string(memory.RoleUser)] = s.w.Mine
	}
	return s
}

// run searches the index. It searches the time that the question names once more by
// itself, since those messages may match too little to be among the first.
func (s *rankedSearch) run(ctx context.Context, follower *indexer.Follower) (err error) {
	if err := s.nameSpeakers(ctx); err != nil {
		return err
	}
	s.respell(ctx, follower)
	if s.res, err = follower.Search(ctx, s.ask); err != nil || s.words.When.All() || s.w.Time == 1 {
		return err
	}
	ask := s.ask
	ask.Limit = archiveInTime
	ask.Keep = func(id string) bool { return s.when().Has(id) && (s.ask.Keep == nil || s.ask.Keep(id)) }
	s.inTime, err = follower.Search(ctx, ask)
	return err
}

// respell also searches for words that are spelt almost like those that hardly a message has.
func (s *rankedSearch) respell(ctx context.Context, follower *indexer.Follower) {
	rare := 0
	if s.q.Asked {
		rare = mostRare
	}
	s.respelt = s.words.Respell(func(terms []string) map[string][]string { return nearIn(ctx, s.r, s.a, follower, terms, rare) })
	for _, term := range slices.Sorted(maps.Keys(s.respelt)) { // equal messages have equal sums of scores
		for _, w := range s.respelt[term] {
			s.ask.Words = append(s.ask.Words, index.Term{Text: w, Boost: s.words.Boost(term), Mark: true})
		}
	}
}

func (s *rankedSearch) when() store.Span {
	return store.Span{From: s.words.When.From, To: s.words.When.To}
}

// nameSpeakers boosts messages by group members whom the question names.
func (s *rankedSearch) nameSpeakers(ctx context.Context) error {
	var g memory.Group
	err := s.r.view(ctx, func(tx *store.Tx) (err error) {
		g, err = tx.Group(s.a.id)
		return err
	})
	if errors.Is(err, store.ErrNotFound) || s.w.Speaker == 1 {
		return nil
	}
	if err != nil {
		return err
	}
	for _, id := range g.Hearers() {
		name := g.NameOf(id)
		if !retrieve.Names(s.q.Text, name) {
			continue
		}
		s.ask.LabelBoost["sender:"+id] = s.w.Speaker
		for _, form := range retrieve.Analyse(name, "").Terms {
			for i := range s.ask.Words {
				if s.ask.Words[i].Text == form {
					s.ask.Words[i].Boost *= s.w.NameWord
				}
			}
		}
	}
	return nil
}

// rank returns the hits as parts of conversations, best first, including neighbours
// without a match.
func (s *rankedSearch) rank(tx *store.Tx) ([]retrieve.ArchiveHit, error) {
	full := matchesOf(s.res).MessageIDF(s.words)
	passages := s.passages()
	var found []retrieve.ArchiveHit
	seen := make(map[string]bool, len(s.res.Hits))
	for _, hits := range [][]index.Hit{s.res.Hits, s.inTime.Hits} {
		for _, h := range hits {
			if seen[h.ID] {
				continue
			}
			seen[h.ID] = true
			at, err := tx.PlaceOf(s.a.id, h.ID)
			if missing(err) {
				continue // deleted a moment ago, or damaged
			}
			if err != nil {
				return nil, err
			}
			score := h.Words + h.Grams
			hit := retrieve.ArchiveHit{Session: at.Session, Position: at.Position, Own: s.relevance(score, full), Distinctive: h.Marked}
			if len(found) < archivePassages {
				if score, err = s.byPassage(tx, at, score, passages); err != nil {
					return nil, err
				}
			}
			if !s.words.When.All() && s.when().Has(h.ID) {
				score *= s.w.Time
			}
			if hit.Score = score; full > 0 {
				hit.Score /= full
			}
			found = append(found, hit)
		}
	}
	few := found[:min(len(found), archiveRanked+archiveInTime)]
	ranked := retrieve.RankArchive(few, s.w)
	return append(ranked, found[len(few):]...), nil
}

// relevance converts a BM25 score to an absolute relevance (R3a), never 0 for a match.
func (s *rankedSearch) relevance(score, full float64) float64 {
	r, _ := retrieve.Relevance(retrieve.BM25{Score: score, IDF: full}, retrieve.BM25{})
	return max(r, 1e-6)
}

// boost returns the factor that the labels of a message gave its score.
func (s *rankedSearch) boost(r memory.Record) float64 {
	by := 1.0
	for _, label := range []string{"role:" + string(r.Role), "sender:" + r.Sender} {
		if b, ok := s.ask.LabelBoost[label]; ok {
			by *= b
		}
	}
	return by
}

// passages returns the weights of the query's terms.
func (s *rankedSearch) passages() retrieve.Passages {
	weights := func(stats []index.TermStat) map[string]float64 {
		out := make(map[string]float64, len(stats))
		for _, t := range stats {
			out[t.Text] = t.Boost * t.IDF
		}
		return out
	}
	return retrieve.Passages{Words: weights(s.res.Words), Grams: weights(s.res.Grams)}
}

// byPassage lets the best passage of a long message determine a share of its score.
func (s *rankedSearch) byPassage(tx *store.Tx, at store.Place, score float64, p retrieve.Passages) (float64, error) {
	if s.w.Passage == 0 {
		return score, nil
	}
	r, err := tx.RecordAt(s.a.id, at)
	if missing(err) || err == nil && len(r.Content) <= longMessage {
		return score, nil
	}
	if err != nil {
		return 0, err
	}
	best := p.Best(r.Content[:min(len(r.Content), maxScanned)])
	return (1-s.w.Passage)*score + s.w.Passage*best*s.boost(r), nil
}

// page reads the messages of the requested page. Neighbours without a match are only
// for questions: someone who types words wants to see these words.
func (s *rankedSearch) page(ctx context.Context) (page ArchivePage, err error) {
	question := retrieve.Asks(s.q.Text)
	err = s.r.view(ctx, func(tx *store.Tx) error {
		ranked, err := s.rank(tx)
		if err != nil {
			return err
		}
		for _, h := range ranked {
			if h.Own == 0 && !question {
				continue
			}
			if len(page.Hits) == s.q.Offset+s.q.Limit {
				break
			}
			r, ok, err := s.readable(tx, h)
			if err != nil {
				return err
			}
			if ok {
				page.Hits = append(page.Hits, ArchiveHit{Record: r, Score: min(1, h.Score), Neighbour: h.Own == 0})
			}
		}
		return nil
	})
	page.Total = max(s.res.Matched, len(page.Hits))
	page.Hits = page.Hits[min(s.q.Offset, len(page.Hits)):]
	return page, err
}

// readable reads a message; ok is false for a deleted neighbour, a message of the
// program itself, and one outside the bounds of the search.
func (s *rankedSearch) readable(tx *store.Tx, h retrieve.ArchiveHit) (r memory.Record, ok bool, err error) {
	r, err = tx.RecordAt(s.a.id, store.Place{Session: h.Session, Position: h.Position})
	if missing(err) {
		return r, false, nil
	}
	return r, err == nil && !store.Derived(r) && s.q.span().Has(r.ID), err
}

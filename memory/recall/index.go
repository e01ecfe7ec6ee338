package recall

import (
	"context"
	"errors"
	"slices"
	"strings"

	"memoria/index"
	"memoria/memory"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

// found is what the index has for the parts of a query: the message's own words, the
// words under which its answer is stored, and the topic's. They are asked for apart,
// because only the message's own make the measure of a full match (R3a, R6).
type found struct {
	q                  retrieve.Query
	said, under, about index.Result
	matches            []match
	place              map[string]int // of a match, by item
}

// match is an item that the index found, with the BM25 score of each part.
type match struct {
	id                 string
	said, under, about float64
	distinctive, own   bool
}

// at returns the match of an item, a new one if needed.
func (f *found) at(id string) *match {
	i, ok := f.place[id]
	if !ok {
		i = len(f.matches)
		f.place[id] = i
		f.matches = append(f.matches, match{id: id})
	}
	return &f.matches[i]
}

// indexed finds candidates with the index, in an order that is the same every time.
func (r *Reader) indexed(ctx context.Context, a *agent, q retrieve.Query) (retrieve.Found, error) {
	f := found{q: q, matches: make([]match, 0, candidates), place: make(map[string]int, candidates)}
	if err := f.ask(ctx, a); err != nil {
		return retrieve.Found{}, err
	}
	if err := r.markSingles(ctx, a, q, f.said.Hits); err != nil {
		return retrieve.Found{}, err
	}
	if err := r.markPhrases(ctx, a, q, f.said); err != nil {
		return retrieve.Found{}, err
	}
	f.gather()
	if q.Preference {
		for _, id := range a.hot.preferences(preferences) {
			f.at(id)
		}
	}
	return r.candidatesOf(a, &f), nil
}

// ask asks the index for each part that there is.
func (f *found) ask(ctx context.Context, a *agent) (err error) {
	q := f.q
	f.said, err = a.items.Search(ctx, withTranslations(q, index.Query{
		Words: append(terms(q, q.Terms, q.Distinctive), prefixes(q)...), Grams: q.Grams, Limit: candidates,
	}))
	if err == nil && len(q.AskedWords)+len(q.AskedGrams) > 0 {
		f.under, err = a.items.Search(ctx, index.Query{Words: terms(q, q.AskedWords, nil), Grams: q.AskedGrams, Limit: candidates})
	}
	if err == nil && len(q.TopicTerms)+len(q.TopicGrams) > 0 {
		f.about, err = a.items.Search(ctx, index.Query{
			Words: terms(q, q.TopicTerms, q.TopicDistinctive), Grams: q.TopicGrams, Limit: candidates,
		})
	}
	return err
}

// gather joins the hits of all parts by item.
func (f *found) gather() {
	for _, h := range f.said.Hits {
		m := f.at(h.ID)
		m.said, m.distinctive, m.own = h.Words+h.Grams, h.Marked, h.Marked
	}
	for _, h := range f.under.Hits {
		m := f.at(h.ID)
		m.under, m.distinctive, m.own = h.Words+h.Grams, true, true
	}
	for _, h := range f.about.Hits {
		m := f.at(h.ID)
		m.about, m.distinctive = h.Words+h.Grams, m.distinctive || h.Marked
	}
}

// candidatesOf measures the matches.
func (r *Reader) candidatesOf(a *agent, f *found) retrieve.Found {
	q := f.q
	saidIDF, aboutIDF, underIDF := messageIDF(q, f.said), f.about.WordsIDF+f.about.GramsIDF, rarest(f.under)
	out := retrieve.Found{
		IDF:        saidIDF,
		Candidates: make([]retrieve.Candidate, 0, len(f.matches)),
		Distinctive: holds(f.said.Words, q.Distinctive) || holds(f.said.Words, q.Prefixes) || len(f.under.Hits) > 0 ||
			q.TopicAlone && holds(f.about.Words, q.TopicDistinctive),
	}
	heads := r.heads(a, f.ids())
	for i, found := range f.matches {
		out.Distinctive = out.Distinctive || found.own
		c := retrieve.Candidate{Distinctive: found.distinctive, Own: found.own}
		own := retrieve.BM25{Score: found.said, IDF: saidIDF}.Or(retrieve.BM25{Score: found.under, IDF: underIDF})
		alone, _ := retrieve.Relevance(own, retrieve.BM25{})
		c.Relevance, c.OnTopic = retrieve.Relevance(own, retrieve.BM25{Score: found.about, IDF: aboutIDF})
		c.Topic = c.Relevance - alone
		if c.Head = heads[i]; c.Head.ID != "" {
			out.Candidates = append(out.Candidates, c)
		}
	}
	return out
}

// rarest is the highest idf of the words that the memory holds: an answer needs
// one of them, not all.
func rarest(found index.Result) (idf float64) {
	for _, stats := range [][]index.TermStat{found.Words, found.Grams} {
		for _, s := range stats {
			if s.DocFrequency > 0 {
				idf = max(idf, s.Boost*s.IDF)
			}
		}
	}
	return idf
}

// markSingles marks the hits in which a word ends in one of the query's single
// characters. The index stores words and characters, but not which character
// ends a word, so the best of those that hold the character are read.
func (r *Reader) markSingles(ctx context.Context, a *agent, q retrieve.Query, hits []index.Hit) error {
	if len(q.Singles) == 0 {
		return nil
	}
	read := 0
	return r.view(ctx, func(tx *store.Tx) error {
		for i := range hits {
			h := &hits[i]
			if h.Marked || h.Grams == 0 {
				continue
			}
			if read++; read > lookedInto {
				return nil
			}
			it, err := tx.Item(a.id, h.ID)
			if errors.Is(err, store.ErrNotFound) || store.Unreadable(err) {
				continue
			}
			if err != nil {
				return err
			}
			h.Marked = retrieve.EndsWord(saidBy(it), q.Singles)
		}
		return nil
	})
}

// saidBy is what an item says, as far as it is looked through.
func saidBy(it memory.Item) string {
	said := it.Content + "\n" + it.Title + "\n" + strings.Join(it.Tags, " ")
	return said[:min(len(said), maxScanLength)]
}

// idfOf adds up the boosted idf of those terms that are among wanted.
func idfOf(stats []index.TermStat, wanted []string) (sum float64) {
	want := make(map[string]bool, len(wanted))
	for _, w := range wanted {
		want[w] = true
	}
	for _, s := range stats {
		if want[s.Text] {
			sum += s.Boost * s.IDF
		}
	}
	return sum
}

// holds reports whether a document holds one of the wanted terms.
func holds(stats []index.TermStat, wanted []string) bool {
	for _, s := range stats {
		if s.DocFrequency > 0 && slices.Contains(wanted, s.Text) {
			return true
		}
	}
	return false
}

// terms are words to ask for; the distinctive among them mark what holds them.
func terms(q retrieve.Query, words, distinctive []string) []index.Term {
	out := make([]index.Term, 0, len(words)+len(q.Prefixes))
	for _, w := range words {
		out = append(out, index.Term{Text: w, Boost: q.Boost(w), Mark: slices.Contains(distinctive, w)})
	}
	return out
}

// prefixes are the query's; each is distinctive.
func prefixes(q retrieve.Query) []index.Term {
	out := make([]index.Term, 0, len(q.Prefixes))
	for _, p := range q.Prefixes {
		out = append(out, index.Term{Text: p, Prefix: true, Boost: q.Boost(p), Mark: true})
	}
	return out
}

// ids are those of the matches.
func (f *found) ids() []string {
	ids := make([]string, len(f.matches))
	for i, m := range f.matches {
		ids[i] = m.id
	}
	return ids
}

// heads returns the heads of items, from memory as far as they are there; a zero one
// for an item that is gone.
func (r *Reader) heads(a *agent, ids []string) []memory.Head {
	out := make([]memory.Head, len(ids))
	var missing []int
	a.hot.each(ids, func(i int, head memory.Head, ok bool) {
		if out[i] = head; !ok {
			missing = append(missing, i)
		}
	})
	for _, i := range missing {
		out[i], _ = r.head(a, ids[i])
	}
	return out
}

// head returns an item's head from memory, or from the store when it does not
// lie there.
func (r *Reader) head(a *agent, id string) (memory.Head, bool) {
	if head, ok := a.hot.get(id); ok {
		return head, true
	}
	var head memory.Head
	err := r.store.View(func(tx *store.Tx) error {
		it, err := tx.Item(a.id, id)
		head = store.HeadOf(it)
		return err
	})
	return head, err == nil
}

package retrieve

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"memoria/memory"
)

// Bounds of what Select reads.
const (
	readForSingles = 50 // best hits, for a word that ends in a single character
	readForPhrases = 20 // best hits, for a translated phrase
	reranked       = 50 // best candidates, for closeness
	textLength     = 64 << 10
)

// Gathered is everything found for a query: the matches of an index, or else the
// candidates of a scan or of a time.
type Gathered struct {
	// Found has the candidates of a scan or a time; nil if an index was searched.
	Found *Found
	// Said, Asked, Topic, Related and Whose are the matches of the [Searches].
	Said, Asked, Topic, Related, Whose Matches
	// Preferences are items to add to the matches; see [Query.Preference].
	Preferences []string
	// Plans are items to add to the matches; see [Query.Due].
	Plans []string
	// Meaning is that of the message; nil without a vector of it.
	Meaning *Meaning
	// Gauge is that of the vectors in the message's language. Cosine returns the cosine
	// of two items' vectors; ok is false if one has none. It is nil without vectors.
	Gauge  Gauge
	Cosine func(a, b string) (cosine float32, ok bool)
	// Without are the ids of items that must not be chosen.
	Without []string
	// Head reads the head of an item, Text its words (see [TextOf]); ok is false if
	// there is no such item.
	Head func(id string) (head memory.Head, ok bool)
	Text func(id string) (said string, ok bool)
}

// TextOf returns the words of an item: its content, title and tags, at most 64 KB.
func TextOf(it memory.Item) string {
	said := it.Content + "\n" + it.Title + "\n" + strings.Join(it.Tags, " ")
	return said[:min(len(said), textLength)]
}

// Select scores everything gathered for a query, as of now, and chooses at most cfg.TopN
// items. The result has the form of [Rank].
func Select(q Query, g Gathered, cfg Config, now time.Time) []Ranked {
	if q.TimeOnly {
		return Rank(q, g.allowed(*g.Found), cfg, now)
	}
	found := g.allowed(g.Candidates(q))
	g.expand(&found)
	g.ofOthers(q, &found)
	if cfg.Rerank {
		g.rerank(q, &found)
	}
	if g.Meaning != nil {
		g.addMeaning(&found)
	}
	ranked := Rank(q, g.allowed(found), cfg, now)
	if cfg.Diversify > 0 {
		return Diversify(ranked, cfg, g.likeness())
	}
	return ranked
}

// allowed leaves out the candidates that must not be chosen.
func (g Gathered) allowed(found Found) Found {
	if len(g.Without) > 0 {
		found.Candidates = slices.DeleteFunc(slices.Clone(found.Candidates), func(c Candidate) bool {
			return slices.Contains(g.Without, c.Head.ID)
		})
	}
	return found
}

// joined is an item with its scores in the parts of a query.
type joined struct {
	id                 string
	said, under, about float64
	distinctive, own   bool
}

// join returns the matches of all parts by item, in a stable order.
func (g Gathered) join() []joined {
	out := make([]joined, 0, len(g.Said.Hits)+len(g.Asked.Hits)+len(g.Topic.Hits)+len(g.Preferences)+len(g.Plans))
	place := make(map[string]int, cap(out))
	at := func(id string) *joined {
		i, ok := place[id]
		if !ok {
			i = len(out)
			place[id] = i
			out = append(out, joined{id: id})
		}
		return &out[i]
	}
	for _, h := range g.Said.Hits {
		m := at(h.ID)
		m.said, m.distinctive, m.own = h.score(), h.Marked, h.Marked
	}
	for _, h := range g.Asked.Hits {
		m := at(h.ID)
		m.under, m.distinctive, m.own = h.score(), true, true
	}
	for _, h := range g.Topic.Hits {
		m := at(h.ID)
		m.about, m.distinctive = h.score(), m.distinctive || h.Marked
	}
	for _, id := range slices.Concat(g.Preferences, g.Plans) {
		at(id)
	}
	return out
}

// Candidates measures the matches of the query's own words and its topic. Without
// matches of an index it returns Found.
func (g Gathered) Candidates(q Query) Found {
	if g.Found != nil {
		return *g.Found
	}
	g.markSingles(q)
	g.markPhrases(q)
	saidIDF, aboutIDF, underIDF := g.Said.MessageIDF(q), g.Topic.idf(), g.Asked.rarest()
	matches := g.join()
	out := Found{
		IDF:        saidIDF,
		Candidates: make([]Candidate, 0, len(matches)),
		Distinctive: g.Said.holdsAny(q.Distinctive) || g.Said.holdsAny(q.Prefixes) || len(g.Asked.Hits) > 0 ||
			q.TopicAlone && g.Topic.holdsAny(q.TopicDistinctive),
	}
	for _, m := range matches {
		out.Distinctive = out.Distinctive || m.own
		c := Candidate{Distinctive: m.distinctive, Own: m.own}
		own := BM25{Score: m.said, IDF: saidIDF}.Or(BM25{Score: m.under, IDF: underIDF})
		alone, _ := Relevance(own, BM25{})
		c.Relevance, c.OnTopic = Relevance(own, BM25{Score: m.about, IDF: aboutIDF})
		c.Topic = c.Relevance - alone
		var ok bool
		if c.Head, ok = g.Head(m.id); ok {
			if q.Due(c.Head) {
				c.due()
				out.Distinctive = true
			}
			out.Candidates = append(out.Candidates, c)
		}
	}
	return out
}

// markSingles marks the hits in which a word ends in one of the query's single
// characters. The index has words and characters, but not which character ends a word.
func (g Gathered) markSingles(q Query) {
	if len(q.Singles) == 0 {
		return
	}
	read := 0
	for i := range g.Said.Hits {
		h := &g.Said.Hits[i]
		if h.Marked || h.Grams == 0 {
			continue
		}
		if read++; read > readForSingles {
			return
		}
		if said, ok := g.Text(h.ID); ok {
			h.Marked = endsWithSingle(said, q.Singles)
		}
	}
}

// markPhrases marks the hits that have a distinctive word of the message as a phrase of
// the other language.
func (g Gathered) markPhrases(q Query) {
	if !g.Said.hasPhrase(q) {
		return
	}
	read := 0
	for i := range g.Said.Hits {
		h := &g.Said.Hits[i]
		if h.Marked {
			continue
		}
		if read++; read > readForPhrases {
			return
		}
		if said, ok := g.Text(h.ID); ok {
			h.Marked = SaysPhrase(said, q)
		}
	}
}

// expand adds the matches of synonyms (R10).
func (g Gathered) expand(found *Found) {
	if len(g.Related.Hits) == 0 {
		return
	}
	have := found.ids()
	for _, h := range g.Related.Hits {
		found.Distinctive = found.Distinctive || h.Marked
		if _, ok := have[h.ID]; ok {
			continue
		}
		if head, ok := g.Head(h.ID); ok {
			found.Candidates = append(found.Candidates, Candidate{Head: head})
		}
	}
	measure, related := max(found.IDF, g.Related.rarest()), g.Related.byID()
	for i := range found.Candidates {
		c := &found.Candidates[i]
		h := related[c.Head.ID]
		c.Relevance = expanded(c.Relevance, BM25{Score: h.score(), IDF: measure})
		c.Distinctive, c.Own = c.Distinctive || h.Marked, c.Own || h.Marked
	}
}

// ids returns the places of the candidates.
func (f Found) ids() map[string]int {
	out := make(map[string]int, len(f.Candidates))
	for i, c := range f.Candidates {
		out[c.Head.ID] = i
	}
	return out
}

// rerank raises the best candidates in which the message's words are close together
// (R10).
func (g Gathered) rerank(q Query, found *Found) {
	order := make([]int, len(found.Candidates))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := found.Candidates[i], found.Candidates[j]
		return cmp.Or(cmp.Compare(b.Relevance, a.Relevance), cmp.Compare(b.Head.ID, a.Head.ID))
	})
	for _, i := range order[:min(len(order), reranked)] {
		c := &found.Candidates[i]
		if c.Relevance == 0 {
			break
		}
		if said, ok := g.Text(c.Head.ID); ok {
			c.Relevance = Rerank(c.Relevance, Closeness(q, said))
		}
	}
}

// likeness returns a function for the similarity of two items, 0–1: that of their
// vectors if both have one, otherwise that of their words.
func (g Gathered) likeness() func(a, b string) float64 {
	said := map[string]string{}
	text := func(id string) string {
		s, known := said[id]
		if !known {
			s, _ = g.Text(id)
			said[id] = s
		}
		return s
	}
	usable := g.Cosine != nil && g.Gauge.Usable()
	return func(a, b string) float64 {
		if usable {
			if cosine, ok := g.Cosine(a, b); ok {
				return g.Gauge.Meaning(float64(cosine), Background{})
			}
		}
		return Alike(text(a), text(b))
	}
}

// Meaning compares the message's vector with those of the items. [Gathered.Gauge] must be
// usable.
type Meaning struct {
	// Weight is that of meaning relative to words; see [Combine].
	Weight float64
	// Message is the message's vector, N, Mean and Deviation describe its cosines with
	// all items.
	Message         []float32
	N               int
	Mean, Deviation float64
	// Nearest are the items nearest to the message, nearest first.
	Nearest []Nearest
	// Cosines returns the message's cosines with items, without those that have no
	// vector.
	Cosines func(ids []string) map[string]float32
}

// Nearest is an item with the cosine of its vector and the message's.
type Nearest struct {
	ID     string
	Cosine float32
}

// addMeaning gives the candidates their meaning, and adds items that are near enough to
// be chosen for their meaning alone.
func (g Gathered) addMeaning(found *Found) {
	m := g.Meaning
	found.Weight = m.Weight
	usual := g.Gauge.Background(m.Message, m.N, m.Mean, m.Deviation)
	near := g.Gauge.Near(usual)
	give := func(c *Candidate, cosine float32) {
		c.Meaning, c.Near = g.Gauge.Meaning(float64(cosine), usual), float64(cosine) > near
	}
	have := found.ids()
	ids := make([]string, len(found.Candidates))
	for i, c := range found.Candidates {
		ids[i] = c.Head.ID
	}
	for id, cosine := range m.Cosines(ids) {
		give(&found.Candidates[have[id]], cosine)
	}
	for _, n := range m.Nearest {
		if _, ok := have[n.ID]; ok || float64(n.Cosine) <= near {
			continue
		}
		c := Candidate{}
		give(&c, n.Cosine)
		var ok bool
		if c.Head, ok = g.Head(n.ID); ok {
			found.Candidates = append(found.Candidates, c)
		}
	}
}

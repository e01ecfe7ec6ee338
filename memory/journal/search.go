package journal

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"memoria/index"
	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

// The constants of J6 and C4.
const (
	maxKeywords = 6
	minScore    = 0.2 // BM25, raw
	maxHit      = 300 // characters
	// minShare is the minimum share of the keywords' total weight that a passage must have:
	// one common word of six is not enough to quote it.
	minShare = 0.05
	// enoughWords is the number of keywords from which a message has its own topic. Then words
	// of earlier messages alone are not enough to quote a passage.
	enoughWords = 2
	// recentWeight is the weight of a word from earlier messages.
	recentWeight = 0.5
	// candidates is the number of passages read for each one wanted: some are in the
	// window, or deleted.
	candidates = 6
)

// Query describes a search in the journal.
type Query struct {
	Text   string   // the message about to be sent
	Recent []string // earlier messages, newest last
	// Skip reports whether a message is already in the window; nil means none is.
	Skip  func(record string) bool
	Limit int // hits; 0 means none
}

// Hit is a passage found.
type Hit struct {
	Path string             `json:"path"`
	Kind memory.JournalKind `json:"kind"`
	Date string             `json:"date,omitempty"`
	// Record is the source message; empty for several.
	Record string `json:"record,omitempty"`
	Lead   string `json:"lead,omitempty"`
	Text   string `json:"text"` // the whole passage
	// From and To are the bytes of Text to quote, at most 300 characters.
	From  int      `json:"from"`
	To    int      `json:"to"`
	Score float64  `json:"score"` // BM25, raw
	Words []string `json:"words"` // keywords in the passage
	// Scanned says that the hit was found by reading the files.
	Scanned bool `json:"scanned,omitempty"`
}

var keywordRuns = text.LazyRegexp(`(?i)[a-z0-9_]{2,}|\p{Han}{2,}`)

// Keywords returns the first six search words: those of the message, then those of earlier
// messages, newest first. Chinese runs are cut into words, and stop words removed (J6). own
// is the number of the message's own words.
func Keywords(said string, recent []string) (words []string, own int) {
	seen := map[string]bool{}
	add := func(s string) {
		for _, run := range keywordRuns().FindAllString(s, -1) {
			for _, w := range text.Keywords(run) {
				if w = text.Fold(w); len(words) < maxKeywords && !seen[w] {
					seen[w] = true
					words = append(words, w)
				}
			}
		}
	}
	add(said)
	own = len(words)
	for i := len(recent) - 1; i >= max(len(recent)-RecentMessages, 0); i-- {
		add(recent[i])
	}
	return words, own
}

// Search finds passages for a message, best first. Each message is found in one tier: a file
// whose messages are all in a summary is excluded (J6). Deleted messages are hidden at once.
// Without an index, or if it finds nothing, the files are read.
func (j *Journal) Search(ctx context.Context, q Query) ([]Hit, error) {
	if !j.Config().Enabled || q.Limit <= 0 {
		return nil, nil
	}
	words, own := Keywords(q.Text, q.Recent)
	if len(words) == 0 {
		return nil, nil
	}
	if err := j.current(ctx); err != nil {
		return nil, err
	}
	s := search{
		Journal: j, q: q, words: words, own: own, wanted: retrieve.Analyse(strings.Join(words, " "), ""),
		shown: map[string]bool{}, gone: map[string]forgotten{},
	}
	j.mu.Lock()
	ix := j.ix
	j.mu.Unlock()
	if ix != nil {
		hits, enough, err := s.indexed(ctx, ix)
		if err == nil && (len(hits) > 0 || enough) {
			return hits, nil
		}
		if err != nil && !errors.Is(err, index.ErrClosed) {
			j.log.Warn("searching the journal failed; its files are read", "error", err)
		}
	}
	return s.scanned(ctx)
}

// MostHits is the maximum number of passages with a message (C4). RecentMessages is the
// number of earlier messages that supply keywords (J6).
const (
	MostHits       = 5
	RecentMessages = 5
)

type search struct {
	*Journal
	q     Query
	words []string
	own   int
	// wanted are the words for making excerpts.
	wanted retrieve.Query
	// shown are the message passages found so far: copies of a file repeat them.
	shown map[string]bool
	gone  map[string]forgotten // by path
}

// visible reports whether a file is searched: it exists, it is not covered by an existing
// summary, and none of its content was deleted.
func (s *search) visible(f memory.JournalFile) bool {
	if f.Path == "" || !s.there(f) {
		return false
	}
	if f.Kind != memory.JournalOwn && f.Kind != memory.JournalVerbatim && f.Stale && !f.Edited {
		return false // unknown words were deleted
	}
	return !covered(f)
}

// indexed searches the index. enough is false if no passage has any of the words, or all
// matches score below the cutoff: in a small journal each word is in most passages.
func (s *search) indexed(ctx context.Context, ix *index.Index) (out []Hit, enough bool, err error) {
	var terms []index.Term
	var grams []string
	for i, w := range s.words {
		boost := 1.0
		if i >= s.own {
			boost = recentWeight
		}
		for _, t := range text.QueryTerms(w) {
			terms = append(terms, index.Term{Text: t, Boost: boost})
		}
		grams = append(grams, text.Grams(w)...)
	}
	res, err := ix.Search(ctx, index.Query{
		Words: terms, Grams: grams, Limit: s.q.Limit * candidates,
	})
	if err != nil {
		return nil, false, err
	}
	read := map[string][]Passage{}
	for _, h := range res.Hits {
		if h.Words+h.Grams < minScore {
			continue
		}
		if enough = true; h.Score < minShare {
			continue
		}
		p, n := passageOf(h.ID)
		f := s.file(p)
		if !s.visible(f) {
			continue
		}
		passages, done := read[p]
		if !done {
			if passages, err = s.passages(p); err != nil {
				continue
			}
			read[p] = passages
		}
		if n >= len(passages) {
			continue
		}
		hit, ok := s.hit(f, passages[n], h.Words+h.Grams)
		if !ok {
			continue
		}
		if out = append(out, hit); len(out) == s.q.Limit {
			break
		}
	}
	return out, enough, nil
}

func (s *search) passages(p string) ([]Passage, error) {
	words, _, err := s.disk.read(p)
	if err != nil {
		return nil, err
	}
	return Parse(words).Passages(), nil
}

// hit returns a passage as a hit, or false if its message is already shown or deleted.
func (s *search) hit(f memory.JournalFile, p Passage, score float64) (Hit, bool) {
	if p.Record != "" {
		there, rewritten := false, false
		_ = s.Store.View(func(tx *store.Tx) error {
			r, err := tx.Record(s.Agent, p.Record)
			if there = err == nil && mayBeWritten(r); there && f.Edited {
				rewritten = !strings.Contains(oneLine(s.Content(r).Content), oneLine(p.Text))
			}
			return nil
		})
		// What the user wrote in place of a message is news, although the message is shown.
		if s.q.Skip != nil && s.q.Skip(p.Record) && !rewritten {
			return Hit{}, false
		}
		if !there || s.shown[p.Record+p.Text] {
			return Hit{}, false
		}
	}
	if f.Stale && f.Edited && s.goneOf(f).saidIn([]string{p.Text}) {
		return Hit{}, false
	}
	h := Hit{Path: f.Path, Kind: f.Kind, Date: f.Date, Record: p.Record, Lead: p.Lead, Text: p.Text, Score: score}
	said, own := text.Fold(p.searched()), wordSet(p.searched())
	holds := 0
	for i, w := range s.words {
		if !strings.Contains(said, w) && !slices.ContainsFunc(text.QueryTerms(w), func(t string) bool { return own[t] }) {
			continue
		}
		if h.Words = append(h.Words, w); i < s.own {
			holds++
		}
	}
	if s.own >= enoughWords && holds == 0 {
		return Hit{}, false
	}
	h.From, h.To = retrieve.Excerpt(s.wanted, p.Text, maxHit)
	if p.Record != "" {
		s.shown[p.Record+p.Text] = true
	}
	return h, true
}

// goneOf returns the deleted content of an edited file, which stays in the file while the
// deletion can be undone.
func (s *search) goneOf(f memory.JournalFile) forgotten {
	gone, known := s.gone[f.Path]
	if !known {
		gone, _ = s.forgotten(f)
		s.gone[f.Path] = gone
	}
	return gone
}

// scanBytes bounds the bytes read without an index: the user's own file first, then the
// newest.
const scanBytes = 1 << 20

func (s *search) scanned(ctx context.Context) ([]Hit, error) {
	var files []memory.JournalFile
	for _, f := range s.snapshot() {
		if s.visible(f) {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b memory.JournalFile) int {
		return cmp.Or(-cmpBool(a.Path == LongTerm, b.Path == LongTerm), cmp.Compare(b.Date, a.Date), cmp.Compare(a.Path, b.Path))
	})
	var out []Hit
	read := 0
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		if read += int(f.Size); read > scanBytes {
			break
		}
		file, _, err := s.disk.read(f.Path)
		if err != nil || !s.mayHold(file) {
			continue
		}
		for _, p := range Parse(file).Passages() {
			said, held := text.Fold(p.searched()), 0
			for _, w := range s.words[:s.own] {
				if strings.Contains(said, w) {
					held++
				}
			}
			if held == 0 || float64(held) < scanShare*float64(s.own) {
				continue
			}
			if h, ok := s.hit(f, p, float64(held)/float64(s.own)); ok {
				h.Scanned = true
				out = append(out, h)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return out[:min(len(out), s.q.Limit)], nil
}

// mayHold reports whether a file may have enough of the words.
func (s *search) mayHold(file string) bool {
	file = strings.ToLower(file)
	held := 0
	for _, w := range s.words[:s.own] {
		if strings.Contains(file, w) {
			held++
		}
	}
	return held > 0 && float64(held) >= scanShare*float64(s.own)
}

// scanShare is the share of the message's keywords that a passage must have to be found by
// reading.
const scanShare = 0.5

func cmpBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

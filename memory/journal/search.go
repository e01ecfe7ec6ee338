package journal

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"memoria/index"
	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

// The figures of J6 and C4.
const (
	maxKeywords = 6
	minScore    = 0.2 // BM25, raw
	maxHit      = 300 // characters
	// minShare is the least share of what the keywords are worth together that a passage has
	// to have: one common word of six is no reason to quote it.
	minShare = 0.05
	// enoughWords is how many keywords make a message one that is about something itself: then
	// words of the messages before alone are no reason to quote a passage.
	enoughWords = 2
	// recentWeight is what a word of the messages before is worth.
	recentWeight = 0.5
	// candidates is how many passages are read for each that is wanted: some are in the
	// window, or deleted.
	candidates = 6
)

// Query says what to find in the journal.
type Query struct {
	Text   string   // what the user is about to send
	Recent []string // the messages before it, the newest last
	// Skip reports whether a message is in front of the model anyway; nil: none is.
	Skip  func(record string) bool
	Limit int // hits; 0 is none
}

// Hit is a passage that was found.
type Hit struct {
	Path string             `json:"path"`
	Kind memory.JournalKind `json:"kind"`
	Date string             `json:"date,omitempty"`
	// Record is the message that the words are of; empty where the file is made of several.
	Record string `json:"record,omitempty"`
	Lead   string `json:"lead,omitempty"`
	Text   string `json:"text"` // all of the passage
	// From and To are the bytes of Text that are worth quoting, at most 300 characters.
	From  int      `json:"from"`
	To    int      `json:"to"`
	Score float64  `json:"score"` // BM25, raw
	Words []string `json:"words"` // keywords that it has
	// Scanned: it was found by reading the files.
	Scanned bool `json:"scanned,omitempty"`
}

var keywordRuns = regexp.MustCompile(`(?i)[a-z0-9_]{2,}|\p{Han}{2,}`)

// Keywords returns the first six words to search for: those of the message, then those of the
// messages before it, the newest first; Chinese runs are cut into words, and stop words left
// out (J6). own is how many of them are the message's.
func Keywords(said string, recent []string) (words []string, own int) {
	seen := map[string]bool{}
	add := func(s string) {
		for _, run := range keywordRuns.FindAllString(s, -1) {
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

// Search finds passages for a message, the best first. Each message is found in one tier: a
// file whose summary has all of its messages is left out (J6). What was deleted a moment ago
// is not found. Without an index, or when nothing is found there, the files are read.
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

// MostHits and RecentMessages are the most passages that go with a message (C4), and how many
// messages before it give keywords, too (J6).
const (
	MostHits       = 5
	RecentMessages = 5
)

type search struct {
	*Journal
	q     Query
	words []string
	own   int
	// wanted are the words as an excerpt is made around them.
	wanted retrieve.Query
	// shown are the passages of messages that were found: copies of a file repeat them.
	shown map[string]bool
	gone  map[string]forgotten // by path
}

// visible reports whether a file is searched: it is there, no summary has all of its messages
// (when that is removed, the file is not covered any more), and nothing in it was deleted.
func (s *search) visible(f memory.JournalFile) bool {
	if f.Path == "" || !s.there(f) {
		return false
	}
	if f.Kind != memory.JournalOwn && f.Kind != memory.JournalVerbatim && f.Stale && !f.Edited {
		return false // a word in it was deleted, and nobody knows which
	}
	return !covered(f)
}

// indexed asks the index; enough is false when no passage has any of the words, or all that
// have some score too low to count: in a small journal each word is in most passages.
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

// hit makes a hit of a passage; false when its message is shown anyway, or is gone.
func (s *search) hit(f memory.JournalFile, p Passage, score float64) (Hit, bool) {
	if p.Record != "" {
		if s.q.Skip != nil && s.q.Skip(p.Record) {
			return Hit{}, false
		}
		there := false
		_ = s.Store.View(func(tx *store.Tx) error {
			r, err := tx.Record(s.Agent, p.Record)
			there = err == nil && mayBeWritten(r)
			return nil
		})
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

// goneOf returns what a file that the user edited says although it is deleted: as long as that
// can be undone the file is left alone.
func (s *search) goneOf(f memory.JournalFile) forgotten {
	gone, known := s.gone[f.Path]
	if !known {
		gone, _ = s.forgotten(f)
		s.gone[f.Path] = gone
	}
	return gone
}

// scanBytes bounds how much is read without an index: the user's own file first, then the
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

// scanShare is the share of the message's keywords that a passage must hold to be found by
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

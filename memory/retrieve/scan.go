package retrieve

import (
	"strings"

	"memoria/index/text"
)

// Scan searches many texts for the keywords of one query without an index. Its results
// are those of [Share]. It skips the parts of a text that cannot hold a keyword before
// cutting them into words, which is most of the work. It is safe for concurrent use.
type Scan struct{ keys []scanKey }

// scanKey is a keyword with its filter.
type scanKey struct {
	key
	sieve text.Sieve
	loose bool // it also matches inside other words
}

// NewScan returns a scan for the keywords of a query, without its topic.
func NewScan(q Query) *Scan {
	s := &Scan{}
	for _, k := range q.keys {
		forms := k.forms
		if k.prefix {
			forms = append(forms[:len(forms):len(forms)], k.folded)
		}
		s.keys = append(s.keys, scanKey{
			key: k, sieve: text.NewSieve(forms...), loose: !k.prefix && loose(k.folded) || k.prefix && text.CJK(first(k.folded)),
		})
	}
	return s
}

// Keyword returns the share of the keywords in said, 0–1: [Match.Keyword] of Share.
func (s *Scan) Keyword(said string) float64 {
	folded, found := text.Fold(said), 0
	for _, k := range s.keys {
		if k.loose && strings.Contains(folded, k.folded) || k.sieve.Passes(said) && k.in(said) {
			found++
		}
	}
	return share(found, len(s.keys))
}

// in searches the parts of a text that may hold the keyword. Words do not cross white
// space.
func (k scanKey) in(said string) bool {
	for piece := range strings.FieldsSeq(said) {
		if k.sieve.Passes(piece) && newScanned(piece).holds(k.key) {
			return true
		}
	}
	return false
}

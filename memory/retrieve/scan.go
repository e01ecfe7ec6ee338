package retrieve

import (
	"strings"

	"memoria/index/text"
)

// Scan reads many texts for the keywords of one query, where no index answers.
// It says of each what [Share] says, and leaves out of a text what cannot hold a
// keyword before anything of it is cut into words, which is most of the work.
// It is safe for concurrent use.
type Scan struct{ keys []scanKey }

// scanKey is a keyword with what keeps texts without it back.
type scanKey struct {
	key
	sieve text.Sieve
	loose bool // it is looked for inside other words too
}

// NewScan makes a scan for the keywords of a query. Its topic does not count.
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

// Keyword is the share of the keywords that said holds, 0–1: [Match.Keyword] of
// Share.
func (s *Scan) Keyword(said string) float64 {
	folded, found := text.Fold(said), 0
	for _, k := range s.keys {
		if k.loose && strings.Contains(folded, k.folded) || k.sieve.Passes(said) && k.in(said) {
			found++
		}
	}
	return share(found, len(s.keys))
}

// in looks into those pieces of a text that may hold the keyword. No word goes
// over white space.
func (k scanKey) in(said string) bool {
	for piece := range strings.FieldsSeq(said) {
		if k.sieve.Passes(piece) && newScanned(piece).holds(k.key) {
			return true
		}
	}
	return false
}

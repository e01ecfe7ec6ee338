package policy

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
)

// Forms of kept.txt, in each language.
var (
	keptCut    = form("keptCut")    // separates pieces
	keptRun    = form("keptRun")    // a blank, and words with which a question or an order begins behind a statement
	keptStay   = form("keptStay")   // stands before what is none such
	keptAsk    = form("keptAsk")    // begins a piece that asks or orders
	keptLead   = form("keptLead")   // may stand before a piece
	keptTail   = form("keptTail")   // may stand behind it
	keptOwn    = form("keptOwn")    // names the user
	keptParty  = form("keptParty")  // names kin or animals
	keptHalf   = form("keptHalf")   // ends in the middle
	keptPast   = form("keptPast")   // tells of a time that is over
	keptFirst  = form("keptFirst")  // names the user alone, or what is his alone
	keptMe     = form("keptMe")     // does so, and not only as the owner of something
	keptMoment = form("keptMoment") // is over soon
	keptIf     = form("keptIf")     // begins a sentence of which nothing is so
	keptThird  = form("keptThird")  // begins a sentence about somebody who is not named again
	keptCode   = form("keptCode")   // is about programs
	brokenCode = form("brokenCode") // asks about programs that do not work
	keptVoid   = form("keptVoid")   // states nothing that lasts
	keptOver   = form("keptOver")   // says that something is over
	keptChoice = form("keptChoice") // says what one chooses, and is so in spite of "I'd"
	supposed   = form("supposed")   // says that something is only thought of
	keptMore   = form("keptMore")   // begins a sentence that goes on with the one before
	keptGlue   = form("keptGlue")   // begins a question about the piece right before it
	keptNone   = form("keptNone")   // is in a sentence that corrects, or speaks to the memory
	keptOthers = form("keptOthers") // brings in somebody of whom the pieces behind it may speak
)

const (
	maxKept     = 240 // bytes of a text that is kept
	maxKeptRead = 900 // bytes of a message whose pieces are read; a longer one tells a story
	fewWords    = 3   // a sentence of no more goes on with the one before
)

// piece is part of a sentence: masked[lo:hi] of its reader.
type piece struct {
	text     string
	lo, hi   int
	sentence int
	question bool // is marked as one
	asks     bool // a question, or an order
	void     bool
	own      bool
	me       bool // says I or me
	moment   bool
	code     bool // its message is about programs
	of       Who
}

// keepPieces keeps what the user says of himself in sentences of which no rule makes anything, in his words.
func (r *reader) keepPieces() {
	if len(r.masked) > maxKeptRead {
		return
	}
	pieces := r.pieces()
	last := -1 // of those that were kept
	for i, p := range pieces {
		if e, over := r.over(p); over {
			r.endOnly(p, []Ending{e})
		}
		if i <= last || r.taken(p) {
			continue
		}
		l := english()
		if hasHan(p.text) {
			l = chinese()
		}
		from, to := r.around(pieces, i)
		keep := func(t topic) bool { return r.keepWords(&t, p.sentence, pieces[from].lo, pieces[to].hi) }
		kept := slices.ContainsFunc(l.topics, func(t topic) bool { return t.about(p) && keep(t) })
		if t, ok := r.tells(p); ok && !kept {
			kept = keep(t)
		}
		if kept {
			last = to
		}
	}
}

// taken reports whether a guard refuses the sentence of a piece, or a rule has read the piece.
func (r *reader) taken(p piece) bool {
	switch r.refused[p.sentence] {
	case "", whyQuestion, whyNothing:
	case whyHypothesis:
		if !keptChoice.Match(p.text) || supposed.Match(p.text) {
			return true
		}
	default:
		return true
	}
	return r.ruled(p, true) || keptOver.Match(p.text) && r.ruled(p, false)
}

// ruled reports whether a rule has read a piece, and written something if it must.
func (r *reader) ruled(p piece, written bool) bool {
	lo, hi := r.v.source(p.lo, p.hi)
	return slices.ContainsFunc(r.stated, func(s stated) bool {
		return lo < s.hi && s.lo < hi && (s.written || !written) && (s.words == "" || sharesKeyword(p.text, s.words))
	})
}

// sharesKeyword reports whether a text has one of the keywords of another.
func sharesKeyword(s, of string) bool {
	return slices.ContainsFunc(text.Keywords(of), func(w string) bool { return holdsWords(s, w) })
}

// around returns the first and the last of the pieces that belong to piece i.
func (r *reader) around(pieces []piece, i int) (from, to int) {
	from, to = i, i
	fits := func(a, b int) bool { return pieces[b].hi-pieces[a].lo <= maxKept }
	belongs := func(p piece) bool { return p.sentence == pieces[i].sentence && !p.asks && !p.void && !r.taken(p) }
	for from > 0 && belongs(pieces[from-1]) && fits(from-1, to) {
		from--
	}
	for to+1 < len(pieces) && !pieces[to+1].asks && !r.taken(pieces[to+1]) && fits(from, to+1) {
		next := pieces[to+1]
		if next.sentence != pieces[i].sentence && (next.void || size(next.text) > fewWords && !keptMore.Match(next.text)) {
			break
		}
		to++
	}
	return from, to
}

// pieces cuts every sentence that is read as a statement or a question.
func (r *reader) pieces() (out []piece) {
	for i := range r.sentences {
		out = append(out, r.piecesOf(i)...)
	}
	return out
}

// piecesOf cuts sentence i up to where somebody else begins to speak. What is of the moment in one English piece is
// so in all of them.
func (r *reader) piecesOf(i int) (out []piece) {
	s := r.trimmed(i)
	if keptNone.Match(r.masked[s.lo:s.hi]) {
		return nil
	}
	stop := reportStart(r.masked[s.lo:s.hi])
	broken := stop >= 0 && hasHan(r.masked[s.lo:s.hi]) // its last piece is a half one
	if stop >= 0 {
		s.hi = s.lo + stop
	}
	lo, others, passing := s.lo, false, false
	unreal := keptIf.Match(r.masked[s.lo:s.hi])
	other := keptThird.Match(r.masked[s.lo:s.hi])
	for _, m := range pieceCuts(r.masked[s.lo:s.hi]) {
		if s.lo+m[0] < lo || broken && s.lo+m[0] >= s.hi {
			continue
		}
		p := piece{lo: lo, hi: s.lo + m[0], sentence: i, code: r.code(), void: unreal || lo == s.lo && other}
		p.question = s.question && s.lo+m[1] >= s.hi
		lo = s.lo + m[1]
		p.asks = m[0] == m[1] && keptGlue.Match(r.masked[lo:s.hi]) && !keptOwn.Match(r.masked[p.lo:p.hi])
		if r.trimPiece(&p); p.lo == p.hi {
			continue
		}
		p = r.judged(p)
		others = bringsIn(p.text, others)
		p.void = p.void || others && !keptOwn.Match(p.text)
		passing = passing || p.moment && !hasHan(p.text)
		out = append(out, p)
	}
	for j := range out {
		out[j].moment = out[j].moment || passing
	}
	return out
}

// bringsIn reports whether somebody is spoken of behind a piece whose sentence leaves out its subject, as in "我认识一个人，
// 30岁". others is what it reported of the piece before.
func bringsIn(s string, others bool) bool {
	return hasHan(s) && (keptOthers.Match(s) || others && !aboutMe.Match(s))
}

// pieceCuts returns what separates the pieces of a sentence, and its end: stops, the beginning of a question or an order
// without one, blanks between Han characters, and places where a Chinese statement begins.
func pieceCuts(s string) [][]int {
	out := keptCut.FindAll(s)
	for _, m := range keptRun.FindAll(s) {
		if keptStay.Match(s[:m[0]]) {
			continue
		}
		end := m[0]
		if s[end] == ' ' {
			end++
		}
		out = append(out, []int{m[0], end})
	}
	if hasHan(s) {
		for _, m := range cuts(s) {
			if by := s[m[0]:m[1]]; by == "" || by == " " || strings.HasPrefix(by, ",") && hanAround(s, m[0], m[1]) {
				out = append(out, m)
			}
		}
	}
	slices.SortFunc(out, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return append(out, []int{len(s), len(s)})
}

// trimPiece cuts what stands around the words of a piece.
func (r *reader) trimPiece(p *piece) {
	p.lo, p.hi = trimBlank(r.masked, p.lo, p.hi)
	for p.lo < p.hi {
		m := keptLead.Find(r.masked[p.lo:p.hi])
		if m == nil || m[1] == 0 || m[1] >= p.hi-p.lo {
			break
		}
		p.lo += m[1]
	}
	if m := keptTail.Find(r.masked[p.lo:p.hi]); m != nil && m[0] > 0 {
		p.hi = p.lo + m[0]
	}
	p.text = r.masked[p.lo:p.hi]
}

func (r *reader) judged(p piece) piece {
	p.asks = p.asks || p.question || keptAsk.Match(p.text) || strings.Contains(p.text, maskByte) || hasHan(p.text) && asks(p.text)
	p.void = p.void || keptVoid.Match(p.text) || p.code && keptCode.Match(p.text)
	p.moment = keptMoment.Match(p.text)
	p.own = keptOwn.Match(p.text)
	p.me = keptMe.Match(p.text)
	at, _ := r.v.source(p.lo, p.hi)
	for _, s := range r.subjects() {
		if s.Offset <= at && at < s.Offset+s.Length {
			p.of = s.Who
			p.own = p.own || s.Who == Self && !s.Unsure
		}
	}
	return p
}

// saidKey begins the keys of what is kept as it was said.
const saidKey = "said/"

// over returns the ending of a piece that says that something is over (P4).
func (r *reader) over(p piece) (Ending, bool) {
	switch r.refused[p.sentence] {
	case "", whyQuestion, whyNothing, whyHypothesis:
	default:
		return Ending{}, false
	}
	if r.ruled(p, false) || supposed.Match(p.text) || p.asks || p.void || p.of == Listener || p.of == Another || !keptOver.Match(p.text) {
		return Ending{}, false
	}
	return Ending{Keys: []string{"*"}, Shared: r.v.raw(p.lo, p.hi), How: "you said that it is over"}, true
}

// ruleOver names what is not a rule of the files: a piece that says that something is over.
const ruleOver = "over"

// endOnly proposes the end of what a piece speaks of, and nothing else.
func (r *reader) endOnly(p piece, ends []Ending) {
	lo, hi := r.v.source(p.lo, p.hi)
	r.push(p.sentence, Candidate{
		Type: memory.TypeFact, Source: memory.SourceUserStated, Confidence: statedConfidence, Offset: lo, Length: hi - lo,
		Rule: ruleOver, Reason: "something is over", Ends: ends,
	})
}

// AsSaid reports whether the candidate is the user's words, kept as they were said because no rule reads them. A model
// that reads them may put something else in its place.
func (c Candidate) AsSaid() bool { return AsSaid(c.Key) }

// AsSaid is [Candidate.AsSaid] for the key of an item.
func AsSaid(key string) bool { return strings.HasPrefix(key, saidKey) }

// sameWords is the object of a key for words that are kept as they were said: the words that carry meaning, in the order
// of the alphabet. "I prefer trains to planes" takes the place of "I prefer planes to trains".
func sameWords(raw string) string {
	words := text.Keywords(raw)
	for i, w := range words {
		words[i] = objectKey(w)
	}
	slices.Sort(words)
	words = slices.DeleteFunc(slices.Compact(words), func(w string) bool { return w == "" })
	if len(words) == 0 {
		return objectKey(raw)
	}
	return bounded(strings.Join(words, "-"))
}

// keepWords keeps the user's words for a topic, and reports whether it did.
func (r *reader) keepWords(t *topic, sentence, lo, hi int) bool {
	raw := strings.TrimSpace(r.v.raw(lo, hi))
	if utf8.RuneCountInString(raw) < 3 || r.leaks(raw) {
		return false
	}
	c := Candidate{
		Type: t.typ, Key: saidKey + t.name + "/" + sameWords(raw), Title: t.title, Content: sentenceCase(raw),
		Tags: append([]string{}, t.tags...), Confidence: statedConfidence, Importance: t.weight,
		Source: memory.SourceUserStated, Rule: "said-" + t.name, Reason: cmp.Or(t.why, "said about "+t.name),
	}
	c.setStatement(Statement{Value: raw})
	a, b := r.v.source(lo, hi)
	c.Offset, c.Length = a, b-a
	risk, class := riskOf(c)
	if t.approval && risk == RiskNone || t.name == anything.name && class == "contact" { // rules read numbers and addresses
		return false
	}
	r.push(sentence, c)
	return true
}

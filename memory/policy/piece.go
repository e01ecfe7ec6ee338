package policy

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy/dating"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/sensitive"
	"memoria/memory/policy/subject"
)

// Forms of kept.txt, in each language.
var (
	keptCut       = lang.Form("keptCut")       // separates pieces
	keptAlso      = lang.Form("keptAlso")      // says what holds "too", after what another memory says
	keptRun       = lang.Form("keptRun")       // a blank, and words that begin a question or an order after a statement
	keptStay      = lang.Form("keptStay")      // precedes words that look like keptRun but are not
	keptAsk       = lang.Form("keptAsk")       // begins a question or an order
	keptLead      = lang.Form("keptLead")      // may precede a piece
	keptTail      = lang.Form("keptTail")      // may follow a piece
	keptOwn       = lang.Form("keptOwn")       // names the user
	keptParty     = lang.Form("keptParty")     // names kin or animals
	keptHalf      = lang.Form("keptHalf")      // incomplete
	keptNames     = lang.Form("keptNames")     // names somebody
	keptDangling  = lang.Form("keptDangling")  // says nothing without what was said before
	keptPast      = lang.Form("keptPast")      // about the past
	keptFirst     = lang.Form("keptFirst")     // about the user alone, or the user's own things
	keptMe        = lang.Form("keptMe")        // likewise, and not only as owner
	keptMoment    = lang.Form("keptMoment")    // momentary
	keptIf        = lang.Form("keptIf")        // begins a hypothetical sentence
	keptThird     = lang.Form("keptThird")     // begins a sentence about somebody not named in it
	keptCode      = lang.Form("keptCode")      // about programs
	brokenCode    = lang.Form("brokenCode")    // about failing programs
	keptVoid      = lang.Form("keptVoid")      // states nothing lasting
	keptOver      = lang.Form("keptOver")      // says that something is over
	keptCalledOff = lang.Form("keptCalledOff") // says that a plan is off
	notOver       = lang.Form("notOver")       // says that it is not
	keptChoice    = lang.Form("keptChoice")    // states a choice, in spite of "I'd"
	supposed      = lang.Form("supposed")      // states a mere thought
	keptShard     = lang.Form("keptShard")     // a part of what was said before: 二百五十度
	keptMore      = lang.Form("keptMore")      // continues the previous sentence
	andBegins     = lang.Form("andBegins")     // " and " before another subject
	keptGlue      = lang.Form("keptGlue")      // begins a question about the preceding piece
	keptNone      = lang.Form("keptNone")      // in a correction, or an instruction to the memory
	keptOthers    = lang.Form("keptOthers")    // introduces somebody whom later pieces may be about
)

const (
	maxKept     = 240 // maximum bytes of a kept text
	maxKeptRead = 900 // maximum bytes of a message read for pieces; a longer one is a story

	// More than so many pieces, and bytes in them, are a story.
	ramblePieces = 4
	rambleLatin  = 160
	rambleHan    = 200

	fewWords = 3 // a sentence with no more words continues the previous one
)

// piece is part of a sentence: masked[lo:hi] of its reader.
type piece struct {
	text     string
	lo, hi   int
	sentence int
	question bool // marked as a question
	asks     bool // a question, or an order
	void     bool
	own      bool
	me       bool // says I or me
	elided   bool // has no subject of its own
	moment   bool
	code     bool // the message is about programs
	of       subject.Who
}

// keepPieces keeps the user's statements about himself in sentences without a matching rule, in his words.
func (r *reader) keepPieces() {
	if len(r.masked) > maxKeptRead {
		return
	}
	pieces := r.pieces()
	last := -1 // last kept piece
	for i, p := range pieces {
		if e, over := r.over(p); over {
			r.endOnly(p, []Ending{e})
		}
		if i <= last || keptDangling.Match(p.text) || r.taken(p) {
			continue
		}
		l := english()
		if lang.HasHan(p.text) {
			l = chinese()
		}
		from, to := r.around(pieces, i)
		if rambles(pieces[from : to+1]) {
			from, to = i, i
		}
		if first := withParty(pieces, from, to); first >= 0 {
			from = first
		} else if !keptNames.Match(p.text) {
			continue
		}
		first := withSubject(pieces, from, to)
		if first < 0 {
			continue
		}
		whole := p
		if first < from {
			whole = r.joined(p, pieces[first])
			if more := len(sensitive.PII(whole.text)) > len(sensitive.PII(p.text)); !more || p.of == subject.Another {
				from = first
			} else if whole = p; p.of != subject.Self || p.dependent() { // what needs approval does not hold the rest
				continue
			}
		}
		keep := func(t topic) bool { return r.keepEach(&t, pieces[from:to+1]) }
		kept := slices.ContainsFunc(l.topics, func(t topic) bool { return t.about(p) && keep(t) })
		t, ok := r.tells(whole)
		if !ok {
			t, ok = r.tells(p)
		}
		if ok && !kept {
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

// ruled reports whether a rule has read a piece and, if required, written something.
func (r *reader) ruled(p piece, written bool) bool {
	lo, hi := r.v.Source(p.lo, p.hi)
	return slices.ContainsFunc(r.stated, func(s stated) bool {
		counts := s.written || !written && !(s.mere && p.near())
		return lo < s.hi && s.lo < hi && counts && (s.words == "" || sharesKeyword(p.text, s.words))
	})
}

// sharesKeyword reports whether a text has a keyword of another.
func sharesKeyword(s, of string) bool {
	return slices.ContainsFunc(text.Keywords(of), func(w string) bool { return lang.HoldsKeywords(s, w) })
}

// around returns the first and last pieces that belong to piece i.
func (r *reader) around(pieces []piece, i int) (from, to int) {
	from, to = i, i
	fits := func(a, b int) bool { return pieces[b].hi-pieces[a].lo <= maxKept }
	belongs := func(p piece) bool { return p.sentence == pieces[i].sentence && !p.asks && !p.void && !r.taken(p) }
	apart := func(p piece) bool { return dating.Once(p.text) && dating.Once(pieces[i].text) } // each on a day of its own
	for from > 0 && belongs(pieces[from-1]) && !apart(pieces[from-1]) && fits(from-1, to) {
		from--
	}
	for to+1 < len(pieces) && !pieces[to+1].asks && !apart(pieces[to+1]) && !r.taken(pieces[to+1]) && fits(from, to+1) {
		next := pieces[to+1]
		if next.sentence != pieces[i].sentence && (next.void || size(next.text) > fewWords && !keptMore.Match(next.text)) {
			break
		}
		to++
	}
	return from, to
}

// rambles reports whether some pieces are too much for one memory: a story, of which each part is looked at alone.
func rambles(pieces []piece) bool {
	n, size := len(pieces), pieces[len(pieces)-1].hi-pieces[0].lo
	if lang.HasHan(pieces[0].text) {
		return n > ramblePieces && size > rambleHan
	}
	return n >= ramblePieces && size > rambleLatin
}

// withParty returns the first of the pieces that belong to those from one on: if that begins with "she", the ones
// before it in the sentence and in the previous one, which tell who. It returns -1 if they do not.
func withParty(pieces []piece, from, to int) int {
	i := from
	for ; ; i-- {
		if n, again := subject.GoesOnAbout(pieces[i].text); !again || n == len("it") && strings.HasPrefix(pieces[i].text, "it") {
			break
		}
		if i == 0 || pieces[i-1].sentence < pieces[from].sentence-1 || pieces[i-1].asks || pieces[to].hi-pieces[i-1].lo > maxKept {
			return -1
		}
	}
	return i
}

// joined returns a piece together with the one that tells whom it is about.
func (r *reader) joined(p, first piece) piece {
	p.lo, p.text, p.own, p.me = first.lo, r.masked[first.lo:p.hi], p.own || first.own, p.me || first.me
	p.of = first.of
	return p
}

// dependent reports whether a piece after the first of a sentence says nothing without those before: "come up in hives".
func (p piece) dependent() bool { return p.elided && !keptOwn.Match(p.text) && !lang.HasHan(p.text) }

// withSubject returns the first of the pieces of a sentence that those from one on belong to because they have no
// subject of their own: 馒头六岁了 before 肥得跟猪一样. It returns -1 if it is unclear whom they are about.
func withSubject(pieces []piece, from, to int) int {
	i := from
	for ; pieces[i].elided && i > 0 && pieces[i-1].sentence == pieces[i].sentence; i-- {
		before := pieces[i-1]
		unclear := pieces[i].of == subject.Another && !pieces[i].own || before.of == subject.Another
		if before.asks && !unclear {
			break
		}
		switch {
		case before.asks, pieces[to].hi-before.lo > maxKept:
			return -1
		case dating.Once(before.text) && dating.Once(pieces[i].text):
			return i
		}
	}
	if from > i && pieces[from].dependent() {
		return i
	}
	if from > i && i > 0 && allOfThem.Match(pieces[from].text) && pieces[to].hi-pieces[i-1].lo <= maxKept {
		a, b := pieces[i-1], pieces[i]
		if a.sentence == b.sentence && a.of == subject.Another && b.of == subject.Another {
			return i - 1
		}
	}
	alone := pieces[i].elided && pieces[i].of == subject.Self || !keptShard.Match(pieces[from].text) && !bringsAnimal.Match(pieces[i].text)
	if mine := pieces[i].of == subject.Self || pieces[i].of == subject.Unclear; mine && pieces[from].of == subject.Self && alone {
		return from // the user all along: 坐标上海 养猫
	}
	return i
}

// pieces splits every sentence that is a statement or a question.
func (r *reader) pieces() (out []piece) {
	for i := range r.sentences {
		out = append(out, r.piecesOf(i)...)
	}
	return out
}

// piecesOf splits sentence i up to reported speech. If one English piece is momentary, all are.
func (r *reader) piecesOf(i int) (out []piece) {
	s := r.trimmed(i)
	if keptNone.Match(r.masked[s.Lo:s.Hi]) {
		return nil
	}
	stop := lang.ReportStart(r.masked[s.Lo:s.Hi])
	broken := stop >= 0 && lang.HasHan(r.masked[s.Lo:s.Hi]) // its last piece is incomplete
	if stop >= 0 {
		s.Hi = s.Lo + stop
	}
	lo, others, passing := s.Lo, false, false
	unreal := keptIf.Match(r.masked[s.Lo:s.Hi])
	other := keptThird.Match(r.masked[s.Lo:s.Hi])
	for _, m := range pieceCuts(r.masked[s.Lo:s.Hi]) {
		if s.Lo+m[0] < lo || broken && s.Lo+m[0] >= s.Hi {
			continue
		}
		p := piece{lo: lo, hi: s.Lo + m[0], sentence: i, code: r.code(), void: unreal || lo == s.Lo && other}
		p.question = s.Question && s.Lo+m[1] >= s.Hi
		lo = s.Lo + m[1]
		p.asks = m[0] == m[1] && keptGlue.Match(r.masked[lo:s.Hi]) && !keptOwn.Match(r.masked[p.lo:p.hi])
		if r.trimPiece(&p); p.lo == p.hi {
			continue
		}
		p = r.judged(p)
		others = bringsIn(p.text, others)
		p.void = p.void || others && !keptOwn.Match(p.text)
		passing = passing || p.moment && !lang.HasHan(p.text)
		out = append(out, p)
	}
	for j := range out {
		out[j].moment = out[j].moment || passing
		if j > 0 && partnerFirst.Match(out[j].text) && out[j-1].of == subject.Another && !subject.AtHome(subject.PartyOf(out[j-1].text)) {
			out[j].elided = true
		}
	}
	return out
}

// bringsIn reports whether the pieces after this one may be about somebody introduced in a sentence without a
// subject, as in "我认识一个人，30岁". others is the result for the previous piece.
func bringsIn(s string, others bool) bool {
	return lang.HasHan(s) && (keptOthers.Match(s) || others && !aboutMe.Match(s))
}

// pieceCuts returns the separators of a sentence's pieces, and its end: stops, the start of a question or an
// order, blanks between Han characters, and the start of a Chinese statement.
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
	for at := 0; ; {
		n := strings.Index(s[at:], " and ")
		if n < 0 {
			break
		}
		if at += n; andBegins.Match(s[at:]) {
			out = append(out, []int{at, at + len(" and ")})
		}
		at += len(" and ")
	}
	if lang.HasHan(s) {
		for _, m := range lang.Cuts(s) {
			if by := s[m[0]:m[1]]; by == "" || by == " " || strings.HasPrefix(by, ",") && lang.HanAround(s, m[0], m[1]) {
				out = append(out, m)
			}
		}
	}
	slices.SortFunc(out, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return append(out, []int{len(s), len(s)})
}

// trimPiece removes surrounding words from a piece.
func (r *reader) trimPiece(p *piece) {
	p.lo, p.hi = lang.TrimBlank(r.masked, p.lo, p.hi)
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
	p.asks = p.asks || p.question || keptAsk.Match(p.text) || strings.Contains(p.text, lang.MaskByte) || lang.HasHan(p.text) && asks(p.text)
	p.void = p.void || keptVoid.Match(p.text) || p.code && keptCode.Match(p.text)
	p.moment = keptMoment.Match(p.text)
	p.own = keptOwn.Match(p.text)
	p.me = keptMe.Match(p.text)
	at, _ := r.v.Source(p.lo, p.hi)
	for _, s := range r.subjects() {
		if s.Offset <= at && at < s.Offset+s.Length {
			p.of, p.elided = s.Who, s.Elided || s.Who == subject.Unclear
			if s.Who == subject.Thing && s.Name != "" { // 房贷: it is the user's
				p.of = subject.Unclear
			}
			p.own = p.own || s.Who == subject.Self && !s.Unsure
		}
	}
	return p
}

// SaidKey is the key prefix of items kept in the user's words.
const SaidKey = "said/"

// over returns the ending of a piece that says that something is over (P4).
func (r *reader) over(p piece) (Ending, bool) {
	switch r.refused[p.sentence] {
	case "", whyQuestion, whyNothing, whyHypothesis:
	default:
		return Ending{}, false
	}
	if others := p.of == subject.Listener || p.of == subject.Another; others || r.ruled(p, false) || supposed.Match(p.text) || p.asks ||
		p.void || !keptOver.Match(p.text) || notOver.Match(p.text) {
		return Ending{}, false
	}
	keys := []string{"*"}
	if keptCalledOff.Match(p.text) { // a visit that is off moves nobody away
		keys = []string{"goal/*", "pattern/*", "fact/*", "activity/*", "use/*", "relation/*/about/*", SaidKey + "*"}
	}
	return Ending{Keys: keys, Shared: r.v.Raw(p.lo, p.hi), How: "you said that it is over"}, true
}

// ruleOver is the rule name of a piece that says that something is over.
const ruleOver = "over"

// endOnly proposes only endings for a piece.
func (r *reader) endOnly(p piece, ends []Ending) {
	lo, hi := r.v.Source(p.lo, p.hi)
	r.push(p.sentence, Candidate{
		Type: memory.TypeFact, Source: memory.SourceUserStated, Confidence: statedConfidence, Offset: lo, Length: hi - lo,
		Rule: ruleOver, Reason: "something is over", Ends: ends,
	})
}

// AsSaid reports whether the candidate is in the user's own words because no rule matches them. A model may
// replace it.
func (c Candidate) AsSaid() bool { return AsSaid(c.Key) }

// AsSaid is [Candidate.AsSaid] for the key of an item.
func AsSaid(key string) bool { return strings.HasPrefix(key, SaidKey) }

// sameWords returns the key object of words kept as said: their content words in alphabetical order. "I
// prefer trains to planes" replaces "I prefer planes to trains".
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

// keepEach keeps some pieces as one memory, or as several where a Chinese piece goes on about another of the user's
// people; it reports whether it kept any.
func (r *reader) keepEach(t *topic, pieces []piece) (kept bool) {
	from := 0
	for i := range pieces {
		last := i+1 == len(pieces)
		if last || lang.HasHan(pieces[i+1].text) && pieces[i+1].apart(pieces[from], t) {
			kept = r.keepWords(t, pieces[from].sentence, pieces[from].lo, pieces[i].hi) || kept
			from = i + 1
		}
	}
	return kept
}

// apart reports whether a piece says something of its own after another: of somebody else, or as much of the topic.
func (p piece) apart(from piece, t *topic) bool {
	if !p.elided && subject.Begins(p.text, from.text) {
		return true
	}
	return p.of != subject.Another && t.about(from) && t.about(p)
}

// keepWords keeps the user's words for a topic, and reports whether it did.
func (r *reader) keepWords(t *topic, sentence, lo, hi int) bool {
	raw := strings.TrimSpace(r.v.Raw(lo, hi))
	if utf8.RuneCountInString(raw) < 3 || r.leaks(raw) || onlyOrder.Match(r.masked[lo:hi]) {
		return false
	}
	if keptAlso.Match(raw) {
		raw = strings.TrimPrefix(raw, "也")
	}
	c := Candidate{
		Type: t.typ, Key: SaidKey + t.name + "/" + sameWords(raw), Title: t.title, Content: capital(subject.InThird(sentenceCase(raw))),
		Tags: append([]string{}, t.tags...), Confidence: statedConfidence, Importance: t.weight,
		Source: memory.SourceUserStated, Rule: "said-" + t.name, Reason: cmp.Or(t.why, "said about "+t.name),
	}
	c.setStatement(Statement{Value: raw})
	a, b := r.v.Source(lo, hi)
	c.Offset, c.Length = a, b-a
	risk, class := riskOf(c)
	if t.approval && risk == RiskNone || t.name == anything.name && class == "contact" { // rules read numbers and addresses
		return false
	}
	r.push(sentence, c)
	return true
}

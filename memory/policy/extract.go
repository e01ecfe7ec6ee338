package policy

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/sensitive"
	"memoria/memory/policy/subject"
)

const (
	// maxSentence bounds the bytes read of one sentence. It keeps the time for a message without stops
	// from growing with the square of its length.
	maxSentence = 2000

	// maxClause is the length in bytes above which a clause is detail, not a plain statement.
	maxClause = 400

	// maxNote is the length in characters above which an explicit note is cut: atomic_content_max_length
	// (I5).
	maxNote = 600

	// maxCandidates bounds the candidates of one message.
	maxCandidates = 16

	// A message of at least storySentences, of which less than storyShare states something, is a story;
	// only explicit requests and identity values are taken from it (P3).
	storySentences = 10
	storyShare     = 0.25
)

// Confidence and importance of results of rules: a plain statement has at least 0.9 (L2); slots, orders
// to the assistant and explicit requests matter more than preferences (P2).
const (
	statedConfidence   = 0.9
	explicitConfidence = 0.95

	importancePattern    = 0.5
	importancePreference = 0.6
	importanceFact       = 0.65
	importanceGoal       = 0.7
	importanceRule       = 0.8
	importanceIdentity   = 0.85
	importanceHealth     = 0.9
	importanceExplicit   = 0.9
	importanceCorrection = 0.95 // "highest priority" (P2)
)

// Extract proposes recall items from a user's typed text, by rules, in Chinese and English (P2, P3, P6).
// It returns nil for questions, hypotheses, reported speech, moods, reactions, momentary commands, quoted
// text and code. Candidates are in the order of the text, one for each key. A statement with a secret
// gives a candidate with [RiskSecret] and no words, so that its place can be shown. Pasted text must be
// blanked out before (see [memory.Record.Typed]).
//
// It reads at most 16 KiB, not counting repeated blanks.
func (p *Policy) Extract(text string) []Candidate {
	found, _ := p.extract(newReader(text))
	return found
}

// Teaches returns what a message teaches: the candidates of [Policy.Extract], with the doubts about the
// message as a whole, and pieces without a known topic if there is no doubt. Extract reads single clauses.
// people are known by name.
func (p *Policy) Teaches(message string, people ...subject.Person) []Candidate {
	found, _ := p.teaches(message, people, "")
	return found
}

// teaches is Teaches with the reason for an empty result. before is the user's previous message, or empty.
func (p *Policy) teaches(message string, people []subject.Person, before string) ([]Candidate, string) {
	told := subject.Tell(message, people, before)
	r := newReader(told.Text)
	r.whole, r.told, r.people = true, told, slices.Clone(people)
	found, why := p.extract(r)
	if len(found) == 0 && r.pointsBack && tellsThat.Match(text.Fold(before)) && !asks(text.Fold(before)) {
		found, _ = p.extract(newReader(rememberIt + before)) // it teaches what a message of its own would
		for i := range found {
			found[i].Offset, found[i].Length = 0, len(message)
		}
		return found, why
	}
	if len(found) == 0 && len(people) > 0 && told.Text != message { // a name alone can end something: 豆豆走了
		return p.teaches(message, nil, "")
	}
	return ofPeople(r.doubted(found), told), why
}

// rememberIt before a message asks to remember it.
const rememberIt = "remember: "

var tellsThat = lang.Form("tellsThat")

// extract is Extract with the reason for an empty result.
func (p *Policy) extract(r *reader) ([]Candidate, string) {
	r.read()
	if r.forbidden {
		return nil, whyForbidden
	}
	found := r.finish()
	if len(found) == 0 {
		return nil, r.why()
	}
	return found, ""
}

// reader reads the sentences of one message.
type reader struct {
	v         *lang.View
	masked    string
	sentences []lang.Sentence

	found     []located
	pending   bool           // the last order was bare and points forward ("remember this:")
	material  bool           // the rest is text to work on, not a statement
	forbidden bool           // "don't remember this"
	question  bool           // some sentence was a question
	joke      bool           // a joke, or irony
	past      bool           // the last clause said what was so before
	party     string         // whom the last clause was about, see [subject.PartyOf]
	person    subject.Person // the party, if known by name
	other     string         // another that the clause named
	partyIn   int            // the sentence that named the party
	parties   []string
	told      subject.Told
	people    []subject.Person // known by name, also from clauses before
	// introduced says that it introduced the party.
	introduced bool
	whole      bool // the message as a whole counts
	pointsBack bool // it begins with a request to remember what was said before it
	gist       gist // of the whole message

	code     func() bool              // about programs
	broken   func() bool              // … that do not work
	secrets  func() []string          // of the whole message
	subjects func() []subject.Subject // of its clauses

	refused []string // by sentence: why it is not a statement; "" if it is
	stated  []stated // read by rules so far
}

func newReader(text string) *reader {
	v := lang.NewView(text, lang.MaxRead)
	masked := lang.Mask(v.Text)
	sentences := lang.SplitSentences(masked)
	return &reader{
		v: v, masked: masked, sentences: sentences, refused: make([]string, len(sentences)),
		code:     sync.OnceValue(func() bool { return keptCode.Match(masked) }),
		broken:   sync.OnceValue(func() bool { return brokenCode.Match(masked) }),
		secrets:  sync.OnceValue(func() []string { return sensitive.SecretWords(text) }),
		subjects: sync.OnceValue(func() []subject.Subject { return subject.Find("", text) }),
	}
}

// leaks is [sensitive.Leaks] for a part of the message.
func (r *reader) leaks(s string) bool {
	return len(sensitive.Secrets(s)) > 0 || sensitive.Repeats(r.secrets(), s)
}

// read reads the sentences until one forbids remembering. From a joke it reads only explicit requests.
func (r *reader) read() {
	r.joke = len(r.masked) <= maxKeptRead && joking.Match(r.masked) && !ordersAnywhere.Match(r.masked) && !(r.whole && r.orders(r.v.Src))
	if r.joke {
		return
	}
	for i := 0; i < len(r.sentences) && !r.forbidden; i++ {
		r.refused[i] = r.sentence(i)
	}
	if r.forbidden {
		return
	}
	if r.whole {
		r.gist = r.gistOf(r.v.Src)
	}
	if !r.material {
		r.keepPieces()
	}
	if r.gist.rule >= sureOrder {
		r.keepOrders()
	}
}

var (
	joking   = lang.Form("joking")
	onlyOnce = lang.Form("onlyOnce") // a request for one answer
)

// Reasons why a sentence is not a statement.
const (
	whyForbidden  = "asked not to remember"
	whyQuestion   = "a question"
	whyMaterial   = "text to work on"
	whyHypothesis = "not said to be so"
	whyOrder      = "an order, not a statement"
	whyJoke       = "said as a joke"
	whyNothing    = "nothing that lasts is stated"
)

// stated is a statement read by a rule, in bytes of the message. written says that it is to be remembered,
// not only to end something.
type stated struct {
	lo, hi  int
	written bool
	words   string // to be remembered
	mere    bool   // only ends what the rest of the words have nothing to do with
}

// located is a candidate with its sentence.
type located struct {
	Candidate
	sentence int
}

// trimmed returns sentence i without surrounding blanks, cut if it is long.
func (r *reader) trimmed(i int) lang.Sentence {
	s := r.sentences[i]
	s.Lo, s.Hi = lang.TrimBlank(r.masked, s.Lo, s.Hi)
	if s.Hi-s.Lo > maxSentence {
		s.Hi = s.Lo + maxSentence
		for !utf8.RuneStart(r.masked[s.Hi]) {
			s.Hi--
		}
	}
	return s
}

// sentence reads sentence i and returns why it is not a statement, or "".
func (r *reader) sentence(i int) string {
	s := r.trimmed(i)
	if s.Lo >= s.Hi {
		return whyNothing
	}
	body := r.masked[s.Lo:s.Hi]
	if forbids(body) {
		r.forbidden = true
		return whyForbidden
	}
	o := findOrder(body)
	switch {
	case o.negated:
		return whyForbidden
	case o.kind == orderBare && o.forward:
		r.pending = true
		return whyOrder
	case o.kind == orderBare:
		r.rememberPrevious(i)
		return whyOrder
	}
	lo, hi := s.Lo+o.lo, s.Lo+o.hi
	explicit := o.kind != orderNone
	if !explicit && r.pending {
		explicit = true
	} else {
		r.pending = false
	}
	if !explicit && r.material {
		return whyMaterial
	}
	if !explicit && onlyOnce.Match(body) {
		return whyOrder
	}
	if !explicit && textWork.Match(body) {
		r.material = true
		return whyMaterial
	}
	if !explicit && composing.Match(body) && !writesUsually.Match(body) {
		r.material = strings.HasSuffix(body, ":")
		return whyMaterial
	}
	inner := r.masked[lo:hi]
	if (s.Question && !o.polite && o.kind == orderNone) || asks(inner) ||
		lang.HasHan(inner) && asksOne(splitClauses(r.v, r.masked, lo, hi)) {
		r.question = true
		if lang.HasHan(inner) {
			return r.besideQuestions(i, lo, hi, s.Question, explicit)
		}
		if hi = r.beforeQuestion(lo, hi); hi == lo {
			return whyQuestion
		}
		inner = r.masked[lo:hi]
	}
	if supposes(inner) {
		return whyHypothesis
	}
	n := len(r.found)
	r.clauses(i, lo, hi, explicit)
	if explicit && !slices.ContainsFunc(r.found[n:], func(f located) bool { return !f.OnlyEnds() }) {
		r.note(i, lo, hi, o)
	}
	return ""
}

// tagWords is the maximum length of a tag question after a statement: "right?".
const tagWords = 2

// beforeQuestion returns the start of the question in text[lo:hi] after separate statements: "I live in
// Ghent, where can I buy a bike?". It returns lo if there is none, or if the question is about the statement.
func (r *reader) beforeQuestion(lo, hi int) int {
	clauses := splitClauses(r.v, r.masked, lo, hi)
	last := len(clauses) - 1
	for i, c := range clauses {
		if i < last && !asks(c.text) {
			continue
		}
		if i == 0 || size(r.masked[c.at:hi]) <= tagWords {
			return lo
		}
		before := clauses[i-1]
		return before.at + len(before.text) - before.pad
	}
	return lo
}

// besideQuestions reads the clauses of text[lo:hi] that are not questions, and returns why the sentence is
// not a statement, or "". In Chinese the subject of a question may come before or after it. marked says that
// the sentence ends in a question mark, so that its last clause is a question.
func (r *reader) besideQuestions(i, lo, hi int, marked, explicit bool) string {
	clauses := splitClauses(r.v, r.masked, lo, hi)
	if supposes(r.masked[lo:hi]) {
		return whyHypothesis
	}
	why, from := whyQuestion, -1
	for j, c := range clauses {
		end := c.at + len(c.text) - c.pad
		states := !asks(c.text) && !(marked && j == len(clauses)-1) &&
			(j+1 == len(clauses) || !asksTag.Match(clauses[j+1].text))
		if states && from < 0 {
			from = c.at
		}
		if p := subject.PartyOf(c.text); p != "" && !states {
			r.party, r.partyIn, r.parties = p, i, append(r.parties, p)
		}
		if from >= 0 && !states {
			r.clauses(i, from, clauses[j-1].at+len(clauses[j-1].text)-clauses[j-1].pad, explicit)
			why, from = "", -1
		}
		if from >= 0 && j == len(clauses)-1 {
			r.clauses(i, from, end, explicit)
			why = ""
		}
	}
	return why
}

// supposes reports whether a whole sentence is hypothetical; in a Chinese one with 也许 only a clause may be.
func supposes(s string) bool { return hypothetical(s) && (!lang.HasHan(s) || conditional.Match(s)) }

var (
	interjection = lang.Form("interjection")
	pastLead     = lang.Form("pastLead")
	pastGoesOn   = lang.Form("pastGoesOn")
	conditional  = lang.Form("conditional")
	asksTag      = lang.Form("asksTag")
)

// drafts returns the results of the rules for a clause: Chinese rules if there is a Han character, then
// English ones.
func drafts(c clause) []draft {
	var ended []draft
	if lang.HasHan(c.text) {
		ds := chinese().apply(c)
		if ds != nil && !slices.ContainsFunc(ds, draft.adds) {
			return ds
		}
		ended = ds
	}
	return joined(english().apply(c), ended)
}

// clauses applies the rules to every clause of text[lo:hi].
func (r *reader) clauses(i, lo, hi int, explicit bool) {
	stop := lang.ReportStart(r.masked[lo:hi])
	inherited, corrected, ruled := "", false, false
	others := false // the previous clause introduces somebody whom the next may be about
	mine := true    // the previous clause is about the user as he is now
	unclear := false
	for _, c := range splitClauses(r.v, r.masked, lo, hi) {
		if stop >= 0 && c.at+len(c.text)-c.pad > lo+stop {
			return
		}
		if interjection.Match(c.text) {
			continue
		}
		c.explicit = explicit
		c.alone = len(r.sentences) == 1
		c.correction = c.correction || corrected
		if corrected = c.bare; corrected {
			continue
		}
		if c.elliptic && (inherited != "" || ownMore.Match(c.text)) {
			lead := c.lead(inherited)
			c.pad, c.text = len(lead), lead+c.text
		}
		if c.elliptic && r.party != "" && r.partyIn == i && kinGoesOn.Match(c.text) {
			lead := subject.Again(r.party, c.predicate)
			c.text, c.pad, c.told, c.elliptic, c.person = lead+c.text, len(lead), true, false, r.person
		}
		c.durable = c.durable || ruled // "always answer in French and keep it short"
		ruled = false
		if inherited = c.subject(); lang.HasHan(c.text) && r.subjectOf(c).Who == subject.Another {
			inherited = ""
		}
		r.past = pastLead.Match(c.text) || r.past && pastGoesOn.Match(c.text[c.pad:])
		if len(c.text) > maxClause || r.past || strings.Contains(c.text, lang.MaskByte) || hypothetical(c.text[c.pad:]) {
			continue
		}
		found := drafts(c)
		theirs := r.isTheirs(c)
		if lang.HasHan(c.text) && (aboutMe.Match(c.text) || !theirs && subject.PartyOf(c.text) != "") {
			unclear = false
		}
		if astray := theirs && !slices.ContainsFunc(found, draft.ofPeople); astray || unclear {
			found = slices.DeleteFunc(found, func(d draft) bool { return !d.bare() })
		}
		if m := asWhat.Groups(c.text); m != nil && c.pad == 0 {
			c.at, c.text, c.pad = c.at+m[2], "i'm "+c.text[m[2]:], len("i'm ")
			found = drafts(c)
		}
		ofOthers := others && !(elidedMy.Match(c.text) && subject.AtHome(r.party))
		mayElide := c.pad == 0 && !unclear && (!theirs || elidedMy.Match(c.text)) && !(r.introduced && subject.OfThem(c.text))
		if len(found) == 0 && mayElide && !(lang.HasHan(c.text) && (explicit || ofOthers)) {
			for _, lead := range r.elided(c) {
				with := c
				with.pad, with.text = len(lead), lead+c.text
				if found = drafts(with); len(found) > 0 {
					c, inherited = with, with.subject()
					break
				}
			}
		}
		r.party = subject.Meant(c.text, r.party, r.parties)
		if len(found) == 0 && c.pad == 0 && r.party != "" && !explicit && !unclear && !(allOfThem.Match(c.text) && len(r.parties) > 1) {
			n, again := subject.GoesOnAbout(c.text)
			elided := r.partyIn == i && (r.isOfAnother(c) || r.introduced && subject.OfThem(c.text))
			if again || lang.HasHan(c.text) && elided {
				if with := c.aboutParty(r.party, n); subject.MayMean(c.text[:n], r.party, r.other) && !hypothetical(with.text) {
					if found = drafts(with); len(found) > 0 {
						c = with
						c.person = r.person
					}
				}
			}
		}
		if lang.HasHan(c.text) && !mine && !keptOwn.Match(c.text[c.pad:]) {
			found = slices.DeleteFunc(found, draft.whoUserIs)
		}
		mine = len(found) > 0 && !slices.ContainsFunc(found, draft.ofPeople) || mine && utf8.RuneCountInString(c.text) <= greeting ||
			beginsMe.Match(c.text)
		mine = mine && !comesThen.Match(c.text)
		unclear = unclear || bringsAnother.Match(c.text) && !hasMine.Match(c.text)
		if p := subject.PartyOf(c.text); p != "" {
			r.parties = append(r.parties, p)
			if c.person.Name == "" {
				r.partyIn, r.person, r.other = i, r.named(c), subject.OtherIn(c.text)
			}
		}
		r.party, r.introduced = subject.Follow(c.text, r.party), subject.Introduces(c.text) || r.introduced && subject.OfThem(c.text)
		others = aboutOthers.Match(c.text) || meets.Match(c.text) || others && !aboutMe.Match(c.text)
		if slices.ContainsFunc(found, draft.bare) && r.isOfAnother(c) {
			continue
		}
		for _, d := range found {
			r.add(i, c, d)
			ruled = c.durable && d.typ == memory.TypeRule
		}
		if !c.correction { // "it wasn't Henrik, it was my cousin Jostein who …"
			r.introductions(i, c)
		}
	}
}

// greeting is the maximum length in characters of a clause that says nothing of anybody: 新人报到.
const greeting = 4

// subjectOf returns the subject of a clause, without a kind if there is none.
func (r *reader) subjectOf(c clause) subject.Subject {
	at, _ := c.bytes()
	for _, s := range r.subjects() {
		if s.Offset <= at && at < s.Offset+s.Length {
			return s
		}
	}
	return subject.Subject{}
}

// isTheirs reports whether a Chinese clause without a subject is about somebody named before.
func (r *reader) isTheirs(c clause) bool {
	s := r.subjectOf(c)
	return lang.HasHan(c.text) && c.pad == 0 && s.Elided && s.Who == subject.Another
}

// isOfAnother reports whether a clause without a subject is, or may be, about somebody named before: in "My
// brother called. Broke up" it is not the user who did.
func (r *reader) isOfAnother(c clause) bool {
	s := r.subjectOf(c)
	return s.Elided && (s.Who == subject.Another || s.Who == subject.Listener || s.Unsure)
}

// elided returns the possible beginnings of a clause that omits "I"; none if it is not about the user.
func (r *reader) elided(c clause) (leads []string) {
	if lang.HasHan(c.text) {
		switch {
		case partnerFirst.Match(c.text) && r.party != "" && !subject.AtHome(r.party):
			return nil
		case elidedMy.Match(c.text):
			return []string{"我"}
		case !elidedMe.Match(c.text) || notElided.Match(c.text):
			return nil
		}
		leads = []string{"我"}
	}
	if bareKin.Match(c.text) {
		return []string{"my "}
	}
	for _, e := range elisions {
		if e.form.Match(c.text) {
			leads = append(leads, e.lead)
		}
	}
	if len(leads) == 0 {
		return nil
	}
	s := r.subjectOf(c)
	if s.Who == subject.Another || s.Who == subject.Listener || s.Unsure || s.Elided && s.Who == subject.Thing && s.Name != "" {
		return nil
	}
	return leads
}

// bareKin begins a clause with kin that need no "my": mum.
var bareKin = lang.Form("bareKinFirst")

var asWhat = lang.Form("asWhat")

// elisions are forms of clauses without a subject, with that subject.
var elisions = []struct {
	form pattern.Pattern
	lead string
}{
	{lang.Form("elidedAm"), "i'm "}, {lang.Form("elidedHave"), "i've "}, {lang.Form("elidedI"), "i "},
}

// Beginnings of Chinese clauses that omit 我, of clauses about the user's family, and of those with another
// subject.
var (
	elidedMe  = lang.Form("elidedMe")
	elidedMy  = lang.Form("elidedMy")
	notElided = lang.Form("notElided")
)

// add turns a draft into a candidate. For one key the last counts, at the place of the
// first.
func (r *reader) add(i int, c clause, d draft) {
	lo, hi := c.bytes()
	cand := d.candidate(c)
	cand.Offset, cand.Length = lo, hi-lo
	r.ofPerson(c, &cand)
	r.push(i, cand)
}

func (r *reader) push(i int, cand Candidate) {
	if cand.Rule != ruleOver && cand.Rule != ruleNameOnly {
		r.stated = append(r.stated, stated{cand.Offset, cand.Offset + cand.Length, !cand.OnlyEnds(), cand.Content, isMere(cand)})
	}
	statement := r.v.Src[cand.Offset : cand.Offset+cand.Length]
	cand.Risk, _ = riskOf(cand)
	if r.leaks(statement) {
		cand.Risk = RiskSecret
	}
	switch {
	case cand.Risk == RiskSecret:
		cand = withoutWords(cand)
	case !cand.Explicit && r.broken() && (cand.Type == memory.TypePattern || cand.Type == memory.TypeRelationship):
		return // "my child is an orphan"
	}
	for j := range r.found {
		if cand.Key != "" && r.found[j].Key == cand.Key {
			cand.Explicit = cand.Explicit || r.found[j].Explicit
			cand.Ends = append(cand.Ends, r.found[j].Ends...)
			r.found[j] = located{cand, i}
			return
		}
	}
	r.found = append(r.found, located{cand, i})
}

// isMere reports whether a candidate ends items by what its clause mentions in passing: 我对象… ends that the user is
// single, and a thing bought the wish for it.
func isMere(c Candidate) bool { return c.OnlyEnds() && (c.Rule == ruleSingle || c.Rule == ruleReached) }

// note keeps the words themselves if the user asked for it and no rule matches them.
func (r *reader) note(i, lo, hi int, o order) {
	lo, hi = lang.TrimBlank(r.masked, lo, hi)
	if lo >= hi || emptyNote(r.masked[lo:hi]) {
		return
	}
	raw := r.v.Raw(lo, hi)
	if utf8.RuneCountInString(raw) > maxNote {
		raw = string([]rune(raw)[:maxNote]) + "…"
	}
	c := Candidate{
		Type: memory.TypeFact, Key: noteKey(raw), Title: "Note", Content: sentenceCase(raw),
		Tags: []string{"note"}, Confidence: explicitConfidence, Importance: importanceExplicit,
		Source: memory.SourceUserStated, Explicit: true, Rule: "note", Reason: "asked to remember it",
	}
	if o.toDo {
		raw = raw[len("to "):]
	}
	if o.toDo || toProgram.Match(r.masked[lo:hi]) {
		c.Type, c.Title, c.Rule, c.Tags = memory.TypeRule, "Rule", "note-to-do", []string{"rule"}
		c.Key, c.Content = "rule/"+objectKey(raw), sentenceCase(raw)
	}
	if strings.TrimSpace(c.Content) == "" {
		return // only punctuation
	}
	c.setStatement(Statement{Value: raw})
	a, b := r.v.Source(lo, hi)
	c.Offset, c.Length = a, b-a
	r.push(i, c)
}

// rememberPrevious handles an order without an object ("I live in Rome. Remember that!").
func (r *reader) rememberPrevious(i int) {
	marked := false
	for j := range r.found {
		if r.found[j].sentence == i-1 {
			makeExplicit(&r.found[j].Candidate)
			marked = true
		}
	}
	r.pointsBack = i == 0
	if marked || i == 0 {
		return
	}
	s := r.sentences[i-1]
	lo, hi := lang.TrimBlank(r.masked, s.Lo, s.Hi)
	if lo < hi && !s.Question && !asks(r.masked[lo:hi]) && !forbids(r.masked[lo:hi]) {
		r.note(i-1, lo, hi, order{})
	}
}

func makeExplicit(c *Candidate) {
	c.Explicit = true
	c.Confidence = max(c.Confidence, explicitConfidence)
	c.Importance = max(c.Importance, importanceExplicit)
}

// finish applies the steps that need the whole message.
func (r *reader) finish() []Candidate {
	says := 0
	for _, f := range r.found {
		if !f.OnlyEnds() {
			says++
		}
	}
	share := float64(says) / float64(max(1, len(r.sentences)))
	story := len(r.sentences) >= storySentences && share < storyShare
	var out []Candidate
	for _, f := range r.found {
		if story && !f.Explicit && f.Risk != RiskSecret && f.Importance < importanceRule {
			continue
		}
		if len(out) < maxCandidates {
			out = append(out, f.Candidate)
		}
	}
	return out
}

func (r *reader) why() string {
	switch {
	case r.joke:
		return whyJoke
	case r.question:
		return whyQuestion
	case r.material:
		return whyMaterial
	}
	return whyNothing
}

// emptyNote reports whether an order's object has no meaning by itself.
func emptyNote(s string) bool { return emptyNoteForm.Match(strings.TrimSpace(s)) }

var emptyNoteForm = lang.Form("emptyNote")

// sentenceCase makes a Latin text begin with a capital and end with a stop.
func sentenceCase(s string) string {
	s = capital(strings.TrimRight(strings.TrimSpace(s), ",;:，；：、"))
	last, _ := utf8.DecodeLastRuneInString(s)
	if lang.Latin(last) && !lang.HasHan(s) {
		s += "."
	}
	return s
}

// capital capitalises the first letter.
func capital(s string) string {
	if s != "" && 'a' <= s[0] && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

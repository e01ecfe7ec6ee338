package policy

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
)

// Source is what the rules think of the place in a user's message on which somebody else, a model, rests a
// conclusion.
type Source struct {
	// Offset and Length are the bytes of the quoted words in the message; Length is 0 when they are not there.
	Offset, Length int
	// Words are the statement around the quotation, from one stop, comma or conjunction to the next, as the
	// user wrote it; Said is the part of it that ends with the quotation, for that can leave out the "not"
	// before it.
	Words, Said string
	// Reason says why the words must not be used; empty when they may.
	Reason string
	// Passing is set when Reason is only that the words state nothing lasting of the user: an order, somebody else's news,
	// what holds today. They teach nothing, and may still end or replace what is known (P5c).
	Passing bool `json:",omitempty"`
	// Known is set when the rules themselves read these words as a statement and proposed it, and Read is what they made
	// of them.
	Known bool
	Read  []string `json:",omitempty"`
	// Kept is set when the rules keep these words as they were said, without a reading of their own.
	Kept bool `json:",omitempty"`
	// Plain is what the rules read in these words, although they propose nothing of a message like this one (a
	// long story); nil when they read nothing.
	Plain *Candidate
	// Telling is set when the message as a whole surely tells something of its writer.
	Telling bool `json:",omitempty"`
	// Negative is set when Said denies something.
	Negative bool
}

// Reasons of a [Source] that is not the user's own statement.
const (
	WhyNoQuote   = "it rests on no words of yours"
	whyShort     = "the quoted words are too few"
	whyQuoted    = "quoted text or code"
	whyReported  = "somebody else's words"
	whyMood      = "a passing mood"
	whySmallTalk = "small talk"
	whyMoment    = "only of the moment"
	WhyNotUser   = "not about you"
	whySecret    = "holds a secret"
)

// Source looks for a quotation in what a user typed, letters folded and blanks of no account, and says whether
// the words may carry a conclusion: whether the user states something of himself there that may last. The
// guards are those of [Policy.Extract], which is stricter: it must also understand what is stated. Where the
// message as a whole surely tells something of its writer, most of them do not count: they read clauses.
func (p *Policy) Source(typed, quote string) Source {
	places := locate(typed, quote)
	if len(places) == 0 {
		return Source{Reason: WhyNoQuote}
	}
	r := newReader(typed)
	r.whole = true
	r.read()
	proposed := r.finish()
	var first Source
	for i, at := range places {
		s := r.source(at[0], at[1], proposed)
		if i == 0 || s.Reason == "" {
			first = s
		}
		if s.Reason == "" {
			break
		}
	}
	if first.Reason == "" && !first.Known && size(newView(quote, maxSentence).text) < minQuote {
		first.Reason = whyShort
	}
	return first
}

// Quotes reports whether a quotation stands in what a user typed, letters folded and blanks of no account.
func Quotes(typed, quote string) bool { return len(locate(typed, quote)) > 0 }

// Forbids reports whether the user asks, anywhere in what he typed, to remember something not: a model is not
// even asked about such a message.
func (p *Policy) Forbids(typed string) bool {
	r := newReader(typed)
	for i := range r.sentences {
		s := r.trimmed(i)
		if s.lo >= s.hi {
			continue
		}
		if body := r.masked[s.lo:s.hi]; forbids(body) || findOrder(body).negated {
			return true
		}
	}
	return false
}

// hole is what is left of pasted text in what the user typed; see [memory.Record.Typed].
const hole = "    "

const (
	minQuote  = 2  // words, or twice as many Chinese characters less one
	maxPlaces = 16 // of one quotation that are looked at
)

// locate finds a quotation in the view of a text.
func locate(typed, quote string) (places [][2]int) {
	line := func(s string) string { return strings.ReplaceAll(s, "\n", " ") }
	in := line(newView(typed, maxRead).text)
	want := strings.Trim(line(newView(quote, maxSentence).text), " .,!?;:\"'。、…~")
	if want == "" {
		return nil
	}
	for from := 0; len(places) < maxPlaces; {
		i := strings.Index(in[from:], want)
		if i < 0 {
			break
		}
		i += from
		if wholeWord(in, i, i+len(want)) {
			places = append(places, [2]int{i, i + len(want)})
		}
		from = i + 1
	}
	return places
}

// source judges text[lo:hi] of the view.
func (r *reader) source(lo, hi int, proposed []Candidate) Source {
	a, b := r.v.source(lo, hi)
	out := Source{Offset: a, Length: b - a, Telling: r.surely()}
	if r.forbidden {
		out.Reason = whyForbidden
		return out
	}
	over := func(c Candidate) bool { return c.Offset < b && a < c.Offset+c.Length }
	proposed = slices.DeleteFunc(proposed, Candidate.OnlyEnds)
	for _, c := range proposed {
		out.Kept = out.Kept || over(c) && c.AsSaid()
		if over(c) && !c.AsSaid() {
			out.Known, out.Read = true, append(out.Read, c.Content)
		}
	}
	var words, saying []string
	weak := "" // why they teach nothing
	for i, s := range r.sentences {
		if s.hi <= lo || hi <= s.lo {
			continue
		}
		clauses, said, why := r.statement(s, lo, hi)
		for _, why := range []string{r.refused[i], why} {
			if why == "" || r.overruled(why, s, lo, hi) {
				continue
			}
			if weak = cmp.Or(weak, why); !passing(why) && !out.Known {
				out.Reason = weak
				return out
			}
		}
		words, saying = append(words, clauses...), append(saying, said...)
	}
	out.Words, out.Said = strings.Join(words, "\n"), strings.Join(saying, "\n")
	out.Negative = Negated(out.Said)
	switch folded := newView(out.Words, maxRead).text; {
	case folded == "":
		out.Reason = WhyNoQuote
	case r.leaks(out.Words):
		out.Reason = whySecret
	case strings.Contains(r.v.src[a:b], hole):
		out.Reason = whyQuoted // words on both sides of it are no sentence
	case weak != "":
		out.Reason, out.Passing = weak, true
	case !r.aboutUser(hi) && !r.surely():
		out.Reason, out.Passing = WhyNotUser, true
	}
	if out.Known {
		if out.Reason != whySecret {
			out.Reason, out.Passing = "", false
		}
		return out
	}
	for _, f := range r.found {
		if c := f.Candidate; over(c) && c.Risk != RiskSecret && !c.AsSaid() {
			out.Plain = &c
		}
	}
	return out
}

// overruled reports whether a reason against a sentence, of which text[lo:hi] is quoted, does not count: the message surely
// tells something of its writer. A question must then do so by itself, and ask for more than what is quoted.
func (r *reader) overruled(why string, s sentence, lo, hi int) bool {
	switch why {
	case whyForbidden, whyQuoted, whySecret, whyMood, whySmallTalk, whyHypothesis, whyMoment:
		return false
	case whyReported:
		return r.surely() && firstPerson.Match(r.masked[s.lo:s.hi])
	case whyQuestion:
		body := r.masked[s.lo:s.hi]
		all := strings.TrimSpace(r.masked[max(lo, s.lo):min(hi, s.hi)]) == strings.TrimRight(strings.TrimSpace(body), "吗呢么吧? ")
		a, b := r.v.source(s.lo, s.hi)
		return r.surely() && !all && firstPerson.Match(body) && gists().Probabilities(r.v.src[a:b])[Telling] >= sureToKeep
	}
	return r.surely()
}

// surely reports whether the message surely tells something of its writer.
func (r *reader) surely() bool { return r.gist.tells >= sureToKeep }

// passing reports whether a reason is none, or one of [Source.Passing].
func passing(why string) bool {
	switch why {
	case "", whyOrder, whyNothing, whyMoment, WhyNotUser:
		return true
	}
	return false
}

// statement returns the clauses of a sentence that text[lo:hi] touches, whole and up to hi, and why one of them
// cannot be used; it ends at one of which nothing can be used.
func (r *reader) statement(s sentence, lo, hi int) (words, said []string, why string) {
	stop := reportStart(r.masked[s.lo:s.hi])
	for _, c := range splitClauses(r.v, r.masked, s.lo, s.hi) {
		end := c.at + len(c.text) - c.pad
		if end <= lo || hi <= c.at {
			continue
		}
		reason := ""
		switch drafts := drafts(c); {
		case stop >= 0 && end > s.lo+stop:
			reason = whyReported
		case asks(c.text):
			reason = whyQuestion
		case hypothetical(c.text):
			reason = whyHypothesis
		case drafts != nil && len(drafts) == 0:
			reason = whyNothing
		case clauseEmotion(c.text) != "":
			reason = whyMood
		case chatter.Match(c.text):
			reason = whySmallTalk
		case !c.durable && command.Match(c.text):
			reason = whyOrder
		case momentary.Match(c.text) && !turning.Match(c.text):
			reason = whyMoment
		}
		if strings.Contains(c.text, maskByte) || !passing(reason) && !r.overruled(reason, s, lo, hi) {
			return nil, nil, cmp.Or(reason, whyQuoted)
		}
		why = cmp.Or(why, reason)
		words = append(words, r.v.raw(c.at, end))
		upTo := min(hi, end)
		if m := takenBack.Find(r.masked[upTo:end]); m != nil {
			upTo += m[1]
		}
		said = append(said, r.v.raw(c.at, upTo))
	}
	return words, said, why
}

// aboutUser reports whether the user has spoken of himself up to a place of the message: of a fact about the
// world nothing is remembered.
func (r *reader) aboutUser(hi int) bool {
	said := r.masked[:min(hi, len(r.masked))]
	if firstPerson.Match(said) {
		return true
	}
	for _, s := range r.sentences {
		if s.lo >= hi {
			break
		}
		if body := r.masked[s.lo:s.hi]; bareVerb.Match(body) || barePredicate.Match(body) {
			return true
		}
	}
	return false
}

var (
	firstPerson = form("firstPerson")
	chatter     = form("chatter")   // what one says to keep a conversation going
	command     = form("command")   // tells the assistant what to do now
	momentary   = form("momentary") // binds a statement to the day when it is said …
	turning     = form("turning")   // … and this makes it one that lasts
	takenBack   = form("takenBack") // denies what stands before it
	negation    = form("negation")
	notNegation = form("notNegation")
	averse      = form("averse")
)

// Negated reports whether words deny something.
func Negated(s string) bool {
	return negation.Match(notNegation.Replace(newView(s, maxRead).text, " "))
}

// Averse reports whether words speak of aversion: hating, avoiding, having stopped.
func Averse(s string) bool { return averse.Match(newView(s, maxRead).text) }

// Opposes reports whether a conclusion turns what a statement says into its opposite: one of them denies, and
// the other neither denies nor speaks of aversion.
func Opposes(statement, conclusion string) bool {
	a, b := Negated(statement), Negated(conclusion)
	return a != b && !(a && Averse(conclusion)) && !(b && Averse(statement))
}

// Shares returns which share of a conclusion's keywords stand in a text, 0 to 1; 0 when it has none. What is
// written with a capital or with digits must stand there, else the share is 0: a name is never a paraphrase.
func Shares(conclusion, said string) float64 {
	words, han := map[string]bool{}, text.Fold(said)
	for _, w := range text.Words(said) {
		words[w] = true
	}
	in := func(w string) bool {
		if hasHan(w) {
			return strings.Contains(han, w)
		}
		return words[w]
	}
	keys := text.Keywords(conclusion)
	if len(keys) == 0 {
		return 0
	}
	n := 0
	for _, k := range keys {
		there := !slices.ContainsFunc(text.Words(k), func(w string) bool { return !in(w) })
		if there || strings.Contains(han, text.Fold(k)) {
			n++
		} else if particular(conclusion, k) {
			return 0
		}
	}
	return float64(n) / float64(len(keys))
}

// Particulars returns the words of a text that no other word can stand for: names, as far as a capital shows
// them, and whatever has digits. They are folded.
func Particulars(s string) []string {
	var out []string
	for _, k := range text.Keywords(s) {
		if particular(s, k) {
			out = append(out, text.Fold(k))
		}
	}
	return out
}

// particular reports whether a keyword is a name or a number where it stands in s; the first word of a
// sentence always has a capital.
func particular(s, keyword string) bool {
	if strings.ContainsAny(keyword, "0123456789") {
		return true
	}
	i := strings.Index(s, keyword)
	r, _ := utf8.DecodeRuneInString(keyword)
	return i > 0 && 'A' <= r && r <= 'Z' && !strings.HasSuffix(strings.TrimRight(s[:i], " "), ".")
}

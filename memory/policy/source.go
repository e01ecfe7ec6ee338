package policy

import (
	"cmp"
	"slices"
	"strings"

	"memoria/memory/policy/lang"
	"memoria/memory/policy/wording"
)

// Source is the rules' assessment of a quotation from a user's message on which a model bases a
// conclusion.
type Source struct {
	// Offset and Length are the bytes of the quotation in the message; Length is 0 if it is not there.
	Offset, Length int
	// Words is the statement around the quotation, between stops, commas or conjunctions, as written. Said
	// is its part up to the end of the quotation, which includes a "not" before the quotation.
	Words, Said string
	// Reason says why the words must not be used; empty if they may.
	Reason string
	// Passing says that the only Reason is that the words state nothing lasting about the user: an order,
	// news about others, a momentary fact. They teach nothing, but may end or replace memories (P5c).
	Passing bool `json:",omitempty"`
	// Known says that the rules themselves read these words as a statement and proposed it. Read is their
	// result.
	Known bool
	Read  []string `json:",omitempty"`
	// Kept says that the rules keep these words as said, without a matching rule.
	Kept bool `json:",omitempty"`
	// Plain is the rules' result for these words if they propose nothing for a message like this one (a long
	// story); nil for none.
	Plain *Candidate
	// Telling says that the message as a whole surely tells something about its author.
	Telling bool `json:",omitempty"`
	// Negative says that Said denies something.
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

// Source finds a quotation in a user's typed text, ignoring case and blanks, and reports whether the words
// support a conclusion: whether they are a lasting statement of the user about himself. The guards are those
// of [Policy.Extract], which in addition must understand the statement. If the message as a whole surely
// tells something about its author, most guards do not apply, since they read clauses.
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
	if first.Reason == "" && !first.Known && size(lang.NewView(quote, maxSentence).Text) < minQuote {
		first.Reason = whyShort
	}
	return first
}

// Quotes reports whether a quotation occurs in a user's typed text, ignoring case and blanks.
func Quotes(typed, quote string) bool { return len(locate(typed, quote)) > 0 }

// Forbids reports whether the user asks anywhere in a message not to remember something. Such a message is
// not sent to an analysing model.
func (p *Policy) Forbids(typed string) bool {
	r := newReader(typed)
	for i := range r.sentences {
		s := r.trimmed(i)
		if s.Lo >= s.Hi {
			continue
		}
		if body := r.masked[s.Lo:s.Hi]; forbids(body) || findOrder(body).negated {
			return true
		}
	}
	return false
}

// hole is the remainder of pasted text in a user's typed text; see
// [memory.Record.Typed].
const hole = "    "

const (
	minQuote  = 2  // words, or twice as many Chinese characters less one
	maxPlaces = 16 // examined places of one quotation
)

// locate finds a quotation in the view of a text.
func locate(typed, quote string) (places [][2]int) {
	line := func(s string) string { return strings.ReplaceAll(s, "\n", " ") }
	in := line(lang.NewView(typed, lang.MaxRead).Text)
	want := strings.Trim(line(lang.NewView(quote, maxSentence).Text), " .,!?;:\"'。、…~")
	if want == "" {
		return nil
	}
	for from := 0; len(places) < maxPlaces; {
		i := strings.Index(in[from:], want)
		if i < 0 {
			break
		}
		i += from
		if lang.WholeWord(in, i, i+len(want)) {
			places = append(places, [2]int{i, i + len(want)})
		}
		from = i + 1
	}
	return places
}

// source assesses text[lo:hi] of the view.
func (r *reader) source(lo, hi int, proposed []Candidate) Source {
	a, b := r.v.Source(lo, hi)
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
		if s.Hi <= lo || hi <= s.Lo {
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
	out.Negative = wording.Negated(out.Said)
	switch folded := lang.NewView(out.Words, lang.MaxRead).Text; {
	case folded == "":
		out.Reason = WhyNoQuote
	case r.leaks(out.Words):
		out.Reason = whySecret
	case strings.Contains(r.v.Src[a:b], hole):
		out.Reason = whyQuoted // words on both sides do not form a sentence
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

// overruled reports whether a reason against a sentence with the quotation text[lo:hi] does not apply,
// because the message surely tells something about its author. A question must do so by itself, and ask for
// more than the quotation.
func (r *reader) overruled(why string, s lang.Sentence, lo, hi int) bool {
	switch why {
	case whyForbidden, whyQuoted, whySecret, whyMood, whySmallTalk, whyHypothesis, whyMoment:
		return false
	case whyReported:
		return r.surely() && firstPerson.Match(r.masked[s.Lo:s.Hi])
	case whyQuestion:
		body := r.masked[s.Lo:s.Hi]
		all := strings.TrimSpace(r.masked[max(lo, s.Lo):min(hi, s.Hi)]) == strings.TrimRight(strings.TrimSpace(body), "吗呢么吧? ")
		a, b := r.v.Source(s.Lo, s.Hi)
		return r.surely() && !all && firstPerson.Match(body) && gists().Probabilities(r.v.Src[a:b])[Telling] >= sureToKeep
	}
	return r.surely()
}

// surely reports whether the message surely tells something about its author.
func (r *reader) surely() bool { return r.gist.tells >= sureToKeep }

// passing reports whether a reason is empty, or one of [Source.Passing].
func passing(why string) bool {
	switch why {
	case "", whyOrder, whyNothing, whyMoment, WhyNotUser:
		return true
	}
	return false
}

// statement returns the clauses of a sentence that text[lo:hi] touches, complete and up to hi, and why one is
// unusable. It stops at a clause that is entirely unusable.
func (r *reader) statement(s lang.Sentence, lo, hi int) (words, said []string, why string) {
	stop := lang.ReportStart(r.masked[s.Lo:s.Hi])
	for _, c := range splitClauses(r.v, r.masked, s.Lo, s.Hi) {
		end := c.at + len(c.text) - c.pad
		if end <= lo || hi <= c.at {
			continue
		}
		reason := ""
		switch drafts := drafts(c); {
		case stop >= 0 && end > s.Lo+stop:
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
		if strings.Contains(c.text, lang.MaskByte) || !passing(reason) && !r.overruled(reason, s, lo, hi) {
			return nil, nil, cmp.Or(reason, whyQuoted)
		}
		why = cmp.Or(why, reason)
		words = append(words, r.v.Raw(c.at, end))
		upTo := min(hi, end)
		if m := takenBack.Find(r.masked[upTo:end]); m != nil {
			upTo += m[1]
		}
		said = append(said, r.v.Raw(c.at, upTo))
	}
	return words, said, why
}

// aboutUser reports whether the user has spoken about himself up to a place of the message: facts about the
// world are not remembered.
func (r *reader) aboutUser(hi int) bool {
	said := r.masked[:min(hi, len(r.masked))]
	if firstPerson.Match(said) {
		return true
	}
	for _, s := range r.sentences {
		if s.Lo >= hi {
			break
		}
		if body := r.masked[s.Lo:s.Hi]; bareVerb.Match(body) || barePredicate.Match(body) {
			return true
		}
	}
	return false
}

var (
	firstPerson = lang.Form("firstPerson")
	chatter     = lang.Form("chatter")   // conversational filler
	command     = lang.Form("command")   // a momentary order to the assistant
	momentary   = lang.Form("momentary") // limits a statement to the present …
	turning     = lang.Form("turning")   // … unless this makes it lasting
	takenBack   = lang.Form("takenBack") // denies the words before it
)

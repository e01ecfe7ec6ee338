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
	Passing bool
	// Known is set when the rules themselves read these words as a statement and proposed it.
	Known bool
	// Plain is what the rules read in these words, although they propose nothing of a message like this one (a
	// long story); nil when they read nothing.
	Plain *Candidate
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
// guards are those of [Policy.Extract], which is stricter: it must also understand what is stated.
func (p *Policy) Source(typed, quote string) Source {
	places := locate(typed, quote)
	if len(places) == 0 {
		return Source{Reason: WhyNoQuote}
	}
	r := newReader(typed)
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
	out := Source{Offset: a, Length: b - a}
	if r.forbidden {
		out.Reason = whyForbidden
		return out
	}
	over := func(c Candidate) bool { return c.Offset < b && a < c.Offset+c.Length }
	if out.Known = slices.ContainsFunc(proposed, over); out.Known {
		return out
	}
	var words, saying []string
	weak := "" // why they teach nothing
	for i, s := range r.sentences {
		if s.hi <= lo || hi <= s.lo {
			continue
		}
		if weak = cmp.Or(weak, r.refused[i]); !passing(weak) {
			out.Reason = weak
			return out
		}
		clauses, said, why := r.statement(s, lo, hi)
		if weak = cmp.Or(weak, why); !passing(why) {
			out.Reason = why
			return out
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
	case !r.aboutUser(hi):
		out.Reason, out.Passing = WhyNotUser, true
	}
	for _, f := range r.found {
		if c := f.Candidate; over(c) && c.Risk != RiskSecret {
			out.Plain = &c
		}
	}
	return out
}

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
			return nil, nil, whyReported
		case strings.Contains(c.text, maskByte):
			return nil, nil, whyQuoted
		case asks(c.text):
			return nil, nil, whyQuestion
		case hypothetical(c.text):
			return nil, nil, whyHypothesis
		case drafts != nil && len(drafts) == 0:
			reason = whyNothing
		case clauseEmotion(c.text) != "":
			return nil, nil, whyMood
		case chatter.Match(c.text):
			return nil, nil, whySmallTalk
		case !c.durable && command.Match(c.text):
			reason = whyOrder
		case momentary.Match(c.text) && !turning.Match(c.text):
			reason = whyMoment
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
		if body := r.masked[s.lo:s.hi]; verbEN.Match(body) || verbZH.Match(body) {
			return true
		}
	}
	return false
}

var (
	firstPerson = expr(`\b(?:i|i'm|im|i've|i'd|i'll|my|mine|me|myself|we|we're|we've|our|ours|us)\b|我|俺|咱|本人`)

	// chatter is what one says to keep a conversation going.
	chatter = expr(`^(?:(?:ok|okay|yes|yeah|no|well|so|oh|ah|great|cool|nice|perfect|fine|sure|alright|hi|hello|hey|thanks|thank you|good (?:morning|evening|night|afternoon))[\s,.!]*)+$` +
		`|^(?:(?:ok|okay|yes|yeah|no|well|so|oh|and|but|then|just|also|now|hey|hi|hello|sorry|wait|right|thanks)[\s,]+)*(?:i|i'm|i am|i've|i have|i'll|let me|let's|we)\s+(?:(?:just|still|also|really|only|now|quite|totally|fully|got|do|have|had|will|would|can|to)\s+)*(?:` +
		`(?:got |have )?(?:a|an|another|one|some|few|more|one more|the|this|quick|little|small|last)\s*(?:\w+\s+)?(?:questions?|requests?|problem for you|favou?r)\b` +
		`|(?:see|understand|agree|disagree|guess|hope|appreciate|apologi[sz]e|meant?|bet|suppose|wonder|get it|got it|hear you|know)\b` +
		`|think (?:so|not|you|that's|it's|this)\b|(?:want|need|like|wanted|love|trying|going|here) to (?:ask|know|talk|chat|discuss|understand|see|hear|say|thank|check|continue|go on|start|try (?:that|it|this))\b` +
		`|(?:ask|talk|discuss|think about (?:it|that)|try (?:it|that|this)|check|continue|go on|be back|be right back|come back|tell you|let you know|read (?:it|that)|take a look|have a look|look into)\b` +
		`|(?:curious|wondering|asking|sorry|kidding|joking|back|here|ready|done|fine|good|ok|okay|sure|not sure|afraid|all set|in a hurry|off|leaving|with you)\b)` +
		`|^(?:我)?(?:就|先|再|还|也|只是|现在|这就|马上)*(?:想问|想知道|想了解|想请教|想聊|想看看|有(?:个|一个|几个|些)?(?:小)?(?:问题|疑问|事想)|明白|知道了|懂了|懂|了解|同意|理解|看到|收到|试试|试一下|去试|看看|看一下|考虑|想想|回来|走了|先走|下线|好了|准备好|没事|没问题|谢谢|感谢|抱歉|对不起|开玩笑|猜|希望)` +
		`|^(?:好的?|嗯+|哦+|行|可以|对|没错|是的|不错|太好了|谢谢|多谢|你好|您好|早|早上好|晚安|再见|拜拜|哈+)[\s,。!~啊呀吧了]*$`)

	// command tells the assistant what to do now.
	command = expr(`^(?:(?:please|pls|ok|okay|now|and|then|so|just|also|kindly)[\s,]+)*(?:show|give|send|open|play|make|find|list|tell|help|fix|run|add|remove|delete|change|let|stop|explain|describe|compare|check|look|read|create|generate|draw|calculate|count|convert|repeat|continue|try|go|summari[sz]e|forget|recommend|suggest|pick|choose|teach|quiz|remind)\b` +
		`|^(?:请|麻烦|拜托|劳驾|帮我|帮忙|给我|替我|让我|告诉我|跟我|对我|为我|教我|陪我|推荐|列出|解释|继续|再来|换)`)

	// momentary binds a statement to the day it is said; turning makes it one that lasts.
	momentary = expr(`\b(?:today|tonight|this (?:morning|afternoon|evening)|right now|just now|at the moment|for now|yesterday|last night|a (?:minute|moment|second) ago)\b|今天|今晚|今早|昨天|昨晚|刚才|刚刚|这会儿|此刻|一会儿?`)
	turning   = expr(`\b(?:mov(?:ed|ing)|start(?:ed|ing)?|began|quit|married|engaged|divorced|born|join(?:ed)?|left|became|bought|adopted|hired|fired|promoted|retired|graduated|signed|diagnosed|switch(?:ed)?|died|passed)\b|搬|换|入职|离职|辞职|结婚|离婚|订婚|出生|毕业|买了|领养|升职|退休|确诊|签了|改用|去世|开始`)

	// takenBack denies what stands before it.
	takenBack = expr(`^\s*(?:no longer|not\b|never\b|no more|(?:了|是)?(?:不|没))`)

	negation = expr(`\b(?:not|never|no longer|cannot|neither|nor|without|no)\b|n't\b|\b(?:dont|cant|wont|isnt|doesnt|didnt)\b|不|没|别|勿|非`)
	notNot   = expr(`不错|不过|不仅|不但|不管|不论|差不多|不久|特别|分别|区别|级别|性别|别人|别的|非常|除非|没错|非洲`)
	averse   = expr(`\b(?:hat(?:es?|ed|ing)|dislik\w*|avoid\w*|allerg\w*|intoleran\w*|refus\w*|stopped|quit|gave up|detest\w*|against|unable|lacks?|free of|fears?|afraid)\b|讨厌|避免|忌|戒|过敏|拒绝|放弃|反感|停止|怕|缺`)
)

// Negated reports whether words deny something.
func Negated(s string) bool {
	return negation.Match(notNot.Replace(newView(s, maxRead).text, " "))
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

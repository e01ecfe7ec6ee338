package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// maskByte stands for every byte of text that is not the user speaking: code, and quotations in which
// somebody says "I". It is a control character that folding leaves alone and no rule names.
const maskByte = "\x01"

var (
	fences     = expr("(?s)(?:```|~~~).*?(?:```|~~~|$)")
	quoteLines = expr(`(?m)^\s*>.*$`)
	inlineCode = expr("`[^`\n]+`")
	quotations = expr(`"[^"\n]+"|「[^」\n]+」|『[^』\n]+』|《[^》\n]+》|«[^»\n]+»|(?:^|[\s:,(])'[^'\n]*(?:\w'\w[^'\n]*)*'(?:$|[\s.,!?:)])`)
	speaker    = expr(`\b(?:i|i'm|i've|i'd|my|me|we)\b|我|俺`)
	orderAhead = expr(`(?:remember|note|记住|记下|记一下|记着|别忘了|不要忘了|请记得)[^"「『]{0,12}$`)
)

// mask blanks out what is quoted. The result has the length of s.
func mask(s string) string {
	s = strings.ReplaceAll(s, maskByte, " ")
	b := []byte(s)
	blot := func(lo, hi int) {
		for i := lo; i < hi; i++ {
			b[i] = maskByte[0]
		}
	}
	for _, m := range fences.FindAll(s) {
		blot(m[0], m[1])
	}
	for _, m := range quoteLines.FindAll(s) {
		blot(m[0], m[1])
	}
	for _, m := range inlineCode.FindAll(s) {
		if in := s[m[0]:m[1]]; len(in) > 40 || speaker.Match(in) {
			blot(m[0], m[1])
		}
	}
	for _, m := range quotations.FindAll(s) {
		if speaker.Match(s[m[0]:m[1]]) && !orderAhead.Match(s[max(0, m[0]-48):m[0]]) {
			blot(m[0], m[1])
		}
	}
	return string(b)
}

// sentence is text[lo:hi] without its stop.
type sentence struct {
	lo, hi   int
	question bool // ends in a question mark
}

var abbreviation = expr(`(?:^|[\s(])(?:mr|mrs|ms|dr|st|prof|e\.g|i\.e|vs|approx|jr|sr|inc|a\.m|p\.m|no|[a-z])$`)

var bullet = expr(`^\s*(?:[-*•·]|\d{1,2}[.)、])\s+`)

// splitSentences cuts at stops and line ends. A dot ends a sentence only before a blank and not after an
// abbreviation or an initial.
func splitSentences(s string) []sentence {
	var out []sentence
	lo := 0
	cut := func(hi int, question bool) {
		if m := bullet.Find(s[lo:hi]); m != nil {
			lo += m[1]
		}
		if a, b := trimBlank(s, lo, hi); a < b {
			out = append(out, sentence{a, b, question})
		}
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !stopsAt(s, lo, i, r, size) {
			i += size
			continue
		}
		end := i
		question := false
		for i < len(s) {
			r, size = utf8.DecodeRuneInString(s[i:])
			if !strings.ContainsRune("\n.!?。~…", r) && r != ' ' || r == '.' && i > end && s[i-1] == ' ' {
				break
			}
			question = question || r == '?'
			i += size
		}
		cut(end, question)
		lo = i
	}
	cut(len(s), false)
	return out
}

func stopsAt(s string, lo, i int, r rune, size int) bool {
	switch r {
	case '\n', '!', '?', '。':
		return true
	case '.':
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		if i+size < len(s) && !unicode.IsSpace(next) && next != '.' && next != '"' && !text.Han(next) {
			return false
		}
		return !abbreviation.Match(s[max(lo, i-12):i])
	}
	return false
}

// clause is one statement to try rules on. text[pad:] stands in the view from byte at; what comes before pad
// is a subject that the speaker left out.
type clause struct {
	v    *view
	text string
	pad  int
	at   int

	elliptic   bool // has no subject; it is that of the clause before
	predicate  bool // of elliptic: says what the subject is, without a verb
	explicit   bool
	correction bool
	bare       bool // nothing but "correction:"
	alone      bool // the message is this sentence
	durable    bool // said to hold from now on
}

var (
	separator  = expr(`\s*[,;:—]+\s*|\s+-+\s+|\s+(?:and|but|so|plus)\s+|(?:但是|不过|而且|并且|可是|所以)`)
	joiners    = expr(`^(?:(?:and|but|so|also|then|plus|yet|though|however)\s+|[\s,]+)+`)
	starterEN  = expr(`^(?:i|i'm|im|i've|i'd|i'll|my|we|we're|we've|our|please|pls|remember|don't|do not|dont|never|always|call|you can call|keep|use|answer|reply|respond|speak|be|stop|actually|it's|it is|he|she|they|you|you're|your|if|thanks|thank|what|how|who|where|when|can|could|would|do|no|ok|okay|nice|for future|from now on|because|although|since|fyi|note|just)\b`)
	verbEN     = expr(`^(?:(?:also|now|really|currently|usually|just|still)\s+)*(?:live|work|ride|like|love|hate|prefer|study|speak|enjoy|am|have|own|drive|dislike|don't (?:like|eat|drink)|can't stand|never|always|detest|want to|plan to)\b`)
	verbZH     = expr(`^(?:也|还|平时|平常|现在|目前|最|更|很|非常|特别|超级?|从小|一直|就|都|又|其实|最近|毕业后|家)*(?:喜欢|热爱|爱[^好人]|讨厌|不喜欢|不爱|不太喜欢|受不了|不(?:能|可以|再)?[吃喝抽碰]|从不|总是|住|来自|是|在.+(?:工作|上班|读|念|上学)|从事|对.+过敏|养|会[说弹讲拉打]|\d{1,3}岁|吃素|用\s*[a-z]|毕业于|老家在?|出生[在于]|叫|有[一两二三四个只条]|今年|想|打算|计划|偏爱|偏好|单身|已婚|搬到)`)
	infinitive = expr(`\bto\s+\w+[^,]*$`)
)

// splitClauses cuts text[lo:hi] where a new statement begins: at a comma or a conjunction before a subject,
// an order or a bare verb; in Chinese at every comma.
func splitClauses(v *view, s string, lo, hi int) []clause {
	var out []clause
	start, elliptic, predicate := lo, false, false
	emit := func(end int) {
		a, b := trimBlank(s, start, end)
		if a < b {
			c := clause{v: v, text: s[a:b], at: a, elliptic: elliptic, predicate: predicate}
			c.strip()
			out = append(out, c)
		}
	}
	for _, m := range separator.FindAll(s[lo:hi]) {
		cutAt, next := lo+m[0], lo+m[1]
		if cutAt < start || next >= hi {
			continue
		}
		rest := s[next:hi]
		if j := joiners.Find(rest); j != nil {
			rest = rest[j[1]:]
		}
		comma := strings.ContainsAny(s[cutAt:next], ",;—")
		han := hanAround(s, cutAt, next)
		bare := verbEN.Match(rest) && !infinitive.Match(s[start:cutAt]) || han && comma && verbZH.Match(rest)
		switch {
		case belongs(s[start:cutAt], rest):
		case bare:
			emit(cutAt)
			start, elliptic, predicate = hi-len(rest), true, false
		case (predicate || iAm.Match(s[start:cutAt])) && goesOn(s[start:cutAt], rest):
			emit(cutAt)
			start, elliptic, predicate = hi-len(rest), true, true
		case starterEN.Match(rest), han && comma, han && text.Han(firstRune(s[cutAt:next])):
			emit(cutAt)
			start, elliptic, predicate = hi-len(rest), false, false
		}
	}
	emit(hi)
	return out
}

var (
	iAm          = expr(`^(?:(?:and|but|also|so)\s+)*(?:i'm|i am|im)\b`)
	predicateEnd = expr(`\s*[,;:.!—]|\s+(?:and|but|so|plus)\s`)
	agePredicate = expr(`^\d{1,3}(?: years? old)?$`)
)

var (
	predicateLead = expr(`^(?:(?:also|now|really|currently|just|still|already|almost|nearly|only|about|turning|happily|recently|newly|and|but|so)\s+)+`)
	predicatesOf  = expr(`^(?:(?:allergic to|intolerant (?:to|of)|afraid of|scared of) [^,;:]+|an? (?:\S+ ){0,2}(?:man|woman|guy|girl|boy|male|female|person))$`)
	acts          = expr(`\b(?:was|were|is|are|has|had|said|says|told|asked|called|came|thinks|will|would|can|mine|ours)\b`)
	placed        = expr(`^(?:an? (?:\S+ ){0,2}(?:parent|dad|mum|mom|father|mother)$|(?:(?:originally )?from|(?:based|born|raised|living) in) \S+(?: \S+){0,3}$)`)
)

// goesOn reports whether rest, behind a comma or "and", says what the speaker is as before does: nothing else may
// be said before, since behind "I'm with Tom" follows what Tom is. Behind a place or a company even a nurse or a
// German may be somebody there, and behind a father the age of a child.
func goesOn(before, rest string) bool {
	if !isPredicate(rest) {
		return false
	}
	if m := iAm.Find(before); m != nil {
		before = before[m[1]:]
	}
	before = strings.TrimSpace(before)
	if predicatesOf.Match(before) {
		return true
	}
	for first, more := true, true; more; first = false {
		said := before
		end := predicateEnd.Find(before)
		if more = end != nil; more {
			said, before = before[:end[0]], before[end[1]:]
		}
		said = strings.TrimSpace(predicateLead.Replace(strings.TrimSpace(said), ""))
		there := placed.Match(said)
		shared := !first && size(said) < 3 && occupied(said) // "a designer and developer"
		if !there && !shared && !isPredicate(said) {
			return false
		}
		if there = there || occupied(bareRole(said)) && beforeHead.Match(said); there && !isState(rest) {
			return false
		}
	}
	return true
}

// isState is isPredicate for what is said of oneself alone, not of those whom one has just named.
func isState(s string) bool {
	if strings.HasPrefix(s, "allergic to ") {
		return true
	}
	if end := predicateEnd.Find(s); end != nil {
		s = s[:end[0]]
	}
	s = strings.TrimSpace(s)
	return diets()[bareRole(s)] || conditions()[s] || statuses()[s] || workStatuses()[s]
}

func bareRole(s string) string {
	if role, ok := strings.CutPrefix(s, "a "); ok {
		return role
	}
	return strings.TrimPrefix(s, "an ")
}

// isPredicate reports whether s begins with something that can stand behind "I am" and is whole there: "I'm
// 34, married and allergic to nuts".
func isPredicate(s string) bool {
	if isState(s) {
		return true
	}
	if end := predicateEnd.Find(s); end != nil {
		s = s[:end[0]]
	}
	s = strings.TrimSpace(s)
	role := bareRole(s)
	return nationalities()[s] || agePredicate.Match(s) || role != s && occupied(role) && !acts.Match(role)
}

var (
	correcting = expr(`^(?:而?不是|不叫|而是|应该是|应该叫)`)
	pronounIs  = expr(`^(?:it's|it is)\b`)
	denies     = expr(`\b(?:not|isn't)\b|n't\b`)
	isZH       = expr(`^是[^我你他她这那不]`)
	deniesZH   = expr(`^不是[^我你他她这那]`)
	namesIt    = expr(`^(?:它|他|她)?的?(?:名字)?(?:叫[^我]|名叫)|^(?:his|her|its) name is\b`)
	hasKin     = expr(`养|有[了一两]|` + relativesZH + `|\b(?:have|got|adopted)\b`)
)

// belongs reports whether what follows a comma completes the statement before it: the wrong half of a
// correction, or the name of the cat that was just mentioned.
func belongs(before, rest string) bool {
	return correcting.Match(rest) || pronounIs.Match(rest) && denies.Match(before) ||
		isZH.Match(rest) && deniesZH.Match(before) ||
		namesIt.Match(rest) && hasKin.Match(before)
}

func hanAround(s string, lo, hi int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:lo])
	after, _ := utf8.DecodeRuneInString(s[hi:])
	return text.Han(before) || text.Han(after)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

var (
	fillers = expr(`^(?:(?:oh|well|so|ah|um+|uh|er|hmm+|hey(?: there)?|hi(?: there)?|hello(?: there)?|yo|also|and|but|plus|then|ok|okay|yes|yeah|yep|yup|sure|right|alright|great|cool|thanks|thank you|btw|by the way|fyi|just so you know|just fyi|for the record|for your information|to be honest|honestly|tbh|frankly|in general|generally|generally speaking|personally|you know|you should know(?: that)?|i should (?:mention|say|add|tell you)(?: that)?|i (?:must|have to|want to) (?:say|tell you|mention)(?: that)?|let me tell you(?: that)?|as i said|like i said|as you know|one more thing|another thing|quick note|first of all|good (?:morning|evening|afternoon)|nice to meet you|look|listen|see|anyway|in fact|of course|obviously|unfortunately|sadly|luckily|fortunately|fun fact|basically|apparently|these days|nowadays|lately|at the moment|currently|the thing is|thing is|it turns out(?: that)?|turns out|since we're at it|while we're at it|for context|some context|a bit about me|about me|update|news|good news|big news|guess what)\b[\s,:;.!-]*)+`)

	correctionWord = expr(`^(?:(?:(?:no|nope|wait|no wait|sorry|oops|correction|scratch that|my mistake|my bad|i was wrong|i misspoke|let me correct (?:that|myself)|不对|不是|不不*|错了|我?说错了|我?搞错了|我?记错了|我?打错了|更正(?:一下)?|纠正(?:一下)?|抱歉|不好意思|对不起|准确地?说|准确来说)(?:\s*[,:;.!—-]+\s*|$))|(?:(?:actually|sorry|i meant to say|i mean)\b|其实)[\s,:]*|(?:更正(?:一下)?|纠正(?:一下)?)[:,\s]*)`)

	fillersZH = expr(`^(?:(?:嗯+|哦+|噢|啊|呃|额|那个|好的?|好吧|行|你好呀?|您好|嗨|哈[喽啰]|大家好|早上好|晚上好|早|但是|但|不过|而且|并且|还有|另外|所以|因为|同时|然后|可是|只是|对了|顺便说一下|顺便说一句|顺便提一下|顺便|话说|说实话|老实说|坦白说|说真的|总之|总的来说|一般来说|说起来|我跟你说|我告诉你|告诉你|跟你说|你知道吗|你要知道|要知道|事实上|不瞒你说|自我介绍一下|介绍一下|我想告诉你|我想说|我要说明一下|提醒一下|提醒你一下|供参考|以后参考|毕竟|反正|谢谢|最近|现在|目前|平时|平常)(?:[\s,:;.!、~]+))+|^(?:但是|但|不过|而且|并且|还有|另外|所以|因为|同时|然后|可是|只是|对了|说实话|老实说|其中|毕竟|反正|事实上)`)

	opinionZH = expr(`^我(?:个人|自己)?(?:觉得|感觉|认为|发现|承认|跟你说|和你说|告诉你|要说|想说|得说)[\s,:]*(?:我)`)

	durableWord = expr(`\b(?:from now on|always|in (?:the )?future|going forward|never|from here on|every time|whenever)\b|以后|今后|从现在开始|从今以后|从今往后|从现在起|永远|每次|一律|一直|都要`)
	durableLead = expr(`^(?:from now on|in (?:the )?future|going forward|from here on|以后|今后|从现在开始|从今以后|从今往后|从现在起|从今天起|从今天开始)[\s,:]*`)
)

// strip removes what introduces a statement, and notes what it says about it.
func (c *clause) strip() {
	c.durable = durableWord.Match(c.text)
	if n := len(c.text) - len(strings.TrimLeft(c.text, `"'「『`)); n < len(c.text) {
		c.text, c.at = c.text[n:], c.at+n
	}
	for {
		n := 0
		if m := opinionZH.Find(c.text); m != nil {
			c.text, c.at = c.text[m[1]-len("我"):], c.at+m[1]-len("我")
		}
		if m := correctionWord.Find(c.text); m != nil {
			n = m[1]
			c.correction = true
		} else if m := fillers.Find(c.text); m != nil {
			n = m[1]
		} else if m := fillersZH.Find(c.text); m != nil {
			n = m[1]
		} else if m := durableLead.Find(c.text); m != nil {
			n = m[1]
		}
		c.bare = c.correction && n >= len(c.text)
		if n == 0 || n >= len(c.text) {
			return
		}
		c.text, c.at = c.text[n:], c.at+n
	}
}

var (
	subjectEN = expr(`^(?:i|i'm|im|i've)\b`)
	// othersZH begins clauses that speak of somebody else, so that what follows does too.
	othersZH = expr(`^我(?:们|家)?的?(?:` + relativesZH + `|养|有)`)
	// meetsZH is in clauses that bring in somebody of whom what follows may be said.
	meetsZH = expr(`认识|遇[到见]|碰[到见]|[看见]到|看见|见过|正?在[看读写]|写的|读到|听说|[听说]的|是说|是[给帮替]|[给帮替跟和与陪](?:我|你|他|她|朋友|老|小|同|家|妈|爸)|找(?:人|室友|对象|朋友|一?[个位])|^我一[个位]|^我[^是]*的[^的]{1,4}$|招了?[人个一]|面试了|采访|(?:叫|让|喜欢|爱上?|讨厌|想起|想念|梦[到见])[他她]|一个人$|[和跟与][^,]{1,4}$`)
	aboutMe = expr(`^我(?:[^的们家]|的(?:名字|全名|真名|职业|工作|生日|老家|家乡)|们?家?住)`)
)

// lead is what stands before a clause without a subject when the one before had it.
func (c *clause) lead(subject string) string {
	if c.predicate && subject == "i " {
		return "i'm "
	}
	return subject
}

// subject returns the subject that a following clause without one shares.
func (c *clause) subject() string {
	switch {
	case aboutMe.Match(c.text) && !othersZH.Match(c.text) && !meetsZH.Match(c.text), strings.HasPrefix(c.text, "本人"):
		return "我"
	case subjectEN.Match(c.text):
		return "i "
	}
	return ""
}

// bytes returns where the clause stands in the original.
func (c *clause) bytes() (lo, hi int) {
	return c.v.source(c.at, c.at+len(c.text)-c.pad)
}

// raw returns the original words of text[lo:hi].
func (c *clause) raw(lo, hi int) string {
	lo, hi = max(lo, c.pad), max(hi, c.pad)
	return c.v.raw(c.at+lo-c.pad, c.at+hi-c.pad)
}

func trimBlank(s string, lo, hi int) (int, int) {
	const blank = " \t\n\r"
	for lo < hi && strings.IndexByte(blank, s[lo]) >= 0 {
		lo++
	}
	for hi > lo && strings.IndexByte(blank, s[hi-1]) >= 0 {
		hi--
	}
	return lo, hi
}

func hasHan(s string) bool { return strings.IndexFunc(s, text.Han) >= 0 }

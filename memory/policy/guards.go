package policy

import (
	"memoria/memory/pattern"
	"strings"
)

// orderKind says how a sentence asks for something to be remembered.
type orderKind int

const (
	orderNone orderKind = iota
	orderWith           // the statement follows or precedes in the same sentence
	orderBare           // the order alone; it speaks of the sentence before, or after a colon of the next
)

// order is an explicit request to remember, found in a sentence; sentence[lo:hi] is what to remember.
type order struct {
	kind    orderKind
	lo, hi  int
	forward bool // bare, and what follows is meant
	negated bool // "don't remember that I …"
	polite  bool // a question in form only: "could you remember that …?"
	toDo    bool // "remember to …"
}

const (
	politeEN = `(?:(?:please|pls|kindly|also|just|always|hey|ok|okay|so|and|but|oh|now|yes|no|memoria|assistant|for me|i want you to|i'd like you to|i would like you to|i need you to|you should|you must|you have to|make sure (?:to|you)|be sure to|try to|let's|and please)[\s,:]+)*`
	politeZH = `(?:(?:请你?|麻烦你?|帮我|帮忙|你要|你得|你必须|你应该|一定要|务必|要|千万|希望你|我希望你|我要你|我想让你|我想请你|拜托你?|你|能不能|可以|能|那|好的?|对了|还有|另外|顺便)[\s,:]*)*`

	orderVerbEN = `(?:remember|don'?t (?:you )?(?:ever )?forget|do not forget|never forget|keep (?:it )?in mind|bear in mind|(?:make|take) (?:a )?(?:mental )?note(?: of)?|note(?: to self)?(?: down)?|write (?:it )?down|jot down|memori[sz]e|save (?:to|in|into) (?:your )?memory|(?:store|save|put|add|commit) (?:(?:it|this|that|the following) )?(?:to|in|into) (?:your )?(?:long[- ]term )?memory|for (?:your |my )?(?:future reference|the record)|for (?:later|next time)|fyi|important|note that|please note)`
	orderVerbZH = `(?:记住|记得|记一下|记下来?|记着|牢记|谨记|别忘记|别忘了?|不要忘记|不要忘了?|勿忘|注意|备忘|备注|帮我记|给我记|记录一下|记录下来?|存一下|保存一下|存到记忆里?|加入记忆)`
)

var (
	orderEN = expr(`^` + politeEN + orderVerbEN + `\b(?:\s+(?:this|the following|these|as well|also|please|always|forever|down)\b)*(?P<colon>\s*[:,—-]+\s*)?(?:\s*that\b(?:\s*[:,])?)?\s*(?P<rest>.*)$`)
	orderZH = expr(`^` + politeZH + orderVerbZH + `(?:一下|下来|哦|啊|了|哈|这一?点|以下(?:内容|信息)?|这件事|这个|这些)*(?P<colon>\s*[:,]\s*)?\s*(?P<rest>.*)$`)

	politeQuestion = expr(`^(?:(?:hey|ok|okay|so|and|please|hi)[\s,]+)*(?:can|could|will|would) you (?:please |kindly |also |always |just |try to )*(?P<rest>.*)$`)
	politeTailEN   = expr(`[\s,]+(?:ok|okay|alright|all right|got it|understood|will you|would you|please|can you|could you|yeah|for me)$`)
	politeTailZH   = expr(`[\s,]*(?:好吗|好不好|可以吗|行吗|行不行|可以不|知道吗|知道了吗|明白吗|懂吗|记住了吗|ok吗|okay吗|好嘛|吗|么)$`)

	tailOrderEN = expr(`(?:(?:\s*[,;—-]+\s*(?:and |so |but )?|\s+(?:and|so) )(?:please |pls )?(?:remember (?:that|this|it)|(?:do not|don'?t|never) (?:you )?(?:ever )?forget(?: (?:that|this|it))?|keep (?:that|this|it) in mind|(?:make a |take )?note (?:of )?(?:that|this|it)(?: down)?|write (?:that|this|it) down|for (?:future reference|the record)|just for the record|please remember|remember)(?: please| for me| ok| okay)?)$`)
	tailOrderZH = expr(`(?:[\s,;]+` + politeZH + `(?:记住|记得|记一下|记下来?|记着|别忘记|别忘了?|不要忘记|不要忘了?|备忘)(?:这一?点|这个|这件事|它|哦|啊|了|哈|一下|喔|噢|吧|呀|好吗)*)$`)

	negatedEN  = expr(`\b(?:don'?t|do not|never|no need to|needn'?t|not have to|don'?t have to|don'?t need to|not need to|stop|please not|should not|shouldn'?t|must not|avoid|without|refrain from|quit)\s+(?:please |ever |you )?(?:to )?(?:remember(?:ing)?|memori[sz](?:e|ing)|sav(?:e|ing)|stor(?:e|ing)|record(?:ing)?|keep(?:ing)?|not(?:e|ing)|writ(?:e|ing)|learn(?:ing)?|log(?:ging)?|add(?:ing)?)\b`)
	negatedAll = expr(`^(?:[\s,]*(?:any of )?(?:this|that|it|these|any of (?:this|that|it)|what i (?:just )?(?:said|told you|say|wrote)|anything(?: (?:i|about|from).*)?|everything|this conversation|my message|down|to memory|in memory|a record.*|track.*|notes?.*|please|for now|in mind|on file|or save.*|or store.*)(?:\s+(?:down|please|in (?:your )?memory|to (?:your )?memory|for later|ok|okay|anywhere|at all|conversation|message|one|in mind|part|either|now))*)*$`)
	offRecord  = expr(`\b(?:off the record|keep (?:this|it|that) between us|forget (?:it|this|that|about (?:it|this|that)|what i (?:just )?(?:said|told you)|everything i|all (?:of )?this)|ignore (?:that|this|what i (?:just )?said)|never mind what i said|disregard (?:that|this|what i))\b|当我没说|忘了(?:它|这件事|刚才|我刚|这个|吧|这些)|忘掉|忘记(?:它|这件事|刚才|我刚|这个|这些)|(?:不要|别)往心里去|(?:不用|不要|别|不必|无需|无须|不需要|没必要|请勿|勿)(?:帮我)?(?:记住|记下|记录|记得|记|保存|存储|存|写入记忆|放进记忆)(?:$|[了啊哦吧来着\s,。]*$|这|它|刚才|我说的|下来|以下|任何)`)
	negatedZH  = expr(`(?:不用|不要|别|不必|无需|无须|不需要|没必要|请勿|勿)(?:帮我|再)?(?:记住|记下|记录|记得|记着|记|保存|存储|存)`)
	forgetEN   = expr(`^` + politeEN + `forget\b`)
	forgetZH   = expr(`^` + politeZH + `(?:忘了|忘掉|忘记)`)
	reminisce  = expr(`^(?:what|who|whom|whose|where|when|why|how|which|if|whether|last|me\b[\s?!.]*$|back in|those|the (?:time|days?|good old|alamo|moment|last|first)|our|being|seeing|hearing|reading|going|having|doing|we (?:talked|discussed|said)|you (?:said|told|promised)|talking|as a|from|anything|something|nothing|him|her|us)\b`)
	memorable  = expr(`^(?:time|day|night|one time|summer|winter|guy|trip|movie|song|moment)\b`)
	reminisceZ = expr(`^(?:上次|去年|以前|小时候|当时|那时|那天|那次|那年|曾经|我们(?:上次|之前|聊)|你(?:上次|说过|答应)|吗|不|有一次|刚才|昨天|前天|吃药|早点|按时|休息|吃饭|睡觉|多喝|保重)|^吗$`)
)

// forbids reports whether the sentence asks to remember nothing of the message. An order not to remember one
// named thing is only a negated order.
func forbids(s string) bool {
	if offRecord.Match(s) && !strings.Contains(s, "don't forget") && !strings.Contains(s, "别忘") && !strings.Contains(s, "不要忘") && !strings.Contains(s, "do not forget") && !strings.Contains(s, "never forget") {
		return true
	}
	if strings.HasPrefix(s, "i ") || strings.HasPrefix(s, "i'") {
		return false
	}
	m := negatedEN.Find(s)
	return m != nil && strings.Contains(memoryVerb(s[m[0]:m[1]]), "remember") && negatedAll.Match(s[m[1]:])
}

// memoryVerb maps the verbs of an order to "remember"; those with other everyday uses only where the order
// is the whole sentence, which negatedAll sees to.
func memoryVerb(s string) string {
	for _, v := range []string{"remember", "memor", "sav", "stor", "record", "not", "writ", "log", "keep", "learn", "add"} {
		if strings.Contains(s, " "+v) {
			return "remember"
		}
	}
	return ""
}

// findOrder looks for an explicit request in a sentence.
func findOrder(s string) order {
	o := order{hi: len(s)}
	if negatedEN.Match(s) && !strings.Contains(s, "forget") && rememberWord.Match(s) ||
		negatedZH.Match(s) || forgetEN.Match(s) || forgetZH.Match(s) {
		o.negated = true
		return o
	}
	if m := politeQuestion.Groups(s); m != nil && politeRest.Match(s[strings.Index(s, " you ")+len(" you "):]) {
		o.polite, o.lo = true, m[2]
	}
	if hasOrder(s) {
		for _, re := range []pattern.Pattern{politeTailEN, politeTailZH} {
			if m := re.Find(s[o.lo:o.hi]); m != nil && m[0] > 0 {
				o.hi = o.lo + m[0]
			}
		}
	}
	body := s[o.lo:o.hi]
	for _, re := range []pattern.Pattern{tailOrderEN, tailOrderZH} {
		if m := re.Find(body); m != nil && m[0] > 0 {
			o.kind, o.hi = orderWith, o.lo+m[0]
			return o
		}
	}
	if m := orderEN.Groups(body); m != nil {
		return o.with(body, m, orderEN, reminisce)
	}
	if m := orderZH.Groups(body); m != nil {
		return o.with(body, m, orderZH, reminisceZ)
	}
	return o
}

var (
	rememberWord = expr(`remember|memor|sav(?:e|ing)|stor(?:e|ing)`)
	politeRest   = expr(`^(?:(?:please|kindly|also|just|try to) )*(?:` + orderVerbEN + `\b|call me\b|address me\b|refer to me\b|stop \w+ing\b|(?:answer|reply|respond|speak|talk|write)\b.*\b(?:from now on|always|in future)|keep (?:your|the) (?:answers|replies|responses)|never\b|always\b|not (?:call|mention|use)|be (?:more|less)\b|use\b.*\b(?:from now on|always)|(?:give|make).*(?:answers|replies|responses))`)
	hasOrderRE   = expr(orderVerbEN + `|` + orderVerbZH)
)

func hasOrder(s string) bool { return hasOrderRE.Match(s) }

// with completes an order whose verb was found; what follows decides what it is.
func (o order) with(body string, m []int, re, past pattern.Pattern) order {
	rest := re.Group("rest")
	colon := re.Group("colon")
	lo, hi := m[2*rest], m[2*rest+1]
	inner := body[lo:hi]
	said := strings.HasSuffix(strings.TrimRight(body[:lo], " :,"), " that")
	switch {
	case emptyNote(inner):
		o.kind = orderBare
		o.forward = m[2*colon] >= 0 && strings.Contains(body[m[2*colon]:m[2*colon+1]], ":") || strings.HasSuffix(strings.TrimSpace(inner), ":")
		return o
	case said && memorable.Match(inner), !said && past.Match(inner), strings.HasPrefix(body, "note") && !strings.Contains(body[:lo], "that") && m[2*colon] < 0 && !strings.HasPrefix(body, "note to self"):
		return order{hi: o.hi, lo: o.lo}
	}
	o.kind = orderWith
	o.toDo = strings.HasPrefix(inner, "to ")
	o.hi = o.lo + hi
	o.lo += lo
	return o
}

var (
	questionEN = expr(`^(?:(?:so|and|but|ok|okay|hey|well|hi|hello|oh|also|then|please|um|now|wait|actually|by the way|btw|seriously|just curious|quick question|question)[\s,:]+)*(?:(?:what|what's|whats|who|who's|whom|whose|where|where's|when|when's|why|how|how's|which)\b|(?:do|does|did|don't|doesn't|didn't|am|are|aren't|is|isn't|was|wasn't|were|have|haven't|has|hasn't|had|can|can't|could|couldn't|would|wouldn't|will|won't|should|shouldn't|may|might|shall)\s+(?:i|you|we|he|she|they|it|my|your|our|the|this|that|there|anyone|someone|people|a|an)\b|(?:tell|remind|show|ask|quiz|help|give|explain|describe)\s+(?:me|us)\b|(?:guess|any idea|wondering|curious|do you|did you|can you|could you|would you|will you|have you|are you|let me know|i wonder|i(?:'m| am) (?:just )?(?:wondering|curious|not sure|unsure)|i was wondering|i(?:'d| would) (?:like|love) to know|i(?:'ve| have) been wondering|i want to know|i need to know|i forgot|i forget|i(?:'ve| have) forgotten|i (?:really )?(?:don't|do not|can't|cannot) (?:know|remember|recall|tell|decide|say|think)|i'm trying to remember|not sure|no idea|list|find|search|look up|recall|say|repeat|check|summari[sz]e|see if|is it true|whether|if)\b)`)

	questionZH = expr(`(?:什么|啥|谁|哪|多少|几[点个岁号月次年种位只]|怎么|怎样|如何|为何|为什么|是否|是不是|有没有|会不会|能不能|可不可以|要不要|对不对|好不好|喜不喜欢|喜欢不喜欢|爱不爱|吃不吃|在不在|知不知道|记不记得|还记得|想知道|不知道|不确定|不清楚|不记得|忘了我|忘记了|好奇|猜猜|猜一猜|告诉我|说说我|提醒我我|你知道我|你觉得我|你认为我|你记得|问一下|请问|想问|查一下|找一下|列出|总结一下)|(?:吗|么)$`)
	statesZH   = expr(`(?:什么|啥|谁|哪里|哪儿|多少|怎么|几点)(?:都|也)|没什么|怎么说|不怎么|什么的|不管|无论|谁知道|好几|十几|几乎`)
)

// asks reports whether a sentence is a question in spite of having no question mark.
func asks(s string) bool {
	s = strings.TrimSpace(s)
	if questionEN.Match(s) {
		return true
	}
	if !hasHan(s) {
		return false
	}
	return questionZH.Match(s) && questionZH.Match(statesZH.Replace(s, ""))
}

var (
	hypothesisEN = expr(`^(?:(?:and|but|so|even|well|ok|okay|hmm|oh|also|then)[\s,]+)*(?:if|suppose|supposing|imagine|assume|assuming|let's (?:say|assume|pretend|imagine)|say i|what if|unless|pretend|in case|had i|were i|should i|i wish|i'd|i would|i could|i might|i may|maybe|perhaps|when i was|as a (?:child|kid)|if only|provided|hypothetically|in theory|for example|for instance|e\.g|it's not (?:that|like) i|not that i|as if|as though|it would|it seems|it looks|i used to|once upon)\b`)
	hypothesisZH = expr(`如果|假如|要是|假设|倘若|万一|假使|若是|的话|即使|即便|就算|哪怕|除非|也许|可能|说不定|或许|大概|好像|似乎|仿佛|本来|原本|本以为|以为|曾经|以前|小时候|差点|^比如|^例如|^譬如|^假装|^想象|^只要|^当我|^每当`)
	wishName     = expr(`^(?:i'd|i would) (?:really |also |much )*(?:like|love|prefer|rather|appreciate|be happy|be glad)(?: it)?(?: if| for| to| that| you|\b)`)
)

// hypothetical reports whether a sentence speaks of what is not, or not any more. A polite wish is none.
func hypothetical(s string) bool {
	if m := hypothesisZH.Find(s); m != nil {
		return !strings.Contains(s, "可能不") // "不可能", "可能不" are still statements about what may be
	}
	if wishName.Match(s) {
		return false
	}
	return hypothesisEN.Match(s)
}

var (
	// textWork brings text to work on, in this sentence or in those that follow.
	textWork = expr(`\b(?:translat(?:e|ion)|proofread|paraphrase|rephrase|rewrite|reword|summari[sz]e|correct (?:this|the|my)|fix (?:the|my) (?:grammar|spelling|text|sentence)|polish (?:this|my|the)|improve (?:this|the|my) (?:text|sentence|essay|email|paragraph|draft|writing)|edit (?:this|the following)|lyrics|the song|continue (?:this|the story)|complete (?:this|the following)|the following (?:text|sentence|paragraph|email|story|dialogue)|(?:this|the) (?:sentence|phrase|quote|text|paragraph|dialogue|example|email|tweet|review)\b|role-?play|pretend|act as|you are an?\b|in the voice of|for the character|my character|dear (?:sir|madam|mr|ms|hiring)|grammatically|how do (?:you|i) say|what does .* mean|example sentence|sample (?:text|dialogue)|unit test|classify|sentiment)|翻译|润色|改写|校对|概括|缩写|扩写|续写|造句|改错|语法|歌词|这首歌|歌里|台词|剧本|角色|扮演|假装|这句话|这段(?:话|文字)|下面(?:的|这)|以下(?:文字|句子|内容|对话)|用英语怎么说|用英文怎么说|怎么翻|是什么意思|例句|例如|分析一下|小说里|故事里|电影里`)
	// composing asks for a text to be written; only this sentence is part of it, unless it ends in a colon.
	composing = expr(`^(?:(?:please|pls|can you|could you|would you|help me|now|ok|okay|hey|let's|i want you to|i need you to|i'd like you to)[\s,]+)*(?:write|compose|draft)\b|^(?:请|麻烦|帮我|给我|帮忙|能不能|可以|可不可以|你|来|再|我想让你|我要你)*(?:写|作一?首|编一?个)|帮我写|以.{1,12}为(?:题|主题)`)
)

var (
	reportEN  = expr(`(?:^|[\s,])(?:he|she|they|it|people|someone|somebody|everyone|everybody|nobody|who|you|one|{rel}|friends?|colleagues?|teachers?|doctor|boss|the \w+|a \w+|my (?:\w+ )?\w+|[a-z]+)\s+(?:(?:always|often|once|just|also|then|never|usually|has|have|had)\s+)*(?:said|says|told (?:me|us|him|her|them)|tells (?:me|us)|asked|asks|wrote|writes|replied|replies|answered|claimed|claims|thinks|thought|believes|believed|insists|insisted|sang|sings|shouted|whispered|texted|goes|was like|is like|were like|quoted|quotes|assumed|assumes|posted|tweeted|mentioned|joked|keeps saying|kept saying|keep saying|used to say)\b`)
	ownReport = expr(`^(?:\s*|.*[\s,])(?:i|as i|like i|i've|i just|i already|i have)\s+(?:(?:always|often|once|just|also|already|have|had)\s+)*(?:said|told (?:you|u)|mentioned|wrote)\b`)
	accordEN  = expr(`\b(?:according to|quote|in the words of|as the saying goes|the song goes|like they say|as they say)\b`)
	reportZH  = expr(`(?:说|讲|问|告诉|写道|觉得|认为|以为|表示|唱|喊|问道|提到|建议|听说|据说|传言|常说|声称|吐槽|抱怨)`)
	ownZH     = expr(`^(?:我(?:也|就|还|刚才?|之前|已经|早就|一直|再|来|要|想|得|跟你|和你|对你|真|个人)*(?:说|讲|告诉|觉得|认为|提到|表示)|.*(?:老实|坦白|说实|一般来|总的来|顺便|说真|不得不|来|再|我想|话|照|据我)$)`)
	notReport = expr(`说\s*(?:` + languagesZH + `)|(?:会|能|可以|爱|喜欢|在|学|用|会讲|不会)(?:说|讲|唱)|小说|听说课|说话|听说读写|说唱|唱歌|唱片|讲究|演讲|说明|说法|说不|问题|说谎|讲座|讲课|讲道理|讲大道理|学问|访问|顾问|疑问|请问|讲笑话|来说|而言|讲故事|讲解|说教|说实话|老实说|坦白说|说真的|再说|讲价|问候|说错|大声喊`)
)

// reportStart returns where in a sentence somebody else begins to speak, or -1.
func reportStart(s string) int {
	first := -1
	for _, m := range reportEN.FindAll(s) {
		if !ownReport.Match(s[:m[1]]) {
			first = m[0]
			break
		}
	}
	if m := accordEN.Find(s); m != nil && (first < 0 || m[0] < first) {
		first = m[0]
	}
	if !hasHan(s) {
		return first
	}
	clean := notReport.ReplaceFunc(s, func(w string) string { return strings.Repeat(" ", len(w)) })
	for _, m := range reportZH.FindAll(clean) {
		if !ownZH.Match(s[:m[1]]) && (first < 0 || m[0] < first) {
			return m[0]
		}
	}
	return first
}

package policy

import (
	"memoria/memory/pattern"
	"strings"
	"sync"
)

// maxFeeling bounds what Emotion reads, in bytes: who writes more tells a story, and the answer is wanted
// within some milliseconds.
const maxFeeling = 4 << 10

// Emotion says by rule how the user says that he feels at the moment (W3): "happy", "sad", "tired", "angry",
// "anxious" or "grateful", of several the last, or "" when he says nothing of it. It reads Chinese and
// English, and of both only the first person present. Questions, hypotheses, negations, reports, quotations,
// text to work on, politeness ("happy to help", 很高兴认识你) and habits ("when I'm sad") say nothing.
//
// At most 4 KiB of text are read, not counting repeated blanks.
func Emotion(text string) string {
	masked := sickAndTired.Replace(mask(newView(text, maxFeeling).text), "tired of")
	last := ""
	for _, s := range splitSentences(masked) {
		body := masked[s.lo:min(s.hi, s.lo+maxSentence)]
		if textWork.Match(body) || composing.Match(body) && strings.HasSuffix(body, ":") {
			return last // what follows is material
		}
		if composing.Match(body) || hypothetical(body) || tailReport.Match(body) {
			continue
		}
		if found := sentenceEmotion(body, s.question); found != "" {
			last = found
		}
	}
	return last
}

// sentenceEmotion reads the clauses before somebody else speaks. A question mark concerns the last clause
// ("I'm so tired, what helps?"), or all of them when that is only a tag ("I'm tired, right?").
func sentenceEmotion(body string, question bool) string {
	if stop := reportStart(body); stop >= 0 {
		body, question = body[:stop], false
	}
	clauses := emotionSeparator.Split(body)
	if tagQuestion.Match(strings.TrimSpace(clauses[len(clauses)-1])) {
		return ""
	}
	if question {
		clauses = clauses[:len(clauses)-1]
	}
	found := ""
	for _, c := range clauses {
		c = strings.TrimSpace(c)
		if c == "" || len(c) > maxClause || strings.Contains(c, maskByte) || asks(c) {
			continue
		}
		if e := clauseEmotion(c); e != "" {
			found = e
		}
	}
	return found
}

func clauseEmotion(c string) string {
	for _, f := range feelings() {
		if m := f.re.Groups(c); m != nil {
			if i := f.re.Group("rest"); i < 0 || m[2*i] < 0 || !f.except.Match(c[m[2*i]:m[2*i+1]]) {
				return f.name
			}
		}
	}
	return ""
}

var (
	emotionSeparator = expr(`\s*[,;:—、]+\s*|\s+-+\s+|\s+(?:and|but)\s+|但是|不过|而且|并且|可是|所以`)
	sickAndTired     = expr(`\bsick and tired of\b`) // one word, whatever "and" does elsewhere
	tagQuestion      = expr(`^(?:right|no|huh|eh|am i|aren't i|ain't i|isn't it|is that right|是吧|对吧|是吗|对吗|不是吗|是不是|对不对)\??$`)
	tailReport       = expr(`[,;:]\s*(?:\w+ ){0,3}(?:said|says|told me|wrote|writes|asked|sang|replied)$|[,;:][^,;:]{1,12}说(?:道|的)?$`)
)

// feeling is one way to say how one feels. The expression must match a whole clause, and what its group
// "rest" holds must not match except.
type feeling struct {
	name   string
	re     pattern.Pattern
	except pattern.Pattern
}

const (
	emotionLeadEN = `(?:(?:oh|ah|ugh|argh|wow|yay|man|god|omg|well|so|and|but|ok|okay|hey|hi|hello|yes|yeah|no|honestly|lately|today|tonight|now|right now|again|also|then|still|sadly|unfortunately|because|since|actually|to be honest|at the moment|these days|this morning|currently|sorry|sigh|haha|i think|i guess|i must say|i have to say|i have to admit|good morning)[\s,]+)*`
	emotionDegEN  = `(?:(?:so|very|really|just|pretty|quite|too|super|extremely|incredibly|absolutely|completely|totally|utterly|an? (?:little )?bit|a little|kind of|kinda|sort of|still|also|feeling|getting|rather|fairly|truly|honestly|terribly|beyond|already|again|now|today|actually|genuinely|deeply|damn|more and more|increasingly) )*`
	emotionSelfEN = `(?:(?:i'?m|i am|i feel|i'?ve been|i have been|i still feel|i really feel|i just feel) |(?:(?:this|that|it|you|which|all this) (?:(?:really|just|always) )?(?:makes|is making|are making|make) me (?:feel )?))`
	restEN        = `(?P<rest>(?:[\s.~)].*)?)`

	emotionLeadZH = `(?:(?:唉+|哎呀?|啊+|哇+|呜+|嗯+|哈+|天哪|今天|今晚|今早|最近|现在|此刻|这几天|这两天|这周|其实|真的|真是|但|因为|说实话|老实说|感觉|觉得|又|还是|一直|心里|终于|(?:上|加|值|熬)(?:了)?(?:夜|班)|工作|学习|上课|开会|考试|搬家|跑步|干活|忙|了?一整?天|到现在|得)\s*)*`
	emotionSelfZH = `(?:(?:.*(?:让|使|令|搞得|弄得|害得))?(?:我们?|俺|本人)\s*)`
	emotionDegZH  = `(?:(?:真的|真是|真|很|好|太|非常|超级|超|特别|十分|挺|蛮|有点儿?|有些|比较|相当|越来越|都|又|还是|一直|就是|快要?|要|快被|感到|觉得|感觉|心里|心情|今天|今晚|最近|现在|此刻|这几天|这两天|这周|其实|实在|简直|现在|巨|贼|怪)\s*)`
	emotionEndZH  = `(?:死我?了?|坏我?了?|极了|爆了?|透了?|疯了?|瘫了?|炸了?|哭了|得(?:不行|要命|要死|很|慌|不得了|睡不着|想哭|动不了|跳起来)|到(?:不行|爆|想哭|睡不着))?(?:了|啊|呀|啦|哦|喔|呢|呐|哈|的|诶|哎|呜|~|!|\s)*`
)

var feelings = sync.OnceValue(func() []feeling {
	habit := `when|whenever|if|unless|every|or not|as long|as soon`
	en := func(name, words, except string) []feeling {
		not := expr(`^\s*(?:` + habit + `|` + except + `)\b`)
		return []feeling{
			{name, expr(`^` + emotionLeadEN + emotionSelfEN + emotionDegEN + `(?:` + words + `)` + restEN + `$`), not},
			{name, expr(`^` + emotionLeadEN + `(?:so|really|too|super|absolutely|feeling) ` + emotionDegEN + `(?:` + words + `)(?: (?:today|now|right now|tonight|again|lately|already|at the moment))?$`), not},
		}
	}
	// zh takes words that need a subject or a degree before them, or an ending that tells as much.
	zh := func(name, words string) feeling {
		return feeling{name, expr(`^` + emotionLeadZH + `(?:` + emotionSelfZH + emotionDegZH + `*(?:` + words + `)|` + emotionDegZH + `+(?:` + words + `)|(?:` + words + `)(?:死我?|坏我?|瘫|炸|透|疯|极))` + emotionEndZH + `$`), expr(`^\x01`)}
	}
	plain := func(name, s string) feeling { return feeling{name, expr(`^` + s + `$`), expr(`^\x01`)} }

	var out []feeling
	out = append(out,
		feeling{"grateful", expr(`^` + emotionLeadEN + `(?:thank you|thanks|thx) (?:so much|very much|a lot|a million|a ton|a bunch|from the bottom of my heart)` + restEN + `$`), expr(`^ (?:but no|in advance|for nothing)\b`)},
		plain("grateful", emotionLeadEN+`(?:i (?:really |truly |so |deeply |very much )*appreciate (?:it|this|that|your|you|the|all|everything)\b.*|i can'?t thank you enough.*|(?:you|that|this)(?:'ve| have|'s| has)?(?: just| really| totally)? saved my (?:day|life|bacon|weekend).*|(?:you|that|this)(?:'ve| have)?(?: been|'re| are| is| was) (?:a lifesaver|a life saver|such a (?:great |big |huge )?help).*)`),
		plain("grateful", emotionLeadZH+`(?:我(?:真的|真|很|非常|太|特别|十分|由衷|衷心)*)?(?:(?:太|非常|十分|特别|真的?|真心|衷心|由衷|万分|很)(?:的|地)?(?:感谢|感激|谢谢|感恩)(?:(?:你|您|了|啊|啦|呀|大家).*)?|(?:谢谢|感谢|多谢)(?:你|您)(?:们)?(?:的|这么|一直|总是|今天|昨天)*(?:帮|救|陪|耐心|支持|鼓励|安慰|照顾|听我|关心).*|(?:你|您)?(?:真的|真是|真|可)*帮了?我?(?:个|一个)?大忙了?.*|(?:真的?|可)?多亏了?(?:你|您).*|(?:感激不尽|万分感激))`),
	)
	out = append(out, en("grateful", `grateful|thankful`, `\x01`)...)
	out = append(out, en("angry", `angry|furious|pissed|pissed off|annoyed|irritated|frustrated|livid|fed up|enraged|mad|tired of`, `about (?:jazz|you)|for|scientist`)...)
	out = append(out, en("happy", `happy|glad`, `(?:with|to|for|in|hour|medium|birthday|enough)(?: (?:help|meet|wait|do|use|try|take|provide|share|assist|answer|go|pay|change|let|the|this|that|my|either|any|a|an|tabs|it))?`)...)
	out = append(out, en("happy", `(?:happy|glad) to (?:hear|see|be|have|say|report|announce|know)|happy for \w+`, `\x01`)...)
	out = append(out, en("happy", `thrilled|delighted|overjoyed|excited|over the moon|ecstatic|on cloud nine`, `\x01`)...)
	out = append(out, en("sad", `sad|unhappy|depressed|heartbroken|devastated|miserable|upset|lonely|gutted|disappointed|like crying|in tears|crying`, `songs?|movies?|films?`)...)
	out = append(out, en("tired", `tired|exhausted|worn out|burned out|burnt out|drained|sleepy|knackered|wiped out|dead tired|fatigued|weary`, `of`)...)
	out = append(out, en("anxious", `anxious|worried|nervous|stressed|panicking|freaking out|overwhelmed|scared|terrified|worrying|on edge`, `to|of`)...)
	out = append(out,
		plain("happy", emotionLeadEN+`i(?: feel|'?m feeling| am feeling) `+emotionDegEN+`(?:great|amazing|wonderful|fantastic|awesome|good)(?: (?:today|now|right now|tonight|about .*))?`),
		plain("sad", emotionLeadEN+`i (?:can'?t|cannot|could not|couldn't) stop crying.*`),
		plain("anxious", emotionLeadEN+`i (?:really |just )*worry (?:so much |a lot )?about .*`),
		zh("sad", `难过|伤心|不开心|不高兴|难受|沮丧|失落|郁闷|想哭|心碎|孤独|失望|绝望|悲伤|低落|委屈`),
		zh("happy", `开心|高兴|快乐|幸福|激动|兴奋|爽|欣慰`),
		zh("tired", `累|困|疲惫|疲倦|筋疲力尽|精疲力尽|疲劳|心累`),
		zh("angry", `生气|愤怒|恼火|气愤|火大|烦躁|烦|不爽|气`),
		zh("anxious", `焦虑|紧张|担心|害怕|不安|担忧|慌|发愁|忐忑|压力大|压力好大|崩溃`),
		plain("anxious", emotionLeadZH+`(?:我|`+emotionDegZH+`)`+emotionDegZH+`*(?:担心|担忧|为.{1,16}(?:发愁|担心|焦虑|紧张)|压力(?:很|好|太|特别|非常|有点)大).*`),
		plain("happy", emotionLeadZH+`我?`+emotionDegZH+`*心情(?:很|真|特别|非常|超级?|挺|好)*(?:好|不错|愉快|棒)(?:了|啊|呀|啦)*`),
		plain("sad", emotionLeadZH+`我?`+emotionDegZH+`*心情(?:很|真|特别|非常|超级?|挺|好|有点)*(?:差|糟|糟糕|不好|低落|不太好)(?:透了|极了|了|啊|呀)*`),
	)
	return out
})

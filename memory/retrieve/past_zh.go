package retrieve

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"memoria/index/text"
)

// repliesChinese matches words about the model's statements to the user or work for
// them.
var repliesChinese = text.LazyRegexp(
	`(^|[^跟和对给向诉与同])你[^,。?!;我]{0,8}?(给我|跟我|和我|帮我|让我|叫我|替我|告诉我|向我|教我|提醒我|建议我|推荐我|劝我)?[^,。?!;]{0,6}?` +
		`(说|讲|提|提到|推荐|建议|告诉|教|起|写|列|发|给|选|介绍|提醒|举|算|画|安排|计划|规划|解释|分析|答应|保证|回答|设计|翻译|总结|出|定|做|聊|觉得|认为)` +
		`(我|给我|到)?(过|的[^话]|了[^吗?]|来着)`)

// advisedChinese matches advice of the model, which is always past.
var advisedChinese = text.LazyRegexp(`你(当时|之前|上次|原来|以前|那时)?(建议|推荐|让|叫|劝|提醒|教|告诉)我`)

// namedChinese matches certain kinds of personal names: 小林, 王姐.
var namedChinese = sync.OnceValue(func() *regexp.Regexp {
	surnames, titles := wordClasses()["surname_zh"], wordClasses()["title_zh"]
	surname, title := "("+strings.Join(surnames, "|")+")", "("+strings.Join(titles, "|")+")"
	return regexp.MustCompile("[小老阿大]" + surname + "|" + surname + title)
})

// deictic matches references to something mentioned.
var deictic = text.LazyRegexp(`那[一二两三四五六七八九十几]?(个|台|家|条|句|本|次|位|条|款|间|套|部|首|场|张|辆|份|种|件|篇|门|趟|笔|支|顿|封)|她|他|它们`)

// toldLast matches a statement that something was told.
var toldLast = text.LazyRegexp(`(告诉过你|告诉你了|跟你说过|和你说过|跟你讲过|跟你提过|说过|提过)[的了吧。!]*$`)

// introduces matches words that lead to a statement: 忘了跟你说.
var introduces = text.LazyRegexp(`^忘了?(跟你|和你|告诉|说|讲|提)`)

// asksPastChinese classifies a sentence with Chinese characters.
func asksPastChinese(sentence string) about {
	run := strings.Join(strings.Fields(text.Fold(sentence)), "")
	clauses := strings.FieldsFunc(run, func(r rune) bool { return strings.ContainsRune(",，:：;；、—", r) })
	asks, finds, makes := questionChinese(run), false, false
	for _, c := range clauses {
		c = withoutLead(c)
		if beginsWithAny(c, "finding_zh") && !strings.HasPrefix(c, "算了") {
			finds = true
		} else if beginsWithAny(c, "making_zh") {
			makes = true
		}
	}
	user := holdsAny(run, "first_zh")
	forgot := strings.HasPrefix(run, "忘了") && !introduces().MatchString(run)
	told := !asks && (len(clauses) > 1 && user && toldLast().MatchString(run) || forgot)
	if !asks && !finds && !told {
		return aboutNothing
	}
	replies := saidByModel(run)
	switch {
	case makes && !replies:
		return aboutNothing
	case replies && (asks || finds):
		return aboutReplies
	case finds && user && (tellsPastChinese(run) || deictic().MatchString(run)):
		return aboutUser
	case !asks && !told:
		return aboutNothing
	case holdsAny(run, "recall_zh") && (user || strings.Contains(run, "你")):
		return aboutUser
	}
	return tensedChinese(sentence, run, clauses)
}

// tensedChinese classifies a question by its tense and the people it names.
func tensedChinese(sentence, run string, clauses []string) about {
	last := clauses[len(clauses)-1]
	part := strings.Join(clauses[firstAsking(clauses):], ",")
	forms, advice := pastForms()
	if advice.in(run) || holdsAny(last, "advice_zh") || holdsAny(run, "failure_zh") || computes(strings.TrimRight(run, "?。")) {
		return aboutNothing
	}
	switch {
	case holdsAny(part, "first_zh") && (tellsPastChinese(part) || forms.in(part) && !holdsAny(part, "manner_zh")):
		return aboutUser
	case tellsPastChinese(run), holdsAny(run, "first_zh"), holdsAny(run, "kin_zh"),
		namedChinese().MatchString(run), deictic().MatchString(run), hasName(sentence):
		return aboutOthers
	}
	return aboutNothing
}

// saidByModel reports whether a folded sentence refers to the model's words.
func saidByModel(run string) bool {
	return strings.Contains(run, "你") && (repliesChinese().MatchString(run) || advisedChinese().MatchString(run))
}

// tellsPastChinese reports whether folded clauses refer to the past.
func tellsPastChinese(run string) bool {
	return holdsAny(run, "past_zh") || strings.HasSuffix(strings.TrimRight(run, "?。!吗呢"), "的")
}

// firstAsking returns the index of the first interrogative clause, or 0.
func firstAsking(clauses []string) int {
	for i, c := range clauses {
		if holdsAny(c, "asking_zh") || strings.Contains(c, "?") {
			return i
		}
	}
	return 0
}

// questionChinese reports whether a folded sentence is a question. With the mark of a
// statement or exclamation, only a particle makes it one: 谁 and 几 also mean anybody
// and some.
func questionChinese(run string) bool {
	if end := strings.TrimRight(run, "。!"); end != run {
		return strings.HasSuffix(end, "来着") || strings.HasSuffix(end, "吗") || strings.HasSuffix(end, "呢")
	}
	return strings.Contains(run, "?") || holdsAny(run, "asking_zh") || asksSomething(run)
}

// holdsAny reports whether a folded sentence contains a word of a class; one that ends
// in $ must end it.
func holdsAny(run, class string) bool {
	for _, w := range wordClasses()[class] {
		w, last := strings.CutSuffix(w, "$")
		if last && strings.HasSuffix(strings.TrimRight(run, "?。!~"), w) || !last && strings.Contains(run, w) {
			return true
		}
	}
	return false
}

func beginsWithAny(clause, class string) bool {
	for _, w := range wordClasses()[class] {
		if strings.HasPrefix(clause, w) {
			return true
		}
	}
	return false
}

// withoutLead removes leading polite words from a clause.
func withoutLead(clause string) string {
	for {
		was := utf8.RuneCountInString(clause)
		for _, w := range wordClasses()["lead_zh"] {
			if rest, ok := strings.CutPrefix(clause, w); ok && rest != "" {
				clause = rest
				break
			}
		}
		if utf8.RuneCountInString(clause) == was {
			return clause
		}
	}
}

package instruct

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/policy/lang"
)

// Corrections that people make in the very next message: "oops i mean joan", "no blue", 刚才说错了，是一米七四.

// saysBack is what leads to a right value that follows alone; after "no" alone it must be of the old one's kind.
var (
	saysBack = regexp.MustCompile(`^(?:(?:oh|er|um|ah|oops|whoops|wait|no|nope|nah|sorry|hang on|actually|lol|haha)[\s,.!]+)*` +
		`(?:i mean(?:t(?: to say)?)?|make (?:that|it)|correction|it should be|should be|my mistake|my bad|scratch that)[\s,:.!]+` +
		`|^(?:oops|whoops|sorry)[\s,.!]+(?:no[\s,.!]+)?|^[啊哦噢呃额唉哎诶嗯呀,\s]*` +
		`(?:刚才|刚刚)?(?:我)?(?:说|打|写|记|搞|弄)错了?[\s,.!]*(?:应该)?是?` +
		`|^[啊哦噢呃额唉哎诶嗯呀,\s]*(?:不对|不是)[\s,.!]*(?:应该)?是`)
	saysNoTo = regexp.MustCompile(`^(?:(?:oh|er|um|ah|actually)[\s,.!]+)*(?:no|nope|nah|wait)[\s,.!]+(?:(?:wait|no|sorry)[\s,.!]+)*`)
)

// saysNo reports whether a folded message may only put right what was just said.
func saysNo(folded string) bool { return saysBack.MatchString(folded) || saysNoTo.MatchString(folded) }

// explicit reads a right value that follows words of correcting alone, in place of the only value of the items of the message
// before.
func (r contrastReader) explicit(last []memory.Item) (Contrast, bool) {
	lead, loose := saysBack.FindStringIndex(r.v.Text), false
	if lead == nil || lead[1] == len(r.v.Text) {
		lead, loose = saysNoTo.FindStringIndex(r.v.Text), true
	}
	if lead == nil || len(last) != 1 {
		return Contrast{}, false
	}
	s := r.trimmed(span{lead[1], len(r.v.Text)})
	if s.lo >= s.hi {
		return Contrast{}, false
	}
	value, it := r.text(s), last[0]
	words := len(strings.Fields(value))
	if strings.ContainsAny(value, ",;:!.") || words > 3 || han(value) && utf8.RuneCountInString(value) > 8 {
		return Contrast{}, false
	}
	right := r.v.Raw(s.lo, s.hi)
	for _, kind := range sameKinds() {
		now, was := kind.FindStringIndex(value), kind.FindAllString(text.Fold(unlabelled(it.Content)), -1)
		if now == nil || now[0] > 0 || len(was) != 1 || !holdsAll(it, value[now[1]:]) {
			continue
		}
		if lo, hi, ok := lang.FoldedIndex(it.Content, was[0]); ok {
			return Contrast{Item: it, Old: it.Content[lo:hi], New: right[:now[1]]}, true
		}
	}
	st, _ := policy.StatementOf(it.Value)
	if loose || st.Value == "" || !Holds(it, st.Value) || hasFigure(value) != hasFigure(st.Value) ||
		!hasFigure(value) && han(value) != han(st.Value) ||
		size(value) > size(st.Value)+1 || !hasFigure(value) && size(st.Value) > 2 || text.IsStop(value) || notValues.MatchString(value) {
		return Contrast{}, false
	}
	return Contrast{Item: it, Old: st.Value, New: right}, true
}

// notValues are words behind "oops" and "i mean" that are no values.
var notValues = regexp.MustCompile(`^(?:it|that|this|well|really|seriously|honestly|thanks?|thank you|wrong|kidding|joking|nothing|nvm|` +
	`never mind|yes|yeah|no|ok|okay|not|` +
	`i|you|he|she|they|we|my|your|what|who|why|how|when|where|if|but|and|so|because|forget|ignore|don'?t|about|for|to|too)\b` +
	`|^(?:我|你|他|她|这|那|没|不|吗|怎么|什么)`)

// sameKinds are values that can take each other's place wherever they stand: a colour, a day, a number, with what it counts.
func sameKinds() []*regexp.Regexp { return kindsRightAfter }

var kindsRightAfter = []*regexp.Regexp{
	regexp.MustCompile(`\b(?:(?:dark|light|bright|pale) )?(?:red|blue|green|yellow|black|white|gr[ea]y|` +
		`silver|orange|purple|pink|brown|beige|teal|turquoise)\b`),
	regexp.MustCompile(`\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b`),
	regexp.MustCompile(`\b(?:\d+(?:[.:]\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b`),
}

// holdsAll reports whether an item has all words of a text.
func holdsAll(it memory.Item, words string) bool {
	has := holds(it, "")
	return !slices.ContainsFunc(text.Keywords(words), func(w string) bool { return !has(w) })
}

// hasFigure reports whether words have a number, in figures or in Chinese.
func hasFigure(words string) bool {
	return strings.ContainsFunc(words, func(r rune) bool {
		return unicode.IsDigit(r) || strings.ContainsRune("一二两三四五六七八九十百", r)
	})
}

// onlyDate returns an empty match before a date that follows words of correcting alone: "make that thursday".
func (r contrastReader) onlyDate() []int {
	lead := saysBack.FindStringIndex(r.v.Text)
	if lead == nil || lead[1] == len(r.v.Text) {
		lead = saysNoTo.FindStringIndex(r.v.Text)
	}
	if lead == nil || lead[1] == len(r.v.Text) {
		return nil
	}
	s := r.trimmed(span{lead[1], len(r.v.Text)})
	if s.lo >= s.hi {
		return nil
	}
	if d, ok := datePhrase(r.text(s), r.said); !ok || d.lo > 0 || d.time < s.hi-s.lo {
		return nil
	}
	return []int{s.lo, s.lo}
}

// owner reads to whom something belongs: 在深圳开货车的是我哥，不是我. The item says it without anybody.
func (r contrastReader) owner(items []memory.Item) (Contrast, bool) {
	m := ownerIs.FindStringSubmatchIndex(r.v.Text)
	if m == nil {
		return Contrast{}, false
	}
	said, who := r.v.Text[m[2]:m[3]], r.v.Raw(m[4], m[5])
	for _, it := range items {
		if strings.Trim(text.Fold(it.Content), " 。.") == said {
			return Contrast{Item: it, Old: strings.Trim(it.Content, " 。."), New: who + strings.Trim(it.Content, " 。.")}, true
		}
	}
	return Contrast{}, false
}

var ownerIs = regexp.MustCompile(`^(?:(?:不对|不是|纠正一下|更正一下|说错了|你记错了|搞错了)[\s,.!]*)*` +
	`(\p{Han}{3,16})的是我?(\p{Han}{1,3})[\s,]*不是我[了啊哈哦!.]*$`)

// isSubject reports whether what stands before 不在 or 不叫 is only whom it is about: 刘芳 in 刘芳不在盒马了.
func isSubject(before, not string) bool {
	before = strings.TrimSpace(before)
	if before != "" && notVerb.MatchString(strings.TrimSpace(not)) {
		return true
	}
	return before != "" && han(before) && notAt.MatchString(not) && !strings.ContainsAny(before, "在叫姓属是住,;")
}

// notVerb is a verb that is denied of the subject before it: "my cousin isn't allergic to".
var notVerb = regexp.MustCompile(`^(?:isn'?t|wasn'?t|don'?t|doesn'?t|do not|does not)\b|` +
	`\b(?:is|he'?s|she'?s|they'?re|i'?m) not\b|\b(?:allergic|intolerant|living|working)\b`)

var notAt = regexp.MustCompile(`不(?:在|叫|姓|属)$`)

// newWorkplace reads where somebody works instead: 老婆不在红旗超市了，去盒马上班了. The rest of the item, what is done there, may not
// be so any more.
func (r contrastReader) newWorkplace(n int, it memory.Item, old string) (Contrast, bool) {
	if n+1 >= len(r.clauses) || !han(old) {
		return Contrast{}, false
	}
	next := r.clauses[n+1]
	m := worksAt.FindStringSubmatchIndex(r.text(next))
	at := strings.Index(it.Content, old)
	if m == nil || at < 0 || !strings.HasSuffix(it.Content[:at], "在") {
		return Contrast{}, false
	}
	rest := strings.TrimRight(it.Content[at:], "。. ")
	return Contrast{Item: it, Old: rest, New: r.v.Raw(next.lo+m[2], next.lo+m[3])}, true
}

var worksAt = regexp.MustCompile(`^(?:现在|又|刚|已经)*(?:去|到|来|转到|换到|跳到|调到|在)(\p{Han}{2,10}?(?:上班|工作|做事|干活))了?$`)

// Spoils reports whether a content is no sentence any more, or says the same twice, once a value stands in place of another.
func Spoils(content, old, value string) bool {
	if value == "" || HoldsBeside(memory.Item{Content: unlabelled(content)}, old, value) {
		return true
	}
	lo, hi, ok := lang.FoldedIndex(content, old)
	if !ok {
		return false
	}
	before := content[:lo]
	if verb, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(before)); strings.ContainsRune("在住叫姓是", verb) &&
		beginsAnew.MatchString(value) && !beginsAnew.MatchString(old) {
		return true
	}
	return strings.Trim(before+value+content[hi:], " .。,，") == ""
}

// beginsAnew begins a clause, and no value: 去盒马上班 behind 在.
var beginsAnew = regexp.MustCompile(`^(?:去|到|来|转到|换到|搬到|调到|现在|又|不|没|把)`)

// SaysLess reports whether a content is only a part of another one, so that it cannot replace that: 女儿 for 女儿想考四川大学.
func SaysLess(content, of string) bool {
	content, of = strings.Trim(text.Fold(content), " .。"), strings.Trim(text.Fold(of), " .。")
	return han(content) && content != of && strings.Contains(of, content) &&
		utf8.RuneCountInString(content)*5 < utf8.RuneCountInString(of)*3
}

// Swapped returns a preference of one thing over another the other way round, as the user would say it; empty for anything else.
func Swapped(content, wrong, right string) string {
	m := prefersOver.FindStringSubmatch(text.Fold(content))
	if m == nil || m[1] != text.Fold(wrong) || m[2] != text.Fold(right) {
		return ""
	}
	return "I prefer " + m[2] + " over " + m[1] + "."
}

var prefersOver = regexp.MustCompile(`^prefers (.+) over (.+?)\.?$`)

// Denied returns the statement about the user that a message takes back: "i hate dev" for "that's not true, i don't hate dev". ok
// is false for a denial that only states something.
func Denied(message string, spans []memory.Span) (statement string, ok bool) {
	said, ok := typedAlone(message, spans)
	if !ok || len(said) > maxContrast || strings.ContainsAny(said, "?？") {
		return "", false
	}
	m := denies.FindStringSubmatch(bare(said))
	if m == nil || m[1] == "" && m[6] == "" && !strings.Contains(m[3]+m[4], "no longer") {
		return "", false
	}
	if m[3] != "" {
		return "i am " + m[5], true
	}
	return m[2] + " " + m[5], true
}

var denies = regexp.MustCompile(`^((?:(?:no|nope|wait|actually|sorry|oh|hang on|scratch that|` +
	`thats not (?:true|right)|thats wrong|not true)[\s,.!]+)*)` +
	`(i|we)(?:(m not|m no longer| am not| am no longer)| (dont|do not|no longer|never)) ` +
	`((?:an? )?[^,.;:!]{2,40}?)( any ?more)?(?:[,.;:!].*)?$`)

package retrieve

import (
	"strings"

	"memoria/index/text"
)

// likesEnglish matches a verb of liking.
const likesEnglish = `(prefer|like|love|enjoy|hate|dislike|favou?r)`

// Statements of and questions about a preference.
var (
	voicesEnglish = text.LazyRegexp(`\b(i (really |also |always |do |much |still |usually |would )*` + likesEnglish +
		`|i('d| would) rather|i (don't|do not|dont) (really )?(like|enjoy|want)|i can'?t stand|my favou?rite)\b`)
	voicesChinese = text.LazyRegexp(`我(很|真的|最|更|比较|也|还|特别|非常|一直|都|就|不太|不|超|挺|又)*(喜欢|偏好|偏爱|讨厌|倾向|习惯用|爱([^人情妻]|$))`)
	wouldLike     = text.LazyRegexp(`\bi would (like|love)\b`)
)

// voicesPreference reports whether a message states or asks its author's preference. A
// request ("I would like a list") does not.
func voicesPreference(message string) bool {
	folded := strings.Join(strings.Fields(text.Fold(message)), " ")
	return voicesChinese().MatchString(folded) || voicesEnglish().MatchString(wouldLike().ReplaceAllString(folded, ""))
}

// Questions about a preference.
var (
	asksEnglish = text.LazyRegexp(
		`\b(what|which|who|where|how)\b[^.!?]*\b(do|did|would|should) i\b[^.!?]*\b` + likesEnglish + `\b` +
			`|\b(what|which|who)('s| is| are| was| were)\b[^.!?]*\bmy favou?rite` +
			`|\bdo i (still |really |even )*(prefer|like|love|enjoy|hate|dislike)\b`)
	asksChinese = text.LazyRegexp(
		`我[^，。！？,.!?]{0,6}(喜欢|偏好|偏爱|讨厌|爱)[^，。！？,.!?]{0,6}(什么|哪|啥|谁|吗|么|多少)` +
			`|我[^，。！？,.!?]{0,4}(喜不喜欢|爱不爱)` +
			`|我的?(最爱|喜好|偏好|爱好)[^，。！？,.!?]{0,4}(是什么|有哪些|有什么|是哪)`)
)

// asksPreference reports whether a message asks its author's preference:
// 我喜欢什么编程语言, "which tea do I like", but not "I like this, what about you?".
func asksPreference(message string) bool {
	folded := strings.Join(strings.Fields(text.Fold(message)), " ")
	return asksChinese().MatchString(folded) || asksEnglish().MatchString(folded)
}

package policy

import (
	"strings"
)

// chineseRules returns the rules for Chinese clauses, the more special before the more general. Expressions
// see simplified characters; what is written down keeps the user's own.
func chineseRules() []rule {
	var rs []rule

	rs = append(rs, relationRulesZH()...)
	rs = append(rs, identityRulesZH()...)
	rs = append(rs, workRulesZH()...)
	rs = append(rs, slotRulesZH()...)
	rs = append(rs, healthRulesZH()...)
	rs = append(rs, factRulesZH()...)
	rs = append(rs, goalRulesZH()...)
	rs = append(rs, preferenceRulesZH()...)
	rs = append(rs, habitRulesZH()...)
	rs = append(rs, correctionRulesZH()...)
	return rs
}

// self is how a Chinese speaker names himself.
const selfZH = `(?:我自己|我这个人|我个人|我本人|我们家|我家|我们|我|本人|俺)`

// predicate is the user's own words from byte lo of the clause on, without closing particles: Chinese verbs
// do not change with the person, so what is said of oneself can be kept as it is.
func (m match) predicate(lo int) string {
	p := m.c.part(lo, len(m.c.text)).trim()
	return own(p.raw)
}

// own turns what speaks of the speaker into what speaks of him.
func own(raw string) string {
	return strings.NewReplacer("我自己", "自己", "我的", "自己的", "我们", "自己", "我", "自己").Replace(raw)
}

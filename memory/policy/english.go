package policy

// englishRules returns the rules for English clauses, the more special before the more general.
func englishRules() []rule {
	var rs []rule
	rs = append(rs, workRulesEN()...)
	rs = append(rs, slotRulesEN()...)
	rs = append(rs, healthRulesEN()...)
	rs = append(rs, factRulesEN()...)
	rs = append(rs, relationRulesEN()...)
	rs = append(rs, preferenceRulesEN()...)
	rs = append(rs, habitRulesEN()...)
	rs = append(rs, goalRulesEN()...)
	rs = append(rs, correctionRulesEN()...)
	return rs
}

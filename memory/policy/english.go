package policy

// englishRules returns the rules for English clauses, the more special before the more general.
func englishRules() []rule {
	var rs []rule
	rs = append(rs, habitRulesEN()...)
	rs = append(rs, goalRulesEN()...)
	rs = append(rs, correctionRulesEN()...)
	return rs
}

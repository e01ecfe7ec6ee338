package policy

import (
	"cmp"
	"strings"

	"memoria/memory"
	"memoria/memory/policy/sensitive"
)

// Verdict is the result for a candidate.
type Verdict string

// The verdicts of [Policy.Admit].
const (
	Active  Verdict = "active"  // written, recallable at once
	Held    Verdict = "held"    // written to the inbox, pending
	Dropped Verdict = "dropped" // not written
)

// Admission is a verdict on a candidate with its reason.
type Admission struct {
	Verdict Verdict
	// Candidate is the candidate to write: redacted if required, with lowered confidence for high risk.
	Candidate Candidate
	Reason    string
}

// piiConfidence is the maximum confidence of personal data that the user did not ask to keep (P5): below the
// 0.9 of a plain statement, above the 0.5 of an item without a score.
const piiConfidence = 0.6

// Admit applies P5, P5a and P10: secrets are dropped, sensitive content follows pii_policy, and content with
// trust below [memory.TrustModel] is held in the inbox. It examines the words again, so a candidate of a
// model or another program is treated like one of the rules. An identity value (P5b) is stored at once unless
// pii_policy is redact or drop.
func (p *Policy) Admit(c Candidate, trust memory.Trust) Admission {
	risk, class := riskOf(c)
	c.Risk = max(c.Risk, risk)
	if c.Risk == RiskPII && class == "" && (p.cfg.PIIPolicy == PIIAsk || p.cfg.PIIPolicy == PIIKeep) {
		c.Risk = RiskNone // an identity value
	}
	class = cmp.Or(class, "personal data")
	switch {
	case c.Risk == RiskSecret:
		return Admission{Dropped, withoutWords(c), "secrets are never remembered"}
	case c.Risk == RiskPII && p.cfg.PIIPolicy == PIIDrop:
		return Admission{Dropped, withoutWords(c), class + ": not kept (pii_policy drop)"}
	}
	// Only the user's own words can approve for the user.
	consent := c.Explicit && trust >= memory.TrustUser
	hold := ""
	if c.Risk == RiskPII && !consent {
		c.Confidence = min(c.Confidence, piiConfidence)
		if p.cfg.PIIPolicy == PIIAsk {
			hold = class + ": waits for your approval"
		}
	}
	if c.Risk == RiskPII && p.cfg.PIIPolicy == PIIRedact {
		c = redacted(c)
	}
	if c.Doubt != "" && !c.Explicit && hold == "" {
		hold = doubts[c.Doubt]
	}
	switch {
	case trust < memory.TrustModel:
		return Admission{Held, c, "comes from " + trust.String() + " text"}
	case hold != "":
		return Admission{Held, c, hold}
	case c.Risk == RiskPII:
		return Admission{Active, c, class + ": allowed"}
	}
	return Admission{Active, c, "nothing speaks against it"}
}

// riskOf examines all texts of a candidate. class is the first sensitive class that needs approval; an
// identity value may contain some that do not (P5b).
func riskOf(c Candidate) (risk Risk, class string) {
	for _, s := range candidateTexts(c) {
		if len(sensitive.Secrets(s)) > 0 {
			return RiskSecret, ""
		}
		if s == c.Key {
			s = withoutHashes(s)
		}
		for _, sp := range sensitive.PII(s) {
			risk = RiskPII
			if class == "" && !sensitive.Identity(c.Key, sp.Kind) {
				class = sp.Kind
			}
		}
	}
	return risk, class
}

// withoutHashes removes the hashes at the end of a key: their digits are not a number of the user's.
func withoutHashes(key string) string {
	for {
		i := strings.LastIndexAny(key, "-/")
		if i < 0 || len(key)-i < len("-3d399255") || strings.Trim(key[i+1:], "0123456789abcdef") != "" {
			return key
		}
		key = key[:i]
	}
}

func candidateTexts(c Candidate) []string {
	return append([]string{c.Content, c.Title, c.Key, string(c.Value)}, c.Tags...)
}

// withoutWords returns the parts of a candidate that may be logged and shown.
func withoutWords(c Candidate) Candidate {
	return Candidate{
		Type: c.Type, Source: c.Source, Explicit: c.Explicit, Offset: c.Offset, Length: c.Length,
		Rule: c.Rule, Reason: c.Reason, Risk: c.Risk,
	}
}

func redacted(c Candidate) Candidate {
	c.Content, c.Title = sensitive.Redact(c.Content, sensitive.PII(c.Content)), sensitive.Redact(c.Title, sensitive.PII(c.Title))
	if st, ok := c.Statement(); ok {
		st.Value, st.Over, st.When = redactPII(st.Value), redactPII(st.Over), redactPII(st.When)
		c.setStatement(st)
	} else if len(sensitive.PII(string(c.Value))) > 0 {
		c.Value = nil
	}
	if len(sensitive.PII(c.Key)) > 0 {
		c.Key = noteKey(c.Content)
	}
	tags := make([]string, 0, len(c.Tags))
	for _, t := range c.Tags {
		if len(sensitive.PII(t)) == 0 {
			tags = append(tags, t)
		}
	}
	c.Tags = tags
	return c
}

func redactPII(s string) string { return sensitive.Redact(s, sensitive.PII(s)) }

package learn

import (
	"slices"

	"memoria/memory"
	"memoria/memory/policy"
)

// Verdict is what is left of an analysis.
type Verdict struct {
	Proposed []Proposal
	Refused  []Refusal // also what could not be read
}

// Proposal is a candidate with the trust of the words it is made of.
type Proposal struct {
	policy.Candidate
	Trust memory.Trust
}

// Reasons why an item is not taken.
const (
	whyKnown   = "the rules read these words already"
	whyTwice   = "proposed twice"
	whyNotSaid = "its words are not yours"
	whySecret  = "a secret"

	whySensitive = "something sensitive that you have not accepted"
	whyOpposite  = "it turns what you said into its opposite"
)

// minShare is how much of what an item says must be the user's words.
const minShare = 0.5

// Judge holds each item against what the user typed. What rests on words that the
// rules would accept as a plain statement becomes the rules' own candidate, with
// the user's trust; everything else is an inference of a model (L2).
func Judge(p *policy.Policy, typed string, a Analysis) Verdict {
	out := Verdict{Refused: a.Refused}
	for _, it := range a.Items {
		one, why := judge(p, typed, it)
		if why == "" && out.has(one.Candidate) {
			why = whyTwice
		}
		if why != "" {
			out.Refused = add(out.Refused, why, 1)
			continue
		}
		out.Proposed = append(out.Proposed, one)
	}
	return out
}

func judge(p *policy.Policy, typed string, it Item) (Proposal, string) {
	src := p.Source(typed, it.Quote)
	switch {
	case src.Known:
		return Proposal{}, whyKnown
	case src.Reason != "":
		return Proposal{}, src.Reason
	case policy.Leaks(typed, it.About+" "+it.Content), policy.Leaks(typed, it.About+": "+it.Content):
		return Proposal{}, whySecret
	case src.Plain != nil:
		return Proposal{*src.Plain, memory.TrustUser}, ""
	case policy.Shares(it.Content, typed) < minShare || policy.Shares(it.Content, src.Words) == 0:
		return Proposal{}, whyNotSaid
	case policy.Opposes(src.Said, it.Content):
		return Proposal{}, whyOpposite
	}
	c := policy.Inferred(policy.Inference{
		Type: it.Type, About: it.About, Content: it.Content, Confidence: it.Confidence, Importance: it.Importance, Source: src,
	})
	return Proposal{c, memory.TrustModel}, ""
}

// WithoutSecrets leaves out of an analysis the topic and the variables that hold
// a secret of the message.
func (a Analysis) WithoutSecrets(typed string) Analysis {
	a.Refused = slices.Clone(a.Refused)
	if policy.Leaks(typed, a.Topic) {
		a.Topic = ""
		a.refuse(whySecret, 1)
	}
	a.Variables = slices.DeleteFunc(slices.Clone(a.Variables), func(v Variable) bool {
		leaks := policy.Leaks(typed, v.Name+" "+v.Value)
		if leaks {
			a.refuse(whySecret, 1)
		}
		return leaks
	})
	return a
}

// WithoutSensitive leaves out of an analysis the topic and the variables that are not
// speakable: working memory takes nothing that the user would have to approve (P5a).
func (a Analysis) WithoutSensitive(speakable func(string) bool) Analysis {
	a.Refused = slices.Clone(a.Refused)
	if !speakable(a.Topic) {
		a.Topic = ""
		a.refuse(whySensitive, 1)
	}
	a.Variables = slices.DeleteFunc(slices.Clone(a.Variables), func(v Variable) bool {
		if v.Value == "" || speakable(v.Name+" "+v.Value) && speakable(v.Name+": "+v.Value) {
			return false
		}
		a.refuse(whySensitive, 1)
		return true
	})
	return a
}

// has reports whether a candidate was proposed already: in the same slot, from
// the same words, or with the same meaning.
func (v Verdict) has(c policy.Candidate) bool {
	for _, o := range v.Proposed {
		overlap := o.Offset < c.Offset+c.Length && c.Offset < o.Offset+o.Length
		if o.Key == c.Key || Same(o.Content, c.Content) || overlap && policy.Shares(c.Content, o.Content) > 0 {
			return true
		}
	}
	return false
}

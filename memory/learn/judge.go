package learn

import (
	"cmp"
	"slices"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/policy/sensitive"
	"memoria/memory/policy/subject"
	"memoria/memory/policy/wording"
)

// Verdict is the accepted part of an analysis.
type Verdict struct {
	Proposed []Proposal
	Refused  []Refusal // including unreadable parts
}

// Proposal is a candidate with the trust of its source words, and its operation.
type Proposal struct {
	policy.Candidate
	Trust memory.Trust
	Op    Operation // empty means Add
	// Target is the shown memory that Replace and End apply to; nil for Add.
	Target *Shown
	// Hold says why it waits for the user's approval; empty if it need not.
	Hold string
}

// Reasons for refusing an item.
const (
	whyKnown    = "the rules read these words already"
	whyTwice    = "proposed twice"
	whyNotSaid  = "its words are not yours"
	whySecret   = "a secret"
	whyOpposite = "it turns what you said into its opposite"

	whySensitive = "something sensitive that you have not accepted"
)

// minShare is the minimum share of the user's words in a summary or an episode.
const minShare = 0.5

// Judge checks each item against the user's typed words (P5c). If the rules would accept the words as a plain
// statement, it becomes the rules' own candidate, with the user's trust; otherwise it is an inference of a
// model (L2).
func Judge(p *policy.Policy, in Input, a Analysis) Verdict {
	out := Verdict{Refused: a.Refused}
	before := ""
	if n := len(in.Before); n > 0 {
		before = in.Before[n-1]
	}
	subjects := subject.Find(before, in.Said)
	for _, it := range a.Items {
		one, why := judge(p, in, subjects, it)
		if why == "" && out.has(one) {
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

func judge(p *policy.Policy, in Input, subjects []subject.Subject, it Item) (Proposal, string) {
	src := p.Source(in.Said, it.Quote)
	c := newClaim(it, src, in, subjects)
	switch {
	case src.Length == 0:
		return Proposal{}, src.Reason
	case it.Op != Add && it.Op != "" && c.target == nil:
		return Proposal{}, whyTarget
	case src.Known && c.target == nil && len(wording.Unsaid(it.Content, src.Read...)) <= len(wording.Unsaid(it.Content))/2:
		return Proposal{}, whyKnown
	case src.Reason != "" && !c.usable(in):
		return Proposal{}, src.Reason
	case sensitive.Leaks(in.Said, it.About+" "+it.Content), sensitive.Leaks(in.Said, it.About+": "+it.Content):
		return Proposal{}, whySecret
	}
	owned, hold, why := c.owned()
	switch {
	case why != "":
		return Proposal{}, why
	case src.Plain != nil && c.target == nil && subject.MeansUser(c.Subject):
		return Proposal{Candidate: *src.Plain, Trust: memory.TrustUser, Op: Add, Hold: hold}, ""
	}
	if it.Op != End {
		why := c.wording(owned)
		if why == whyNotSaid && c.mostlySaid() {
			if c.Content = c.quoted(); src.Known && c.target == nil {
				return Proposal{}, whyKnown
			}
			why = c.wording(owned)
		}
		if why != "" {
			return Proposal{}, why
		}
	}
	return Proposal{
		Candidate: c.candidate(), Trust: memory.TrustModel, Op: cmp.Or(it.Op, Add), Target: c.target, Hold: cmp.Or(hold, c.doubt(owned)),
	}, ""
}

// candidate returns the candidate of the item. About another party it names that party.
func (c claim) candidate() policy.Candidate {
	in := policy.Inference{
		Type: c.Type, About: c.About, Content: c.Content, Confidence: c.Confidence, Importance: c.Importance, Source: c.source,
	}
	if !subject.MeansUser(c.Subject) {
		in.Party = c.Subject
		if in.Content != "" && !wording.SharesWord(c.Subject, c.Content) {
			in.Content = c.Subject + ": " + c.Content
		}
	}
	return policy.Inferred(in)
}

// WithoutSecrets removes the topic and the variables that contain a secret of the message.
func (a Analysis) WithoutSecrets(typed string) Analysis {
	return a.without(whySecret, func(topic string) bool { return sensitive.Leaks(typed, topic) },
		func(v Variable) bool { return sensitive.Leaks(typed, v.Name+" "+v.Value) })
}

// WithoutSensitive removes the topic and the variables that are not speakable: working memory takes nothing
// that needs the user's approval (P5a).
func (a Analysis) WithoutSensitive(speakable func(string) bool) Analysis {
	return a.without(whySensitive, func(topic string) bool { return !speakable(topic) }, func(v Variable) bool {
		return v.Value != "" && !(speakable(v.Name+" "+v.Value) && speakable(v.Name+": "+v.Value))
	})
}

// Grounded removes the topic and the variables that do not rest on the user's typed words in this turn (W3,
// P5c). Previous values may contribute words, but not all of them.
func (a Analysis) Grounded(in Input) Analysis {
	return a.without(whyNotSaid, func(topic string) bool { return topic != "" && !in.grounds(topic, a.TopicQuote, in.Topic) },
		func(v Variable) bool {
			says := v.Value
			if says == "" { // a removed value must be mentioned
				says = v.Name + " " + in.Variables[v.Name]
			}
			return !(v.Value == "" && wording.SharesWord(says, in.Said)) && !in.grounds(says, v.Quote, in.Variables[v.Name])
		})
}

// without removes the topic and the variables that are refused for a reason.
func (a Analysis) without(why string, topic func(string) bool, variable func(Variable) bool) Analysis {
	a.Refused = slices.Clone(a.Refused)
	if topic(a.Topic) {
		a.Topic = ""
		a.refuse(why, 1)
	}
	a.Variables = slices.DeleteFunc(slices.Clone(a.Variables), func(v Variable) bool {
		refused := variable(v)
		if refused {
			a.refuse(why, 1)
		}
		return refused
	})
	return a
}

// grounds reports whether words, and their quotation, are the user's; before may contribute some.
func (in Input) grounds(words, quote, before string) bool {
	keys := text.Keywords(words)
	switch {
	case quote != "" && !policy.Quotes(in.Said, quote):
		return false
	case len(keys) == 0:
		return quote != "" || policy.Quotes(in.Said, words)
	}
	return len(wording.Unsaid(words, in.Said, before)) == 0 && len(wording.Unsaid(words, in.Said)) < len(wording.Unsaid(words))
}

// has reports whether an equivalent candidate was proposed: in the same slot, from the
// same words, or with the same meaning; or whether its target is taken.
func (v Verdict) has(c Proposal) bool {
	for _, o := range v.Proposed {
		if c.Target != nil && o.Target != nil && c.Target.Item.ID == o.Target.Item.ID {
			return true
		}
		if c.Op == End || o.Op == End {
			continue
		}
		overlap := o.Offset < c.Offset+c.Length && c.Offset < o.Offset+o.Length
		if o.Key == c.Key || Same(o.Content, c.Content) || overlap && wording.Shares(c.Content, o.Content) > 0 {
			return true
		}
	}
	return false
}

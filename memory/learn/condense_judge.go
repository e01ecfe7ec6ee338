package learn

import (
	"cmp"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/policy/sensitive"
	"memoria/memory/policy/subject"
	"memoria/memory/policy/wording"
)

// Place is a part of one of a dialogue's messages.
type Place struct {
	Message        int // index
	Offset, Length int
}

// Conclusion is a proposal with all places of its quotations. The candidate's own
// offset is that of the first.
type Conclusion struct {
	Proposal
	At []Place
}

// Ruling is the accepted part of a consolidation.
type Ruling struct {
	Title, Snippet string // empty: no usable one
	Concluded      []Conclusion
	Refused        []Refusal // including unreadable parts
}

const whySentences = "an episode that is not 3 or 4 sentences"

// JudgeCondensed checks an answer about a session against the user's typed words. An
// item must have quotations from new messages, each with a statement of the user about
// himself, and mostly of words without a memory. The summary's words must be the
// user's.
func JudgeCondensed(p *policy.Policy, d Dialogue, c Condensed) Ruling {
	out := Ruling{Refused: c.Refused}
	if d.Ended {
		out.Title = out.summary(p, d, c.Title)
		out.Snippet = out.summary(p, d, c.Snippet)
	}
	for _, it := range c.Items {
		one, why := d.judge(p, it)
		if why == "" && out.has(one) {
			why = whyTwice
		}
		if why != "" {
			out.Refused = add(out.Refused, why, 1)
			continue
		}
		out.Concluded = append(out.Concluded, one)
	}
	return out
}

// has reports whether an equivalent conclusion exists: in the same slot, with the same
// meaning, or from the same words. An episode may share words.
func (r *Ruling) has(c Conclusion) bool {
	return slices.ContainsFunc(r.Concluded, func(o Conclusion) bool {
		if o.Key == c.Key || Same(o.Content, c.Content) {
			return true
		}
		return o.Type != memory.TypeEpisode && c.Type != memory.TypeEpisode && wording.Shares(c.Content, o.Content) > 0 &&
			slices.ContainsFunc(o.At, func(p Place) bool { return slices.ContainsFunc(c.At, p.overlaps) })
	})
}

func (p Place) overlaps(o Place) bool {
	return p.Message == o.Message && p.Offset < o.Offset+o.Length && o.Offset < p.Offset+p.Length
}

// summary returns the words of a summary if they are the user's.
func (r *Ruling) summary(p *policy.Policy, d Dialogue, words string) string {
	if words == "" {
		return ""
	}
	var typed []string
	for _, s := range d.Said {
		if !p.Forbids(s.Text) {
			typed = append(typed, s.Text)
		}
	}
	all := strings.Join(typed, "\n")
	words = sensitive.HideSecrets(words, all)
	switch {
	case wording.Shares(strings.ReplaceAll(words, sensitive.Secret, " "), all) < minShare:
		r.Refused = add(r.Refused, whyNotSaid, 1)
	case !p.Speakable(words, d.Accepted...):
		r.Refused = add(r.Refused, "a summary with something sensitive", 1)
	default:
		return words
	}
	return ""
}

// judge makes a conclusion of an item, or returns why not.
func (d Dialogue) judge(p *policy.Policy, it CondensedItem) (Conclusion, string) {
	r, why := d.rests(p, &it)
	if why != "" {
		return Conclusion{}, why
	}
	out := Conclusion{At: r.at}
	n := len(p.Sentences(it.Content))
	words := strings.Join(r.words, "\n")
	episode := it.Type == memory.TypeEpisode
	switch {
	case !episode && len(it.Quotes) == 1 && r.source.Plain != nil:
		out.Proposal = Proposal{Candidate: *r.source.Plain, Trust: memory.TrustUser, Hold: r.hold}
		return out, ""
	case episode && r.fresh < 2:
		return out, whyKnown
	case episode && (n < minEpisode || n > maxEpisode):
		return out, whySentences
	case episode && wording.Shares(it.Content, strings.Join(r.typed, "\n")) < minShare,
		!episode && len(wording.Unsaid(it.Content, words, it.Subject)) > 0, wording.Shares(it.Content, words) == 0:
		return out, whyNotSaid
	}
	c := claim{Item: it.Item, source: r.source}.candidate()
	out.Proposal = Proposal{Candidate: c, Trust: memory.TrustModel, Hold: r.hold}
	return out, ""
}

// rest is the basis of an item.
type rest struct {
	at           []Place
	source       policy.Source // of the first quotation; negative if any is
	words, typed []string      // of the user: about the item's party, and whole messages
	fresh        int           // quotations without a memory
	hold         string
}

// rests looks up the quotations of an item, or returns why one is unusable. The item's subject becomes the
// party that they are about.
func (d Dialogue) rests(p *policy.Policy, it *CondensedItem) (out rest, why string) {
	for i, quote := range it.Quotes {
		src, at, why := d.find(p, quote)
		known := src.Known || d.used(at, it.Content, it.Type)
		switch {
		case why != "":
			return out, why
		case known && it.Type != memory.TypeEpisode:
			return out, whyKnown
		case wording.Opposes(src.Said, it.Content) && it.Type != memory.TypeEpisode:
			return out, whyOpposite
		case !known:
			out.fresh++
		}
		said, hold, why := d.owned(it, src, at)
		if why != "" {
			return out, why
		}
		out.hold = cmp.Or(out.hold, hold)
		if i == 0 {
			out.source = src
		}
		out.source.Negative = out.source.Negative || src.Negative
		out.at, out.words, out.typed = append(out.at, at), append(out.words, said), append(out.typed, d.Said[at.Message].Text)
	}
	return out, ""
}

// owned returns the user's words at a place about the item's party. An episode may be about several.
func (d Dialogue) owned(it *CondensedItem, src policy.Source, at Place) (words, hold, why string) {
	if it.Type == memory.TypeEpisode {
		return src.Words, "", ""
	}
	before := ""
	if at.Message > 0 {
		before = d.Said[at.Message-1].Text
	}
	typed := d.Said[at.Message].Text
	c := newClaim(it.Item, src, Input{Said: typed}, subject.Find(before, typed))
	it.Subject = c.Subject
	owned, hold, why := c.owned()
	return c.words(owned), hold, why
}

// find searches the new messages for a quotation, latest first.
func (d Dialogue) find(p *policy.Policy, quote string) (src policy.Source, at Place, why string) {
	why = policy.WhyNoQuote
	for i, s := range slices.Backward(d.Said) {
		if !s.New {
			continue
		}
		found := p.Source(s.Text, quote)
		if found.Length == 0 {
			continue
		}
		src, at = found, Place{Message: i, Offset: found.Offset, Length: found.Length}
		if why = found.Reason; why == "" {
			break
		}
	}
	return src, at, why
}

// used reports whether the words at a place already have a memory related to content,
// or shall have none.
func (d Dialogue) used(at Place, content string, t memory.Type) bool {
	if at.Length == 0 {
		return false
	}
	return slices.ContainsFunc(d.Said[at.Message].Used, func(u Used) bool {
		over := u.Offset < at.Offset+at.Length && (u.Length == 0 || at.Offset < u.Offset+u.Length)
		return over && (u.Content == "" || t == memory.TypeEpisode || wording.Shares(content, u.Content) > 0)
	})
}

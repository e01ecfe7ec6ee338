package policy

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
)

// Sentence is one sentence of what a user typed, and what the rules think of it.
type Sentence struct {
	// Offset and Length are its bytes in the message.
	Offset, Length int
	// Text is the sentence as it was written, on one line.
	Text string
	// Statement is set when the user states something of himself here that may
	// last; see [Policy.Source] for the guards.
	Statement bool
	// Known is set when the rules take a memory from it themselves.
	Known bool
	// Empty is set when it says nothing of what the conversation is about: small
	// talk, a mood, quoted text, or a text to work on.
	Empty bool
}

// maxSentences is how many sentences of one message are looked at: what goes on
// for longer is a story, and stays in the archive (P3).
const maxSentences = 60

// Sentences returns the sentences of a message, the first sixty; none when the user asks in it to
// remember something not, and none of those that hold a secret or, unless
// pii_policy is keep, personal data.
func (p *Policy) Sentences(typed string) []Sentence {
	r := newReader(typed)
	r.read()
	if r.forbidden {
		return nil
	}
	proposed := r.finish()
	var out []Sentence
	for _, s := range r.sentences[:min(len(r.sentences), maxSentences)] {
		lo, hi := trimBlank(r.masked, s.lo, s.hi)
		if lo >= hi || hi-lo > maxSentence {
			continue
		}
		src := r.source(lo, hi, proposed)
		raw := strings.Join(strings.Fields(r.v.raw(lo, hi)), " ")
		if !p.Speakable(raw) {
			continue
		}
		raw = strings.TrimRight(raw, ",;:，；：、")
		last, _ := utf8.DecodeLastRuneInString(raw)
		end := "."
		switch han := text.Han(last); {
		case s.question && han:
			end = "？"
		case s.question:
			end = "?"
		case han:
			end = "。"
		}
		out = append(out, Sentence{
			Offset: src.Offset, Length: src.Length, Text: raw + end,
			Statement: src.Reason == "" && !src.Known && src.Plain == nil && !s.question,
			Known:     src.Known,
			Empty:     slices.Contains([]string{whySmallTalk, whyMood, whyMaterial, whyQuoted}, src.Reason),
		})
	}
	return out
}

// Speakable reports whether words may stand in a summary or an episode: no secret
// does, and personal data only where pii_policy is keep (P5).
func (p *Policy) Speakable(s string) bool {
	return len(Secrets(s)) == 0 && (p.cfg.PIIPolicy == PIIKeep || len(PII(s)) == 0)
}

package policy

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/sensitive"
	"memoria/memory/policy/wording"
)

// Sentence is one sentence of a user's message with the rules' assessment.
type Sentence struct {
	// Offset and Length are its bytes in the message.
	Offset, Length int
	// Text is the sentence as written, on one line.
	Text string
	// Statement says that the user states something lasting about himself; see
	// [Policy.Source] for the guards.
	Statement bool
	// Known says that the rules themselves make a memory of it.
	Known bool
	// Task says that the user asks for a text, or for work on one: a topic of the
	// conversation (S13), though nothing about the user.
	Task bool
	// Empty says that it is not about the topic of the conversation: small talk, a
	// mood, quoted text, or a text to work on.
	Empty bool
}

// maxSentences bounds the sentences read of one message: a longer one is a story, which
// belongs to the archive (P3).
const maxSentences = 60

// Sentences returns the first sixty sentences of a message. It returns none if the message asks
// not to remember, and omits those that are not [Policy.Speakable], given the accepted memories.
// Secrets are hidden ([sensitive.HideSecrets]).
func (p *Policy) Sentences(typed string, accepted ...string) []Sentence {
	r := newReader(typed)
	r.read()
	if r.forbidden {
		return nil
	}
	proposed := r.finish()
	var out []Sentence
	for _, s := range r.sentences[:min(len(r.sentences), maxSentences)] {
		lo, hi := lang.TrimBlank(r.masked, s.Lo, s.Hi)
		if lo >= hi || hi-lo > maxSentence {
			continue
		}
		src := r.source(lo, hi, proposed)
		task := src.Reason == whyMaterial && givesTask(r.masked[s.Lo:s.Hi])
		raw := strings.Join(strings.Fields(r.v.Raw(lo, hi)), " ")
		hidden := sensitive.HideWords(raw, r.secrets())
		told := hidden == raw
		if raw = hidden; !p.Speakable(raw, accepted...) {
			continue
		}
		raw = strings.TrimRight(raw, ",;:，；：、")
		last, _ := utf8.DecodeLastRuneInString(raw)
		end := "."
		switch han := text.Han(last); {
		case s.Question && han:
			end = "？"
		case s.Question:
			end = "?"
		case han:
			end = "。"
		}
		out = append(out, Sentence{
			Offset: src.Offset, Length: src.Length, Text: raw + end,
			Statement: told && src.Reason == "" && !src.Known && !src.Kept && src.Plain == nil && !s.Question,
			Known:     src.Known || src.Kept,
			Task:      task,
			Empty:     !task && slices.Contains([]string{whySmallTalk, whyMood, whyMaterial, whyQuoted}, src.Reason),
		})
	}
	return out
}

// givesTask reports whether a sentence asks for a text, or for work on one.
func givesTask(body string) bool { return textWork.Match(body) || composing.Match(body) }

// likeAccepted is the share of an accepted memory's words in a text that Repeats it.
const likeAccepted = 0.5

// Speakable reports whether words may be written in a summary, a title, an episode or
// working memory: they contain no secret and, unless pii_policy is keep, nothing
// sensitive that the user has not accepted (P5a). accepted are the active memories with
// sensitive content.
func (p *Policy) Speakable(s string, accepted ...string) bool {
	if len(sensitive.Secrets(s)) > 0 {
		return false
	}
	if p.cfg.PIIPolicy == PIIKeep {
		return true
	}
	for _, m := range sensitive.Find(s) {
		told := func(memory string) bool {
			same := func(other sensitive.Span) bool { return other.Kind == m.Class }
			like := lang.ContainsWords(memory, s[m.Offset:m.Offset+m.Length]) || wording.Shares(memory, s) >= likeAccepted
			return like && slices.ContainsFunc(sensitive.PII(memory), same)
		}
		if !slices.ContainsFunc(accepted, told) {
			return false
		}
	}
	return true
}

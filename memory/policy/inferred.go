package policy

import (
	"slices"
	"strings"
	"unicode"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/wording"
)

// Inference is a model's conclusion from words of the user.
type Inference struct {
	Type memory.Type
	// Party is the person or animal concerned; empty means the user.
	Party string
	// About is its subject, in a word or two; empty means the content itself.
	About      string
	Content    string
	Confidence float64 // 0–1
	Importance float64 // 0–1
	Source     Source  // its source words; see [Policy.Source]
}

// A model's conclusion is never as certain as a plain statement (L2), and matters less than an explicit
// request.
const (
	inferredConfidence = 0.8
	inferredImportance = 0.8
)

// slotName maps a model's names to single-valued slots.
var slotName = lang.Table("slotName")

// Inferred makes a candidate from a model's conclusion, with a source and a confidence below those of the
// user's own words. Simple preferences and goals (liked, not liked, wanted) get the keys of the rules, so
// that they confirm and contradict each other; so do facts about single-valued slots. Anything else can
// coexist with known items ("takes coffee black", "drinks coffee before noon"), and its key ends in a hash of
// its words: a model's naming ends no memory.
func Inferred(in Inference) Candidate {
	about := objectKey(in.About)
	if about == "" {
		about = objectKey(in.Content)
	}
	c := Candidate{
		Type: in.Type, Title: strings.TrimSpace(in.About), Content: strings.TrimSpace(in.Content),
		Confidence: min(in.Confidence, inferredConfidence), Importance: min(in.Importance, inferredImportance),
		Source: memory.SourceInferred, Offset: in.Source.Offset, Length: in.Source.Length,
		Rule: "model", Reason: "inferred by the model",
	}
	polarity := Positive
	if in.Source.Negative || wording.Negated(in.Content) || wording.Averse(in.Content) {
		polarity = Negative
	}
	switch slot := slotName()[about]; {
	case in.Party != "": // statements about others fill no slot of the user
		c.Key = "relation/" + bounded(objectKey(in.Party)) + "/" + bounded(about) + "-" + hash(sameForm(in.Content))[:8]
	case (in.Type == memory.TypePreference || in.Type == memory.TypeGoal) && !saysMore(in):
		c.Key, c.Polarity = string(in.Type)+"/"+about, polarity
		c.setStatement(Statement{Value: in.About, Polarity: polarity})
	case in.Type == memory.TypeFact && slot != "":
		c.Key = slot
	default:
		prefix := string(in.Type)
		if in.Type == memory.TypeRelationship {
			prefix = "relation"
		}
		c.Key = prefix + "/" + bounded(about) + "-" + hash(sameForm(in.Content))[:8]
	}
	c.Risk, _ = riskOf(c)
	return c
}

// Words of a preference or a goal that name no thing.
var (
	attitude    = lang.Form("attitude")
	attitudeHan = lang.Form("attitudeHan")
)

// saysMore reports whether a conclusion says more about its thing than whether it is liked or wanted.
// Without a named thing its words are complete.
func saysMore(in Inference) bool {
	about, rest := text.Fold(in.About), text.Fold(in.Content)
	if objectKey(in.About) == "" {
		return false
	}
	if lang.HasHan(rest) {
		return attitudeHan.Replace(strings.ReplaceAll(attitudeHan.Replace(rest, ""), attitudeHan.Replace(about, ""), ""), "") != ""
	}
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	named := words(about)
	for _, w := range words(rest) {
		alike := func(n string) bool { return strings.HasPrefix(w, n) || strings.HasPrefix(n, w) }
		if !attitude.Match(w) && !text.IsStop(w) && !slices.ContainsFunc(named, alike) {
			return true
		}
	}
	return false
}

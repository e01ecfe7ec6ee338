package policy

import (
	"slices"
	"strings"
	"unicode"

	"memoria/index/text"
	"memoria/memory"
)

// Inference is a conclusion that a model draws from words of the user.
type Inference struct {
	Type memory.Type
	// About is the thing that it is about, in a word or two; empty: the content itself.
	About      string
	Content    string
	Confidence float64 // 0–1
	Importance float64 // 0–1
	Source     Source  // the words that it rests on; see [Policy.Source]
}

// What a model concludes is never as sure as a plain statement (L2), and binds less than what was asked for.
const (
	inferredConfidence = 0.8
	inferredImportance = 0.8
)

// slots are the names by which a model may mean a slot that holds one value.
var slots = map[string]string{
	"name": "name", "full-name": "name", "名字": "name", "姓名": "name", "nickname": "name/nickname", "昵称": "name/nickname",
	"home": "home", "residence": "home", "city": "home", "住处": "home", "居住地": "home", "住址": "home", "城市": "home",
	"hometown": "origin", "origin": "origin", "家乡": "origin", "老家": "origin",
	"birthday": "birthday", "生日": "birthday", "age": "age", "年龄": "age", "nationality": "nationality", "国籍": "nationality",
	"job": "job", "occupation": "job", "profession": "job", "职业": "job", "工作": "job",
	"employer": "job/employer", "company": "job/employer", "公司": "job/employer",
	"school": "school", "university": "school", "学校": "school", "大学": "school",
	"relationship-status": "relationship/status", "marital-status": "relationship/status", "婚姻状况": "relationship/status",
}

// Inferred makes a candidate of a model's conclusion, with a source and a confidence below those of the user's
// own word. Preferences and goals that say no more than that their thing is liked, not liked or wanted get the
// keys that rules would give them, so that they confirm and contradict each other; so does a fact about a slot
// that holds one value. Anything else can be true beside what is known ("takes coffee black", "drinks coffee
// before noon"), and its key ends in a hash of its words: a model's naming ends no memory.
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
	if in.Source.Negative || Negated(in.Content) || averse.match(text.Fold(in.Content)) {
		polarity = Negative
	}
	switch slot := slots[about]; {
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

// attitudes are the words of a preference or a goal that name no thing.
var (
	attitudes = expr(`^(?:(?:dis)?lik(?:es?|ed|ing)|lov(?:es?|ed|ing)|enjoy(?:s|ed|ing)?|prefer(?:s|red|ring)?|favou?rs?|hat(?:es?|ed|ing)|detests?|avoid(?:s|ed|ing)?|wants?|wish(?:es)?|plan(?:s|ned|ning)?|aims?|hopes?|intends?|goals?|drinks?|drinking|eats?|eating|uses?|using|watch(?:es)?|watching|plays?|playing|fond|fan|really|much|always|never|longer|not?)$`)
	attiHan   = expr(`不再|不太|不|最|很|非常|特别|更|比较|喜欢|喜爱|热爱|偏好|偏爱|讨厌|反感|避免|想要|希望|打算|计划|想|要|爱|喝|吃|用|看|听|玩|的|了|[^\p{L}\p{N}]`)
)

// saysMore reports whether a conclusion says more of its thing than whether it is liked or wanted. One that
// names no thing says all of it in its words.
func saysMore(in Inference) bool {
	about, rest := text.Fold(in.About), text.Fold(in.Content)
	if objectKey(in.About) == "" {
		return false
	}
	if hasHan(rest) {
		return attiHan.replace(strings.ReplaceAll(attiHan.replace(rest, ""), attiHan.replace(about, ""), ""), "") != ""
	}
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	named := words(about)
	for _, w := range words(rest) {
		alike := func(n string) bool { return strings.HasPrefix(w, n) || strings.HasPrefix(n, w) }
		if !attitudes.match(w) && !text.IsStop(w) && !slices.ContainsFunc(named, alike) {
			return true
		}
	}
	return false
}

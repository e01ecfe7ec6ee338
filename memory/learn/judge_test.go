package learn_test

import (
	"testing"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/policy"
)

func proposed(content, quote string) learn.Item {
	return learn.Item{Type: memory.TypeFact, About: "it", Content: content, Quote: quote, Confidence: 1, Importance: 1}
}

// L2: only what rests on the user's own words in this message is taken, below the
// sureness of his plain word.
func TestJudge(t *testing.T) {
	p := policy.New(policy.Default())
	const said = "Our depot occupies the fifth floor without a lift. Is there a good gym? I like oolong tea."
	for name, c := range map[string]struct {
		item learn.Item
		why  string
	}{
		"in the user's words":           {proposed("Depot occupies the fifth floor", "depot occupies the fifth floor"), ""},
		"an echo of a memory":           {proposed("Prefers pnpm to npm", "I prefer pnpm over npm"), policy.WhyNoQuote},
		"an echo with a borrowed place": {proposed("Prefers pnpm to npm", "the fifth floor without a lift"), "its words are not yours"},
		"a question":                    {proposed("Looks for a good gym", "a good gym"), "a question"},
		"what the rules have read":      {proposed("Enjoys oolong", "I like oolong tea"), "the rules read these words already"},
		"the opposite":                  {proposed("The fifth floor has a lift", "fifth floor without a lift"), "it turns what you said into its opposite"},
		"an invented name":              {proposed("Depot occupies the fifth floor in Lisbon", "the fifth floor"), "its words are not yours"},
	} {
		v := learn.Judge(p, learn.Input{Said: said}, learn.Analysis{Items: []learn.Item{c.item}})
		if c.why == "" {
			if len(v.Proposed) != 1 || len(v.Refused) != 0 {
				t.Errorf("%s: %+v", name, v)
				continue
			}
			if one := v.Proposed[0]; one.Trust != memory.TrustModel || one.Source != memory.SourceInferred || one.Confidence >= 0.9 {
				t.Errorf("%s: %+v", name, one)
			}
			continue
		}
		if len(v.Proposed) != 0 || len(v.Refused) != 1 || v.Refused[0] != (learn.Refusal{Reason: c.why, Count: 1}) {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func TestJudgeTakesOneThingOnce(t *testing.T) {
	p := policy.New(policy.Default())
	v := learn.Judge(p, learn.Input{Said: "Our depot occupies the fifth floor without a lift."}, learn.Analysis{Items: []learn.Item{
		proposed("Depot occupies the fifth floor", "occupies the fifth floor"),
		proposed("The depot occupies the fifth floor", "depot occupies the fifth floor"),
		proposed("Depot on the fifth floor.", "fifth floor"),
	}})
	if len(v.Proposed) != 1 || len(v.Refused) != 1 || v.Refused[0].Count != 2 {
		t.Errorf("%+v", v)
	}
}

// P5: a secret does not slip in where it stands without its name.
func TestJudgeTakesNoSecret(t *testing.T) {
	p := policy.New(policy.Default())
	for _, c := range []struct{ said, about, content, quote string }{
		{"My bank pin is 4821. I use 4821 for the garage as well", "garage", "Uses 4821 for the garage", "I use 4821 for the garage as well"},
		{"My login password is hunter2x. We put hunter2x on every old laptop at home", "laptop", "Puts hunter2x on every old laptop", "We put hunter2x on every old laptop at home"},
		{"我的密码是 hunter2x。我家旧电脑都贴着 hunter2x", "旧电脑", "旧电脑都贴着 hunter2x", "我家旧电脑都贴着 hunter2x"},
		{"We always take hunter2x at home, for our wifi", "wifi password", "hunter2x for our wifi", "We always take hunter2x at home, for our wifi"},
	} {
		it := learn.Item{Type: memory.TypeFact, About: c.about, Content: c.content, Quote: c.quote, Confidence: 1, Importance: 1}
		v := learn.Judge(p, learn.Input{Said: c.said}, learn.Analysis{Items: []learn.Item{it}})
		if len(v.Proposed) != 0 {
			t.Errorf("%q: %+v", c.said, v.Proposed)
		}
	}
	a := learn.Analysis{Topic: "the pin 4821", Variables: []learn.Variable{{Name: "code", Value: "4821"}, {Name: "floor", Value: "5"}}}
	a = a.WithoutSecrets("My bank pin is 4821 and we live on the fifth floor")
	if a.Topic != "" || len(a.Variables) != 1 || len(a.Refused) != 1 || a.Refused[0].Count != 2 {
		t.Errorf("%+v", a)
	}
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Likes oolong tea", "likes Oolong Tea.", true},
		{"Likes oolong tea", "Likes green tea", false},
		{"Likes oolong tea", "Does not like oolong tea", false},
		{"喜欢喝乌龙茶", "喜欢喝乌龙茶。", true},
		{"喜欢喝乌龙茶", "喜欢喝绿茶", false},
		{"Depot 3 is on the fifth floor", "Depot 4 is on the fifth floor", false},
		{"Works with the team of Anna", "Works with the team of Marta", false},
		{"", "", false},
		{"Prefers pnpm for every project", "Likes pnpm for every project", true},
		{"Depot occupies the fifth floor", "The depot occupies the fifth floor, as said", true},
		// Most words are shared, and the meaning is another.
		{"Loves working with remote teams in Asia", "Hates working with remote teams in Asia", false},
		{"Prefers tea over coffee", "Prefers coffee over tea", false},
		{"More meat than vegetables", "More vegetables than meat", false},
		{"Goes running before work", "Goes running after work", false},
		{"Works best early in the morning", "Works best late in the morning", false},
		{"Wants fewer meetings in the week", "Wants more meetings in the week", false},
		{"Eats dinner with the family on weekdays", "Eats lunch with the family on weekdays", false},
		{"更喜欢茶而不是咖啡", "更喜欢咖啡而不是茶", false},
		{"觉得早上开会效率高", "觉得晚上开会效率高", false},
		// R13: in the other language nothing may be left over.
		{"Has a cat", "养了一只猫", true},
		{"养了两只猫", "Keeps two cats", true},
		{"Has a cat", "养了两只猫", false},
		{"Has a cat", "养了一只狗", false},
		{"Lives in Bonn", "住在波恩", true},
		{"Lives in Bonn", "住在柏林", false},
		{"Likes oolong tea", "喜欢喝绿茶", false},
		{"Does not like tea", "喜欢茶", false},
		{"Prefers tea over coffee", "比起茶更喜欢咖啡", false},
		{"Has a sister", "有一个姐姐", false},
		{"Reads Tanizaki", "读小说", false},
	} {
		if got := learn.Same(c.a, c.b); got != c.want {
			t.Errorf("Same(%q, %q) = %v", c.a, c.b, got)
		}
	}
}

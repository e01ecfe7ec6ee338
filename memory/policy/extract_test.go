package policy_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/policy"
)

func newPolicy() *policy.Policy { return policy.New(policy.Default()) }

func keys(cs []policy.Candidate) []string {
	out := []string{}
	for _, c := range cs {
		out = append(out, c.Key)
	}
	return out
}

// P2, P4: paraphrases of one statement have one key, polarity apart.
func TestParaphrasesShareAKey(t *testing.T) {
	p := newPolicy()
	for key, says := range map[string][]string{
		"preference/tea":      {"I like tea", "I really like tea.", "I love tea!", "i like tea very much", "I like drinking tea", "I don't like tea any more", "I like a cup of tea"},
		"preference/茶":        {"我喜欢茶", "我很喜欢喝茶。", "我喜歡茶", "我不喜欢茶了", "我特别喜欢喝茶"},
		"preference/pnpm":     {"我喜欢用 pnpm", "I like pnpm", "I love using pnpm"},
		"name":                {"My name is Bo", "我叫Bo", "I'm called Bo"},
		"name/nickname":       {"call me Bo", "你可以叫我 Bo"},
		"home":                {"I live in Rome", "I moved to Rome", "我住在罗马", "我搬到了罗马", "我搬去羅馬了"},
		"favourite/colour":    {"my favourite colour is green", "My favorite color is green", "Green is my favourite color"},
		"allergy/peanuts":     {"I'm allergic to peanuts", "im severely allergic to peanuts", "I have an allergy to peanuts"},
		"relationship/status": {"We broke up", "我们分手了", "我结婚了", "I got married"},
	} {
		for _, s := range says {
			if got := keys(p.Extract(s)); !cmp.Equal(got, []string{key}) {
				t.Errorf("Extract(%q) has keys %q, want %q", s, got, key)
			}
		}
	}
}

// P2: several statements in one message become several candidates, each with its own words as evidence.
func TestSeveralStatements(t *testing.T) {
	for _, test := range []struct {
		text string
		want map[string]string // key to the bytes of the statement
	}{
		{"My name is Bo and I live in Ghent. I like tea, but I hate mushrooms!", map[string]string{
			"name": "My name is Bo", "home": "I live in Ghent", "preference/tea": "I like tea", "preference/mushrooms": "I hate mushrooms",
		}},
		{"我叫小明，今年25岁，住在上海，喜歡貓。", map[string]string{
			"name": "我叫小明", "age": "今年25岁", "home": "住在上海", "preference/猫": "喜歡貓",
		}},
		{"Ｉ　ｌｉｋｅ　ｔｅａ, 我也喜欢 coffee", map[string]string{
			"preference/tea": "Ｉ　ｌｉｋｅ　ｔｅａ", "preference/coffee": "我也喜欢 coffee",
		}},
		{"I'm 34, married and allergic to nuts and soy.", map[string]string{
			"age": "I'm 34", "relationship/status": "married", "allergy/nuts": "allergic to nuts and soy", "allergy/soy": "allergic to nuts and soy",
		}},
		{"I'm a nurse and vegan, and I'm left-handed and colorblind.", map[string]string{
			"job": "I'm a nurse", "diet": "vegan", "fact/left-handed": "I'm left-handed", "fact/colorblind": "colorblind",
		}},
		{"I have two cats and a dog, I use vim, tmux and fish, and I play chess and the piano.", map[string]string{
			"relation/cat/have": "I have two cats and a dog", "relation/dog/have": "I have two cats and a dog",
			"use/vim": "I use vim, tmux and fish", "use/tmux": "I use vim, tmux and fish", "use/fish": "I use vim, tmux and fish",
			"activity/chess": "I play chess and the piano", "activity/piano": "I play chess and the piano",
		}},
		{"I drive a Volvo and ride a bike", map[string]string{"car": "I drive a Volvo", "car/ridden": "ride a bike"}},
		{"Please always answer in French and keep it short.", map[string]string{
			"rule/language": "Please always answer in French", "rule/style": "keep it short",
		}},
		{"我叫李雷，30岁，单身，住在上海，平时用 Go 写后端，吃素", map[string]string{
			"name": "我叫李雷", "age": "30岁", "relationship/status": "单身", "home": "住在上海", "use/go": "平时用 Go 写后端", "diet": "吃素",
		}},
	} {
		got := map[string]string{}
		for _, c := range newPolicy().Extract(test.text) {
			got[c.Key] = test.text[c.Offset : c.Offset+c.Length]
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%q: %s", test.text, d)
		}
	}
}

// readByRules is Extract without what is only kept as it was said.
func readByRules(text string) []policy.Candidate {
	return slices.DeleteFunc(newPolicy().Extract(text), policy.Candidate.AsSaid)
}

// P2: who asks how many there are states nothing, also without a question mark.
func TestHowManyIsNoStatement(t *testing.T) {
	for text, states := range map[string]bool{
		"我有几个孩子": false, "我家有几口人": false, "我有几辆车": false, "我闺蜜是干什么的": false,
		"我爸是干嘛的": false, "下周四我要干嘛": false, "我老公是做什么的": false, "我一共有几套房子": false,
		"我有两个孩子": true,
	} {
		if got := newPolicy().Extract(text); len(got) > 0 != states {
			t.Errorf("%q teaches %v, want %v", text, keys(got), states)
		}
	}
}

// P2: what only looks like several statements is none, or one.
func TestNotSeveralStatements(t *testing.T) {
	for text, want := range map[string][]string{
		"I'm a designer and developer":         {"job"},
		"I'm not vegan and single":             {},
		"I'm tired and hungry":                 {},
		"I know that he is single and married": {},
		"Keep it short.":                       {},
		"I use this and that":                  {},
		"I have a car and a dog":               {},
		"我有个弟弟，20岁，喜欢打游戏":                      {"relation/弟弟/age", "relation/弟弟/preference/游戏"},
	} {
		if d := cmp.Diff(want, keys(readByRules(text))); d != "" {
			t.Errorf("%q: %s", text, d)
		}
	}
}

// P2: what stands behind somebody else says what that one is, not the user.
func TestOthersInASentence(t *testing.T) {
	for text, want := range map[string][]string{
		"I'm with Anna, a nurse from Leeds":                     {},
		"I'm meeting Ana, 34, married":                          {},
		"I'm dating a doctor, French, 34, single":               {},
		"I'm worried about my son, 12, diabetic":                {},
		"I'm cooking for my sister, vegan and allergic to nuts": {},
		"I'm helping a friend, allergic to bees":                {},
		"I'm selling a car, German, 10 years old":               {},
		"I'm seeking a roommate, vegan, single, 30":             {},
		"I'm writing a story: 34, single, a nurse":              {},
		"I'm proud of my daughter, a lawyer":                    {},
		"I'm no expert, a student at best":                      {},
		"I'm neither a nurse, a doctor nor a teacher":           {},
		"I'm supposed to be a nurse, married":                   {},
		"I'm 34, Tom is 35, married":                            {},
		"I'm a nurse but Tom, 34, married":                      {"job"},
		"I'm a fan of Messi, Argentinian, 37":                   {"preference/messi"},
		"I'm German, a teacher of mine was too":                 {"nationality"},
		"I'm a developer at Siemens, German":                    {"job", "job/employer"},
		"I'm a nurse at Guy's, vegan and single":                {"job", "job/employer", "diet", "relationship/status"},
		"I'm a designer and developer, married":                 {"job", "relationship/status"},
		"I'm currently single, 34, vegan":                       {"relationship/status", "age", "diet"},
		"I'm a father, 5 and 7":                                 {"fact/father"},
		"I'm a mother, vegan and single":                        {"fact/mother", "diet", "relationship/status"},
		"I don't use windows, mac only":                         {"use/windows"},
		"I use linux, and windows sometimes":                    {"use/linux", "use/windows"},
		"我一个同事，30岁，单身":                                          {},
		"我爱吃的菜，老家在湖南":                                           {},
		"我是一个医生，30岁，单身":                                         {"job", "age", "relationship/status"},
		"我认识一个人，30岁，住在上海":                                       {},
		"我在看小说，30岁，单身":                                          {},
		"我喜欢她，20岁，单身":                                           {},
		"我看见一个人，用 Go 写后端":                                       {},
		"我面试了一个人，毕业于清华":                                         {},
		"我昨天遇到前女友，30岁，单身":                                       {},
		"我在找工作，30岁，单身":                                          {"age", "relationship/status"},
	} {
		if d := cmp.Diff(want, keys(readByRules(text))); d != "" {
			t.Errorf("%q: %s", text, d)
		}
	}
}

// P2: what is driven once, or in a saying, is no vehicle of the user's; what he has not has no article.
func TestVehiclesAndPets(t *testing.T) {
	for text, want := range map[string][]string{
		"I drive a hard bargain and ride a wave": {},
		"I drive a friend home and ride a bus":   {},
		"I ride a rollercoaster of emotions":     {},
		"I ride a bike in the dream":             {},
		"I ride a horse":                         {"Rides a horse."},
		"I don't have a cat or a dog":            {"Has no cat.", "Has no dog."},
	} {
		got := []string{}
		for _, c := range readByRules(text) {
			got = append(got, c.Content)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q: %s", text, d)
		}
	}
}

// P2: what follows in a clause without a subject belongs to the subject before, not to the user.
func TestSubjectsAreNotMixedUp(t *testing.T) {
	for _, text := range []string{"我老婆是医生，喜欢喝茶", "我养了一只猫，叫咪咪", "我有个朋友叫小王，住在北京", "My brother likes running and hates tea"} {
		for _, c := range newPolicy().Extract(text) {
			if c.Type != memory.TypeRelationship {
				t.Errorf("Extract(%q) says of the user: %s", text, c.Content)
			}
		}
	}
}

// P2, P5: an explicit order to remember is seen before and after the statement, and in a polite question.
func TestExplicitOrders(t *testing.T) {
	p := newPolicy()
	for text, key := range map[string]string{
		"Remember that my name is Bo.":                   "name",
		"I like trains, don't forget that":               "preference/trains",
		"Could you please remember that I live in Rome?": "home",
		"I live in Rome. Remember that!":                 "home",
		"Remember the following:\n- I hate cilantro":     "preference/cilantro",
		"记住我喜欢喝茶":                                        "preference/茶",
		"我对花生过敏，别忘了":                                     "allergy/花生",
		"你能记住我住在苏州吗？":                                    "home",
		"请记住：「我喜欢喝茶」":                                    "preference/茶",
	} {
		got := p.Extract(text)
		if len(got) != 1 || got[0].Key != key || !got[0].Explicit || got[0].Confidence < 0.9 {
			t.Errorf("Extract(%q) = %+v, want an explicit %s", text, got, key)
		}
	}
	note := p.Extract("Remember: the spare key is under the blue pot")
	again := p.Extract("please remember that the spare key is under the blue pot!")
	if len(note) != 1 || len(again) != 1 || note[0].Key != again[0].Key || !strings.HasPrefix(note[0].Key, "note/") {
		t.Errorf("the same note gave %v and %v", keys(note), keys(again))
	}
}

// P3: an order not to remember covers the message, wherever it stands.
func TestForbiddenMessages(t *testing.T) {
	for _, text := range []string{
		"I like tea. Don't remember this.", "Please do not save any of this. My name is Bo.", "我喜欢茶。别记住这个。",
		"不用记。我住在北京。", "Off the record: I hate my boss's tie. I like tea.",
	} {
		if got := newPolicy().Extract(text); got != nil {
			t.Errorf("Extract(%q) = %v, want nothing", text, keys(got))
		}
	}
}

// L2: what the user states plainly is user_stated and at least 0.9 sure; the content reads by itself.
func TestCandidateFields(t *testing.T) {
	got := newPolicy().Extract("By the way, I prefer pnpm over npm.")
	if len(got) != 1 {
		t.Fatalf("got %d candidates", len(got))
	}
	c := got[0]
	st, ok := c.Statement()
	if !ok || st != (policy.Statement{Value: "pnpm", Polarity: policy.Positive, Over: "npm"}) {
		t.Errorf("statement %+v", st)
	}
	if c.Type != memory.TypePreference || c.Source != memory.SourceUserStated || c.Confidence < 0.9 || c.Risk != policy.RiskNone {
		t.Errorf("candidate %+v", c)
	}
	if want := "Prefers pnpm over npm."; c.Content != want {
		t.Errorf("content %q, want %q", c.Content, want)
	}
	if it := c.Item(); it.Content != c.Content || it.Key != c.Key || it.Type != c.Type {
		t.Errorf("item %+v", it)
	}
}

// P3: a long story stays in the archive; what was asked for and who the user is are taken all the same.
func TestStories(t *testing.T) {
	story := strings.Repeat("We walked on for an hour. The rain had stopped by then. Nobody spoke. ", 6)
	got := keys(newPolicy().Extract(story + "I like rain. " + "Remember that the key is under the pot. I'm allergic to wool."))
	if slices.Contains(got, "preference/rain") || len(got) != 2 {
		t.Errorf("got %q", got)
	}
}

// longMessages are messages of a megabyte; BenchmarkExtractLong has their times.
func longMessages() map[string]string {
	return map[string]string{
		"prose":     strings.Repeat("We walked along the river, and then I saw that the bridge was closed. 我昨天去了公园。\n", 10000),
		"one word":  strings.Repeat("a", 1<<20),
		"one line":  strings.Repeat("I like tea, and ", 1<<16),
		"no spaces": strings.Repeat("我喜欢茶", 1<<17),
		"quotes":    strings.Repeat("\"`", 1<<19),
		"digits":    strings.Repeat("4111 1111 ", 1<<17),
	}
}

// What is read of a long message has a limit: what stands behind it changes nothing.
func TestLongMessage(t *testing.T) {
	noRace(t)
	for name, text := range longMessages() {
		whole := keys(newPolicy().Extract(text + "\nMy name is Bo."))
		if slices.Contains(whole, "name") {
			t.Errorf("%s: all of %d bytes is read: %q", name, len(text), whole)
		}
	}
	// What was pasted is blanked out and does not use the limit up.
	blanked := strings.Repeat(" ", 1<<20) + "I like tea."
	if got := keys(newPolicy().Extract(blanked)); !slices.Equal(got, []string{"preference/tea"}) {
		t.Errorf("after a megabyte of blanks: %q", got)
	}
}

func TestNothingTwice(t *testing.T) {
	got := keys(newPolicy().Extract("I like tea. I really love tea! My name is Bo. Sorry, my name is Rob."))
	if !slices.Equal(got, []string{"preference/tea", "name"}) {
		t.Errorf("got %q", got)
	}
}

func FuzzExtract(f *testing.F) {
	for _, s := range []string{
		"I like tea", "我喜欢茶，住在上海", "Remember that \xff\xfe my name is", "\"I like\" `tea` ```x", "don't forget:\n- a\n- b",
		"ﬁﬁ my name is ﬁ", "I like e\u0301clairs, and\u200b I live in Z\u0308urich", "其实是X不是Y", "my password is hunter2", "> quote\n我叫\x01\x01",
	} {
		f.Add(s)
	}
	p := newPolicy()
	f.Fuzz(func(t *testing.T, s string) {
		for _, c := range p.Extract(s) {
			if c.Offset < 0 || c.Length <= 0 || c.Offset+c.Length > len(s) {
				t.Fatalf("bytes %d+%d of %d", c.Offset, c.Length, len(s))
			}
			if !boundary(s, c.Offset) || !boundary(s, c.Offset+c.Length) {
				t.Fatalf("%q: bytes %d+%d cut a character", s, c.Offset, c.Length)
			}
			if c.Risk == policy.RiskSecret {
				if c.Content != "" || c.Key != "" || len(c.Value) > 0 {
					t.Fatalf("%q: a secret candidate has words: %+v", s, c)
				}
				continue
			}
			if c.Key == "" || c.Content == "" || !c.Type.Valid() || !utf8.ValidString(c.Content) || !utf8.ValidString(c.Key) {
				t.Fatalf("%q: candidate %+v", s, c)
			}
		}
	})
}

// boundary reports whether byte i of s begins a character, or a byte that belongs to none.
func boundary(s string, i int) bool {
	for at := range s {
		if at == i {
			return true
		}
	}
	return i == len(s)
}

// P4: a child is news beside a marriage, not in its place.
func TestChildrenEndNoMarriage(t *testing.T) {
	for text, want := range map[string]string{
		"我怀孕了":                     "relationship/family",
		"我当妈妈了":                    "relationship/family",
		"We had a baby last week.": "relationship/family",
		"I got married last year.": "relationship/status",
		"我结婚了":                     "relationship/status",
	} {
		if got := keys(newPolicy().Extract(text)); len(got) != 1 || got[0] != want {
			t.Errorf("%q: keys %v, want %s", text, got, want)
		}
	}
}

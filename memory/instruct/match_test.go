package instruct

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/policy"
)

// held makes the items that the rules make of statements.
func held(t *testing.T, statements ...string) (out []memory.Item) {
	t.Helper()
	for _, s := range statements {
		found := policy.New(policy.Config{}).Extract(s)
		if len(found) == 0 {
			t.Fatalf("the rules see nothing in %q", s)
		}
		it := found[0].Item()
		it.ID, it.State = it.Content, memory.StateActive
		out = append(out, it)
	}
	return out
}

func contents(items []memory.Item) []string {
	out := []string{}
	for _, it := range items {
		out = append(out, it.Content)
	}
	slices.Sort(out)
	return out
}

// U2: what is to be forgotten is found by slot, subject or words, in either language; less than a clear match is none.
func TestMatch(t *testing.T) {
	items := held(t, "My name is Bo.", "I like tea", "I like coffee", "I live in Shanghai", "I work at Acme", "I am a nurse", "My cat is called Nube",
		"I'm allergic to nuts", "My sister lives in Rome", "我喜欢喝乌龙茶", "I want to learn Japanese", "Don't use emojis")
	for said, want := range map[string][]string{
		"forget that I like tea":               {"Likes tea."},
		"忘记我喜欢喝茶":                              {"Likes tea."},
		"别再记得我住在上海":                            {"Lives in Shanghai."},
		"forget that I live in Shanghai":       {"Lives in Shanghai."},
		"forget that I live in Berlin":         {},
		"forget that I like cocoa":             {},
		"forget that I hate tea":               {},
		"delete what you know about my job":    {"Is a nurse.", "Works at Acme."},
		"忘掉关于我工作的一切":                           {"Is a nurse.", "Works at Acme."},
		"forget my name":                       {"Name is Bo."},
		"forget my cat":                        {"Cat is called Nube."},
		"forget about my allergies":            {"Is allergic to nuts."},
		"forget that my sister lives in Rome":  {"Sister lives in Rome."},
		"delete the memory about Acme":         {"Works at Acme."},
		"forget my car":                        {},
		"forget that I like oolong":            {"喜欢喝乌龙茶"},
		"forget everything about tea":          {"Likes tea.", "喜欢喝乌龙茶"},
		"delete everything about Shanghai":     {"Lives in Shanghai."},
		"把茶忘掉":                                 {"Likes tea.", "喜欢喝乌龙茶"},
		"忘记关于咖啡的一切":                            {"Likes coffee."},
		"forget what you know about my family": {"Sister lives in Rome."},
	} {
		in, ok := Read(said, nil)
		if !ok || in.Kind != Forget {
			t.Errorf("%q: %v %v", said, ok, in.Kind)
			continue
		}
		if diff := cmp.Diff(want, contents(Match(in, items))); diff != "" {
			t.Errorf("%q: %s", said, diff)
		}
	}
}

// U2: what may be about something else is asked for first, and what may end a rule does that if there is one.
func TestCareful(t *testing.T) {
	items := held(t, "I'm allergic to nuts", "I like tea")
	for said, want := range map[string][]string{"forget nuts": {"Is allergic to nuts."}, "忘掉茶": {"Likes tea."}, "forget the deadline": {}} {
		in, ok := Read(said, nil)
		if !ok {
			in, ok = Guess(said, nil, items)
		}
		if ok && !in.OrForget && !in.Careful {
			t.Errorf("%q: %+v", said, in)
		}
		if diff := cmp.Diff(want, contents(Match(in, items))); diff != "" {
			t.Errorf("%q: %s", said, diff)
		}
	}
}

// U1: what is asked for is narrowed by subject and type.
func TestMatchList(t *testing.T) {
	items := held(t, "My name is Bo.", "I like tea", "I work at Acme", "I want to learn Japanese")
	for said, want := range map[string][]string{
		"what do you know about me?":    contents(items),
		"what do you know about my job": {"Works at Acme."},
		"我喜欢什么":                         {"Likes tea."},
		"what are my goals":             {"Wants to learn Japanese."},
		"关于我的工作你知道什么":                   {"Works at Acme."},
	} {
		in, ok := Read(said, nil)
		if !ok || in.Kind != List {
			t.Errorf("%q: %v %v", said, ok, in.Kind)
			continue
		}
		if diff := cmp.Diff(want, contents(Match(in, items))); diff != "" {
			t.Errorf("%q: %s", said, diff)
		}
	}
}

// U4: a rule ends when its manner is allowed again, or no longer wanted.
func TestWithdrawn(t *testing.T) {
	items := held(t, "Keep your answers short", "Please answer in German.", "Don't use emojis", "Always use bullet points", "Call me boss")
	for said, want := range map[string][]string{
		"you can write longer answers again":      {"Keep answers short."},
		"stop answering in German":                {"Answer in German."},
		"不用再用德语回答了":                               {"Answer in German."},
		"you can use emojis again":                {"Do not use emojis."},
		"可以用表情了":                                  {"Do not use emojis."},
		"stop using bullet points":                {"Use bullet points."},
		"stop using emojis":                       {},
		"stop calling me boss":                    {"Nickname is boss."},
		"别再叫我老板了":                                 {},
		"go back to English":                      {"Answer in German."},
		"you don't need to keep it short anymore": {"Keep answers short."},
		"forget the rule about emojis":            {"Do not use emojis."},
		"stop answering in French":                {},
	} {
		in, ok := Read(said, nil)
		if !ok || in.Kind != Withdraw {
			t.Errorf("%q: %v %v", said, ok, in.Kind)
			continue
		}
		if diff := cmp.Diff(want, contents(Withdrawn(in, items))); diff != "" {
			t.Errorf("%q: %s", said, diff)
		}
	}
}

// U2: an answer to "which of these?" is a number, all, yes or no.
func TestReadReply(t *testing.T) {
	for said, want := range map[string]Reply{
		"1": {Picks: []int{1}}, "the second one": {Picks: []int{2}}, "第二个": {Picks: []int{2}}, "1 and 3": {Picks: []int{1, 3}},
		"1,2": {Picks: []int{1, 2}}, "#2": {Picks: []int{2}}, "2 和 3": {Picks: []int{2, 3}}, "both": {Vague: true}, "all of them please": {All: true},
		"全部": {All: true}, "yes": {Vague: true}, "是的": {Vague: true}, "no": {No: true}, "不": {No: true}, "no thanks": {No: true}, "算了": {No: true},
		"number 3": {Picks: []int{3}}, "第一条和第三条": {Picks: []int{1, 3}}, "delete 2": {Picks: []int{2}}, "neither": {No: true}, "都删了吧": {All: true},
		"Yes, please!": {Vague: true}, "none": {No: true},
	} {
		got, ok := ReadReply(said, nil, 3)
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("%q: %v %s", said, ok, diff)
		}
	}
	for _, said := range []string{"7", "What is 2 + 2?", "I have two cats", "my name is Bo", "0", "-1", "", "second thoughts"} {
		if got, ok := ReadReply(said, nil, 3); ok {
			t.Errorf("%q is %+v", said, got)
		}
	}
}

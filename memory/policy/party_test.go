package policy_test

import (
	"strings"
	"testing"
)

// P5c: a clause that goes on about somebody is remembered of them.
func TestGoesOnAboutSomebody(t *testing.T) {
	for said, want := range map[string][]string{
		"My flatmate is Piotr, he's a baker and gets up at 3.":        {"Flatmate is called Piotr.", "Flatmate Piotr is a baker and gets up at 3."},
		"Marek is my stepson, he's 15 and obsessed with skateboards.": {"Stepson is called Marek.", "Stepson Marek is 15 and obsessed with skateboards."},
		"My boyfriend Callum is a chef. He's from Cork.":              {"Boyfriend Callum is a chef.", "Boyfriend Callum is from Cork."},
		"我对象叫乔乔，在儿童医院当护士":                                             {"对象叫乔乔", "对象在儿童医院当护士"},
		"我有一只猫叫年糕，今年三岁了":                                              {"猫叫年糕", "猫三岁"},
		"在德国读书的表弟周末过来住几天，他不吃猪肉":                                       {"表弟不吃猪肉"},
	} {
		got := contentsOf(said)
		for _, w := range want {
			if !strings.Contains(got, w+"\n") {
				t.Errorf("%s: %q is not in %q", said, w, got)
			}
		}
	}
	for said, never := range map[string]string{
		"My sister's husband is tall, he's a dentist.": "sister is a dentist",
		"My brother called. Broke up with somebody":    "brother called",
		"我女朋友下班了。对海鲜过敏":                                "对海鲜过敏",
		"My neighbour came by. I have a cat.":          "came by",
	} {
		if got := contentsOf(said); strings.Contains(got, never) {
			t.Errorf("%s: %q", said, got)
		}
	}
}

func contentsOf(message string) string {
	var out strings.Builder
	for _, c := range newPolicy().Teaches(message) {
		out.WriteString(c.Content + "\n")
	}
	return out.String()
}

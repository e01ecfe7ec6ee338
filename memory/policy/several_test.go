package policy_test

import (
	"strings"
	"testing"
	"time"

	"memoria/memory/policy"
)

// P2, P9a: several things in one sentence are several memories, each with its names, its figures and its day.
func TestSeveralInOneSentence(t *testing.T) {
	monday := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for said, want := range map[string][]string{
		"I have a dog called Biscuit and two cats, Miso and Pepper": {
			"Dog is called Biscuit.", "Has two cats.", "Cats are called Miso and Pepper.",
		},
		"we have three cats, Miso, Tofu and Ponzu":            {"Has three cats.", "Cats are called Miso, Tofu and Ponzu."},
		"We have two kids, Ana and Leo, and a dog called Rex": {"Has two kids.", "Kids are called Ana and Leo.", "Dog is called Rex."},
		"身高一米八，体重七十公斤":                                        {"身高是一米八", "体重是七十公斤"},
		"我身高165体重52公斤":                                        {"身高是165", "体重是52公斤"},
		"dentist on Tuesday, lunch with Ana on Wednesday and the flight on Friday": {
			"Dentist Tuesday (3 March 2026).", "Lunch with Ana on Wednesday (4 March 2026).", "Flight Friday (6 March 2026).",
		},
		"周二看牙，周三跟小王吃饭，周五飞北京": {"周二（2026年3月3日）看牙", "周三（2026年3月4日）跟小王吃饭", "周五（2026年3月6日）飞北京"},
		"下周三我们去厦门玩":          {"下周三（2026年3月11日）我们去厦门玩"},
		"我们下个月去厦门":           {"我们下个月（2026年4月）去厦门"},
		"我下个月去厦门":            {"下个月（2026年4月）去厦门"},
	} {
		var got []string
		for _, c := range newPolicy().Teaches(said) {
			if !c.OnlyEnds() {
				got = append(got, policy.Dated(c, monday, time.UTC).Content)
			}
		}
		if g, w := strings.Join(got, " | "), strings.Join(want, " | "); g != w {
			t.Errorf("%s:\n got %s\nwant %s", said, g, w)
		}
	}
}

// P3, P5c: what follows "and" is not the user's if the sentence is about somebody else, and one day is one plan.
func TestOneInOneSentence(t *testing.T) {
	for said, never := range map[string]string{
		"My sister has a dog called Rex and two cats, Miso and Pepper": "Has two cats",
		"I have two cats, they hate the dog":                           "called",
		"I'm away on Tuesday and Wednesday":                            "|",
		"周二有课，周四有课":                                                    "2026",
	} {
		var got []string
		for _, c := range newPolicy().Teaches(said) {
			got = append(got, policy.Dated(c, time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), time.UTC).Content)
		}
		if g := strings.Join(got, " | "); strings.Contains(g, never) {
			t.Errorf("%s: %s", said, g)
		}
	}
}

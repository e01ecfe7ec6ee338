package object

import "testing"

// R13, P4: two wordings of a value are one thing in two languages, and two things stay two.
func TestSameThing(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a cat", "一只猫", true},
		{"two cats", "两只猫", true},
		{"a cat", "两只猫", false},
		{"a cat", "一只狗", false},
		{"Bonn", "波恩", true},
		{"Bonn", "柏林", false},
		{"a software engineer", "软件工程师", true},
		{"an engineer", "软件工程师", false},
		{"vegetarian", "吃素", true},
		{"a sister", "姐姐", false}, // older or younger
		{"30 years old", "30岁", true},
		{"30", "31岁", false},
		{"May 3", "5月3日", true},
		{"3rd of May, 1990", "1990年五月三号", true},
		{"May 3", "5月4日", false},
		{"May 3, 1991", "1990年5月3日", false},
		{"a kitten", "a cat", false}, // within a language words are what they are
		{"茶叶", "茶", false},
		{"a cup of tea", "tea", true},
		{"Tanizaki", "谷崎", false},
		{"", "", true},
	} {
		if got := SameThing(c.a, c.b); got != c.want || SameThing(c.b, c.a) != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

// Translations of one text may overlap.
func TestSaysSameOverlapping(t *testing.T) {
	if SaysSame("goal/swim-swim", "preference/coffee|tea") {
		t.Error("swimming and tea are the same")
	}
}

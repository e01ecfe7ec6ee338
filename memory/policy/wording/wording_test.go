package wording

import (
	"slices"
	"testing"
)

// P5c: the content words of a conclusion are the user's.
func TestUnsaid(t *testing.T) {
	for _, c := range []struct {
		content, said string
		want          []string
	}{
		{"Has two budgies", "got two budgies from the shelter", nil},
		{"Has 2 budgies from the shelter", "got two budgies from the shelter", nil},
		{"Flat is on the 5th floor", "our flat is on the fifth floor", nil},
		{"Likes hiking in the Tatra mountains", "I go hiking in the Tatra mountains a lot", nil},
		{"养了两只鹦鹉", "got two parrots from the shelter", nil},
		{"Mother moved to Porto", "my mum moved to Porto", nil},
		{"从五月起学吉他", "五月开始学吉他", nil},
		{"喜欢爬山", "周末常去爬山", nil},
		// Half of each is invented.
		{"Has two green budgies", "got two budgies from the shelter", []string{"green"}},
		{"Bought a bike to commute", "bought a bike", []string{"commute"}},
		{"Moved to Porto for work", "moved to Lisbon", []string{"Porto", "work"}},
		{"Has 3 budgies", "got two budgies", []string{"3"}},
		{"Sister is a nurse in Bonn", "my sister is a nurse", []string{"Bonn"}},
		{"在医院学吉他", "五月开始学吉他", []string{"医院"}},
		{"养了两只绿色鹦鹉", "养了两只鹦鹉", []string{"绿色"}},
		{"为了减肥爬山", "周末常去爬山", []string{"减肥"}},
	} {
		if got := Unsaid(c.content, c.said); !slices.Equal(got, c.want) {
			t.Errorf("Unsaid(%q, %q) = %q, want %q", c.content, c.said, got, c.want)
		}
	}
}

// P4, P5c: what is over is said to be over.
func TestEnds(t *testing.T) {
	for said, want := range map[string]bool{
		"Sold the boat": true, "we broke up in May": true, "don't use French any more": true, "gave up on the marathon": true,
		"I handed in the thesis, done!": true, "狗走了": true, "不学吉他了": true, "恢复用中文": true, "辞职了": true,
		"walked the dog in the park": false, "the boat is blue": false, "周末遛狗": false,
	} {
		if Ends(said) != want {
			t.Errorf("Ends(%q) = %v", said, !want)
		}
	}
}

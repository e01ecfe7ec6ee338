package manager_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
)

// translatedMemories are memories in both languages, and questions in the other one.
var translatedMemories = []struct{ content, question string }{
	{"对花粉和猫毛过敏", "What am I allergic to?"},
	{"养了一只橘猫", "How old is my cat?"},
	{"信用卡的账单日是五号", "When is my credit card bill due?"},
	{"在学打架子鼓", "Do I still take drum lessons?"},
	{"Lent my tent to Priya", "谁借了我的帐篷？"},
	{"Went to high school in Leeds", "我高中在哪里读的？"},
	{"Mother-in-law is a nurse", "岳母是做什么的？"},
}

// recalledBy is what a message recalls.
func recalledBy(res retrieve.Result) (out []string) {
	for _, s := range res.Chosen {
		out = append(out, s.Item.Content)
	}
	return out
}

// R13, R4: a question in one language finds a memory in the other, with an index and without.
func TestRecallInTheOtherLanguage(t *testing.T) {
	for _, index := range []bool{true, false} {
		dir, c := filepath.Join(t.TempDir(), "data"), newClock()
		if !index {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "index"), []byte("a file, not a folder"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		m := openAt(t, dir, c, nil)
		for _, x := range translatedMemories {
			must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: x.content}))(t)
		}
		if index {
			if err := m.Recall().Settle(t.Context(), luna); err != nil {
				t.Fatal(err)
			}
		}
		for _, x := range translatedMemories {
			res := must(m.Recall().Retrieve(t.Context(), luna, recall.Query{Text: x.question}))(t)
			if (res.Degraded == "") != index || len(res.Chosen) == 0 || res.Chosen[0].Item.Content != x.content {
				t.Errorf("index %v: %q recalls %v (%s)", index, x.question, recalledBy(res), res.Degraded)
			}
		}
		for _, question := range []string{"How do I cook rice?", "Where is the hot dog stand?", "太阳系有几颗行星？", "高考是哪一年恢复的？"} {
			if res := must(m.Recall().Retrieve(t.Context(), luna, recall.Query{Text: question}))(t); len(res.Chosen) > 0 {
				t.Errorf("index %v: %q recalls %v", index, question, recalledBy(res))
			}
		}
	}
}

// R13: in a memory of both languages an item in the other language is not put behind for it.
func TestRecallRanksLanguagesAlike(t *testing.T) {
	m, _ := open(t)
	for _, content := range []string{"喜欢喝茉莉花茶", "Likes jazz", "Has a garage", "住在波恩", "Plays the cello", "会弹钢琴"} {
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: content}))(t)
	}
	for question, want := range map[string][]string{
		"cello or piano?": {"Plays the cello", "会弹钢琴"}, "大提琴还是钢琴？": {"Plays the cello", "会弹钢琴"},
	} {
		got := asked(t, m, "", question)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q recalls %q, want %q", question, got, want)
		}
	}
}

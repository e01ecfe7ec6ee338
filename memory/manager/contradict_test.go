package manager_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/policy"
)

// sayings are statements of a small life.
var sayings = []string{
	"I live in Leeds", "I moved to York", "I don't live in York any more", "我住在上海", "我搬到北京了", "I live with two roommates",
	"I work at Tesco", "I work at Aldi now", "I no longer work at Aldi", "我在腾讯工作", "我不在腾讯干了", "I quit my job",
	"My girlfriend is called Anna", "We broke up", "I'm single", "分手了", "I got married", "我女朋友叫小美",
	"My cat is called Tiger", "My cat Tiger died", "I like tea", "I hate tea", "我喜欢喝茶",
	"I'm learning Welsh", "I've stopped learning Welsh", "I want to run a marathon in 2027", "I ran the marathon",
	"Keep your answers short", "Always give detailed explanations", "You can write longer answers again", "回答要详细一点",
	"Always use emojis", "Don't use emojis in your answers", "Emojis are fine again", "以后不要用表情",
	"Always answer in German", "Stop answering in German", "以后用英文回答我", "不用再用英文了",
	"Always use metric units", "Always use imperial units", "No need to use metric any more",
}

// excluding are groups of words of which no two may be active.
var excluding = [][]string{
	{"Leeds", "York", "上海", "北京"},
	{"at Tesco", "at Aldi", "腾讯", "Quit their job"},
	{"Broke up", "Is single", "Got married", "分手"},
	{"girlfriend is called", "Broke up", "Is single", "分手"},
	{"女朋友叫", "Broke up", "Is single", "分手"},
	{"cat is called Tiger", "cat Tiger died"},
	{"Likes tea", "Hates tea"}, {"喜欢喝茶", "Hates tea"},
	{"answers short", "answers detailed"}, {"answers short", "要详细"},
	{"Use emojis", "Do not use emojis"}, {"Use emojis", "不要用表情"},
	{"in German", "用英文回答"},
	{"metric", "imperial"},
}

// P4: after any sequence of statements no two active items contradict each other, and undoing turns keeps that.
// MEMORIA_SEQUENCES sets the number of sequences (20 in the campaign).
func TestNoContradictions(t *testing.T) {
	noRace(t)
	for seed := range often(t, "SEQUENCES", 8) {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		m, _ := open(t)
		var said []string
		for range 25 {
			s := sayings[r.IntN(len(sayings))]
			said = append(said, s)
			turn, _ := say(t, m, luna, "", s)
			if r.IntN(8) == 0 {
				if _, err := m.Learning().UndoTurn(t.Context(), luna, turn.Record.TurnID); err == nil {
					said = append(said, "(undone)")
				}
			}
			if consistent(t, inForce(t, m)); t.Failed() {
				t.Fatalf("seed %d: after %q: %q", seed, said, activeContents(t, m))
			}
		}
	}
}

// consistent reports items that share a slot, rules that exclude each other, and words that do.
func consistent(t *testing.T, active []memory.Item) {
	t.Helper()
	for i, a := range active {
		for _, b := range active[:i] {
			if policy.SameSlot(a.Key, b.Key) {
				t.Errorf("one slot: %q, %q", a.Content, b.Content)
			}
		}
	}
	for _, group := range excluding {
		var found []string
		for _, words := range group {
			if slices.ContainsFunc(active, func(it memory.Item) bool { return strings.Contains(it.Content, words) }) {
				found = append(found, words)
			}
		}
		if len(found) > 1 {
			t.Errorf("active together: %q", found)
		}
	}
}

package recall

import (
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/lookup"
	"memoria/memory/retrieve"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/panetest"
	"memoria/ui/words"
)

// chinese returns a pane in Chinese with memories of several kinds.
func chinese(w, h int) *Model {
	m := panetest.Show(New(keys.Default(words.Words{Language: words.Chinese}), time.UTC), w, h)
	items := []memory.Item{
		item("i1", memory.TypePreference, "喜欢喝龙井茶"),
		item("i2", memory.TypeRelationship, "小明是我的同事，住在上海，喜欢用中文和英文混着写很长的句子"),
		item("i3", memory.TypeGoal, "周五前发布 v2"),
		item("i4", memory.TypeFact, "项目部署在 Fly 上"),
	}
	items[2].State = memory.StateHeld
	m.SetItems(items, 1284)
	m.SetFocus(true)
	return m
}

func TestChinese(t *testing.T) {
	tea, old := item("i1", memory.TypePreference, "喜欢喝龙井茶"), item("i0", memory.TypePreference, "喜欢喝红茶")
	story := Detail{
		Item: tea, Replaced: []memory.Item{old},
		Quotes: []words.Quote{{Session: "周末的安排", Time: noon, Text: "我现在喜欢喝龙井茶", Whole: "对了，我现在喜欢喝龙井茶。"}, {Gone: true}},
		History: []memory.Change{
			{ID: "c1", Action: memory.ActionAdded, Origin: memory.OriginTurn, Reason: "a preference of the user", Time: noon},
			{ID: "c2", Action: memory.ActionEdited, Origin: memory.OriginUser, Reason: "edited by the user", Time: noon, Undone: true},
		},
	}
	story.Item.AccessCount, story.Item.LastAccessed, story.Item.Supersedes = 12, noon.Add(-3*time.Hour), "i0"
	found := retrieve.Result{
		Keywords: []string{"龙井茶"}, Total: 1284, Took: 2100 * time.Microsecond, Degraded: "the index does not answer, so the items were read through",
		Chosen: []retrieve.Scored{
			{Item: tea, Score: 0.92, Parts: memory.Parts{TopicBoost: 1, CategoryBoost: 1.5, RecencyScore: .8}, Contribution: memory.Parts{KeywordScore: .36, CategoryBoost: .3, RecencyScore: .12, Confidence: .14}},
		},
		NotChosen: []retrieve.Scored{
			{Item: old, Score: 0.2, Why: "below the minimum: no word matches, and the meaning is not near enough"},
			{Item: item("i6", memory.TypeFact, "爱喝热茶"), Score: 0.7, Why: "duplicate: another memory says the same"},
		},
	}
	diary := journal.Hit{Path: "2026/01/27.md", Text: "下午在茶馆喝了一壶龙井茶。", To: len("下午在茶馆喝了一壶龙井茶。"), Words: []string{"龙井茶"}}
	recalling := func(m *Model) {
		m.only = partRecall
		m.SetTyping(true)
		m.SetPreview(found, diary)
	}
	learned := func(m *Model) {
		m.only = partRecall
		goal := item("i8", memory.TypeGoal, "周五前发布 v2")
		m.SetLearned([]memory.Change{
			{ID: "c1", ItemID: "i8", TurnID: "t1", Action: memory.ActionAdded, Time: noon, Item: &goal},
			{ID: "c2", ItemID: "i1", TurnID: "t1", Action: memory.ActionSuperseded, Time: noon, Item: &tea, Replaced: &old, Reason: "something is over"},
			{ID: "c3", ItemID: "i8", TurnID: "t1", Action: memory.ActionConfirmed, Reason: "said again", Time: noon, Item: &goal, Undone: true},
			{Action: memory.ActionSkipped, Reason: "a question"},
		})
		m.SetRun(Run{Generation: "g1", Title: "周末的安排", Changes: []memory.Change{{ID: "c4", ItemID: "i1", Generation: "g1", Action: memory.ActionAdded, Time: noon, Item: &tea}}})
	}
	panetest.Views(t, [][2]int{{40, 24}, {60, 15}}, chinese, map[string]func(m *Model){
		"all":            func(*Model) {},
		"empty":          func(m *Model) { m.SetItems(nil, 0) },
		"preview":        recalling,
		"preview unused": func(m *Model) { recalling(m); press(m, "x", "#") },
		"learned":        learned,
		"undo turn":      func(m *Model) { learned(m); press(m, "U") },
		"story":          func(m *Model) { m.Show(story) },
		"details":        func(m *Model) { m.Show(story); press(m, "i") },
		"history":        func(m *Model) { m.Show(story); press(m, "h", "down") },
		"source":         func(m *Model) { m.ShowSource(story.Quotes[0]) },
		"edit":           func(m *Model) { press(m, "e") },
		"confirm":        func(m *Model) { press(m, "down", "d") },
		"filter":         func(m *Model) { press(m, "/"); typed(m, "茶"); m.SetItems(nil, 0) },
		"delete all":     func(m *Model) { press(m, "/"); typed(m, "茶"); m.AskDeleteAll("茶", []string{"i1", "i2"}) },
		"deleted": func(m *Model) {
			m.Deleted(list.Removed{ID: "d1", What: m.Words.Count(3, "memory"), Until: noon.Add(8 * time.Second)})
			m.Deleted(list.Removed{ID: "d2", Title: "喜欢喝龙井茶，尤其是明前的新茶", Until: noon.Add(9 * time.Second)})
		},
		"life": func(m *Model) { press(m, "c"); m.SetLife(lived()); press(m, "left", "up") },
	})
}

// P9a: the calendar says the day of a plan once, with the hour that the user said; another date stays.
func TestPlansSayTheDayOnce(t *testing.T) {
	var plans []memory.Item
	for i, said := range []string{
		"明天上午（2026年1月29日）去进货", "礼拜六晚上（2026年1月31日）跟老许打牌", "女儿2月8号（2026年2月8日）考试", "2月9号（2026年2月3日）搬家",
	} {
		it := item(said, memory.TypeGoal, said)
		it.ValidTo = time.Date(2026, 1, 28+[]int{2, 4, 12, 13}[i], 0, 0, 0, 0, time.UTC)
		plans = append(plans, it)
	}
	m := chinese(70, 30)
	press(m, "c")
	m.SetLife(NewLife([]lookup.Day{{Date: noon, Learned: 1}}, plans, noon, time.UTC))
	got := view(t, m)
	panetest.Shows(t, got, "明天 上午去进货", "晚上跟老许打牌", "女儿考试", "2月9号（2026年2月3日）搬家")
	panetest.Lacks(t, got, "明天上午", "礼拜六", "2月8号", "1月31日）")
}

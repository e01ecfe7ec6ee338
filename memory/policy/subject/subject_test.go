package subject

import (
	"strings"
	"testing"
)

// P5c: a clause without a subject inherits that of the clause before.
func TestSubjects(t *testing.T) {
	for said, want := range map[string]string{
		"My mum called. Has moved to Porto.":                  "My mum, My mum",
		"My brother rang, sounded tired and sold his van.":    "My brother, My brother, My brother",
		"Spoke to my sister. Has bought a flat.":              "self?, my sister",
		"I met Tom for lunch. Was promoted in May.":           "self, self!",
		"I met Tom for lunch. Have a cold now.":               "self, self!",
		"I met Tom for lunch. Lost my keys.":                  "self, self?",
		"Learning the oboe since May":                         "self?",
		"been on nights for a month":                          "self?",
		"Moved house in May. Still unpacking.":                "self?, self?",
		"Rex ran away yesterday":                              "Rex",
		"the neighbours came round. Are vegan now.":           "the neighbours, the neighbours",
		"The train was late. Missed the meeting.":             "thing, self?",
		"Our flat is on the top floor. Has no lift.":          "self, thing",
		"My back hurts. Started in May.":                      "self, self?",
		"You can be brief again. Prefer it that way.":         "listener, self?",
		"My wife and I moved. Bought a house.":                "My wife, self, self?",
		"She is a nurse. Works nights.":                       "another, another",
		"My cat Milo is old. He sleeps all day. Eats little.": "My cat Milo, My cat Milo, My cat Milo",
		"Has been ill for weeks.":                             "another",
		"Coffee is expensive. Switched to tea.":               "thing, self?",
		"My boss phoned. I was late. Overslept again.":        "My boss, self, self?",
		"我妈来电话了。搬到杭州了。":                                       "我妈, 我妈",
		"我姐昨天来过，怀孕了":                                          "我姐, 我姐",
		"三月开始学吉他":                                             "self?",
		"我老公出差了。我在家。睡得很晚":                                     "我老公, self, self?",
		"刚跟我妈打完电话，住院了":                                        "self?, self!",
		"小李来过，辞职了":                                            "小李, 小李",
		"王强说了，要搬家":                                            "王强, 王强",
		"猫死了。很难过":                                             "猫, 猫",
		"我家的狗跑了，找不到":                                          "我家的狗, 我家的狗",
		"有个同事离职了，去了深圳":                                        "有个同事, 有个同事",
		"你可以写长一点":                                             "listener",
		"她是护士，上夜班":                                            "another, another",
		"我爱吃辣，不喝酒":                                            "self, self?",
		"Milo昨晚走了":                                            "Milo",
	} {
		var got []string
		for _, s := range Find("", said) {
			one := s.Who.String()
			if s.Name != "" {
				one = s.Name
			}
			switch {
			case s.Unsure:
				one += "!"
			case s.Elided && s.Who == Self:
				one += "?"
			}
			got = append(got, one)
		}
		if all := strings.Join(got, ", "); all != want {
			t.Errorf("%s\ngot  %s\nwant %s", said, all, want)
		}
	}
}

// P5c: what another message said last is inherited with doubt, or surely where the verb shows it.
func TestSubjectsAfterAnotherMessage(t *testing.T) {
	for _, c := range []struct {
		before, said string
		who          Who
		unsure       bool
	}{
		{"My mum called.", "Has moved to Porto.", Another, false},
		{"My mum called.", "Moved to Porto.", Self, true},
		{"My mum called.", "Lost my keys.", Self, false},
		{"I like rain.", "Moved to Porto.", Self, false},
		{"我妈来电话了", "搬到杭州了", Self, true},
		{"我妈来电话了", "我搬到杭州了", Self, false},
	} {
		got := Find(c.before, c.said)[0]
		if got.Who != c.who || got.Unsure != c.unsure {
			t.Errorf("%s / %s: %+v", c.before, c.said, got)
		}
	}
}

func FuzzSubjects(f *testing.F) {
	f.Add("My mum called. Has moved", "Nube昨晚走了, and I — 我妈")
	f.Fuzz(func(t *testing.T, before, said string) {
		for _, s := range Find(before, said) {
			if s.Offset < 0 || s.Length <= 0 || s.Offset+s.Length > len(said) {
				t.Fatalf("%+v of %q", s, said)
			}
		}
	})
}

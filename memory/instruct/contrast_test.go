package instruct_test

import (
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/instruct"
)

// U3: a message that only contrasts the right value with a wrong one puts the item right that
// has it, and nothing else does.
func TestFindContrast(t *testing.T) {
	said := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC) // a Monday
	items := map[string]memory.Item{
		"bike":     {Type: memory.TypeFact, Content: "Rides a green Cube to work most days."},
		"son":      {Content: "Son Emil plays the clarinet in the school orchestra."},
		"boss":     {Content: "Boss is called Anders."},
		"sister":   {Content: "Sister is called Annabel."},
		"job":      {Content: "Is a paralegal."},
		"shoes":    {Content: "I wear a size 42 in running shoes."},
		"city":     {Content: "住在上海徐汇区"},
		"tram":     {Content: "每天坐13号线去上班"},
		"rule":     {Content: "每周三全家吃素"},
		"friend":   {Content: "我男朋友李勋在杭州读博"},
		"check-up": {Type: memory.TypeGoal, Content: "下周四（2026年3月12日）体检"},
		"dentist":  {Type: memory.TypeGoal, Content: "下周五下午（2026年3月13日）三点要带糖糖去看牙医"},
		"meeting":  {Type: memory.TypeGoal, Content: "Has a meeting with Bob tomorrow (3 March 2026) at 3pm."},
	}
	asked := 0 // for all items
	told := func(last string) (out instruct.Told) {
		var all []memory.Item
		for name, it := range items {
			it.ID, it.State = name, memory.StateActive
			if all = append(all, it); name == last {
				out.Last, out.Recent = []memory.Item{it}, []memory.Item{it}
			}
		}
		out.All = func() []memory.Item {
			asked++
			return all
		}
		out.Alike = func() []memory.Item { return all }
		return out
	}
	for _, c := range []struct{ message, last, item, old, now string }{
		{"wait no, teal. not green", "bike", "bike", "green", "teal"},
		{"correction, it's the oboe, not the clarinet. I always mix those up", "son", "son", "clarinet", "oboe"},
		{"Not a paralegal, a legal secretary, they're picky about that.", "job", "job", "paralegal", "legal secretary"},
		{"I said Anders yesterday, it's Andreas", "", "boss", "Anders", "Andreas"},
		{"43 actually", "shoes", "shoes", "42", "43"},
		{"不是徐汇，是静安区", "city", "city", "徐汇", "静安"},
		{"说错了，15号线", "tram", "tram", "13号线", "15号线"},
		{"上次说的不是周三，是周四", "", "rule", "周三", "周四"},
		{"it's Ann, not Annabel", "sister", "sister", "Annabel", "Ann"},
		{"名字我打错了，是李煦", "friend", "friend", "李勋", "李煦"},
		{"体检改到下周五了", "", "check-up", "下周四", "下周五"},
		{"看牙改到下周四上午十点了", "", "dentist", "下周五下午（2026年3月13日）三点", "下周四上午十点"},
		{"the meeting with Bob moved to Friday", "", "meeting", "tomorrow", "Friday"},
		{"the meeting with Bob is now on Friday at 4", "", "meeting", "tomorrow (3 March 2026) at 3pm", "Friday at 4"},

		// Named, and told long ago.
		{"the Cube is teal, not green", "", "bike", "green", "teal"},
		{"actually the Cube is teal", "", "bike", "green", "teal"},
		{"correction, it's the oboe, not the clarinet", "", "son", "clarinet", "oboe"},
		{"my neighbour's Cube is teal, not green", "", "", "", ""},
		{"the sofa is teal, not green", "bike", "", "", ""},
		{"she rides a teal Cube, not a green one", "", "", "", ""},

		{"the train goes to Berlin, not Bonn", "city", "", "", ""},
		{"use a list, not a map", "bike", "", "", ""},
		{"the wall should be red, not green", "bike", "", "", ""},
		{"is it teal, not green?", "bike", "", "", ""},
		{"teal, not green", "son", "", "", ""}, // of another message
		{"43 people came", "shoes", "", "", ""},
		{"not a paralegal anymore", "job", "", "", ""},
		{"The meeting moved to Friday because Tom is ill", "bike", "", "", ""}, // two things could be meant
	} {
		may := instruct.MayContrast(c.message, nil)
		asked = 0
		got, ok := instruct.FindContrast(c.message, told(c.last), said)
		if c.last != "" && c.item == c.last && asked > 0 || asked > 1 {
			t.Errorf("%s: all items were asked for %d times", c.message, asked)
		}
		if ok = ok && may; ok != (c.item != "") {
			t.Errorf("%s: found %v: %+v", c.message, ok, got)
			continue
		}
		if ok && (got.Item.ID != c.item || got.New != c.now || got.Old != c.old) {
			t.Errorf("%s: %s: %q for %q, want %s: %q for %q", c.message, got.Item.ID, got.New, got.Old, c.item, c.now, c.old)
		}
	}
}

// U4: "undo" alone takes back what was learned, inside other words it does not.
func TestTakesBack(t *testing.T) {
	for message, is := range map[string]bool{
		"undo": true, "Undo!": true, "take that back.": true, "撤销": true, "撤回！": true,
		"undo that": true, "oh no, undo that": true, "undo that in the refactoring": false, "git undo": false, "撤销这个提交": false, "": false,
	} {
		if instruct.TakesBack(message, nil) != is {
			t.Errorf("%q: want %v", message, is)
		}
	}
}

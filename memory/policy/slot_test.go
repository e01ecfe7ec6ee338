package policy

import (
	"slices"
	"testing"

	"memoria/memory"
)

// R13, P4: a key names its slot in both languages.
func TestSlotKeys(t *testing.T) {
	for _, c := range []struct{ key, also, never string }{
		{"preference/tea", "preference/茶", "preference/咖啡"},
		{"preference/茶", "preference/tea", "preference/茶叶"},
		{"fear/狗", "fear/dogs", "fear/cats"},
		{"relation/cat/name", "relation/猫/name", "relation/kitten/name"},
		{"relation/妈妈/preference/茶", "relation/mother/preference/tea", "relation/father/preference/tea"},
		{"goal/german", "goal/学德语", "goal/学法语"},
		{"goal/学游泳", "goal/learn-to-swim", "goal/swim-swim"},
		{"preference/coffee|tea", "preference/咖啡|茶", "preference/茶|咖啡"},
		{"relation/sister/name", "relation/sister/name", "relation/姐姐/name"},
		{"home", "home", "住"},
		{"note/0123456789ab", "note/0123456789ab", ""},
	} {
		keys := SlotKeys(c.key)
		if keys[0] != c.key || !slices.Contains(keys, c.also) || slices.Contains(keys, c.never) || len(keys) > maxSlotKeys {
			t.Errorf("%s: %q", c.key, keys)
		}
		if !SameSlot(c.key, c.also) || !SameSlot(c.also, c.key) || SameSlot(c.key, c.never) {
			t.Errorf("%s, %s and %s are not told apart", c.key, c.also, c.never)
		}
	}
}

// R13: what was rejected in one language is known again in the other.
func TestSayingsInTheOtherLanguage(t *testing.T) {
	sayings := func(s string) []string {
		found := New(Default()).Extract(s)
		if len(found) != 1 {
			t.Fatalf("%s: %+v", s, found)
		}
		return RefusalKeys(found[0].Item())
	}
	tea, cha, coffee := sayings("I like tea"), sayings("我喜欢茶"), sayings("我喜欢咖啡")
	meets := func(a, b []string) bool {
		return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
	}
	if !meets(tea, cha) || meets(tea, coffee) || meets(cha, sayings("I hate tea")) {
		t.Errorf("%q\n%q\n%q", tea, cha, coffee)
	}
}

// saidTwice are statements, what is said after them, and what becomes of it.
var saidTwice = []struct {
	before, now string
	want        Upsert
}{
	{"I have a cat.", "我养了一只猫", Update},
	{"我养了一只猫", "I have a cat.", Update},
	{"I have a cat.", "我养了一只狗", Insert},
	{"I live in Bonn", "我住在波恩", Update},
	{"我住在波恩", "I live in Berlin", Supersede},
	{"I live in Berlin", "我住在波恩", Supersede},
	{"I like tea", "我喜欢喝茶", Update},
	{"我喜欢喝茶", "I hate tea", Supersede},
	{"I like tea", "我讨厌喝茶", Supersede},
	{"I like tea", "我喜欢喝咖啡", Insert},
	{"I'm allergic to peanuts", "我对花生过敏", Update},
	{"My mother is a doctor", "我妈妈是医生", Update},
	{"我妈妈是医生", "My mother is a nurse", Supersede},
	{"My mother is a doctor", "我爸爸是医生", Insert},
	{"我是护士", "I work as a nurse", Update},
	{"I'm married", "我离婚了", Supersede},
	{"I'm afraid of dogs", "我怕狗", Update},
	{"I'm learning German", "我在学德语", Update},
	{"my birthday is May 3", "我的生日是5月3日", Update},
	{"My favourite colour is blue", "我最喜欢的颜色是蓝色", Update},
	{"我最喜欢的颜色是蓝色", "My favourite color is red", Supersede},
	{"I prefer tea over coffee", "比起咖啡我更喜欢茶", Update},
	{"I prefer tea over coffee", "比起茶我更喜欢咖啡", Supersede},
}

// R13, P4: a repeat in the other language confirms, a contradiction supersedes, another thing is another item.
func TestPlanUpsertInTheOtherLanguage(t *testing.T) {
	p := New(Default())
	item := func(s string) memory.Item {
		found := p.Extract(s)
		if len(found) != 1 {
			t.Fatalf("%s: %+v", s, found)
		}
		it := found[0].Item()
		it.ID = "1"
		return it
	}
	for _, c := range saidTwice {
		found := p.Extract(c.now)
		if len(found) != 1 {
			t.Fatalf("%s: %+v", c.now, found)
		}
		if got := p.PlanUpsert(found[0], []memory.Item{item(c.before)}); got.Action != c.want {
			t.Errorf("%q, then %q: %s, want %s (%s and %s)", c.before, c.now, got.Action, c.want, item(c.before).Key, found[0].Key)
		}
	}
}

func BenchmarkSlotKeys(b *testing.B) {
	for b.Loop() {
		SlotKeys("relation/cat/name")
	}
}

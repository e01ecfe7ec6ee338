package retrieve

import (
	"strings"
	"testing"
)

// Questions whose answer is stored under another word ask for that word, too.
func TestAsked(t *testing.T) {
	for message, want := range map[string]string{
		"我叫什么？": "名字", "我叫什么呀": "名字", "我是谁": "名字", "你知道我是谁吗？": "名字", "我 叫 什麼？": "名字", "Hi! Who am I?": "name",
		"do you know who I am?": "name", "我住哪": "home", "我住在哪里？": "home", "Where do I live?": "住", "where do i live now": "address",
		"我几岁了": "年龄", "我多大？": "岁", "how old am I": "birthday", "我是做什么的？": "工作", "When was I born?": "生日",
		"tell me about my family": "关系", "我家里有谁": "relationship", "who do I live with?": "flatmate", "我跟谁一起住": "室友",
		"what car do I drive": "车", "我开什么车": "car", "我开啥车": "car", "咋去上班": "bus", "我穿多大的鞋": "shoe", "who are my children": "儿子",
		"what medication do I take": "tablet", "我吃啥药": "tablet", "am I married": "husband", "how much do I owe": "借", "我家有几只宠物": "cat",
	} {
		q := Analyse(message, "")
		if !strings.Contains(strings.Join(q.Asked, " "), want) || q.Empty() {
			t.Errorf("%q asks for %q, want %q among them", message, q.Asked, want)
		}
	}
	for _, message := range []string{
		"我叫什么外卖好", "我是谁的粉丝", "who am I to judge", "我多大程度上对", "你叫什么？", "how old is Bo", "", "我叫小博",
	} {
		if q := Analyse(message, ""); len(q.Asked)+len(q.AskedWords)+len(q.AskedGrams) > 0 {
			t.Errorf("%q asks for %q", message, q.Asked)
		}
	}
	if got := Analyse("我叫什么名字", "").Asked; strings.Contains(strings.Join(got, " "), "名字") {
		t.Errorf("asked for a word that the message has: %q", got)
	}
	for _, a := range asks() {
		if len(a.words) == 0 || len(a.grams) == 0 {
			t.Errorf("%q is not in both languages", a.under)
		}
		for _, f := range a.forms {
			if q := Analyse(strings.NewReplacer("$", "", medicines, "warfarin").Replace(f), ""); len(q.AskedWords) == 0 {
				t.Errorf("%q does not find itself", f)
			}
		}
		for _, g := range a.grams {
			if n := len([]rune(g)); n > 2 {
				t.Errorf("%q is no gram: it has %d characters", g, n)
			}
		}
	}
}

// R4: in a scan, too, one of the words is a full answer.
func TestShareOfAsked(t *testing.T) {
	for _, c := range []struct{ message, said string }{
		{"我叫什么？", "名字叫小博"}, {"我叫什么？", "Name is Bo."}, {"who am I?", "名字叫小博"}, {"how old am I", "30岁"},
	} {
		if m := Share(Analyse(c.message, ""), c.said); m.Keyword != 1 || !m.Own || !m.Distinctive {
			t.Errorf("Share(%q; %q) = %+v", c.message, c.said, m)
		}
	}
	if m := Share(Analyse("我叫什么？", ""), "喜欢喝茶"); m.Keyword != 0 || m.Own {
		t.Errorf("%+v", m)
	}
}

// A single character that names a kind is found at the end of a word.
func TestSingles(t *testing.T) {
	for _, c := range []struct {
		message, said string
		want          bool
	}{
		{"我喜欢什么茶？", "喜欢喝乌龙茶", true}, {"茶", "红茶", true}, {"我的貓", "养了一只小猫", true}, {"车", "买了自行车", true},
		{"我妈", "妈妈住在杭州", true}, {"茶", "换了茶几", false}, {"车", "住在车站旁边", false}, {"轮胎没气了", "今天的天气", false},
		{"海", "住在上海", false}, {"好", "他很友好", false}, {"的", "有的", false},
	} {
		q := Analyse(c.message, "")
		if got := len(q.Singles) > 0 && endsWithSingle(c.said, q.Singles); got != c.want {
			t.Errorf("%q in %q: %v, singles %q", c.message, c.said, got, q.Singles)
		}
		// A scan is looser: it finds Chinese wherever it stands.
		if m := Share(q, c.said); c.want && !m.Own {
			t.Errorf("Share(%q; %q) = %+v", c.message, c.said, m)
		}
	}
}

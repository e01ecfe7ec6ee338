package chat_test

import (
	"strings"
	"testing"
)

// R3a: a question about a person finds memories by the name and by the relation. Memories about the mother do not answer a
// question about the father. If a memory has the age, home or name that is asked for, only such memories are quoted.
func TestQuestionsOfNamedPeople(t *testing.T) {
	t.Parallel()
	type ask struct{ asked, has, hasNo string }
	for _, told := range []struct {
		said []string
		asks []ask
	}{
		{[]string{
			"my partner is called Davie", "my partner works at City Building", "my daughter is called Isla", "isla is 5 and rory is 9",
			"my daughter likes painting", "my mum likes gin", "i like tea", "my sister lives in York", "my son likes judo",
			"my name is nadia", "my boss is called Kenny", "mums scan is on 9 december at 2pm",
		}, []ask{
			{"where does davie work", "City Building", "Isla"},
			{"whats my mans name", "Davie", "nadia"},
			{"how old is my daughter", "Isla is 5", "painting"},
			{"what does isla like", "painting", "tea"},
			{"what does my dad like", "", "gin"},
			{"what does my brother like", "", "tea"},
			{"where does my brother live", "", "York"},
			{"whats the name of my boss", "Kenny", "nadia"},
			{"whats coming up", "scan", "Kenny"},
			{"what's on", "scan", "Kenny"},
			{"whats my mums name", "", "nadia"},
			{"when's islas scan", "", "9 december"},
			{"where are we going on holiday", "", "scan"},
			{"does maisie like anything", "", "tea"},
			{"whats 15 times 12", "", "scan"},
			{"where does davies brother work", "", "City Building"},
			{"were going to millport on 10 july for a week", "", "scan"},
		}},
		{[]string{
			"我老公叫何俊", "老公在地铁公司上班", "我平时喜欢喝冰美式", "我爸喜欢喝茅台", "我有个女儿叫糖糖", "糖糖5岁", "我女儿喜欢画画",
			"我弟在深圳上班", "我妈12月9号复查",
		}, []ask{
			{"何俊在哪上班", "地铁公司", "深圳"},
			{"我妈喜欢啥", "", "茅台"},
			{"豆豆喜欢啥", "", "冰美式"},
			{"我爸身体咋样", "", "复查"},
			{"我妹喜欢啥", "", "冰美式"},
			{"糖糖喜欢啥", "画画", "茅台"},
			{"女儿几岁了", "5岁", "画画"},
			{"我哥在哪上班", "", "深圳"},
			{"我妈好久复查", "12月9号", "糖糖"},
			{"你咋知道我喜欢冰美式", "平时喜欢喝冰美式", "茅台"},
		}},
	} {
		h := offline(t, nil)
		for _, s := range told.said {
			h.tell(s)
			h.settle()
		}
		for _, q := range told.asks {
			answer := h.tell(q.asked).Record.Content
			if !strings.Contains(answer, q.has) || q.hasNo != "" && strings.Contains(answer, q.hasNo) {
				t.Errorf("%q is answered %q", q.asked, answer)
			}
		}
	}
}

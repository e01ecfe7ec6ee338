package sensitive_test

import (
	"testing"

	"memoria/memory/policy/sensitive"
)

// P5a: words of the table inside other words, and words with a harmless meaning, are not sensitive.
func TestInsideOtherWords(t *testing.T) {
	for _, s := range []string{
		"我同事比我小三岁", "她妹妹在绵阳开理发店，比她小三岁", "我儿子小三了，九月上小三下学期", "我弟弟比我小三个月", "我老公做爱吃的红烧肉给我",
		"我意外遇到了老同学", "这是给女性爱好者的群", "我的女同桌是医生", "我女儿在拉拉队", "我家是小产权房", "我喜欢一流产品", "公司投产后我升职了",
		"年轻人流行这个", "我十点就上床了", "我喜欢随性生活",
		"I want to run a 10k for st gemmas hospice in may", "my eldest is a midwife", "Eldest is a midwife.", "she works as a midwife in Hull", "I drive a 2 hour each way",
		"it's a 20 minute drive", "I did 3 laps at st johns", "I swim 20 lengths for st marys school",
	} {
		if found := sensitive.Find(s); len(found) > 0 {
			t.Errorf("%q: %+v", s, found)
		}
		for _, p := range sensitive.PII(s) {
			t.Errorf("%q: %+v", s, p)
		}
	}
	for s, class := range map[string]string{
		"我老公外面有小三": "sex life", "我们昨晚做爱了": "sex life", "我老婆出柜了": "sex life", "我做过人流": "pregnancy", "我去年流产了": "pregnancy",
		"I saw my midwife on Monday": "pregnancy", "I live at 12 Baker St": "address", "I live at 12b Mile End Road": "address",
	} {
		if found := sensitive.Find(s); len(found) == 0 || found[0].Class != class {
			t.Errorf("%q: %+v, want %s", s, found, class)
		}
	}
}

package dating

import (
	"testing"
	"time"
)

var friday = time.Date(2026, time.November, 27, 9, 0, 0, 0, time.UTC)

// P9a: a weekday of every week gets no date, one that somebody will do something on the coming one.
func TestWords(t *testing.T) {
	for words, want := range map[string]string{
		"我的书店周一休息":                          "我的书店周一休息",
		"我们店周日不营业":                          "我们店周日不营业",
		"朵朵周三有课":                            "朵朵周三有课",
		"我老公出差了，去西安，周日回来":                   "我老公出差了，去西安，周日（2026年11月29日）回来",
		"小姨周三晚上到成都":                         "小姨周三晚上（2026年12月2日）到成都",
		"周三去看了电影":                           "周三（2026年11月25日）去看了电影",
		"朵朵周二回来了":                           "朵朵周二（2026年11月24日）回来了",
		"去年开的店":                             "去年（2025年）开的店",
		"Started a new course in September": "Started a new course in September (September 2026)",
		"I moved here in March":             "I moved here in March (March 2026)",
		"Works at Google in March":          "Works at Google in March",
		"Swims every Sunday":                "Swims every Sunday",
	} {
		if got := Words(words, friday, time.UTC, false); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
}

// What is over or of every week is no plan.
func TestPlans(t *testing.T) {
	for words, want := range map[string]bool{
		"I go swimming evry sunday":           false,
		"I go swimming every Sunday":          false,
		"I started a new course in september": false,
		"I moved here in March":               false,
		"They moved my exam to Friday":        true,
		"My brother visits on Saturday":       true,
		"My exam is in March":                 true,
		"我的书店周一休息":                            false,
		"周日上班":                                false,
		"周日回来":                                true,
		"下周一休息":                               true,
		"这周日小姨来家里吃饭":                          true,
		"下下周六要带妈妈去做体检":                        true,
	} {
		if got := Plans(words, friday, time.UTC); got != want {
			t.Errorf("%s: %v", words, got)
		}
	}
}

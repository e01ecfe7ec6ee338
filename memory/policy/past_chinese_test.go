package policy_test

import (
	"strings"
	"testing"
)

// said is a message with what is remembered of it: each text of want, none of never.
type said struct{ message, want, never string }

func checkSaid(t *testing.T, cases []said) {
	t.Helper()
	for _, c := range cases {
		var got []string
		for _, f := range newPolicy().Teaches(c.message) {
			got = append(got, f.Key+" "+f.Content)
		}
		all := strings.Join(got, "\n")
		for _, w := range strings.Fields(c.want) {
			if !strings.Contains(all, w) {
				t.Errorf("%s: %s is not in %q", c.message, w, all)
			}
		}
		for _, w := range strings.Fields(c.never) {
			if strings.Contains(all, w) {
				t.Errorf("%s: %s is in %q", c.message, w, all)
			}
		}
	}
}

// P4: what was so before fills no slot of the present.
func TestPastInChinese(t *testing.T) {
	checkSaid(t, []said{
		{"以前我在新华书店上班，干了十年", "新华书店", "job"},
		{"我做过五年编辑", "编辑", "job"},
		{"我当过三年老师", "", "job"},
		{"我之前在出版社当编辑", "出版社", "job"},
		{"我曾经是记者，跑了八年社会新闻", "记者", "job"},
		{"我在北京待过，住了五年", "", "home"},
		{"我以前是护士，现在是店长", "职业是店长", "职业是护士"},
		{"以前我当老师，后来开了家书店", "书店", "job"},
		{"我在成都开了家书店，叫拾光书屋", "书店", "name"},
		{"我大学是四川大学毕业的", "school", "study"},
		{"我大学学的中文", "study", "school"},
		// as before
		{"我干了十年编辑", "job", ""},
		{"我是店长", "job", ""},
		{"我住成都，住了五年了", "home", ""},
		{"我叫林小雨，在成都开书店", "name", ""},
		{"我在新华书店上班", "job/employer", ""},
		{"我毕业于四川大学", "school", ""},
	})
}

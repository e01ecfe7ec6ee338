package policy_test

import (
	"strings"
	"testing"

	"memoria/memory/policy/subject"
)

// P5c: what a Chinese message says of several people is remembered of the right one.
func TestFamilyInChinese(t *testing.T) {
	checkSaid(t, []said{
		{
			"我老公叫陈建国在一家设计院上班女儿叫陈朵朵今年八岁上二年级家里还有只橘猫叫芝麻",
			"老公叫陈建国 老公在一家设计院上班 女儿叫陈朵朵 女儿八岁 女儿上二年级 橘猫叫芝麻", "said/",
		},
		{"我老公叫陈建国，女儿叫陈朵朵", "老公叫陈建国 女儿叫陈朵朵", "said/"},
		{"我妈喜欢打麻将，我爸喜欢钓鱼，她最爱吃鱼", "妈最爱吃鱼", "爸最爱吃鱼"},
		{"我妈喜欢打麻将，我爸喜欢钓鱼，他最爱吃鱼", "爸最爱吃鱼", "妈最爱吃鱼"},
		{"我老公在设计院上班，她是医生", "", "老公是医生"},
		{"我女儿朵朵九岁了", "relation/女儿/age 女儿朵朵九岁", "said/"},
		{"我女儿朵朵的生日是3月18号", "relation/女儿/birthday", "said/"},
		{"我妈今年66了", "relation/妈妈/age", ""},
		{"我女儿朵朵下个月就九岁了", "", "relation/女儿/age"},
		// about others
		{"我女儿同学九岁了", "", "relation/女儿/age"},
		{"我女儿同桌喜欢画画", "", "relation/女儿/preference"},
		{"我同事老婆生了，女儿叫小月", "", "relation/女儿"},
	})
}

// A given name names somebody whose whole name is known.
func TestGivenName(t *testing.T) {
	people := subject.People("女儿叫陈朵朵")
	for message, want := range map[string]string{
		"朵朵九岁了":       "女儿朵朵九岁",
		"朵朵生日是3月18号":  "女儿朵朵的生日是3月18号",
		"陈朵朵最喜欢吃糖醋排骨": "女儿陈朵朵最喜欢吃糖醋排骨",
		"朵朵说她不想去":     "",
	} {
		var got []string
		for _, c := range newPolicy().Teaches(message, people...) {
			got = append(got, c.Content)
		}
		if all := strings.Join(got, "\n"); all != want {
			t.Errorf("%s: %q, want %q", message, all, want)
		}
	}
}

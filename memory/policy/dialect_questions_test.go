package policy_test

import "testing"

// P3: what is asked in the dialect of Wuhan is no statement, also without a question mark.
func TestDialectQuestionsTeachNothing(t *testing.T) {
	for _, message := range []string{
		"我屋里还有米啵", "我女儿在店里啵", "我吃么血压药", "我老婆叫么名字", "我几时去复查", "我搬家了冇", "我开么车", "我妈来冇", "我礼拜六要搞么事",
	} {
		for _, c := range newPolicy().Teaches(message) {
			if !c.OnlyEnds() {
				t.Errorf("%s: %s", message, c.Content)
			}
		}
	}
	checkSaid(t, []said{
		{"我屋里冇得狗", "冇得狗", ""},
		{"我冇结婚，一个人住", "一个人住", ""},
		{"我要么吃面要么吃粉，不吃辣", "辣", ""},
	})
}

// P2, P5c: names of those who work for the user, and not whoever begins to do something there.
func TestStaffByName(t *testing.T) {
	checkSaid(t, []said{
		{"我店里有两个徒弟 小孙和阿伟", "徒弟叫小孙 徒弟叫阿伟", ""},
		{"我们店里收了三个学徒、小方、小金、大龙", "学徒叫小方 学徒叫小金 学徒叫大龙", ""},
		{"厂里又来了个新同事叫小丁", "同事叫小丁", ""},
		{"班上有两个学生 打架了", "", "学生叫 relation/"},
		{"我想招两个徒弟 小孙和阿伟", "", "徒弟叫"},
		{"我儿子不叫我爸 叫他老头", "", "儿子叫"},
		{"我老婆不叫外卖 叫我做饭", "", "老婆叫"},
		{"女儿的名字不是可馨，是可欣", "女儿叫可欣", "可馨"},
		{"老婆高兴坏了 在家里唱歌", "", "老婆叫"},
	})
}

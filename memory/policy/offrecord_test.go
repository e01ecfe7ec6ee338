package policy

import "testing"

// U5: who asks that nothing of a message be kept is understood in many words, and words like them are not mistaken for it.
func TestOffRecord(t *testing.T) {
	p := New(Default())
	for _, s := range []string{
		"keep this out of your notes: I snore", "I'm moving out, but don't go noting that down", "strictly between us, I hate my job",
		"nothing in this message should be saved", "no need to remember this one, I sold my bike", "this isn't for the record",
		"I'd rather you didn't store that", "i dyed my hair lol dont save that",
		"这条别往记忆里写，我打呼噜", "我换工作了，这句千万别记", "下面的话不要留存：我离婚了", "我想辞职，你可别存", "本条消息请勿记录",
		"这话你别记啊：我婆婆欠了我弟弟五万块一直没还", "我弟弟叫林小峰，在绵阳开出租车，这个不用记", "我妈说她要做手术，这个别记",
		"My sister told me she's pregnant, don't keep that", "off the record: my boss is leaving",
		"off the record i bought a bag for 380", "between us i bought a bag", "just between you and me my boss is leaving",
		"dont keep this but i bought a bag", "dont write this down i got the sack", "strictly off the record we're broke",
		"别记这个 我昨天偷偷买了个包 3800 莫让老公晓得", "我昨天买了个包 3800 别记", "这话莫记 我想离婚", "莫记 我妈说她要做手术", "别记 我辞职了",
	} {
		if !p.OffRecord(s) {
			t.Errorf("%q asks that nothing be kept", s)
		}
	}
	for _, s := range []string{
		"don't save this as a PDF, I need a spreadsheet", "is 'off the record' binding?", "never mind", "forget it", "I don't remember this song",
		"my boss said: this stays between us", "don't save me a seat", "forget-me-nots are blue", "don't remember people's birthdays",
		"老师说这个不用记", "老师说，这个不用记", "my teacher told us, don't write this down", "老师说 这个不用记", "这个不用记 老师说的", "莫让他晓得",
		"between us we have three kids", "the off the record briefing was dull", "what i said off the record i regret", "my bank dont keep this open",
		"文件不要保存成表格", "怎么让浏览器别保存密码", "算了，当我没说", "别存盘",
	} {
		if p.OffRecord(s) {
			t.Errorf("%q says nothing about the memory", s)
		}
	}
}

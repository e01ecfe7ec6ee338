package subject

import "testing"

// A Chinese sentence without punctuation is cut where it goes on about somebody else, or says another thing of
// somebody just named.
func TestPauses(t *testing.T) {
	for said, want := range map[string]string{
		"我老公叫陈建国在一家设计院上班女儿叫陈朵朵今年八岁上二年级家里还有只橘猫叫芝麻": "我老公叫陈建国，在一家设计院上班，女儿叫陈朵朵，今年八岁，上二年级，家里还有只橘猫叫芝麻",
		"我妈叫王芳女儿叫小月":        "我妈叫王芳，女儿叫小月",
		"妈妈叫啥来着哦对她叫周桂芳，65岁": "妈妈叫啥来着，哦对，她叫周桂芳，65岁",
		// as they are
		"我老公叫陈建国，女儿叫陈朵朵": "我老公叫陈建国，女儿叫陈朵朵",
		"我老公和女儿叫了外卖":     "我老公和女儿叫了外卖",
		"我大女儿叫小月":        "我大女儿叫小月",
		"我老公在陪女儿写作业":     "我老公在陪女儿写作业",
		"我妹妹的女儿叫小月":      "我妹妹的女儿叫小月",
		"我老公叫女儿在家等":      "我老公叫女儿在家等",
		"I have a cat":   "I have a cat",
	} {
		told := pauses(said)
		if told.Text != want {
			t.Errorf("%s: %s", said, told.Text)
		}
		if lo, n := told.Said(0, len(told.Text)); lo != 0 || n != len(said) {
			t.Errorf("%s: %d bytes from %d", said, n, lo)
		}
	}
}

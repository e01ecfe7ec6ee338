package instruct_test

import (
	"testing"

	"memoria/memory/instruct"
)

// U2: an order that nothing is to be deleted is none to delete, whatever its words; others are no such order.
func TestSpares(t *testing.T) {
	t.Parallel()
	for said, what := range map[string]string{
		"dont delete that": "", "no, dont forget that": "", "keep it": "", "ok keep that please": "", "i didnt mean to delete that": "", "don't delete anything": "",
		"dont delete my address": "address", "please do not erase the dentist": "dentist",
		"哎呀 我说错了 刚才那条不要删": "", "别删": "", "不要删了": "", "那条莫删": "", "刚才那条别忘了": "", "先别删": "", "还是留着吧": "",
		"别删牙医那条": "牙医那条", "牙医那条不要删": "牙医那条", "我的住址别删": "我的住址",
	} {
		got, ok := instruct.Spares(said, nil)
		if !ok || got != what {
			t.Errorf("%q: %v %q, want %q", said, ok, got, what)
		}
		if in, ok := instruct.Read(said, nil); ok && in.Kind == instruct.Forget {
			t.Errorf("%q is taken for an order to delete %q", said, in.Object)
		}
	}
	for _, said := range []string{
		"don't forget mums birthday", "don't remember that", "dont keep that", "keep it short", "keep it between us", "why dont you delete my address", "keep that in french",
		"别忘了我对花生过敏", "我的住址能不能删掉", "那条要不要删", "别记这个", "把那条删了", "不要的都删掉", "我不用了 删掉吧", "留着备用的钥匙在桌上",
	} {
		if what, ok := instruct.Spares(said, nil); ok {
			t.Errorf("%q is taken for an order to keep %q", said, what)
		}
	}
}

package chat_test

import (
	"strings"
	"testing"

	"memoria/memory/recall"
	"memoria/memory/retrieve"
)

// U5, U2: a message of which nothing is to be kept stays readable in the history, and is in no window, proof,
// offline quote, title or search for the model.
func TestOffRecordIsNotForMemory(t *testing.T) {
	noRace(t)
	t.Parallel()
	for _, c := range []struct{ said, asked, secret string }{
		{"这话你别记啊：我婆婆欠了我弟弟五万块一直没还", "你知道我婆婆欠钱的事吗", "五万"},
		{"我弟弟叫林小峰，在绵阳开出租车，这个不用记", "我弟弟是做什么的", "绵阳"},
		{"这个你别记：我准备偷偷辞职", "我说过辞职的事吗？", "偷偷"},
		{"off the record: my mother-in-law owes my brother fifty dollars", "did I say what my mother-in-law owes my brother?", "fifty"},
		{"My brother drives a taxi in Leeds, don't keep that", "where does my brother drive a taxi?", "Leeds"},
		{"别记这个 我昨天偷偷买了个包 3800 莫让老公晓得", "我买包花了多少钱", "3800"},
		{"off the record i bought a bag for 380", "how much was the bag?", "380"},
		{"between us, my brother drives a taxi in Leeds", "where does my brother drive a taxi?", "Leeds"},
	} {
		h := offline(t, nil)
		wantHas(t, h.tell(c.said).Record.Content, map[bool]string{true: "不会被记住", false: "Nothing from this message"}[han(c.said)])
		wantUnquoted(t, h, c.asked, c.secret)
	}
}

// P5a: what waits for approval is not quoted from its message either; an answer says that it waits.
func TestHeldIsNotQuoted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ said, asked, secret string }{
		{"I owe Pauline 300 quid", "how much do I owe Pauline?", "300"},
		{"我有糖尿病，每天打胰岛素", "我有什么病？", "胰岛素"},
	} {
		h := offline(t, nil)
		h.tell(c.said)
		wantHas(t, h.tell(c.asked).Record.Content, map[bool]string{true: "在等你确认", false: "for your approval"}[han(c.asked)])
		wantUnquoted(t, h, c.asked, c.secret)
	}
}

// P5a: a message with a secret is quoted for nothing.
func TestSecretIsNotQuoted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ said, asked, secret string }{
		{"我的支付宝密码是Xy880318", "我弟弟是做什么的", "Xy880318"},
		{"我弟弟的支付宝密码是Xy880318", "我弟弟的支付宝怎么了？", "Xy880318"},
		{"my brother's wifi password is Xy880318", "what did I say about my brother's wifi?", "Xy880318"},
	} {
		h := offline(t, nil)
		h.tell(c.said)
		wantUnquoted(t, h, c.asked, c.secret)
	}
}

// wantUnquoted fails if an answer, the evidence for it or the search for models has a secret of an earlier message, or
// if the user's own search has not.
func wantUnquoted(t *testing.T, h *house, asked, secret string) {
	t.Helper()
	ctx := t.Context()
	h.fresh()
	h.settle()
	end := h.tell(asked)
	wantNot(t, end.Record.Content, secret)
	wantNot(t, evidenceOf(h.pkg(end.Record.TurnID)), secret)
	for _, trigger := range []string{retrieve.TriggerProof, retrieve.TriggerSparse, retrieve.TriggerMentioned} {
		e, err := h.manager.Recall().FindEvidence(ctx, luna, recall.EvidenceQuery{Text: asked, Trigger: trigger, Except: end.Record.ID})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range e.Quotes {
			wantNot(t, trigger+": "+q.Record.Content, secret)
		}
	}
	found, err := h.manager.Recall().SearchMemories(ctx, luna, recall.MemoryQuery{Keyword: secret, Items: 5, Messages: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range found.Messages {
		wantNot(t, "search: "+m.Record.Content, secret)
	}
	page, err := h.manager.Recall().SearchArchive(ctx, luna, recall.ArchiveQuery{Text: secret, Limit: 5})
	if err != nil || len(page.Hits) == 0 {
		t.Errorf("the history has no %q: %v", secret, err)
	}
	sessions, _, err := h.manager.Lookup().Sessions(ctx, luna, 10, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		wantNot(t, "title: "+s.Title, secret)
	}
}

func han(s string) bool { return strings.ContainsFunc(s, func(r rune) bool { return r > 0x2e80 }) }

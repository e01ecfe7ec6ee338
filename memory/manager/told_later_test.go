package manager_test

import (
	"slices"
	"testing"

	"memoria/memory/lookup"
	"memoria/memory/manager"
)

// waiting returns the contents of what waits in the inbox.
func waiting(t testing.TB, m *manager.Manager) (out []string) {
	t.Helper()
	for _, it := range must(m.Lookup().Inbox(t.Context(), luna, 50, 0))(t).Items {
		out = append(out, it.Content)
	}
	return out
}

// P4, P5a: what people say later, in other words, ends and replaces what they told before, also what waits in the inbox.
func TestToldLater(t *testing.T) {
	noRace(t)
	for _, c := range []struct {
		said []string
		now  []string
		held []string // in the inbox
	}{
		// What waits ends with what it is about.
		{said: []string{"i owe ola 50 quid", "i paid ola back"}},
		{said: []string{"i have a bad knee", "my knee is better"}},
		{said: []string{"i have a bad knee", "my knee is better than yours"}, held: []string{"Has a bad knee."}},
		{said: []string{"i have migraines", "migraines are gone now"}},
		{said: []string{"我欠阿强500块", "阿强的钱还清了"}},
		{said: []string{"我有偏头痛", "偏头痛好了"}},
		{said: []string{"i take amlodipine", "i changed amlodipine to ramipril"}, held: []string{"Takes ramipril."}},
		{said: []string{"i take amlodipine", "my doctor switched me from amlodipine to ramipril"}, held: []string{"Takes ramipril."}},
		{said: []string{"我在吃氨氯地平", "医生把氨氯地平换成缬沙坦了"}, held: []string{"吃缬沙坦"}},

		{said: []string{"i take sertraline 50mg", "doctor put me on fluoxetine instead of sertraline"}, held: []string{"Takes fluoxetine."}},
		{said: []string{"我在吃二甲双胍", "我改用胰岛素了"}, held: []string{"用胰岛素"}},
		{said: []string{"我老公在吃降压药", "老公的降压药停了"}},
		{said: []string{"我欠老王2000块", "老王的钱我还了"}},

		// Visits and trips that come to nothing.
		{said: []string{"mum comes to visit on 28 november", "mum cannot come, she is sick"}},
		{said: []string{"my brother Tom is coming on saturday 5 december", "tom can't make it"}, now: []string{"Brother is called Tom."}},
		{said: []string{"we fly to poland on 20 december", "trip is cancelled, mum comes to us"}},
		{said: []string{"我们12月20号飞三亚", "旅行取消了"}},

		{said: []string{"my friend Ola visits us on 5 december", "ola cancelled, she has flu"}},

		// Another day, counted from the first.
		{said: []string{"i have hairdresser on 1 december at 3pm", "hairdresser is moved one week later"}, now: []string{"Hairdresser 8 December (8 December 2026) at 3pm."}},
		{said: []string{"i have dentist on 2 december", "the dentist got pushed back by two days"}, now: []string{"Dentist 4 December (4 December 2026)."}},
		{said: []string{"i have dentist on 9 december", "they brought the dentist forward a week"}, now: []string{"Dentist 2 December (2 December 2026)."}},
		{said: []string{"我12月2号看牙医", "看牙医推迟一周"}, now: []string{"我12月9号（2026年12月9日）看牙医"}},
		{said: []string{"我12月12号体检", "体检提前三天"}, now: []string{"12月9号（2026年12月9日）体检"}},
		{said: []string{"i have dentist on 2 december at 10am", "dentist is on 2 december at 10:00"}, now: []string{"Dentist 2 december (2 December 2026) at 10am."}},
		{said: []string{"i finish at 4pm now", "i finish at 16:00 now"}, now: []string{"Finishes at 4pm now."}},

		{said: []string{"i have hairdresser on 1 december at 3pm", "the hairdresser called, it's a week later"}, now: []string{"Hairdresser 8 December (8 December 2026) at 3pm."}},
		{
			said: []string{"parents evening is on thursday 3 december at 6pm", "parents evening is postponed by a week"},
			now:  []string{"Parents evening on 10 December (10 December 2026) at 6pm."},
		},
		{said: []string{"家长会12月3号晚上六点", "家长会推迟一周"}, now: []string{"家长会12月10号晚上（2026年12月10日）六点"}},

		{
			said: []string{"car at the garage for mot on friday 4 december", "the mot's been moved to monday 7 december"},
			now:  []string{"Car at the garage for mot on monday 7 december (7 December 2026)."},
		},

		// What the user's people give up.
		{said: []string{"my son alfie goes to karate on tuesdays", "alfie packed in karate"}, now: []string{"Son Alfie packed in karate.", "Son is called Alfie."}},
		{said: []string{"my daughter goes to brownies on mondays", "she's given up brownies"}},
		{said: []string{"my gran goes to bingo every friday", "gran doesn't go to bingo now her hip's gone"}},

		// Staying ends the plan to move, and is no move.
		{said: []string{"I live in Leeds", "we are moving to York in january", "I'm staying in Leeds after all"}, now: []string{"Lives in Leeds."}},
		{said: []string{"I live in Oslo.", "I'm staying in Leeds after all"}, now: []string{"Lives in Oslo."}},
		{said: []string{"我住在成都", "我打算明年搬到重庆", "还是留在成都，不搬了"}, now: []string{"住在成都"}},

		{said: []string{"I live in Leeds", "i want to move to Spain next year", "we decided to stay in Leeds"}, now: []string{"Lives in Leeds."}},

		// Names go on.
		{
			said: []string{"my sister beata lives in gdansk", "my sister lives in berlin now"},
			now:  []string{"Sister Beata lives in berlin.", "Sister is called Beata."},
		},
		{said: []string{"浩然在学打篮球", "浩然不打篮球了 现在学游泳"}, now: []string{"浩然学游泳"}},
		{said: []string{"我儿子叫浩然", "浩然不打篮球了 现在学游泳"}, now: []string{"儿子叫浩然", "浩然学游泳"}},
		{said: []string{"我闺女叫朵朵", "朵朵不学跳舞了 改学画画"}, now: []string{"朵朵学画画", "闺女叫朵朵"}},
		{said: []string{"my son tomek studies engineering in sheffield", "tomek quit uni"}, now: []string{"Son is called Tomek."}},
		{
			said: []string{"my dog is called Burek", "burek goes to the vet on 3 december"},
			now:  []string{"Burek goes to the vet on 3 december (3 December 2026).", "Dog is called Burek."},
		},
		{said: []string{"my daughter is called Kasia", "kasia doesn't play tennis any more"}, now: []string{"Daughter is called Kasia."}},
		{said: []string{"面粉涨价了 从100一袋涨到120"}, now: []string{"面粉涨到120"}},

		// What is to be remembered was said before.
		{
			said: []string{"the spare key is under the blue pot", "remember that cos i always get it wrong"},
			now:  []string{"The spare key is under the blue pot."},
		},
		{said: []string{"车位在B2的317", "记住这个，我老是忘"}, now: []string{"车位在B2的317"}},

		// A place of work is no illness.
		{said: []string{"my new job is in the hospital"}, now: []string{"My new job is in the hospital."}},
		{said: []string{"i got a new job in hospital as a cleaner"}, now: []string{"I got a new job in hospital as a cleaner."}},
		{said: []string{"I am in hospital with a broken leg"}, held: []string{"I am in hospital with a broken leg."}},
	} {
		t.Run(c.said[len(c.said)-1], func(t *testing.T) {
			m, _ := open(t)
			session := ""
			for _, s := range c.said {
				turn, _ := say(t, m, luna, session, s)
				session = turn.Session.ID
			}
			if got := activeContents(t, m); !slices.Equal(got, append([]string{}, c.now...)) {
				t.Errorf("got %q, want %q", got, c.now)
			}
			if got := waiting(t, m); !slices.Equal(got, c.held) {
				t.Errorf("held %q, want %q", got, c.held)
			}
		})
	}
}

// P4: an end of what waited in the inbox can be undone.
func TestEndOfHeldUndone(t *testing.T) {
	m, _ := open(t)
	say(t, m, luna, "", "i have a bad knee")
	turn, changes := say(t, m, luna, "", "my knee is better")
	if len(changes) != 1 {
		t.Fatalf("%+v", changes)
	}
	must(m.Learning().UndoTurn(t.Context(), luna, turn.Record.TurnID))(t)
	if got := waiting(t, m); len(got) != 1 {
		t.Errorf("held %q", got)
	}
	if got := must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true}))(t); len(got.Items) != 1 {
		t.Errorf("items %q", contents(got.Items))
	}
}

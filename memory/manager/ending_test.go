package manager_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
)

// P4: what has ended ends, says how, and can be undone.
func TestStatementEnds(t *testing.T) {
	noRace(t)
	for _, c := range []struct {
		known []string
		said  string
		now   []string // active afterwards
	}{
		{[]string{"I work at Tesco."}, "I no longer work at Tesco", nil},
		{[]string{"I work at Tesco."}, "I don't work at Tesco any more", nil},
		{[]string{"I work at Tesco."}, "I no longer work at Aldi", []string{"Works at Tesco."}},
		{[]string{"I live in Leeds."}, "I don't live in Leeds any more", nil},
		{[]string{"I'm learning Welsh"}, "I've stopped learning Welsh", nil},
		{[]string{"I'm learning Welsh"}, "I've stopped learning Irish", []string{"Is learning Welsh."}},
		{[]string{"We bought a campervan"}, "I sold the campervan", nil},
		{[]string{"We bought a campervan"}, "Sold the campervan last week", nil},
		{[]string{"I want to run a marathon in 2027"}, "I finished the marathon!", nil},
		{[]string{"My girlfriend is called Anna."}, "We broke up", []string{"Broke up."}},
		{[]string{"My cat is called Tiger."}, "My cat Tiger died", []string{"Cat Tiger died."}},
		{[]string{"My cat is called Tiger."}, "Tiger died last night", nil},
		{[]string{"My cat is called Tiger."}, "Elvis died in 1977", []string{"Cat is called Tiger."}},
		{[]string{"I want to get my driver's license"}, "I passed my driving test", nil},
		{[]string{"I live in Leeds.", "I live with two roommates"}, "I moved to York", []string{"Lives in York."}},
		{[]string{"I'm learning Welsh"}, "不学威尔士语了", []string{"Is learning Welsh."}},
		{[]string{"I'm learning Japanese"}, "不学日语了", nil},
		{[]string{"我在腾讯工作"}, "我不在腾讯干了", nil},
		{[]string{"我家的猫叫豆豆"}, "我家猫走了", []string{"猫走了"}},
		{[]string{"我家的猫叫豆豆"}, "豆豆昨晚走了", nil},
		{[]string{"我女朋友叫小美"}, "分手了", nil},
		{[]string{"我想考驾照"}, "驾照考过了", nil},
		{[]string{"我住在上海"}, "我不住上海了", nil},
		{[]string{"I live in Leeds.", "我一个人住"}, "我搬到北京了", []string{"住在北京"}},
		{[]string{"I live in Leeds."}, "Remember that I no longer live in Leeds", []string{"I no longer live in Leeds."}},
		{[]string{"My wife is called Anna."}, "I'm not seeing it", []string{"Wife is called Anna."}},
		{[]string{"My wife is called Anna."}, "I'm no longer seeing results", []string{"Wife is called Anna."}},
		{[]string{"My wife is called Anna."}, "I'm not with Anna any more", nil},
		{[]string{"My wife is called Anna."}, "The server died", []string{"Wife is called Anna."}},
		{[]string{"My son is called Max."}, "My son passed his exam", []string{"Son is called Max."}},
		{[]string{"My wife is called Anna."}, "I left my wife's keys at home", []string{"Wife is called Anna."}},
		{[]string{"I live in Leeds."}, "I've left Leeds for good", nil},
		{[]string{"我住在北京"}, "我不在北京工作了", []string{"住在北京"}},
		{[]string{"我女朋友叫小美"}, "我和同事分开了", []string{"女朋友叫小美"}},
		{[]string{"My wife is called Anna."}, "My brother called. Broke up with somebody", []string{"Wife is called Anna."}},
		{[]string{"我女朋友叫小美"}, "我哥昨天来我家，分手了", []string{"女朋友叫小美"}},
		{[]string{"I work as a nurse at Tesco."}, "I work at the Oslo Library now", []string{"Works at the Oslo Library."}},
	} {
		t.Run(c.said, func(t *testing.T) {
			m, _ := open(t)
			for _, k := range c.known {
				say(t, m, luna, "", k)
			}
			before := activeContents(t, m)
			if len(before) < len(c.known) {
				t.Fatalf("known: %q", before)
			}
			turn, changes := say(t, m, luna, "", c.said)
			if got := activeContents(t, m); !slices.Equal(got, c.now) {
				t.Fatalf("active: %q, want %q", got, c.now)
			}
			for _, ch := range changes {
				if ch.Action != memory.ActionEnded {
					continue
				}
				if ch.Item.ValidTo.IsZero() || ch.Reason == "" || ch.Item.Metadata.Ended != ch.Reason {
					t.Errorf("ended: %+v, %+v", ch, ch.Item)
				}
			}
			if slices.Equal(before, c.now) {
				return
			}
			must(m.Learning().UndoTurn(t.Context(), luna, turn.Record.TurnID))(t)
			if got := activeContents(t, m); !slices.Equal(got, before) {
				t.Errorf("undone: %q, want %q", got, before)
			}
		})
	}
}

// P4, U4: a rule that the user withdraws ends, and opposite wishes replace each other.
func TestRulesWithdrawn(t *testing.T) {
	for _, c := range []struct {
		known []string
		said  string
		now   []string
	}{
		{[]string{"Keep your answers short."}, "You can write longer answers again", nil},
		{[]string{"Always answer in German."}, "Stop answering in German", nil},
		{[]string{"Always answer in German."}, "Answer in English again", nil},
		{[]string{"Always use metric units."}, "No need to use metric any more", nil},
		{[]string{"Don't use emojis in your answers."}, "Emojis are fine again", nil},
		{[]string{"Don't use emojis in your answers."}, "Always use emojis", []string{"Use emojis."}},
		{[]string{"Always use metric units."}, "Always use imperial units", []string{"Use imperial units."}},
		{[]string{"Keep your answers short."}, "Keep your answers detailed from now on", []string{"Keep answers detailed."}},
		{[]string{"Keep your answers short."}, "Always give detailed explanations", []string{"Keep answers detailed."}},
		{[]string{"以后用英文回答我"}, "不用再用英文了", nil},
		{[]string{"回答要简短一点"}, "可以写长一点了", nil},
		{[]string{"以后回答正式一点"}, "恢复正常语气", nil},
		{[]string{"以后回答正式一点"}, "不用那么正式了", nil},
		{[]string{"Keep your answers short."}, "可以写长一点了", nil},
		{[]string{"以后不要用表情"}, "表情可以用了", nil},
		{[]string{"Keep your answers short."}, "You don't have to be so formal", []string{"Keep answers short."}},
	} {
		t.Run(c.said, func(t *testing.T) {
			m, _ := open(t)
			for _, k := range c.known {
				say(t, m, luna, "", k)
			}
			before := activeContents(t, m)
			turn, _ := say(t, m, luna, "", c.said)
			if got := activeContents(t, m); !slices.Equal(got, c.now) || len(before) != len(c.known) {
				t.Fatalf("active: %q, want %q; before %q", got, c.now, before)
			}
			if slices.Equal(before, c.now) {
				return
			}
			must(m.Learning().UndoTurn(t.Context(), luna, turn.Record.TurnID))(t)
			if got := activeContents(t, m); !slices.Equal(got, before) {
				t.Errorf("undone: %q, want %q", got, before)
			}
		})
	}
}

// P9a: a relative date is resolved when it is written, and a goal whose date has passed is closed and says so.
func TestRelativeDates(t *testing.T) {
	for _, c := range []struct {
		said, content, when string
		closed              bool
	}{
		{"I'm going to run a marathon next month", "Is going to run a marathon next month (", "", true},
		{"I want to learn Welsh", "Wants to learn Welsh.", "", false},
		{"我打算下个月考驾照", "打算下个月（", "", true},
	} {
		m, at := open(t)
		_, changes := say(t, m, luna, "", c.said)
		if len(changes) != 1 {
			t.Fatalf("%s: %+v", c.said, changes)
		}
		it := must(m.Lookup().Item(t.Context(), luna, changes[0].ItemID))(t)
		if !strings.HasPrefix(it.Content, c.content) || it.ValidTo.IsZero() == c.closed {
			t.Errorf("%s: %q until %v", c.said, it.Content, it.ValidTo)
		}
		if _, again := say(t, m, luna, "", c.said); len(again) != 1 || again[0].Action != memory.ActionConfirmed {
			t.Errorf("%s again: %+v", c.said, again)
		}
		at.Add(70 * 24 * time.Hour)
		must(m.Learning().Forget(t.Context(), luna))(t)
		it = must(m.Lookup().Item(t.Context(), luna, it.ID))(t)
		if it.IsActive() == c.closed || c.closed && it.Metadata.Ended != "the date has passed" {
			t.Errorf("%s: later %+v", c.said, it)
		}
	}
}

// P4: what the user wrote or edited by hand is never replaced by words that say less.
func TestHandEditStays(t *testing.T) {
	for _, c := range []struct{ first, edited, again, other, now string }{
		{"I live in Leeds.", "Lives in Leeds, in the red house by the canal", "I live in Leeds", "I moved to York", "Lives in York."},
		{"I like tea.", "Likes tea, above all jasmine with honey", "I love tea", "I hate tea", "Hates tea."},
		{"我住在上海", "住在上海徐汇区，和两只猫", "我住在上海", "我搬到北京了", "住在北京"},
		{"I work at Tesco.", "Works at Tesco in the bakery, Mondays off", "I work at Tesco now", "I work at Aldi now", "Works at Aldi."},
	} {
		m, _ := open(t)
		_, made := say(t, m, luna, "", c.first)
		it := must(m.Learning().EditItem(t.Context(), luna, made[0].ItemID, func(it *memory.Item) { it.Content = c.edited }))(t)
		_, again := say(t, m, luna, "", c.again)
		if got := activeContents(t, m); len(again) != 1 || again[0].Action != memory.ActionConfirmed || !slices.Equal(got, []string{c.edited}) {
			t.Errorf("%q after %q: %q, %+v", c.edited, c.again, got, again)
		}
		say(t, m, luna, "", c.other)
		if got := activeContents(t, m); !slices.Equal(got, []string{c.now}) {
			t.Errorf("%q after %q: %q", it.Content, c.other, got)
		}
	}
}

// P5b: statements in a game end nothing.
func TestGameEndsNothing(t *testing.T) {
	m, _ := open(t)
	say(t, m, luna, "", "My wife is called Anna.")
	sayAll(t, m, "Let's play a space game", "My wife left me")
	if got := activeContents(t, m); !slices.Equal(got, []string{"Wife is called Anna."}) {
		t.Errorf("active: %q", got)
	}
}

// I5, P9: a plan whose words are edited ends with the day that they name now; without a day it does not end.
func TestEditedPlanEndsWithItsDay(t *testing.T) {
	m, _ := open(t)
	it := must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Dentist on 4 May", Type: memory.TypeGoal}))(t)
	for words, want := range map[string]string{"Dentist on 9 May": "2027-05-10", "12月3日去同济复查": "2026-12-04", "Dentist": "0001-01-01"} {
		it = must(m.Learning().EditItem(t.Context(), luna, it.ID, func(it *memory.Item) { it.Content = words }))(t)
		if got := it.ValidTo.Format(time.DateOnly); got != want {
			t.Errorf("%q ends %s, want %s", words, got, want)
		}
	}
}

package chat_test

import (
	"strings"
	"testing"
)

// A2, R3a: what users told and asked, and what the answer without a model holds and does not hold.
// A person reads every quote as the answer, so none may be about somebody else.
func TestQuestionsAreAnsweredAbout(t *testing.T) {
	noRace(t)
	t.Parallel()
	jo := []string{
		"got two kids alfie hes 11 and maisie whos 7", "weve got a dog called biscuit hes a beagle cross 4 yrs old",
		"remember that my dad terry is 79 and lives in wakefield", "i live in headingley, 14 ash grove, nice little terrace",
		"my names joanne hartley but everyone calls me jo", "alfies birthday is 3rd june, he'll be 12",
		"maisies is 22 oct so she just turned 7", "my birthdays 14 feb", "my best mate is steph, she works on ward 30",
		"im allergic to penicillin", "mortgage is 842 a month with nationwide til 2041", "alfie plays football sundays for horsforth under 12s",
	}
	zhou := []string{
		"我叫周建军，大家都喊我老周", "我妈八十一了", "我女儿在成都七中读书", "我家狗叫豆豆，是条土狗", "我住在成华区建设路",
		"我哥叫周建国，在东莞开货车", "搭档是李建国 他跑白班", "公司是蓉城出租 份子钱一天180",
	}
	for _, told := range []struct {
		said []string
		asks []struct{ asked, has, hasNo string }
	}{
		{jo, []struct{ asked, has, hasNo string }{
			{"whats my name", "joanne hartley", "biscuit"},
			{"how old is my dad", "79", "4 yrs"},
			{"whats my dogs name", "biscuit", "joanne"},
			{"how much is my mortgage", "waits for your approval", "ward"},
			{"who is alfie", "alfie", "terry"},
			{"when is maisies birthday", "maisie", "14 feb"},
			{"where do i live", "headingley", "wakefield"},
			{"where does dad live", "wakefield", "headingley"},
			{"what does alfie play", "plays football", "terry"},
			{"who is my best mate", "steph", "terry"},
			{"where does steph work", "ward 30", "terry"},
			{"how old is biscuit", "4 yrs", "terry"},
			{"how old is my wife", "", "79"},
			{"is maisie allergic to anything", "", "penicillin"},
			{"how old is alfie", "alfie is 11", "terry"},
			{"what am i allergic to", "penicillin", "maisie"},
			{"whats on in june", "", "terry"},
		}},
		{zhou, []struct{ asked, has, hasNo string }{
			{"狗叫什么名字", "豆豆", "周建军"},
			{"我老婆多大", "", "周建国"},
			{"我哥在哪", "东莞", "建设路"},
			{"搭档是谁", "李建国", "周建国"},
			{"李建国是谁", "搭档", "周建国"},
			{"份子钱是多少", "180", "建设路"},
			{"你晓得我住哪儿不", "建设路", "七中"},
		}},
	} {
		h := offline(t, nil)
		for _, s := range told.said {
			h.tell(s)
			h.settle()
		}
		for _, q := range told.asks {
			got := strings.ToLower(h.tell(q.asked).Record.Content)
			if !strings.Contains(got, q.has) || strings.Contains(got, q.hasNo) {
				t.Errorf("%q should hold %q and not %q:\n%s", q.asked, q.has, q.hasNo, got)
			}
		}
	}
}

// D3: an answer without a model names no memory that it does not quote: none below what only
// tells something.
func TestStatementCitesNothing(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.tell("I work as a nurse on ward 30")
	h.settle()
	for _, said := range []string{"the nurse on ward 30 dropped her tea again today"} {
		end := h.tell(said)
		for _, u := range h.pkg(end.Record.TurnID).Used {
			if u.Chosen {
				t.Errorf("%q uses %+v", said, u)
			}
		}
	}
	end := h.tell("where do I work?")
	if used := h.pkg(end.Record.TurnID).Used; len(used) == 0 || !used[0].Chosen || used[0].Why == "" {
		t.Errorf("a question uses %+v", used)
	}
}

// The program says what waits for approval and shares the thing that is asked about.
func TestQuestionAboutWhatWaits(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.tell("房贷每个月3260，农行的")
	h.settle()
	if got := h.tell("房贷一个月多少钱").Record.Content; !strings.Contains(got, "等你确认") || strings.Contains(got, "3260") {
		t.Errorf("%s", got)
	}
}

// The answer to a statement says only what was learned, even if the statement has words of a question.
func TestLearnedIsSaidAlone(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.tell("I'm a vegetarian")
	h.settle()
	for _, said := range []string{"remember that I've been sober for 3 years", "no wait I'm not a vegetarian anymore, had a kebab last night"} {
		if got := h.tell(said).Record.Content; strings.Contains(got, "earlier conversations") {
			t.Errorf("%q: %s", said, got)
		}
	}
}

// R3: a misspelt word in a question, or in a memory, is no reason to say nothing; a common word is no misspelling of another.
func TestMisspeltQuestions(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	for _, said := range []string{"im allergic to penicilin", "my accountant is called Kowalski", "I like jogging in the park", "me mam is called bernie", "dentist appointment on 4 december",
		"the exhibition at kelvingrove in glasgow was packed on sunday"} {
		h.tell(said)
		h.settle()
	}
	for _, q := range []struct{ asked, has, hasNo string }{
		{"can i take penicillin", "penicilin", "kowalski"},
		{"whats my alergy", "penicilin", "kowalski"},
		{"when is my denist apointment", "dentist", "kowalski"},
		{"what is mr kowalsky doing", "kowalski", "penicilin"},
		{"whats my mother called", "bernie", "kowalski"},
		{"how do i do logging in go", "", "jogging"},
		{"how was kelvingove", "kelvingrove", "kowalski"},
	} {
		if got := strings.ToLower(h.tell(q.asked).Record.Content); !strings.Contains(got, q.has) || strings.Contains(got, q.hasNo) {
			t.Errorf("%q should hold %q and not %q:\n%s", q.asked, q.has, q.hasNo, got)
		}
	}
}

// R1: a question for medicines finds them by their names: "Takes warfarin" has no word of "what tablets am I on".
func TestQuestionsForMedicines(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	for _, said := range []string{"remember that i take warfarin for my heart", "i take the bus to work", "记住我每天吃络活喜", "I like tea"} {
		h.tell(said)
		h.settle()
	}
	h.tell("我对青梅素过敏")
	h.settle()
	for asked, want := range map[string]string{"can I take ibuprofen": "warfarin", "我能打青霉素吗": "青梅素"} {
		if got := strings.ToLower(h.tell(asked).Record.Content); !strings.Contains(got, want) || strings.Contains(got, "bus") {
			t.Errorf("%q: %s", asked, got)
		}
	}
	for _, asked := range []string{"what tablets am i on", "which meds do i take", "我吃什么药"} {
		got := strings.ToLower(h.tell(asked).Record.Content)
		if !strings.Contains(got, "warfarin") || !strings.Contains(got, "络活喜") || strings.Contains(got, "bus") || strings.Contains(got, "likes tea") {
			t.Errorf("%q: %s", asked, got)
		}
	}
}

// U1, J6: a question is never answered "nothing about you" while there is something, nor with what was said about another thing.
func TestQuestionsAreNotAnsweredWithOtherThings(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	for _, said := range []string{
		"I live in Bonn", "my friend ola installed this program for me", "we have a toyota yaris car", "parents evening is on wednesday at 6pm",
		"my patent expires on 3 May 2031", "my parents live in Kent",
	} {
		h.tell(said)
		h.settle()
	}
	for _, q := range []struct{ asked, has, hasNo string }{
		{"which car have we got", "toyota", "nothing"},
		{"which boat have we got", "", "nothing about you"},
		{"what have i got next week", "parents evening", "ola"},
		{"what is my pin", "", "ola"},
		{"when does my patent end", "2031", "kent"},
	} {
		if got := strings.ToLower(h.tell(q.asked).Record.Content); !strings.Contains(got, q.has) || strings.Contains(got, q.hasNo) {
			t.Errorf("%q should hold %q and not %q:\n%s", q.asked, q.has, q.hasNo, got)
		}
	}
}

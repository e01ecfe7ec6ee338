package words_test

import (
	"testing"
	"time"

	"memoria/memory"
	"memoria/ui/words"
)

// S3, S4: the three numbers, their score, what was decided, by whom and how long it
// took are said, and whether the user decided otherwise.
func TestJudgement(t *testing.T) {
	j := memory.Judgement{
		By: memory.JudgedByModel, Model: "small", TopicRelevance: 9, IntentContinuity: 8, EntityReference: 6, Score: 8,
		Revived: true, Idle: 47 * time.Minute, Took: 420 * time.Millisecond,
	}
	parted := j
	parted.Overruled = true
	for want, j := range map[string]memory.Judgement{
		"this conversation goes on after 47 minutes: topic 9, intent 8, reference 6 make 8.0, at least 6.0 (small judged, 0.4 s)": j,
		"a new conversation after 47 minutes, as you decided: " +
			"topic 9, intent 8, reference 6 make 8.0, at least 6.0 (small judged, 0.4 s)": parted,
		"a new conversation after 3 hours: topic 1, intent 0, reference 0 make 0.4, below 6.0 (rules judged, 0 ms)": {
			By: memory.JudgedByRules, TopicRelevance: 1, Score: 0.4, Idle: 3*time.Hour + time.Minute,
		},
		"a new conversation after 24 hours: no answer within 8s (the model was asked, 8.0 s)": {
			By: memory.JudgedByModel, Failed: "no answer within 8s", Idle: 24 * time.Hour, Took: 8 * time.Second,
		},
	} {
		if got := english.Judgement(j); got != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
	late := memory.Judgement{By: memory.JudgedByTime, Idle: 30 * time.Hour}
	none := memory.Judgement{Failed: "the model gave no answer", Idle: time.Hour}
	for want, c := range map[string]struct { // S13: one plain sentence, and what decides otherwise
		j     memory.Judgement
		title string
	}{
		"This goes on with “Pottery” after 47 minutes. F6 begins a new conversation instead.": {j, "Pottery"},
		"A new conversation, as you decided. F6 continues “Pottery” instead.":                 {parted, "Pottery"},
		"New topic, so a new conversation. F6 continues “Pottery” instead.":                   {memory.Judgement{}, "Pottery"},
		"A new conversation, after 30 hours. F6 continues “Pottery” instead.":                 {late, "Pottery"},
		"New topic, so a new conversation. F6 continues the one before instead.":              {memory.Judgement{}, ""},
		"A new conversation, since nobody could say whether this goes on with “Pottery”: " +
			"the model gave no answer. F6 continues “Pottery” instead.": {none, "Pottery"},
	} {
		if got := english.JudgementSentence(c.j, c.title) + " F6 " + english.Overruling(c.j, c.title) + "."; got != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		time.Second: "1 second", 119 * time.Minute: "119 minutes", 2 * time.Hour: "2 hours", 47 * time.Hour: "47 hours", 48 * time.Hour: "2 days",
	} {
		if got := english.Pause(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

var english = words.Words{Language: words.English}

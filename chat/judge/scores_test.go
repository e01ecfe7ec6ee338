package judge_test

import (
	"testing"

	"memoria/chat/judge"
)

// S3: 0.4, 0.4 and 0.2; 6.0 itself revives, 5.8 does not.
func TestScores(t *testing.T) {
	for _, c := range []struct {
		s       judge.Scores
		total   float64
		revives bool
	}{
		{judge.Scores{TopicRelevance: 10, IntentContinuity: 10, EntityReference: 10}, 10, true},
		{judge.Scores{}, 0, false},
		{judge.Scores{TopicRelevance: 6, IntentContinuity: 6, EntityReference: 6}, 6, true},
		{judge.Scores{TopicRelevance: 10, IntentContinuity: 5, EntityReference: 0}, 6, true},
		{judge.Scores{TopicRelevance: 7, IntentContinuity: 4, EntityReference: 8}, 6, true},
		{judge.Scores{TopicRelevance: 6, IntentContinuity: 6, EntityReference: 5}, 5.8, false},
		{judge.Scores{TopicRelevance: 10, IntentContinuity: 4, EntityReference: 1}, 5.8, false},
		{judge.Scores{TopicRelevance: 0, IntentContinuity: 10, EntityReference: 10}, 6, true},
	} {
		if got := c.s.Total(); got != c.total || c.s.Revives() != c.revives {
			t.Errorf("%+v: total %v, revives %v", c.s, got, c.s.Revives())
		}
	}
}

// S3: over all scores that there are, no rounding moves the line.
func TestScoresHaveNoRoundingError(t *testing.T) {
	for topic := range 11 {
		for intent := range 11 {
			for entity := range 11 {
				s := judge.Scores{TopicRelevance: topic, IntentContinuity: intent, EntityReference: entity}
				if fifths := 2*topic + 2*intent + entity; s.Revives() != (fifths >= 30) || s.Total() != float64(2*fifths)/10 {
					t.Errorf("%+v: total %v, revives %v", s, s.Total(), s.Revives())
				}
			}
		}
	}
}

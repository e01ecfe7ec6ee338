package words

import (
	"fmt"
	"time"

	"memoria/memory"
)

// Judgement describes where a message after a pause went: the decision, its scores, who
// judged, how long that took, and whether the user overruled it. It holds no text of the
// conversation except the model's name.
func Judgement(j memory.Judgement) string {
	if j.By == memory.JudgedByTime || j.Overruled && j.Failed != "" { // why the judge failed no longer matters
		return decided(j)
	}
	return decided(j) + ": " + judgedBy(j)
}

// JudgementSentence tells the user in one sentence where a message after a pause went (S13).
// title is the title of the earlier conversation, "" when it has none or is unknown.
func JudgementSentence(j memory.Judgement, title string) string {
	before := "the conversation before"
	if title != "" {
		before = "“" + title + "”"
	}
	switch {
	case j.Overruled && j.InOld():
		return "This goes on with " + before + ", as you decided."
	case j.Overruled:
		return "A new conversation, as you decided."
	case j.InOld():
		return "This goes on with " + before + " after " + Pause(j.Idle) + "."
	case j.By == memory.JudgedByTime:
		return "A new conversation, after " + Pause(j.Idle) + "."
	case j.Failed != "":
		return "A new conversation, since nobody could say whether this goes on with " + before + ": " + j.Failed + "."
	}
	return "New topic, so a new conversation."
}

// Overruling describes what overruling a judgement does: "continues “Pottery” instead".
func Overruling(j memory.Judgement, title string) string {
	switch {
	case j.InOld():
		return "begins a new conversation instead"
	case title == "":
		return "continues the one before instead"
	}
	return "continues “" + title + "” instead"
}

// decided says in a few words where the message went.
func decided(j memory.Judgement) string {
	what := "a new conversation"
	if j.InOld() {
		what = "this conversation goes on"
	}
	what += " after " + Pause(j.Idle)
	if j.Overruled {
		what += ", as you decided"
	}
	return what
}

// judgedBy gives the scores, who judged, and how long it took.
func judgedBy(j memory.Judgement) string {
	by := "rules"
	if j.By == memory.JudgedByModel {
		if by = "the model"; j.Model != "" {
			by = j.Model
		}
	}
	took := fmt.Sprintf("%.1f s", j.Took.Seconds())
	if j.Took < 100*time.Millisecond {
		took = fmt.Sprintf("%d ms", j.Took.Milliseconds())
	}
	if j.Failed != "" {
		return fmt.Sprintf("%s (%s was asked, %s)", j.Failed, by, took)
	}
	than := "below"
	if j.Revived {
		than = "at least"
	}
	return fmt.Sprintf("topic %d, intent %d, reference %d make %.1f, %s 6.0 (%s judged, %s)",
		j.TopicRelevance, j.IntentContinuity, j.EntityReference, j.Score, than, by, took)
}

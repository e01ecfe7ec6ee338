package words

import (
	"fmt"
	"time"

	"memoria/memory"
)

// Judgement describes where a message after a pause went: the decision, its scores, who
// judged, how long that took, and whether the user overruled it. It holds no text of the
// conversation except the model's name.
func (w Words) Judgement(j memory.Judgement) string {
	if j.By == memory.JudgedByTime || j.Overruled && j.Failed != "" { // why the judge failed no longer matters
		return decided(w, j)
	}
	return decided(w, j) + w.colon() + judgedBy(w, j)
}

// JudgementSentence tells the user in one sentence where a message after a pause went (S13).
// title is the title of the earlier conversation, "" when it has none or is unknown.
func (w Words) JudgementSentence(j memory.Judgement, title string) string {
	before := w.Say("judged.before")
	if title != "" {
		before = w.Say("judged.title", title)
	}
	switch {
	case j.Overruled && j.InOld():
		return w.Say("judged.old.yours", before)
	case j.Overruled:
		return w.Say("judged.new.yours")
	case j.InOld():
		return w.Say("judged.old", before, w.Pause(j.Idle))
	case j.By == memory.JudgedByTime:
		return w.Say("judged.new.late", w.Pause(j.Idle))
	case j.Failed != "":
		return w.Say("judged.new.failed", before, w.Translate(j.Failed))
	}
	return w.Say("judged.new.topic")
}

// Overruling describes what overruling a judgement does: "continues “Pottery” instead".
func (w Words) Overruling(j memory.Judgement, title string) string {
	switch {
	case j.InOld():
		return w.Say("overrule.new")
	case title == "":
		return w.Say("overrule.before")
	}
	return w.Say("overrule.old", title)
}

// decided says in a few words where the message went.
func decided(w Words, j memory.Judgement) string {
	id := "decided.new"
	if j.InOld() {
		id = "decided.old"
	}
	what := w.Say(id, w.Pause(j.Idle))
	if j.Overruled {
		what += w.Say("decided.yours")
	}
	return what
}

// judgedBy gives the scores, who judged, and how long it took.
func judgedBy(w Words, j memory.Judgement) string {
	by := w.Say("judged.rules")
	if j.By == memory.JudgedByModel {
		if by = w.Say("talk.a-model"); j.Model != "" {
			by = j.Model
		}
	}
	took := fmt.Sprintf("%.1f s", j.Took.Seconds())
	if j.Took < 100*time.Millisecond {
		took = fmt.Sprintf("%d ms", j.Took.Milliseconds())
	}
	if j.Failed != "" {
		return w.Say("judged.asked", w.Translate(j.Failed), by, took)
	}
	than := "judged.below"
	if j.Revived {
		than = "judged.at-least"
	}
	return w.Say(than, j.TopicRelevance, j.IntentContinuity, j.EntityReference, j.Score, by, took)
}

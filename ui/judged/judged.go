package judged

import (
	"fmt"
	"time"

	"memoria/memory"
)

// Words says what became of a message after a pause: what was decided, by which
// numbers, by whom, how long it took, and whether the user decided otherwise since.
// They hold no text of the conversation but the model's name, which is to be cleaned.
func Words(j memory.Judgement) string {
	if j.By == memory.JudgedByTime || j.Overruled && j.Failed != "" { // why nobody judged does not matter any more
		return Decided(j)
	}
	return Decided(j) + ": " + Why(j)
}

// Sentence tells the user where a message after a pause is (S13); [Otherwise] says how to
// decide against it. title is that of the conversation before, "" where it has none or it is
// not known; it is to be cleaned.
func Sentence(j memory.Judgement, title string) string {
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

// Otherwise says what deciding against a judgement does: "continues “Pottery” instead".
func Otherwise(j memory.Judgement, title string) string {
	switch {
	case j.InOld():
		return "begins a new conversation instead"
	case title == "":
		return "continues the one before instead"
	}
	return "continues “" + title + "” instead"
}

// Decided says where the message is, in a few words.
func Decided(j memory.Judgement) string {
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

// Why says what was judged, by whom, and how long it took.
func Why(j memory.Judgement) string {
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

// Pause says how long nothing was said: in minutes below two hours, in hours below
// two days.
func Pause(d time.Duration) string {
	n, unit := int(d/(24*time.Hour)), "day"
	switch {
	case d < 2*time.Minute:
		n, unit = int(d/time.Second), "second"
	case d < 2*time.Hour:
		n, unit = int(d/time.Minute), "minute"
	case d < 48*time.Hour:
		n, unit = int(d/time.Hour), "hour"
	}
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

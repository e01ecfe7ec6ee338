package plain

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"memoria/memory"
	"memoria/ui/clean"
)

func many(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + more
}

// when says a moment: "2026-01-28 12:00".
func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// ago says how long before now a moment was.
func ago(now, t time.Time) string {
	day := 24 * time.Hour
	switch d := now.Sub(t); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return many(int(d/time.Minute), "minute", "minutes") + " ago"
	case d < day:
		return many(int(d/time.Hour), "hour", "hours") + " ago"
	case d < 30*day:
		return many(int(d/day), "day", "days") + " ago"
	}
	return "on " + t.Local().Format(time.DateOnly)
}

// seconds says a length of time.
func seconds(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d milliseconds", d.Milliseconds())
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " seconds"
}

// offered says how long something can still be taken back, in whole seconds: an offer of
// ten seconds that took a moment to be said is still one of ten.
func (s *session) offered(until time.Time) string {
	return seconds((until.Sub(s.o.Now()) + time.Second - 1).Truncate(time.Second))
}

// readable makes words of a constant's name.
func readable[T ~string](name T) string { return strings.ReplaceAll(string(name), "_", " ") }

// layer is a layer's name without what all of them end in.
func layer(l memory.Layer) string {
	if l == memory.LayerNow {
		return "date and time"
	}
	return readable(strings.TrimSuffix(string(l), "_block"))
}

// score says what a score is made of (R8).
func score(total float64, c memory.Parts, topic float64) string {
	meaning := ""
	if c.VectorScore > 0 {
		meaning = fmt.Sprintf(", meaning %.2f", c.VectorScore)
	}
	s := fmt.Sprintf("score %.2f: words %.2f%s, kind %.2f, recent %.2f, often %.2f, sure %.2f",
		total, c.KeywordScore, meaning, c.CategoryBoost, c.RecencyScore, c.FrequencyScore, c.Confidence)
	if topic != 0 && topic != 1 {
		s += fmt.Sprintf(", times %.1f because it is on the topic", topic)
	}
	return s
}

// condition says what is unusual about an item, "" for nothing.
func condition(it memory.Item) string {
	switch it.State {
	case memory.StateHeld:
		return "held: waiting for your approval, not recalled"
	case memory.StateMuted:
		return "muted: kept, never recalled"
	case memory.StateInactive:
		if it.SupersededBy != "" {
			return "replaced by a newer one, not recalled"
		}
		return "inactive, not recalled"
	}
	return ""
}

// content is what an item says, on one line.
func content(it memory.Item) string { return clean.Line(it.Content) }

// title names a session.
func title(s memory.Session) string {
	t := clean.Line(s.Title)
	if t == "" {
		t = "a session without a title"
	}
	if s.Group != "" {
		return "in the group " + clean.Line(s.Group) + ": " + t
	}
	return t
}

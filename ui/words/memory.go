package words

import (
	"fmt"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/clean"
)

// Memory is the sentence of a memory, on one line.
func Memory(it memory.Item) string { return clean.Line(it.Content) }

// State describes an unusual state of a memory; "" for an active one.
func State(it memory.Item) string {
	switch it.State {
	case memory.StateHeld:
		return Say("memory.held")
	case memory.StateMuted:
		return Say("memory.muted")
	case memory.StateInactive:
		if it.SupersededBy != "" {
			return Say("memory.replaced")
		}
		return Say("memory.inactive")
	}
	return ""
}

// MemoryRow is a memory in a list.
func MemoryRow(it memory.Item, now time.Time) Row {
	state := ""
	if s := State(it); s != "" {
		state = " (" + s + ")"
	}
	return memoryRow(it, it.CreatedAt, now, state)
}

// HeldRow is a memory of the inbox in a list: why it waits, and what it would replace.
func HeldRow(h lookup.HeldItem, now time.Time) Row {
	why := " (" + clean.Line(h.Reason) + ")"
	if h.Replaces != nil {
		why += ", " + Say("memory.would-replace", Memory(*h.Replaces))
	}
	return memoryRow(h.Item, h.Since, now, why)
}

func memoryRow(it memory.Item, since, now time.Time, note string) Row {
	return Row{
		Sentence: fmt.Sprintf("%s, %s: %s%s", Readable(it.Type), Ago(now, since), Memory(it), note),
		Columns:  fmt.Sprintf("%s  %s  %-12s %s%s", ShortID(it.ID), Day(since, now.Location()), it.Type, Memory(it), note),
	}
}

// MemoryFields is everything about a memory but its sentence and its type (L1).
func MemoryFields(it memory.Item, loc *time.Location) (f Fields) {
	f.add("memory.state", State(it))
	f.add("memory.title", it.Title)
	f.add("memory.key", it.Key)
	if v := string(it.Value); v != "null" {
		f.add("memory.value", v)
	}
	f.add("memory.tags", strings.Join(it.Tags, ", "))
	f.add("memory.sure", Say("memory.sure.is", it.Confidence, it.Importance))
	f.add("memory.from", Say("memory.from.is", Readable(it.Source), Readable(it.Origin), it.Trust))
	f.add("memory.created", Moment(it.CreatedAt, loc))
	if !it.UpdatedAt.Equal(it.CreatedAt) {
		f.add("memory.changed", Moment(it.UpdatedAt, loc))
	}
	if !it.LastConfirmedAt.Equal(it.CreatedAt) {
		f.add("memory.confirmed", Moment(it.LastConfirmedAt, loc))
	}
	if it.AccessCount == 0 {
		f.add("memory.used", Say("memory.used.never"))
	} else {
		f.add("memory.used", Say("memory.used.is", Count(it.AccessCount, "time"), Moment(it.LastAccessed, loc)))
	}
	f.add("memory.valid-until", Moment(it.ValidTo, loc))
	if it.ValidFrom.After(it.CreatedAt) {
		f.add("memory.valid-from", Moment(it.ValidFrom, loc))
	}
	f.add("memory.replaces", it.Supersedes)
	f.add("memory.replaced-by", it.SupersededBy)
	for _, m := range it.Metadata.Fields() {
		f = append(f, Field{clean.Line(m.Name), clean.Line(m.Value)})
	}
	f.add("memory.id", Say("memory.id.is", it.ID, it.Version))
	return f
}

// Tags are the tags of a memory.
func Tags(it memory.Item) string { return orNone(strings.Join(it.Tags, ", ")) }

// MemoryTypes are the types that a memory can have.
func MemoryTypes() string {
	var names []string
	for _, t := range memory.Types() {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}

// Change is a change in the history of a memory: when, what, by whom and why.
func Change(c memory.Change, loc *time.Location) string {
	what, why := c.Words()
	line := Say("change", Moment(c.Time, loc), clean.Line(what), Readable(c.Origin))
	if why != "" {
		line += ": " + clean.Line(why)
	}
	if c.Undone {
		line += " (" + Say("change.undone") + ")"
	}
	return line
}

// ChangeRow is a change in a list of changes of several memories, its id first.
func ChangeRow(c memory.Change, now time.Time) Row {
	said := Say("change.gone")
	if c.Item != nil {
		said = ShortID(c.ItemID) + " " + Memory(*c.Item)
	}
	note := ""
	if c.Reason != "" {
		note = " (" + clean.Line(c.Reason) + ")"
	}
	if c.Undone {
		note += " [" + Say("change.undone") + "]"
	}
	return Row{
		Sentence: fmt.Sprintf("%s, %s: %s%s", when(c.Time, now), c.Action, said, note),
		Columns:  fmt.Sprintf("%s  %s  %-10s by %-5s %s%s", ShortID(c.ID), when(c.Time, now), c.Action, c.Origin, said, note),
	}
}

// Quote is the message that a memory came from.
type Quote struct {
	Evidence    memory.Evidence
	Whole, Text string // the message, and its words that count
	Time        time.Time
	Session     string // title
	// Gone says that the message is not there any more; Unkept that it was not deleted but
	// not kept when its session ended (A1).
	Gone, Unkept bool
}

// Fate says what became of a message that is gone.
func (q Quote) Fate() string {
	if q.Unkept {
		return Say("quote.unkept")
	}
	return Say("quote.deleted")
}

// Lines are the words that a memory came from, when and where they were said, and the
// message around them.
func (q Quote) Lines(loc *time.Location) []string {
	if q.Gone {
		return []string{Say("quote.gone", q.Fate())}
	}
	text, whole := clean.Line(q.Text), clean.Line(q.Whole)
	out := []string{Say("quote", Moment(q.Time, loc), SessionTitle(memory.Session{Title: q.Session}), text)}
	if whole != text {
		out = append(out, Say("quote.whole", q.Whole))
	}
	return out
}

// ScoreParts are the parts that a score is made of, each as what it adds (R5, R8), and the
// factor of a memory on the topic.
func ScoreParts(c memory.Parts, topic float64) (f Fields) {
	part := func(id string, v float64) { f.add(id, fmt.Sprintf("%.2f", v)) }
	part("score.words", c.KeywordScore)
	if c.VectorScore > 0 {
		part("score.meaning", c.VectorScore)
	}
	part("score.kind", c.CategoryBoost)
	part("score.recent", c.RecencyScore)
	part("score.often", c.FrequencyScore)
	part("score.sure", c.Confidence)
	if topic != 0 && topic != 1 {
		f.add("score.topic", fmt.Sprintf("×%.1f", topic))
	}
	return f
}

// ScoreColumns are the parts of a score in a list of a command.
func ScoreColumns(c memory.Parts) string {
	var parts []string
	for _, p := range ScoreParts(c, 0) {
		parts = append(parts, p.Name+" "+p.Said)
	}
	return strings.Join(parts, "  ")
}

// Score is a score with its parts and why the memory was not chosen.
func Score(total float64, c memory.Parts, topic float64, why string) string {
	return Say("score", total, scoreParts(c, topic), clean.Line(why))
}

// ChosenScore is [Because] and the score with its parts.
func ChosenScore(it memory.Item, total float64, c, raw memory.Parts, keywords []string, why string) string {
	return Say("score.reason", Because(it, c, raw, keywords, why), total, scoreParts(c, raw.TopicBoost))
}

func scoreParts(c memory.Parts, topic float64) string {
	var parts []string
	for _, p := range ScoreParts(c, topic) {
		parts = append(parts, p.Name+" "+p.Said)
	}
	return strings.Join(parts, ", ")
}

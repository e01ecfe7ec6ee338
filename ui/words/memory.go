package words

import (
	"encoding/json"
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
func (w Words) State(it memory.Item) string {
	switch it.State {
	case memory.StateHeld:
		return w.Say("memory.held")
	case memory.StateMuted:
		return w.Say("memory.muted")
	case memory.StateInactive:
		if it.SupersededBy != "" {
			return w.Say("memory.replaced")
		}
		return w.Say("memory.inactive")
	}
	return ""
}

// Type names a type of memories.
func (w Words) Type(t memory.Type) string { return w.Named("type", string(t)) }

// MemoryRow is a memory in a list.
func (w Words) MemoryRow(it memory.Item, now time.Time) Row {
	state := ""
	if s := w.State(it); s != "" {
		state = w.paren(s)
	}
	return memoryRow(w, it, it.CreatedAt, now, state)
}

// HeldRow is a memory of the inbox in a list: why it waits, and what it would replace.
func (w Words) HeldRow(h lookup.HeldItem, now time.Time) Row {
	why := w.paren(clean.Line(w.Translate(h.Reason)))
	if h.Replaces != nil {
		why += w.comma() + w.Say("memory.would-replace", Memory(*h.Replaces))
	}
	return memoryRow(w, h.Item, h.Since, now, why)
}

func memoryRow(w Words, it memory.Item, since, now time.Time, note string) Row {
	return Row{
		Sentence: w.Say("memory.row", w.Type(it.Type), w.Ago(now, since), Memory(it), note),
		Columns:  ShortID(it.ID) + "  " + Day(since, now.Location()) + "  " + Pad(w.Type(it.Type), 12) + " " + Memory(it) + note,
	}
}

// MemoryFields is everything about a memory but its sentence and its type (L1).
func (w Words) MemoryFields(it memory.Item, loc *time.Location) (f Fields) {
	f.add(w, "memory.state", w.State(it))
	f.add(w, "memory.title", it.Title)
	f.add(w, "memory.key", w.slot(it.Key))
	f.add(w, "memory.value", plainValue(it.Value))
	f.add(w, "memory.tags", w.List(it.Tags))
	f.add(w, "memory.sure", w.Say("memory.sure.is", it.Confidence, it.Importance))
	source, origin := w.Named("source", string(it.Source)), w.Named("origin", string(it.Origin))
	f.add(w, "memory.from", w.Say("memory.from.is", source, origin, Sentence(it.Trust.String())))
	f.add(w, "memory.created", Moment(it.CreatedAt, loc))
	if !it.UpdatedAt.Equal(it.CreatedAt) {
		f.add(w, "memory.changed", Moment(it.UpdatedAt, loc))
	}
	if !it.LastConfirmedAt.Equal(it.CreatedAt) {
		f.add(w, "memory.confirmed", Moment(it.LastConfirmedAt, loc))
	}
	if it.AccessCount == 0 {
		f.add(w, "memory.used", w.Say("memory.used.never"))
	} else {
		f.add(w, "memory.used", w.Say("memory.used.is", w.Count(it.AccessCount, "time"), Moment(it.LastAccessed, loc)))
	}
	f.add(w, "memory.valid-until", Moment(it.ValidTo, loc))
	if it.ValidFrom.After(it.CreatedAt) {
		f.add(w, "memory.valid-from", Moment(it.ValidFrom, loc))
	}
	f.add(w, "memory.replaces", it.Supersedes)
	f.add(w, "memory.replaced-by", it.SupersededBy)
	for _, m := range it.Metadata.Fields() {
		f = append(f, Field{Name: clean.Line(w.Named("meta", m.Name)), Said: clean.Line(w.slot(m.Value))})
	}
	f.add(w, "memory.id", w.Say("memory.id.is", it.ID, it.Version))
	return f
}

// slot names the key of a memory, or the rule that made it, whose first part is the name of a slot.
func (w Words) slot(key string) string {
	const prefix = "slot "
	name, rest := key, ""
	for {
		if said := w.Translate(prefix + name); said != prefix+name {
			if rest != "" {
				said += w.colon() + rest
			}
			return said
		}
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return w.Translate(key)
		}
		name, rest = key[:i], key[i+1:]
	}
}

// plainValue is the value of a memory as a person reads it: a lone "value" without its name.
func plainValue(value json.RawMessage) string {
	var fields map[string]any
	if json.Unmarshal(value, &fields) == nil && len(fields) == 1 {
		if s, ok := fields["value"].(string); ok {
			return s
		}
	}
	if v := string(value); v != "null" {
		return v
	}
	return ""
}

// Tags are the tags of a memory.
func (w Words) Tags(it memory.Item) string { return orNone(w, w.List(it.Tags)) }

// MemoryTypes are the types that a memory can have.
func MemoryTypes() string {
	var names []string
	for _, t := range memory.Types() {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}

// Change is a change in the history of a memory: when, what, by whom and why.
func (w Words) Change(c memory.Change, loc *time.Location) string {
	what, why := c.Words()
	line := w.Say("change", Moment(c.Time, loc), clean.Line(w.Translate(w.Named("action", what))), w.Named("origin", string(c.Origin)))
	if why != "" {
		line += w.colon() + clean.Line(w.Translate(why))
	}
	if c.Undone {
		line += w.paren(w.Say("change.undone"))
	}
	return line
}

// ChangeRow is a change in a list of changes of several memories, its id first.
func (w Words) ChangeRow(c memory.Change, now time.Time) Row {
	said := w.Say("change.gone")
	if c.Item != nil {
		said = ShortID(c.ItemID) + " " + Memory(*c.Item)
	}
	note, action, origin := "", w.Named("action", string(c.Action)), string(c.Origin)
	if w.Language == Chinese { // in English it is what --by takes
		origin = w.Named("origin", origin)
	}
	if c.Reason != "" {
		note = w.paren(clean.Line(w.Translate(c.Reason)))
	}
	if c.Undone {
		note += " [" + w.Say("change.undone") + "]"
	}
	return Row{
		Sentence: w.Say("memory.row", when(c.Time, now), action, said, note),
		Columns: ShortID(c.ID) + "  " + when(c.Time, now) + "  " + Pad(action, 10) + " " +
			Pad(w.Say("change.by", origin), 8) + " " + said + note,
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
func (q Quote) Fate(w Words) string {
	if q.Unkept {
		return w.Say("quote.unkept")
	}
	return w.Say("quote.deleted")
}

// QuoteLines are the words that a memory came from, when and where they were said, and the
// message around them.
func (w Words) QuoteLines(q Quote, loc *time.Location) []string {
	if q.Gone {
		return []string{w.Say("quote.gone", q.Fate(w))}
	}
	text, whole := clean.Line(q.Text), clean.Line(q.Whole)
	out := []string{w.Say("quote", Moment(q.Time, loc), w.SessionTitle(memory.Session{Title: q.Session}), text)}
	if whole != text {
		out = append(out, w.Say("quote.whole", q.Whole))
	}
	return out
}

// ScoreParts are the parts that a score is made of, each as what it adds (R5, R8), and the
// factor of a memory on the topic.
func (w Words) ScoreParts(c memory.Parts, topic float64) (f Fields) {
	part := func(id string, v float64) { f.add(w, id, fmt.Sprintf("%.2f", v)) }
	part("score.words", c.KeywordScore)
	if c.VectorScore > 0 {
		part("score.meaning", c.VectorScore)
	}
	part("score.kind", c.CategoryBoost)
	part("score.recent", c.RecencyScore)
	part("score.often", c.FrequencyScore)
	part("score.sure", c.Confidence)
	if topic != 0 && topic != 1 {
		f.add(w, "score.topic", fmt.Sprintf("×%.1f", topic))
	}
	return f
}

// ScoreColumns are the parts of a score in a list of a command.
func (w Words) ScoreColumns(c memory.Parts) string {
	var parts []string
	for _, p := range w.ScoreParts(c, 0) {
		parts = append(parts, p.Name+" "+p.Said)
	}
	return strings.Join(parts, "  ")
}

// Score is a score with its parts and why the memory was not chosen.
func (w Pictures) Score(total float64, c memory.Parts, topic float64, why string) string {
	return w.Say("score", total, w.scoreParts(c, topic), clean.Line(w.Translate(why)))
}

// ChosenScore is [Pictures.Because] and the score with its parts.
func (w Pictures) ChosenScore(it memory.Item, total float64, c, raw memory.Parts, keywords []string, why string) string {
	return w.Say("score.reason", w.Because(it, c, raw, keywords, why), total, w.scoreParts(c, raw.TopicBoost))
}

func (w Pictures) scoreParts(c memory.Parts, topic float64) string {
	var parts []string
	for _, p := range w.ScoreParts(c, topic) {
		parts = append(parts, p.Name+" "+p.Said)
	}
	return w.List(parts)
}

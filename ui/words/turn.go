package words

import (
	"strings"
	"time"
	"unicode/utf8"

	"memoria/memory"
	"memoria/ui/clean"
)

// Layer names a layer of what a turn sent.
func Layer(l memory.Layer) string {
	if name := Say("layer." + string(l)); name != "layer."+string(l) {
		return name
	}
	return Readable(clean.Line(strings.TrimSuffix(string(l), "_block")))
}

// Layers are the layers in the order of C1.
var Layers = []memory.Layer{
	memory.LayerPersona, memory.LayerProfile, memory.LayerWorking, memory.LayerRecall, memory.LayerJournal,
	memory.LayerSummaries, memory.LayerEvidence, memory.LayerWindow, memory.LayerNow, memory.LayerMessage,
}

// Block describes a block of what a turn sent: its layer, its role, its size.
func Block(b memory.RenderedBlock) string {
	said := Say("block", Layer(b.Layer), b.Role, Count(b.Tokens, "token"))
	if b.Note != "" {
		said += ", " + clean.Line(b.Note)
	}
	return said
}

// Call describes a call of the model and its outcome.
func Call(c memory.RenderedCall) string {
	if c.Name == "" {
		return Say("call.gone")
	}
	came := Count(c.Found, "hit")
	if c.Failed != "" {
		came = c.Failed
	}
	return clean.Line(c.Name + " " + c.Arguments + ", " + came)
}

// Sent describes what a turn sent: to which model, how much, and whether the text is
// still exactly what was sent.
func Sent(r memory.Rendered) []string {
	where, exact := Say("sent.to", clean.Line(r.Model), clean.Line(r.Endpoint)), Say("sent.exact")
	if r.Model == memory.ModelOffline {
		where, exact = Say("sent.nowhere"), Say("sent.would")
	}
	if !r.AllExact() {
		exact = Say("sent.not-exact")
	}
	out := []string{where, Say("sent.size", r.Tokens, Count(r.Limit, "token"), exact)}
	if said := Budget(r.Package); said != "" {
		out = append(out, said)
	}
	if r.Degraded != "" {
		out = append(out, Say("note", clean.Line(r.Degraded)))
	}
	return out
}

// Dropped says what was left out of a turn, and why.
func Dropped(d memory.Dropped) string {
	return Say("sent.dropped", Layer(d.Layer), clean.Line(d.What), clean.Line(d.Reason))
}

// Thought is what a model thought before its answer, and for how long. who names who answers.
func Thought(r memory.Reasoning, who string) string {
	took := ""
	if r.Took >= time.Second {
		took = Say("thoughts.for", Seconds(r.Took))
	}
	return Say("thoughts", who, took, Count(utf8.RuneCountInString(r.Text), "character"), r.Text)
}

// WorkingFields is what a session is about now (W1).
func WorkingFields(w memory.Working, loc *time.Location) (f Fields) {
	topic := clean.Line(w.CurrentTopic)
	if topic == "" {
		topic = Say("working.no-topic")
	}
	f.add("working.topic", topic)
	for _, name := range sortedKeys(w.ContextVariables) {
		f = append(f, Field{clean.Line(name), clean.Line(w.ContextVariables[name])})
	}
	f.add("working.mood", w.LastEmotion)
	f.add("working.turns", Say("number", w.TurnCount))
	f.add("working.since", Moment(w.CreatedAt, loc))
	if !w.UpdatedAt.Equal(w.CreatedAt) {
		f.add("working.updated", Moment(w.UpdatedAt, loc))
	}
	return f
}

package words

import (
	"time"
	"unicode/utf8"

	"memoria/memory"
	"memoria/ui/clean"
)

// Layer names a layer of what a turn sent.
func (w Words) Layer(l memory.Layer) string {
	return w.Named("layer", clean.Line(string(l)))
}

// Layers are the layers in the order of C1.
var Layers = []memory.Layer{
	memory.LayerPersona, memory.LayerProfile, memory.LayerWorking, memory.LayerRecall, memory.LayerJournal,
	memory.LayerSummaries, memory.LayerEvidence, memory.LayerWindow, memory.LayerNow, memory.LayerMessage,
}

// Block describes a block of what a turn sent: its layer, its role, its size.
func (w Words) Block(b memory.RenderedBlock) string {
	said := w.Say("block", w.Layer(b.Layer), b.Role, w.Count(b.Tokens, "token"))
	if b.Note != "" {
		said += w.comma() + clean.Line(w.Translate(b.Note))
	}
	return said
}

// Call describes a call of the model and its outcome.
func (w Words) Call(c memory.RenderedCall) string {
	if c.Name == "" {
		return w.Say("call.gone")
	}
	came := w.Count(c.Found, "hit")
	if c.Failed != "" {
		came = w.Translate(c.Failed)
	}
	return clean.Line(c.Name + " " + c.Arguments + w.comma() + came)
}

// Sent describes what a turn sent: to which model, how much, and whether the text is
// still exactly what was sent.
func (w Words) Sent(r memory.Rendered) []string {
	where, exact := w.Say("sent.to", clean.Line(r.Model), clean.Line(r.Endpoint)), w.Say("sent.exact")
	if r.Model == memory.ModelOffline {
		where, exact = w.Say("sent.nowhere"), w.Say("sent.would")
	}
	if !r.AllExact() {
		exact = w.Say("sent.not-exact")
	}
	out := []string{where, w.Say("sent.size", r.Tokens, w.Count(r.Limit, "token"), exact)}
	if said := (Pictures{w}).budget(r.Package); said != "" {
		out = append(out, said)
	}
	if r.Degraded != "" {
		out = append(out, w.Say("note", clean.Line(w.Translate(r.Degraded))))
	}
	return out
}

// Dropped says what was left out of a turn, and why.
func (w Words) Dropped(d memory.Dropped) string {
	return w.Say("sent.dropped", w.Layer(d.Layer), clean.Line(w.Translate(d.What)), clean.Line(w.Translate(d.Reason)))
}

// Thought is what a model thought before its answer, and for how long. who names who answers.
func (w Words) Thought(r memory.Reasoning, who string) string {
	took := ""
	if r.Took >= time.Second {
		took = w.Say("thoughts.for", w.Seconds(r.Took))
	}
	return w.Say("thoughts", who, took, w.Count(utf8.RuneCountInString(r.Text), "character"), r.Text)
}

// WorkingFields is what a session is about now (W1).
func (w Words) WorkingFields(m memory.Working, loc *time.Location) (f Fields) {
	topic := clean.Line(m.CurrentTopic)
	if topic == "" {
		topic = w.Say("working.no-topic")
	}
	f.add(w, "working.topic", topic)
	for _, name := range sortedKeys(m.ContextVariables) {
		f = append(f, Field{Name: clean.Line(name), Said: clean.Line(m.ContextVariables[name])})
	}
	f.add(w, "working.mood", m.LastEmotion)
	f.add(w, "working.turns", w.Say("number", m.TurnCount))
	f.add(w, "working.since", Moment(m.CreatedAt, loc))
	if !m.UpdatedAt.Equal(m.CreatedAt) {
		f.add(w, "working.updated", Moment(m.UpdatedAt, loc))
	}
	return f
}

package words

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/memory/vault"
	"memoria/ui/clean"
)

// index says how an index or another derived thing is.
func (w Words) index(d recall.Derived) string {
	said := w.Named("index.is", clean.Line(d.State))
	if d.Reason != "" {
		said += w.comma() + clean.Line(w.Translate(d.Reason))
	}
	if d.Total > 0 && d.Done < d.Total {
		said += w.comma() + w.Say("index.done", d.Done, d.Total)
	}
	if d.Behind > 0 {
		said += w.comma() + w.Say("index.behind", w.Count(d.Behind, "change"))
	}
	if d.Model != "" {
		said += w.comma() + w.Say("index.model", d.Count, clean.Line(d.Model), clean.Line(d.Endpoint))
	}
	if d.Bytes > 0 {
		said += w.comma() + Bytes(d.Bytes)
	}
	return said
}

// IndexRow is an index in a list of a command.
func (w Words) IndexRow(d recall.Derived) string {
	row := fmt.Sprintf("%s %s %8s", Pad(w.Named("derived", d.Name), 14), Pad(w.Named("index.is", d.State), 14), Bytes(d.Bytes))
	if d.Behind > 0 {
		row += "  " + w.Say("index.behind", w.Count(d.Behind, "change"))
	}
	if d.Model != "" {
		row += "  " + w.Say("index.model", d.Count, clean.Line(d.Model), clean.Line(d.Endpoint))
	}
	if d.Reason != "" {
		row += "  " + clean.Line(w.Translate(d.Reason))
	}
	return row
}

// BackupRow is a backup in a list of a command.
func (w Words) BackupRow(b vault.Backup, loc *time.Location) string {
	return fmt.Sprintf("%s  %s  %8s  %s", Moment(b.Time, loc), Pad(w.Named("backup.kind", b.Kind), 9), Bytes(b.Bytes), b.Path)
}

// trouble describes the problems of the store and its backups.
func (w Words) trouble(st lookup.Status) (out []string) {
	if st.Trouble != nil {
		out = append(out, w.Say("health.unwritable", clean.Line(w.Translate(st.Trouble.Text))))
	}
	if st.Damage != "" {
		out = append(out, w.Say("health.damage", clean.Line(st.Damage)))
	}
	if st.BackupError != "" {
		out = append(out, w.Say("health.backup", clean.Line(st.BackupError)))
	}
	return out
}

// Held is a place that holds words which forget --verify looks for. agent and id may be empty.
func (w Words) Held(file, part, agent, id string) string {
	said := w.Say("forget.held", clean.Line(file), part)
	for _, more := range []string{agent, id} {
		if more != "" {
			said += " · " + clean.Line(more)
		}
	}
	return said
}

// EraseFailure says why a part of the data folder may still hold what was deleted.
func (w Words) EraseFailure(f vault.EraseFailure) string {
	said := w.Say("forget.failed", w.Translate(f.Part), clean.Line(w.Translate(f.Text)))
	if f.Do != "" {
		said += " → " + clean.Line(w.Translate(f.Do))
	}
	return said
}

// Erasing says how far the removal of deleted data from the files is.
func (w Words) Erasing(e *vault.Erasing, loc *time.Location) (out []string) {
	switch {
	case e == nil:
	case e.Pending():
		part := ""
		if e.Part != "" {
			part = w.Say("health.erasing.part", w.Translate(e.Part))
		}
		out = append(out, w.Say("health.erasing", Moment(e.Since, loc), part))
		for _, f := range e.Failed {
			out = append(out, clean.Line(w.Say("health.erase-failed", Sentence(f.Part), Sentence(f.Text), Sentence(f.Do))))
		}
	case !e.Finished.IsZero():
		out = append(out, w.Say("health.erased", Moment(e.Finished, loc)))
	}
	return out
}

// Health says how much is stored and how it is doing. days is how far its counts reach.
func (w Words) Health(h lookup.Health, days int) (out []string) {
	say := func(id string, args ...any) { out = append(out, w.Say(id, args...)) }
	say("health.stored", w.Count(h.Items, "memory"), w.Count(h.Records, "message"), w.Count(h.Sessions, "session"))
	if h.Held > 0 {
		say("health.held", w.Count(h.Held, "memory is"))
	}
	if h.Jobs > 0 {
		say("health.jobs", w.Count(h.Jobs, "turn is"))
	}
	if a := h.Asked; a.Answered > 0 {
		say("health.model", w.Count(a.Learned, "change"), w.Count(a.Answered, "answer"), a.Unusable, w.Count(a.Refused,
			"proposal"), a.TokensIn, a.TokensOut)
	}
	if n := h.Asked.Failing; n >= learn.MaxFailing {
		say("health.model.stopped", n)
	}
	var messages, learned, forgotten int
	for _, d := range h.Days {
		messages, learned, forgotten = messages+d.Messages, learned+d.Learned, forgotten+d.Forgotten
	}
	say("health.days", days, w.Count(messages, "message"), w.Count(learned, "memory"), forgotten)
	for _, d := range h.Derived {
		out = append(out, w.Named("derived", d.Name)+w.colon()+w.index(d))
	}
	out = append(out, w.trouble(h.Status)...)
	say("health.store", Bytes(h.StoreBytes), Bytes(h.FreeBytes), clean.Line(h.Dir))
	if h.Unwiped {
		say("health.unwiped")
	}
	out = append(out, w.Erasing(h.Erasing, time.Local)...)
	return out
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

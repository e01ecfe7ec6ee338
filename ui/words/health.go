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

// Index says how an index or another derived thing is.
func Index(d recall.Derived) string {
	said := clean.Line(d.State)
	if d.Reason != "" {
		said += ", " + clean.Line(d.Reason)
	}
	if d.Total > 0 && d.Done < d.Total {
		said += ", " + Say("index.done", d.Done, d.Total)
	}
	if d.Behind > 0 {
		said += ", " + Say("index.behind", Count(d.Behind, "change"))
	}
	if d.Model != "" {
		said += ", " + Say("index.model", d.Count, clean.Line(d.Model), clean.Line(d.Endpoint))
	}
	if d.Bytes > 0 {
		said += ", " + Bytes(d.Bytes)
	}
	return said
}

// IndexRow is an index in a list of a command.
func IndexRow(d recall.Derived) string {
	row := fmt.Sprintf("%-14s %-14s %8s", d.Name, d.State, Bytes(d.Bytes))
	if d.Behind > 0 {
		row += "  " + Say("index.behind", Count(d.Behind, "change"))
	}
	if d.Model != "" {
		row += "  " + Say("index.model", d.Count, clean.Line(d.Model), clean.Line(d.Endpoint))
	}
	if d.Reason != "" {
		row += "  " + clean.Line(d.Reason)
	}
	return row
}

// BackupRow is a backup in a list of a command.
func BackupRow(b vault.Backup, loc *time.Location) string {
	return fmt.Sprintf("%s  %-9s  %8s  %s", Moment(b.Time, loc), b.Kind, Bytes(b.Bytes), b.Path)
}

// Trouble describes the problems of the store and its backups.
func Trouble(st lookup.Status) (out []string) {
	if st.Trouble != nil {
		out = append(out, Say("health.unwritable", clean.Line(st.Trouble.Text)))
	}
	if st.Damage != "" {
		out = append(out, Say("health.damage", clean.Line(st.Damage)))
	}
	if st.BackupError != "" {
		out = append(out, Say("health.backup", clean.Line(st.BackupError)))
	}
	return out
}

// Held is a place that holds words which forget --verify looks for. agent and id may be empty.
func Held(file, part, agent, id string) string {
	said := Say("forget.held", clean.Line(file), part)
	for _, more := range []string{agent, id} {
		if more != "" {
			said += " · " + clean.Line(more)
		}
	}
	return said
}

// EraseFailure says why a part of the data folder may still hold what was deleted.
func EraseFailure(f vault.EraseFailure) string {
	said := Say("forget.failed", f.Part, clean.Line(f.Text))
	if f.Do != "" {
		said += " → " + clean.Line(f.Do)
	}
	return said
}

// Erasing says how far the removal of deleted data from the files is.
func Erasing(e *vault.Erasing, loc *time.Location) (out []string) {
	switch {
	case e == nil:
	case e.Pending():
		part := ""
		if e.Part != "" {
			part = Say("health.erasing.part", e.Part)
		}
		out = append(out, Say("health.erasing", Moment(e.Since, loc), part))
		for _, f := range e.Failed {
			out = append(out, Say("health.erase-failed", f.Part, clean.Line(f.Text), clean.Line(f.Do)))
		}
	case !e.Finished.IsZero():
		out = append(out, Say("health.erased", Moment(e.Finished, loc)))
	}
	return out
}

// Health says how much is stored and how it is doing. days is how far its counts reach.
func Health(h lookup.Health, days int) (out []string) {
	say := func(id string, args ...any) { out = append(out, Say(id, args...)) }
	say("health.stored", Count(h.Items, "memory"), Count(h.Records, "message"), Count(h.Sessions, "session"))
	if h.Held > 0 {
		say("health.held", Count(h.Held, "memory is"))
	}
	if h.Jobs > 0 {
		say("health.jobs", Count(h.Jobs, "turn is"))
	}
	if a := h.Asked; a.Answered > 0 {
		say("health.model", Count(a.Learned, "change"), Count(a.Answered, "answer"), a.Unusable, Count(a.Refused,
			"proposal"), a.TokensIn, a.TokensOut)
	}
	if n := h.Asked.Failing; n >= learn.MaxFailing {
		say("health.model.stopped", n)
	}
	var messages, learned, forgotten int
	for _, d := range h.Days {
		messages, learned, forgotten = messages+d.Messages, learned+d.Learned, forgotten+d.Forgotten
	}
	say("health.days", days, Count(messages, "message"), Count(learned, "memory"), forgotten)
	for _, d := range h.Derived {
		out = append(out, d.Name+": "+Index(d))
	}
	out = append(out, Trouble(h.Status)...)
	say("health.store", Bytes(h.StoreBytes), Bytes(h.FreeBytes), clean.Line(h.Dir))
	if h.Unwiped {
		say("health.unwiped")
	}
	out = append(out, Erasing(h.Erasing, time.Local)...)
	return out
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

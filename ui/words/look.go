package words

import (
	"time"

	"memoria/memory"
	"memoria/memory/retrieve"
)

// Look says in words why a turn looked into the archive, and in which time.
func Look(l memory.Look, loc *time.Location) string {
	why := retrieve.TriggerWords(l.Trigger)
	if l.Before {
		why += ", about the answer before"
	}
	if l.Loose {
		why += "; only loosely related messages were found"
	}
	if span := Span(l.From, l.To, loc); span != "" {
		why += " · " + span
	}
	return why
}

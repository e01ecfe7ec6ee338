package words

import (
	"time"

	"memoria/memory"
	"memoria/memory/retrieve"
)

// Look says in words why a turn looked into the archive, and in which time.
func (w Words) Look(l memory.Look, loc *time.Location) string {
	why := w.Translate(retrieve.TriggerWords(l.Trigger))
	if l.Before {
		why += w.Say("look.before")
	}
	if l.Loose {
		why += w.Say("look.loose")
	}
	if span := w.Span(l.From, l.To, loc); span != "" {
		why += " · " + span
	}
	return why
}

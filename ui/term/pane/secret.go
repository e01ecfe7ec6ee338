package pane

import (
	"errors"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/policy/sensitive"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/words"
)

// Repetitions returns the other messages that repeat the secret of a message (P5a).
func (e *Effects) Repetitions(record string) (out []memory.Record, err error) {
	ids, err := e.Memory.Lookup().SecretRecords(e.Ctx, e.Agent, record)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if id == record {
			continue
		}
		r, err := e.Memory.Lookup().Record(e.Ctx, e.Agent, id)
		if errors.Is(err, lookup.ErrNotFound) {
			continue
		} else if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

const (
	// mostBegins is how many messages are named by their first words.
	mostBegins = 3
	// beginCells is the width of the first words of a message.
	beginCells = 24
)

// Begins names the first of some messages by when they were said and their first words, without secrets.
func (e *Effects) Begins(records []memory.Record, now time.Time, loc *time.Location) string {
	var out []string
	for _, r := range records[:min(len(records), mostBegins)] {
		begin := clean.Truncate(clean.Line(sensitive.HideSecrets(r.Content)), beginCells, cells.Ellipsis)
		out = append(out, e.Words.Say("secret.begin", begin, words.Pictures{Words: e.Words}.Date(now, r.Timestamp, loc)))
	}
	if n := len(records) - len(out); n > 0 {
		out = append(out, e.Words.Say("list.undo.more", n))
	}
	return strings.Join(out, " · ")
}

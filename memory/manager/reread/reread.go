package reread

import (
	"strings"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/store"
)

// MadeOf returns the items with evidence in a session. Items removed by a rollback are
// left out, because they may be made again.
func MadeOf(tx *store.Tx, agent, session string) ([]memory.Item, error) {
	items, err := tx.ItemsFromSession(agent, session)
	if err != nil {
		return nil, err
	}
	var out []memory.Item
	for _, it := range items {
		if it.State == memory.StateInactive {
			past, err := tx.Changes(agent, it.ID)
			if err != nil {
				return nil, err
			}
			if n := len(past); n > 0 && past[n-1].Undo != "" && past[n-1].Origin == memory.OriginSystem {
				continue
			}
		}
		out = append(out, it)
	}
	return out, nil
}

// Without returns what the user typed in a record, with these words blanked out.
func Without(r memory.Record, words []memory.Evidence) string {
	b := []byte(r.Typed())
	for _, ev := range words {
		if ev.RecordID != r.ID {
			continue
		}
		lo := min(max(ev.Offset, 0), len(b))
		hi := len(b)
		if ev.Length > 0 {
			hi = min(lo+ev.Length, hi)
		}
		for i := lo; i < hi; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	return strings.ToValidUTF8(string(b), " ")
}

// UsedIn returns the places of a message that items were made of.
func UsedIn(record string, items []memory.Item) (out []learn.Used) {
	for _, it := range items {
		for _, ev := range it.Evidence {
			if ev.RecordID == record {
				out = append(out, learn.Used{Offset: ev.Offset, Length: ev.Length, Content: it.Content})
			}
		}
	}
	return out
}

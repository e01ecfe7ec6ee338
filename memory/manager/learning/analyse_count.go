package learning

import (
	"errors"
	"maps"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store/counter"
	"memoria/memory/store/queue"
)

// CountUsage counts an answer and its tokens, and adds n to the counter more. An answer that
// does not count as unusable ends the run of those.
func CountUsage(t *write.Tx, j queue.Job, u memory.Usage, more counter.Name, n int) error {
	counts := map[counter.Name]int{counter.Analyses: 1, counter.TokensIn: u.PromptTokens, counter.TokensOut: u.CompletionTokens}
	if more != "" {
		counts[more] = n
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if err := t.Add(t.Owner.ID, name, counts[name]); err != nil {
			return err
		}
	}
	run, err := t.Count(t.Owner.ID, counter.Failing)
	if err != nil {
		return err
	}
	change := 1
	if more != counter.Unusable {
		change = -run
	}
	if err := t.Add(t.Owner.ID, counter.Failing, change); err != nil {
		return err
	}
	s, err := t.Session(t.Owner.ID, j.SessionID)
	if errors.Is(err, lookup.ErrNotFound) || u.PromptTokens+u.CompletionTokens == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	s.LearnIn += u.PromptTokens
	s.LearnOut += u.CompletionTokens
	return t.PutSession(s)
}

package manager

import (
	"errors"
	"maps"
	"slices"

	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// AnalysisStats counts the analyses by a model.
type AnalysisStats struct {
	Waiting  int `json:"waiting"`  // turns waiting for a model
	Sessions int `json:"sessions"` // sessions waiting for a model
	Answered int `json:"answered"` // answered requests
	Unusable int `json:"unusable"` // unusable answers
	Learned  int `json:"learned"`  // changes to the memory
	Refused  int `json:"refused"`  // unused proposals
	// TokensIn and TokensOut are as reported by the servers.
	TokensIn  int `json:"tokens_in"`
	TokensOut int `json:"tokens_out"`
}

// spent counts an answer and its tokens, and adds n to the counter more.
func (t *tx) spent(j store.Job, u memory.Usage, more counter.Name, n int) error {
	counts := map[counter.Name]int{counter.Analyses: 1, counter.TokensIn: u.PromptTokens, counter.TokensOut: u.CompletionTokens}
	if more != "" {
		counts[more] = n
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if err := t.Add(t.a.id, name, counts[name]); err != nil {
			return err
		}
	}
	s, err := t.Session(t.a.id, j.SessionID)
	if errors.Is(err, ErrNotFound) || u.PromptTokens+u.CompletionTokens == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	s.LearnIn += u.PromptTokens
	s.LearnOut += u.CompletionTokens
	return t.PutSession(s)
}

// asked reads the statistics of analyses.
func asked(tx *store.Tx, agent string, jobs []store.Job) (AnalysisStats, error) {
	var out AnalysisStats
	for _, j := range jobs {
		switch j.Kind {
		case store.JobAsk:
			out.Waiting++
		case store.JobCondense:
			out.Sessions++
		}
	}
	for name, n := range map[counter.Name]*int{
		counter.Analyses: &out.Answered, counter.Unusable: &out.Unusable, counter.Learned: &out.Learned,
		counter.Refused: &out.Refused, counter.TokensIn: &out.TokensIn, counter.TokensOut: &out.TokensOut,
	} {
		var err error
		if *n, err = tx.Count(agent, name); err != nil {
			return out, err
		}
	}
	return out, nil
}

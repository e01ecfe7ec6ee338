package manager

import (
	"errors"
	"maps"
	"slices"

	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// Asked is what came of the analyses by a model, in all.
type Asked struct {
	Waiting  int `json:"waiting"`  // turns that wait for a model
	Sessions int `json:"sessions"` // sessions that wait for one
	Answered int `json:"answered"` // requests that were answered
	Unusable int `json:"unusable"` // answers of which nothing could be used
	Learned  int `json:"learned"`  // changes to the memory
	Refused  int `json:"refused"`  // proposals that were not used
	// TokensIn and TokensOut are what servers reported.
	TokensIn  int `json:"tokens_in"`
	TokensOut int `json:"tokens_out"`
}

// spent counts an answer and the tokens that it took; more is another count.
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

// asked reads what came of the analyses.
func asked(tx *store.Tx, agent string, jobs []store.Job) (Asked, error) {
	var out Asked
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

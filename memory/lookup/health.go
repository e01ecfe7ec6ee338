package lookup

import (
	"context"
	"time"

	"memoria/memory/indexer"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/memory/store/queue"
	"memoria/memory/vault"
)

// Health is how an agent's memory is doing, now and over time.
type Health struct {
	Status
	Days    []Day            `json:"days"` // oldest first, without gaps
	Derived []recall.Derived `json:"derived"`
	vault.Space
}

// Day is what happened on one calendar day.
type Day struct {
	Date      time.Time `json:"date"` // its midnight
	Messages  int       `json:"messages"`
	Learned   int       `json:"learned"`   // items made
	Forgotten int       `json:"forgotten"` // items deleted
}

// maxDays is the longest time that Health counts: ten years.
const maxDays = 3660

// Health counts what an agent has, what happened on each of the last days (today
// included) and derived data. Days are those of the location of Options.Now.
// It reads keys, not records, and opens nothing.
func (r *Reader) Health(ctx context.Context, agentID string, days int) (Health, error) {
	var h Health
	var err error
	if h.Status, err = r.Status(ctx, agentID); err != nil {
		return Health{}, err
	}
	if h.Days, err = r.days(ctx, agentID, min(max(days, 0), maxDays)); err != nil {
		return Health{}, err
	}
	if h.Derived, err = r.recall.IndexStatus(ctx, agentID); err != nil {
		return Health{}, err
	}
	heads, err := r.recall.HeadStatus(agentID, h.Items)
	if err != nil {
		return Health{}, err
	}
	h.Derived = append(h.Derived, heads)
	if h.Space, err = r.vault.Space(); err != nil {
		return Health{}, err
	}
	return h, nil
}

// days counts the last n calendar days.
func (r *Reader) days(ctx context.Context, agentID string, n int) ([]Day, error) {
	now := r.now()
	year, month, day := now.Date()
	bounds := make([]time.Time, n+1)
	for i := range bounds { // by the calendar, because not every day has 24 hours
		bounds[i] = time.Date(year, month, day+1-n+i, 0, 0, 0, 0, now.Location())
	}
	out := make([]Day, n)
	err := r.view(ctx, "counting days", func(tx *store.Tx) error {
		tallies, err := tx.Tallies(agentID, bounds)
		for i, t := range tallies {
			out[i] = Day{Date: bounds[i], Messages: t.Messages, Learned: t.Learned, Forgotten: t.Forgotten}
		}
		return err
	})
	return out, err
}

// Status is how an agent's memory is doing, in numbers.
type Status struct {
	Items    int            `json:"items"`
	Held     int            `json:"held"`
	Records  int            `json:"records"`
	Sessions int            `json:"sessions"`
	Jobs     int            `json:"jobs"`
	Asked    AnalysisStats  `json:"analyses"` // by a model; those that wait are among Jobs
	Index    indexer.Status `json:"index"`
	vault.Status
}

// Status counts what an agent has. It reads no content.
func (r *Reader) Status(ctx context.Context, agentID string) (Status, error) {
	index, err := r.recall.ItemIndex(agentID)
	if err != nil {
		return Status{}, err
	}
	st := Status{Index: index, Status: r.vault.Status()}
	err = r.read(ctx, agentID, "", func(tx *store.Tx) (err error) {
		for name, n := range map[counter.Name]*int{
			counter.Items: &st.Items, counter.Held: &st.Held, counter.Records: &st.Records, counter.Sessions: &st.Sessions,
		} {
			if *n, err = tx.Count(agentID, name); err != nil {
				return err
			}
		}
		jobs, err := tx.Jobs(agentID)
		if err != nil {
			return err
		}
		st.Jobs = len(jobs)
		st.Asked, err = asked(tx, agentID, jobs)
		return err
	})
	return st, err
}

// AnalysisStats counts the analyses by a model.
type AnalysisStats struct {
	Waiting  int `json:"waiting"`  // turns waiting for a model
	Sessions int `json:"sessions"` // sessions waiting for a model
	Answered int `json:"answered"` // answered requests
	Unusable int `json:"unusable"` // unusable answers
	Failing  int `json:"failing"`  // unusable answers since the last usable one
	Learned  int `json:"learned"`  // changes to the memory
	Refused  int `json:"refused"`  // unused proposals
	// TokensIn and TokensOut are as reported by the servers.
	TokensIn  int `json:"tokens_in"`
	TokensOut int `json:"tokens_out"`
}

// asked reads the statistics of analyses.
func asked(tx *store.Tx, agent string, jobs []queue.Job) (AnalysisStats, error) {
	var out AnalysisStats
	for _, j := range jobs {
		switch j.Kind {
		case queue.Ask:
			out.Waiting++
		case queue.Condense:
			out.Sessions++
		}
	}
	for name, n := range map[counter.Name]*int{
		counter.Analyses: &out.Answered, counter.Unusable: &out.Unusable,
		counter.Failing: &out.Failing, counter.Learned: &out.Learned,
		counter.Refused: &out.Refused, counter.TokensIn: &out.TokensIn, counter.TokensOut: &out.TokensOut,
	} {
		var err error
		if *n, err = tx.Count(agent, name); err != nil {
			return out, err
		}
	}
	return out, nil
}

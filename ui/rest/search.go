package rest

import (
	"context"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
)

// Found is an item that a search considered, with its score (R8).
type Found struct {
	Item
	Score        float64       `json:"score" doc:"The order of the result"`
	Parts        memory.Parts  `json:"parts" doc:"The factors of the score"`
	Contribution *memory.Parts `json:"contribution,omitempty" doc:"Each factor times its weight; with all=true"`
	Chosen       *bool         `json:"chosen,omitempty" doc:"With all=true"`
	Why          string        `json:"why,omitempty" doc:"Why it was chosen, or why not; with all=true"`
}

// Search describes a search.
type Search struct {
	Of
	Page
	Span
	Query string `query:"q" required:"true" minLength:"1" maxLength:"4000" doc:"The message to find items for"`
	All   bool   `query:"all" doc:"Also list the candidates that were not chosen, after the others, and say why of each"`
}

// timedSearch is the number of items that are searched for those of a time.
const timedSearch = 200

func (s *Server) search(ctx context.Context, in *Search) (*Body[Listed[Found]], error) {
	agent, err := s.agent(ctx, in.Of)
	if err != nil {
		return nil, err
	}
	from, to, err := in.times(s.Now().Location())
	if err != nil {
		return nil, err
	}
	limit := min(in.Offset, timedSearch) + in.Limit
	if !from.IsZero() || !to.IsZero() {
		limit = max(limit, timedSearch)
	}
	res, err := s.Memory.Recall().Retrieve(ctx, agent, recall.Query{Text: in.Query, Limit: limit})
	if err != nil {
		return nil, err
	}
	found := foundIn(res.Chosen, true, in.All, s.Now(), from, to)
	if in.All {
		found = append(found, foundIn(res.NotChosen, false, true, s.Now(), from, to)...)
	}
	return pageOf(in.Page, found), nil
}

// foundIn returns the served candidates that were learned or confirmed in a span of time.
func foundIn(all []retrieve.Scored, chosen, explain bool, now, from, to time.Time) (out []Found) {
	for _, c := range all {
		if !lookup.Served(c.Item, now) || !c.Item.Head().In(from, to) {
			continue
		}
		f := Found{Item: itemOf(c.Item), Score: c.Score, Parts: c.Parts}
		if explain {
			f.Contribution, f.Chosen, f.Why = &c.Contribution, &chosen, c.Why
		}
		out = append(out, f)
	}
	return out
}

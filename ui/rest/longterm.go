package rest

import (
	"context"
	"net/http"
	"time"

	"memoria/memory"
	"memoria/memory/manager/write"
)

// Recent selects a page of an agent's list.
type Recent struct {
	Of
	Page
}

func (s *Server) longTerm(ctx context.Context, in *Recent) (*Body[Listed[Item]], error) {
	return s.items(ctx, &Filter{Of: in.Of, Page: in.Page, State: string(memory.StateActive)})
}

func (s *Server) longTermItem(ctx context.Context, in *One) (*Body[Item], error) {
	agent, err := s.agent(ctx, in.Of)
	if err != nil {
		return nil, err
	}
	it, err := s.Memory.Lookup().ServedItem(ctx, agent, in.ID)
	return body(itemOf(it), err)
}

// Deleted confirms a deletion.
type Deleted struct {
	Deleted   int       `json:"deleted" doc:"The number of ids"`
	IDs       []string  `json:"ids" nullable:"false" doc:"The deleted items, without those that are not served"`
	UndoUntil time.Time `json:"undo_until" doc:"Until then the user can undo it"`
}

func (s *Server) deleteItem(ctx context.Context, in *One) (*Body[Deleted], error) {
	agent, err := s.agent(ctx, in.Of)
	if err != nil {
		return nil, err
	}
	it, err := s.Memory.Lookup().ServedItem(ctx, agent, in.ID)
	if err != nil {
		return nil, err
	}
	d, err := s.Memory.DeleteItems(ctx, agent, it.ID)
	return s.deleted(agent, d, []string{it.ID}, err)
}

func (s *Server) deleteAll(ctx context.Context, in *Of) (*Body[Deleted], error) {
	if in.Agent == "" {
		return nil, problem(http.StatusBadRequest, "name the agent whose items are to be deleted: ?agent=")
	}
	agent, err := s.agent(ctx, *in)
	if err != nil {
		return nil, err
	}
	ids, err := s.Memory.Lookup().ServedIDs(ctx, agent)
	if err != nil {
		return nil, err
	}
	d, err := s.Memory.ClearItems(ctx, agent)
	return s.deleted(agent, d, ids, err)
}

// deleted confirms a deletion, and tells the user.
func (s *Server) deleted(agent string, d write.Deletion, ids []string, err error) (*Body[Deleted], error) {
	if err != nil {
		return nil, err
	}
	if d.Items > 0 {
		s.Memory.Announce(agent, d)
		s.Deleted(agent, d)
	}
	return &Body[Deleted]{Deleted{Deleted: len(ids), IDs: ids, UndoUntil: d.Until}}, nil
}

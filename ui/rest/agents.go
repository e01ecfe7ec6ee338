package rest

import (
	"context"
	"errors"
	"net/http"
	"time"

	"memoria/memory/lookup"
	"memoria/ui/config"
)

// Of names the agent of a call.
type Of struct {
	Agent string `query:"agent" maxLength:"200" doc:"The id or name of the agent; without it, the agent of the server"`
}

// agent returns the id of the agent that a request names. An unknown name must not begin an
// empty memory, so it is refused with the nearest one (I8).
func (s *Server) agent(ctx context.Context, of Of) (string, error) {
	if of.Agent == "" || of.Agent == s.Agent {
		return s.Agent, nil
	}
	info, err := s.Memory.Lookup().FindAgent(ctx, of.Agent)
	switch {
	case err == nil:
		return info.ID, nil
	case errors.Is(err, lookup.ErrAmbiguous):
		return "", problem(http.StatusUnprocessableEntity, "several agents are called so; give an id")
	case !errors.Is(err, lookup.ErrNotFound):
		return "", err
	}
	all, err := s.Memory.Lookup().Agents(ctx, s.Agent)
	if err != nil {
		return "", err
	}
	var known []string
	for _, a := range all {
		if known = append(known, a.ID); a.Name != "" && a.Name != a.ID {
			known = append(known, a.Name)
		}
	}
	if near := config.Nearest(of.Agent, known); near != "" {
		return "", problem(http.StatusNotFound, "no agent is called so; did you mean %s?", near)
	}
	return "", problem(http.StatusNotFound, "no agent is called so; GET /agents lists them")
}

// Agent is an agent or a group.
type Agent struct {
	ID       string     `json:"id"`
	Name     string     `json:"name"`
	Persona  string     `json:"persona" doc:"What a model is told about it"`
	Model    string     `json:"model" doc:"The model that answers as it; empty for the configured one"`
	Color    string     `json:"color"`
	Group    bool       `json:"group" doc:"It is several agents in one conversation"`
	Members  []string   `json:"members" nullable:"false" doc:"The ids of a group's agents"`
	Default  bool       `json:"default" doc:"It is meant where a call names no agent"`
	Memories int        `json:"memories" doc:"All of them, those that are not served included"`
	Sessions int        `json:"sessions"`
	Messages int        `json:"messages"`
	LastUsed *time.Time `json:"last_used"`
}

func (s *Server) agents(ctx context.Context, in *Page) (*Body[Listed[Agent]], error) {
	all, err := s.Memory.Lookup().Agents(ctx, s.Agent)
	if err != nil {
		return nil, err
	}
	return pageOf(*in, mapped(all, func(a lookup.AgentInfo) Agent {
		return Agent{
			ID: a.ID, Name: a.Title(), Persona: a.Persona, Model: a.Model, Color: a.Color, Group: a.Group,
			Members: append([]string{}, a.Members...), Default: a.ID == s.Agent, Memories: a.Memories,
			Sessions: a.Sessions, Messages: a.Messages, LastUsed: moment(a.LastUsed),
		}
	})), nil
}

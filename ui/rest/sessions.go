package rest

import (
	"context"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
)

// Session is one conversation.
type Session struct {
	ID            string     `json:"id"`
	AgentID       string     `json:"agent_id"`
	State         string     `json:"state" enum:"active,archiving,archived"`
	Title         string     `json:"title"`
	Group         string     `json:"group" doc:"The group that it was held in; empty for none"`
	CreatedAt     time.Time  `json:"created_at"`
	LastMessageAt time.Time  `json:"last_message_at"`
	ArchivedAt    *time.Time `json:"archived_at"`
	Turns         int        `json:"turns"`
	Messages      int        `json:"messages"`
	Summary       string     `json:"summary" doc:"Empty until it has ended"`
	Topics        []string   `json:"topics" nullable:"false" doc:"The recurring words of it"`
	ForkedFrom    string     `json:"forked_from" doc:"The session that it branched off; empty for none"`
	ImportedFrom  string     `json:"imported_from" doc:"The program that it was held in; empty for this one"`
}

func sessionOf(s memory.Session) Session {
	out := Session{
		ID: s.ID, AgentID: s.AgentID, State: string(s.State), Title: s.Title, Group: s.Group, CreatedAt: s.CreatedAt,
		LastMessageAt: s.LastMessageAt, ArchivedAt: moment(s.ArchivedAt), Turns: s.TurnsShown(), Messages: s.Messages, Topics: []string{},
	}
	if s.Summary != nil {
		out.Summary = s.Summary.Line()
		out.Topics = mapped(s.Summary.Topics, func(t memory.Topic) string { return t.Word })
	}
	if s.ForkedFrom != nil {
		out.ForkedFrom = s.ForkedFrom.SessionID
	}
	if s.Imported != nil {
		out.ImportedFrom = s.Imported.Program
	}
	return out
}

func (s *Server) sessions(ctx context.Context, in *Recent) (*Body[Listed[Session]], error) {
	agent, err := s.agent(ctx, in.Of)
	if err != nil {
		return nil, err
	}
	all, total, err := s.Memory.Lookup().Sessions(ctx, agent, in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return list(in.Page, mapped(all, sessionOf), total), nil
}

// sessionNamed returns a session; id must be complete.
func (s *Server) sessionNamed(ctx context.Context, of Of, id string) (agent string, out memory.Session, err error) {
	if agent, err = s.agent(ctx, of); err != nil {
		return "", out, err
	}
	out, err = s.Memory.Lookup().Session(ctx, agent, id)
	if err == nil && out.ID != id {
		err = lookup.ErrNotFound
	}
	return agent, out, err
}

func (s *Server) session(ctx context.Context, in *One) (*Body[Session], error) {
	_, found, err := s.sessionNamed(ctx, in.Of, in.ID)
	return body(sessionOf(found), err)
}

// OneList selects a page of what one thing of an agent has.
type OneList struct {
	One
	Page
}

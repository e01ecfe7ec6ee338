package rest

import (
	"context"
	"time"
)

// Working is the current context of a running session (W1).
type Working struct {
	SessionID        string            `json:"session_id"`
	CurrentTopic     string            `json:"current_topic" doc:"Empty for none"`
	ContextVariables map[string]string `json:"context_variables" nullable:"false"`
	TurnCount        int               `json:"turn_count"`
	LastEmotion      string            `json:"last_emotion" doc:"Empty for none"`
	CreatedAt        time.Time         `json:"created_at"`
	UpdatedAt        time.Time         `json:"updated_at"`
}

// OfSession names a session.
type OfSession struct {
	Of
	SessionID string `path:"session_id" maxLength:"100"`
}

func (s *Server) working(ctx context.Context, in *OfSession) (*Body[Working], error) {
	agent, err := s.agent(ctx, in.Of)
	if err != nil {
		return nil, err
	}
	w, err := s.Memory.Lookup().Working(ctx, agent, in.SessionID)
	variables := map[string]string{}
	for name, value := range w.ContextVariables {
		variables[name] = value
	}
	return body(Working{
		SessionID: w.SessionID, CurrentTopic: w.CurrentTopic, ContextVariables: variables, TurnCount: w.TurnCount,
		LastEmotion: w.LastEmotion, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}, err)
}

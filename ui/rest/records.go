package rest

import (
	"context"
	"time"

	"memoria/memory"
)

// Record is one message (A1).
type Record struct {
	ID           string            `json:"id"`
	AgentID      string            `json:"agent_id"`
	SessionID    string            `json:"session_id"`
	TurnID       string            `json:"turn_id"`
	ParentID     string            `json:"parent_id" doc:"The message before it; empty for the first"`
	Role         string            `json:"role" enum:"user,assistant,tool,system"`
	Sender       string            `json:"sender" doc:"The agent that said it in a group; else empty"`
	Content      string            `json:"content"`
	Timestamp    time.Time         `json:"timestamp"`
	Tags         []string          `json:"tags" nullable:"false"`
	Collected    bool              `json:"collected" doc:"The user bookmarked it"`
	NotForMemory bool              `json:"not_for_memory" doc:"The user had its content forgotten: nothing may be learned from it"`
	Status       string            `json:"status"`
	Model        string            `json:"model"`
	FinishReason string            `json:"finish_reason"`
	Usage        *memory.Usage     `json:"usage,omitempty" doc:"The server's count of tokens, if known"`
	Spans        []memory.Span     `json:"spans" nullable:"false" doc:"The parts that are not the author's own words"`
	Metadata     map[string]string `json:"metadata" nullable:"false"`
}

func recordOf(r memory.Record) Record {
	metadata := map[string]string{}
	if r.Metadata.Error != "" {
		metadata["error"] = r.Metadata.Error
	}
	if r.Metadata.Answers != "" {
		metadata["answers"] = r.Metadata.Answers
	}
	return Record{
		ID: r.ID, AgentID: r.AgentID, SessionID: r.SessionID, TurnID: r.TurnID, ParentID: r.ParentID, Role: string(r.Role),
		Sender: r.Sender, Content: r.Content, Timestamp: r.Timestamp, Tags: append([]string{}, r.Tags...), Collected: r.Collected,
		NotForMemory: r.NotForMemory, Status: string(r.Status), Model: r.Model, FinishReason: r.FinishReason, Usage: r.Usage,
		Spans: append([]memory.Span{}, r.Spans...), Metadata: metadata,
	}
}

func (s *Server) sessionRecords(ctx context.Context, in *OneList) (*Body[Listed[Record]], error) {
	agent, found, err := s.sessionNamed(ctx, in.Of, in.ID)
	if err != nil {
		return nil, err
	}
	branch, err := s.Memory.Lookup().Branch(ctx, agent, found.ID)
	if err != nil {
		return nil, err
	}
	page := pageOf(in.Page, branch.Records)
	return list(in.Page, mapped(page.Body.Items, recordOf), page.Body.Total), nil
}

func (s *Server) record(ctx context.Context, in *One) (*Body[Record], error) {
	agent, err := s.agent(ctx, in.Of)
	if err != nil {
		return nil, err
	}
	r, err := s.Memory.Lookup().Record(ctx, agent, in.ID)
	return body(recordOf(r), err)
}

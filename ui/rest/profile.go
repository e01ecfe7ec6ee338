package rest

import (
	"context"
	"time"

	"memoria/memory"
)

// Profile is the short document about the user (W5).
type Profile struct {
	AgentID  string        `json:"agent_id"`
	Version  int           `json:"version" doc:"0 if none was ever written"`
	Markdown string        `json:"markdown"`
	Lines    []ProfileLine `json:"lines" nullable:"false"`
	Tokens   int           `json:"tokens" doc:"An estimate"`
	Limit    int           `json:"limit" doc:"The maximum of tokens"`
	Sent     bool          `json:"sent" doc:"It is sent to the model"`
	Time     *time.Time    `json:"time"`
}

// ProfileLine is one line of a profile.
type ProfileLine struct {
	Section string `json:"section"`
	Text    string `json:"text"`
	ItemID  string `json:"item_id" doc:"The item that it shows; empty for the user's own line"`
}

func (s *Server) profile(ctx context.Context, in *Of) (*Body[Profile], error) {
	agent, err := s.agent(ctx, *in)
	if err != nil {
		return nil, err
	}
	p, err := s.Memory.Profiles().Profile(ctx, agent)
	if err != nil {
		return nil, err
	}
	return &Body[Profile]{Profile{
		AgentID: agent, Version: p.Version, Markdown: p.Markdown, Tokens: p.Tokens, Limit: p.Limit, Sent: p.Sent, Time: moment(p.Time),
		Lines: mapped(p.Shown(), func(l memory.ProfileLine) ProfileLine { return ProfileLine{string(l.Section), l.Text, l.ItemID} }),
	}}, nil
}

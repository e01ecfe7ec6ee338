package rest

import (
	"context"
)

// Health is the state of an agent's memory.
type Health struct {
	Status      string `json:"status" enum:"ok,degraded" doc:"degraded: something below says what"`
	Version     string `json:"version" doc:"The version of the program"`
	AgentID     string `json:"agent_id"`
	Items       int    `json:"items" doc:"All of them, those that are not served included"`
	Held        int    `json:"held" doc:"The number of those that wait for the user"`
	Records     int    `json:"records"`
	Sessions    int    `json:"sessions"`
	Jobs        int    `json:"jobs" doc:"The pending work of learning"`
	Index       string `json:"index" doc:"The state of the index: ready, building, opening and so on"`
	IndexBehind uint64 `json:"index_behind" doc:"The number of changes that it has not read yet"`
	Unreadable  int    `json:"unreadable" doc:"The number of records that cannot be read"`
	Problem     string `json:"problem" doc:"Why something cannot be written, read or copied; empty if all is well"`
}

func (s *Server) health(ctx context.Context, in *Of) (*Body[Health], error) {
	agent, err := s.agent(ctx, *in)
	if err != nil {
		return nil, err
	}
	st, err := s.Memory.Lookup().Status(ctx, agent)
	if err != nil {
		return nil, err
	}
	h := Health{
		Status: "ok", Version: s.Version, AgentID: agent, Items: st.Items, Held: st.Held, Records: st.Records, Sessions: st.Sessions,
		Jobs: st.Jobs, Index: string(st.Index.State), IndexBehind: st.Index.Behind, Unreadable: s.Memory.Vault().Unreadable(),
	}
	switch {
	case st.Trouble != nil:
		h.Problem = "the memory cannot be written"
	case h.Unreadable > 0 || st.Damage != "":
		h.Problem = "records cannot be read"
	case st.BackupError != "":
		h.Problem = "the last backup failed"
	}
	if h.Problem != "" {
		h.Status = "degraded"
	}
	return &Body[Health]{h}, nil
}

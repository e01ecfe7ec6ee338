package rest

import (
	"context"
	"encoding/json"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
)

// Item is a recall item with the field names of L1.
type Item struct {
	ID              string            `json:"id"`
	AgentID         string            `json:"agent_id"`
	SessionID       string            `json:"session_id" doc:"The session that it was learned in; empty for none"`
	Type            string            `json:"type" enum:"preference,fact,pattern,relationship,goal,rule,summary,episode"`
	Category        string            `json:"category" doc:"The same as type"`
	Key             string            `json:"key" doc:"The slot that it fills, such as name or preference/tea"`
	Title           string            `json:"title"`
	Value           json.RawMessage   `json:"value" doc:"The conclusion as data; any JSON"`
	Content         string            `json:"content" doc:"The conclusion as a sentence"`
	Tags            []string          `json:"tags" nullable:"false"`
	Confidence      float64           `json:"confidence" doc:"0 to 1"`
	Importance      float64           `json:"importance" doc:"0 to 1"`
	Source          string            `json:"source" doc:"user_stated, inferred or system"`
	Origin          string            `json:"origin" doc:"The process that wrote it"`
	IsActive        bool              `json:"is_active"`
	State           string            `json:"state" enum:"active,held,muted,inactive"`
	Trust           string            `json:"trust" doc:"user, model, pasted or foreign"`
	ValidFrom       *time.Time        `json:"valid_from"`
	ValidTo         *time.Time        `json:"valid_to"`
	CreatedAt       time.Time         `json:"created_at"`
	UpdatedAt       time.Time         `json:"updated_at"`
	LastAccessed    *time.Time        `json:"last_accessed" doc:"When it was last sent with a message"`
	AccessCount     int               `json:"access_count"`
	LastConfirmedAt *time.Time        `json:"last_confirmed_at"`
	Evidence        []Evidence        `json:"evidence" nullable:"false" doc:"The words that it was made from"`
	Supersedes      string            `json:"supersedes" doc:"The item that it replaced; empty for none"`
	SupersededBy    string            `json:"superseded_by" doc:"The item that replaced it; empty for none"`
	Generation      string            `json:"generation" doc:"The run of a background process that made it"`
	Version         int               `json:"version"`
	Metadata        map[string]string `json:"metadata" nullable:"false"`
}

func itemOf(it memory.Item) Item {
	metadata := map[string]string{}
	for _, f := range it.Metadata.Fields() {
		metadata[f.Name] = f.Value
	}
	return Item{
		ID: it.ID, AgentID: it.AgentID, SessionID: it.SessionID, Type: string(it.Type), Category: string(it.Type), Key: it.Key,
		Title: it.Title, Value: it.Value, Content: it.Content, Tags: append([]string{}, it.Tags...), Confidence: it.Confidence,
		Importance: it.Importance, Source: string(it.Source), Origin: string(it.Origin), IsActive: it.IsActive(), State: string(it.State),
		Trust: it.Trust.String(), ValidFrom: moment(it.ValidFrom), ValidTo: moment(it.ValidTo), CreatedAt: it.CreatedAt,
		UpdatedAt: it.UpdatedAt, LastAccessed: moment(it.LastAccessed), AccessCount: it.AccessCount,
		LastConfirmedAt: moment(it.LastConfirmedAt), Evidence: mapped(it.Evidence, evidenceOf), Supersedes: it.Supersedes,
		SupersededBy: it.SupersededBy, Generation: it.Generation, Version: it.Version, Metadata: metadata,
	}
}

// Filter selects items of a list.
type Filter struct {
	Of
	Page
	Type  string `query:"type" enum:"preference,fact,pattern,relationship,goal,rule,summary,episode" doc:"Only items of this type"`
	State string `query:"state" enum:"active,held,muted,inactive" doc:"Only items in this state; held and muted ones are never served"`
}

// One names one thing of an agent.
type One struct {
	Of
	ID string `path:"id" maxLength:"100"`
}

func (s *Server) items(ctx context.Context, in *Filter) (*Body[Listed[Item]], error) {
	agent, err := s.agent(ctx, in.Of)
	if err != nil {
		return nil, err
	}
	page, err := s.Memory.Lookup().ServedItems(ctx, agent, lookup.ServedFilter{
		Type: memory.Type(in.Type), State: memory.State(in.State), Limit: in.Limit, Offset: in.Offset,
	})
	if err != nil {
		return nil, err
	}
	return list(in.Page, mapped(page.Items, itemOf), page.Total), nil
}

// Evidence points to source words (A4).
type Evidence struct {
	SessionID string     `json:"session_id"`
	TurnID    string     `json:"turn_id"`
	RecordID  string     `json:"record_id"`
	Offset    int        `json:"offset" doc:"Bytes of the message before the words"`
	Length    int        `json:"length" doc:"Bytes of the words; 0 for the whole message"`
	Time      *time.Time `json:"time,omitempty" doc:"When they were said; GET /items/{id} only"`
	Text      string     `json:"text,omitempty" doc:"The words, unless they were deleted; GET /items/{id} only"`
}

func evidenceOf(ev memory.Evidence) Evidence {
	return Evidence{SessionID: ev.SessionID, TurnID: ev.TurnID, RecordID: ev.RecordID, Offset: ev.Offset, Length: ev.Length}
}

// FullItem is an item with its history; its evidence has the words.
type FullItem struct {
	Item
	Versions []Version `json:"versions" nullable:"false" doc:"What it said, oldest first; versions that waited or were muted are left out"`
}

// Version is a version of an item, and the change that made it.
type Version struct {
	Version    int       `json:"version"`
	Time       time.Time `json:"time"`
	Action     string    `json:"action"`
	Reason     string    `json:"reason"`
	Origin     string    `json:"origin"`
	Type       string    `json:"type"`
	Content    string    `json:"content"`
	State      string    `json:"state"`
	Confidence float64   `json:"confidence"`
	Importance float64   `json:"importance"`
}

func (s *Server) fullItem(ctx context.Context, in *One) (*Body[FullItem], error) {
	agent, err := s.agent(ctx, in.Of)
	if err != nil {
		return nil, err
	}
	it, err := s.Memory.Lookup().ServedItem(ctx, agent, in.ID)
	if err != nil {
		return nil, err
	}
	full := FullItem{Item: itemOf(it), Versions: []Version{}}
	for i, ev := range it.Evidence {
		r, err := s.Memory.Lookup().Record(ctx, agent, ev.RecordID)
		if lookup.Lacking(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		full.Evidence[i].Time, full.Evidence[i].Text = moment(r.Timestamp), recall.Quoted(r, ev)
	}
	history, err := s.Memory.Lookup().History(ctx, agent, it.ID)
	if err != nil {
		return nil, err
	}
	for _, c := range history {
		was, err := s.Memory.Lookup().ItemVersion(ctx, agent, it.ID, c.Version)
		switch {
		case lookup.Lacking(err):
		case err != nil:
			return nil, err
		case was.State == memory.StateActive || was.State == memory.StateInactive:
			full.Versions = append(full.Versions, Version{
				Version: c.Version, Time: c.Time, Action: string(c.Action), Reason: c.Reason, Origin: string(c.Origin),
				Type: string(was.Type), Content: was.Content, State: string(was.State), Confidence: was.Confidence,
				Importance: was.Importance,
			})
		}
	}
	return &Body[FullItem]{full}, nil
}

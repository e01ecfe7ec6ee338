package rest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"unicode"

	"memoria/memory"
	"memoria/memory/manager/doors"
)

// proposalErrors are the statuses of a proposal that is not taken.
var proposalErrors = []int{
	http.StatusBadRequest, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests,
}

// Client names the program that proposes.
type Client struct {
	Client string `header:"X-Client" maxLength:"64" doc:"The name of the program, shown to the user; without it, rest"`
}

func (c Client) name() string {
	if c.Client == "" {
		return "rest"
	}
	return c.Client
}

// Draft is a proposed item.
type Draft struct {
	Content    string          `json:"content" minLength:"1" maxLength:"20000" doc:"The conclusion as a sentence"`
	Type       string          `json:"type,omitempty" enum:"preference,fact,pattern,relationship,goal,rule,summary,episode" default:"fact"`
	Key        string          `json:"key,omitempty" maxLength:"200" doc:"The slot that it fills, such as home"`
	Title      string          `json:"title,omitempty" maxLength:"1000"`
	Value      json.RawMessage `json:"value,omitempty" doc:"The conclusion as data; any JSON"`
	Tags       []string        `json:"tags,omitempty" nullable:"false" maxItems:"20"`
	Importance float64         `json:"importance,omitempty" minimum:"0" maximum:"1" default:"0.5"`
	Confidence float64         `json:"confidence,omitempty" minimum:"0" maximum:"1" default:"0.5"`
}

// Edit is a proposed change: the fields that are given.
type Edit struct {
	Content    *string         `json:"content,omitempty" minLength:"1" maxLength:"20000"`
	Type       *string         `json:"type,omitempty" enum:"preference,fact,pattern,relationship,goal,rule,summary,episode"`
	Key        *string         `json:"key,omitempty" maxLength:"200"`
	Title      *string         `json:"title,omitempty" maxLength:"1000"`
	Value      json.RawMessage `json:"value,omitempty"`
	Tags       *[]string       `json:"tags,omitempty" maxItems:"20"`
	Importance *float64        `json:"importance,omitempty" minimum:"0" maximum:"1"`
	Confidence *float64        `json:"confidence,omitempty" minimum:"0" maximum:"1"`
}

// apply changes an item.
func (e Edit) apply(it *memory.Item) {
	set(&it.Content, e.Content)
	set(&it.Key, e.Key)
	set(&it.Title, e.Title)
	set(&it.Tags, e.Tags)
	set(&it.Importance, e.Importance)
	set(&it.Confidence, e.Confidence)
	if e.Type != nil {
		it.Type = memory.Type(*e.Type)
	}
	if e.Value != nil {
		it.Value = e.Value
	}
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// Proposed is the answer to a proposal.
type Proposed struct {
	ID    string `json:"id" doc:"The id of the item; empty if it is known and not served"`
	State string `json:"state" doc:"held: it waits for the user; active or known: it is known already, and nothing was stored"`
	Known bool   `json:"known"`
	Item  *Item  `json:"item,omitempty" doc:"The item as it is stored, unless it is known and not served"`
}

// ProposedBody is the answer with its status: 202 if the proposal waits, 200 if it is known.
type ProposedBody struct {
	Status int
	Body   Proposed
}

func proposed(p doors.Proposal, err error) (*ProposedBody, error) {
	switch {
	case errors.Is(err, doors.ErrTooManyProposals):
		return nil, problem(http.StatusTooManyRequests, "%d proposals of this program wait for the user", doors.MaxProposals)
	case errors.Is(err, doors.ErrRefused):
		return nil, problem(http.StatusConflict, "the user or the settings do not allow this memory")
	case err != nil:
		return nil, err
	}
	out := &ProposedBody{Status: http.StatusAccepted, Body: Proposed{ID: p.Item.ID, State: string(p.Item.State), Known: p.Known}}
	if p.Known {
		out.Status = http.StatusOK
	}
	if p.Item.ID == "" {
		out.Body.State = "known"
		return out, nil
	}
	it := itemOf(p.Item)
	out.Body.Item = &it
	return out, nil
}

// NewItem is a request for an item.
type NewItem struct {
	Of
	Client
	Body Draft
}

func (s *Server) propose(ctx context.Context, in *NewItem) (*ProposedBody, error) {
	agent, err := s.agent(ctx, in.Of)
	b := in.Body
	if err == nil {
		err = printable(append([]string{b.Content, b.Key, b.Title}, b.Tags...)...)
	}
	if err != nil {
		return nil, err
	}
	return proposed(doors.New(s.Memory.Core).Propose(ctx, agent, in.name(), memory.Item{
		Content: b.Content, Type: memory.Type(b.Type), Key: b.Key, Title: b.Title, Value: b.Value, Tags: b.Tags,
		Importance: b.Importance, Confidence: b.Confidence,
	}))
}

// printable refuses texts with control characters other than tabs and line breaks: what a
// person accepts must be what a terminal shows.
func printable(texts ...string) error {
	for _, text := range texts {
		if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
			return problem(http.StatusUnprocessableEntity, "a text holds a control character")
		}
	}
	return nil
}

// ChangeItem is a request to change an item.
type ChangeItem struct {
	One
	Client
	Body Edit
}

func (s *Server) proposeEdit(ctx context.Context, in *ChangeItem) (*ProposedBody, error) {
	agent, err := s.agent(ctx, in.Of)
	if err == nil {
		var it memory.Item
		in.Body.apply(&it)
		err = printable(append([]string{it.Content, it.Key, it.Title}, it.Tags...)...)
	}
	if err != nil {
		return nil, err
	}
	return proposed(doors.New(s.Memory.Core).ProposeEdit(ctx, agent, in.name(), in.ID, in.Body.apply))
}

package rest

import (
	"context"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
)

// Package describes what one turn sent to the model (C5).
type Package struct {
	TurnID    string    `json:"turn_id"`
	SessionID string    `json:"session_id"`
	AgentID   string    `json:"agent_id"`
	Turn      int       `json:"turn" doc:"The number of the turn in its session"`
	CreatedAt time.Time `json:"created_at"`
	Model     string    `json:"model"`
	Endpoint  string    `json:"endpoint"`
	Tokens    int       `json:"tokens" doc:"An estimate"`
	Limit     int       `json:"limit" doc:"The maximum of tokens"`
	Hash      string    `json:"hash" doc:"SHA-256 of what was sent"`
	Keywords  []string  `json:"keywords" nullable:"false"`
	Used      []Used    `json:"used" nullable:"false" doc:"The items that took part in the retrieval"`
}

// Used is an item that took part in a turn's retrieval (R8).
type Used struct {
	ItemID       string       `json:"item_id"`
	Version      int          `json:"version"`
	Score        float64      `json:"score"`
	Parts        memory.Parts `json:"parts" doc:"The factors of the score"`
	Contribution memory.Parts `json:"contribution" doc:"Each factor times its weight"`
	Chosen       bool         `json:"chosen"`
	Why          string       `json:"why" doc:"Why it was chosen, or why not"`
}

func packageOf(p memory.Package, hidden func(itemID string) bool) Package {
	used := []Used{}
	for _, u := range p.Used {
		if !hidden(u.ItemID) {
			used = append(used, Used{
				ItemID: u.ItemID, Version: u.Version, Score: u.Score, Parts: u.Parts, Contribution: u.Contribution,
				Chosen: u.Chosen, Why: u.Why,
			})
		}
	}
	return Package{
		TurnID: p.TurnID, SessionID: p.SessionID, AgentID: p.AgentID, Turn: p.Turn, CreatedAt: p.CreatedAt, Model: p.Model,
		Endpoint: p.Endpoint, Tokens: p.Tokens, Limit: p.Limit, Hash: p.Hash, Keywords: append([]string{}, p.Keywords...), Used: used,
	}
}

// FullPackage is a package with its texts.
type FullPackage struct {
	Package
	Exact    bool             `json:"exact" doc:"The messages are the bytes that were sent: nothing was deleted since or is withheld"`
	Blocks   []PackageBlock   `json:"blocks" nullable:"false" doc:"The layers, in their order"`
	Messages []PackageMessage `json:"messages" nullable:"false" doc:"The layers as the messages of the request"`
}

// PackageBlock is one layer of a package.
type PackageBlock struct {
	Layer     string `json:"layer"`
	Role      string `json:"role"`
	Text      string `json:"text"`
	Tokens    int    `json:"tokens"`
	Note      string `json:"note" doc:"What was cut, and why"`
	Forgotten int    `json:"forgotten" doc:"The number of its parts that were deleted since"`
	Withheld  bool   `json:"withheld" doc:"It quotes an item that is held or muted now, so its text is not served"`
}

// PackageMessage is one message of a request.
type PackageMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// withheldText takes the place of a block's text that is not served.
const withheldText = "[withheld: it quotes a memory that is held or muted]"

// hiddenItems returns a function that reports whether an item is not served now.
func (s *Server) hiddenItems(ctx context.Context, agent string) func(id string) bool {
	known := map[string]bool{}
	return func(id string) bool {
		hidden, ok := known[id]
		if !ok {
			it, err := s.Memory.Lookup().Item(ctx, agent, id)
			hidden = err == nil && !lookup.Served(it, s.Now())
			known[id] = hidden
		}
		return hidden
	}
}

func (s *Server) sessionPackages(ctx context.Context, in *OneList) (*Body[Listed[Package]], error) {
	agent, found, err := s.sessionNamed(ctx, in.Of, in.ID)
	if err != nil {
		return nil, err
	}
	all, err := s.Memory.Lookup().Packages(ctx, agent, found.ID)
	if err != nil {
		return nil, err
	}
	hidden := s.hiddenItems(ctx, agent)
	page := pageOf(in.Page, all)
	return list(in.Page, mapped(page.Body.Items, func(p memory.Package) Package { return packageOf(p, hidden) }), page.Body.Total), nil
}

// OfTurn names a turn.
type OfTurn struct {
	Of
	Turn string `path:"turn" maxLength:"100"`
}

func (s *Server) fullPackage(ctx context.Context, in *OfTurn) (*Body[FullPackage], error) {
	agent, err := s.agent(ctx, in.Of)
	if err != nil {
		return nil, err
	}
	r, err := s.Memory.Lookup().Package(ctx, agent, in.Turn)
	if err != nil {
		return nil, err
	}
	hidden := s.hiddenItems(ctx, agent)
	out := FullPackage{Package: packageOf(r.Package, hidden), Exact: r.Exact, Blocks: []PackageBlock{}}
	for i := range r.Rendered {
		b := &r.Rendered[i]
		withheld := quotes(r.Blocks[i], hidden)
		if withheld {
			b.Text, out.Exact = withheldText, false
		}
		out.Blocks = append(out.Blocks, PackageBlock{
			Layer: string(b.Layer), Role: string(b.Role), Text: b.Text, Tokens: b.Tokens, Note: b.Note, Forgotten: b.Forgotten,
			Withheld: withheld,
		})
	}
	out.Messages = mapped(r.Messages(), func(m memory.Message) PackageMessage { return PackageMessage{string(m.Role), m.Content} })
	return &Body[FullPackage]{out}, nil
}

// quotes reports whether a block quotes such an item.
func quotes(b memory.Block, such func(itemID string) bool) bool {
	for _, part := range b.Parts {
		if part.Kind == memory.KindItem && such(part.ID) {
			return true
		}
	}
	return false
}

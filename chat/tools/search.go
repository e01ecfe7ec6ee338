package tools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memoria/memory/recall"
	"memoria/prompts"
)

// Search is the name of the tool that searches the memory (I2).
const Search = "search_memories"

// searchTime bounds a search: the archive may have to be read through.
const searchTime = 15 * time.Second

var errSlow = errors.New("the search took too long")

// Describe returns the description of [Search]. limit is how many searches a turn has; 0
// means any number.
func Describe(p *prompts.Set, limit int) (string, error) {
	said, err := p.Render(prompts.SearchTool, prompts.SearchToolData{Limit: limit})
	if err != nil && said == "" {
		return "", fmt.Errorf("rendering the search tool: %w", err)
	}
	return said, nil
}

// Find searches an agent's items and messages, at most each of both. known reports whether
// a message is to be left out; it may be nil.
func Find(
	ctx context.Context, r *recall.Reader, agent string, args Args, each int, known func(recordID string) bool,
) (recall.MemoryFound, error) {
	ctx, stop := context.WithTimeoutCause(ctx, searchTime, errSlow)
	defer stop()
	return r.SearchMemories(ctx, agent, recall.MemoryQuery{
		Keyword: args.Keyword, From: args.From, To: args.To, Items: each, Messages: each, Known: known,
	})
}

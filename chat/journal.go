package chat

import (
	"context"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/manager"
	"memoria/memory/retrieve"
)

// PreviewJournal returns the passages of the journal that would go with a message beside
// the recalled memories (R8, J6), as far as the budget of memories allows. The window is
// taken to be the last messages of the session. A group has none.
func (c *Chat) PreviewJournal(ctx context.Context, text string, recall []retrieve.Scored) ([]manager.Passage, error) {
	if c.noMemory || c.inGroup() {
		return nil, nil
	}
	var records []memory.Record
	if session := c.Session().ID; session != "" {
		var err error
		if records, err = c.memory.Lookup().LastRecords(ctx, c.agent.ID, session, c.settings().ContextLimit); err != nil {
			return nil, err
		}
	}
	return c.composer.Preview(ctx, c.agent.ID, text, recall, records)
}

// Summariser makes the summaries of the journal: the model in use, or rules if there is
// none.
func (c *Chat) Summariser() journal.Summariser {
	client := c.client()
	if client.Info().Offline {
		return c.memory.JournalRules()
	}
	return c.journalModel(client)
}

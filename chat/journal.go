package chat

import (
	"context"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/manager"
	"memoria/memory/retrieve"
)

// PreviewJournal returns what of the journal would go with a message beside the memories that
// would (R8, J6), as far as the budget of memories allows; the window is taken to be the last
// messages of the session. Of a group there is nothing.
func (c *Chat) PreviewJournal(ctx context.Context, text string, recall []retrieve.Scored) ([]manager.Passage, error) {
	if c.noMemory || c.inGroup() {
		return nil, nil
	}
	var records []memory.Record
	if session := c.Session().ID; session != "" {
		var err error
		if records, err = c.memory.LastRecords(ctx, c.agent.ID, session, c.settings().ContextLimit); err != nil {
			return nil, err
		}
	}
	return c.composer.Preview(ctx, c.agent.ID, text, recall, records)
}

// Summariser makes the summaries of the journal: the model that is in use, or rules.
func (c *Chat) Summariser() journal.Summariser {
	client := c.client()
	if client.Info().Offline {
		return c.memory.JournalRules()
	}
	return journal.Model{Ask: model.NewCompleter(client), Name: client.Info().Model, Prompts: c.prompts, Policy: c.memory.Policy()}
}

// archiveByModel lets the model write the summaries of the journal that are due, one request
// at a time, until a message comes (J4). Where there is no model, rules write them.
func (c *Chat) archiveByModel(ctx context.Context, id string) error {
	if c.client().Info().Offline {
		_, err := c.memory.RunJournal(ctx, id, c.memory.JournalRules())
		return err
	}
	if j, err := c.memory.Journal(id); err != nil || !j.Due(ctx) {
		return nil //nolint:nilerr // a group has none
	}
	ctx, client, end, ok := c.goAside(ctx)
	if !ok {
		return nil
	}
	defer end()
	by := c.clientOf(id, client)
	_, err := c.memory.RunJournal(ctx, id, journal.Model{
		Ask: model.NewCompleter(by), Name: by.Info().Model, Prompts: c.prompts, Policy: c.memory.Policy(),
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

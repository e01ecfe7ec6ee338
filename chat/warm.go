package chat

import (
	"context"
	"time"

	"memoria/chat/model"
)

// coldAfter is how long a self-hosted server may be expected to keep a model loaded that
// nobody asks: Ollama lets go after five minutes.
const coldAfter = 5 * time.Minute

// warm sends, when the user begins to type after a pause, a request for one token that
// begins like his next one, so that a server of his own loads the model and reads the
// conversation while he types (S4). It does not block, and what comes of it is no matter.
func (c *Chat) warm() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	idle := c.finished || c.busy() || c.temporary || c.inGroup()
	if idle || c.session.ID == "" || !c.model.Info().SelfHosted || now.Sub(c.session.LastMessageAt) < coldAfter || now.Sub(c.warmed) < coldAfter {
		return
	}
	c.warmed = now
	client, session := c.model, c.session.ID
	c.work.Go(func() {
		ctx, stop := context.WithTimeout(c.ctx, loadTime)
		defer stop()
		err := c.guard("warming the model up", func() error { return c.askAhead(ctx, client, session) })
		if err != nil {
			c.log.Debug("warming the model up failed", "error", err)
		}
	})
}

// askAhead asks again what the last turn of a session asked, for one token.
func (c *Chat) askAhead(ctx context.Context, client model.Client, session string) error {
	last, err := c.memory.LastRecords(ctx, c.agent.ID, session, 1)
	if err != nil || len(last) == 0 {
		return err
	}
	sent, err := c.memory.Package(ctx, c.agent.ID, last[0].TurnID)
	if err != nil || !sent.Exact { // something in it was deleted since
		return err
	}
	req := model.Request{Messages: messages(sent.Messages()), MaxTokens: 1, Once: true, Purpose: model.PurposeWarm}
	tool, err := c.searchTool(client, c.settings().memory.SearchLimit)
	if err != nil {
		return err
	}
	if tool != nil {
		req.Tools = []model.Tool{*tool} // templates put them in front
	}
	_, err = client.Stream(ctx, req, nil)
	return err
}

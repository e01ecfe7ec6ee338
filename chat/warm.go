package chat

import (
	"context"
	"time"

	"memoria/chat/model"
)

// coldAfter is how long a self-hosted server keeps an idle model loaded: Ollama unloads it
// after five minutes.
const coldAfter = 5 * time.Minute

// Touch says that the user has pressed a key: what the model is asked in the background
// waits until the user rests, and an idle server is asked ahead of the message. It does not
// block.
func (c *Chat) Touch() {
	if c.learner.pause > 0 {
		poke(c.learner.touched)
		c.learner.warm()
	}
}

// warm sends, when the user begins to type after a pause, a request for one token that
// begins like the next one, so that a self-hosted server loads the model and reads the
// conversation meanwhile (S4). It does not block, and its outcome does not matter.
func (l *learner) warm() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, session, client := l.now(), l.session, l.model
	if l.closed || l.queue.busy() || l.temporary || l.inGroup() || session.ID == "" || !client.Info().SelfHosted ||
		now.Sub(session.LastMessageAt) < coldAfter || now.Sub(l.warmed) < coldAfter {
		return
	}
	l.warmed = now
	l.workers.Go(func() {
		ctx, stop := context.WithTimeout(l.ctx, loadTime)
		defer stop()
		err := l.guard("warming the model up", func() error { return l.askAhead(ctx, client, session.ID) })
		if err != nil {
			l.log.Debug("warming the model up failed", "error", err)
		}
	})
}

// askAhead repeats the request of a session's last turn, for one token.
func (l *learner) askAhead(ctx context.Context, client model.Client, session string) error {
	last, err := l.memory.Lookup().LastRecords(ctx, l.agent.ID, session, 1)
	if err != nil || len(last) == 0 {
		return err
	}
	sent, err := l.memory.Lookup().Package(ctx, l.agent.ID, last[0].TurnID)
	if err != nil || !sent.Exact { // something in it was deleted since
		return err
	}
	req := model.Request{Messages: messages(sent.Messages()), MaxTokens: 1, Once: true, Purpose: model.PurposeWarm}
	tool, err := l.searchTool(client, l.settings().memory.SearchLimit)
	if err != nil {
		return err
	}
	if tool != nil {
		req.Tools = []model.Tool{*tool} // templates put them in front
	}
	_, err = client.Stream(ctx, req, nil)
	return err
}

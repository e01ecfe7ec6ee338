package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"memoria/chat"
	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/ui/config"
)

// Options says where the history goes.
type Options struct {
	// Dir is an empty folder.
	Dir string
	// Language is that of the history; any other than Chinese is English.
	Language config.Language
	// Agent is whom the person talked to.
	Agent chat.Agent
	// Now is the present, shortly before which the history ends.
	Now time.Time
	// Logger may be nil.
	Logger *slog.Logger
}

// filling is a history on its way into a folder.
type filling struct {
	Options
	clock   clock
	memory  *manager.Manager
	prompts *chat.Prompts
}

// Fill plays the history into o.Dir and closes it. When ctx ends it stops; what
// is in the folder then is a part of the history.
func Fill(ctx context.Context, o Options) (err error) {
	sessions, err := load(history, o.Language)
	if err != nil {
		return fmt.Errorf("reading the demo's history: %w", err)
	}
	f := &filling{Options: o}
	if f.prompts, err = chat.LoadPrompts(""); err != nil {
		return err
	}
	f.clock.set(sessions[0].at.before(o.Now))
	cfg := write.DefaultConfig()
	cfg.Analysis = write.AnalysisRules // there is no model behind it
	f.memory, err = manager.Open(ctx, manager.Options{
		Dir: o.Dir, Config: cfg, Now: f.clock.Now, Logger: o.Logger, NoSync: true,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.memory.Close()) }()
	for _, s := range sessions {
		if err := f.play(ctx, s); err != nil {
			return fmt.Errorf("playing the demo's %s: %w", s.name, err)
		}
	}
	// Deleted is gone, and the index is whole when the next one opens it.
	return errors.Join(f.memory.Trash().Purge(ctx), f.memory.Recall().Settle(ctx, o.Agent.ID))
}

// play holds one conversation.
func (f *filling) play(ctx context.Context, s session) (err error) {
	at := s.at.before(f.Now)
	if at.Before(f.clock.Now()) {
		return fmt.Errorf("it begins before the session before it ends (%s)", f.clock.Now().Format(time.DateTime))
	}
	f.clock.set(at)
	says := &script{model: s.model, clock: &f.clock}
	c, err := chat.New(chat.Options{
		Agent: f.Agent, Manager: f.memory, Model: says, Prompts: f.prompts, Config: chat.DefaultConfig(),
		Context: compose.DefaultConfig(), Now: f.clock.Now, Logger: f.Logger,
	})
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, c.Close())
		for range c.Events() { // these have no other reader
		}
	}()
	if err := c.NewSession(ctx); err != nil {
		return err
	}
	if err := c.Start(ctx); err != nil {
		return err
	}
	for i, t := range s.turns {
		if i > 0 {
			f.clock.add(t.pause)
		}
		if err := f.turn(ctx, c, says, t); err != nil {
			return err
		}
	}
	return nil
}

func (f *filling) turn(ctx context.Context, c *chat.Chat, says *script, t turn) error {
	says.says(t)
	end, err := c.Ask(ctx, t.said, nil, nil)
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case end.Problem != nil && !t.cut:
		return fmt.Errorf("%s: %s", end.Problem.Title, end.Problem.Text)
	}
	// The conversation learns too, concurrently; the first one does it.
	if err := f.memory.Learning().Learn(ctx, f.Agent.ID, nil); err != nil {
		return err
	}
	for _, a := range t.acts {
		f.clock.add(usualPause / 3)
		if err := f.act(ctx, a); err != nil {
			return fmt.Errorf("%s %q: %w", a.verb, a.words+a.text, err)
		}
	}
	return nil
}

// act does what the person's hand does.
func (f *filling) act(ctx context.Context, a act) error {
	if a.verb == "add" {
		_, err := f.memory.Learning().AddItem(ctx, f.Agent.ID, memory.Item{Type: a.kind, Content: a.text, Tags: a.tags})
		return err
	}
	page, err := f.memory.Lookup().Items(ctx, f.Agent.ID, lookup.ItemFilter{Text: a.words})
	if err != nil {
		return err
	}
	if len(page.Items) != 1 {
		var found []string
		for _, it := range page.Items {
			found = append(found, it.Content)
		}
		return fmt.Errorf("the words fit %d memories: %q", page.Total, strings.Join(found, " | "))
	}
	id := page.Items[0].ID
	if a.verb == "forget" {
		_, err := f.memory.DeleteItems(ctx, f.Agent.ID, id)
		return err
	}
	_, err = f.memory.Learning().EditItem(ctx, f.Agent.ID, id, func(it *memory.Item) {
		switch a.verb {
		case "accept":
			it.State = memory.StateActive
		case "edit":
			it.Content = a.text
		case "tag":
			it.Tags = append(it.Tags, a.tags...)
		}
	})
	return err
}

var _ model.Client = (*script)(nil)
